// SPDX-License-Identifier: MIT
// Where cells of sites cannot be taken as they are (site_clip.h) they are made by inserting one
// site after the other, in an order by chance (Clarkson and Shor 1989): each takes its part from
// the cells that it meets, one plane per cell. That fits together whatever rounding does, at six
// times the lines that are left in the end.
#include <ductile/core/rng.h>
#include <ductile/geom/cut/cell_complex.h>
#include <ductile/geom/cut/fill_loops.h>
#include <ductile/geom/cut/site_clip.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

std::uint64_t edge_key(std::int32_t a, std::int32_t b) {
    const auto low = static_cast<std::uint64_t>(std::min(a, b));
    return low << 32 | static_cast<std::uint64_t>(std::max(a, b));
}

}  // namespace

CellComplex::CellComplex(const TriMesh& mesh, std::span<const std::uint8_t> is_solid, double snap)
    : mesh_(mesh), is_solid_(is_solid), points_(mesh.points), snap_(snap) {
    anchors_.reserve(2 * points_.size());
    for (std::size_t p = 0; p < points_.size(); ++p) {
        anchors_.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(p)));
    }
    cells_.resize(1);
    const std::size_t count = mesh.triangles.size();
    facets_.reserve(2 * count);
    edges_.reserve(6 * count);
    for (std::size_t t = 0; t < count; ++t) {
        CellFacet facet;
        const Triangle& c = mesh.triangles[t];
        facet.first_edge = static_cast<std::int32_t>(edges_.size());
        facet.edge_count = 3;
        edges_.insert(edges_.end(), {{c[0], c[1]}, {c[1], c[2]}, {c[2], c[0]}});
        facet.cells[0] = 0;
        facet.origin = static_cast<std::int32_t>(t);
        facet.is_solid = is_solid[t] != 0;
        facets_.push_back(facet);
    }
}

Vec3 CellComplex::area_vector(const CellFacet& facet) const {
    const Vec3& first = points_[edges_[facet.first_edge][0]];
    Vec3 sum = Vec3::Zero();
    for (const CellEdge& e : edges(facet)) {
        sum += (points_[e[0]] - first).cross(points_[e[1]] - first);
    }
    return sum;
}

void CellComplex::add_facet(CellFacet facet, std::span<const CellEdge> edges) {
    const auto index = static_cast<std::int32_t>(facets_.size());
    facet.first_edge = static_cast<std::int32_t>(edges_.size());
    facet.edge_count = static_cast<std::int32_t>(edges.size());
    edges_.insert(edges_.end(), edges.begin(), edges.end());
    facets_.push_back(facet);
    for (const std::int32_t cell : facet.cells) {
        if (cell >= 0) cells_[cell].facets.push_back(index);
    }
}

void CellComplex::cut_by_sites(std::span<const Vec3> sites, const Mat3& metric) {
    if (!divide(sites, metric)) insert_sites(sites, metric);
}

bool CellComplex::divide(std::span<const Vec3> sites, const Mat3& metric) {
    if (!(metric.determinant() > 0)) return false;
    const Box around = bounds(points_);
    SiteClipOptions options;
    options.metric = metric;
    options.middle = around.centre();
    options.is_solid = is_solid_;
    options.snap = snap_;
    const Vec3 half = metric.cwiseAbs() * (0.5 * (around.upper - around.lower));
    const Vec3 reach = half + Vec3::Constant(0.01 * half.norm());
    std::vector<Vec3> moved;
    for (const Vec3& s : sites) moved.push_back(metric * (s - options.middle));
    const SiteCells cells(moved, {-reach, reach});
    if (!cells.is_sound()) return false;
    options.cells = &cells;
    const std::optional<SiteClip> clip = clip_by_sites(mesh_, options);
    if (!clip) return false;
    cells_.resize(sites.size());
    points_.insert(points_.end(), clip->points.begin(), clip->points.end());
    anchors_.insert(anchors_.end(), clip->anchors.begin(), clip->anchors.end());
    for (CellFacet& facet : facets_) {
        const Triangle& t = mesh_.triangles[facet.origin];
        const std::int32_t cell = clip->point_cells[t[0]];
        facet.is_whole = clip->point_cells[t[1]] == cell && clip->point_cells[t[2]] == cell;
        facet.cells[0] = facet.is_whole ? cell : -1;
    }
    for (const SiteClip::Part& part : clip->parts) {
        CellFacet facet = facets_[part.triangle];
        facet.normal = ductile::area_vector(mesh_.points, mesh_.triangles[part.triangle]);
        facet.cells[0] = part.cell;
        facet.first_edge = static_cast<std::int32_t>(edges_.size());
        facet.edge_count = part.count;
        for (std::int32_t k = 0; k < part.count; ++k) {
            edges_.push_back(
                {clip->corners[part.first + k], clip->corners[part.first + (k + 1) % part.count]});
        }
        facets_.push_back(facet);
    }
    for (const SiteClip::Wall& wall : clip->walls) {
        CellFacet facet;
        facet.cells = wall.cells;
        facet.origin = -1 - next_plane_++;
        facet.normal =
            (metric.transpose() * (sites[wall.cells[1]] - sites[wall.cells[0]])).normalized();
        facet.is_whole = false;
        add_facet(facet, std::span(clip->rims).subspan(wall.first, wall.count));
    }
    is_divided_ = true;
    return true;
}

void CellComplex::insert_sites(std::span<const Vec3> sites, const Mat3& metric) {
    owner_.assign(points_.size(), -1);
    owner_sq_.assign(points_.size(), 0.0);
    mapped_ = points_;
    make_bundles();
    metric_ = metric;
    for (const Vec3& s : sites) sites_.push_back(metric * s);
    for (std::size_t p = 0; p < points_.size(); ++p) mapped_[p] = metric * points_[p];
    measure_bundles();
    std::vector<std::int32_t> order(sites.size());
    std::iota(order.begin(), order.end(), 0);
    Rng rng(sites.size());
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[rng.next() % k]);
    // All of it belongs to the first.
    const std::int32_t first = order[0];
    cells_.resize(sites.size());
    std::swap(cells_[0].bundles, cells_[first].bundles);
    measure_box(first);
    for (std::size_t k = 1; k < order.size(); ++k) insert_site(order[k]);
}

void CellComplex::measure_box(std::int32_t cell) {
    Box box;
    for (const std::int32_t f : cells_[cell].facets) {
        for (const CellEdge& e : edges(facets_[f])) box.add(mapped_[e[0]]);
    }
    for (const std::int32_t b : cells_[cell].bundles) box.add(bundles_[b].box);
    cells_[cell].box = box;
}

double CellComplex::value(std::int32_t p, const Cut& cut) const {
    if (cut.site < 0) return cut.plane.normal.dot(points_[p]) - cut.plane.offset;
    return owner_sq_[p] - (mapped_[p] - sites_[cut.site]).squaredNorm();
}

CellComplex::Side CellComplex::find_side(std::int32_t p, const Cut& cut) const {
    const double v = value(p, cut);
    const double slack =
        cut.site < 0 ? snap_ : 2.0 * snap_ * (sites_[cut.site] - sites_[owner_[p]]).norm();
    return v > slack ? Side::Goes : v < -slack ? Side::Stays : Side::On;
}

Vec3 CellComplex::way(std::int32_t cell, const Cut& cut) const {
    if (cut.site < 0) return cut.plane.normal;
    return Vec3(metric_.transpose() * (sites_[cut.site] - sites_[cell])).normalized();
}

std::int32_t CellComplex::taker(std::int32_t cell, Cut& cut) {
    if (cut.site >= 0) return cut.site;
    if (cut.takers[cell] < 0) {
        cut.takers[cell] = cell_count();
        cells_.emplace_back();
    }
    return cut.takers[cell];
}

void CellComplex::insert_site(std::int32_t site) {
    Cut cut;
    cut.site = site;
    std::vector<std::int32_t> near;
    for (std::int32_t c = 0; c < cell_count(); ++c) {
        if (cells_[c].box.is_empty()) continue;
        if (side_of_box(cells_[c].box, c, cut) != Side::Stays) near.push_back(c);
    }
    const std::vector<std::int32_t> touched = apply(cut, near);
    // Whatever went over is nearest to the new site; what lies on the cut keeps its owner.
    for (const std::int32_t f : cells_[site].facets) {
        for (const CellEdge& e : edges(facets_[f])) {
            const std::int32_t p = e[0];
            if (sides_[p] != Side::Goes) continue;
            owner_[p] = site;
            owner_sq_[p] = (mapped_[p] - sites_[site]).squaredNorm();
        }
    }
    for (const std::int32_t c : touched) measure_box(c);
    measure_box(site);
}

void CellComplex::cut_by_plane(const CutPlane& plane) {
    Cut cut;
    cut.plane = plane;
    if (bundles_.empty()) {
        mapped_ = points_;
        make_bundles();
    }
    cut.takers.assign(cells_.size(), -1);
    std::vector<std::int32_t> all(cells_.size());
    std::iota(all.begin(), all.end(), 0);
    apply(cut, all);
}

void CellComplex::finish() {
    for (std::int32_t c = 0; c < cell_count(); ++c) {
        for (const std::int32_t b : cells_[c].bundles) open_bundle(bundles_[b], c);
        cells_[c].bundles.clear();
    }
    LoopFiller loops;
    const std::size_t count = facets_.size();
    for (std::size_t f = 0; f < count; ++f) {
        const CellFacet facet = facets_[f];
        if (facet.edge_count < 6 || facet.cells[0] == facet.cells[1]) continue;
        const std::span<const CellEdge> all = edges(facet);
        const std::vector<std::vector<CellEdge>> parts = loops.outlines(
            points_, std::vector<CellEdge>(all.begin(), all.end()), facet.normal.normalized());
        if (parts.size() < 2) continue;
        facets_[f].cells = {-1, -1};  // nobody's
        for (const std::vector<CellEdge>& part : parts) add_facet(facet, part);
    }
}

CellComplex::Side CellComplex::side_of(std::int32_t point, const Cut& cut) {
    if (side_stamp_[point] != stamp_) {
        side_stamp_[point] = stamp_;
        sides_[point] = find_side(point, cut);
    }
    return sides_[point];
}

bool CellComplex::touches(std::int32_t cell, const Cut& cut) {
    bool goes = false;
    for (const std::int32_t f : cells_[cell].facets) {
        for (const CellEdge& e : edges(facets_[f])) {
            goes = side_of(e[0], cut) == Side::Goes || goes;
        }
    }
    return goes;
}

std::vector<std::int32_t> CellComplex::apply(Cut& cut,
                                             const std::vector<std::int32_t>& candidates) {
    ++stamp_;
    made_.clear();
    sides_.resize(points_.size());
    side_stamp_.resize(points_.size(), 0);
    facet_stamp_.resize(facets_.size(), 0);
    std::vector<std::int32_t> touched;
    for (const std::int32_t c : candidates) {
        const std::vector<std::int32_t> going = sort_bundles(c, cut);
        if (!touches(c, cut) && going.empty()) continue;
        touched.push_back(c);
        if (going.empty()) continue;
        std::vector<std::int32_t>& to = cells_[taker(c, cut)].bundles;
        to.insert(to.end(), going.begin(), going.end());
    }
    for (const std::int32_t c : touched) {
        const std::size_t count = cells_[c].facets.size();
        for (std::size_t k = 0; k < count; ++k) {
            const std::int32_t f = cells_[c].facets[k];
            if (facet_stamp_[f] == stamp_) continue;
            facet_stamp_[f] = stamp_;
            split_facet(f, cut);
        }
    }
    for (const std::int32_t c : touched) {
        part_cell(c, cut, next_plane_);
        if (cut.site >= 0) ++next_plane_;
    }
    if (cut.site < 0) ++next_plane_;
    return touched;
}

SurfaceAnchor CellComplex::mix(const SurfaceAnchor& a, const SurfaceAnchor& b, double share) const {
    SurfaceAnchor mixed{{-1, -1, -1}, Vec3::Zero()};
    int used = 0;
    for (const auto& [anchor, part] : {std::pair(&a, 1.0 - share), std::pair(&b, share)}) {
        for (int k = 0; k < 3; ++k) {
            if (anchor->weights[k] == 0.0) continue;
            int at = 0;
            while (at < used && mixed.points[at] != anchor->points[k]) ++at;
            if (at == 3) continue;  // not on one triangle: cannot be
            if (at == used) mixed.points[used++] = anchor->points[k];
            mixed.weights[at] += part * anchor->weights[k];
        }
    }
    for (int k = used; k < 3; ++k) mixed.points[k] = mixed.points[0];
    return mixed;
}

std::int32_t CellComplex::point_between(std::int32_t a, std::int32_t b, bool is_surface,
                                        const Cut& cut) {
    if (a > b) std::swap(a, b);
    const double at_a = value(a, cut), at_b = value(b, cut);
    const double share = std::clamp(at_a / (at_a - at_b), 0.0, 1.0);
    const auto [found, is_new] =
        made_.try_emplace(edge_key(a, b), static_cast<std::int32_t>(points_.size()));
    const std::int32_t made = found->second;
    if (is_new) {
        points_.push_back(points_[a] + share * (points_[b] - points_[a]));
        anchors_.push_back({{-1, -1, -1}, Vec3::Zero()});
        sides_.push_back(Side::On);
        side_stamp_.push_back(stamp_);
        if (cut.site >= 0) {
            mapped_.push_back(metric_ * points_.back());
            owner_.push_back(cut.site);
            owner_sq_.push_back((mapped_.back() - sites_[cut.site]).squaredNorm());
        }
    }
    if (is_surface && anchors_[made].points[0] < 0) {
        anchors_[made] = mix(anchors_[a], anchors_[b], share);
    }
    return made;
}

// An edge along the cut belongs to the part that lies beside it.
void CellComplex::share_edge(const CellEdge& edge, const CellFacet& facet, const Cut& cut) {
    const Side from = sides_[edge[0]], to = sides_[edge[1]];
    if (from == Side::On && to == Side::On) {
        const Vec3 inward = facet.normal.cross(points_[edge[1]] - points_[edge[0]]);
        const bool goes = inward.dot(way(facet.cells[0], cut)) > 0;
        (goes ? going_ : staying_).push_back(edge);
    } else if (from != Side::On && to != Side::On && from != to) {
        const std::int32_t m = point_between(edge[0], edge[1], facet.origin >= 0, cut);
        (from == Side::Goes ? going_ : staying_).push_back({edge[0], m});
        (to == Side::Goes ? going_ : staying_).push_back({m, edge[1]});
    } else {
        const bool goes = from == Side::Goes || to == Side::Goes;
        (goes ? going_ : staying_).push_back(edge);
    }
}

// Chains of what stays end and begin on the cut, by turns along it: edges between them close both
// parts.
void CellComplex::close_parts(const Vec3& along) {
    ends_.clear();
    starts_.clear();
    for (const CellEdge& e : staying_) {
        for (int k = 0; k < 2; ++k) {
            if (sides_[e[k]] != Side::On) continue;
            (k == 0 ? starts_ : ends_).emplace_back(points_[e[k]].dot(along), e[k]);
        }
    }
    std::sort(ends_.begin(), ends_.end());
    std::sort(starts_.begin(), starts_.end());
    // Where a chain goes on nothing is missing.
    std::vector<std::int32_t> open_ends, open_starts;
    std::size_t s = 0;
    for (const auto& end : ends_) {
        while (s < starts_.size() && starts_[s] < end) open_starts.push_back(starts_[s++].second);
        if (s < starts_.size() && starts_[s] == end) {
            ++s;
        } else {
            open_ends.push_back(end.second);
        }
    }
    while (s < starts_.size()) open_starts.push_back(starts_[s++].second);
    for (std::size_t k = 0; k < open_ends.size(); ++k) {
        staying_.push_back({open_ends[k], open_starts[k]});
        going_.push_back({open_starts[k], open_ends[k]});
    }
}

void CellComplex::split_facet(std::int32_t facet, const Cut& cut) {
    CellFacet& old = facets_[facet];
    bool goes = false, stays = false;
    for (const CellEdge& e : edges(old)) {
        const Side side = side_of(e[0], cut);
        goes = goes || side == Side::Goes;
        stays = stays || side == Side::Stays;
    }
    if (!goes || !stays) return;
    staying_.clear();
    going_.clear();
    const CellFacet copy = old;
    const Vec3 out = way(copy.cells[0], cut);
    for (std::int32_t k = 0; k < copy.edge_count; ++k) {
        share_edge(CellEdge(edges_[copy.first_edge + k]), copy, cut);
    }
    close_parts(copy.normal.cross(out));
    old.is_whole = false;
    // What stays takes the old place where it fits.
    if (static_cast<std::int32_t>(staying_.size()) <= old.edge_count) {
        std::copy(staying_.begin(), staying_.end(), edges_.begin() + old.first_edge);
    } else {
        old.first_edge = static_cast<std::int32_t>(edges_.size());
        edges_.insert(edges_.end(), staying_.begin(), staying_.end());
    }
    old.edge_count = static_cast<std::int32_t>(staying_.size());
    CellFacet part = old;
    add_facet(part, going_);
    facet_stamp_.push_back(stamp_);
}

// A facet that lies in the cut goes with the matter behind it.
CellComplex::Side CellComplex::side_of_facet(const CellFacet& facet, std::int32_t cell,
                                             const Cut& cut) {
    for (const CellEdge& e : edges(facet)) {
        const Side side = side_of(e[0], cut);
        if (side != Side::On) return side;
    }
    const double turned = facet.cells[0] == cell ? 1.0 : -1.0;
    const double out = turned * facet.normal.dot(way(cell, cut));
    return out < 0 ? Side::Goes : Side::Stays;
}

void cancel_opposites(std::vector<CellEdge>& edges) {
    const auto key = [](const CellEdge& e) {
        return std::array{std::min(e[0], e[1]), std::max(e[0], e[1]), e[0]};
    };
    std::sort(edges.begin(), edges.end(),
              [&](const auto& a, const auto& b) { return key(a) < key(b); });
    std::vector<CellEdge> left;
    for (std::size_t k = 0; k < edges.size();) {
        const std::int32_t low = std::min(edges[k][0], edges[k][1]);
        const std::int32_t high = std::max(edges[k][0], edges[k][1]);
        std::ptrdiff_t up = 0;
        while (k < edges.size() && std::min(edges[k][0], edges[k][1]) == low &&
               std::max(edges[k][0], edges[k][1]) == high) {
            up += edges[k][0] == low ? 1 : -1;
            ++k;
        }
        for (; up > 0; --up) left.push_back({low, high});
        for (; up < 0; ++up) left.push_back({high, low});
    }
    edges = std::move(left);
}

void CellComplex::part_cell(std::int32_t cell, Cut& cut, std::int32_t plane) {
    const std::int32_t to = taker(cell, cut);
    std::vector<std::int32_t> kept;
    std::vector<CellEdge> rim;
    const std::vector<std::int32_t> old = std::move(cells_[cell].facets);
    for (const std::int32_t f : old) {
        CellFacet& facet = facets_[f];
        const int at = facet.cells[0] == cell ? 0 : 1;
        if (side_of_facet(facet, cell, cut) == Side::Goes) {
            facet.cells[at] = to;
            cells_[to].facets.push_back(f);
            continue;
        }
        kept.push_back(f);
        if (!facet.is_solid) continue;
        for (const CellEdge& e : edges(facet)) {
            if (side_of(e[0], cut) != Side::On || side_of(e[1], cut) != Side::On) continue;
            // The wall runs against the outward faces of what stays.
            rim.push_back(at == 0 ? CellEdge{e[1], e[0]} : e);
        }
    }
    cells_[cell].facets = std::move(kept);
    // Walls between two cells that both went over are within the taker now.
    std::erase_if(cells_[to].facets, [&](std::int32_t f) { return is_of_both(f, to); });
    cancel_opposites(rim);
    if (rim.empty()) return;
    CellFacet wall;
    wall.cells = {cell, to};
    wall.origin = -1 - plane;
    wall.normal = way(cell, cut);
    wall.is_whole = false;
    add_facet(wall, rim);
}

}  // namespace ductile
