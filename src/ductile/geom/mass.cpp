// SPDX-License-Identifier: MIT
// The reference of the integrals is the middle of the box, not the origin: a body modelled 10 km
// away then loses digits only to its coordinates, not to the products of them.
#include <ductile/core/assert.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/mass_integrals.h>

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

MassSums::MassSums(std::span<const Vec3> points, std::span<const Triangle> triangles,
                   double thickness, std::span<const std::uint8_t> is_sheet, const Box& about)
    : triangles_(triangles),
      is_sheet_(is_sheet),
      thickness_(thickness),
      reference_(about.is_empty() ? Vec3(Vec3::Zero()) : about.centre()),
      size_(about.diagonal()) {
    DUCTILE_ASSERT(is_sheet.empty() || is_sheet.size() == triangles.size(), "one each");
    DUCTILE_ASSERT(has_valid_indices(points.size(), triangles), "triangles name existing points");
    for (const bool wanted : {false, true}) {
        const auto is_wanted = [&](std::uint8_t sheet) { return (sheet != 0) == wanted; };
        const bool is_there = is_sheet.empty()
                                  ? (thickness > 0) == wanted
                                  : std::any_of(is_sheet.begin(), is_sheet.end(), is_wanted);
        if (is_there) layers_.push_back({wanted, {}});
    }
    std::size_t count = triangles.size();
    do {
        count = std::max<std::size_t>(1, (count + kFan - 1) / kFan);
        stale_.emplace_back(count);
        for (Layer& layer : layers_) layer.levels.emplace_back(count);
    } while (count > 1);
    for (std::size_t block = 0; block < stale_[0].size(); ++block) {
        stale_[0].insert(static_cast<std::int32_t>(block));
    }
    add_up(points);
}

void MassSums::update(std::span<const Vec3> points, std::span<const std::int32_t> touched) {
    for (const std::int32_t t : touched) stale_[0].insert(t / static_cast<std::int32_t>(kFan));
    add_up(points);
}

// A block's sum depends on what is in it alone, never on what it was: no trace of the past.
void MassSums::add_up(std::span<const Vec3> points) {
    for (std::size_t level = 0; level < stale_.size(); ++level) {
        stale_[level].for_each([&](std::int32_t block) {
            for (Layer& layer : layers_) {
                layer.levels[level][block] = level == 0
                                                 ? of_triangles(points, layer.is_sheet, block)
                                                 : of_blocks(layer.levels[level - 1], block);
            }
            if (level + 1 < stale_.size()) {
                stale_[level + 1].insert(block / static_cast<std::int32_t>(kFan));
            }
        });
        stale_[level].clear();
    }
}

MassSums::Sum MassSums::of_triangles(std::span<const Vec3> points, bool is_sheet,
                                     std::size_t block) const {
    Sum sum;
    const std::size_t end = std::min(kFan * (block + 1), triangles_.size());
    for (std::size_t i = kFan * block; i < end; ++i) {
        if (!is_sheet_.empty() && (is_sheet_[i] != 0) != is_sheet) continue;
        const Triangle& t = triangles_[i];
        const Vec3 a = points[t[0]] - reference_;
        const Vec3 b = points[t[1]] - reference_;
        const Vec3 c = points[t[2]] - reference_;
        const Vec3 v = area_vector(points, t);
        if (is_sheet) {
            add_sheet_triangle(sum, a, b, c, v, thickness_);
        } else {
            add_solid_triangle(sum, a, b, c, v);
        }
    }
    return sum;
}

MassSums::Sum MassSums::of_blocks(std::span<const Sum> below, std::size_t block) {
    Sum sum;
    const std::size_t end = std::min(kFan * (block + 1), below.size());
    for (std::size_t i = kFan * block; i < end; ++i) sum.add(below[i]);
    return sum;
}

void MassSums::Sum::add(const Sum& other) {
    zeroth += other.zeroth;
    first += other.first;
    for (std::size_t i = 0; i < second.size(); ++i) second[i] += other.second[i];
    area += other.area;
    area_vector += other.area_vector;
}

Status MassSums::check_layer(const Layer& layer) const {
    const Sum& sum = layer.levels.back()[0];
    if (layer.is_sheet && !(thickness_ > 0)) {
        return Error{"a sheet has no thickness", "", "give the body a thickness"};
    }
    if (!(sum.area > kFlat * size_ * size_)) {
        return Error{"the surface has no area", "", "its triangles are lines or points"};
    }
    if (layer.is_sheet) return {};
    if (sum.area_vector.norm() > kOpen * sum.area) {
        return Error{"the surface is open, so it bounds no solid", "",
                     "close it, or give the body a thickness as a sheet"};
    }
    const double noise = kFlat * sum.area * size_;
    if (sum.zeroth < -noise) {
        return Error{"the surface is inside out (its volume is negative)", "",
                     "flip its triangles to counter-clockwise seen from outside"};
    }
    if (!(sum.zeroth > noise)) {
        return Error{"the surface encloses no volume", "", "give the body a thickness as a sheet"};
    }
    return {};
}

Result<MassProperties> MassSums::properties(double density) const {
    Sum sum;
    for (const Layer& layer : layers_) {
        if (Status ok = check_layer(layer); !ok) return ok.error();
        sum.add(layer.levels.back()[0]);
    }
    const MassProperties mass = mass_of_integrals(sum, density, reference_);
    if (Status ok = check_mass(mass); !ok) return ok.error();
    return mass;
}

Result<MassProperties> mass_properties(std::span<const Vec3> points,
                                       std::span<const Triangle> triangles, const MassModel& model,
                                       std::span<const std::uint8_t> is_sheet) {
    if (Status input = check_input(points, triangles, model); !input) return input.error();
    return MassSums(points, triangles, model.thickness, is_sheet, bounds(points))
        .properties(model.density);
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
