// SPDX-License-Identifier: MIT
// Each cell is the box, clipped by the planes halfway to the other sites, the nearest first, until
// none can reach it any more (Levy and Bonneel 2013). A corner is a triple of planes; what a plane
// cuts off is replaced by corners along the rim of that (Ray et al. 2018, "Meshless Voronoi on the
// GPU").
#include <ductile/geom/cut/site_cells.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace ductile {
namespace {

/// A convex cell about its site, by planes: normal . p <= offset.
class CellClip {
public:
    struct Plane {
        Vec3 normal;
        double offset;
        std::int32_t site;  ///< -1: of the box.
    };
    struct Corner {
        std::array<std::int32_t, 3> planes;  ///< Counter-clockwise seen from outside.
        Vec3 place;
    };

    explicit CellClip(const Box& box) {
        for (int axis = 0; axis < 3; ++axis) {
            planes_.push_back({-Vec3::Unit(axis), -box.lower[axis], -1});
            planes_.push_back({Vec3::Unit(axis), box.upper[axis], -1});
        }
        for (int k = 0; k < 8; ++k) {
            const int x = k & 1, y = k >> 1 & 1, z = k >> 2 & 1;
            Corner corner{{x, 2 + y, 4 + z}, Vec3::Zero()};
            if ((x + y + z) % 2 == 0) std::swap(corner.planes[1], corner.planes[2]);
            for (int axis = 0; axis < 3; ++axis) {
                corner.place[axis] = (k >> axis & 1) ? box.upper[axis] : box.lower[axis];
            }
            corners_.push_back(corner);
        }
    }

    /// False: what is cut off has no simple rim.
    bool cut(const Vec3& normal, double offset, std::int32_t site) {
        removed_.clear();
        std::size_t kept = 0;
        for (const Corner& corner : corners_) {
            if (normal.dot(corner.place) > offset) {
                removed_.push_back(corner);
            } else {
                corners_[kept++] = corner;
            }
        }
        if (removed_.empty()) return true;
        corners_.resize(kept);
        if (kept == 0) return true;  // Nothing is left.
        const auto plane = static_cast<std::int32_t>(planes_.size());
        planes_.push_back({normal, offset, site});
        rim_.clear();
        for (const Corner& corner : removed_) {
            for (int k = 0; k < 3; ++k) {
                const std::int32_t a = corner.planes[k], b = corner.planes[(k + 1) % 3];
                if (!is_removed(b, a)) rim_.push_back({a, b});
            }
        }
        if (!is_one_ring()) return false;
        for (const auto& [a, b] : rim_) corners_.push_back({{a, b, plane}, meet(a, b, plane)});
        return true;
    }

    double reach_sq() const {
        double most = 0.0;
        for (const Corner& corner : corners_) most = std::max(most, corner.place.squaredNorm());
        return most;
    }
    std::span<const Corner> corners() const { return corners_; }
    const Plane& plane(std::int32_t p) const { return planes_[p]; }

private:
    bool is_removed(std::int32_t a, std::int32_t b) const {
        for (const Corner& c : removed_) {
            for (int k = 0; k < 3; ++k) {
                if (c.planes[k] == a && c.planes[(k + 1) % 3] == b) return true;
            }
        }
        return false;
    }

    bool is_one_ring() const {
        if (rim_.size() < 3) return false;
        std::int32_t at = rim_[0][0];
        for (std::size_t steps = 0; steps < rim_.size(); ++steps) {
            std::int32_t next = -1;
            for (const auto& [a, b] : rim_) {
                if (a != at) continue;
                if (next >= 0) return false;
                next = b;
            }
            if (next < 0) return false;
            at = next;
            if (at == rim_[0][0]) return steps + 1 == rim_.size();
        }
        return false;
    }

    Vec3 meet(std::int32_t a, std::int32_t b, std::int32_t c) const {
        const Plane &p = planes_[a], &q = planes_[b], &r = planes_[c];
        const Vec3 qr = q.normal.cross(r.normal);
        const Vec3 sum = p.offset * qr + q.offset * r.normal.cross(p.normal) +
                         r.offset * p.normal.cross(q.normal);
        return sum / p.normal.dot(qr);
    }

    std::vector<Plane> planes_;
    std::vector<Corner> corners_, removed_;
    std::vector<std::array<std::int32_t, 2>> rim_;
};

// Equally far from four sites.
Vec3 amid(std::span<const Vec3> sites, const std::array<std::int32_t, 4>& of) {
    const Vec3& s = sites[of[0]];
    const Vec3 a = sites[of[1]] - s, b = sites[of[2]] - s, c = sites[of[3]] - s;
    const Vec3 bc = b.cross(c);
    const Vec3 sum =
        a.squaredNorm() * bc + b.squaredNorm() * c.cross(a) + c.squaredNorm() * a.cross(b);
    return s + sum / (2.0 * a.dot(bc));
}

}  // namespace

/// A line as one of its cells sees it.
struct SiteCells::Found {
    std::array<std::int32_t, 3> sites;
    std::array<std::int32_t, 2> beyond;  ///< The sites that end it, along it; -1: the box.

    std::array<std::int32_t, 5> key() const {
        return {sites[0], sites[1], sites[2], std::min(beyond[0], beyond[1]),
                std::max(beyond[0], beyond[1])};
    }
};

SiteCells::SiteCells(std::span<const Vec3> sites, const Box& box)
    : sites_(sites.begin(), sites.end()) {
    for (const Vec3& s : sites_) offsets_.push_back(s.squaredNorm());
    // Of several in one place the first has it all.
    std::vector<std::int32_t> order(sites_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto place = [&](std::int32_t k) {
        return std::tuple(sites_[k].x(), sites_[k].y(), sites_[k].z());
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return place(a) < place(b); });
    is_copy_.assign(sites_.size(), 0);
    for (std::size_t k = 1; k < order.size(); ++k) {
        is_copy_[order[k]] = place(order[k]) == place(order[k - 1]);
    }
    std::vector<Found> found;
    for (std::int32_t cell = 0; cell < count() && is_sound_; ++cell) {
        is_sound_ = add_cell(cell, box, found);
    }
    is_sound_ = is_sound_ && join_lines(found);
}

bool SiteCells::add_cell(std::int32_t cell, const Box& box, std::vector<Found>& found) {
    if (is_copy_[cell]) return first_.push_back(first_.back()), true;
    const Vec3& own = sites_[cell];
    CellClip clip({box.lower - own, box.upper - own});
    // The nearest of the rest is at the front.
    std::vector<std::pair<double, std::int32_t>> rest;
    for (std::int32_t other = 0; other < count(); ++other) {
        if (other == cell || is_copy_[other]) continue;
        rest.emplace_back(-(sites_[other] - own).squaredNorm(), other);
    }
    std::make_heap(rest.begin(), rest.end());
    double reach_sq = clip.reach_sq();
    while (!rest.empty() && -rest.front().first < 4.0 * reach_sq) {
        const std::int32_t other = rest.front().second;
        std::pop_heap(rest.begin(), rest.end());
        rest.pop_back();
        const Vec3 normal = sites_[other] - own;
        if (!clip.cut(normal, 0.5 * normal.squaredNorm(), other)) return false;
        reach_sq = clip.reach_sq();
    }
    std::vector<std::int32_t> beside;
    for (const CellClip::Corner& corner : clip.corners()) {
        for (const std::int32_t p : corner.planes) {
            if (clip.plane(p).site >= 0) beside.push_back(clip.plane(p).site);
        }
    }
    std::sort(beside.begin(), beside.end());
    beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
    neighbours_.insert(neighbours_.end(), beside.begin(), beside.end());
    first_.push_back(static_cast<std::int32_t>(neighbours_.size()));

    for (const CellClip::Corner& corner : clip.corners()) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = corner.planes[k], b = corner.planes[(k + 1) % 3];
            if (a > b || clip.plane(a).site < 0) continue;
            for (const CellClip::Corner& other : clip.corners()) {
                for (int n = 0; n < 3; ++n) {
                    if (other.planes[n] != b || other.planes[(n + 1) % 3] != a) continue;
                    Found line;
                    line.sites = {cell, clip.plane(a).site, clip.plane(b).site};
                    std::sort(line.sites.begin(), line.sites.end());
                    line.beyond = {clip.plane(corner.planes[(k + 2) % 3]).site,
                                   clip.plane(other.planes[(n + 2) % 3]).site};
                    const Vec3 &s = sites_[line.sites[0]], &t = sites_[line.sites[1]],
                               &u = sites_[line.sites[2]];
                    const Vec3 along = (t - s).cross(u - s);
                    if (along.dot(other.place - corner.place) < 0) {
                        std::swap(line.beyond[0], line.beyond[1]);
                    }
                    found.push_back(line);
                }
            }
        }
    }
    return true;
}

// All three cells must see a line alike, and four lines meet in each corner.
bool SiteCells::join_lines(std::vector<Found>& found) {
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.key() < b.key(); });
    if (found.size() % 3 != 0) return false;
    using Sites = std::array<std::int32_t, 4>;
    std::vector<std::pair<Sites, std::array<std::int32_t, 2>>> ends;  // Of lines, by corners.
    for (std::size_t k = 0; k < found.size(); k += 3) {
        if (found[k].key() != found[k + 1].key() || found[k].key() != found[k + 2].key()) {
            return false;
        }
        const auto line = static_cast<std::int32_t>(lines_.size());
        if (!lines_.empty() && lines_.back().sites == found[k].sites) return false;
        lines_.push_back({found[k].sites, {-1, -1}});
        for (int end = 0; end < 2; ++end) {
            if (found[k].beyond[end] < 0) continue;
            Sites sites = {found[k].sites[0], found[k].sites[1], found[k].sites[2],
                           found[k].beyond[end]};
            std::sort(sites.begin(), sites.end());
            ends.push_back({sites, {line, end}});
        }
    }
    std::sort(ends.begin(), ends.end());
    if (ends.size() % 4 != 0) return false;
    for (std::size_t k = 0; k < ends.size(); k += 4) {
        if (ends[k].first != ends[k + 3].first) return false;
        if (!corners_.empty() && corners_.back().sites == ends[k].first) return false;
        for (std::size_t n = k; n < k + 4; ++n) {
            const auto& [line, end] = ends[n].second;
            lines_[line].ends[end] = static_cast<std::int32_t>(corners_.size());
        }
        const Vec3 place = amid(sites_, ends[k].first);
        if (!is_finite(place)) return false;
        corners_.push_back({ends[k].first, place});
    }
    return true;
}

std::int32_t SiteCells::slot(std::int32_t cell, std::int32_t neighbour) const {
    const std::span<const std::int32_t> beside = neighbours(cell);
    const auto found = std::lower_bound(beside.begin(), beside.end(), neighbour);
    if (found == beside.end() || *found != neighbour) return -1;
    return first_[cell] + static_cast<std::int32_t>(found - beside.begin());
}

std::int32_t SiteCells::find_line(const std::array<std::int32_t, 3>& sites) const {
    const auto found =
        std::lower_bound(lines_.begin(), lines_.end(), sites,
                         [](const Line& line, const auto& key) { return line.sites < key; });
    if (found == lines_.end() || found->sites != sites) return -1;
    return static_cast<std::int32_t>(found - lines_.begin());
}

// From cell to cell, always nearer: what lies beside a convex cell is nearer to a place outside it.
std::int32_t SiteCells::cell_of(const Vec3& place, std::int32_t hint) const {
    std::int32_t best = hint;
    double best_height = height(best, place);
    while (true) {
        const std::int32_t from = best;
        for (const std::int32_t other : neighbours(from)) {
            const double h = height(other, place);
            if (!is_before(h, other, best_height, best)) continue;
            best = other;
            best_height = h;
        }
        if (best == from) return best;
    }
}

}  // namespace ductile
