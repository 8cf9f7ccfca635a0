// SPDX-License-Identifier: MIT
#include <ductile/io/gltf/data_uri.h>
#include <ductile/io/gltf/gltf_container.h>
#include <ductile/io/gltf/gltf_data.h>
#include <ductile/io/gltf/gltf_document.h>
#include <ductile/io/gltf/json_place.h>

#include <doctest/doctest.h>

using namespace ductile;

namespace {

std::string text_of(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// One triangle in a data URI of 36 bytes, all zero.
Json tiny_document() {
    return {{"asset", {{"version", "2.0"}}},
            {"buffers",
             {{{"byteLength", 36},
               {"uri", "data:application/octet-stream;base64," + std::string(48, 'A')}}}},
            {"bufferViews", {{{"buffer", 0}, {"byteLength", 36}}}},
            {"accessors",
             {{{"bufferView", 0}, {"componentType", 5126}, {"count", 3}, {"type", "VEC3"}}}}};
}

}  // namespace

TEST_CASE("the first thing that is wrong in a document is kept, with its pointer") {
    const Json json = Json::parse(R"({"nodes": [{"mesh": 3, "name": 5}], "count": -1})");
    std::optional<Error> error;
    const JsonPlace root(json, error);
    CHECK(root["scenes"].size() == 0);
    CHECK_FALSE(root["scenes"].exists());
    CHECK(root["absent"].whole(7, 10) == 7);
    CHECK_FALSE(error.has_value());
    CHECK(root["nodes"].item(0)["mesh"].reference(2, "meshes") == -1);
    REQUIRE(error.has_value());
    CHECK(error->where == "#/nodes/0/mesh");
    CHECK(root["count"].whole(7, 10) == 7);
    CHECK(error->where == "#/nodes/0/mesh");
}

TEST_CASE("data URIs give their bytes, and addresses elsewhere are never opened") {
    CHECK(is_data_uri("data:,x"));
    CHECK_FALSE(is_data_uri("a.bin"));
    CHECK(text_of(decode_data_uri("data:text/plain;base64,aGVsbG8=").value()) == "hello");
    CHECK(text_of(decode_data_uri("data:,hello").value()) == "hello");
    CHECK_FALSE(decode_data_uri("data:text/plain;base64,a?==").ok());
    CHECK_FALSE(decode_data_uri("data:no comma").ok());
    CHECK(decode_relative_uri("a%20b.bin").value() == "a b.bin");
    for (const char* uri : {"http://example.org/a.bin", "file:///etc/passwd", "a%2", "a%zz"}) {
        CAPTURE(uri);
        CHECK_FALSE(decode_relative_uri(uri).ok());
    }
}

TEST_CASE("pictures are known by their first bytes") {
    const auto type_of = [](std::string_view bytes) {
        return picture_type(std::as_bytes(std::span(bytes)));
    };
    CHECK(type_of("\x89PNG\r\n\x1a\n and more") == "image/png");
    CHECK(type_of("\xff\xd8\xff\xe0 and more") == "image/jpeg");
    CHECK(type_of("GIF89a").empty());
    CHECK(type_of("").empty());
}

TEST_CASE("a text is a container without a binary part, and other bytes are none at all") {
    const std::string_view text = "{\"asset\": {}}";
    const Result<GltfContainer> file = open_gltf(std::as_bytes(std::span(text)));
    REQUIRE(file.ok());
    CHECK_FALSE(file.value().is_binary_file);
    CHECK_FALSE(file.value().binary.has_value());
    CHECK(file.value().json == text);
    const std::string_view cut = "glTF\2\0\0\0";
    CHECK_FALSE(open_gltf(std::as_bytes(std::span(cut))).ok());
}

TEST_CASE("a document's numbers come out of its buffers, and a view beyond one is refused") {
    const Json json = tiny_document();
    const Result<GltfDocument> document = read_gltf_document(json);
    REQUIRE_MESSAGE(document.ok(), (document.ok() ? "" : document.error().text()));
    REQUIRE(document.value().accessors.size() == 1);
    CHECK(document.value().accessors[0].element_size() == 12);
    const std::string text = json.dump();
    GltfContainer file;
    file.json = text;
    const ReadContext context;
    const Result<GltfData> data = GltfData::load(document.value(), file, context);
    REQUIRE_MESSAGE(data.ok(), (data.ok() ? "" : data.error().text()));
    CHECK(data.value().size() == text.size());  // the buffer is a part of the text
    std::vector<double> numbers(9, 1.0);
    REQUIRE(data.value().read_numbers(0, numbers.data()).ok());
    CHECK(numbers == std::vector<double>(9, 0.0));

    Json broken = json;
    broken["bufferViews"][0]["byteLength"] = 37;
    const Result<GltfDocument> refused = read_gltf_document(broken);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where.starts_with("#/bufferViews/0"));
}

TEST_CASE("JSON that is not glTF is called so, and a scene a scene") {
    const auto error = [](const char* text) {
        const Result<GltfDocument> refused = read_gltf_document(parse_json(text, "JSON").value());
        REQUIRE(!refused.ok());
        return refused.error();
    };
    for (const char* text : {"[]", "3", "{}"}) {
        CHECK(error(text).what.find("is not glTF") != std::string::npos);
        CHECK(error(text).hint.empty());
    }
    CHECK(error(R"({"bodies": {}})").hint.find("ductile run") != std::string::npos);
}
