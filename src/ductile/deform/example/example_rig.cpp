// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>
#include <ductile/deform/example/example_rig.h>
#include <ductile/deform/example/example_row.h>
#include <ductile/deform/example/example_step.h>
#include <ductile/geom/cut/point_shares.h>
#include <ductile/geom/vertex_graph.h>
#include <ductile/skin/bounded_weights.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ductile {
namespace {

// How far a body's box may differ from the rigged one's, share of its size: solids of another
// resolution do by a little.
constexpr double kSameBox = 0.02;
// And its points, where the weights are a skin's.
constexpr double kSamePoint = 1e-6;
// What is kept of how hits spread, for those in the middle of their fades on all bodies of one
// kind; what was not asked for the longest goes first, and is found anew if need be.
constexpr std::size_t kKeptBytes = std::size_t{32} << 20;

Status check_fit(const ExampleRig& source, const BodyShape& shape, double scale) {
    const auto off = [&](const Vec3& a, const Vec3& b) { return (scale * a - b).norm(); };
    const double apart =
        std::max(off(source.box.lower, shape.box.lower), off(source.box.upper, shape.box.upper));
    if (!(apart <= kSameBox * shape.size)) {
        return Error{"the rig was made for a body of another form", "/rig",
                     "give the body the solid or mesh that the rig file names"};
    }
    if (source.node_weights.size() > 0) return {};
    const std::span<const Vec3> rest = shape.rest();
    bool is_same = rest.size() == source.points.size();
    for (std::size_t v = 0; is_same && v < rest.size(); ++v) {
        is_same = off(source.points[v], rest[v]) <= kSamePoint * shape.size;
    }
    if (is_same) return {};
    return Error{"the rig has the weights of a mesh file's skin, and the body has other points",
                 "/rig", "let the rig's weights be smooth, or give the body that mesh file"};
}

Rig scaled(Rig rig, double scale) {
    for (Handle& handle : rig.handles) {
        handle.place *= scale;
        handle.tip *= scale;
    }
    for (RigPose& pose : rig.poses) {
        for (Transform& move : pose.moves) move.translation *= scale;
    }
    rig.cell *= scale;
    return rig;
}

}  // namespace

Result<std::shared_ptr<const ExampleData>> ExampleData::make(
    std::shared_ptr<const ExampleRig> source, const BodyShape& shape, const ExamplePaint& paint) {
    const std::size_t poses = source->rig.poses.size();
    if (poses == 0 || poses > ExampleRow::kMostPoses) {
        return Error{fmt::format("a body takes 1 to {} example poses, the rig has {}",
                                 ExampleRow::kMostPoses, poses),
                     "/rig", ""};
    }
    const double scale = shape.size / source->box.diagonal();
    if (Status fine = check_fit(*source, shape, scale); !fine) return fine.error();
    std::optional<SkinWeights> weights;
    if (source->node_weights.size() == 0) weights = source->rig.weights;
    return fitted(std::move(source), scale, shape, paint, std::move(weights));
}

Result<std::shared_ptr<const ExampleData>> ExampleData::carried(const BodyShape& finer,
                                                                std::span<const MeshEdge> split,
                                                                const ExamplePaint& paint) const {
    std::optional<SkinWeights> weights;
    if (has_given_weights_) {
        weights = rig_.weights;
        for (const MeshEdge& edge : split) add_mean_row(*weights, edge[0], edge[1]);
    }
    return fitted(source_, scale_, finer, paint, std::move(weights));
}

// Not by the lattice: the whole's points would lose their last digits, which hang on their number.
Result<std::shared_ptr<const ExampleData>> ExampleData::on_part(const BodyShape& part,
                                                                const PartOrigin& origin,
                                                                const ExamplePaint& paint) const {
    return fitted(source_, scale_, part, paint, shared_weights(rig_.weights, origin.shares()));
}

Result<std::shared_ptr<const ExampleData>> ExampleData::fitted(
    std::shared_ptr<const ExampleRig> source, double scale, const BodyShape& shape,
    const ExamplePaint& paint, std::optional<SkinWeights> weights) {
    Result<ExampleFactors> factors = example_factors(paint, source->rig, *shape.asset);
    if (!factors) {
        const Error& error = factors.error();
        return Error{error.what, "/paint" + error.where, error.hint};
    }
    std::shared_ptr<ExampleData> data(new ExampleData);
    data->factors_ = std::move(factors).value();
    data->source_ = source;
    data->scale_ = scale;
    data->rest_.assign(shape.rest().begin(), shape.rest().end());
    std::vector<Vec3> unscaled;
    for (const Vec3& p : data->rest_) unscaled.push_back(p / scale);
    for (const Vec3& p : unscaled) data->places_.push_back(source->lattice->find(p));
    data->rig_ = scaled(source->rig, scale);
    data->has_given_weights_ = weights.has_value();
    data->rig_.weights = weights ? std::move(*weights)
                                 : carry_weights(*source->lattice, source->node_weights, unscaled,
                                                 source->threshold);
    data->frames_ = BlendFrames(data->rig_);
    data->areas_ = vertex_areas(shape.rest(), shape.triangles());
    const double all = std::accumulate(data->areas_.begin(), data->areas_.end(), 0.0);
    for (double& area : data->areas_) area /= all;
    return std::shared_ptr<const ExampleData>(std::move(data));
}

std::int32_t ExampleData::pose_index(std::string_view name) const {
    for (std::size_t e = 0; e < rig_.poses.size(); ++e) {
        if (rig_.poses[e].name == name) return static_cast<std::int32_t>(e);
    }
    return -1;
}

std::vector<double> ExampleData::spread_anew(std::span<const Vec3> starts_b, double radius) const {
    const TetLattice& lattice = *source_->lattice;
    std::vector<std::int32_t> seeds;
    for (const Vec3& start : starts_b) {
        const Tet& corners =
            lattice.tets()[static_cast<std::size_t>(lattice.find(start / scale_).tet)];
        seeds.insert(seeds.end(), corners.begin(), corners.end());
    }
    std::sort(seeds.begin(), seeds.end());
    seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
    const EdgeReach reach = edge_reach(lattice.points(), lattice.graph(), seeds,
                                       radius / scale_ + 2.0 * lattice.cell());
    std::vector<double> at_node(lattice.points().size(), kInfinity);
    for (std::size_t i = 0; i < reach.vertices.size(); ++i) {
        at_node[static_cast<std::size_t>(reach.vertices[i])] = reach.distance[i];
    }
    std::vector<double> values(rest_.size(), 0.0);
    for (std::size_t v = 0; v < rest_.size(); ++v) {
        double straight = kInfinity;
        for (const Vec3& start : starts_b) straight = std::min(straight, (rest_[v] - start).norm());
        if (!(straight < radius)) continue;
        const Tet& corners = lattice.tets()[static_cast<std::size_t>(places_[v].tet)];
        double way = 0.0;
        for (int k = 0; k < 4; ++k) {
            const double share = places_[v].shares[k];
            if (share > 0) way += share * at_node[static_cast<std::size_t>(corners[k])];
        }
        // Within a tetrahedron of a start the lattice tells nothing; the straight way does.
        values[v] = example_kernel(std::max(scale_ * way, straight) / radius);
    }
    return values;
}

std::shared_ptr<const std::vector<double>> ExampleData::spread(std::span<const Vec3> starts_b,
                                                               double radius) const {
    const auto is_it = [&](const Kept& kept) {
        return kept.radius == radius && std::equal(starts_b.begin(), starts_b.end(),
                                                   kept.starts_b.begin(), kept.starts_b.end());
    };
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(kept_.rbegin(), kept_.rend(), is_it);
        if (found != kept_.rend()) {
            std::rotate(found.base() - 1, found.base(), kept_.end());
            return kept_.back().values;
        }
    }
    Kept fresh{{starts_b.begin(), starts_b.end()},
               radius,
               std::make_shared<const std::vector<double>>(spread_anew(starts_b, radius))};
    const std::lock_guard lock(mutex_);
    const std::size_t most = std::max<std::size_t>(kKeptBytes / (sizeof(double) * rest_.size()), 1);
    if (kept_.size() >= most) kept_.erase(kept_.begin());
    kept_.push_back(fresh);
    return fresh.values;
}

double ExampleData::area_mean(std::span<const double> values) const {
    double sum = 0.0;
    for (std::size_t v = 0; v < values.size(); ++v) sum += areas_[v] * values[v];
    return sum;
}

}  // namespace ductile
