// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>

namespace ductile {

void BodyShape::press(const HitRecord& record, double amount, std::span<Vec3> points) const {
    apply_record(record, rest(), amount, points);
    for (const std::int32_t v : rigid_points) points[v] = rest()[v];
}

Result<std::shared_ptr<const BodyShape>> make_body_shape(
    std::shared_ptr<const SurfaceAsset> asset, const BodyShapeOptions& options,
    std::vector<std::shared_ptr<const Deformer>> layers) {
    auto shape = std::make_shared<BodyShape>();
    shape->asset = std::move(asset);
    shape->material = options.material;
    shape->layers = std::move(layers);
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

    Result<PieceTree> pieces = cut_pieces(points, triangles, options.pieces);
    if (!pieces) return pieces.error();
    shape->pieces = std::move(pieces).value();
    shape->vertex_pieces = vertex_pieces(shape->pieces, points.size());

    shape->normals = vertex_normals(points, triangles);
    shape->vertex_faces = vertex_faces(points.size(), triangles);
    shape->rest_boxes =
        std::make_shared<const PointBoxes>(std::make_shared<const PointTree>(points), points);
    shape->rest_surface = std::make_shared<const SurfaceQuery>(points, triangles);
    const std::vector<std::uint8_t>& is_rigid = shape->asset->is_rigid;
    for (std::size_t v = 0; v < is_rigid.size(); ++v) {
        if (is_rigid[v]) shape->rigid_points.push_back(static_cast<std::int32_t>(v));
    }
    shape->size = shape->box.diagonal();
    shape->smallest_extent = (shape->box.upper - shape->box.lower).minCoeff();
    shape->edge = mean_edge(points, triangles);
    return std::shared_ptr<const BodyShape>(std::move(shape));
}

}  // namespace ductile
