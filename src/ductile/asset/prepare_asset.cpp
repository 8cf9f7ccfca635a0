// SPDX-License-Identifier: MIT
#include <ductile/asset/bind_mesh.h>
#include <ductile/asset/carry_columns.h>
#include <ductile/asset/crease_normals.h>
#include <ductile/asset/describe_asset.h>
#include <ductile/asset/flatten_model.h>
#include <ductile/asset/guess_units.h>
#include <ductile/asset/prepare_asset.h>
#include <ductile/geom/point_attribute.h>
#include <ductile/geom/repair/mend.h>
#include <ductile/geom/repair/simplify.h>
#include <ductile/geom/repair/split_edges.h>
#include <ductile/geom/repair/weld.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>

namespace ductile {
namespace {

// What a sheet of unknown thickness gets: sheet metal, but no plate where the thing is tiny [m].
constexpr double kUsualThickness = 1e-3, kThicknessShare = 1.0 / 500.0;
// A simplified surface may part from the drawn one by this share of the largest extent.
constexpr double kSimplifyError = 0.01;

// A welded and mended mesh, and the part of each of its faces.
struct Clean {
    std::vector<std::int32_t> place;  // Per vertex of the mesh.
    std::vector<Triangle> places;     // The faces of the mesh, by place.
    std::shared_ptr<const Mended> mended;
    std::size_t welded = 0;
};

void place_points(const PlacementReport& placement, FlatModel& flat) {
    const double scale = placement.metres_per_unit;
    if (scale == 1.0 && placement.up == UpAxis::Y) return;
    for (Vec3& p : flat.render.points) p = with_y_up(p * scale, placement.up);
    for (Vec3& p : flat.render.file_vertices.points) p = with_y_up(p * scale, placement.up);
    for (Vec3& n : flat.render.normals) n = with_y_up(n, placement.up);
    for (ModelMorph& morph : flat.morphs) {
        for (Vec3& m : morph.moves) m = with_y_up(m * scale, placement.up);
    }
}

std::vector<std::int32_t> part_of_vertices(const RenderMesh& mesh) {
    std::vector<std::int32_t> part(mesh.points.size(), 0);
    for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
        std::fill_n(part.begin() + mesh.parts[p].first_vertex, mesh.parts[p].vertex_count,
                    static_cast<std::int32_t>(p));
    }
    return part;
}

std::vector<std::int32_t> part_of_triangles(const RenderMesh& mesh) {
    std::vector<std::int32_t> part(mesh.triangles.size(), 0);
    for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
        std::fill_n(part.begin() + mesh.parts[p].first_triangle, mesh.parts[p].triangle_count,
                    static_cast<std::int32_t>(p));
    }
    return part;
}

Clean clean_up(const FlatModel& flat, double tolerance, bool joins_parts) {
    const RenderMesh& mesh = flat.render;
    std::vector<std::int32_t> group = part_of_vertices(mesh);
    if (joins_parts) {
        for (std::int32_t& g : group) g = flat.roles[g] == PartRole::Deform ? -1 : g;
    }
    Clean out;
    Weld weld = weld_points(mesh.points, tolerance, group);
    out.welded = mesh.points.size() - weld.points.size();
    out.places = mesh.triangles;
    for (Triangle& t : out.places) {
        for (std::int32_t& v : t) v = weld.place[v];
    }
    out.mended = std::make_shared<const Mended>(mend_surface(weld.points, out.places));
    out.place = std::move(weld.place);
    return out;
}

// The surface a body gets, and which part each of its triangles is of.
struct BodySurface {
    std::shared_ptr<const Mended> mended;  // The clean one itself where nothing was left out.
    std::vector<std::int32_t> part;
    std::vector<std::int32_t> clean_point;  // Per point: which of the clean surface's it is.
    bool is_simplified = false;
    std::int32_t point_limit = 0;
};

// Triangles of parts that only ride do not belong to what is hit.
TriMesh without_riders(const Clean& clean, const FlatModel& flat,
                       std::span<const std::int32_t> part_of_face,
                       std::vector<std::int32_t>& source) {
    const TriMesh& all = clean.mended->surface;
    TriMesh out;
    std::vector<std::int32_t> number(all.points.size(), -1);
    for (std::size_t i = 0; i < all.triangles.size(); ++i) {
        const std::int32_t part = part_of_face[clean.mended->triangle_source[i]];
        if (flat.roles[part] == PartRole::Ride) continue;
        out.triangles.push_back(all.triangles[i]);
        for (const std::int32_t v : all.triangles[i]) number[v] = 0;
    }
    for (std::size_t v = 0; v < number.size(); ++v) {
        if (number[v] < 0) continue;
        number[v] = static_cast<std::int32_t>(out.points.size());
        out.points.push_back(all.points[v]);
        source.push_back(static_cast<std::int32_t>(v));
    }
    for (Triangle& t : out.triangles) {
        for (std::int32_t& v : t) v = number[v];
    }
    return out;
}

BodySurface whole_surface(const Clean& clean, std::span<const std::int32_t> part_of_face) {
    BodySurface out;
    out.mended = clean.mended;
    out.part.reserve(clean.mended->triangle_source.size());
    for (const std::int32_t f : clean.mended->triangle_source) out.part.push_back(part_of_face[f]);
    out.clean_point.resize(clean.mended->surface.points.size());
    std::iota(out.clean_point.begin(), out.clean_point.end(), 0);
    return out;
}

BodySurface make_surface(const Clean& clean, const FlatModel& flat, std::int32_t point_limit) {
    const std::vector<std::int32_t> part_of_face = part_of_triangles(flat.render);
    const TriMesh& all = clean.mended->surface;
    const bool has_riders =
        std::find(flat.roles.begin(), flat.roles.end(), PartRole::Ride) != flat.roles.end();
    if (!has_riders && std::ssize(all.points) <= point_limit) {
        return whole_surface(clean, part_of_face);
    }
    BodySurface out;
    std::vector<std::int32_t> source;  // Per point of what is left; all of them if it is empty.
    TriMesh surface;
    if (has_riders) surface = without_riders(clean, flat, part_of_face, source);
    const TriMesh& hit = has_riders ? surface : all;
    if (std::ssize(hit.points) > point_limit) {
        Simplified simple = simplify_surface(
            hit.points, hit.triangles, {.points = point_limit, .error_limit = kSimplifyError});
        if (has_riders) {
            for (std::int32_t& v : simple.point_source) v = source[v];
        }
        source = std::move(simple.point_source);
        surface = std::move(simple.surface);
        out.is_simplified = true;
        out.point_limit = point_limit;
    }
    // Clean surfaces come back as they are; only what simplifying broke is mended.
    out.mended = std::make_shared<const Mended>(mend_surface(surface.points, surface.triangles));
    out.clean_point.reserve(out.mended->point_source.size());
    for (const std::int32_t v : out.mended->point_source) out.clean_point.push_back(source[v]);
    std::vector<std::int32_t> part_of_point(all.points.size(), 0);
    for (std::size_t i = 0; i < all.triangles.size(); ++i) {
        const std::int32_t part = part_of_face[clean.mended->triangle_source[i]];
        for (const std::int32_t v : all.triangles[i]) part_of_point[v] = part;
    }
    out.part.reserve(out.mended->surface.triangles.size());
    for (const Triangle& t : out.mended->surface.triangles) {
        out.part.push_back(part_of_point[out.clean_point[t[0]]]);
    }
    return out;
}

// Each vertex follows the surface point at its own place, in its own fan; -1s where it has none.
std::vector<SurfaceAnchor> own_places(const Clean& clean, const BodySurface& body,
                                      const RenderMesh& render,
                                      std::span<const std::int32_t> vertex_source) {
    const Mended& mended = *clean.mended;
    std::vector<std::int32_t> of_clean(mended.surface.points.size(), -1);
    for (std::size_t p = body.clean_point.size(); p-- > 0;) {
        of_clean[body.clean_point[p]] = static_cast<std::int32_t>(p);
    }
    std::vector<std::int32_t> of_place(render.points.size() + 1, -1);
    for (std::size_t p = mended.point_source.size(); p-- > 0;) {
        of_place[mended.point_source[p]] = of_clean[p];
    }
    std::vector<std::int32_t> follows(render.points.size(), -1);
    for (std::size_t f = 0; f < render.triangles.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t p = mended.corner_points[f][k];
            std::int32_t& mine = follows[render.triangles[f][k]];
            if (mine < 0 && p >= 0) mine = of_clean[p];
        }
    }
    std::vector<SurfaceAnchor> anchors;
    anchors.reserve(follows.size());
    for (std::size_t v = 0; v < follows.size(); ++v) {
        const std::int32_t p =
            follows[v] >= 0 ? follows[v] : of_place[clean.place[vertex_source[v]]];
        anchors.push_back(SurfaceAnchor::on_point(p));
    }
    return anchors;
}

// Vertices whose place the surface does not have follow the nearest, of their own part where
// simplifying took theirs.
void bind_strays(const BodySurface& body, const RenderMesh& render,
                 std::vector<SurfaceAnchor>& anchors) {
    std::vector<std::int32_t> strays, parts;
    std::vector<Vec3> points, normals;
    const std::vector<std::int32_t> part = part_of_vertices(render);
    for (std::size_t v = 0; v < anchors.size(); ++v) {
        if (anchors[v].points[0] >= 0) continue;
        strays.push_back(static_cast<std::int32_t>(v));
        points.push_back(render.points[v]);
        normals.push_back(render.normals[v]);
        parts.push_back(part[v]);
    }
    if (strays.empty()) return;
    const BindParts own = body.is_simplified ? BindParts{parts, body.part} : BindParts{};
    const std::vector<SurfaceAnchor> found = bind_mesh(points, normals, body.mended->surface, own);
    for (std::size_t i = 0; i < strays.size(); ++i) anchors[strays[i]] = found[i];
}

void add_riders(std::span<const PartRole> roles, SurfaceAsset& asset) {
    if (std::find(roles.begin(), roles.end(), PartRole::Ride) == roles.end()) return;
    const SurfaceQuery query(asset.surface.points, asset.surface.triangles);
    for (std::size_t p = 0; p < roles.size(); ++p) {
        const MeshPart& part = asset.render.parts[p];
        if (roles[p] != PartRole::Ride || part.vertex_count == 0) continue;
        asset.riders.push_back(make_rider(
            static_cast<std::int32_t>(p),
            std::span(asset.render.points).subspan(part.first_vertex, part.vertex_count), query));
        const std::int32_t first = asset.riders.back().points[0];
        std::fill_n(asset.anchors.begin() + part.first_vertex, part.vertex_count,
                    SurfaceAnchor::on_point(first));
    }
}

void mark_rigid(const BodySurface& body, std::span<const PartRole> roles, SurfaceAsset& asset) {
    if (std::find(roles.begin(), roles.end(), PartRole::Rigid) == roles.end()) return;
    asset.is_rigid.assign(asset.surface.points.size(), 0);
    for (std::size_t i = 0; i < body.part.size(); ++i) {
        if (roles[body.part[i]] != PartRole::Rigid) continue;
        for (const std::int32_t v : asset.surface.triangles[i]) asset.is_rigid[v] = 1;
    }
}

// What is painted on the vertices, for what is painted on a body. Riding parts are not its surface.
void take_colours(std::span<const PartRole> roles, SurfaceAsset& asset) {
    const RenderMesh& render = asset.render;
    if (render.colours.empty()) return;
    constexpr std::array<const char*, 4> kNames = {"red", "green", "blue", "alpha"};
    std::vector<double> values(render.colours.size());
    for (int channel = 0; channel < 4; ++channel) {
        for (std::size_t v = 0; v < values.size(); ++v) values[v] = render.colours[v][channel];
        for (std::size_t p = 0; p < roles.size(); ++p) {
            if (roles[p] != PartRole::Ride) continue;
            const MeshPart& part = render.parts[p];
            std::fill_n(values.begin() + part.first_vertex, part.vertex_count,
                        std::numeric_limits<double>::quiet_NaN());
        }
        add_attribute(asset, kNames[static_cast<std::size_t>(channel)], values);
    }
}

Status check_surface(const BodySurface& body, const FlatModel& flat, const AssetOptions& options) {
    if (body.mended->surface.triangles.empty()) {
        return Error{"the model has no surface: all its faces are lines or points, or only ride",
                     "", "give it faces with area, and let at least one part deform or be rigid"};
    }
    if (options.fill != Fill::Solid) return {};
    for (const SurfaceComponent& c : body.mended->components) {
        if (c.is_solid()) continue;
        const std::string& part = flat.render.parts[body.part[c.first_triangle]].name;
        return Error{c.is_closed()
                         ? std::string("it should be solid, but a component is folded flat")
                         : fmt::format("it should be solid, but a component of {} triangles is "
                                       "open ({} border edges)",
                                       c.triangles, c.border_sides),
                     "part " + part, "close it, or let fill be auto or sheet"};
    }
    return {};
}

// Marks the triangles of sheets where there are both kinds; how thick they are, or 0 for none.
double fill_surface(const BodySurface& body, const AssetOptions& options, double size,
                    SurfaceAsset& asset) {
    const Mended& mended = *body.mended;
    const auto is_sheet = [&](const SurfaceComponent& c) {
        return options.fill == Fill::Sheet || (options.fill == Fill::Auto && !c.is_solid());
    };
    const auto sheets = std::count_if(mended.components.begin(), mended.components.end(), is_sheet);
    if (sheets == 0) return 0.0;
    if (sheets < std::ssize(mended.components)) {
        for (const std::int32_t c : mended.component) {
            asset.is_sheet.push_back(is_sheet(mended.components[c]) ? 1 : 0);
        }
    }
    return options.thickness > 0 ? options.thickness
                                 : std::min(kUsualThickness, kThicknessShare * size);
}

struct Stages {
    FlatModel flat;
    PlacementReport placement;
    Clean clean;
    double tolerance = 0.0;
    std::vector<std::int32_t> vertex_source;
};

using Copies = std::span<const std::vector<Vec3>>;

Result<Stages> prepare_drawn_mesh(const Model& model, const AssetOptions& options,
                                  const Copies* copies = nullptr) {
    Result<FlatModel> flat = flatten_model(model, options.parts);
    if (!flat) return flat.error();
    if (copies) {
        if (Status fits = take_copies(*copies, flat.value()); !fits) return fits.error();
    }
    Stages s{std::move(flat).value(), {}, {}, 0.0, {}};
    Result<PlacementReport> placement =
        place_model(s.flat.render.points, s.flat.render.triangles,
                    {model.format, model.metres_per_unit, model.up_axis}, options);
    if (!placement) return placement.error();
    s.placement = placement.value();
    place_points(s.placement, s.flat);
    s.tolerance = options.weld * s.placement.size.norm();
    s.clean = clean_up(s.flat, s.tolerance, options.join_parts);
    s.vertex_source = add_normals(*s.clean.mended, s.clean.places, s.flat.lacks_normals,
                                  options.crease_deg, s.flat.render);
    return s;
}

// What the parts of the surface are called, and what they are.
struct SurfaceParts {
    std::vector<MeshPart> parts;
    std::vector<PartRole> roles;
};

// Halves edges until none is longer than asked, or says that this takes too many points.
Status split_long_edges(const AssetOptions& options, SurfaceAsset& asset) {
    if (!(options.longest_edge > 0)) return {};
    const auto limit = static_cast<std::size_t>(options.surface_points > 0 ? options.surface_points
                                                                           : kSurfacePointLimit);
    while (true) {
        const std::vector<MeshEdge> edges = longer_edges(asset.surface, options.longest_edge);
        if (edges.empty()) return {};
        if (asset.surface.points.size() + edges.size() > limit) {
            return Error{fmt::format("edges of {} m at most need more than {} points",
                                     options.longest_edge, limit),
                         "longest_edge", "make it longer, or surface_points larger"};
        }
        asset = split_edges(asset, edges);
    }
}

Result<PreparedAsset> finish(const Model& model, const AssetOptions& options, Stages& stages,
                             const BodySurface& body, const SurfaceParts& parts,
                             std::vector<SurfaceAnchor> anchors) {
    PreparedAsset out;
    out.asset.surface = body.mended->surface;
    out.asset.render = std::move(stages.flat.render);
    out.asset.anchors = std::move(anchors);
    add_riders(stages.flat.roles, out.asset);
    mark_rigid(body, parts.roles, out.asset);
    take_colours(stages.flat.roles, out.asset);
    out.thickness = fill_surface(body, options, stages.placement.size.maxCoeff(), out.asset);
    const std::size_t added = out.asset.render.points.size() - stages.clean.place.size();
    add_columns(stages.flat, stages.vertex_source, out.asset);
    if (Status fine = split_long_edges(options, out.asset); !fine) return fine.error();
    take_columns(stages.flat, out);
    out.joints = joints_of(model, stages.flat, stages.placement);
    out.report = describe_asset({.model = model,
                                 .placement = stages.placement,
                                 .counts = stages.clean.mended->counts,
                                 .weld_tolerance = stages.tolerance,
                                 .welded = static_cast<std::int32_t>(stages.clean.welded),
                                 .roles = stages.flat.roles,
                                 .surface = *body.mended,
                                 .surface_part = body.part,
                                 .surface_parts = parts.parts,
                                 .is_simplified = body.is_simplified,
                                 .point_limit = body.point_limit,
                                 .thickness = out.thickness,
                                 .fill = options.fill,
                                 .added_vertices = static_cast<std::int32_t>(added)},
                                out.asset);
    return out;
}

Result<PreparedAsset> prepare(const Model& model, const AssetOptions& options,
                              const Copies* copies) {
    Result<Stages> made = prepare_drawn_mesh(model, options, copies);
    if (!made) return made.error();
    Stages& stages = made.value();
    const RenderMesh& render = stages.flat.render;
    const std::int32_t limit =
        options.surface_points > 0 ? options.surface_points : kSurfacePointLimit;
    const BodySurface body = make_surface(stages.clean, stages.flat, limit);
    if (Status ok = check_surface(body, stages.flat, options); !ok) return ok.error();
    std::vector<SurfaceAnchor> anchors =
        own_places(stages.clean, body, render, stages.vertex_source);
    bind_strays(body, render, anchors);
    const SurfaceParts parts{render.parts, stages.flat.roles};
    return finish(model, options, stages, body, parts, std::move(anchors));
}

}  // namespace

Result<PreparedAsset> prepare_asset(const Model& model, const AssetOptions& options) {
    return prepare(model, options, nullptr);
}

Result<std::vector<std::vector<Vec3>>> carry_copies(const Model& model, const AssetOptions& options,
                                                    Copies copies) {
    Result<PreparedAsset> made = prepare(model, options, &copies);
    if (!made) return made.error();
    std::vector<std::vector<Vec3>> moves;
    for (ModelMorph& morph : made.value().morphs) moves.push_back(std::move(morph.moves));
    return moves;
}

Result<PreparedAsset> prepare_asset(const Model& model, const Model& surface,
                                    const AssetOptions& options) {
    Result<Stages> made = prepare_drawn_mesh(model, options);
    if (!made) return made.error();
    Stages& stages = made.value();
    Result<FlatModel> coarse = flatten_model(surface, options.parts, /*may_miss*/ true);
    if (!coarse) return coarse.error();
    FlatModel& flat = coarse.value();
    place_points(stages.placement, flat);
    const Clean clean = clean_up(flat, stages.tolerance, options.join_parts);
    BodySurface body = make_surface(clean, flat, std::numeric_limits<std::int32_t>::max());
    body.is_simplified = true;
    if (Status ok = check_surface(body, flat, options); !ok) return ok.error();
    const RenderMesh& render = stages.flat.render;
    std::vector<SurfaceAnchor> anchors =
        bind_mesh(render.points, render.normals, body.mended->surface);
    const SurfaceParts parts{flat.render.parts, flat.roles};
    return finish(model, options, stages, body, parts, std::move(anchors));
}

}  // namespace ductile
