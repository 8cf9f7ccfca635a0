// SPDX-License-Identifier: MIT
#include <ductile/solids/car_shape.h>
#include <ductile/solids/patch_cutter.h>
#include <ductile/solids/solid_parts.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ductile {
namespace {

// A place of its own in the picture for each of the box's six faces: three columns, two rows.
Vec2 atlas_uv(const Vec3& lattice, const Vec3& axis) {
    constexpr double kMargin = 0.01;
    const Vec2 uv = box_face_uv(lattice, axis, kCarLattice);
    int column = 0;
    while (axis[column] == 0.0) ++column;
    const double row = axis[column] > 0 ? 0.0 : 1.0;
    const Vec2 inside = Vec2::Constant(kMargin) + (1.0 - 2 * kMargin) * uv;
    return {(column + inside.x()) / 3.0, (row + inside.y()) / 2.0};
}

std::int32_t look_at(const Vec3& p) {
    std::int32_t look = kCarPaint;
    for (const CarFeature& feature : car_features()) {
        if (feature.covers(p)) look = feature.look;
    }
    return look;
}

PatchCutter cut_body(double edge_length) {
    const std::vector<double> knots[3] = {rounded_knots(kCarLattice.x(), kCarEdge, edge_length),
                                          rounded_knots(kCarLattice.y(), kCarEdge, edge_length),
                                          rounded_knots(kCarLattice.z(), kCarEdge, edge_length)};
    PatchCutter body(knots, car_body);
    for (const CarFeature& feature : car_features()) {
        if (feature.is_small) body.refine(feature.outline, edge_length);
    }
    body.cut(car_arches);
    body.remove(car_arches);
    for (const CarFeature& feature : car_features()) {
        const double aside = 0.5 * feature.width;
        body.cut([&](const Vec3& p) { return feature.outline(p) + aside; });
        if (aside > 0.0) body.cut([&](const Vec3& p) { return feature.outline(p) - aside; });
    }
    return body;
}

// The tunnel of a wheel arch: its edge drawn inwards, then towards the axle, so that no light
// shines through behind the wheel.
void add_arch_liners(PatchBuilder& builder, const PatchCutter& body, double edge_length) {
    std::map<std::pair<std::int32_t, std::int32_t>, int> borders;
    for (const PatchCutter::Face& face : body.faces()) {
        for (int k = 0; k < 3; ++k) ++borders[{face.corners[k], face.corners[(k + 1) % 3]}];
    }
    const int rows = std::clamp(static_cast<int>(std::lround(0.3 / edge_length)), 1, 6);
    const double shrink[] = {0.7, 0.4};
    // The line of points that leads inwards from a border point, made once for each.
    std::map<std::int32_t, std::vector<std::int32_t>> lines;
    const auto line_from = [&](std::int32_t v) -> const std::vector<std::int32_t>& {
        std::vector<std::int32_t>& line = lines[v];
        if (!line.empty()) return line;
        const Vec3 p = body.points()[v];
        const double axle = p.z() > 0 ? kWheelPlaces[0] : kWheelPlaces[1];
        const double inside = std::copysign(kArchInside, p.x());
        line.push_back(v);
        for (int i = 1; i <= rows; ++i) {
            const double share = static_cast<double>(i) / rows;
            line.push_back(builder.add_point({p.x() + share * (inside - p.x()), p.y(), p.z()}));
        }
        for (double s : shrink) {
            line.push_back(builder.add_point(
                {inside, kWheelRadius + s * (p.y() - kWheelRadius), axle + s * (p.z() - axle)}));
        }
        return line;
    };
    for (const auto& [border, count] : borders) {
        if (borders.contains({border.second, border.first})) continue;
        // Under the floor the border runs inwards itself: the tunnel ends there.
        const Vec3 along = body.points()[border.second] - body.points()[border.first];
        if (std::abs(along.x()) > 0.8 * along.norm()) continue;
        const double innermost = std::min(std::abs(body.points()[border.first].x()),
                                          std::abs(body.points()[border.second].x()));
        if (innermost < kArchInside + 1e-3) continue;
        const std::vector<std::int32_t> a = line_from(border.first);
        const std::vector<std::int32_t> b = line_from(border.second);
        for (std::size_t i = 0; i + 1 < a.size(); ++i) {
            const double v[2] = {static_cast<double>(i) / (a.size() - 1),
                                 static_cast<double>(i + 1) / (a.size() - 1)};
            builder.add_quad({b[i], Vec2(0, v[0])}, {a[i], Vec2(1, v[0])},
                             {a[i + 1], Vec2(1, v[1])}, {b[i + 1], Vec2(0, v[1])}, kCarGap,
                             i % 2 == 0);
        }
    }
}

void fit(std::vector<Vec3>& points, const Vec3& size) {
    const Box box = bounds(points);
    const Vec3 scale = size.cwiseQuotient(box.upper - box.lower);
    for (Vec3& p : points) p = (p - box.centre()).cwiseProduct(scale);
}

}  // namespace

SurfaceAsset make_car(const SolidOptions& options) {
    // The edge asked for is meant in the finished car; the drawing may be of another size.
    const Vec3 drawn(1.87, 1.47, 4.3);
    const double edge_length = options.resolution * drawn.norm() / options.size.norm();
    PatchBuilder builder;
    for (Look& look : car_looks()) builder.add_look(std::move(look));
    const PatchCutter body = cut_body(edge_length);
    for (const Vec3& p : body.points()) builder.add_point(p);
    for (const PatchCutter::Face& face : body.faces()) {
        const auto corner = [&](int k) {
            const std::int32_t v = face.corners[k];
            const Vec3& lattice = body.lattice()[v];
            return PatchCorner{v, atlas_uv(lattice, face.axis),
                               car_body_normal(lattice, face.axis)};
        };
        builder.add_triangle(corner(0), corner(1), corner(2), look_at(body.middle(face)));
    }
    add_arch_liners(builder, body, edge_length);
    add_car_parts(builder, edge_length);
    SurfaceAsset asset = builder.finish();
    const Vec3 before = bounds(asset.surface.points).upper - bounds(asset.surface.points).lower;
    fit(asset.surface.points, options.size);
    for (std::size_t i = 0; i < asset.render.points.size(); ++i) {
        asset.render.points[i] = asset.surface.points[asset.anchors[i].points[0]];
        const Vec3 shrunk =
            asset.render.normals[i].cwiseProduct(before.cwiseQuotient(options.size));
        asset.render.normals[i] = shrunk.normalized();
    }
    return asset;
}

}  // namespace ductile
