// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/scene/placement.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace ductile {
namespace {

// A box within a solid: bodies whose inner boxes overlap do so themselves.
struct InnerBox {
    Vec3 half = Vec3::Zero();  ///< Zero: nothing is known to be inside.
    Vec3 centre_w = Vec3::Zero();
    Mat3 axes_w = Mat3::Identity();
};

Vec3 inner_half(const SolidOptions& solid) {
    constexpr double kInSquare = std::numbers::sqrt2 / 2.0;  // a square in its circle
    constexpr double kInCube = 1.0 / std::numbers::sqrt3;    // a cube in its ball
    const Vec3 half = 0.5 * solid_size(solid);
    const double cut = (1.0 - kInCube) * solid.rounding;
    switch (solid.kind) {
        case SolidKind::Box:
        case SolidKind::Plank:
        case SolidKind::Plate:
            return (half.array() - cut).max(0.0);
        case SolidKind::Sphere:
            return kInCube * half;
        case SolidKind::Cylinder:
            return {kInSquare * half.x(), std::max(half.y() - solid.rounding, 0.0),
                    kInSquare * half.z()};
        case SolidKind::Capsule: {
            const double radius = std::min(half.x(), half.z());
            const double straight = half.y() - radius;
            if (straight < kInCube * radius) return kInCube * half;
            return {kInSquare * half.x(), straight, kInSquare * half.z()};
        }
        // Lids lie behind the rims, and the wall behind the hoops.
        case SolidKind::Barrel:
            return {0.9 * kInSquare * half.x(), 0.93 * half.y(), 0.9 * kInSquare * half.z()};
        // Its web.
        case SolidKind::Beam:
            return {kBeamWall * half.x(), half.y(), half.z()};
        case SolidKind::Torus:
        case SolidKind::Car:
        case SolidKind::Blend:
            break;
    }
    return Vec3::Zero();
}

InnerBox inner_box(const Scene& scene, const PlacedBody& placed) {
    const SceneBody& body = scene.bodies[static_cast<std::size_t>(placed.body)];
    return {body.mesh.empty() ? inner_half(body.solid) : Vec3(Vec3::Zero()),
            placed.pose_w.translation, placed.pose_w.rotation.toRotationMatrix()};
}

double reach_along(const InnerBox& box, const Vec3& direction) {
    return (box.axes_w.transpose() * direction).cwiseAbs().dot(box.half);
}

// Separating axes: the least overlap over the 15 directions that can part two boxes.
double overlap_depth(const InnerBox& a, const InnerBox& b) {
    const Vec3 apart = b.centre_w - a.centre_w;
    double least = std::numeric_limits<double>::infinity();
    const auto look = [&](const Vec3& direction) {
        const double length = direction.norm();
        if (length < 1e-9) return;  // parallel edges part nothing that faces do not
        const Vec3 unit = direction / length;
        least = std::min(least,
                         reach_along(a, unit) + reach_along(b, unit) - std::abs(apart.dot(unit)));
    };
    for (int i = 0; i < 3; ++i) {
        look(a.axes_w.col(i));
        look(b.axes_w.col(i));
        for (int k = 0; k < 3; ++k) look(a.axes_w.col(i).cross(b.axes_w.col(k)));
    }
    return least;
}

bool is_movable(const Scene& scene, const PlacedBody& placed) {
    return scene.bodies[static_cast<std::size_t>(placed.body)].motion == Motion::Dynamic;
}

Quat random_tilt(Rng& rng, double tilt_deg) {
    const double heading = rng.uniform(0.0, 2.0 * std::numbers::pi);
    const double angle = rng.uniform() * tilt_deg * std::numbers::pi / 180.0;
    return Quat(Eigen::AngleAxisd(angle, Vec3(std::cos(heading), 0.0, std::sin(heading))));
}

void place_copies(const SceneBody& body, std::int32_t index, std::vector<PlacedBody>& out) {
    const SceneCopies& copies = body.copies;
    const auto [nx, ny, nz] = copies.count;
    const bool is_single = nx == 1 && ny == 1 && nz == 1;
    Rng rng(copies.seed);
    std::size_t number = 0;
    for (int y = 0; y < ny; ++y) {
        for (int z = 0; z < nz; ++z) {
            for (int x = 0; x < nx; ++x) {
                PlacedBody& placed = out.emplace_back();
                placed.body = index;
                placed.name = is_single ? body.name : body.name + "-" + std::to_string(number + 1);
                // Every copy draws as often, so that a knob of one leaves the others in place.
                const Vec3 chance{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
                const Quat tilt = random_tilt(rng, copies.tilt_deg);
                placed.pose_w.translation = body.position +
                                            Vec3(x, y, z).cwiseProduct(copies.spacing) +
                                            chance.cwiseProduct(copies.jitter);
                placed.pose_w.rotation =
                    copies.tilt_deg > 0.0 ? (tilt * body.rotation).normalized() : body.rotation;
                if (!body.keys.empty()) {
                    const Transform start = pose_at(body.keys, 0.0);
                    placed.pose_w.translation += start.translation - body.position;
                    placed.pose_w.rotation = start.rotation;
                }
                placed.velocity_w = body.velocity;
                placed.spin_w = body.spin;
                if (!body.colours.empty()) {
                    placed.colour = body.colours[number % body.colours.size()];
                }
                ++number;
            }
        }
    }
}

void find_below_ground(const Scene& scene, std::span<const PlacedBody> placed,
                       const std::vector<InnerBox>& boxes, double tolerance,
                       std::vector<PlacedOverlap>& out) {
    for (std::size_t i = 0; i < placed.size(); ++i) {
        if (!scene.ground.is_on || !is_movable(scene, placed[i])) continue;
        const double lowest = boxes[i].centre_w.y() - reach_along(boxes[i], Vec3::UnitY());
        const double depth = scene.ground.height - lowest;
        if (depth > tolerance) out.push_back({-1, static_cast<std::int32_t>(i), depth});
    }
}

}  // namespace

std::int64_t body_count(const Scene& scene) {
    std::int64_t count = 0;
    for (const SceneBody& body : scene.bodies) {
        std::int64_t copies = 1;
        for (std::int32_t n : body.copies.count) copies *= n;
        count += copies;
    }
    return count;
}

std::vector<PlacedBody> place_bodies(const Scene& scene) {
    std::vector<PlacedBody> out;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        place_copies(scene.bodies[i], static_cast<std::int32_t>(i), out);
    }
    return out;
}

Vec3 solid_size(const SolidOptions& solid) {
    Vec3 size = solid.size == Vec3::Zero() ? natural_size(solid) : solid.size;
    if (solid.kind == SolidKind::Torus) size.y() = 2.0 * solid.tube;
    return size;
}

bool is_round_capsule(const SolidOptions& solid) {
    const Vec3 size = solid_size(solid);
    return solid.kind == SolidKind::Capsule && size.x() == size.z();
}

double hit_time(const Scene& scene, const SceneHit& hit) {
    if (hit.time) return *hit.time;
    return hit.frame ? *hit.frame / scene.frame_rate : 0.0;
}

std::vector<PlacedOverlap> sure_overlaps(const Scene& scene, std::span<const PlacedBody> placed,
                                         double tolerance, std::size_t most) {
    std::vector<InnerBox> boxes;
    for (const PlacedBody& body : placed) boxes.push_back(inner_box(scene, body));
    std::vector<PlacedOverlap> out;
    find_below_ground(scene, placed, boxes, tolerance, out);

    // Sweep along x: only boxes whose spans overlap there are compared.
    std::vector<Box> bounds;
    for (const InnerBox& box : boxes) {
        const Vec3 reach = box.axes_w.cwiseAbs() * box.half;
        bounds.push_back({box.centre_w - reach, box.centre_w + reach});
    }
    const auto lower = [&](std::int32_t i) {
        return bounds[static_cast<std::size_t>(i)].lower.x();
    };
    std::vector<std::int32_t> order(placed.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return lower(a) < lower(b); });
    // Two that cannot move are not compared: those may be many, in one place.
    std::vector<std::int32_t> open_movable, open_fixed;
    const auto compare = [&](std::int32_t i, std::vector<std::int32_t>& open) {
        const Box& own = bounds[static_cast<std::size_t>(i)];
        std::erase_if(open, [&](std::int32_t k) {
            return bounds[static_cast<std::size_t>(k)].upper.x() < own.lower.x();
        });
        for (const std::int32_t k : open) {
            if (!own.overlaps(bounds[static_cast<std::size_t>(k)])) continue;
            const double depth = overlap_depth(boxes[static_cast<std::size_t>(std::min(i, k))],
                                               boxes[static_cast<std::size_t>(std::max(i, k))]);
            if (depth > tolerance) out.push_back({std::min(i, k), std::max(i, k), depth});
        }
    };
    for (const std::int32_t i : order) {
        if (out.size() >= most) break;
        const auto at = static_cast<std::size_t>(i);
        if (!(boxes[at].half.minCoeff() > 0.0)) continue;
        const bool can_move = is_movable(scene, placed[at]);
        compare(i, open_movable);
        if (can_move) compare(i, open_fixed);
        (can_move ? open_movable : open_fixed).push_back(i);
    }
    std::sort(out.begin(), out.end(), [](const PlacedOverlap& p, const PlacedOverlap& q) {
        return p.b != q.b ? p.b < q.b : p.a < q.a;
    });
    return out;
}

}  // namespace ductile
