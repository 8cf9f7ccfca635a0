// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/bend/skeleton.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/fracture/fracture_options.h>
#include <ductile/deform/fracture/glue_solve.h>
#include <ductile/geom/cut/cut_asset.h>
#include <ductile/geom/cut/cut_cells.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace ductile {

/// What holds a body of some matter together.
GlueOptions glue_of(const Material& material, const FractureOptions& options);

/// A body that can break: its rest shape in pieces, and the glue between them. Immutable, shared by
/// all bodies of a kind and by what they break into: pieces are known by the same numbers for ever.
class Score {
public:
    /// `centre_b`: of the pattern. `is_held`: whether a piece whose middle lies there is fixed to
    /// what does not move; null: none is.
    /// Sheets break along edges. So does what is open or crosses itself, which no wall can fill: it
    /// breaks as a shell that is as heavy. Pieces that follow an anchored bone are held, too. Parts
    /// of a mesh that lie apart are tied to each other where they are nearest. Error: a pattern
    /// that cannot be; too many pieces, or one only.
    static Result<std::shared_ptr<const Score>> make(
        const BodyShape& shape, const FractureOptions& options, const Vec3& centre_b,
        const std::function<bool(const Vec3& middle_b)>& is_held = nullptr);

    const CutMesh& cut() const { return cut_; }
    const GlueSolver& solver() const { return *solver_; }
    /// Whether it breaks as a shell though it is no sheet.
    bool is_shell() const { return is_shell_; }

    /// The bone that each piece of a body follows most, by the area of the body's surface on it; a
    /// piece within the body the nearest one. Requires: a row per point of the whole's surface.
    std::vector<std::int32_t> piece_bones(const Skeleton& skeleton,
                                          const SkinWeights& weights) const;

    /// Of some pieces, the one whose surface, walls included, is nearest to a place.
    /// Requires: at least one.
    std::int32_t nearest_piece(const Vec3& place_b, std::span<const std::int32_t> pieces) const;

    /// Some pieces as a body, in the whole's frame and with its matter and rules; it collides as
    /// one convex cloud per piece. A layer `fracture` keeps the whole's data. Error: no body can be
    /// like that.
    Result<std::shared_ptr<BodyShape>> group_shape(std::span<const std::int32_t> pieces,
                                                   const BodyShape& whole) const;

private:
    Score() = default;
    Status cut(const BodyShape& shape, const CellPattern& pattern, double smallest);
    Result<std::vector<GluePiece>> weighed_pieces(
        const BodyShape& shape, const std::function<bool(const Vec3&)>& is_held) const;
    void hold_by_bones(const Skeleton& skeleton, const SkinWeights& weights,
                       std::span<std::uint8_t> is_anchored) const;
    Status add_layers(std::span<const std::int32_t> pieces, const BodyShape& whole,
                      BodyShape& part) const;
    PieceTree collider(std::span<const std::int32_t> pieces, const BodyShape& shape) const;

    std::shared_ptr<const SurfaceAsset> asset_;
    CutMesh cut_;
    double thickness_ = 0.0;  ///< Of what is sheet [m].
    bool is_shell_ = false;
    std::unique_ptr<const GlueSolver> solver_;
    std::unique_ptr<const AssetCutter> cutter_;
};

}  // namespace ductile
