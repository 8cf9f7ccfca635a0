// SPDX-License-Identifier: MIT
// Trilinear look-up in a pyramid of averages: Williams 1983, "Pyramidal Parametrics".
#include <ductile/render/texture.h>

#include <fmt/format.h>

#include <set>

namespace ductile {
namespace {

constexpr double kMostBytes = 1024.0 * 1024.0 * 1024.0;  // of all pictures together
constexpr double kBytesPerPixel = 4.0 * 4.0 / 3.0;       // with all smaller levels
constexpr std::int32_t kLeastSide = 64;                  // however many pictures there are

/// The two pixels beside a place along one axis, and the share of the second.
struct Between {
    std::int32_t first, second;
    float share;

    Between(double place, std::int32_t size) {
        const double x = (place - std::floor(place)) * size - 0.5;  // in [-0.5, size - 0.5]
        const double below = std::floor(x);
        first = static_cast<std::int32_t>(below);
        share = static_cast<float>(x - below);
        second = first + 1 < size ? first + 1 : 0;
        if (first < 0) first = size - 1;
    }
};

const std::uint8_t* pixel(const RgbaImage& image, std::int32_t x, std::int32_t y) {
    return &image.rgba[4 * (std::size_t(y) * image.width + x)];
}

Vec3f light(const RgbaImage& image, std::int32_t x, std::int32_t y) {
    const std::span<const float> levels = linear_levels();
    const std::uint8_t* p = pixel(image, x, y);
    return {levels[p[0]], levels[p[1]], levels[p[2]]};
}

Vec3f bilinear(const RgbaImage& image, const Vec2& uv) {
    const Between x(uv.x(), image.width), y(uv.y(), image.height);
    return mix(mix(light(image, x.first, y.first), light(image, x.second, y.first), x.share),
               mix(light(image, x.first, y.second), light(image, x.second, y.second), x.share),
               y.share);
}

bool has_only_opaque_pixels(const RgbaImage& image) {
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
        if (image.rgba[i] != 255) return false;
    }
    return true;
}

/// So that `count` square pictures of that size fit into what all may need.
std::int32_t kept_side(std::size_t count, std::int32_t most) {
    const double pixels =
        kMostBytes / kBytesPerPixel / static_cast<double>(std::max<std::size_t>(1, count));
    return std::clamp(static_cast<std::int32_t>(std::sqrt(pixels)), kLeastSide, most);
}

}  // namespace

TextureMap::TextureMap(RgbaImage image) {
    is_opaque_ = has_only_opaque_pixels(image);
    levels_.push_back(std::move(image));
    while (levels_.back().width > 1 || levels_.back().height > 1) {
        levels_.push_back(halved(levels_.back()));
    }
}

Vec3f TextureMap::colour(const Vec2& uv, double footprint) const {
    const double pixels = footprint * std::sqrt(double(width()) * height());
    const double last = static_cast<double>(levels_.size() - 1);
    // Written so that NaN gives the picture itself.
    const double level = pixels > 1.0 ? std::min(std::log2(pixels), last) : 0.0;
    const auto finer = static_cast<std::size_t>(level);
    const float share = static_cast<float>(level - static_cast<double>(finer));
    const Vec3f fine = bilinear(levels_[finer], uv);
    return share > 0.0f ? mix(fine, bilinear(levels_[finer + 1], uv), share) : fine;
}

float TextureMap::alpha(const Vec2& uv) const {
    if (is_opaque_) return 1.0f;
    const RgbaImage& image = levels_[0];
    const Between x(uv.x(), image.width), y(uv.y(), image.height);
    const auto at = [&](std::int32_t i, std::int32_t j) {
        return static_cast<float>(pixel(image, i, j)[3]) / 255.0f;
    };
    return mix(mix(at(x.first, y.first), at(x.second, y.first), x.share),
               mix(at(x.first, y.second), at(x.second, y.second), x.share), y.share);
}

const TextureMap* TextureStore::find(const Texture* texture) const {
    const auto found = maps.find(texture);
    return found == maps.end() ? nullptr : &found->second;
}

TextureStore load_textures(const Recording& recording) {
    std::vector<const Look*> wearers;  // of each picture the first
    std::set<const Texture*> met;
    for (const RecordedBody& body : recording.bodies) {
        for (const Look& look : body.asset->render.looks) {
            if (look.texture && met.insert(look.texture.get()).second) wearers.push_back(&look);
        }
    }
    TextureStore store;
    PictureLimits limits;
    limits.kept_side = kept_side(wearers.size(), limits.kept_side);
    for (const Look* look : wearers) {
        const Texture& texture = *look->texture;
        Result<RgbaImage> image = decode_picture(texture.bytes, limits);
        if (image) {
            store.maps.try_emplace(&texture, std::move(image).value());
            continue;
        }
        const std::string name = texture.name.empty() ? "without a name" : texture.name;
        const Error& why = image.error();
        store.notes.push_back(fmt::format("the picture {} of look {} is not drawn: it {}{}", name,
                                          look->name, why.what,
                                          why.hint.empty() ? "" : " (" + why.hint + ")"));
    }
    return store;
}

}  // namespace ductile
