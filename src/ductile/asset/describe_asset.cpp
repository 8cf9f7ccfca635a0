// SPDX-License-Identifier: MIT
#include <ductile/asset/bind_mesh.h>
#include <ductile/asset/describe_asset.h>
#include <ductile/geom/triangle.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

// Solid angles computed at most to find shells within shells: 0.1 s.
constexpr std::int64_t kNestingBudget = 5'000'000;
// From this size on a thing of several closed parts is more often hollow than not [m].
constexpr double kVehicle = 1.0;
// Of closed parts beside others [m^3]: 400 kg of steel are rarely meant to be solid.
constexpr double kBulky = 0.05;

FileReport describe_file(const Model& model) {
    FileReport out;
    out.format = model.format;
    out.has_normals = !model.meshes.empty();
    for (const ModelMesh& mesh : model.meshes) {
        out.split_vertices += static_cast<std::int32_t>(mesh.points.size());
        out.triangles += static_cast<std::int32_t>(mesh.triangles.size());
        out.has_normals = out.has_normals && !mesh.normals.empty();
        out.has_uvs = out.has_uvs || !mesh.uvs.empty();
        out.has_colours = out.has_colours || !mesh.colours.empty();
    }
    out.vertices = model.file_points.empty() ? out.split_vertices
                                             : static_cast<std::int32_t>(model.file_points.size());
    for (const ModelNode& node : model.nodes) out.parts += node.mesh >= 0 ? 1 : 0;
    if (model.nodes.empty()) out.parts = static_cast<std::int32_t>(model.meshes.size());
    out.looks = static_cast<std::int32_t>(model.looks.size());
    for (std::size_t i = 0; i < model.looks.size(); ++i) {
        const auto& texture = model.looks[i].texture;
        const auto is_same = [&](const Look& look) { return look.texture == texture; };
        const auto first = std::find_if(model.looks.begin(), model.looks.end(), is_same);
        if (texture && first == model.looks.begin() + static_cast<std::ptrdiff_t>(i))
            ++out.textures;
    }
    out.skins = static_cast<std::int32_t>(model.skins.size());
    out.animations = static_cast<std::int32_t>(model.animations.size());
    return out;
}

MendReport describe_mending(const AssetFacts& facts) {
    const MendCounts& n = facts.counts;
    return {facts.weld_tolerance, facts.welded,   n.unused_points, n.collapsed, n.copies,
            n.back_sides,         n.fins,         n.without_area,  n.slivers,   n.nonmanifold_edges,
            n.twisted_edges,      n.split_points, n.flipped};
}

bool is_sheet(const AssetFacts& facts, const SurfaceComponent& c) {
    return facts.fill == Fill::Sheet || (facts.fill == Fill::Auto && !c.is_solid());
}

SurfaceReport describe_surface(const AssetFacts& facts, const SurfaceAsset& asset) {
    SurfaceReport out;
    out.points = static_cast<std::int32_t>(asset.surface.points.size());
    out.triangles = static_cast<std::int32_t>(asset.surface.triangles.size());
    out.components = static_cast<std::int32_t>(facts.surface.components.size());
    for (const SurfaceComponent& c : facts.surface.components) {
        out.closed += c.is_closed() ? 1 : 0;
        out.sheets += is_sheet(facts, c) ? 1 : 0;
        out.holes += c.border_loops;
        out.border_edges += c.border_sides;
        out.area += c.area;
        if (!is_sheet(facts, c)) out.volume += c.volume;
    }
    out.is_simplified = facts.is_simplified;
    out.thickness = facts.thickness;
    out.added_vertices = facts.added_vertices;
    std::vector<std::uint8_t> is_measured(asset.render.points.size(), 0);
    for (const Triangle& t : asset.render.triangles) {
        for (const std::int32_t v : t) is_measured[v] = 1;
    }
    for (const Rider& rider : asset.riders) {
        const MeshPart& part = asset.render.parts[rider.part];
        std::fill_n(is_measured.begin() + part.first_vertex, part.vertex_count, std::uint8_t{0});
    }
    for (std::size_t v = 0; v < is_measured.size(); ++v) {
        if (!is_measured[v]) continue;
        const Vec3 place = anchored_place(asset.anchors[v], asset.surface.points);
        out.deviation = std::max(out.deviation, (asset.render.points[v] - place).norm());
    }
    return out;
}

std::vector<ComponentReport> describe_components(const AssetFacts& facts) {
    const std::vector<SurfaceComponent>& all = facts.surface.components;
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return all[a].area > all[b].area; });
    order.resize(std::min(order.size(), kListedComponents));
    std::vector<ComponentReport> out;
    for (const std::size_t i : order) {
        const SurfaceComponent& c = all[i];
        const std::string& part = facts.surface_parts[facts.surface_part[c.first_triangle]].name;
        out.push_back({part, c.points, c.triangles, c.border_loops, c.is_closed(),
                       is_sheet(facts, c), c.area, c.volume});
    }
    return out;
}

// Whether the first corner of one component lies inside another one.
bool is_within(const Mended& surface, const SurfaceComponent& inner, const SurfaceComponent& outer,
               std::int32_t outer_number) {
    const std::vector<Vec3>& points = surface.surface.points;
    const Vec3& p = points[surface.surface.triangles[inner.first_triangle][0]];
    double angle = 0.0;
    for (std::size_t i = outer.first_triangle; i < surface.component.size(); ++i) {
        if (surface.component[i] != outer_number) continue;
        const Triangle& t = surface.surface.triangles[i];
        angle += solid_angle(p, {points[t[0]], points[t[1]], points[t[2]]});
    }
    return angle > 2.0 * kPi;
}

// Closed shells that lie in another; as many as the budget lets one find.
std::int32_t nested_shells(const Mended& surface) {
    std::int64_t budget = kNestingBudget;
    std::int32_t found = 0;
    const std::vector<SurfaceComponent>& all = surface.components;
    if (std::ssize(all) > 2000) return 0;  // Pairs alone would take longer than what is asked.
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t o = 0; o < all.size(); ++o) {
            const bool may_hold = i != o && all[i].is_solid() && all[o].is_solid() &&
                                  (all[i].box.lower.array() > all[o].box.lower.array()).all() &&
                                  (all[i].box.upper.array() < all[o].box.upper.array()).all();
            if (!may_hold) continue;
            budget -= std::ssize(surface.component);
            if (budget < 0) return found;
            if (!is_within(surface, all[i], all[o], static_cast<std::int32_t>(o))) continue;
            ++found;
            break;
        }
    }
    return found;
}

void add_notes(const AssetFacts& facts, const SurfaceAsset& asset, AssetReport& out) {
    std::vector<std::string>& notes = out.notes;
    const MendCounts& n = facts.counts;
    if (n.back_sides > 0) {
        notes.push_back(fmt::format(
            "{} faces are stored from both sides; the surface has them once", n.back_sides));
    }
    if (n.twisted_edges > 0) {
        notes.push_back(
            "a band is twisted, so that it has no outside; it was cut where the "
            "windings meet the wrong way round");
    }
    const auto flat =
        std::count_if(facts.surface.components.begin(), facts.surface.components.end(),
                      [](const SurfaceComponent& c) { return c.is_closed() && !c.is_solid(); });
    if (flat > 0 && facts.fill == Fill::Auto) {
        notes.push_back(
            fmt::format("{} closed components are folded flat and count as sheets", flat));
    }
    if (facts.fill != Fill::Sheet) {
        if (const std::int32_t nested = nested_shells(facts.surface); nested > 0) {
            notes.push_back(
                fmt::format("{} closed components lie inside another; their volume "
                            "counts twice",
                            nested));
        }
    }
    const std::int32_t solids = out.surface.components - out.surface.sheets;
    const bool is_large = facts.placement.size.maxCoeff() >= kVehicle;
    const bool is_bulky = out.surface.components > 1 && out.surface.volume >= kBulky;
    if (facts.fill == Fill::Auto && ((solids > 1 && is_large) || (solids > 0 && is_bulky))) {
        notes.push_back(
            solids == 1
                ? fmt::format("1 closed component counts as solid, {:.3g} m^3; if it is hollow, as "
                              "that of a barrel is, fill=sheet makes it sheet",
                              out.surface.volume)
                : fmt::format("{} closed components count as solid, {:.3g} m^3 in all; if they are "
                              "hollow, as those of a car are, fill=sheet makes them sheet",
                              solids, out.surface.volume));
    }
    if (facts.point_limit > 0 && out.surface.points > facts.point_limit) {
        notes.push_back(
            fmt::format("the surface could not be simplified below {} points without "
                        "parting from the drawn mesh",
                        out.surface.points));
    }
    if (!asset.riders.empty()) {
        notes.push_back(fmt::format("{} parts ride along and add no mass", asset.riders.size()));
    }
}

}  // namespace

AssetReport describe_asset(const AssetFacts& facts, const SurfaceAsset& asset) {
    AssetReport out;
    out.file = describe_file(facts.model);
    out.placement = facts.placement;
    out.mended = describe_mending(facts);
    out.surface = describe_surface(facts, asset);
    for (std::size_t p = 0; p < asset.render.parts.size(); ++p) {
        const MeshPart& part = asset.render.parts[p];
        out.parts.push_back({part.name, facts.roles[p], part.vertex_count, part.triangle_count});
    }
    out.components = describe_components(facts);
    out.notes = facts.model.notes;
    add_notes(facts, asset, out);
    return out;
}

}  // namespace ductile
