// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent_guard.h>
#include <ductile/geom/mass.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/dent_witness.h>
#include <support/slab.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("a thousand random dents turn no front triangle over and let no front pass its back") {
    struct Case {
        const char* name;
        std::shared_ptr<const SurfaceAsset> asset;
    };
    const Case cases[] = {
        {"plate", solid(SolidKind::Plate, Vec3(0.6, 0.02, 0.6), 0.03)},
        {"can", solid(SolidKind::Cylinder, Vec3(0.3, 0.6, 0.3), 0.03)},
        {"ring", solid(SolidKind::Torus, Vec3(0.6, 0.2, 0.6), 0.03)},
    };
    for (const Case& c : cases) {
        CAPTURE(std::string(c.name));
        witness_dents(c.asset->surface, kIsSanitized ? 60 : 1000, 12);
    }
}

TEST_CASE("a falloff too steep for the thickness it meets is softened, one that fits is not") {
    const TriMesh thick = slab(60, 1.0, 0.5), thin = slab(60, 1.0, 0.02);
    DentHit hit;
    hit.depth = 0.06;
    hit.radius = 0.3;
    hit.fade = 0.01;  // far steeper than safe_fade(0.06) = 0.033
    DentHit on_thick = hit, on_thin = hit;
    guard_dent(on_thick, SurfaceQuery(thick.points, thick.triangles), thick.points);
    guard_dent(on_thin, SurfaceQuery(thin.points, thin.triangles), thin.points);
    CHECK(on_thick.fade == hit.fade);
    CHECK(on_thick.depth == hit.depth);
    CHECK(on_thin.fade > hit.fade);
    CHECK(on_thin.fade <= safe_fade(Attenuation::Logistic, hit.depth));
    CHECK(on_thin.depth == hit.depth);
    // Without the guard the front does pass the back: figure 2d of the seed.
    std::vector<Vec3> bad = thin.points, good = thin.points;
    press_dent(bad, thin.points, hit, 1.0);
    press_dent(good, thin.points, on_thin, 1.0);
    const auto thickness = [&](const std::vector<Vec3>& p) {
        double least = 1.0;
        for (std::size_t v = 0; v < p.size() / 2; ++v) {
            least = std::min(least, p[v].y() - p[v + p.size() / 2].y());
        }
        return least;
    };
    CHECK(thickness(bad) < 0.0);
    CHECK(thickness(good) > 0.0);
}
