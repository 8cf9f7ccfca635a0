// SPDX-License-Identifier: MIT
#include <ductile/core/joined_sets.h>
#include <ductile/deform/body_shape.h>
#include <ductile/geom/cut/point_shares.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ductile {
namespace {

// The point of each connected rigid part that lies nearest to the part's middle, per point.
std::vector<std::int32_t> skin_anchors(const BodyShape& shape) {
    const std::span<const Vec3> rest = shape.rest();
    JoinedSets sets(rest.size());
    for (const Triangle& corners : shape.triangles()) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = corners[k], b = corners[(k + 1) % 3];
            if (shape.is_rigid(a) && shape.is_rigid(b)) sets.join(a, b);
        }
    }
    std::vector<Vec3> sum(rest.size(), Vec3::Zero());
    std::vector<double> count(rest.size(), 0.0);
    std::vector<std::int32_t> root(rest.size());
    for (std::size_t v = 0; v < rest.size(); ++v) {
        root[v] = sets.of(static_cast<std::int32_t>(v));
        sum[root[v]] += rest[v];
        count[root[v]] += 1.0;
    }
    std::vector<std::int32_t> nearest(rest.size(), -1);
    std::vector<double> distance(rest.size(), kInfinity);
    for (std::size_t v = 0; v < rest.size(); ++v) {
        const double d = (rest[v] - sum[root[v]] / count[root[v]]).squaredNorm();
        if (!(d < distance[root[v]])) continue;
        distance[root[v]] = d;
        nearest[root[v]] = static_cast<std::int32_t>(v);
    }
    for (std::int32_t& r : root) r = nearest[r];
    return root;
}

void set_rigid_points(BodyShape& shape) {
    const std::vector<std::uint8_t>& is_rigid = shape.asset->is_rigid;
    for (std::size_t v = 0; v < is_rigid.size(); ++v) {
        if (is_rigid[v]) shape.rigid_points.push_back(static_cast<std::int32_t>(v));
    }
    if (shape.rigid_points.empty()) return;
    shape.skin_anchor = skin_anchors(shape);
    for (const std::int32_t v : shape.skin_anchor) shape.skin_rest.push_back(shape.rest()[v]);
}

}  // namespace

double BodyShape::yield_speed() const {
    double lowest = kInfinity;
    for (const Layer& layer : layers) {
        if (layer.rule) lowest = std::min(lowest, layer.rule->yield_speed(*this));
    }
    return lowest;
}

YieldCurve BodyShape::yield_curve(const YieldQuery& query) const {
    YieldCurve weakest;
    for (const Layer& layer : layers) {
        if (!layer.rule) continue;
        YieldCurve curve = layer.rule->yield_curve(*this, query);
        if (curve.points.empty()) continue;
        const double force = curve.points.back().force;
        if (curve.energy(force) > weakest.energy(force)) weakest = std::move(curve);
    }
    return weakest;
}

PointShares PartOrigin::shares() const {
    return point_shares(cut, whole.rest(), piece_surface(cut, pieces).points);
}

BodyShape make_replay_shape(std::shared_ptr<const SurfaceAsset> asset) {
    BodyShape shape;
    shape.asset = std::move(asset);
    set_rigid_points(shape);
    return shape;
}

Result<std::shared_ptr<const BodyShape>> make_body_shape(
    std::shared_ptr<const SurfaceAsset> asset, const BodyShapeOptions& options,
    std::vector<std::shared_ptr<const Deformer>> rules, const Checkpoint& checkpoint) {
    Result<std::shared_ptr<BodyShape>> shape =
        make_mutable_body_shape(std::move(asset), options, std::move(rules), checkpoint);
    if (!shape) return shape.error();
    return std::shared_ptr<const BodyShape>(std::move(shape).value());
}

Result<std::shared_ptr<BodyShape>> make_mutable_body_shape(
    std::shared_ptr<const SurfaceAsset> asset, const BodyShapeOptions& options,
    std::vector<std::shared_ptr<const Deformer>> rules, const Checkpoint& checkpoint,
    std::optional<PieceTree> known_pieces) {
    auto shape = std::make_shared<BodyShape>();
    shape->asset = std::move(asset);
    shape->options = options;
    shape->material = options.material;
    const std::span<const Vec3> points = shape->rest();
    const std::span<const Triangle> triangles = shape->triangles();

    shape->box = bounds(points);
    shape->mass_model = {options.material.density, options.thickness};
    Result<MassProperties> mass =
        mass_properties(points, triangles, shape->mass_model, shape->asset->is_sheet);
    if (!mass) return mass.error();
    if (options.mass > 0) {
        shape->mass_model.density *= options.mass / mass.value().mass;
        mass = shape->mass_of(points);
        if (!mass) return mass.error();
    }
    shape->mass = mass.value();
    shape->rest_sums = std::make_shared<const MassSums>(shape->sums_of(points));

    Result<PieceTree> pieces = known_pieces
                                   ? Result<PieceTree>(std::move(*known_pieces))
                                   : cut_pieces(points, triangles, options.pieces, checkpoint);
    if (!pieces) return pieces.error();
    shape->pieces = std::move(pieces).value();
    shape->vertex_pieces = vertex_pieces(shape->pieces, points.size());

    shape->normals = vertex_normals(points, triangles);
    shape->vertex_faces = vertex_faces(points.size(), triangles);
    shape->is_closed = is_closed(triangles);
    auto tree = std::make_shared<const PointTree>(points);
    shape->rest_boxes = std::make_shared<const PointBoxes>(tree, points);
    shape->rest_surface = std::make_shared<const SurfaceQuery>(points, triangles);
    set_rigid_points(*shape);
    shape->skin_boxes = shape->skin_rest.empty()
                            ? shape->rest_boxes
                            : std::make_shared<const PointBoxes>(tree, shape->skin_rest);
    shape->size = shape->box.diagonal();
    shape->smallest_extent = (shape->box.upper - shape->box.lower).minCoeff();
    shape->edge = mean_edge_length(points, triangles);
    shape->facets = facet_height(points, triangles);
    for (std::shared_ptr<const Deformer>& rule : rules) {
        Result<std::shared_ptr<const LayerData>> data = rule->prepare(*shape);
        if (!data) {
            const Error& error = data.error();
            return Error{error.what, fmt::format("/layers/{}{}", rule->name(), error.where),
                         error.hint};
        }
        shape->layers.push_back({std::move(rule), std::move(data).value()});
    }
    return shape;
}

}  // namespace ductile
