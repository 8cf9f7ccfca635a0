// SPDX-License-Identifier: MIT
// A rigid ball, or a cylinder that lies, that flies into an elastoplastic block and comes back,
// step by step in time.
//
// Explicit, axisymmetric or of plane strain (per length); triangles with one point each, four to a
// square, which bear flow at constant volume (Nagtegaal, Parks and Rice 1974); Jaumann's rate,
// radial return, no friction. Lengths in ball radii, stresses in yield stresses, densities in the
// block's: speeds are in roots of yield stress over density, 178 m/s for mild steel. Waves leave
// through the outer boundary. That holds nothing: it gives way under a force that lasts, and takes
// work, the less the further out it is (kWidth; at 12 contact radii a slow ball lost a sixth of its
// rebound).
//
// ball_impact RATIO POISSON SPEED DENSITY [ELEMENTS [EXPONENT [long]]]: modulus over yield stress,
// Poisson's ratio, the ball's speed and density; elements across the contact's radius; the exponent
// of Swift's law; whether a cylinder lies instead. Writes one line of a table and the profile that
// stays, to be read by make_references.py.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr double kPi = 3.14159265358979323846;
// Of the time that a wave takes through the smallest element.
constexpr double kStepShare = 0.5;
// Of the stiffest contact that a step bears.
constexpr double kPenalty = 0.1;
// How long the block is calmed down after the ball has left, in times of contact.
constexpr double kSettle = 2.0;
constexpr double kGrowth = 1.2, kWidth = 48.0;

struct Place {
    double r = 0.0, z = 0.0;
};

// Places from 0: a cell apart up to `even`, then ever further apart, up to `end`.
std::vector<double> graded(double even, double cell, double end) {
    std::vector<double> out = {0.0};
    while (out.back() < even) out.push_back(out.back() + cell);
    for (double step = cell; out.back() < end;) {
        step *= kGrowth;
        out.push_back(out.back() + step);
    }
    return out;
}

struct Element {
    std::array<std::size_t, 3> corners{};
    double rr = 0.0, zz = 0.0, tt = 0.0, rz = 0.0;  // stresses
    double strain = 0.0;                            // plastic, all of it
};

class Block {
public:
    Block(const std::vector<double>& out, const std::vector<double>& down, double modulus,
          double poisson, double exponent, bool is_long)
        : modulus_(modulus),
          exponent_(exponent),
          is_long_(is_long),
          lame_(modulus * poisson / ((1 + poisson) * (1 - 2 * poisson))),
          shear_(modulus / (2 * (1 + poisson))),
          wave_(std::sqrt(lame_ + 2 * shear_)),
          rows_(down.size()) {
        for (const double r : out) {
            for (const double z : down) places.push_back({r, -z});
        }
        for (std::size_t i = 0; i + 1 < out.size(); ++i) {
            top.push_back(i * rows_);
            for (std::size_t j = 0; j + 1 < down.size(); ++j) add_square(i, j);
        }
        velocities.resize(places.size());
        forces.resize(places.size());
        masses.resize(places.size());
        dashpots_.resize(places.size());
        double smallest = 1e300;
        for (const Element& e : elements_) {
            const Shape s = shape(e);
            smallest = std::min(smallest, s.area);
            for (const std::size_t c : e.corners) masses[c] += ring(s.radius) * s.area / 3.0;
        }
        step = kStepShare * 0.5 * std::sqrt(2.0 * smallest) / wave_;
        for (std::size_t i = 0; i + 1 < out.size(); ++i) {
            const double area = ring(0.5 * (out[i + 1] + out[i])) * (out[i + 1] - out[i]);
            for (const std::size_t k : {i, i + 1})
                dashpots_[k * rows_ + rows_ - 1] += 0.5 * wave_ * area;
        }
        for (std::size_t j = 0; j + 1 < down.size(); ++j) {
            const double area = ring(out.back()) * (down[j + 1] - down[j]);
            for (const std::size_t k : {j, j + 1})
                dashpots_[(out.size() - 1) * rows_ + k] += 0.5 * wave_ * area;
        }
    }

    // Stresses grow by the speeds of the last step; what they do to the places.
    void add_internal_forces() {
        for (Element& e : elements_) {
            const Shape s = shape(e);
            double rr = 0, rz = 0, zr = 0, zz = 0, hoop = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const Place& v = velocities[e.corners[k]];
                rr += s.by_r[k] * v.r;
                rz += s.by_z[k] * v.r;
                zr += s.by_r[k] * v.z;
                zz += s.by_z[k] * v.z;
                if (!is_long_) hoop += v.r / (3.0 * s.radius);
            }
            flow(e, rr, rz, zr, zz, hoop);
            const double weight = ring(s.radius) * s.area;
            const double spread = is_long_ ? 0.0 : 2 * kPi * s.area * e.tt / 3.0;
            for (std::size_t k = 0; k < 3; ++k) {
                Place& f = forces[e.corners[k]];
                f.r -= weight * (s.by_r[k] * e.rr + s.by_z[k] * e.rz) + spread;
                f.z -= weight * (s.by_r[k] * e.rz + s.by_z[k] * e.zz);
            }
        }
    }

    void move(double drag) {
        for (std::size_t i = 0; i < places.size(); ++i) {
            Place &v = velocities[i], &f = forces[i];
            v.r += step * ((f.r - dashpots_[i] * v.r) / masses[i] - drag * v.r);
            v.z += step * ((f.z - dashpots_[i] * v.z) / masses[i] - drag * v.z);
            if (places[i].r == 0.0) v.r = 0.0;
            places[i].r += step * v.r;
            places[i].z += step * v.z;
            f = {};
        }
    }

    std::vector<Place> places, velocities, forces;
    std::vector<double> masses;
    std::vector<std::size_t> top;
    double step = 0.0;

private:
    struct Shape {
        double area = 0.0, radius = 0.0;
        std::array<double, 3> by_r{}, by_z{};
    };

    // Once around at a radius; of plane strain both sides of a length of 1.
    double ring(double radius) const { return is_long_ ? 2.0 : 2 * kPi * radius; }

    void add_square(std::size_t i, std::size_t j) {
        const std::array<std::size_t, 4> ring = {i * rows_ + j + 1, (i + 1) * rows_ + j + 1,
                                                 (i + 1) * rows_ + j, i * rows_ + j};
        Place middle;
        for (const std::size_t c : ring) {
            middle.r += 0.25 * places[c].r;
            middle.z += 0.25 * places[c].z;
        }
        const std::size_t at = places.size();
        places.push_back(middle);
        for (std::size_t k = 0; k < 4; ++k) elements_.push_back({{ring[k], ring[(k + 1) % 4], at}});
    }

    Shape shape(const Element& e) const {
        const Place &a = places[e.corners[0]], &b = places[e.corners[1]], &c = places[e.corners[2]];
        Shape s;
        s.area = 0.5 * ((b.r - a.r) * (c.z - a.z) - (c.r - a.r) * (b.z - a.z));
        s.radius = (a.r + b.r + c.r) / 3.0;
        const double per = 0.5 / s.area;
        s.by_r = {per * (b.z - c.z), per * (c.z - a.z), per * (a.z - b.z)};
        s.by_z = {per * (c.r - b.r), per * (a.r - c.r), per * (b.r - a.r)};
        return s;
    }

    void flow(Element& e, double rr, double rz, double zr, double zz, double hoop) const {
        const double spin = 0.5 * (rz - zr), dt = step, volume = lame_ * (rr + zz + hoop);
        const Element was = e;
        e.rr += dt * (2 * spin * was.rz + 2 * shear_ * rr + volume);
        e.zz += dt * (-2 * spin * was.rz + 2 * shear_ * zz + volume);
        e.tt += dt * (2 * shear_ * hoop + volume);
        e.rz += dt * (spin * (was.zz - was.rr) + shear_ * (rz + zr));
        const double mean = (e.rr + e.zz + e.tt) / 3.0;
        const double a = e.rr - mean, b = e.zz - mean, c = e.tt - mean;
        const double size = std::sqrt(1.5 * (a * a + b * b + c * c + 2 * e.rz * e.rz));
        // What it yields at by what it was strained before this step: steps are short.
        const double bears = exponent_ > 0 ? std::pow(1.0 + modulus_ * e.strain, exponent_) : 1.0;
        if (!(size > bears)) return;
        const double share = bears / size;
        e.strain += (size - bears) / (3.0 * shear_);
        e.rr = mean + share * a;
        e.zz = mean + share * b;
        e.tt = mean + share * c;
        e.rz *= share;
    }

    double modulus_, exponent_;
    bool is_long_;
    double lame_, shear_, wave_;
    std::size_t rows_;
    std::vector<Element> elements_;
    std::vector<double> dashpots_;
};

struct Ball {
    double mass = 0.0, height = 1.0, speed = 0.0, deepest = 0.0;

    // What presses it up.
    double touch(Block& block, double widest) const {
        double up = 0.0;
        for (const std::size_t i : block.top) {
            const Place& p = block.places[i];
            if (p.r > widest) break;
            const double z = p.z - height, distance = std::hypot(p.r, z);
            if (!(distance < 1.0)) continue;
            const double push =
                kPenalty * block.masses[i] / (block.step * block.step) * (1.0 - distance);
            block.forces[i].r += push * p.r / distance;
            block.forces[i].z += push * z / distance;
            up -= push * z / distance;
        }
        return up;
    }
};

}  // namespace

int main(int count, char** words) {
    if (count < 5) return 1;
    const double ratio = std::atof(words[1]), poisson = std::atof(words[2]);
    const double speed = std::atof(words[3]), density = std::atof(words[4]);
    const double elements = count > 5 ? std::atof(words[5]) : 10.0;
    const double exponent = count > 6 ? std::atof(words[6]) : 0.0;
    const bool is_long = count > 7;
    Ball ball;
    ball.mass = density * (is_long ? 1.0 : 4.0 / 3.0) * kPi;
    ball.speed = -speed;
    const double energy = 0.5 * ball.mass * speed * speed;
    double contact = 0.1;
    for (int k = 0; k < 20; ++k) {  // about
        const double stress = 3.9 * std::pow(1.0 + 0.065 * ratio * contact, exponent);
        contact = is_long ? std::cbrt(1.5 * energy / stress)
                          : std::sqrt(2.0 * std::sqrt(energy / (stress * kPi)));
    }
    const double cell = contact / elements, end = kWidth * contact;
    Block block(graded(1.8 * contact, cell, end), graded(0.9 * contact, cell, end), ratio, poisson,
                exponent, is_long);
    double time = 0.0, left = 0.0;
    while (left == 0.0 || time < (1.0 + kSettle) * left) {
        block.add_internal_forces();
        if (left == 0.0) {
            const double up = ball.touch(block, 2.5 * contact);
            ball.speed += block.step * up / ball.mass;
            ball.height += block.step * ball.speed;
            ball.deepest = std::max(ball.deepest, 1.0 - ball.height);
            if (ball.speed > 0 && up == 0.0) left = time;
        }
        block.move(left == 0.0 ? 0.0 : 6.0 / left);
        time += block.step;
        if (!std::isfinite(ball.height) || time > 1e3) return 2;
    }
    std::printf("%.6g %.6g %.6g %.6g\n", energy, -ball.speed / -speed, ball.deepest, left);
    const double far = block.places[block.top.back()].z;
    for (const std::size_t i : block.top) {
        const Place& p = block.places[i];
        if (p.r < 4.0 * contact) std::printf("%.6g %.6g\n", p.r, p.z - far);
    }
    return 0;
}
