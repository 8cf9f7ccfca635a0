// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/deform/example/example_rig.h>
#include <ductile/deform/layers.h>

#include <doctest/doctest.h>
#include <support/reason.h>
#include <support/rigged.h>

#include <type_traits>

using namespace ductile;

TEST_CASE("options without a layer are a rigid body's; every listed layer can be made") {
    LayerOptions options;
    CHECK(options.is_empty());
    CHECK(make_layers(options).value().empty());
    LayerFiles files;
    files.rig = [](const std::string&) -> Result<std::shared_ptr<const ExampleRig>> {
        return test::post_rig(*test::solid(SolidKind::Cylinder, Vec3(0.4, 2.0, 0.4), 0.2));
    };
    std::size_t count = 0;
    visit_fields(options, [&]<class Options>(const Field& field, std::optional<Options>& layer) {
        layer.emplace();
        if constexpr (std::is_same_v<Options, ExampleOptions>) layer->rig = "a post";
        CHECK_FALSE(options.is_empty());
        ++count;
        const auto made = make_layers(options, files);
        REQUIRE_MESSAGE(made.ok(), test::reason(made));
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
    options.dent->shape.vectors = "b.csv";
    options.dent->shape.formula = "1 - r";
    std::vector<std::string> files;
    for_each_file(options, [&](std::string& name) {
        files.push_back(name);
        name = "sub/" + name;
    });
    CHECK(files == std::vector<std::string>{"a.png", "b.csv"});
    CHECK(options.dent->shape.picture == "sub/a.png");
    CHECK(options.dent->shape.vectors == "sub/b.csv");
    CHECK(options.dent->shape.formula == "1 - r");
}
