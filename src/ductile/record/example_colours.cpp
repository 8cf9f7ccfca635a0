// SPDX-License-Identifier: MIT
// Colours are blended in OKLab: Bjoern Ottosson 2020, "A perceptual color space for image
// processing".
#include <ductile/record/example_colours.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile {
namespace {

constexpr std::uint8_t kShownShare = 26;  // in 255ths: what is seen of a pose's colour

/// Lightness, chroma and hue [deg].
struct PolarColour {
    double lightness, chroma, hue_deg;
};
constexpr double kWhite = 0.97;
// Neighbours in this order are as unlike as can be.
constexpr std::array<PolarColour, 8> kPoseColours = {{{0.58, 0.20, 27.0},
                                                      {0.62, 0.17, 145.0},
                                                      {0.52, 0.19, 265.0},
                                                      {0.80, 0.16, 92.0},
                                                      {0.60, 0.20, 330.0},
                                                      {0.70, 0.11, 205.0},
                                                      {0.68, 0.16, 55.0},
                                                      {0.50, 0.16, 300.0}}};

}  // namespace

Vec3 linear_from_oklab(const Vec3& lab) {
    const Vec3 cones(lab.x() + 0.3963377774 * lab.y() + 0.2158037573 * lab.z(),
                     lab.x() - 0.1055613458 * lab.y() - 0.0638541728 * lab.z(),
                     lab.x() - 0.0894841775 * lab.y() - 1.2914855480 * lab.z());
    const Vec3 l = cones.cwiseProduct(cones).cwiseProduct(cones);
    return {4.0767416621 * l.x() - 3.3077115913 * l.y() + 0.2309699292 * l.z(),
            -1.2684380046 * l.x() + 2.6097574011 * l.y() - 0.3413193965 * l.z(),
            -0.0041960863 * l.x() - 0.7034186147 * l.y() + 1.7076147010 * l.z()};
}

Vec3 example_tint(std::size_t pose) {
    const PolarColour& c = kPoseColours[pose % kPoseColours.size()];
    const double lighter = (pose / kPoseColours.size()) % 2 == 0 ? 1.0 : 0.55;
    const double hue = c.hue_deg * kPi / 180.0;
    return lighter * Vec3(c.lightness - kWhite, c.chroma * std::cos(hue), c.chroma * std::sin(hue));
}

Vec3 example_colour(const Vec3& tint) {
    return linear_from_oklab(Vec3(kWhite, 0, 0) + tint).cwiseMax(0.0).cwiseMin(1.0);
}

std::vector<Vec3> example_tints(const RecordedBody& body, std::size_t shape) {
    const std::size_t points = body.asset->surface.points.size(), poses = body.poses.size();
    if (shape >= body.shares.size() || body.shares[shape].size() != points * poses || poses == 0) {
        return {};
    }
    std::vector<Vec3> tints(points, Vec3::Zero());
    for (std::size_t v = 0; v < points; ++v) {
        for (std::size_t e = 0; e < poses; ++e) {
            tints[v] += body.shares[shape][v * poses + e] / 255.0 * example_tint(e);
        }
    }
    return tints;
}

std::vector<std::string> example_names(const Recording& recording) {
    std::vector<std::vector<std::string>> seen;  // of bodies whose poses share a colour
    for (const RecordedBody& body : recording.bodies) {
        std::vector<std::uint8_t> most(body.poses.size());
        for (const std::vector<std::uint8_t>& shares : body.shares) {
            for (std::size_t i = 0; i < shares.size(); ++i) {
                most[i % most.size()] = std::max(most[i % most.size()], shares[i]);
            }
        }
        seen.resize(std::max(seen.size(), most.size()));
        for (std::size_t e = 0; e < most.size(); ++e) {
            const bool is_known =
                std::find(seen[e].begin(), seen[e].end(), body.poses[e]) != seen[e].end();
            if (most[e] >= kShownShare && !is_known) seen[e].push_back(body.poses[e]);
        }
    }
    std::vector<std::string> names;
    for (const std::vector<std::string>& of_colour : seen) {
        std::string& name = names.emplace_back();
        for (const std::string& pose : of_colour) name += (name.empty() ? "" : ", ") + pose;
    }
    return names;
}

}  // namespace ductile
