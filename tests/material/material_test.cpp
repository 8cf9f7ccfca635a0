// SPDX-License-Identifier: MIT
#include <ductile/material/material.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>
#include <set>

using namespace ductile;

TEST_CASE("shells of the metals of Dong et al. 2011 have the restitution of its Table 1") {
    const auto shell = [](const char* name) {
        return kSheetRebound * find_material(name).value().restitution;
    };
    CHECK(std::abs(shell("steel") - 0.2) <= 0.051);
    CHECK(std::abs(shell("aluminium") - 0.15) <= 0.051);
    CHECK(std::abs(shell("copper") - 0.1) <= 0.051);
}

TEST_CASE("short names stand for the common card of that kind") {
    CHECK(find_material("steel").value().name == "mild-steel");
    CHECK(find_material("aluminium").value().name == "aluminium-soft");
    CHECK(find_material("plastic").value().name == "abs");
    CHECK(find_material("wood").value().name == "pine");
    CHECK(find_material("stone").value().name == "sandstone");
}

TEST_CASE("hardness is Tabor's three yield stresses for metals") {
    for (const Material& m : material_cards()) {
        if (m.metallic == 1.0) CHECK(test::near(m.hardness(), 3.0 * m.yield_stress));
        CHECK(m.contact_compliance() * m.youngs_modulus <= 1.0);
    }
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
