// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/rng.h>
#include <ductile/deform/dent/dent_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ductile {

/// What `broaden` computes, by convex hulls, as Patkar et al. 2014 (section 3.2) do it: an oracle
/// for tests and a rival for the bench, not for use.
///
/// In logarithms, less c |x|^2, Gaussians are planes. Their upper envelope is dual to the lower
/// convex hull of one point per plane, (x_i, y_i, |x_i|^2 - log z_i / c). The hull is built point
/// by point, coarse to fine along a curve (Amenta, Choi and Rote 2003), expected O(n log n). The
/// corners of the region of one Gaussian are dual to the hull's triangles around its point; each
/// region is filled row by row, at once instead of triangle by triangle.
class HullEnvelope {
public:
    /// Lengths in samples; logarithms over c.
    HullEnvelope(const DentMap& map, double sharpness)
        : map_(map), curvature_(sharpness * map.cell * map.cell) {
        double lowest = kInfinity;
        for (std::int32_t j = 0; j < map.rows; ++j) {
            for (std::int32_t i = 0; i < map.columns; ++i) {
                if (!(map.at(i, j) > 0.0)) continue;
                sites_.push_back({double(i), double(j), std::log(map.at(i, j)) / curvature_});
                lowest = std::min(lowest, sites_.back().weight);
            }
        }
        // Three points so far outside and so low that they are nowhere the highest on the grid.
        const double far = 16.0 * std::max(map.columns, map.rows);
        corner_ = std::int32_t(sites_.size());
        sites_.push_back({-far, -far, lowest});
        sites_.push_back({3.0 * far, -far, lowest});
        sites_.push_back({-far, 3.0 * far, lowest});
        faces_.push_back({{corner_, corner_ + 1, corner_ + 2}, {-1, -1, -1}});
        link_.assign(sites_.size(), -1);
        for (const std::int32_t s : insertion_order()) insert(s);
    }

    std::vector<double> depths() {
        std::vector<double> out(map_.depths.size(), 0.0);
        std::vector<std::int32_t> face_at(sites_.size(), -1);
        std::vector<Vec2> duals(faces_.size());
        for (std::size_t f = 0; f < faces_.size(); ++f) {
            if (faces_[f].corners[0] < 0) continue;
            duals[f] = dual(faces_[f]);
            for (const std::int32_t s : faces_[f].corners) face_at[s] = std::int32_t(f);
        }
        std::vector<Vec2> region;
        for (std::int32_t s = 0; s < corner_; ++s) {
            if (face_at[s] < 0) continue;  // nowhere the highest
            region.clear();
            std::int32_t f = face_at[s];
            do {
                region.push_back(duals[f]);
                f = faces_[f].across[(corner_index(f, s) + 1) % 3];
            } while (f != face_at[s]);
            fill(s, region, out);
        }
        return out;
    }

private:
    struct Site {
        double x, y, weight;
    };
    struct Face {
        std::array<std::int32_t, 3> corners;  // counter-clockwise; -1 if there is no such face
        std::array<std::int32_t, 3> across;   // the face opposite to each corner
    };

    std::vector<std::int32_t> insertion_order() const {
        std::vector<std::pair<std::uint64_t, std::int32_t>> order;
        Rng rng(1);
        for (std::int32_t s = 0; s < corner_; ++s) {
            std::uint64_t code = 0, round = 0;
            while (round < 20 && rng.uniform() < 0.5) ++round;
            const auto x = std::uint64_t(sites_[s].x), y = std::uint64_t(sites_[s].y);
            for (int b = 0; b < 13; ++b) {
                code |= ((x >> b) & 1) << (2 * b) | ((y >> b) & 1) << (2 * b + 1);
            }
            order.push_back({(20 - round) << 32 | code, s});
        }
        std::sort(order.begin(), order.end());
        std::vector<std::int32_t> sites;
        for (const auto& [code, s] : order) sites.push_back(s);
        return sites;
    }

    // Twice the area, exact: coordinates are whole numbers.
    double turn(std::int32_t a, std::int32_t b, std::int32_t p) const {
        const Site &u = sites_[a], &v = sites_[b], &w = sites_[p];
        return (v.x - u.x) * (w.y - u.y) - (v.y - u.y) * (w.x - u.x);
    }

    // Whether the lifted point lies below the plane of a face.
    bool is_below(std::int32_t s, const Face& face) const {
        double x[3], y[3], lift[3];
        for (int k = 0; k < 3; ++k) {
            const Site &a = sites_[face.corners[k]], &p = sites_[s];
            x[k] = a.x - p.x;
            y[k] = a.y - p.y;
            lift[k] = x[k] * x[k] + y[k] * y[k] - (a.weight - p.weight);
        }
        return lift[0] * (x[1] * y[2] - x[2] * y[1]) + lift[1] * (x[2] * y[0] - x[0] * y[2]) +
                   lift[2] * (x[0] * y[1] - x[1] * y[0]) >
               0.0;
    }

    std::int32_t locate(std::int32_t s) const {
        std::int32_t f = last_;
        for (bool moved = true; moved;) {
            moved = false;
            for (int k = 0; k < 3 && !moved; ++k) {
                const Face& face = faces_[f];
                if (turn(face.corners[(k + 1) % 3], face.corners[(k + 2) % 3], s) < 0.0) {
                    f = face.across[k];
                    moved = true;
                }
            }
        }
        return f;
    }

    int corner_index(std::int32_t f, std::int32_t s) const {
        const auto& c = faces_[f].corners;
        return c[0] == s ? 0 : c[1] == s ? 1 : 2;
    }

    void insert(std::int32_t s) {
        last_ = locate(s);
        if (!is_below(s, faces_[last_])) return;
        // All faces that see the point go; their rim is joined to it.
        std::vector<std::int32_t>& gone = gone_;
        gone.assign(1, last_);
        rim_.clear();
        in_.resize(faces_.size());
        in_[last_] = s + 1;
        for (std::size_t g = 0; g < gone.size(); ++g) {
            const Face face = faces_[gone[g]];
            for (int k = 0; k < 3; ++k) {
                const std::int32_t a = face.corners[(k + 1) % 3], b = face.corners[(k + 2) % 3];
                const std::int32_t next = face.across[k];
                if (next >= 0 && in_[next] == s + 1) continue;
                if (next >= 0 && (is_below(s, faces_[next]) || turn(a, b, s) <= 0.0)) {
                    in_[next] = s + 1;
                    gone.push_back(next);
                } else {
                    rim_.push_back({a, b, next});
                }
            }
        }
        // A face may have joined after an edge of it was taken for the rim.
        std::erase_if(rim_, [&](const auto& e) { return e[2] >= 0 && in_[e[2]] == s + 1; });
        std::size_t reuse = 0;
        for (auto& [a, b, next] : rim_) {
            std::int32_t f = std::int32_t(faces_.size());
            if (reuse < gone.size()) {
                f = gone[reuse++];
            } else {
                faces_.push_back({});
            }
            faces_[f] = {{a, b, s}, {-1, -1, next}};
            if (next >= 0) {
                Face& outer = faces_[next];
                for (int k = 0; k < 3; ++k) {
                    if (outer.corners[(k + 1) % 3] == b && outer.corners[(k + 2) % 3] == a) {
                        outer.across[k] = f;
                    }
                }
            }
            link_[a] = f;
            last_ = f;
        }
        for (const auto& [a, b, next] : rim_) {
            faces_[link_[a]].across[0] = link_[b];
            faces_[link_[b]].across[1] = link_[a];
        }
        for (; reuse < gone.size(); ++reuse) faces_[gone[reuse]].corners[0] = -1;
    }

    // Where the three Gaussians of a face are equally high.
    Vec2 dual(const Face& face) const {
        const Site &a = sites_[face.corners[0]], &b = sites_[face.corners[1]],
                   &c = sites_[face.corners[2]];
        const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
        const double bl = 0.5 * (bx * bx + by * by - (b.weight - a.weight));
        const double cl = 0.5 * (cx * cx + cy * cy - (c.weight - a.weight));
        const double area = bx * cy - by * cx;
        return {a.x + (bl * cy - cl * by) / area, a.y + (bx * cl - cx * bl) / area};
    }

    void fill(std::int32_t s, const std::vector<Vec2>& region, std::vector<double>& out) const {
        constexpr double kSlack = 1e-6;  // no sample falls between two regions
        const double depth = map_.at(std::int32_t(sites_[s].x), std::int32_t(sites_[s].y));
        double top = kInfinity, bottom = -kInfinity;
        for (const Vec2& p : region) {
            top = std::min(top, p.y());
            bottom = std::max(bottom, p.y());
        }
        const double last = std::min(map_.rows - 1.0, std::floor(bottom + kSlack));
        for (double y = std::max(0.0, std::ceil(top - kSlack)); y <= last; y += 1.0) {
            double from = kInfinity, to = -kInfinity;
            for (std::size_t k = 0; k < region.size(); ++k) {
                const Vec2 &p = region[k], &q = region[k + 1 < region.size() ? k + 1 : 0];
                const double low = std::min(p.y(), q.y()), high = std::max(p.y(), q.y());
                if (y < low - kSlack || y > high + kSlack) continue;
                double x0 = std::min(p.x(), q.x()), x1 = std::max(p.x(), q.x());
                if (high - low > kSlack) {
                    const double x = p.x() + (y - p.y()) * ((q.x() - p.x()) / (q.y() - p.y()));
                    x0 = std::max(x0, x), x1 = std::min(x1, x);
                    if (x0 > x1) std::swap(x0, x1);
                }
                from = std::min(from, x0);
                to = std::max(to, x1);
            }
            const double end = std::min(map_.columns - 1.0, std::floor(to + kSlack));
            for (double x = std::max(0.0, std::ceil(from - kSlack)); x <= end; x += 1.0) {
                const double dx = x - sites_[s].x, dy = y - sites_[s].y;
                double& z = out[std::size_t(y) * std::size_t(map_.columns) + std::size_t(x)];
                z = std::max(z, depth * std::exp(-curvature_ * (dx * dx + dy * dy)));
            }
        }
    }

    const DentMap& map_;
    double curvature_;
    std::vector<Site> sites_;
    std::vector<Face> faces_;
    std::int32_t corner_ = 0, last_ = 0;
    std::vector<std::int32_t> link_, in_, gone_;
    std::vector<std::array<std::int32_t, 3>> rim_;
};

}  // namespace ductile
