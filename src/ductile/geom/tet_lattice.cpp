// SPDX-License-Identifier: MIT
// A body-centred cubic lattice, as isosurface stuffing uses it (Labelle and Shewchuk 2007), with
// its tetrahedra kept whole: weights are read off it, it is never seen. Each is one of the four
// that fill what lies between the centres of two cubes and the square between these, so which one
// a point is in, and its shares, follow from the point's coordinates alone.
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/tet_lattice.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ductile {
namespace {

using GridPlace = std::array<std::int32_t, 3>;

// A node half a cell from the surface counts, whichever way its distance was rounded: planes of a
// box and of its lattice meet at just that.
constexpr double kHalfCell = 0.5 * (1.0 + 1e-9);
// How far from the middle places are looked up, in half cells; no box reaches as far.
constexpr double kMostSteps = 1e6;

/// One of the twelve tetrahedra that belong to a cube's centre: those on the way to the next centre
/// along an axis, each with a side of the square in between.
struct TetName {
    GridPlace centre;  ///< The lower of the two centres.
    int axis;          ///< From it to the other.
    bool is_first;  ///< The square's side lies off along the axis after; else the one after that.
    bool is_above;  ///< Which way.

    int side_axis() const { return (axis + (is_first ? 1 : 2)) % 3; }
    int run_axis() const { return (axis + (is_first ? 2 : 1)) % 3; }
    int bit() const { return 4 * axis + 2 * is_first + is_above; }
    /// Such that the volume is positive.
    std::array<GridPlace, 4> corners() const {
        std::array<GridPlace, 4> at = {centre, centre, centre, centre};
        at[1][axis] += 2;
        const std::int32_t run = is_first == is_above ? 1 : -1;
        for (int k = 2; k < 4; ++k) {
            at[k][axis] += 1;
            at[k][side_axis()] += is_above ? 1 : -1;
            at[k][run_axis()] += k == 2 ? -run : run;
        }
        return at;
    }
};
TetName named(const GridPlace& centre, int bit) {
    return {centre, bit / 4, (bit & 2) != 0, (bit & 1) != 0};
}

/// A tetrahedron and the shares of its corners.
struct NamedPlace {
    TetName tet;
    Vec4 shares;
};
/// Of a place in half cells. Requires: within kMostSteps.
NamedPlace name_place(const Vec3& p) {
    GridPlace centre;
    Vec3 from;
    for (int a = 0; a < 3; ++a) {
        centre[a] = 2 * static_cast<std::int32_t>(std::floor(0.5 * p[a])) + 1;
        from[a] = p[a] - centre[a];
    }
    int axis = 0;
    from.cwiseAbs().maxCoeff(&axis);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool is_first = std::abs(from[u]) >= std::abs(from[v]);
    const double side = is_first ? from[u] : from[v], run = is_first ? from[v] : from[u];
    const double along = std::abs(from[axis]), off = std::abs(side);
    const bool is_back = from[axis] < 0;
    if (is_back) centre[axis] -= 2;
    const TetName tet{centre, axis, is_first, side >= 0};
    const double near = std::max(1.0 - 0.5 * (along + off), 0.0), far = 0.5 * (along - off);
    const double signed_run = tet.is_first == tet.is_above ? run : -run;
    return {tet,
            {is_back ? far : near, is_back ? near : far, 0.5 * (off - signed_run),
             0.5 * (off + signed_run)}};
}

}  // namespace

/// All places of the lattice around a box, corners of cubes and their centres, in arrays.
struct TetLattice::Grid {
    Grid(const SurfaceQuery& surface, double cell);

    bool has(const GridPlace& p) const {
        return std::abs(p[0]) <= half[0] && std::abs(p[1]) <= half[1] && std::abs(p[2]) <= half[2];
    }
    /// Even places first, then odd ones; each by z, y, x.
    std::size_t place_index(const GridPlace& p) const {
        const std::size_t odd = (p[0] + half[0]) & 1;
        const auto at = [&](int a) { return static_cast<std::size_t>((p[a] + half[a]) / 2); };
        return ((odd * count[2] + at(2)) * count[1] + at(1)) * count[0] + at(0);
    }
    GridPlace place(std::size_t index) const {
        GridPlace p;
        for (int a = 0; a < 3; ++a) {
            p[a] = 2 * static_cast<std::int32_t>(index % count[a]) - half[a];
            index /= count[a];
        }
        if (index > 0) {
            for (std::int32_t& x : p) ++x;
        }
        return p;
    }
    std::size_t size() const { return 2 * count[0] * count[1] * count[2]; }
    Vec3 position(const GridPlace& p) const { return middle + 0.5 * cell * Vec3(p[0], p[1], p[2]); }

    bool is_near(const SurfaceQuery& surface, const GridPlace& p) const;
    void keep_tets(const SurfaceQuery& surface);
    void keep_corners();
    /// The index of a tetrahedron; -1 if it was not kept.
    std::int32_t tet_index(const TetName& tet) const {
        if (!has(tet.centre)) return -1;
        const std::size_t at = place_index(tet.centre) - size() / 2;
        const unsigned bit = 1u << tet.bit();
        if (!(kept[at] & bit)) return -1;
        return first_tet[at] + std::popcount(kept[at] & (bit - 1));
    }
    template <class Visit>
    void for_each_tet(Visit&& visit) const {
        for (std::size_t at = 0; at < kept.size(); ++at) {
            const GridPlace centre = place(size() / 2 + at);
            for (unsigned left = kept[at]; left != 0; left &= left - 1) {
                visit(named(centre, std::countr_zero(left)));
            }
        }
    }

    double cell;
    Vec3 middle;
    GridPlace half;                       ///< Places go from -half to half, which is even.
    std::array<std::size_t, 3> count;     ///< Of even places along each axis.
    std::vector<std::uint16_t> kept;      ///< Per odd place: its tetrahedra that stay, as bits.
    std::vector<std::int32_t> first_tet;  ///< Per odd place: the index of the first of them.
    std::vector<std::int32_t> node;       ///< Per place: its node, or -1.
    std::int32_t node_count = 0, tet_count = 0;
};

TetLattice::Grid::Grid(const SurfaceQuery& surface, double cell_size)
    : cell(cell_size), middle(surface.box().centre()) {
    const Vec3 reach = (surface.box().upper - middle) / (0.5 * cell);
    for (int a = 0; a < 3; ++a) {
        // Two steps beyond what can be near the surface, so that all tetrahedra there are had.
        half[a] = 2 * static_cast<std::int32_t>(std::ceil(0.5 * (reach[a] + 1.0))) + 2;
        count[a] = static_cast<std::size_t>(half[a]) + 1;
    }
    keep_tets(surface);
    keep_corners();
}

bool TetLattice::Grid::is_near(const SurfaceQuery& surface, const GridPlace& p) const {
    const Vec3 at = position(p);
    const double reach = kHalfCell * cell, off_sq = surface.box().distance_sq(at);
    if (off_sq > reach * reach) return false;
    if (surface.closest_point(at, reach).triangle >= 0) return true;
    // A surface that is inside out has an inside, too.
    return off_sq == 0.0 && std::abs(surface.winding_number(at)) > 0.5;
}

void TetLattice::Grid::keep_tets(const SurfaceQuery& surface) {
    std::vector<std::uint8_t> near(size(), 0);
    parallel_for(near.size() / count[0], 8, [&](std::size_t row) {
        for (std::size_t i = row * count[0]; i < (row + 1) * count[0]; ++i) {
            const GridPlace p = place(i);
            near[i] = has(p) && is_near(surface, p);
        }
    });
    kept.assign(size() / 2, 0);
    parallel_for(kept.size() / count[0], 64, [&](std::size_t row) {
        for (std::size_t at = row * count[0]; at < (row + 1) * count[0]; ++at) {
            const GridPlace centre = place(size() / 2 + at);
            for (int bit = 0; bit < 12; ++bit) {
                const auto corners = named(centre, bit).corners();
                const auto is_in = [&](const GridPlace& p) { return has(p); };
                if (!std::all_of(corners.begin(), corners.end(), is_in)) continue;
                const auto is_held = [&](const GridPlace& p) { return near[place_index(p)] != 0; };
                if (std::any_of(corners.begin(), corners.end(), is_held)) kept[at] |= 1u << bit;
            }
        }
    });
    // The tip of a spike can be further than half a cell from all nodes.
    for (const Triangle& t : surface.triangles()) {
        for (const std::int32_t v : t) {
            const TetName tet = name_place((surface.points()[v] - middle) / (0.5 * cell)).tet;
            kept[place_index(tet.centre) - size() / 2] |= 1u << tet.bit();
        }
    }
}

void TetLattice::Grid::keep_corners() {
    node.assign(size(), -1);
    first_tet.reserve(kept.size());
    for (const std::uint16_t bits : kept) {
        first_tet.push_back(tet_count);
        tet_count += std::popcount(bits);
    }
    for_each_tet([&](const TetName& tet) {
        for (const GridPlace& p : tet.corners()) node[place_index(p)] = 0;
    });
    for (std::int32_t& n : node) {
        if (n == 0) n = node_count++;
    }
}

namespace {

Status check_cell(const SurfaceQuery& surface, double cell) {
    if (surface.triangles().empty()) {
        return Error{"a surface without triangles has no lattice", "", ""};
    }
    if (!(surface.box().diagonal() > 0.0)) {
        return Error{"a surface that is a single point has no lattice", "", ""};
    }
    if (!(cell > 0.0 && cell < 1e30)) {
        return Error{fmt::format("a lattice's cell must be above 0, not {} m", cell), "", ""};
    }
    const Vec3 cells = (surface.box().upper - surface.box().lower) / cell;
    if (cells.maxCoeff() > kMostSteps / 4 ||
        2.0 * (cells.array() + 4.0).prod() > TetLattice::kMostNodes) {
        return Error{fmt::format("a lattice of cells of {} m around a box of {} x {} x {} m is too "
                                 "fine",
                                 cell, cells.x() * cell, cells.y() * cell, cells.z() * cell),
                     "", "make the cells larger"};
    }
    return {};
}

/// The sides of a tetrahedron of positive volume, each across from the corner of its place,
/// counter-clockwise seen from outside.
constexpr std::array<Triangle, 4> kTetSides = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

}  // namespace

Result<TetLattice> TetLattice::make(const SurfaceQuery& surface, double cell) {
    if (const Status ok = check_cell(surface, cell); !ok) return ok.error();
    const auto grid = std::make_shared<const Grid>(surface, cell);
    TetLattice made;
    made.cell_ = cell;
    made.middle_ = grid->middle;
    for (std::size_t i = 0; i < grid->size(); ++i) {
        if (grid->node[i] < 0) continue;
        made.grid_.push_back(grid->place(i));
        made.points_.push_back(grid->position(made.grid_.back()));
    }
    std::vector<Triangle> sides, outer;
    std::vector<std::int32_t> owners;
    grid->for_each_tet([&](const TetName& name) {
        const auto corners = name.corners();
        Tet tet;
        Vec3 middle = Vec3::Zero();
        for (int k = 0; k < 4; ++k) {
            tet[k] = grid->node[grid->place_index(corners[k])];
            middle += 0.25 * Vec3(corners[k][0], corners[k][1], corners[k][2]);
        }
        for (const Triangle& s : {Triangle{0, 1, 2}, Triangle{0, 1, 3}, Triangle{0, 2, 3}}) {
            sides.push_back({tet[s[0]], tet[s[1]], tet[s[2]]});
        }
        for (int k = 0; k < 4; ++k) {
            // Beyond the side's middle, which is a third of the way from its corner through the
            // tetrahedron's, is the one that shares it.
            const Vec3 corner(corners[k][0], corners[k][1], corners[k][2]);
            const Vec3 beyond = middle + 0.4 * (middle - corner);
            if (grid->tet_index(name_place(beyond).tet) >= 0) continue;
            const Triangle& s = kTetSides[k];
            outer.push_back({tet[s[0]], tet[s[1]], tet[s[2]]});
            owners.push_back(static_cast<std::int32_t>(made.tets_.size()));
        }
        made.tets_.push_back(tet);
    });
    made.graph_ = vertex_graph(made.points_.size(), sides);
    made.components_ =
        vertex_components(made.graph_, std::vector<std::uint8_t>(made.points_.size(), 1));
    for (const Triangle& t : outer) {
        made.boundary_nodes_.insert(made.boundary_nodes_.end(), t.begin(), t.end());
    }
    std::sort(made.boundary_nodes_.begin(), made.boundary_nodes_.end());
    made.boundary_nodes_.erase(
        std::unique(made.boundary_nodes_.begin(), made.boundary_nodes_.end()),
        made.boundary_nodes_.end());
    made.boundary_ = std::make_shared<const Boundary>(
        Boundary{SurfaceQuery(made.points_, outer, TreeBuild::Quick), std::move(owners)});
    made.lookup_ = grid;
    return made;
}

LatticePlace TetLattice::find(const Vec3& p) const {
    DUCTILE_ASSERT(is_finite(p), "a finite point");
    const Vec3 at = (p - middle_) / (0.5 * cell_);
    if (at.cwiseAbs().maxCoeff() < kMostSteps) {
        const NamedPlace place = name_place(at);
        const std::int32_t tet = lookup_->tet_index(place.tet);
        if (tet >= 0) return {tet, place.shares, 0.0};
    }
    const SurfacePoint nearest = boundary_->query.closest_point(p);
    LatticePlace found{boundary_->tet[nearest.triangle], Vec4::Zero(), nearest.distance};
    const Triangle& side = boundary()[nearest.triangle];
    const Tet& tet = tets_[found.tet];
    for (int k = 0; k < 3; ++k) {
        found.shares[std::find(tet.begin(), tet.end(), side[k]) - tet.begin()] =
            nearest.barycentric[k];
    }
    return found;
}

std::int32_t TetLattice::nearest_node(const Vec3& p) const {
    std::int32_t best = 0;
    double best_sq = kInfinity;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const double distance_sq = (points_[i] - p).squaredNorm();
        if (!(distance_sq < best_sq)) continue;
        best_sq = distance_sq;
        best = static_cast<std::int32_t>(i);
    }
    return best;
}

Result<double> lattice_cell(const SurfaceQuery& surface, std::size_t nodes) {
    // Between 2, as sheets have it, and 3, as solids have it.
    constexpr double kFirstPower = 2.5;
    constexpr int kMostTries = 12;
    const double wanted = static_cast<double>(std::max<std::size_t>(nodes, 8));
    double cell = surface.box().diagonal() / std::pow(wanted, 1.0 / kFirstPower);
    double best = cell, best_off = kInfinity, last_cell = 0.0, last_count = 0.0;
    for (int i = 0; i < kMostTries; ++i) {
        if (const Status ok = check_cell(surface, cell); !ok) return ok.error();
        const double count = TetLattice::count_nodes(surface, cell);
        const double off = std::abs(std::log(count / wanted));
        if (off < best_off) {
            best = cell;
            best_off = off;
        }
        if (off < 0.05) break;
        double power = kFirstPower;
        if (last_count > 0.0 && count != last_count) {
            power = std::log(count / last_count) / std::log(last_cell / cell);
        }
        last_cell = cell;
        last_count = count;
        cell *= std::pow(count / wanted, 1.0 / std::clamp(power, 1.0, 3.5));
    }
    return best;
}

double TetLattice::count_nodes(const SurfaceQuery& surface, double cell) {
    return Grid(surface, cell).node_count;
}

}  // namespace ductile
