// SPDX-License-Identifier: MIT
// Integrals over a polyhedron: signed tetrahedra between each face and a reference point (F. Tonon
// 2004, "Explicit exact formulas for the 3-D tetrahedron inertia tensor", written as outer products
// of the corners). The reference is the middle of the box, not the origin: a body modelled 10 km
// away then loses digits only to its coordinates, not to the products of them.
#include <ductile/core/assert.h>
#include <ductile/geom/mass.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace ductile {
namespace {

// Below this share of area times size a volume is rounding noise.
constexpr double kFlat = 1e-12;
// Above this share of the area, what the area vectors sum up to is a hole worth refusing: further
// than that the volume depends on where the reference point lies.
constexpr double kOpen = 1e-3;
// Rounding allowed in symmetry and in a + b >= c, which plates meet with equality.
constexpr double kInertiaSlack = 1e-9;
// A rod this thin (radius a millionth of its length) has no usable moment about its axis.
constexpr double kThinnest = 1e-12;
// Products of inertia, and differences of moments, too small to matter to any engine.
constexpr double kFreeAxes = 1e-9;

// Integrals of 1, x and x x^T over the body, relative to `reference`.
struct Moments {
    Vec3 reference = Vec3::Zero();
    double zeroth = 0.0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
};

struct Area {
    double total = 0.0;
    Vec3 vector = Vec3::Zero();  // Zero for a closed surface.
};

// Sum of outer products that a simplex with one corner at 0, or a triangle, integrates x x^T to.
Mat3 corner_products(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 s = a + b + c;
    return s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose();
}

Area area(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    Area sum;
    for (const Triangle& t : triangles) {
        const Vec3 v = 0.5 * area_vector(points, t);
        sum.total += v.norm();
        sum.vector += v;
    }
    return sum;
}

Moments solid_moments(std::span<const Vec3> points, std::span<const Triangle> triangles,
                      const Vec3& reference) {
    Moments m{.reference = reference};
    for (const Triangle& t : triangles) {
        const Vec3 a = points[t[0]] - reference;
        const Vec3 b = points[t[1]] - reference;
        const Vec3 c = points[t[2]] - reference;
        const double det = a.dot(b.cross(c));
        m.zeroth += det / 6.0;
        m.first += det / 24.0 * (a + b + c);
        m.second += det / 120.0 * corner_products(a, b, c);
    }
    return m;
}

Moments sheet_moments(std::span<const Vec3> points, std::span<const Triangle> triangles,
                      const Vec3& reference, double thickness) {
    Moments m{.reference = reference};
    for (const Triangle& t : triangles) {
        const Vec3 v = area_vector(points, t);
        const double length = v.norm();
        if (!(length > 0)) continue;
        const Vec3 n = v / length;
        const Vec3 a = points[t[0]] - reference;
        const Vec3 b = points[t[1]] - reference;
        const Vec3 c = points[t[2]] - reference;
        const double w = 0.5 * length * thickness;
        m.zeroth += w;
        m.first += w / 3.0 * (a + b + c);
        m.second += w / 12.0 * corner_products(a, b, c);
        m.second += w * thickness * thickness / 12.0 * n * n.transpose();
    }
    return m;
}

MassProperties from_moments(const Moments& m, double density) {
    const Vec3 centre = m.first / m.zeroth;
    const Mat3 about_centre = m.second - m.zeroth * centre * centre.transpose();
    Mat3 inertia = density * (about_centre.trace() * Mat3::Identity() - about_centre);
    inertia = Mat3(0.5 * (inertia + inertia.transpose()));
    return {density * m.zeroth, m.reference + centre, inertia};
}

MassProperties diagonal_mass(double mass, const Vec3& moments) {
    return {mass, Vec3::Zero(), moments.asDiagonal().toDenseMatrix()};
}

Status check_input(std::span<const Vec3> points, std::span<const Triangle> triangles,
                   const MassModel& model) {
    if (!(model.density > 0) || !std::isfinite(model.density)) {
        return Error{"density " + std::to_string(model.density) + " is not a positive number", "",
                     "steel is 7850 kg/m^3"};
    }
    if (!(model.thickness >= 0) || !std::isfinite(model.thickness)) {
        return Error{"thickness " + std::to_string(model.thickness) + " is not a number >= 0", "",
                     "0 stands for a solid"};
    }
    if (!has_valid_indices(points.size(), triangles)) {
        return Error{"a triangle names a point that does not exist", "", "check the mesh's faces"};
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (is_finite(points[i])) continue;
        return Error{"a coordinate is not finite", "point " + std::to_string(i), ""};
    }
    return {};
}

Status check_surface(const Moments& m, const Area& surface, double size, bool is_sheet) {
    if (!(surface.total > kFlat * size * size)) {
        return Error{"the surface has no area", "", "its triangles are lines or points"};
    }
    if (is_sheet) return {};
    if (surface.vector.norm() > kOpen * surface.total) {
        return Error{"the surface is open, so it bounds no solid", "",
                     "close it, or give the body a thickness as a sheet"};
    }
    const double noise = kFlat * surface.total * size;
    if (m.zeroth < -noise) {
        return Error{"the surface is inside out (its volume is negative)", "",
                     "flip its triangles to counter-clockwise seen from outside"};
    }
    if (!(m.zeroth > noise)) {
        return Error{"the surface encloses no volume", "", "give the body a thickness as a sheet"};
    }
    return {};
}

// Triangles that are all sheet, or all bound a solid.
struct Layer {
    std::span<const Triangle> triangles;
    bool is_sheet = false;
    std::vector<Triangle> chosen;  // What `triangles` sees where a mask chose.
};

std::vector<Layer> layers(std::span<const Triangle> triangles, const MassModel& model,
                          std::span<const std::uint8_t> is_sheet) {
    std::vector<Layer> out;
    if (is_sheet.empty()) {
        out.push_back({triangles, model.thickness > 0, {}});
        return out;
    }
    for (const bool wanted : {false, true}) {
        Layer layer{{}, wanted, {}};
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            if ((is_sheet[i] != 0) == wanted) layer.chosen.push_back(triangles[i]);
        }
        if (!layer.chosen.empty()) out.push_back(std::move(layer));
    }
    if (out.empty()) out.push_back({triangles, model.thickness > 0, {}});
    for (Layer& layer : out) {
        if (!layer.chosen.empty()) layer.triangles = layer.chosen;
    }
    return out;
}

// An order and signs of three axes that keep their handedness; applied to the columns of a matrix.
struct AxisOrder {
    std::array<int, 3> column;
    std::array<double, 3> sign;
};

std::array<AxisOrder, 24> axis_orders() {
    constexpr std::array<std::array<int, 3>, 6> kColumns{
        {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
    std::array<AxisOrder, 24> orders;
    for (int i = 0; i < 24; ++i) {
        const double x = i & 1 ? -1.0 : 1.0, y = i & 2 ? -1.0 : 1.0;
        const double handedness = i / 4 < 3 ? 1.0 : -1.0;  // The last three columns swap two axes.
        orders[i] = {kColumns[i / 4], {x, y, handedness * x * y}};
    }
    return orders;
}

// Turns columns i and j within their plane so that the trace becomes as large as it can be.
void turn_towards_identity(Mat3& axes, int i, int j) {
    const double cosine = axes(i, i) + axes(j, j), sine = axes(i, j) - axes(j, i);
    const double length = std::hypot(cosine, sine);
    if (!(length > 0)) return;
    const Vec3 p = axes.col(i), q = axes.col(j);
    axes.col(i) = (cosine * p + sine * q) / length;
    axes.col(j) = (cosine * q - sine * p) / length;
}

// The two eigenvalues (ascending) that count as equal: {0, 1}, {1, 2} or {-1, -1}.
std::array<int, 2> equal_pair(const Vec3& eigenvalues) {
    const double low = eigenvalues[1] - eigenvalues[0], high = eigenvalues[2] - eigenvalues[1];
    if (std::min(low, high) > kFreeAxes * eigenvalues.cwiseAbs().maxCoeff()) return {-1, -1};
    return low <= high ? std::array{0, 1} : std::array{1, 2};
}

// The rotation with columns among +-eigenvectors (mixed within an equal pair) of largest trace,
// that is of least angle.
Mat3 nearest_to_identity(const Mat3& eigenvectors, const Vec3& eigenvalues) {
    Mat3 right_handed = eigenvectors;
    if (right_handed.determinant() < 0) right_handed.col(0) *= -1.0;
    const std::array<int, 2> free = equal_pair(eigenvalues);
    Mat3 best = right_handed;
    double best_trace = -2.0;
    for (const AxisOrder& order : axis_orders()) {
        Mat3 axes;
        std::array<int, 3> place{};
        for (int k = 0; k < 3; ++k) {
            axes.col(k) = order.sign[k] * right_handed.col(order.column[k]);
            place[order.column[k]] = k;
        }
        if (free[0] >= 0) turn_towards_identity(axes, place[free[0]], place[free[1]]);
        if (axes.trace() <= best_trace) continue;
        best_trace = axes.trace();
        best = axes;
    }
    return best;
}

}  // namespace

Result<MassProperties> mass_properties(std::span<const Vec3> points,
                                       std::span<const Triangle> triangles, const MassModel& model,
                                       std::span<const std::uint8_t> is_sheet) {
    DUCTILE_ASSERT(is_sheet.empty() || is_sheet.size() == triangles.size(), "one each");
    if (Status input = check_input(points, triangles, model); !input) return input.error();
    const Box box = bounds(points);
    const Vec3 reference = box.is_empty() ? Vec3(Vec3::Zero()) : box.centre();
    Moments moments{.reference = reference};
    for (const Layer& layer : layers(triangles, model, is_sheet)) {
        if (layer.is_sheet && !(model.thickness > 0)) {
            return Error{"a sheet has no thickness", "", "give the body a thickness"};
        }
        const Moments part =
            layer.is_sheet ? sheet_moments(points, layer.triangles, reference, model.thickness)
                           : solid_moments(points, layer.triangles, reference);
        const Area surface = area(points, layer.triangles);
        if (Status ok = check_surface(part, surface, box.diagonal(), layer.is_sheet); !ok) {
            return ok.error();
        }
        moments.zeroth += part.zeroth;
        moments.first += part.first;
        moments.second += part.second;
    }
    const MassProperties mass = from_moments(moments, model.density);
    if (Status ok = check_mass(mass); !ok) return ok.error();
    return mass;
}

Status check_mass(const MassProperties& mass) {
    if (!std::isfinite(mass.mass) || !is_finite(mass.centre_b) || !mass.inertia_b.allFinite()) {
        return Error{"mass, centre or inertia is not finite", "", "check the body's size"};
    }
    if (!(mass.mass > 0)) return Error{"the mass is not positive", "", "check the density"};
    const double greatest = mass.inertia_b.cwiseAbs().maxCoeff();
    const Mat3 skew = mass.inertia_b - mass.inertia_b.transpose();
    if (skew.cwiseAbs().maxCoeff() > kInertiaSlack * greatest) {
        return Error{"the inertia is not symmetric", "", ""};
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(mass.inertia_b, Eigen::EigenvaluesOnly);
    const Vec3 moments = solver.eigenvalues();
    if (!(moments[2] > 0) || !(moments[0] > kThinnest * moments[2])) {
        return Error{"the inertia is not positive", "",
                     "the body is a line, or parts of its surface are inside out"};
    }
    if (moments[0] + moments[1] < (1.0 - kInertiaSlack) * moments[2]) {
        return Error{"no body has this inertia: one moment exceeds the sum of the others", "",
                     "parts of the surface may be inside out"};
    }
    return {};
}

MassProperties box_mass(const Vec3& size, double density) {
    const double mass = density * size.prod();
    const Vec3 sq = size.cwiseAbs2();
    return diagonal_mass(mass, mass / 12.0 * Vec3(sq.sum() * Vec3::Ones() - sq));
}

MassProperties sphere_mass(double radius, double density) {
    const double mass = density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
    return diagonal_mass(mass, Vec3::Constant(0.4 * mass * radius * radius));
}

MassProperties cylinder_mass(double radius, double height, double density) {
    const double mass = density * std::numbers::pi * radius * radius * height;
    const double across = mass / 12.0 * (3.0 * radius * radius + height * height);
    return diagonal_mass(mass, {across, 0.5 * mass * radius * radius, across});
}

double volume(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    DUCTILE_ASSERT(has_valid_indices(points.size(), triangles), "triangles name existing points");
    if (triangles.empty()) return 0.0;
    const Vec3 reference = bounds(points).centre();
    double sum = 0.0;
    for (const Triangle& t : triangles) {
        const Vec3 a = points[t[0]] - reference;
        sum += a.dot((points[t[1]] - reference).cross(points[t[2]] - reference));
    }
    return sum / 6.0;
}

PrincipalFrame principal_axes(const Mat3& inertia, const Quat& wanted) {
    DUCTILE_ASSERT(inertia.allFinite() && wanted.coeffs().allFinite(), "finite numbers");
    DUCTILE_ASSERT(std::abs(wanted.norm() - 1.0) < 1e-6, "a unit quaternion");
    const Mat3 to_wanted = wanted.normalized().toRotationMatrix();
    Mat3 seen = to_wanted.transpose() * inertia * to_wanted;
    seen = Mat3(0.5 * (seen + seen.transpose()));
    const double products =
        std::max({std::abs(seen(0, 1)), std::abs(seen(0, 2)), std::abs(seen(1, 2))});
    if (products <= kFreeAxes * seen.cwiseAbs().maxCoeff()) return {wanted, seen.diagonal()};

    const Eigen::SelfAdjointEigenSolver<Mat3> solver(seen);
    const Mat3 turn = nearest_to_identity(solver.eigenvectors(), solver.eigenvalues());
    const Quat rotation = (wanted * Quat(turn)).normalized();
    const Mat3 axes = rotation.toRotationMatrix();
    return {rotation, (axes.transpose() * inertia * axes).diagonal()};
}

}  // namespace ductile
