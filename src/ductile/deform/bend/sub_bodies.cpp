// SPDX-License-Identifier: MIT
// Patkar et al. 2014, section 4: a triangle belongs to the bone of its largest weight. There,
// masses come from voxels that are coloured by the nearest triangles; here, from the surfaces
// themselves, closed by fans, so that they sum up exactly. bend/voxel_march.h has the voxels.
#include <ductile/core/assert.h>
#include <ductile/deform/bend/sub_bodies.h>
#include <ductile/geom/mass_integrals.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ductile {
namespace {

// A solid whose area vectors sum up to more than this share of its area is open, as in geom/mass.
constexpr double kOpenSolid = 1e-3;
// Shares of the whole that are tried, the least first. With all of it every group is a body.
constexpr double kMixes[] = {1.0 / 64, 1.0 / 16, 1.0 / 4, 1.0 / 2, 1.0};
// A group's centre may lie this far outside the box of its points, share of the box: a thin arch.
constexpr double kCentreSlack = 0.05;

/// An edge between two groups, as a triangle of one of them has it.
struct SeamEdge {
    std::int32_t from = 0, to = 0, group = 0, other = 0;
    std::int32_t seam = -1;
};

class GroupSums {
public:
    explicit GroupSums(const GroupedSurface& surface)
        : surface_(surface), reference_(bounds(surface.points).centre()) {}

    Result<GroupMasses> masses() {
        sum_triangles();
        if (const Status ok = check_whole(); !ok) return ok.error();
        find_seams();
        GroupMasses out;
        out.whole = mass_of_integrals(whole_, surface_.model.density, reference_);
        if (try_apexes(apexes(true), out)) return out;
        const std::string reason = complaint_;
        if (!surface_.joints.empty() && try_apexes(apexes(false), out)) {
            out.notes.push_back(
                fmt::format("{} when seams end in the joints: they end in their middles", reason));
            return out;
        }
        mix(out);
        out.notes.push_back(fmt::format("{}: {:.3g} of the mass is spread over all groups by area",
                                        complaint_, out.mixed));
        return out;
    }

private:
    bool is_sheet(std::size_t t) const {
        return surface_.is_sheet.empty() ? surface_.model.thickness > 0 : surface_.is_sheet[t] != 0;
    }
    Vec3 relative(std::int32_t v) const { return surface_.points[v] - reference_; }

    void sum_triangles() {
        const auto count = static_cast<std::size_t>(surface_.group_count);
        sums_.assign(count, {});
        boxes_.assign(count, {});
        for (std::size_t t = 0; t < surface_.triangles.size(); ++t) {
            const Triangle& corners = surface_.triangles[t];
            const std::int32_t group = surface_.group[t];
            const bool sheet = is_sheet(t);
            const Vec3 v = area_vector(surface_.points, corners);
            add_surface_triangle(sums_[group], relative(corners[0]), relative(corners[1]),
                                 relative(corners[2]), v, sheet ? surface_.model.thickness : 0.0);
            for (const std::int32_t k : corners) boxes_[group].add(surface_.points[k]);
            if (sheet) continue;
            open_ += 0.5 * v;
            solid_area_ += 0.5 * v.norm();
            add_seam_edges(t);
        }
        for (const MassIntegrals& sum : sums_) add_integrals(whole_, sum, 1.0);
    }
    void add_seam_edges(std::size_t t) {
        const Triangle& corners = surface_.triangles[t];
        for (int k = 0; k < 3; ++k) {
            const std::int32_t beyond = surface_.neighbours[t][k];
            if (beyond < 0 || surface_.group[beyond] == surface_.group[t]) continue;
            seams_.push_back(
                {corners[k], corners[(k + 1) % 3], surface_.group[t], surface_.group[beyond]});
        }
    }
    Status check_whole() const {
        for (std::size_t g = 0; g < sums_.size(); ++g) {
            if (sums_[g].area > 0) continue;
            return Error{fmt::format("group {} of the body has no surface", g), "",
                         "its bone has no triangle of largest weight: make it longer"};
        }
        if (open_.norm() > kOpenSolid * solid_area_) {
            return Error{"the surface is open, so it bounds no solid", "",
                         "close it, or give the body a thickness as a sheet"};
        }
        if (!(whole_.zeroth > 0)) return Error{"the body has no volume", "", ""};
        return check_mass(mass_of_integrals(whole_, surface_.model.density, reference_));
    }

    // Numbers the connected seams: edges that share a point are of one.
    void find_seams() {
        std::vector<std::int32_t> ends;
        for (const SeamEdge& edge : seams_) ends.insert(ends.end(), {edge.from, edge.to});
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        std::vector<std::int32_t> root(ends.size());
        for (std::size_t i = 0; i < root.size(); ++i) root[i] = static_cast<std::int32_t>(i);
        const auto find = [&](std::int32_t v) {
            auto at = static_cast<std::int32_t>(std::lower_bound(ends.begin(), ends.end(), v) -
                                                ends.begin());
            while (root[at] != at) at = root[at] = root[root[at]];
            return at;
        };
        for (const SeamEdge& edge : seams_) {
            const std::int32_t a = find(edge.from), b = find(edge.to);
            root[std::max(a, b)] = std::min(a, b);
        }
        std::vector<std::int32_t> number(ends.size(), -1);
        for (SeamEdge& edge : seams_) {
            std::int32_t& seam = number[find(edge.from)];
            if (seam < 0) seam = seam_count_++;
            edge.seam = seam;
        }
    }

    // Where the fans of the seams begin, relative to the reference.
    std::vector<Vec3> apexes(bool by_joints) const {
        std::vector<Vec3> middle(static_cast<std::size_t>(seam_count_), Vec3::Zero());
        std::vector<double> length(middle.size(), 0.0);
        std::vector<std::set<std::int32_t>> groups(middle.size());
        for (const SeamEdge& edge : seams_) {
            const Vec3 a = relative(edge.from), b = relative(edge.to);
            const double long_as = (b - a).norm();
            middle[edge.seam] += 0.5 * long_as * (a + b);
            length[edge.seam] += long_as;
            groups[edge.seam].insert(edge.group);
        }
        for (std::size_t s = 0; s < middle.size(); ++s) {
            if (length[s] > 0) middle[s] /= length[s];
            if (by_joints) middle[s] = nearest_joint(groups[s], middle[s]);
        }
        return middle;
    }
    Vec3 nearest_joint(const std::set<std::int32_t>& groups, const Vec3& middle) const {
        Vec3 best = middle;
        double nearest = kInfinity;
        for (const SeamJoint& joint : surface_.joints) {
            const double distance = (joint.place - reference_ - middle).norm();
            if (!groups.contains(joint.a) || !groups.contains(joint.b)) continue;
            if (!(distance < nearest)) continue;
            nearest = distance;
            best = joint.place - reference_;
        }
        return best;
    }

    // Closes the groups and says whether all are bodies.
    bool try_apexes(const std::vector<Vec3>& apex, GroupMasses& out) {
        closed_ = sums_;
        for (const SeamEdge& edge : seams_) {
            add_tetrahedron(closed_[edge.group], relative(edge.to), relative(edge.from),
                            apex[edge.seam]);
        }
        return are_bodies(closed_, out);
    }
    bool are_bodies(std::span<const MassIntegrals> sums, GroupMasses& out) {
        out.groups.clear();
        for (std::size_t g = 0; g < sums.size(); ++g) {
            out.groups.push_back(mass_of_integrals(sums[g], surface_.model.density, reference_));
            const MassProperties& mass = out.groups.back();
            const bool is_inside = boxes_[g].distance_sq(mass.centre_b) <=
                                   std::pow(kCentreSlack * boxes_[g].diagonal(), 2);
            if (const Status ok = check_mass(mass); !ok) {
                complaint_ = fmt::format("group {} is no body ({})", g, ok.error().what);
                return false;
            } else if (!is_inside && out.mixed == 0.0) {
                complaint_ = fmt::format("the centre of group {} lies outside of it", g);
                return false;
            }
        }
        return true;
    }
    void mix(GroupMasses& out) {
        const std::string reason = complaint_;
        for (const double share : kMixes) {
            std::vector<MassIntegrals> mixed(closed_.size());
            for (std::size_t g = 0; g < mixed.size(); ++g) {
                add_integrals(mixed[g], closed_[g], 1.0 - share);
                add_integrals(mixed[g], whole_, share * sums_[g].area / whole_.area);
            }
            out.mixed = share;
            if (are_bodies(mixed, out)) break;
        }
        complaint_ = reason;
    }

    const GroupedSurface& surface_;
    Vec3 reference_;
    std::vector<MassIntegrals> sums_, closed_;  ///< Per group, without and with fans.
    MassIntegrals whole_;
    std::vector<Box> boxes_;
    std::vector<SeamEdge> seams_;
    std::int32_t seam_count_ = 0;
    Vec3 open_ = Vec3::Zero();
    double solid_area_ = 0.0;
    std::string complaint_;
};

/// Sums weights of corners, bone by bone.
class LargestWeight {
public:
    explicit LargestWeight(const SkinWeights& weights) : weights_(weights) {
        const auto most = std::max_element(weights.handle.begin(), weights.handle.end());
        if (most != weights.handle.end()) sum_.assign(static_cast<std::size_t>(*most) + 1, 0.0);
    }

    std::int32_t of(const Triangle& corners) {
        const std::int32_t first = weights_.handles_of(corners[0])[0];
        if (is_alone(corners[0], first) && is_alone(corners[1], first) &&
            is_alone(corners[2], first)) {
            return first;
        }
        bones_.clear();
        for (const std::int32_t v : corners) add(v);
        std::int32_t best = bones_[0];
        for (const std::int32_t bone : bones_) {
            if (sum_[bone] > sum_[best] || (sum_[bone] == sum_[best] && bone < best)) best = bone;
        }
        for (const std::int32_t bone : bones_) sum_[bone] = 0.0;
        return best;
    }

private:
    bool is_alone(std::int32_t v, std::int32_t bone) const {
        const auto bones = weights_.handles_of(v);
        return bones.size() == 1 && bones[0] == bone;
    }
    void add(std::int32_t v) {
        const auto bones = weights_.handles_of(v);
        for (std::size_t k = 0; k < bones.size(); ++k) {
            if (sum_[bones[k]] == 0.0) bones_.push_back(bones[k]);
            sum_[bones[k]] += weights_.weights_of(v)[k];
        }
    }

    const SkinWeights& weights_;
    std::vector<double> sum_;
    std::vector<std::int32_t> bones_;
};

// Areas of a piece's faces, group by group.
std::vector<double> piece_areas(const Piece& piece, const GroupedSurface& surface) {
    std::vector<double> areas(static_cast<std::size_t>(surface.group_count), 0.0);
    for (const std::int32_t f : piece.faces) {
        areas[surface.group[f]] += area_vector(surface.points, surface.triangles[f]).norm();
    }
    return areas;
}

}  // namespace

std::vector<std::int32_t> triangle_bones(std::span<const Triangle> triangles,
                                         const SkinWeights& weights) {
    std::vector<std::int32_t> out;
    out.reserve(triangles.size());
    LargestWeight largest(weights);
    for (const Triangle& corners : triangles) out.push_back(largest.of(corners));
    return out;
}

Result<GroupMasses> group_masses(const GroupedSurface& surface) {
    DUCTILE_ASSERT(surface.group.size() == surface.triangles.size(), "a group per triangle");
    DUCTILE_ASSERT(surface.neighbours.size() == surface.triangles.size(), "neighbours of each");
    return GroupSums(surface).masses();
}

std::vector<std::vector<std::int32_t>> group_pieces(const PieceTree& tree, const PieceCut& cut,
                                                    const GroupedSurface& surface) {
    std::vector<std::vector<std::int32_t>> out(static_cast<std::size_t>(surface.group_count));
    std::vector<std::int32_t> open = cut.active;
    while (!open.empty()) {
        const std::int32_t index = open.back();
        open.pop_back();
        const Piece& piece = tree.pieces[index];
        const bool is_astride = std::any_of(
            piece.faces.begin(), piece.faces.end(),
            [&](std::int32_t f) { return surface.group[f] != surface.group[piece.faces[0]]; });
        if (is_astride && !piece.children.empty()) {
            open.insert(open.end(), piece.children.begin(), piece.children.end());
        } else if (is_astride) {
            const std::vector<double> areas = piece_areas(piece, surface);
            const auto most = std::max_element(areas.begin(), areas.end());
            out[static_cast<std::size_t>(most - areas.begin())].push_back(index);
        } else {
            out[surface.group[piece.faces[0]]].push_back(index);
        }
    }
    for (std::vector<std::int32_t>& pieces : out) std::sort(pieces.begin(), pieces.end());
    return out;
}

}  // namespace ductile
