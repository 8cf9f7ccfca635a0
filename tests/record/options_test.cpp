// SPDX-License-Identifier: MIT
#include <ductile/record/energy_balance.h>
#include <ductile/record/export_options.h>
#include <ductile/record/picture_options.h>

#include <doctest/doctest.h>
#include <support/field_laws.h>

#include <map>

using namespace ductile;

TEST_CASE("picture options keep the law of field lists") {
    test::check_field_list<PictureOptions>();
}

TEST_CASE("an energy balance has no gap exactly when its entries add up") {
    EnergyBalance balance{.start = 8,
                          .forces = 4,
                          .dissipated = 2,
                          .gained = 1,
                          .integration = 0.5,
                          .reshape = -0.25,
                          .outside = 16,
                          .now = 27.25};
    CHECK(balance.gap() == 0.0);
    balance.now += 3;
    CHECK(balance.gap() == 3.0);
    std::map<std::string, double> entries;
    visit_entries(balance, [&](const char* name, double value) { entries[name] = value; });
    CHECK(entries.size() == 9);
    CHECK(entries["gap"] == 3.0);
    CHECK(entries["reshape"] == -0.25);
}

TEST_CASE("kinds of export have a name for each enumerator, in their order") {
    CHECK(enum_names(CacheSpace{})[static_cast<int>(CacheSpace::Body)] == "body");
    CHECK(enum_names(UsdSplit{})[static_cast<int>(UsdSplit::Bodies)] == "bodies");
    CHECK(enum_names(UsdSplit{}).size() == 3);
}
