// SPDX-License-Identifier: MIT
// Section 3.1 of Brunel et al. 2020, "A Time-independent Deformer for Elastic-rigid Contacts".
#include <ductile/deform/press/overlap/arrange_overlaps.h>
#include <ductile/deform/press/overlap/press_overlap.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace ductile {
namespace {

/// Per connected part of a surface: whether an edge of either crosses it.
std::vector<std::uint8_t> met_parts(const PressSurface& surface,
                                    std::span<const EdgeCrossing> crossings,
                                    std::span<const EdgeCrossing> crossings_of_other) {
    const VertexComponents& parts = surface.rest.parts();
    std::vector<std::uint8_t> is_met(parts.count, 0);
    for (const EdgeCrossing& c : crossings) is_met[parts.component[c.low]] = 1;
    for (const EdgeCrossing& c : crossings_of_other) {
        is_met[parts.component[surface.triangles[c.triangle][0]]] = 1;
    }
    return is_met;
}

/// A vertex of every part that is not met and lies with all its vertices in a box.
std::vector<std::int32_t> unmet_parts(const PressSurface& surface, const Box& box,
                                      std::vector<std::uint8_t> is_met) {
    const VertexComponents& parts = surface.rest.parts();
    std::vector<std::int32_t> first(parts.count, -1), unmet;
    for (std::size_t v = 0; v < surface.points.size(); ++v) {
        const std::int32_t part = parts.component[v];
        if (is_met[part] || surface.graph[v].empty()) continue;
        if (first[part] < 0) first[part] = static_cast<std::int32_t>(v);
        is_met[part] = box.distance_sq(surface.points[v]) > 0;
    }
    for (std::int32_t part = 0; part < parts.count; ++part) {
        if (!is_met[part] && first[part] >= 0) unmet.push_back(first[part]);
    }
    return unmet;
}

// A part that no edge of either crosses may still lie within the other body whole. Most often there
// is none, and then nothing is asked of the other body.
void note_swallowed(const PressSurface& inner, const PressSurface& outer,
                    const SurfaceQuery* outer_query, std::span<const EdgeCrossing> crossings,
                    std::span<const EdgeCrossing> crossings_of_other, const char* what,
                    std::vector<std::string>& notes) {
    std::vector<std::uint8_t> is_met = met_parts(inner, crossings, crossings_of_other);
    if (std::find(is_met.begin(), is_met.end(), 0) == is_met.end()) return;
    const Box box = outer_query ? outer_query->box() : bounds(outer.points);
    const std::vector<std::int32_t> unmet = unmet_parts(inner, box, std::move(is_met));
    if (unmet.empty() || !outer.rest.is_closed()) return;
    std::unique_ptr<const SurfaceQuery> made;
    if (!outer_query) {
        made = std::make_unique<const SurfaceQuery>(outer.points, outer.triangles);
        outer_query = made.get();
    }
    const auto count = std::count_if(unmet.begin(), unmet.end(), [&](std::int32_t v) {
        return outer_query->is_inside(inner.points[v]);
    });
    if (count > 0) {
        notes.push_back(fmt::format(
            "{} {} wholly inside: there is no curve of contact to press along", count, what));
    }
}

}  // namespace

PressOverlaps find_overlaps(const PressSurface& soft, const PressSurface& rigid,
                            const SurfaceQuery& rigid_query) {
    PressOverlaps found;
    found.crossings = find_crossings(soft.points, soft.triangles, rigid_query);
    const MeshCrossings& crossings = found.crossings;
    const InsideMarks soft_marks = inside_marks(soft.graph, crossings.of_first);
    found.rigid_is_inside = inside_marks(rigid.graph, crossings.of_second).is_inside;
    note_swallowed(soft, rigid, &rigid_query, crossings.of_first, crossings.of_second,
                   "part(s) of the soft body lie", found.notes);
    note_swallowed(rigid, soft, nullptr, crossings.of_second, crossings.of_first,
                   "part(s) of the rigid body lie", found.notes);
    if (soft_marks.conflicts > 0 && count_self_crossings(rigid.points, rigid.triangles) > 0) {
        found.notes.push_back(
            "parts of the rigid body go through each other, so that it is not clear what lies "
            "inside: make one surface of them, or press with one after the other");
    } else if (soft_marks.conflicts > 0) {
        found.notes.push_back(fmt::format(
            "{} edges have one end inside and one outside but cross nothing: is a surface open, or "
            "inside out?",
            soft_marks.conflicts));
    }
    const bool is_met = !(crossings.of_first.empty() && crossings.of_second.empty());
    found.overlaps =
        arrange_overlaps(soft, rigid, soft_marks.is_inside, found.rigid_is_inside, found.crossings);
    if (found.overlaps.empty() && is_met) {
        found.notes.push_back(
            "the surfaces meet, but no vertex of the soft one is inside: the mesh "
            "is too coarse for so small an overlap");
    }
    return found;
}

double first_crossing(std::span<const EdgeCrossing> crossings, std::int32_t inner,
                      std::int32_t outer) {
    const std::pair edge(std::min(inner, outer), std::max(inner, outer));
    auto at = std::lower_bound(
        crossings.begin(), crossings.end(), edge,
        [](const EdgeCrossing& c, const auto& e) { return std::pair(c.low, c.high) < e; });
    double least = 1.0;
    for (; at != crossings.end() && std::pair(at->low, at->high) == edge; ++at) {
        least = std::min(least, inner < outer ? at->along : 1.0 - at->along);
    }
    return least;
}

}  // namespace ductile
