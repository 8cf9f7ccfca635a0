// SPDX-License-Identifier: MIT
// Holes are joined to their outlines by bridges from their rightmost corners (Eberly 2002,
// "Triangulation by Ear Clipping"), then ears are cut.
#include <ductile/geom/cut/fill_loops.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

double cross_of(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

Vec2 LoopFiller::flat(std::int32_t point) const {
    return {points_[point].dot(u_), points_[point].dot(v_)};
}

double LoopFiller::signed_area(std::span<const std::int32_t> corners) const {
    const Vec2 first = flat(corners[0]);
    double sum = 0.0;
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
        sum += cross_of(flat(corners[k]) - first, flat(corners[k + 1]) - first);
    }
    return sum;
}

// Where several go on from a point, the one that turns left most: outlines that touch in a point
// do not cross there.
std::size_t LoopFiller::next_edge(std::span<const Edge> edges, std::int32_t from,
                                  std::int32_t at) const {
    const auto before = [](const Edge& e, std::int32_t start) { return e[0] < start; };
    auto it = std::lower_bound(edges.begin(), edges.end(), at, before);
    const auto is_only = [&] { return it + 1 == edges.end() || (*(it + 1))[0] != at; };
    if (it != edges.end() && (*it)[0] == at && is_only()) {
        const auto k = static_cast<std::size_t>(it - edges.begin());
        return is_used_[k] ? edges.size() : k;
    }
    const Vec2 back = flat(from) - flat(at);
    std::size_t best = edges.size();
    double best_turn = -1.0;
    for (; it != edges.end() && (*it)[0] == at; ++it) {
        const auto k = static_cast<std::size_t>(it - edges.begin());
        if (is_used_[k]) continue;
        const Vec2 ahead = flat((*it)[1]) - flat(at);
        double turn = std::atan2(cross_of(ahead, back), ahead.dot(back));
        if (turn <= 0) turn += 2.0 * kPi;
        if (best == edges.size() || turn < best_turn) {
            best = k;
            best_turn = turn;
        }
    }
    return best;
}

void LoopFiller::chain(std::vector<Edge> edges) {
    std::sort(edges.begin(), edges.end());
    is_used_.assign(edges.size(), 0);
    loops_.clear();
    on_path_.resize(std::max(on_path_.size(), points_.size()), -1);
    std::vector<std::int32_t> path;
    for (std::size_t first = 0; first < edges.size(); ++first) {
        if (is_used_[first]) continue;
        is_used_[first] = 1;
        path = {edges[first][0]};
        on_path_[path[0]] = 0;
        std::int32_t at = edges[first][1];
        while (true) {
            if (on_path_[at] >= 0) {
                // Passed before: what lies between is an outline of its own.
                Loop loop;
                const auto met = path.begin() + on_path_[at];
                loop.corners.assign(met, path.end());
                for (auto it = met + 1; it != path.end(); ++it) on_path_[*it] = -1;
                path.erase(met + 1, path.end());
                if (loop.corners.size() > 2) {
                    loop.area = signed_area(loop.corners);
                    loops_.push_back(std::move(loop));
                }
                if (path.size() == 1) break;
            } else {
                on_path_[at] = static_cast<std::int32_t>(path.size());
                path.push_back(at);
            }
            const std::size_t next = next_edge(edges, path[path.size() - 2], at);
            if (next == edges.size()) break;
            is_used_[next] = 1;
            at = edges[next][1];
        }
        for (const std::int32_t p : path) on_path_[p] = -1;
    }
}

bool LoopFiller::holds(const Loop& loop, const Vec2& place) const {
    bool is_in = false;
    Vec2 a = flat(loop.corners.back());
    for (const std::int32_t corner : loop.corners) {
        const Vec2 b = flat(corner);
        if ((a.y() > place.y()) != (b.y() > place.y())) {
            const double x = a.x() + (place.y() - a.y()) * (b.x() - a.x()) / (b.y() - a.y());
            if (x > place.x()) is_in = !is_in;
        }
        a = b;
    }
    return is_in;
}

// The corner of an outline that a bridge from the place, going right, may end at.
std::size_t LoopFiller::visible_corner(std::span<const std::int32_t> outer,
                                       const Vec2& from) const {
    const std::size_t n = outer.size();
    double nearest = kInfinity;
    std::size_t at = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const Vec2 a = flat(outer[k]), b = flat(outer[(k + 1) % n]);
        if ((a.y() > from.y()) == (b.y() > from.y())) continue;
        const double x = a.x() + (from.y() - a.y()) * (b.x() - a.x()) / (b.y() - a.y());
        if (x < from.x() || x >= nearest) continue;
        nearest = x;
        at = a.x() > b.x() ? k : (k + 1) % n;
    }
    if (nearest == kInfinity) return 0;
    // Corners within the triangle from the place to there are in the way: the flattest one sees it.
    const Vec2 hit(nearest, from.y()), corner = flat(outer[at]);
    const double side = corner.y() > from.y() ? 1.0 : -1.0;
    std::size_t best = at;
    double best_slope = std::abs(corner.y() - from.y()) / std::max(corner.x() - from.x(), 1e-300);
    for (std::size_t k = 0; k < n; ++k) {
        const Vec2 p = flat(outer[k]);
        if (p.x() < from.x() || side * (p.y() - from.y()) < 0) continue;
        const bool is_below = side * cross_of(corner - from, p - from) <= 0;
        const bool is_left = side * cross_of(corner - hit, p - hit) >= 0;
        if (!is_below || !is_left) continue;
        const double slope = std::abs(p.y() - from.y()) / std::max(p.x() - from.x(), 1e-300);
        if (slope < best_slope) {
            best = k;
            best_slope = slope;
        }
    }
    return best;
}

void LoopFiller::bridge(std::vector<std::int32_t>& outer,
                        std::span<const std::int32_t> hole) const {
    std::size_t right = 0;
    for (std::size_t k = 1; k < hole.size(); ++k) {
        if (flat(hole[k]).x() > flat(hole[right]).x()) right = k;
    }
    const std::size_t at = visible_corner(outer, flat(hole[right]));
    std::vector<std::int32_t> way;
    for (std::size_t k = 0; k <= hole.size(); ++k) way.push_back(hole[(right + k) % hole.size()]);
    way.push_back(outer[at]);
    outer.insert(outer.begin() + static_cast<std::ptrdiff_t>(at) + 1, way.begin(), way.end());
}

void LoopFiller::find_owners() {
    holes_.clear();
    owner_.resize(loops_.size());
    for (std::size_t h = 0; h < loops_.size(); ++h) {
        owner_[h] = h;
        if (!(loops_[h].area < 0)) continue;
        double right = -kInfinity;
        for (const std::int32_t c : loops_[h].corners) right = std::max(right, flat(c).x());
        holes_.emplace_back(-right, h);
    }
    std::sort(holes_.begin(), holes_.end());
    for (const auto& hole : holes_) {
        const std::size_t h = hole.second;
        const Vec2 place = flat(loops_[h].corners[0]);
        for (std::size_t o = 0; o < loops_.size(); ++o) {
            if (!(loops_[o].area > 0) || !holds(loops_[o], place)) continue;
            if (owner_[h] == h || loops_[o].area < loops_[owner_[h]].area) owner_[h] = o;
        }
    }
}

void LoopFiller::join_holes() {
    find_owners();
    for (const auto& hole : holes_) {
        const std::size_t h = hole.second;
        if (owner_[h] == h) continue;
        bridge(loops_[owner_[h]].corners, loops_[h].corners);
        loops_[h].corners.clear();
    }
}

void LoopFiller::look_along(std::span<const Vec3> points, const Vec3& normal) {
    points_ = points;
    u_ = any_perpendicular(normal);
    v_ = normal.cross(u_);
}

std::vector<std::vector<LoopFiller::Edge>> LoopFiller::outlines(std::span<const Vec3> points,
                                                                std::vector<Edge> edges,
                                                                const Vec3& normal) {
    look_along(points, normal);
    chain(std::move(edges));
    find_owners();
    std::vector<std::vector<Edge>> of_loop(loops_.size());
    for (std::size_t l = 0; l < loops_.size(); ++l) {
        const std::vector<std::int32_t>& corners = loops_[l].corners;
        for (std::size_t k = 0; k < corners.size(); ++k) {
            of_loop[owner_[l]].push_back({corners[k], corners[(k + 1) % corners.size()]});
        }
    }
    std::erase_if(of_loop, [](const std::vector<Edge>& e) { return e.empty(); });
    return of_loop;
}

void LoopFiller::find_neighbours(std::span<const Triangle> triangles) {
    sides_.clear();
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = triangles[f][k], b = triangles[f][(k + 1) % 3];
            sides_.push_back(
                {std::min(a, b), std::max(a, b), static_cast<std::int32_t>(3 * f) + k});
        }
    }
    std::sort(sides_.begin(), sides_.end());
    across_.assign(triangles.size(), {-1, -1, -1});
    const auto start = [&](std::int32_t side) { return triangles[side / 3][side % 3]; };
    for (std::size_t k = 0; k < sides_.size();) {
        std::size_t end = k + 1;
        while (end < sides_.size() && sides_[end][0] == sides_[k][0] &&
               sides_[end][1] == sides_[k][1]) {
            ++end;
        }
        const std::int32_t a = sides_[k][2], b = sides_[end - 1][2];
        if (end == k + 2 && start(a) != start(b)) {
            across_[a / 3][a % 3] = b;
            across_[b / 3][b % 3] = a;
        }
        k = end;
    }
}

// Turns the edge of two triangles around if it is longer than Delaunay allows and both stay
// counter-clockwise.
bool LoopFiller::flip(std::span<Triangle> triangles, std::int32_t f, int side) {
    const std::int32_t other = across_[f][side];
    if (other < 0) return false;
    const std::int32_t g = other / 3;
    const int k = other % 3;
    const std::int32_t a = triangles[f][side], b = triangles[f][(side + 1) % 3];
    const std::int32_t c = triangles[f][(side + 2) % 3], d = triangles[g][(k + 2) % 3];
    const Vec2 pa = flat(a), pb = flat(b), pc = flat(c), pd = flat(d);
    const double at_c = cross_of(pa - pc, pb - pc), at_d = cross_of(pb - pd, pa - pd);
    // The sine of the sum of the angles against the edge: below 0 where they exceed a half turn.
    const double sum = at_c * (pa - pd).dot(pb - pd) + at_d * (pa - pc).dot(pb - pc);
    const double scale = (pa - pc).norm() * (pb - pc).norm() * (pa - pd).norm() * (pb - pd).norm();
    if (!(sum < -1e-12 * scale)) return false;
    const double first = cross_of(pd - pc, pb - pc), second = cross_of(pa - pc, pd - pc);
    if (!(std::min(first, second) > std::min(at_c, at_d))) return false;
    const std::int32_t bc = across_[f][(side + 1) % 3], ca = across_[f][(side + 2) % 3];
    const std::int32_t ad = across_[g][(k + 1) % 3], db = across_[g][(k + 2) % 3];
    triangles[f] = {c, d, b};
    triangles[g] = {d, c, a};
    const auto tie = [&](std::int32_t t, int s, std::int32_t to) {
        across_[t][s] = to;
        if (to >= 0) across_[to / 3][to % 3] = 3 * t + s;
    };
    tie(f, 0, 3 * g);
    tie(f, 1, db);
    tie(f, 2, bc);
    tie(g, 1, ca);
    tie(g, 2, ad);
    return true;
}

void LoopFiller::flip_edges(std::span<Triangle> triangles) {
    if (triangles.size() < 2) return;
    find_neighbours(triangles);
    to_check_.clear();
    const auto count = static_cast<std::int32_t>(3 * triangles.size());
    for (std::int32_t s = count - 1; s >= 0; --s) to_check_.push_back(s);
    // Every flip raises the least angle, so it ends; rounding may not agree for ever.
    std::size_t left = 20 * triangles.size() + 100;
    while (!to_check_.empty() && left > 0) {
        const std::int32_t s = to_check_.back();
        to_check_.pop_back();
        const std::int32_t other = across_[s / 3][s % 3];
        if (!flip(triangles, s / 3, s % 3)) continue;
        --left;
        for (const std::int32_t f : {s / 3, other / 3}) {
            for (int k = 0; k < 3; ++k) to_check_.push_back(3 * f + k);
        }
    }
}

void LoopFiller::fill(std::span<const Vec3> points, std::vector<Edge> edges, const Vec3& normal,
                      std::vector<Triangle>& triangles) {
    look_along(points, normal);
    chain(std::move(edges));
    if (loops_.size() > 1) join_holes();
    const std::size_t first = triangles.size();
    for (const Loop& loop : loops_) {
        if (loop.corners.size() > 2) cut_ring(loop.corners, triangles);
    }
    flip_edges(std::span(triangles).subspan(first));
}

void LoopFiller::cut_ring(std::span<const std::int32_t> corners, std::vector<Triangle>& triangles) {
    corners_.clear();
    for (const std::int32_t c : corners) corners_.push_back(points_[c]);
    for (const Triangle& t : cutter_.cut(corners_)) {
        triangles.push_back({corners[t[0]], corners[t[1]], corners[t[2]]});
    }
}

void LoopFiller::fill_ring(std::span<const Vec3> points, std::span<const std::int32_t> corners,
                           const Vec3& normal, std::vector<Triangle>& triangles) {
    if (corners.size() == 3) return triangles.push_back({corners[0], corners[1], corners[2]});
    look_along(points, normal);
    const std::size_t first = triangles.size();
    cut_ring(corners, triangles);
    flip_edges(std::span(triangles).subspan(first));
}

}  // namespace ductile
