// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press.h>

namespace ductile {

class RestSurface;

struct PressedBoth {
    Pressed a, b;
};

/// Presses two soft bodies onto each other, frame by frame (the paper's future work).
///
/// The setup is that of `a`; its `both` holds what `b` has of its own, and the share: how much of
/// the overlap `a` gives way by. 0 makes `a` rigid, 1 makes `b` rigid, exactly as `press_soft`
/// would. Between them lies a middle surface: where the distances to `a`
/// and to `b` are as `share` to 1 - `share`. Each body is pressed onto the other one as far as
/// that surface goes, so neither comes first: both swapped, with the rest of the share, give
/// swapped shapes, to the bit where the numbers are (1 - (1 - share) is share). In their zones they
/// meet on the middle surface, up to what the chords of the two meshes leave. Where an overlap of
/// one body cannot be mapped, it stays there and the other gives way alone; so it does where no
/// zone of a body can be had at all. Notes say so.
///
/// Keeps what follows from the bodies at rest, nothing of any frame; see `Presser`.
class BothPresser {
public:
    /// A setup without `both` has its defaults. Error: as `Presser::make`.
    static Result<BothPresser> make(TriMesh a, TriMesh b, PressSetup setup = {});

    /// The same bodies with other numbers; see `Presser::with_options`.
    Result<BothPresser> with_options(const PressOptions& a, const PressOptions& b) const;

    /// One frame: the points of both now, each in its own frame, and where b's frame is in a's.
    /// May be called by several threads at once. Error: as `Presser::press`.
    Result<PressedBoth> press(std::span<const Vec3> a, std::span<const Vec3> b,
                              const Transform& b_pose = {}) const;

    /// Measures what a frame that `press` gave for the same arguments leaves undone, each body
    /// beside the other one as it then is; see `Presser::measure`.
    void measure(std::span<const Vec3> a, std::span<const Vec3> b, const Transform& b_pose,
                 PressedBoth& both) const;

private:
    /// A body in both of its roles.
    struct Body {
        Presser soft;
        PressRigid hard;
        std::shared_ptr<const RestSurface> rest;

        static Result<Body> make(TriMesh mesh, const PressSetup& setup);
    };
    BothPresser(Body a, Body b, double share);
    /// Both onto the middle surface.
    Result<PressedBoth> press_halfway(std::span<const Vec3> a, std::span<const Vec3> b,
                                      const Transform& b_pose) const;

    Body a_, b_;
    double share_;  ///< Of a.
};

/// One frame of two bodies as they are. Error: as `BothPresser`.
Result<PressedBoth> press_both(const TriMesh& a, const TriMesh& b, const PressSetup& setup = {});

}  // namespace ductile
