// SPDX-License-Identifier: MIT
#include <ductile/geom/query/far_field.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

std::vector<Corners> random_patch(Rng& rng) {
    std::vector<Corners> patch;
    for (int i = 0; i < 12; ++i) {
        const Vec3 at = random_vec(rng, 0.5);
        patch.push_back(
            {at + random_vec(rng, 0.5), at + random_vec(rng, 0.5), at + random_vec(rng, 0.5)});
    }
    return patch;
}

FarField field_of(std::span<const Corners> patch, const Vec3& centre) {
    FarField field{.centre = centre};
    for (const Corners& t : patch) field.add(t);
    return field;
}

double exact(std::span<const Corners> patch, const Vec3& p) {
    double sum = 0.0;
    for (const Corners& t : patch) sum += solid_angle(p, t);
    return sum;
}

}  // namespace

TEST_CASE("the far field comes to the exact solid angle with the fifth power of the distance") {
    Rng rng(1);
    for (int i = 0; i < 30; ++i) {
        const std::vector<Corners> patch = random_patch(rng);
        const FarField field = field_of(patch, random_vec(rng, 0.1));
        const Vec3 way = random_vec(rng).normalized();
        const double error = std::abs(field.solid_angle(20 * way) - exact(patch, 20 * way));
        const double further = std::abs(field.solid_angle(80 * way) - exact(patch, 80 * way));
        // The leading term falls by 4^5; where it happens to vanish the next one falls faster.
        CHECK(further < error / 300 + 1e-12);
        CHECK(error < 1e-4);
    }
}

TEST_CASE("parts put together about another centre are the whole") {
    Rng rng(2);
    for (int i = 0; i < 30; ++i) {
        const std::vector<Corners> patch = random_patch(rng);
        const std::span<const Corners> all(patch);
        const Vec3 centre = random_vec(rng);
        const FarField whole = field_of(all, centre);
        FarField sum{.centre = centre};
        sum.add(field_of(all.first(5), random_vec(rng)));
        sum.add(field_of(all.subspan(5), random_vec(rng)));
        CHECK(test::near(sum.area, whole.area, 1e-14));
        CHECK((sum.area_vector - whole.area_vector).norm() < 1e-13);
        CHECK((sum.spread - whole.spread).norm() < 1e-13);
        for (int k = 0; k < 3; ++k) CHECK((sum.bend[k] - whole.bend[k]).norm() < 1e-13);
    }
}
