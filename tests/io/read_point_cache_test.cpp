// SPDX-License-Identifier: MIT
#include <ductile/io/read_point_cache.h>

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>

using namespace ductile;

namespace {

/// Writes words byte by byte, from the formats' descriptions.
struct CacheBytes {
    bool is_big = false;
    std::string content;

    CacheBytes& word(std::uint32_t w) {
        for (int i = 0; i < 4; ++i) {
            content += static_cast<char>(w >> (is_big ? 24 - 8 * i : 8 * i) & 0xff);
        }
        return *this;
    }
    CacheBytes& number(float f) {
        std::uint32_t w;
        std::memcpy(&w, &f, 4);
        return word(w);
    }
};

std::string pc2(std::uint32_t points, std::uint32_t samples, std::uint32_t version = 1) {
    CacheBytes out;
    out.content = std::string("POINTCACHE2\0", 12);
    out.word(version).word(points).number(3.0f).number(0.5f).word(samples);
    for (std::uint32_t i = 0; i < 3 * points * samples; ++i) {
        out.number(static_cast<float>(i) + 0.25f);
    }
    return out.content;
}

std::string mdd(std::uint32_t points, const std::vector<float>& times) {
    CacheBytes out{.is_big = true};
    out.word(static_cast<std::uint32_t>(times.size())).word(points);
    for (const float time : times) out.number(time);
    for (std::size_t i = 0; i < 3 * points * times.size(); ++i) {
        out.number(static_cast<float>(i) + 0.25f);
    }
    return out.content;
}

Result<PointCache> read_cache(const std::string& content, const PointCacheLimits& limits = {}) {
    return read_point_cache(std::as_bytes(std::span(content)), limits);
}

void check_places(const PointCache& cache) {
    REQUIRE(cache.samples.size() == 3);
    for (int s = 0; s < 3; ++s) {
        REQUIRE(cache.samples[s].size() == 2);
        CHECK(cache.samples[s][1] == Vec3(6 * s + 3.25, 6 * s + 4.25, 6 * s + 5.25));
    }
}

}  // namespace

TEST_CASE("a PC2 is read with its frames") {
    const Result<PointCache> cache = read_cache(pc2(2, 3));
    REQUIRE(cache.ok());
    CHECK(!cache.value().is_in_seconds);
    CHECK(cache.value().times == std::vector<double>{3.0, 3.5, 4.0});
    check_places(cache.value());
}

TEST_CASE("an MDD is read with its times") {
    const Result<PointCache> cache = read_cache(mdd(2, {0.0f, 0.5f, 0.75f}));
    REQUIRE(cache.ok());
    CHECK(cache.value().is_in_seconds);
    CHECK(cache.value().times == std::vector<double>{0.0, 0.5, 0.75});
    check_places(cache.value());
}

TEST_CASE("a cache that is cut anywhere, or goes on, is refused with a message") {
    for (const std::string& whole : {pc2(2, 3), mdd(2, {0.0f, 0.5f, 0.75f})}) {
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const Result<PointCache> cut = read_cache(whole.substr(0, size));
            REQUIRE(!cut.ok());
            CHECK(!cut.error().what.empty());
        }
        CHECK(!read_cache(whole + "x").ok());
    }
}

TEST_CASE("counts that lie, numbers that are none and times that run back are refused") {
    CHECK(!read_cache(pc2(2, 3, 7)).ok());
    CHECK(!read_cache(pc2(0, 3)).ok());
    CHECK(!read_cache(pc2(2, 0)).ok());
    CHECK(!read_cache(mdd(2, {0.0f, 0.5f, 0.5f})).ok());
    std::string lies = pc2(2, 3);
    for (int i = 16; i < 20; ++i) lies[static_cast<std::size_t>(i)] = '\xff';
    CHECK(!read_cache(lies).ok());
    std::string odd = pc2(2, 3);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(odd.data() + 40, &nan, 4);
    const Result<PointCache> refused = read_cache(odd);
    REQUIRE(!refused.ok());
    CHECK(refused.error().where == "byte 32");
    CHECK(!read_cache(pc2(20, 3), {.points = 10}).ok());
    CHECK(!read_cache(pc2(2, 30), {.samples = 10}).ok());
}

TEST_CASE("a cache that is not there is named") {
    const Result<PointCache> none = read_point_cache("nowhere/none.pc2");
    REQUIRE(!none.ok());
    CHECK(none.error().text().find("none.pc2") != std::string::npos);
}
