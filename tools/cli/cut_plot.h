// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/tri_mesh.h>

#include <array>
#include <span>
#include <string>
#include <vector>

namespace ductile::cli {

/// A plane across one of the axes.
struct CutPlane {
    int axis = 2;     ///< 0, 1, 2: across x, y, z.
    double at = 0.0;  ///< Where along it [m].

    /// In the plane: the other two axes; y is up where it is one of them.
    Vec2 flat(const Vec3& p) const;
};

using CutLine = std::array<Vec2, 2>;

/// Where triangles meet the plane.
std::vector<CutLine> cut_at(std::span<const Vec3> points, std::span<const Triangle> triangles,
                            const CutPlane& plane);

/// Points of a file, an x,y per line; none for no name. Error: a file that holds none.
Result<std::vector<Vec2>> read_cut_points(const std::string& name);
/// How far such points are from a cut, as a line of text; empty for none.
std::string cut_points_caption(const std::vector<CutLine>& cut, const std::vector<Vec2>& points);

/// An SVG of cuts, as long in either direction.
class CutPlot {
public:
    CutPlot(const Vec2& lower, const Vec2& upper);

    /// `more`: attributes of the line.
    void add(const std::vector<CutLine>& lines, const char* stroke, const char* more);
    void add(const std::vector<Vec2>& points);
    /// Lines of text above the plot; those that are empty are left out.
    std::string finish(const std::string& caption, const std::string& more,
                       const std::string& last = "") &&;

private:
    bool is_inside(const Vec2& p) const;
    Vec2 place(const Vec2& p) const;

    Vec2 lower_, upper_;
    double scale_ = 1.0;
    std::string text_;
};

}  // namespace ductile::cli
