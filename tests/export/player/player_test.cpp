// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/json_text.h>
#include <ductile/core/parallel.h>
#include <ductile/export/player/player.h>
#include <ductile/export/player/player_mesh.h>
#include <ductile/export/track/final_damage.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <support/near.h>
#include <support/temp_folder.h>
#include <zlib.h>

#include <cstring>

using namespace ductile;

namespace {

std::string page_of(const Recording& r, const PlayerOptions& options = {}) {
    Result<std::string> page = player_html(r, options);
    REQUIRE_MESSAGE(page.ok(), (page.ok() ? "" : page.error().text()));
    return page.value();
}

// A reader of the player's pages, written from docs/player.md and not from the writer.
struct Page {
    Json header;
    std::string data;
};

std::string unpacked(std::string_view text) {
    std::string packed;
    std::uint32_t word = 0;
    int bits = 0;
    for (const char c : text) {
        if (c == '=') break;
        const std::string_view letters =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        REQUIRE(letters.find(c) != letters.npos);
        word = word << 6 | static_cast<std::uint32_t>(letters.find(c));
        bits += 6;
        if (bits >= 8) packed.push_back(static_cast<char>(word >> (bits -= 8) & 255));
    }
    std::string out;
    z_stream stream{};
    REQUIRE(inflateInit(&stream) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    int status = Z_OK;
    while (status == Z_OK) {
        char block[4096];
        stream.next_out = reinterpret_cast<Bytef*>(block);
        stream.avail_out = sizeof block;
        status = inflate(&stream, Z_NO_FLUSH);
        out.append(block, sizeof block - stream.avail_out);
    }
    inflateEnd(&stream);
    REQUIRE(status == Z_STREAM_END);
    return out;
}

Page parsed(const std::string& html) {
    const std::string open = "<script type=\"text/plain\" class=\"part\">";
    std::vector<std::string> parts;
    for (std::size_t at = html.find(open); at != html.npos; at = html.find(open, at)) {
        at += open.size();
        parts.push_back(unpacked(std::string_view(html).substr(at, html.find('<', at) - at)));
    }
    REQUIRE(parts.size() >= 1);
    Page page;
    page.header = Json::parse(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) page.data += parts[i];
    REQUIRE(page.data.size() == page.header["size"].get<std::size_t>());
    return page;
}

template <class T>
std::vector<T> array_at(const Page& page, const Json& at, std::size_t count) {
    const std::size_t offset = at.get<std::size_t>();
    REQUIRE(offset % 4 == 0);
    REQUIRE(offset + count * sizeof(T) <= page.data.size());
    std::vector<T> out(count);
    std::memcpy(out.data(), page.data.data() + offset, count * sizeof(T));
    return out;
}

struct Numbers {
    const std::string& bytes;
    std::size_t at;

    std::int64_t next() {
        std::uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            REQUIRE(at < bytes.size());
            const auto byte = static_cast<unsigned char>(bytes[at++]);
            value |= std::uint64_t(byte & 127) << shift;
            if (byte < 128) return static_cast<std::int64_t>(value);
        }
    }
    std::int64_t next_signed() {
        const std::int64_t value = next();
        return value % 2 == 0 ? value / 2 : -(value + 1) / 2;
    }
};

std::int64_t code_at(const Json& body, std::size_t frame) {
    std::int64_t code = -1;
    for (const Json& change : body["shapes"]) {
        if (change[0].get<std::size_t>() <= frame) code = change[1].get<std::int64_t>();
    }
    return code;
}

// Render vertices of a body at a frame, in its own frame, decoded from the nearest key on.
std::vector<Vec3> decoded_points(const Page& page, std::size_t body_index, std::size_t frame) {
    const Json& body = page.header["bodies"][body_index];
    const Json& asset = page.header["assets"][body["asset"].get<std::size_t>()];
    const auto places = asset["places"].get<std::size_t>();
    const std::vector<float> rest = array_at<float>(page, asset["points"], 3 * places);
    std::vector<std::int64_t> moves(3 * places, 0);
    const std::int64_t code = code_at(body, frame);
    const auto interval = page.header["key_interval"].get<std::int64_t>();
    for (std::int64_t c = code - code % interval; code >= 0 && c <= code; ++c) {
        Numbers numbers{page.data, body["codes"][c].get<std::size_t>()};
        std::vector<std::int64_t> moved;
        std::int64_t place = 0;
        for (std::int64_t runs = numbers.next(); runs > 0; --runs) {
            place += numbers.next();
            for (std::int64_t n = numbers.next(); n > 0; --n) moved.push_back(place++);
        }
        for (int k = 0; k < 3; ++k) {
            std::int64_t value = 0;
            for (const std::int64_t p : moved)
                moves.at(3 * p + k) += value += numbers.next_signed();
        }
    }
    Numbers numbers{page.data, asset["numbers"].get<std::size_t>()};
    std::vector<Vec3> points(asset["vertices"].get<std::size_t>());
    std::int64_t place = 0;
    for (Vec3& p : points) {
        place += numbers.next_signed();
        for (int k = 0; k < 3; ++k) {
            p[k] =
                rest.at(3 * place + k) + body["step"].get<double>() * double(moves[3 * place + k]);
        }
    }
    return points;
}

std::vector<Vec3> expected_points(const Recording& r, std::size_t body, std::size_t frame) {
    std::vector<Vec3> points, normals;
    const RecordedBody& b = r.bodies[body];
    RenderSkin(b.asset).pose(b.shapes[r.frames[frame].bodies[body].shape], points, normals);
    return points;
}

double furthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    REQUIRE(a.size() == b.size());
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
    return most;
}

constexpr double kFloatRounding = 1e-7;  // of bodies a metre across [m]

/// A body that is dented anew at every frame: more shapes than several keys apart.
Recording battered(int frames) {
    Recording r = sample::still({sample::ball()}, frames);
    Rng rng(5);
    for (int f = 1; f < frames; ++f) {
        r.bodies[0].shapes.push_back(
            sample::dented(r.bodies[0].shapes.back(), sample::random_direction(rng), 0.03, 0.25));
        r.frames[f].bodies[0].shape = f;
    }
    return r;
}

}  // namespace

TEST_CASE("every frame decodes to the recorded places within the stated error") {
    const Recording r = sample::busy();
    for (const double error : {1e-6, 1e-5, 1e-2}) {
        const Page page = parsed(page_of(r, {.position_error = error}));
        for (const std::size_t body : {0, 1, 2}) {
            const double size = bounds(r.bodies[body].asset->surface.points).diagonal();
            for (std::size_t f = 0; f < r.frames.size(); ++f) {
                const double off =
                    furthest(decoded_points(page, body, f), expected_points(r, body, f));
                CHECK(off <= error * size + kFloatRounding);
            }
        }
    }
}

TEST_CASE("errors do not add up over shapes told from the one before") {
    const Recording r = battered(50);
    const Page page = parsed(page_of(r, {.position_error = 1e-4}));
    const double size = bounds(r.bodies[0].asset->surface.points).diagonal();
    CHECK(page.header["bodies"][0]["codes"].size() == 49);
    for (const std::size_t f : {1, 15, 16, 17, 33, 49}) {
        const double off = furthest(decoded_points(page, 0, f), expected_points(r, 0, f));
        CHECK(off <= 1e-4 * size + kFloatRounding);
        CHECK(off > 1e-6 * size);  // it is rounded: the bound is not met by chance
    }
}

TEST_CASE("a body at rest decodes to its own floats") {
    const Recording r = sample::still({sample::ball()}, 2);
    const std::vector<Vec3> points = decoded_points(parsed(page_of(r)), 0, 1);
    for (std::size_t v = 0; v < points.size(); ++v) {
        CHECK(points[v] == r.bodies[0].asset->render.points[v].cast<float>().cast<double>());
    }
}

TEST_CASE("a look's triangles are those of the mesh") {
    const Recording r = sample::busy();
    const Page page = parsed(page_of(r));
    const Json& asset = page.header["assets"][0];
    const RenderMesh& mesh = r.bodies[0].asset->render;
    Numbers numbers{page.data, asset["numbers"].get<std::size_t>()};
    for (std::size_t v = 0; v < mesh.points.size(); ++v) numbers.next_signed();
    std::int64_t index = 0;
    std::size_t first = 0;
    for (std::size_t look = 0; look < mesh.looks.size(); ++look) {
        CHECK(asset["looks"][look]["first"].get<std::size_t>() == first);
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            if (mesh.triangle_looks[t] != static_cast<std::int32_t>(look)) continue;
            for (const std::int32_t corner : mesh.triangles[t]) {
                CHECK((index += numbers.next_signed()) == corner);
                ++first;
            }
        }
    }
}

TEST_CASE("poses, presence and hits are told as they are") {
    const Recording r = sample::busy();
    const Page page = parsed(page_of(r));
    const Json& bodies = page.header["bodies"];
    CHECK(bodies[3]["present"] == Json::parse("[[8, 33]]"));
    CHECK(bodies[4]["present"] == Json::array());
    CHECK(bodies[5]["asset"] == -1);
    CHECK(bodies[2]["pose_count"] == 1);
    const std::vector<float> poses = array_at<float>(page, bodies[0]["poses"], 7 * 40);
    for (std::size_t f = 0; f < 40; ++f) {
        const Transform& pose = r.frames[f].bodies[0].pose_w;
        for (int k = 0; k < 3; ++k) {
            CHECK(poses[7 * f + k] == static_cast<float>(pose.translation[k]));
        }
        for (int k = 0; k < 4; ++k) {
            CHECK(poses[7 * f + 3 + k] == static_cast<float>(pose.rotation.coeffs()[k]));
        }
    }
    REQUIRE(page.header["hits"].size() == 2);
    CHECK(page.header["hits"][1][0].get<double>() == r.hits[1].time);
    CHECK(page.header["hits"][1][1] == 0);
}

TEST_CASE("damage at the end is told to a part in thirty thousand of its largest") {
    const Recording r = sample::busy();
    const Page page = parsed(page_of(r));
    const Json& body = page.header["bodies"][0];
    const DamageMap damage = final_damage(r, 0);
    const VertexPlaces places = vertex_places(*r.bodies[0].asset);
    const std::size_t count = places.vertices.size();
    const std::vector<std::int16_t> numbers =
        array_at<std::int16_t>(page, body["damage"], 5 * count);
    for (std::size_t p = 0; p < count; ++p) {
        const std::int32_t v = places.vertices[p];
        const double depth = numbers[p] * body["damage_steps"][0].get<double>();
        const double strain = numbers[count + p] * body["damage_steps"][1].get<double>();
        CHECK(test::within(depth, damage.depth[v], 1e-4 * 0.08));
        CHECK(test::within(strain, damage.strain[v], 1e-4 * 0.1));
    }
    CHECK_FALSE(page.header["bodies"][2].contains("damage"));
}

TEST_CASE("the same recording gives the same bytes at any number of threads") {
    const Recording r = sample::busy();
    const std::string page = page_of(r);
    CHECK(page == page_of(r));
    const ThreadLimit limit(1);
    CHECK(page == page_of(r));
}

TEST_CASE("texts cannot break out of the page") {
    Recording r = sample::busy();
    const std::string hostile = "</script><b>\"'&<!--\xff{{parts}}";
    r.bodies[0].name = hostile;
    const std::string page = page_of(r, {.title = hostile, .description = hostile});
    CHECK(page.find("<b>") == page.npos);
    CHECK(page.find("<!--") == page.npos);
    CHECK(page.find("<title>&lt;/script&gt;&lt;b&gt;&quot;&#39;&amp;&lt;!--") != page.npos);
    // The same elements as with plain texts.
    const auto count = [](const std::string& text, const std::string& word) {
        std::size_t n = 0;
        for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++n;
        return n;
    };
    const std::string plain = page_of(sample::busy());
    CHECK(count(page, "<script") == count(plain, "<script"));
    CHECK(count(page, "</script>") == count(plain, "</script>"));
    // What is no UTF-8 is replaced; the rest of the name is as it was.
    CHECK(parsed(page).header["bodies"][0]["name"] == "</script><b>\"'&<!--\xef\xbf\xbd{{parts}}");
}

TEST_CASE("a page names no other place and asks for nothing") {
    const std::string page = page_of(sample::busy());
    for (const char* word : {"http://", "https://", "//cdn", "src=", "fetch(", "XMLHttpRequest",
                             "import(", "@import", "url("}) {
        INFO(word);
        CHECK(page.find(word) == page.npos);
    }
    CHECK(page.find("default-src 'none'") != page.npos);
    CHECK(page.find("{{") == page.npos);
}

TEST_CASE("the script holds no word that only modules know") {
    const std::string page = page_of(sample::still({sample::ball(2)}, 1));
    CHECK(page.find("\nimport ") == page.npos);
    CHECK(page.find("\nexport ") == page.npos);
}

TEST_CASE("a broken recording or an option out of range is refused with a reason") {
    Recording r = sample::busy();
    const auto refused = [](const Recording& recording, const PlayerOptions& options) {
        const Result<std::string> page = player_html(recording, options);
        return page.ok() ? std::string() : page.error().text();
    };
    CHECK(refused(Recording(), {}).find("no body") != std::string::npos);
    CHECK(refused(r, {.position_error = 0}).find("position_error") != std::string::npos);
    CHECK(refused(r, {.sun_direction_w = Vec3::Zero()}).find("sun_direction") != std::string::npos);
    CHECK(refused(r, {.field_of_view_deg = 180}).find("field_of_view") != std::string::npos);
    CHECK(refused(r, {.camera = std::vector<PlayerView>(7)}).find("camera") != std::string::npos);
    CHECK(refused(r, {.camera = {{Vec3::Constant(NAN), Vec3::Zero()}}}) != "");
    r.bodies[0].shapes[1][7].x() = std::nan("");
    CHECK(refused(r, {}).find("body 0") != std::string::npos);
    r.bodies[0].shapes[1][7].x() = 1e12;
    CHECK(refused(r, {}).find("too far from rest") != std::string::npos);
}

TEST_CASE("a page that cannot be written leaves no file") {
    const test::TempFolder temporary;
    const std::filesystem::path& folder = temporary.path;
    REQUIRE(write_file(folder / "taken", std::string_view("a file, not a folder")).ok());
    const Status failed = write_player(sample::busy(), folder / "taken" / "index.html");
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().text().find("taken") != std::string::npos);
    const Status refused = write_player(Recording(), folder / "index.html");
    REQUIRE_FALSE(refused.ok());
    CHECK_FALSE(std::filesystem::exists(folder / "index.html"));
    CHECK(write_player(sample::busy(), folder / "index.html").ok());
}

TEST_CASE("vertices share a place only while they move as one") {
    const auto asset = sample::ball();
    const VertexPlaces places = vertex_places(*asset);
    CHECK(places.vertices.size() == asset->surface.points.size());
    for (std::size_t v = 0; v < places.place_of.size(); ++v) {
        const std::int32_t first = places.vertices[places.place_of[v]];
        CHECK(asset->render.points[first] == asset->render.points[v]);
        CHECK(asset->anchors[first].points == asset->anchors[v].points);
    }
}
