// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/export/sequence/point_cache.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <support/temp_folder.h>

#include <cstring>
#include <limits>

using namespace ductile;
using test::TempFolder;

namespace {

// Readers of the tests' own, from the formats' descriptions, byte by byte.
struct Bytes {
    std::string content;
    bool is_big = false;
    std::size_t at = 0;

    std::uint32_t word() {
        REQUIRE(at + 4 <= content.size());
        std::uint32_t w = 0;
        for (int i = 0; i < 4; ++i) {
            const auto byte = static_cast<unsigned char>(content[at + (is_big ? i : 3 - i)]);
            w = w << 8 | byte;
        }
        at += 4;
        return w;
    }
    float number() {
        const std::uint32_t w = word();
        float f;
        std::memcpy(&f, &w, 4);
        return f;
    }
};

struct Cache {
    std::size_t points = 0, samples = 0;
    std::vector<float> times;  // MDD only
    std::vector<float> places;
};

Cache read_pc2(const std::filesystem::path& path) {
    Bytes in{read_file(path).value()};
    REQUIRE(in.content.substr(0, 12) == std::string("POINTCACHE2\0", 12));
    in.at = 12;
    CHECK(in.word() == 1);
    Cache cache;
    cache.points = in.word();
    CHECK(in.number() == 0.0f);
    CHECK(in.number() == 1.0f);
    cache.samples = in.word();
    for (std::size_t i = 0; i < 3 * cache.points * cache.samples; ++i) {
        cache.places.push_back(in.number());
    }
    CHECK(in.at == in.content.size());
    return cache;
}

Cache read_mdd(const std::filesystem::path& path) {
    Bytes in{read_file(path).value(), true};
    Cache cache;
    cache.samples = in.word();
    cache.points = in.word();
    for (std::size_t s = 0; s < cache.samples; ++s) cache.times.push_back(in.number());
    for (std::size_t i = 0; i < 3 * cache.points * cache.samples; ++i) {
        cache.places.push_back(in.number());
    }
    CHECK(in.at == in.content.size());
    return cache;
}

// What a cache must hold: the floats nearest to where each vertex was.
std::vector<float> expected(const Recording& r, std::size_t body, CacheSpace space) {
    std::vector<float> out;
    const RenderSkin skin(r.bodies[body].asset);
    std::vector<Vec3> points, normals;
    for (const Frame& frame : r.frames) {
        const BodyFrame& at = frame.bodies[body];
        skin.pose(r.bodies[body].shapes[at.shape], points, normals);
        for (const Vec3& p : points) {
            const Vec3 place = space == CacheSpace::World ? at.pose_w.point(p) : p;
            for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(place[i]));
        }
    }
    return out;
}

}  // namespace

TEST_CASE("point caches give back every vertex at every frame, bit for bit") {
    const TempFolder folder;
    const Recording r = sample::busy();
    for (const CacheSpace space : {CacheSpace::World, CacheSpace::Body}) {
        for (const std::size_t body : {0u, 1u, 2u}) {
            REQUIRE(
                write_point_cache(r, body, PointCacheKind::Pc2, space, folder.path / "a.pc2").ok());
            REQUIRE(
                write_point_cache(r, body, PointCacheKind::Mdd, space, folder.path / "a.mdd").ok());
            const Cache pc2 = read_pc2(folder.path / "a.pc2");
            const Cache mdd = read_mdd(folder.path / "a.mdd");
            CHECK(pc2.points == r.bodies[body].asset->render.points.size());
            CHECK(pc2.samples == r.frames.size());
            CHECK(pc2.places == expected(r, body, space));
            CHECK(mdd.points == pc2.points);
            CHECK(mdd.places == pc2.places);
            for (std::size_t f = 0; f < r.frames.size(); ++f) {
                CHECK(mdd.times[f] == static_cast<float>(r.frames[f].time));
            }
        }
    }
}

TEST_CASE("an absent body is drawn together to a point") {
    const TempFolder folder;
    const Recording r = sample::busy();  // body 3 is there from frame 8 to frame 32
    REQUIRE(
        write_point_cache(r, 3, PointCacheKind::Pc2, CacheSpace::World, folder.path / "a").ok());
    const Cache cache = read_pc2(folder.path / "a");
    const auto sample = [&](std::size_t f) {
        const auto first = cache.places.begin() + static_cast<std::ptrdiff_t>(3 * cache.points * f);
        return std::vector<float>(first, first + static_cast<std::ptrdiff_t>(3 * cache.points));
    };
    const auto is_point = [&](std::size_t f) {
        const std::vector<float> places = sample(f);
        for (std::size_t i = 3; i < places.size(); ++i) {
            if (places[i] != places[i % 3]) return false;
        }
        return true;
    };
    for (std::size_t f = 0; f < r.frames.size(); ++f) {
        CHECK(is_point(f) == !r.frames[f].bodies[3].is_present);
    }
    CHECK(is_point(0));
    CHECK_FALSE(is_point(20));
}

TEST_CASE("a folder of caches has one for each body that is ever there, and its mesh") {
    const TempFolder folder;
    Recording r = sample::busy();
    r.bodies[1].name = "body 0";  // names need not differ, files must
    const std::filesystem::path path = folder.path / "caches";
    REQUIRE(write_point_caches(r, PointCacheKind::Mdd, CacheSpace::World, path).ok());
    using Names = std::vector<std::string>;
    CHECK(folder.names("caches") == Names{"body 0.mdd", "body 0.mtl", "body 0.obj", "body 0_2.mdd",
                                          "body 0_2.mtl", "body 0_2.obj", "body 2.mdd",
                                          "body 2.mtl", "body 2.obj", "body 3.mdd", "body 3.mtl",
                                          "body 3.obj"});
    CHECK(folder.names() == Names{"caches"});
}

TEST_CASE("a writer that is told to stop leaves nothing behind") {
    const TempFolder folder;
    int calls = 0;
    double last = 0.0;
    const Status stopped =
        write_point_caches(sample::busy(), PointCacheKind::Pc2, CacheSpace::World,
                           folder.path / "caches", [&](double share) -> Status {
                               CHECK(share > last);
                               last = share;
                               if (++calls < 50) return {};
                               return Error{"enough", "", ""};
                           });
    REQUIRE_FALSE(stopped.ok());
    CHECK(stopped.error().what == "enough");
    CHECK(calls == 50);
    CHECK(folder.names().empty());
}

TEST_CASE("a place that fits into no float is refused") {
    const TempFolder folder;
    Recording r = sample::busy();
    r.frames[5].bodies[2].pose_w.translation.x() = std::numeric_limits<float>::max();
    for (Vec3& p : r.bodies[2].shapes[0]) p *= 1e38;
    CHECK_FALSE(
        write_point_caches(r, PointCacheKind::Pc2, CacheSpace::World, folder.path / "caches").ok());
    CHECK(folder.names().empty());
}
