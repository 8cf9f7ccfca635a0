// SPDX-License-Identifier: MIT
#include <ductile/solids/solid_parts.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace ductile {
namespace {

/// A lattice along three axes, of which some cells are filled.
using BeamCell = std::array<std::int32_t, 3>;
using BeamLines = std::array<std::vector<double>, 3>;

// Lines from -half to half, with those of the wall among them.
std::vector<double> beam_lines(double half, double low, double high, double edge_length) {
    std::vector<double> lines;
    const double corners[] = {-half, low, high, half};
    for (int k = 0; k < 3; ++k) {
        const std::int32_t parts = even_parts(corners[k + 1] - corners[k], edge_length);
        for (std::int32_t i = 0; i < parts; ++i) {
            lines.push_back(corners[k] + (corners[k + 1] - corners[k]) * i / parts);
        }
    }
    lines.push_back(half);
    return lines;
}

std::vector<double> even_lines(double half, double edge_length) {
    std::vector<double> lines;
    const std::int32_t parts = even_parts(2 * half, edge_length);
    for (std::int32_t i = 0; i <= parts; ++i) lines.push_back(half * (2.0 * i / parts - 1.0));
    return lines;
}

class BeamBuilder {
public:
    BeamBuilder(const SolidOptions& options, PatchBuilder& builder)
        : half_(0.5 * options.size), builder_(builder) {
        // A low beam's flanges leave a third of its height between them.
        flange_ = std::min(kBeamWall * options.size.x(), options.size.y() / 3.0);
        const double web = 0.5 * kBeamWall * options.size.x();
        lines_[0] = beam_lines(half_.x(), -web, web, options.resolution);
        lines_[1] =
            beam_lines(half_.y(), flange_ - half_.y(), half_.y() - flange_, options.resolution);
        lines_[2] = even_lines(half_.z(), options.resolution);
        web_ = web;
        look_ = builder.add_look({"steel", Vec3(0.42, 0.43, 0.45), 1.0, 0.45, 1.0});
    }

    // A face between what is filled and what is not, of every such pair of cells.
    void add_faces() {
        BeamCell cell{};
        for (cell[2] = 0; cell[2] < count(2); ++cell[2]) {
            for (cell[1] = 0; cell[1] < count(1); ++cell[1]) {
                for (cell[0] = 0; cell[0] < count(0); ++cell[0]) {
                    if (!is_filled(cell)) continue;
                    for (int axis = 0; axis < 3; ++axis) {
                        add_face(cell, axis, false);
                        add_face(cell, axis, true);
                    }
                }
            }
        }
    }

private:
    std::int32_t count(int axis) const {
        return static_cast<std::int32_t>(lines_[axis].size()) - 1;
    }

    bool is_filled(const BeamCell& cell) const {
        for (int axis = 0; axis < 3; ++axis) {
            if (cell[axis] < 0 || cell[axis] >= count(axis)) return false;
        }
        const auto middle = [&](int axis) {
            return 0.5 * (lines_[axis][cell[axis]] + lines_[axis][cell[axis] + 1]);
        };
        return std::abs(middle(0)) < web_ || std::abs(middle(1)) > half_.y() - flange_;
    }

    PatchCorner corner(const BeamCell& at, const Vec3& normal) {
        const Vec3 place(lines_[0][at[0]], lines_[1][at[1]], lines_[2][at[2]]);
        const auto [known, is_new] = points_.try_emplace(at, 0);
        if (is_new) known->second = builder_.add_point(place);
        return {known->second, box_face_uv(place, normal, half_), normal};
    }

    void add_face(const BeamCell& cell, int axis, bool is_upper) {
        BeamCell beyond = cell;
        beyond[axis] += is_upper ? 1 : -1;
        if (is_filled(beyond)) return;
        // Of the two other axes `u` goes first, so that the face turns counter-clockwise.
        const int u = (axis + (is_upper ? 1 : 2)) % 3, v = (axis + (is_upper ? 2 : 1)) % 3;
        Vec3 normal = Vec3::Zero();
        normal[axis] = is_upper ? 1.0 : -1.0;
        std::array<PatchCorner, 4> corners;
        for (int k = 0; k < 4; ++k) {
            BeamCell at = cell;
            at[axis] += is_upper ? 1 : 0;
            at[u] += k == 1 || k == 2 ? 1 : 0;
            at[v] += k >= 2 ? 1 : 0;
            corners[k] = corner(at, normal);
        }
        builder_.add_quad(corners[0], corners[1], corners[2], corners[3], look_, false);
    }

    Vec3 half_;
    double web_ = 0.0, flange_ = 0.0;
    BeamLines lines_;
    PatchBuilder& builder_;
    std::int32_t look_ = 0;
    std::map<BeamCell, std::int32_t> points_;
};

}  // namespace

SurfaceAsset make_beam(const SolidOptions& options) {
    PatchBuilder builder;
    BeamBuilder(options, builder).add_faces();
    return builder.finish();
}

}  // namespace ductile
