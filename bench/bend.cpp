// SPDX-License-Identifier: MIT
// Times what a bending body costs, one thread, against what Patkar et al. 2014 tell of their bunny
// of 34,000 triangles (section 4.5: 50 ms to skin it, 5 ms to cut it into sub-bodies): skinning,
// cutting, and a joint made where an impact falls. Usage: bench_bend [MESH...]
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/bend/bone_skin.h>
#include <ductile/deform/bend/bone_weights.h>
#include <ductile/deform/bend/curve_skeleton.h>
#include <ductile/deform/bend/sub_bodies.h>
#include <ductile/io/load_asset.h>
#include <ductile/solids/solids.h>

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

using namespace ductile;

namespace {

constexpr double kSeedSkinning = 50.0, kSeedCutting = 5.0;  // [ms]
constexpr std::int32_t kSurfacePoints = 17'000;             // About 34,000 triangles.
constexpr std::size_t kBones = 4;
constexpr int kRounds = 41;

/// Median processor time of some calls [ms].
template <class Call>
double timed(int rounds, Call&& call) {
    std::vector<double> ms;
    for (int i = 0; i < rounds; ++i) {
        const std::clock_t from = std::clock();
        call();
        ms.push_back(1e3 * static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC);
    }
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

/// Bones along the middle, the longest halved until there are as many as the seed has.
Skeleton four_bones(const TetLattice& lattice) {
    Skeleton skeleton = curve_skeleton(lattice).value();
    while (skeleton.bones.size() < kBones) {
        const auto longest = std::max_element(
            skeleton.bones.begin(), skeleton.bones.end(), [](const Bone& a, const Bone& b) {
                return (a.to - a.from).norm() < (b.to - b.from).norm();
            });
        const auto bone = static_cast<std::int32_t>(longest - skeleton.bones.begin());
        (void)split_bone(skeleton, {bone, 0.5, 0.0}, 0.0);
    }
    return skeleton;
}

/// A body with its skeleton, and what is made of both.
struct BendCase {
    const TriMesh& surface;
    Skeleton skeleton;
    SkinWeights weights;
    std::vector<Triangle> neighbours;
    PieceTree pieces;
    std::vector<Vec3> bent;

    void skin() {
        std::vector<JointMotion> turns;
        for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
            turns.push_back({Quat(Eigen::AngleAxisd(0.4, Vec3::UnitZ()))});
        }
        const std::vector<Transform> moved = bone_turns(skeleton, turns, 0);
        BoneSkin(moved, BoneBlend::Linear).points(weights, surface.points, bent);
    }
    GroupMasses cut() const {
        const std::vector<std::int32_t> group = triangle_bones(surface.triangles, weights);
        const auto count = static_cast<std::int32_t>(skeleton.bones.size());
        std::vector<SeamJoint> joints;
        for (const SkeletonJoint& j : skeleton.joints) joints.push_back({j.place, j.a, j.b});
        const GroupedSurface grouped{
            surface.points, surface.triangles, neighbours, group, count, {}, {}, joints};
        (void)group_pieces(pieces, {pieces.top}, grouped);
        return group_masses(grouped).value();
    }
};

void measure(const std::string& name, const TriMesh& surface) {
    const SurfaceQuery query(surface.points, surface.triangles);
    const TetLattice lattice = TetLattice::make(query, lattice_cell(query, 4000).value()).value();
    BendCase body{surface, four_bones(lattice), {}, face_neighbours(surface.triangles), {}, {}};
    const double weighting = timed(
        1, [&] { body.weights = bone_weights(lattice, body.skeleton, surface.points).value(); });
    body.pieces = cut_pieces(surface.points, surface.triangles, {}).value();
    body.bent.resize(surface.points.size());
    const double skinning = timed(kRounds, [&] { body.skin(); });
    const double cutting = timed(kRounds, [&] { (void)body.cut(); });
    Hasher hash;
    hash.add(body.bent);
    const Skeleton skeleton = body.skeleton;
    const SkinWeights weights = body.weights;
    const double joint = timed(kRounds, [&] {
        body.skeleton = skeleton;
        BonePlace at = nearest_bone(skeleton, surface.points[surface.points.size() / 3]);
        at.along = std::clamp(at.along, 0.2, 0.8);
        const std::int32_t made = split_bone(body.skeleton, at, 0.0).value();
        body.weights = split_weights(weights, surface.points, body.skeleton, made, 0.1);
        body.skin();
        (void)body.cut();
    });
    fmt::print(
        "{:<18} {:>6} triangles, {} bones, {:.1f} weights a point (found in {:.0f} ms)\n"
        "  skinning {:6.3f} ms: {:5.0f} times faster than the seed's {:.0f} ms\n"
        "  cutting  {:6.3f} ms: {:5.1f} times faster than the seed's {:.0f} ms\n"
        "  a joint  {:6.3f} ms: {:5.2f} times one skinning and one cut\n"
        "  hash {:016x}\n",
        name, surface.triangles.size(), skeleton.bones.size(),
        static_cast<double>(body.weights.weight.size()) /
            static_cast<double>(surface.points.size()),
        weighting, skinning, kSeedSkinning / skinning, kSeedSkinning, cutting,
        kSeedCutting / cutting, kSeedCutting, joint, joint / (skinning + cutting), hash.value());
}

}  // namespace

int main(int argument_count, char** arguments) {
    const ThreadLimit one(1);
    const auto barrel =
        make_solid({.kind = SolidKind::Barrel, .size = {0.6, 0.9, 0.6}, .resolution = 0.0118});
    measure("barrel", barrel.value().surface);
    for (int i = 1; i < argument_count; ++i) {
        const auto loaded = load_asset(arguments[i], {.surface_points = kSurfacePoints});
        if (!loaded) {
            fmt::print("{}\n", loaded.error().text());
            return 1;
        }
        measure(std::filesystem::path(arguments[i]).stem(), loaded.value().asset.surface);
    }
}
