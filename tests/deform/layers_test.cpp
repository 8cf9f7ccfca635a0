// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/deform/layers.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("options without a layer are a rigid body's; every listed layer can be made") {
    LayerOptions options;
    CHECK(options.is_empty());
    CHECK(make_layers(options).value().empty());
    std::size_t count = 0;
    visit_fields(options, [&](const Field& field, auto& layer) {
        layer.emplace();
        CHECK_FALSE(options.is_empty());
        ++count;
        const auto made = make_layers(options);
        REQUIRE(made.ok());
        REQUIRE(made.value().size() == count);
        CHECK(made.value().back()->name() == field.name);
    });
    CHECK(count >= 1);
}

TEST_CASE("a layer whose file cannot be read is refused with its place") {
    LayerOptions options;
    options.dent.emplace();
    options.dent->shape.source = DentSource::Picture;
    options.dent->shape.picture = "relief.png";
    CHECK(make_layers(options).error().where == "/dent/shape/picture");
    LayerFiles files;
    files.relief = [](const std::string& name) -> Result<DentMap> {
        return Error{"no " + name, "", ""};
    };
    CHECK(make_layers(options, files).error().what == "no relief.png");
}

TEST_CASE("files that options name are found by their field lists") {
    LayerOptions options;
    options.dent.emplace();
    options.dent->shape.picture = "a.png";
    options.dent->shape.formula = "1 - r";
    std::vector<std::string> files;
    for_each_file(options, [&](std::string& name) {
        files.push_back(name);
        name = "sub/" + name;
    });
    CHECK(files == std::vector<std::string>{"a.png"});
    CHECK(options.dent->shape.picture == "sub/a.png");
    CHECK(options.dent->shape.formula == "1 - r");
}
