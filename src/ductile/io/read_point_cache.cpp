// SPDX-License-Identifier: MIT
// PC2: "POINTCACHE2\0", version, points, first frame, frames per sample, samples, then places;
// little-endian. MDD: samples, points, the samples' times, then places; big-endian.
#include <ductile/core/file.h>
#include <ductile/io/read_point_cache.h>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

namespace ductile {
namespace {

constexpr std::string_view kPc2Sign("POINTCACHE2\0", 12);
constexpr std::size_t kPc2Header = 32, kMddHeader = 8;

class CacheReader {
public:
    CacheReader(std::span<const std::byte> bytes, const PointCacheLimits& limits)
        : bytes_(bytes), limits_(limits) {}

    Result<PointCache> read() {
        const std::string_view text(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
        const bool is_pc2 = text.substr(0, kPc2Sign.size()) == kPc2Sign;
        is_big_endian_ = !is_pc2;
        if (Status header = is_pc2 ? read_pc2_header() : read_mdd_header(); !header) {
            return header.error();
        }
        for (std::size_t s = 0; s < cache_.times.size(); ++s) {
            if (Status sample = read_sample(); !sample) return sample.error();
        }
        return std::move(cache_);
    }

private:
    Error error(std::string what, std::string hint = "") const {
        return {std::move(what), fmt::format("byte {}", at_), std::move(hint)};
    }

    // Requires: four bytes are left.
    std::uint32_t word() {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes_.data() + at_, 4);
        at_ += 4;
        if (is_big_endian_ != (std::endian::native == std::endian::big)) {
            value = (value >> 24) | ((value >> 8) & 0xff00u) | ((value << 8) & 0xff0000u) |
                    (value << 24);
        }
        return value;
    }
    double number() { return static_cast<double>(std::bit_cast<float>(word())); }

    Status check_counts(std::uint32_t points, std::uint32_t samples, std::uint64_t header,
                        std::uint64_t per_sample) {
        if (points == 0 || samples == 0) return error("the cache holds nothing");
        if (points > limits_.points || samples > limits_.samples) {
            return error(fmt::format("{} points at {} times are too many", points, samples),
                         fmt::format("at most {} and {}", limits_.points, limits_.samples));
        }
        const std::uint64_t needed = header + samples * (12ull * points + per_sample);
        if (needed != bytes_.size()) {
            return error(fmt::format("{} points at {} times take {} bytes, but there are {}",
                                     points, samples, needed, bytes_.size()),
                         "only PC2 and MDD files are read");
        }
        cache_.point_count = static_cast<std::int32_t>(points);
        return {};
    }

    Status read_pc2_header() {
        at_ = kPc2Sign.size();
        if (bytes_.size() < kPc2Header) return error("the header is cut short");
        if (const std::uint32_t version = word(); version != 1) {
            return error(fmt::format("version {} is not known", version), "version 1 is");
        }
        const std::uint32_t points = word();
        const double first = number(), step = number();
        const std::uint32_t samples = word();
        if (!std::isfinite(first) || !(step > 0) || !std::isfinite(step)) {
            return error("first frame and frames per sample are no times");
        }
        if (Status fine = check_counts(points, samples, kPc2Header, 0); !fine) return fine;
        for (std::uint32_t s = 0; s < samples; ++s) cache_.times.push_back(first + step * s);
        return {};
    }

    Status read_mdd_header() {
        if (bytes_.size() < kMddHeader) return error("too short for a point cache");
        const std::uint32_t samples = word(), points = word();
        if (Status fine = check_counts(points, samples, kMddHeader, 4); !fine) return fine;
        cache_.is_in_seconds = true;
        for (std::uint32_t s = 0; s < samples; ++s) {
            const double time = number();
            if (!std::isfinite(time) || (s > 0 && !(time > cache_.times.back()))) {
                at_ -= 4;
                return error("times must ascend");
            }
            cache_.times.push_back(time);
        }
        return {};
    }

    Status read_sample() {
        std::vector<Vec3>& points = cache_.samples.emplace_back();
        points.reserve(static_cast<std::size_t>(cache_.point_count));
        for (std::int32_t i = 0; i < cache_.point_count; ++i) {
            const double x = number(), y = number(), z = number();
            points.emplace_back(x, y, z);
            if (is_finite(points.back())) continue;
            at_ -= 12;
            return error("a place is not finite");
        }
        return {};
    }

    std::span<const std::byte> bytes_;
    const PointCacheLimits& limits_;
    std::size_t at_ = 0;
    bool is_big_endian_ = false;
    PointCache cache_;
};

}  // namespace

Result<PointCache> read_point_cache(std::span<const std::byte> bytes,
                                    const PointCacheLimits& limits) {
    return CacheReader(bytes, limits).read();
}

Result<PointCache> read_point_cache(const std::filesystem::path& path,
                                    const PointCacheLimits& limits) {
    const Result<std::string> text = read_file(path, limits.file_bytes);
    if (!text) return text.error();
    Result<PointCache> cache = read_point_cache(std::as_bytes(std::span(text.value())), limits);
    if (cache) return cache;
    const Error& error = cache.error();
    return Error{error.what, path.string() + ", " + error.where, error.hint};
}

}  // namespace ductile
