// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/hit.h>
#include <ductile/deform/request.h>
#include <ductile/deform/yield_curve.h>
#include <ductile/geom/repair/split_edges.h>
#include <ductile/impact/impact.h>

#include <memory>
#include <string_view>
#include <vector>

namespace ductile {

struct BodyShape;
struct CutMesh;
struct PointShares;
class SurfaceQuery;

/// What a layer prepares once from a body at rest and needs to execute its records: weights,
/// segments, lattices. Immutable. A replay needs data, never rules.
class LayerData {
public:
    virtual ~LayerData() = default;
};

/// A struck body as a layer sees it.
struct StruckBody {
    const BodyShape& shape;
    const SurfaceQuery& surface;  ///< Its unskinned surface u + d, as it was before this step.
    const LayerData* data;        ///< What the layer prepared; null for one that prepares nothing.
    /// Shares of example poses that its points have, as before this step; empty: at rest.
    std::span<const ExampleRow> rows = {};
};

/// What a layer wants done about an impact.
struct Response {
    double work = 0.0;        ///< What the records take of the impact's energy [J].
    bool is_limited = false;  ///< Whether a limit, not the material, decided how deep they are.
    double duration = 0.0;    ///< Over which the records come to their full amount [s].
    HitGrowth growth = HitGrowth::Smooth;  ///< How they do.
    std::vector<HitRecord> records;        ///< To be appended to the body's journal.
    std::vector<Request> requests;         ///< To be carried out once the records are written.
};

/// Where a part of a body that broke comes from.
struct PartOrigin {
    const BodyShape& whole;  ///< At rest, without mesh records.
    const CutMesh& cut;
    std::span<const std::int32_t> pieces;  ///< Of the cut, that the part is, ascending.
    bool is_held = false;                  ///< Whether it is fixed to what does not move.

    /// What each point of the part has of the whole's. O(points of the cut).
    PointShares shares() const;
};

/// The rule of a layer, one way of deforming: decides what an impact does to a body. Executing the
/// decision is `apply_record`, which needs the layer's data at most: a journal replays without
/// rules.
///
/// All of it is const, may run for several bodies at once, and always gives the same answer.
class Deformer {
public:
    virtual ~Deformer() = default;

    /// As scenes and reports call the layer.
    virtual std::string_view name() const = 0;

    /// Prepares what the layer's records need of a body at rest. Null: nothing.
    /// Error: a body that the layer cannot deform.
    virtual Result<std::shared_ptr<const LayerData>> prepare(const BodyShape& /*rest*/) const {
        return std::shared_ptr<const LayerData>();
    }

    /// What `base`, prepared from a coarser mesh, becomes on a finer one that came from it by
    /// splitting edges; `split` has those of all new points, in their order. Records made on either
    /// mesh must act on both. Null: the layer has nothing that its records need.
    virtual std::shared_ptr<const LayerData> carry(const LayerData& /*base*/,
                                                   const BodyShape& /*finer*/,
                                                   std::span<const MeshEdge> /*split*/) const {
        return nullptr;
    }

    /// What `whole`, prepared from a body that has broken, becomes on a part of it: records that
    /// the whole has taken move the part's points as they moved the whole's. It may be that the
    /// layer only keeps on the part what it did to the whole, and answers nothing more. By default
    /// it is prepared anew, as records need no data. Error: a part that cannot be deformed like
    /// that.
    virtual Result<std::shared_ptr<const LayerData>> part_data(const LayerData* /*whole*/,
                                                               const BodyShape& part,
                                                               const PartOrigin& /*origin*/) const {
        return prepare(part);
    }

    /// Approach speed up to which the layer answers nothing [m/s].
    virtual double yield_speed(const BodyShape& shape) const = 0;

    /// How much energy the layer lets the body take up under which force; empty: none. Two bodies
    /// that meet share the energy by it.
    virtual YieldCurve yield_curve(const BodyShape& /*shape*/, const YieldQuery& /*query*/) const {
        return {};
    }

    /// Layers of higher priority take their share of an impact first; then in the body's order.
    virtual int priority() const { return 0; }

    /// The share of an impact's energy that the layer wants, in [0, 1]. It gets what those before
    /// it have left, at most: shares sum to at most 1.
    virtual double wanted_share(const BodyImpact& /*impact*/, const StruckBody& /*body*/) const {
        return 1.0;
    }

    /// Whether it ever wants one.
    virtual bool takes_energy() const { return true; }

    /// Finer meshes that the body needs to show a record which is about to be written, as records
    /// of Stage::Mesh, written before it. None: it has them, or the layer does not care.
    virtual std::vector<HitRecord> finer_meshes(const HitRecord& /*record*/,
                                                const StruckBody& /*body*/) const {
        return {};
    }

    /// Decides about one impact, looking at the surface as it was before this step (Jacobi: all
    /// bodies decide before any is changed). `impact` holds the layer's share of the energy.
    virtual void respond(const BodyImpact& impact, const StruckBody& body,
                         Response& response) const = 0;

    /// The same for all impacts on a body in one step: for layers whose answers would overlap.
    /// Requires: a response per impact.
    virtual void respond_all(std::span<const BodyImpact> impacts, const StruckBody& body,
                             std::span<Response> responses) const {
        for (std::size_t i = 0; i < impacts.size(); ++i) respond(impacts[i], body, responses[i]);
    }
};

/// A layer of a body: a rule and the data that it prepared from the body at rest.
struct Layer {
    std::shared_ptr<const Deformer> rule;   ///< Null in a body that is only replayed.
    std::shared_ptr<const LayerData> data;  ///< May be null.
};

}  // namespace ductile
