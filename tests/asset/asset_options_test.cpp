// SPDX-License-Identifier: MIT
#include <ductile/asset/asset_options.h>
#include <ductile/asset/asset_report.h>

#include <doctest/doctest.h>
#include <support/field_laws.h>

using namespace ductile;

TEST_CASE("asset options and rules of parts keep the law of field lists") {
    test::check_field_list<AssetOptions>();
    test::check_field_list<PartRule>();
}

TEST_CASE("a report of an asset is written whole and names what it holds") {
    AssetReport report;
    report.file.format = "OBJ";
    report.components.resize(2);
    report.parts.push_back({.name = "door", .role = PartRole::Ride});
    const Json json = write_fields(report);
    CHECK(json.at("file").at("format") == "OBJ");
    CHECK(json.at("components").size() == 2);
    CHECK(json.at("parts").at(0).at("role") == "ride");
    CHECK(json.contains("placement"));
    CHECK(json.contains("mended"));
}
