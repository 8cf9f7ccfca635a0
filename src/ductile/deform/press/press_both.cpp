// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press_both.h>
#include <ductile/deform/press/press_mapping.h>

#include <utility>

namespace ductile {
namespace {

/// A surface as a press leaves it that has nothing to do.
Pressed untouched(const TriMesh& mesh) {
    Pressed pressed;
    pressed.points = mesh.points;
    pressed.zone.assign(mesh.points.size(), -1);
    pressed.radial.assign(mesh.points.size(), 1.0);
    pressed.amplitude.assign(mesh.points.size(), 0.0);
    return pressed;
}

/// `a` with what is inside `b` moved towards it. Requires: surfaces that a press accepts.
TriMesh middle_surface(const TriMesh& a, const TriMesh& b, double share, PressMapKind kind,
                       std::vector<std::string>& notes) {
    const KeptSurface kept_a(a);
    const auto kept_b = std::make_shared<const KeptSurface>(b);
    const PreparedRigid prepared{kept_b, SurfaceQuery(b.points, b.triangles)};
    const PressSurface on(kept_a, a.points), by = prepared.surface();
    const PressOverlaps found = find_overlaps(on, by, prepared.query);
    TriMesh middle = a;
    for (const PressOverlap& overlap : found.overlaps) {
        const Result<PressMapping> mapping = PressMapping::make(on, by, overlap, nullptr, kind);
        if (!mapping) {
            notes.push_back("an overlap is left to the other body: " + mapping.error().text());
            continue;
        }
        const PressMapping& map = mapping.value();
        for (const std::int32_t v : overlap.inside) {
            const Vec3 onto = map.lift(map.flat(map.place(v))).position;
            middle.points[v] = (1.0 - share) * a.points[v] + share * onto;
        }
    }
    return middle;
}

}  // namespace

Result<PressedBoth> press_both(const TriMesh& a, const TriMesh& b, double share,
                               const PressOptions& options_a, const PressOptions& options_b) {
    if (!(share >= 0 && share <= 1)) return Error{"a share is in [0, 1]", "share", ""};
    const Result<Presser> on_a = Presser::make(a, options_a), on_b = Presser::make(b, options_b);
    if (!on_a) return on_a.error();
    if (!on_b) return on_b.error();
    const auto press = [](const Result<Presser>& presser, TriMesh rigid) -> Result<Pressed> {
        const Result<PressRigid> by = PressRigid::make(std::move(rigid));
        if (!by) return by.error();
        return presser.value().press(presser.value().rest().points, by.value());
    };
    PressedBoth both;
    std::vector<std::string> notes;
    both.b = untouched(b);
    if (share < 1) {
        Result<Pressed> pressed =
            press(on_b, share > 0 ? middle_surface(a, b, share, options_a.mapping, notes) : a);
        if (!pressed) return pressed.error();
        both.b = std::move(pressed.value());
    }
    both.a = untouched(a);
    if (share > 0) {
        Result<Pressed> pressed = press(on_a, TriMesh{both.b.points, b.triangles});
        if (!pressed) return pressed.error();
        both.a = std::move(pressed.value());
    }
    both.a.report.notes.insert(both.a.report.notes.begin(), notes.begin(), notes.end());
    return both;
}

}  // namespace ductile
