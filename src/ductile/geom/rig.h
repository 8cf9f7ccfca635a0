// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// What an artist takes hold of. A point holds the surroundings of one place, a bone those of a
/// segment. Corners of a cage are handles, too: between them, along `Rig::cage_faces`, weights go
/// from one to the next in a straight line.
enum class HandleKind : std::uint8_t { Point, Bone, Cage };

struct Handle {
    std::string name;
    HandleKind kind = HandleKind::Point;
    Vec3 place = Vec3::Zero();  ///< At rest [m]; a bone begins here. What it turns about.
    Vec3 tip = Vec3::Zero();    ///< Where a bone ends [m]; unused by the others.
};

/// How much every point of a surface follows each handle: those of point i are entries start[i] ..
/// start[i + 1]. Rows sum to 1, entries are > 0, handles ascend; there may be any number of them.
struct SkinWeights {
    std::vector<std::int32_t> start = {0};
    std::vector<std::int32_t> handle;
    std::vector<double> weight;

    std::size_t size() const { return start.size() - 1; }  ///< Points.
    std::span<const std::int32_t> handles_of(std::size_t i) const {
        return std::span(handle).subspan(start[i], start[i + 1] - start[i]);
    }
    std::span<const double> weights_of(std::size_t i) const {
        return std::span(weight).subspan(start[i], start[i + 1] - start[i]);
    }
};

/// Appends a point that lies halfway between two: it follows handles as those do on the mean.
void add_mean_row(SkinWeights& weights, std::int32_t a, std::int32_t b);

/// An example of a deformed shape: per handle a turn about its own place at rest and a move, so
/// that what follows it alone goes from u to place + rotation (u - place) + translation.
struct RigPose {
    std::string name;
    std::vector<Transform> moves;  ///< Per handle.
};

/// Handles, weights and poses of one surface, in the frame of its points at rest. Plain data.
struct Rig {
    static constexpr int kMostPoses = 64;

    std::vector<Handle> handles;
    /// Triangles of handles of kind Cage; one that names its last corner twice is a segment.
    std::vector<Triangle> cage_faces;
    SkinWeights weights;
    std::vector<RigPose> poses;
    double cell = 0.0;  ///< Of the lattice that the weights were found on [m]; 0: unknown.
};

/// Whether handles and cage faces make sense by themselves: finite, bones with a length, faces of
/// cage corners, no name twice. The error names the handle.
Status check_handles(std::span<const Handle> handles, std::span<const Triangle> cage_faces);

/// Whether a rig is whole and fits a surface of so many points: handles as above, rows of weights
/// in (0, 1] that sum to 1 within 1e-9, at most `kMostPoses` poses with a unit rotation and a
/// finite move per handle.
Status check_rig(const Rig& rig, std::size_t point_count);

}  // namespace ductile
