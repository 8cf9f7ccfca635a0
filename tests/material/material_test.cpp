// SPDX-License-Identifier: MIT
#include <ductile/material/material.h>

#include <doctest/doctest.h>

#include <set>

using namespace ductile;

TEST_CASE("the metals of Dong et al. 2011 have the restitution of its Table 1") {
    CHECK(find_material("steel").value().restitution == 0.2);
    CHECK(find_material("aluminium").value().restitution == 0.15);
    CHECK(find_material("copper").value().restitution == 0.1);
}

TEST_CASE("every card is within the ranges that its field list states, under a name of its own") {
    struct InRange {
        void operator()(const Field& f, const double& v) const {
            CHECK(v >= f.min);
            CHECK(v <= f.max);
        }
        void operator()(const Field& f, const Vec3& v) const {
            for (int i = 0; i < 3; ++i) (*this)(f, v[i]);
        }
        void operator()(const Field&, const std::string&) const {}
    };
    std::set<std::string> names;
    for (Material m : material_cards()) {
        visit_fields(m, InRange());
        CHECK(names.insert(m.name).second);
    }
}

TEST_CASE("an unknown material names the nearest known one") {
    const Result<Material> missing = find_material("alumnium");
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().text().find("aluminium") != std::string::npos);
}
