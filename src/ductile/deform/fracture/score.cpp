// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/bend_data.h>
#include <ductile/deform/fracture/score.h>
#include <ductile/geom/cut/cut_joints.h>
#include <ductile/geom/cut/cut_parts.h>
#include <ductile/geom/cut/point_shares.h>
#include <ductile/geom/pieces/piece_tracking.h>
#include <ductile/geom/triangle.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

// Points of a piece's cloud at most: the furthest ones along this many directions.
constexpr std::size_t kCloudPoints = 32;
// How far behind it the inner point of a piece of sheet lies at least, of its size.
constexpr double kSheetDepth = 0.01;

Look wall_look(const SurfaceAsset& asset, const Vec3& colour) {
    Look look = asset.render.looks.empty() ? Look{} : asset.render.looks[0];
    look.name = "inside";
    look.base_colour = colour;
    look.texture = nullptr;
    look.has_holes = false;
    look.metallic = 0.0;
    if (look.opacity == 1.0) look.roughness = 0.9;
    return look;
}

// Per triangle whether it is sheet.
std::vector<std::uint8_t> sheet_mask(const BodyShape& shape) {
    if (!shape.asset->is_sheet.empty()) return shape.asset->is_sheet;
    return std::vector<std::uint8_t>(shape.triangles().size(), shape.mass_model.thickness > 0);
}

// Directions spread over a sphere (Fibonacci's).
Vec3 spread_direction(std::size_t k) {
    const double height = 1.0 - 2.0 * (static_cast<double>(k) + 0.5) / kCloudPoints;
    const double turn = 2.39996322972865332 * static_cast<double>(k);
    const double across = std::sqrt(1.0 - height * height);
    return {across * std::cos(turn), height, across * std::sin(turn)};
}

std::vector<std::int32_t> cloud_tips(std::span<const std::int32_t> vertices,
                                     std::span<const Vec3> points) {
    if (vertices.size() <= kCloudPoints) return {vertices.begin(), vertices.end()};
    std::vector<std::int32_t> found;
    for (std::size_t k = 0; k < kCloudPoints; ++k) {
        const Vec3 way = spread_direction(k);
        found.push_back(*std::max_element(vertices.begin(), vertices.end(),
                                          [&](std::int32_t a, std::int32_t b) {
                                              return points[a].dot(way) < points[b].dot(way);
                                          }));
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

// Its pieces are cut already: those of a part are some of them.
bool is_fracture(const Layer& layer) { return layer.rule && layer.rule->name() == "fracture"; }

}  // namespace

GlueOptions glue_of(const Material& material, const FractureOptions& options) {
    GlueOptions glue;
    glue.youngs_modulus = material.youngs_modulus;
    glue.strength = options.strength * material.tensile_strength;
    glue.fracture_energy = options.fracture_energy * material.fracture_energy;
    glue.impact_time = options.impact_time;
    glue.handed_on = options.handed_on;
    glue.grain = options.grain;
    glue.along_grain = options.along_grain;
    return glue;
}

Result<std::shared_ptr<const Score>> Score::make(const BodyShape& shape,
                                                 const FractureOptions& options,
                                                 const Vec3& centre_b,
                                                 const std::function<bool(const Vec3&)>& is_held) {
    const Result<CellPattern> pattern = make_pattern(options.pattern, shape.box, centre_b);
    if (!pattern) return Error{pattern.error().what, "/pattern" + pattern.error().where, ""};
    std::shared_ptr<Score> score(new Score);
    score->asset_ = shape.asset;
    if (Status fine = score->cut(shape, pattern.value(), options.smallest); !fine) {
        return fine.error();
    }
    const std::size_t count = score->cut_.pieces.size();
    if (count < 2 || count > static_cast<std::size_t>(options.most)) {
        return Error{fmt::format("the pattern makes {} pieces of it", count), "/pattern",
                     fmt::format("it must be 2 to {}; `most` allows more", options.most)};
    }
    tie_loose_parts(score->cut_);
    Result<std::vector<GluePiece>> pieces = score->weighed_pieces(shape, is_held);
    if (!pieces) return pieces.error();
    Result<GlueSolver> solver = GlueSolver::make(std::move(pieces.value()), score->cut_.joints,
                                                 glue_of(shape.material, options));
    if (!solver) return solver.error();
    score->solver_ = std::make_unique<const GlueSolver>(std::move(solver.value()));
    score->cutter_ = std::make_unique<const AssetCutter>(
        *score->asset_, score->cut_, wall_look(*score->asset_, options.inner_colour));
    return std::shared_ptr<const Score>(std::move(score));
}

Status Score::cut(const BodyShape& shape, const CellPattern& pattern, double smallest) {
    CutOptions how;
    how.smallest = smallest;
    how.thickness = thickness_ = shape.mass_model.thickness;
    std::vector<std::uint8_t> is_sheet = sheet_mask(shape);
    Result<CutMesh> made = cut_by_pattern(*shape.asset, pattern, how, is_sheet);
    if (!made) return made.error();
    const auto sheets = std::count(is_sheet.begin(), is_sheet.end(), 1);
    is_shell_ = made.value().crosses_itself || made.value().open_triangles > sheets;
    if (is_shell_) {
        double area = 0.0;
        for (const Triangle& t : shape.triangles()) area += area_vector(shape.rest(), t).norm() / 2;
        how.thickness = thickness_ = shape.mass.mass / (shape.mass_model.density * area);
        std::fill(is_sheet.begin(), is_sheet.end(), 1);
        made = cut_by_pattern(*shape.asset, pattern, how, is_sheet);
        if (!made) return made.error();
    }
    cut_ = std::move(made).value();
    return {};
}

Result<std::vector<GluePiece>> Score::weighed_pieces(
    const BodyShape& shape, const std::function<bool(const Vec3&)>& is_held) const {
    const double density = shape.mass_model.density;
    const auto* bend = shape.data<BendData>();
    std::vector<std::uint8_t> is_anchored(cut_.pieces.size(), 0);
    if (bend) hold_by_bones(bend->skeleton(), bend->weights(), is_anchored);
    std::vector<GluePiece> pieces;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(cut_.pieces.size()); ++p) {
        const PieceSurface surface = piece_surface(cut_, std::span(&p, 1));
        std::vector<std::uint8_t> is_sheet;
        if (!is_shell_ && !asset_->is_sheet.empty()) {
            for (const std::int32_t f : surface.faces) {
                const std::int32_t source = cut_.faces[f].source;
                is_sheet.push_back(source >= 0 && asset_->is_sheet[source]);
            }
        }
        const Result<MassProperties> mass = mass_properties(
            surface.mesh.points, surface.mesh.triangles, {density, thickness_}, is_sheet);
        if (!mass) return mass.error();
        const MassProperties& m = mass.value();
        const bool is_in_box = is_held && is_held(m.centre_b);
        pieces.push_back({m.mass, m.centre_b, m.inertia_b, is_in_box || is_anchored[p] != 0});
    }
    return pieces;
}

// Where no piece follows an anchored bone, the one nearest to where it begins is held.
void Score::hold_by_bones(const Skeleton& skeleton, const SkinWeights& weights,
                          std::span<std::uint8_t> is_anchored) const {
    const std::vector<std::int32_t> bones = piece_bones(skeleton, weights);
    std::vector<std::int32_t> all(cut_.pieces.size());
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
        if (!skeleton.bones[b].is_anchored) continue;
        bool is_any = false;
        for (std::size_t p = 0; p < bones.size(); ++p) {
            if (bones[p] != static_cast<std::int32_t>(b)) continue;
            is_anchored[p] = 1;
            is_any = true;
        }
        if (!is_any) is_anchored[nearest_piece(skeleton.bones[b].from, all)] = 1;
    }
}

std::vector<std::int32_t> Score::piece_bones(const Skeleton& skeleton,
                                             const SkinWeights& weights) const {
    const std::size_t count = skeleton.bones.size();
    std::vector<std::vector<double>> follows(cut_.pieces.size(), std::vector<double>(count, 0.0));
    for (const CutFace& face : cut_.faces) {
        if (face.source < 0) continue;
        const double area = area_vector(cut_.points, face.corners).norm();
        for (const std::int32_t corner : face.corners) {
            const SurfaceAnchor& anchor = cut_.anchors[corner];
            for (int k = 0; k < 3; ++k) {
                if (!(anchor.weights[k] > 0)) continue;
                const auto v = static_cast<std::size_t>(anchor.points[k]);
                for (std::size_t n = 0; n < weights.handles_of(v).size(); ++n) {
                    follows[face.behind][weights.handles_of(v)[n]] +=
                        area * anchor.weights[k] * weights.weights_of(v)[n];
                }
            }
        }
    }
    std::vector<std::int32_t> bones;
    for (std::size_t p = 0; p < follows.size(); ++p) {
        const auto most = std::max_element(follows[p].begin(), follows[p].end());
        bones.push_back(*most > 0 ? static_cast<std::int32_t>(most - follows[p].begin())
                                  : nearest_bone(skeleton, cut_.pieces[p].centre).bone);
    }
    return bones;
}

std::int32_t Score::nearest_piece(const Vec3& place_b, std::span<const std::int32_t> pieces) const {
    std::vector<std::uint8_t> is_in(cut_.pieces.size(), 0);
    for (const std::int32_t p : pieces) is_in[p] = 1;
    double best_sq = kInfinity;
    std::int32_t best = pieces[0];
    for (const CutFace& face : cut_.faces) {
        const bool is_behind = is_in[face.behind];
        const bool is_front = face.front >= 0 && is_in[face.front];
        if (is_behind == is_front) continue;
        const Corners corners = {cut_.points[face.corners[0]], cut_.points[face.corners[1]],
                                 cut_.points[face.corners[2]]};
        const double distance_sq = closest_on_triangle(place_b, corners).distance_sq;
        if (distance_sq >= best_sq) continue;
        best_sq = distance_sq;
        best = is_behind ? face.behind : face.front;
    }
    return best;
}

// A cloud per piece, of the points that its faces have on the group's surface and of its middle:
// what shows one flat face only has a depth by that.
PieceTree Score::collider(std::span<const std::int32_t> pieces, const BodyShape& shape) const {
    const PieceSurface surface = piece_surface(cut_, pieces);
    std::vector<std::int32_t> place(cut_.pieces.size(), -1);
    PieceTree tree;
    for (const std::int32_t p : pieces) {
        place[p] = static_cast<std::int32_t>(tree.pieces.size());
        tree.pieces.emplace_back();
    }
    for (std::size_t t = 0; t < surface.faces.size(); ++t) {
        const CutFace& face = cut_.faces[surface.faces[t]];
        const std::int32_t own = place[face.behind] >= 0 ? face.behind : face.front;
        Piece& piece = tree.pieces[place[own]];
        piece.faces.push_back(static_cast<std::int32_t>(t));
        for (const std::int32_t v : surface.mesh.triangles[t]) piece.vertices.push_back(v);
    }
    for (const std::int32_t p : pieces) {
        Piece& piece = tree.pieces[place[p]];
        if (piece.faces.empty()) continue;
        std::sort(piece.vertices.begin(), piece.vertices.end());
        piece.vertices.erase(std::unique(piece.vertices.begin(), piece.vertices.end()),
                             piece.vertices.end());
        piece.tracked = cloud_tips(piece.vertices, shape.rest());
        Vec3 mean = Vec3::Zero();
        for (const std::int32_t v : piece.tracked) {
            mean += shape.rest()[v] / static_cast<double>(piece.tracked.size());
        }
        Vec3 inner = cut_.pieces[p].centre;
        if (cut_.pieces[p].volume == 0.0) {  // Sheet: it would be flat.
            Box box;
            for (const std::int32_t v : piece.tracked) box.add(shape.rest()[v]);
            const double depth = std::max(thickness_, kSheetDepth * box.diagonal());
            inner = inner_point(*shape.rest_surface, piece.faces, 0.0, depth);
        }
        piece.inner_offset = inner - mean;
        piece.front_offset = front_offset(piece, shape.normals);
        piece.rest_misfits.assign(piece.vertices.size(), 0.0F);
        tree.top.push_back(place[p]);
    }
    return tree;
}

Result<std::shared_ptr<BodyShape>> Score::group_shape(std::span<const std::int32_t> pieces,
                                                      const BodyShape& whole) const {
    BodyShapeOptions options = whole.options;
    options.mass = 0.0;
    options.thickness = thickness_;
    options.material.density = whole.mass_model.density;
    options.pieces.count = options.pieces.count_limit = 1;
    options.pieces.depth = 0;
    auto asset = std::make_shared<SurfaceAsset>(cutter_->make(pieces));
    if (is_shell_) asset->is_sheet.clear();
    Result<std::shared_ptr<BodyShape>> made =
        make_mutable_body_shape(std::move(asset), options, {}, {}, PieceTree{});
    if (!made) return made.error();
    BodyShape& shape = *made.value();
    shape.pieces = collider(pieces, shape);
    shape.vertex_pieces = vertex_pieces(shape.pieces, shape.rest().size());
    if (const Status fine = add_layers(pieces, whole, shape); !fine) return fine.error();
    return made;
}

Status Score::add_layers(std::span<const std::int32_t> pieces, const BodyShape& whole,
                         BodyShape& part) const {
    const bool is_held = std::any_of(pieces.begin(), pieces.end(),
                                     [&](std::int32_t p) { return solver_->pieces()[p].is_held; });
    const PartOrigin origin{whole, cut_, pieces, is_held};
    for (const Layer& layer : whole.layers) {
        if (!layer.rule) continue;
        if (is_fracture(layer)) {
            part.layers.push_back(layer);
            continue;
        }
        Result<std::shared_ptr<const LayerData>> data =
            layer.rule->part_data(layer.data.get(), part, origin);
        if (!data) return data.error();
        part.layers.push_back({layer.rule, std::move(data).value()});
    }
    return {};
}

}  // namespace ductile
