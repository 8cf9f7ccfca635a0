// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>
#include <ductile/image/decode_picture.h>
#include <ductile/record/recording.h>
#include <ductile/render/shading_math.h>

#include <map>
#include <string>
#include <vector>

namespace ductile {

/// A picture to be laid over a surface: itself, half of it, a quarter ... down to one pixel.
/// Repeats to all sides. Needs 5.4 bytes per pixel.
class TextureMap {
public:
    /// Requires: a picture of at least one pixel.
    explicit TextureMap(RgbaImage image);

    std::int32_t width() const { return levels_[0].width; }
    std::int32_t height() const { return levels_[0].height; }
    bool is_opaque() const { return is_opaque_; }

    /// Linear RGB at a place, (0, 0) being the upper left corner, averaged over about `footprint`
    /// (how far one looks across, as a share of a picture's side). Any finite numbers.
    Vec3f colour(const Vec2& uv, double footprint) const;

    /// Alpha at a place, in [0, 1], at full sharpness.
    float alpha(const Vec2& uv) const;

private:
    std::vector<RgbaImage> levels_;
    bool is_opaque_ = true;
};

/// The pictures that the bodies of a recording wear, each decoded once.
struct TextureStore {
    std::map<const Texture*, TextureMap> maps;  ///< Only looked up, never walked in order.
    std::vector<std::string> notes;             ///< What cannot be drawn, and why.

    /// Null for a picture that could not be decoded, and for none.
    const TextureMap* find(const Texture* texture) const;
};

/// Decodes all pictures, in the order of bodies and looks. A picture that cannot be decoded is
/// left out, and a note says so. Where there are many they are kept smaller, so that all together
/// need 1 GB at most. Requires: bodies with assets.
TextureStore load_textures(const Recording& recording);

}  // namespace ductile
