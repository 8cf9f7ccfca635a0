// SPDX-License-Identifier: MIT
// The dent of Patkar et al. 2014, "Efficient Denting and Bending of Rigid Bodies", section 3:
// D(x, y, z) = a(z) D^(x, y) over the plane through the struck point. We differ in three places. A
// profile ends at a radius: a hit has a reach, and what is beyond it need not be touched. Points
// off the plane are carried to it along the way they will be moved, not along the normal: a field
// that is constant along its own direction cannot fold space, however steep the profile. And the
// attenuation's length is a knob: on a curved body (a barrel's side lies r^2 / 2R behind its
// tangent plane) the seed's, the dent distance, would narrow shallow dents to slits.
#include <ductile/core/assert.h>
#include <ductile/core/directions.h>
#include <ductile/deform/dent/dent.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A Gaussian of width radius / 3 has fallen to exp(-4.5) at the radius.
const double kFloor = std::exp(-4.5);

// Rounding of a place in the dent's frame, as a share of the lengths it is made of, and more.
constexpr double kSlack = 1e-12;

// Of the distance between two places along the slant, what a leaning dent takes at most.
constexpr double kMostLean = 0.9;

double gaussian_share(double distance_sq, double radius_sq) {
    if (!(distance_sq < radius_sq)) return 0.0;  // also NaN
    return (std::exp(-4.5 * distance_sq / radius_sq) - kFloor) / (1.0 - kFloor);
}

// What fades away for ever ends at a thousandth, without a step: a dent need not be looked for
// through the whole of a body.
constexpr double kFaded = 1e-3;
double ended(double share) { return std::max(0.0, (share - kFaded) / (1.0 - kFaded)); }

// The raised edge of a dent by hand: where the dent is shallow, out of its own profile, so that it
// is as smooth and ends where it ends. Over a Gaussian its volume is a fifth of the dent's.
double with_rim(double share, double rim) {
    if (share < 0) return share;  // raised by its map
    const double rest = 1.0 - share;
    return std::max(-1.0, share - rim * share * rest * rest * rest * rest);
}

}  // namespace

double attenuation(Attenuation kind, double z, double fade) {
    if (z <= 0.0) return 1.0;
    switch (kind) {
        case Attenuation::None:
            return 1.0;
        case Attenuation::Linear:
            return std::max(0.0, 1.0 - z / fade);
        case Attenuation::Exponential:
            return ended(std::exp(-z / fade));
        case Attenuation::Logistic:
            break;
    }
    return ended(2.0 / (1.0 + std::exp(z / fade)));
}

double attenuation_reach(Attenuation kind, double fade) {
    switch (kind) {
        case Attenuation::None:
            return kInfinity;
        case Attenuation::Linear:
            return fade;
        case Attenuation::Exponential:
            return fade * std::log(1.0 / kFaded);
        case Attenuation::Logistic:
            break;
    }
    return fade * std::log(2.0 / kFaded - 1.0);
}

double safe_fade(Attenuation kind, double depth) {
    switch (kind) {
        case Attenuation::None:
            return 0.0;
        case Attenuation::Logistic:
            return depth * 0.5 / 0.9;
        case Attenuation::Linear:
        case Attenuation::Exponential:
            break;
    }
    return depth / 0.9;
}

double gaussian_profile(double distance, double radius) {
    return gaussian_share(distance * distance, radius * radius);
}

DentPress::DentPress(const DentHit& hit, double amount) : hit_(hit), amount_(amount) {
    x_ = hit.from_b;
    if (x_.isZero()) x_ = any_perpendicular(hit.direction_b);
    y_ = hit.direction_b.cross(x_);
    const double slant = hit.slant_deg * (kPi / 180.0);
    cosine_ = hit.slant_deg < 90.0 ? std::cos(slant) : 0.0;
    sine_ = hit.lean * std::sin(slant);
    squeeze_ = std::max(cosine_, kLeastDentCosine);
    drift_ = sine_ / squeeze_;
    depth_ = amount > 0 ? std::min(hit.depth, hit.total_limit) * (cosine_ / squeeze_) : 0.0;
    fade_ = hit.fade > 0 ? hit.fade : hit.radius;
    along_ = (x_ + drift_ * hit.direction_b).cwiseAbs();
    fade_reach_ = attenuation_reach(hit.attenuation, fade_);
    if (hit.map) per_cell_ = 1.0 / hit.map->cell(hit.radius);
    if (hit.profile == DentProfile::Cap && hit.depth > 0) {
        const double width = hit.radius / std::min(hit.depth, hit.radius);
        ball_ = 0.5 * (width * width + 1.0);
    }
    for (const DentStart& s : hit.starts) {
        const Vec3 d = s.position_b - hit.position_b;
        starts_.push_back({d.dot(x_) + drift_ * d.dot(hit.direction_b), d.dot(y_)});
    }
    if (starts_.empty()) starts_.push_back(Vec2::Zero());
}

double DentPress::profile(double x, double y) const {
    x *= squeeze_;
    if (hit_.map) return hit_.map->share(x * per_cell_, y * per_cell_);
    const double distance_sq = x * x + y * y, radius_sq = hit_.radius * hit_.radius;
    if (!(distance_sq < radius_sq)) return 0.0;  // also NaN
    const double u_sq = distance_sq / radius_sq;
    switch (hit_.profile) {
        case DentProfile::Cosine:
            return 0.5 * (1.0 + std::cos(kPi * std::sqrt(u_sq)));
        case DentProfile::Cap:
            // Of a ball whose cap is 1 deep and 2 ball - 1 wide, squared.
            return std::sqrt(ball_ * ball_ - u_sq * (2.0 * ball_ - 1.0)) - (ball_ - 1.0);
        case DentProfile::Gaussian:
            break;
    }
    return gaussian_share(distance_sq, radius_sq);
}

double DentPress::share(double x, double y) const {
    double share = -kInfinity;
    for (const Vec2& start : starts_)
        share = std::max(share, profile(x - start.x(), y - start.y()));
    if (hit_.rim > 0) share = with_rim(share, hit_.rim);
    if (amount_ >= 1.0) return share;
    return share > 0 ? std::max(0.0, share - (1.0 - amount_)) : amount_ * share;
}

Vec2 DentPress::aside(double x, double y) const {
    if (!hit_.map || !hit_.map->sideways()) return Vec2::Zero();
    Vec2 sum = Vec2::Zero();
    double weights = 0.0;
    for (const Vec2& start : starts_) {
        const double u = squeeze_ * (x - start.x()) * per_cell_, v = (y - start.y()) * per_cell_;
        const Vec2 aside = hit_.map->aside(u, v);
        const double weight = std::hypot(hit_.map->share(u, v), aside.norm());
        sum += weight * aside;
        weights += weight;
    }
    if (!(weights > 0)) return Vec2::Zero();
    return amount_ / weights * sum;
}

// What a vector map adds to the way of a point, which keeps within the limit of all hits.
Vec3 DentPress::by_vectors(const Vec3& by, const Vec2& aside, double faded, double room) const {
    const Vec3 sum = by + (depth_ * hit_.lean * faded) * (aside.x() * x_ + aside.y() * y_);
    const double most = room * hit_.total_limit, length = sum.norm();
    return length > most ? Vec3((most / length) * sum) : sum;
}

Vec3 DentPress::operator()(const Vec3& p, const Vec3& rest) const {
    if (!(depth_ > 0)) return p;
    const Vec3 d = p - hit_.position_b;
    const double z = d.dot(hit_.direction_b);
    const double x = d.dot(x_) + drift_ * z, y = d.dot(y_);
    const double in = share(x, y);
    const bool has_vectors = hit_.map && hit_.map->sideways();
    const Vec2 off = has_vectors ? aside(x, y) : Vec2(Vec2::Zero());
    if (in == 0.0 && off.isZero(0.0)) return p;
    const double moved = (p - rest).norm();
    const double room = std::max(0.0, 1.0 - moved / hit_.total_limit);
    const double faded = attenuation(hit_.attenuation, z, fade_);
    const double push = depth_ * in * faded * room;
    // To the bit: adding 0 would turn -0 into 0.
    if (push == 0.0 && (off.isZero(0.0) || faded * room == 0.0)) return p;
    Vec3 way = cosine_ * hit_.direction_b;
    // What is raised rises straight out: nothing comes back along a slant.
    if (sine_ > 0 && push > 0) {
        const double wide =
            hit_.widening > 0 ? 2.0 / (1.0 + std::exp(hit_.widening * x / hit_.radius)) : 1.0;
        way -= (sine_ * wide) * x_;
    }
    if (!has_vectors) return p + push * way;
    return p + by_vectors(push * way, off, faded * room, room);
}

bool DentPress::may_move(const Box& box) const {
    if (!(depth_ > 0)) return false;
    const Vec3 d = box.centre() - hit_.position_b, half = 0.5 * (box.upper - box.lower);
    const double x = d.dot(x_) + drift_ * d.dot(hit_.direction_b), y = d.dot(y_);
    // Where rounding could tell otherwise the answer is yes.
    const double lengths = hit_.radius + d.cwiseAbs().sum() + half.sum();
    const double slack = kSlack * lengths * (1.0 + drift_);
    const double reach_x = hit_.radius / squeeze_ + half.dot(along_) + slack;
    const double reach_y = hit_.radius + half.dot(y_.cwiseAbs()) + slack;
    const double nearest = d.dot(hit_.direction_b) - half.dot(hit_.direction_b.cwiseAbs());
    if (nearest > fade_reach_ + slack) return false;
    return std::any_of(starts_.begin(), starts_.end(), [&](const Vec2& start) {
        return std::abs(x - start.x()) < reach_x && std::abs(y - start.y()) < reach_y;
    });
}

void press_dent(std::span<Vec3> points, std::span<const Vec3> rest, const DentHit& hit,
                double amount) {
    DUCTILE_ASSERT(points.size() == rest.size(), "a rest place per point");
    const DentPress press(hit, amount);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = press(points[i], rest[i]);
}

Status check_dent(DentHit& hit) {
    if (hit.map && hit.map->is_empty()) return Error{"a dent's map has no samples", "/map", ""};
    if (!make_unit(hit.direction_b)) {
        return Error{"the direction has no length", "/direction", ""};
    }
    if (!hit.from_b.isZero() && !make_unit_across(hit.from_b, hit.direction_b)) {
        return Error{"a dent's 'from' must not point along its direction", "/from",
                     "it says from which side, across the surface, the impact comes"};
    }
    return {};
}

double footprint_count(std::span<const Vec3> starts, double radius) {
    double count = 0.0;
    for (const Vec3& p : starts) {
        double shared = 0.0;
        for (const Vec3& q : starts) shared += gaussian_profile((p - q).norm(), radius);
        count += 1.0 / shared;
    }
    return std::max(1.0, count);
}

namespace {

// How far a vector map moves each sample across the way in, with its lean whole [m].
class SidewaysField {
public:
    explicit SidewaysField(const DentHit& hit) : hit_(hit), press_(whole_, 1.0) {}

    Vec2 operator()(double x, double y) const {
        const double wide =
            hit_.widening > 0 ? 2.0 / (1.0 + std::exp(hit_.widening * x / hit_.radius)) : 1.0;
        const double slant = hit_.slant_deg * (kPi / 180.0);
        Vec2 off = hit_.depth * press_.aside(x, y);
        off.x() -= hit_.depth * std::sin(slant) * wide * std::max(0.0, press_.share(x, y));
        return off;
    }

private:
    const DentHit& hit_;
    DentHit whole_ = one_start(hit_);
    DentPress press_;

    static DentHit one_start(const DentHit& hit) {
        DentHit one = hit;
        one.starts.clear();
        one.lean = 1.0;
        return one;
    }
};

// The largest part in [0, 1] of a move with these derivatives along x and y that leaves an area its
// side and a tenth of it: the first root of 1 + t trace + t^2 det = 1 - kMostLean.
double foldless_part(const Vec2& along_x, const Vec2& along_y) {
    const double trace = along_x.x() + along_y.y();
    const double det = along_x.x() * along_y.y() - along_x.y() * along_y.x();
    const double inside = trace * trace - 4.0 * det * kMostLean;
    if (inside < 0) return 1.0;  // never gets there
    // Of both roots 2 c / (-b +- root) the least that is positive.
    double least = 1.0;
    for (const double below : {-trace + std::sqrt(inside), -trace - std::sqrt(inside)}) {
        if (below > 0) least = std::min(least, 2.0 * kMostLean / below);
    }
    return least;
}

double foldless_vectors(const DentHit& hit) {
    const SidewaysField field(hit);
    const DentGrid& grid = *hit.map;
    const double cell = grid.cell(hit.radius);
    const double squeeze = std::max(std::cos(hit.slant_deg * (kPi / 180.0)), kLeastDentCosine);
    const double step_x = cell / squeeze;
    // One more sample on either side: the map falls to 0 there.
    const std::int32_t columns = grid.columns() + 2, rows = grid.rows() + 2;
    std::vector<Vec2> above, row;
    double part = 1.0;
    for (std::int32_t j = 0; j < rows; ++j) {
        above.swap(row);
        row.clear();
        for (std::int32_t i = 0; i < columns; ++i) {
            row.push_back(field((i - 0.5 * (columns - 1)) * step_x, (j - 0.5 * (rows - 1)) * cell));
        }
        // Between samples the field is bilinear, so its areas are least at corners of cells.
        for (std::size_t i = 1; j > 0 && i < row.size(); ++i) {
            for (const std::vector<Vec2>* side : {&above, &row}) {
                const Vec2 along_x = ((*side)[i] - (*side)[i - 1]) / step_x;
                for (const std::size_t k : {i - 1, i}) {
                    part = std::min(part, foldless_part(along_x, (row[k] - above[k]) / cell));
                }
            }
        }
    }
    return part;
}

}  // namespace

double foldless_lean(const DentHit& hit) {
    if (hit.map && hit.map->sideways()) return foldless_vectors(hit);
    const double slant = hit.slant_deg * (kPi / 180.0);
    const double sideways = hit.depth * std::sin(slant);
    if (!(sideways > 0)) return 1.0;
    const double squeeze = std::max(std::cos(slant), kLeastDentCosine);
    // How far a place is dragged, per depth; x across the way of the impact.
    const auto dragged = [&](double share, double x) {
        const double wide = hit.widening > 0
                                ? 2.0 / (1.0 + std::exp(hit.widening * x / (squeeze * hit.radius)))
                                : 1.0;
        return std::max(0.0, hit.rim > 0 ? with_rim(share, hit.rim) : share) * wide;
    };
    // Its steepest rise along x: between samples of a map, which is straight there; of a round dent
    // through its middle.
    double steepest = 0.0;
    if (hit.map) {
        const DentGrid& grid = *hit.map;
        const double cell = grid.cell(hit.radius);
        const auto columns = static_cast<std::size_t>(grid.columns());
        for (std::size_t first = 0; first < grid.levels().size(); first += columns) {
            double before = 0.0;
            for (std::size_t i = 0; i < columns; ++i) {
                const double share = grid.share_of(first + i);
                const double x = static_cast<double>(i) - 0.5 * (grid.columns() - 1);
                const double now = dragged(share, x * cell);
                steepest = std::max(steepest, (now - before) / cell);
                before = now;
            }
            steepest = std::max(steepest, -before / cell);
        }
    } else {
        DentHit round = hit;
        round.rim = round.slant_deg = 0.0;
        round.starts.clear();
        const DentPress press(round, 1.0);
        constexpr int kSteps = 256;
        double before = 0.0;
        for (int i = 1; i <= kSteps; ++i) {
            const double x = hit.radius * (2.0 * i / kSteps - 1.0);
            const double now = dragged(press.share(x, 0.0), x);
            steepest = std::max(steepest, (now - before) * (0.5 * kSteps / hit.radius));
            before = now;
        }
    }
    const double most = sideways * squeeze * steepest;
    return most <= kMostLean ? 1.0 : kMostLean / most;
}

}  // namespace ductile
