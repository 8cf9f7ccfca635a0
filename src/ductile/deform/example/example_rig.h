// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/deformer.h>
#include <ductile/deform/example/example_paint.h>
#include <ductile/geom/rig.h>
#include <ductile/geom/tet_lattice.h>
#include <ductile/skin/blend_frames.h>

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// A rig as layers take it: for any surface that is the rigged one, finer, coarser, or of another
/// size.
struct ExampleRig {
    Rig rig;                                    ///< Of the surface it was made for.
    std::shared_ptr<const TetLattice> lattice;  ///< Around that surface.
    Eigen::MatrixXd node_weights;  ///< A row per node of the lattice; empty: a skin's own weights.
    double threshold = 0.001;      ///< As the rig's weights were carried to its surface.
    Box box;                       ///< Of that surface.
    std::vector<Vec3> points;      ///< Of that surface.
};

/// What example poses need of one body: its rig, how far it is from place to place.
class ExampleData final : public LayerData {
public:
    /// Fits a rig to a body. Error: more poses than a row can have, none at all, or a body that is
    /// not what the rig was made for, or that cannot be painted so.
    static Result<std::shared_ptr<const ExampleData>> make(std::shared_ptr<const ExampleRig> source,
                                                           const BodyShape& shape,
                                                           const ExamplePaint& paint = {});

    /// On a finer mesh of the same body, by splitting edges. Error: what cannot be painted so.
    Result<std::shared_ptr<const ExampleData>> carried(const BodyShape& finer,
                                                       std::span<const MeshEdge> split,
                                                       const ExamplePaint& paint) const;
    /// On a part of the body. Error: likewise.
    Result<std::shared_ptr<const ExampleData>> on_part(const BodyShape& part,
                                                       const PartOrigin& origin,
                                                       const ExamplePaint& paint) const;

    /// In the body's size, with weights of its points.
    const Rig& rig() const { return rig_; }
    /// Where that takes its points.
    const BlendFrames& frames() const { return frames_; }
    std::size_t pose_count() const { return rig_.poses.size(); }
    /// Its place in a row; -1: none has this name.
    std::int32_t pose_index(std::string_view name) const;
    /// What is painted on its points.
    const ExampleFactors& factors() const { return factors_; }

    /// How much each point of the body has of a change that is spread from `starts_b`, in [0, 1]:
    /// the kernel over the way through the lattice, never below the straight one. Kept for the
    /// next time somebody asks; several threads may.
    std::shared_ptr<const std::vector<double>> spread(std::span<const Vec3> starts_b,
                                                      double radius) const;
    /// The mean of values over the body's area at rest. Requires: one per point.
    double area_mean(std::span<const double> values) const;

private:
    ExampleData() = default;
    /// `weights`: of the shape's points; none: they are found on the lattice.
    static Result<std::shared_ptr<const ExampleData>> fitted(
        std::shared_ptr<const ExampleRig> source, double scale, const BodyShape& shape,
        const ExamplePaint& paint, std::optional<SkinWeights> weights);
    std::vector<double> spread_anew(std::span<const Vec3> starts_b, double radius) const;

    std::shared_ptr<const ExampleRig> source_;
    Rig rig_;
    BlendFrames frames_;
    ExampleFactors factors_;
    bool has_given_weights_ = false;    ///< Not those of the lattice.
    double scale_ = 1.0;                ///< Of the body against the rigged surface.
    std::vector<Vec3> rest_;            ///< Of the body's points.
    std::vector<LatticePlace> places_;  ///< Of those.
    std::vector<double> areas_;         ///< Of those, as shares of all.

    struct Kept {
        std::vector<Vec3> starts_b;
        double radius = 0.0;
        std::shared_ptr<const std::vector<double>> values;
    };
    mutable std::mutex mutex_;
    mutable std::vector<Kept> kept_;  ///< The one last asked for comes last.
};

}  // namespace ductile
