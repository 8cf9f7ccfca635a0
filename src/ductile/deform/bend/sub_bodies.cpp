// SPDX-License-Identifier: MIT
// Patkar et al. 2014, section 4: a triangle belongs to the bone of its largest weight. There,
// masses come from voxels that are coloured by the nearest triangles; here, from the surfaces
// themselves, closed by fans, so that they sum up exactly. bend/voxel_march.h has the voxels.
#include <ductile/core/assert.h>
#include <ductile/core/joined_sets.h>
#include <ductile/deform/bend/group_integrals.h>
#include <ductile/deform/bend/sub_bodies.h>

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
    std::int32_t from = 0, to = 0, group = 0;
    std::int32_t seam = -1;
};

// A place among the points, as good as any for sums: the mean of some of them.
Vec3 middle_of(std::span<const Vec3> points) {
    constexpr std::size_t kAsked = 64;
    const std::size_t stride = std::max<std::size_t>(1, points.size() / kAsked);
    Vec3 sum = Vec3::Zero();
    double count = 0.0;
    for (std::size_t v = 0; v < points.size(); v += stride, ++count) sum += points[v];
    return count > 0 ? Vec3(sum / count) : sum;
}

class GroupSums {
public:
    explicit GroupSums(const GroupedSurface& surface)
        : surface_(surface),
          reference_(middle_of(surface.points)),
          open_sums_(group_integrals(surface, reference_)) {}

    Result<GroupMasses> masses() {
        if (const Status ok = check_whole(); !ok) return ok.error();
        collect_seam_edges();
        find_seams();
        GroupMasses out;
        out.whole = mass_of_integrals(open_sums_.whole, surface_.model.density, reference_);
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

    void collect_seam_edges() {
        for (std::size_t t = 0; t < surface_.triangles.size(); ++t) {
            const std::int32_t group = surface_.group[t];
            const Triangle& beyond = surface_.neighbours[t];
            const auto is_other = [&](std::int32_t n) {
                return n >= 0 && surface_.group[n] != group;
            };
            if (!is_other(beyond[0]) && !is_other(beyond[1]) && !is_other(beyond[2])) continue;
            if (is_sheet(t)) continue;
            const Triangle& corners = surface_.triangles[t];
            for (int k = 0; k < 3; ++k) {
                if (!is_other(beyond[k])) continue;
                seams_.push_back({corners[k], corners[(k + 1) % 3], group});
            }
        }
    }
    Status check_whole() const {
        for (std::size_t g = 0; g < open_sums_.sums.size(); ++g) {
            if (open_sums_.sums[g].area > 0) continue;
            return Error{fmt::format("group {} of the body has no surface", g), "",
                         "its bone has no triangle of largest weight: make it longer"};
        }
        if (open_sums_.open.norm() > kOpenSolid * open_sums_.solid_area) {
            return Error{"the surface is open, so it bounds no solid", "",
                         "close it, or give the body a thickness as a sheet"};
        }
        if (!(open_sums_.whole.zeroth > 0)) return Error{"the body has no volume", "", ""};
        return check_mass(mass_of_integrals(open_sums_.whole, surface_.model.density, reference_));
    }

    // Numbers the connected seams: edges that share a point are of one.
    void find_seams() {
        std::vector<std::int32_t> places(surface_.points.size(), -1);
        std::int32_t count = 0;
        for (const SeamEdge& edge : seams_) {
            for (const std::int32_t v : {edge.from, edge.to}) {
                if (places[v] < 0) places[v] = count++;
            }
        }
        JoinedSets sets(static_cast<std::size_t>(count));
        for (const SeamEdge& edge : seams_) sets.join(places[edge.from], places[edge.to]);
        std::vector<std::int32_t> number(static_cast<std::size_t>(count), -1);
        for (SeamEdge& edge : seams_) {
            std::int32_t& seam = number[sets.of(places[edge.from])];
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
        closed_ = open_sums_.sums;
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
            const Box& box = open_sums_.boxes[g];
            const bool is_inside = box.distance_sq(mass.centre_b - reference_) <=
                                   std::pow(kCentreSlack * box.diagonal(), 2);
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
                add_integrals(mixed[g], open_sums_.whole,
                              share * open_sums_.sums[g].area / open_sums_.whole.area);
            }
            out.mixed = share;
            if (are_bodies(mixed, out)) break;
        }
        complaint_ = reason;
    }

    const GroupedSurface& surface_;
    Vec3 reference_;
    GroupIntegrals open_sums_;           ///< Without fans.
    std::vector<MassIntegrals> closed_;  ///< Per group, with them.
    std::vector<SeamEdge> seams_;
    std::int32_t seam_count_ = 0;
    std::string complaint_;
};

/// Sums weights of corners, bone by bone.
class LargestWeight {
public:
    explicit LargestWeight(const SkinWeights& weights) : weights_(weights) {
        std::int32_t last = -1;
        for (const std::int32_t bone : weights.handle) last = std::max(last, bone);
        sum_.assign(static_cast<std::size_t>(last + 1), 0.0);
        largest_.reserve(weights.size());
        for (std::size_t v = 0; v < weights.size(); ++v) {
            std::int32_t most = weights.start[v];
            for (std::int32_t k = most + 1; k < weights.start[v + 1]; ++k) {
                if (weights.weight[k] > weights.weight[most]) most = k;
            }
            largest_.push_back(weights.handle[most]);
        }
    }

    std::int32_t of(const Triangle& corners) {
        // What is largest at every corner is largest in the sum.
        const std::int32_t first = largest_[corners[0]];
        if (largest_[corners[1]] == first && largest_[corners[2]] == first) return first;
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
    void add(std::int32_t v) {
        const auto bones = weights_.handles_of(v);
        for (std::size_t k = 0; k < bones.size(); ++k) {
            if (sum_[bones[k]] == 0.0) bones_.push_back(bones[k]);
            sum_[bones[k]] += weights_.weights_of(v)[k];
        }
    }

    const SkinWeights& weights_;
    std::vector<std::int32_t> largest_;  ///< Per point, the lowest of several.
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
