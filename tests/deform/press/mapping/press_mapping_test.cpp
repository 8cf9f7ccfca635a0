// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/press/mapping/affine_map.h>
#include <ductile/deform/press/press.h>
#include <ductile/geom/flatten/flatten_patch.h>

#include <Eigen/SVD>
#include <deform/press/press_cases.h>
#include <doctest/doctest.h>

#include <functional>
#include <numeric>

using namespace ductile;

namespace {

PressMapping map_of(const test::PressPair& pair, RigidPlanes* planes = nullptr,
                    PressMappingKind kind = PressMappingKind::Spread) {
    REQUIRE(pair.found.overlaps.size() == 1);
    Result<PressMapping> made =
        PressMapping::make(pair.soft, pair.rigid, pair.found.overlaps[0], planes, kind);
    if (!made) FAIL(made.error().text());
    return std::move(made.value());
}

std::vector<Vec3> images(const PressMapping& mapping) {
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < mapping.points().size(); ++i) {
        points.push_back(mapping.lift(mapping.flat(static_cast<std::int32_t>(i))).position);
    }
    return points;
}

/// What a map does to the triangles that lie inside as a whole, and to the curve.
struct MapQuality {
    int triangles = 0, folds = 0;
    double most = 0.0, least = kInfinity;  ///< Singular values.
    double off = 0.0;                      ///< Of the curve from itself, in soft edges.
};

MapQuality judge(const test::PressPair& pair, const PressMapping& mapping) {
    const PressOverlap& overlap = pair.found.overlaps[0];
    const std::vector<Vec3> image = images(mapping);
    MapQuality quality;
    const auto is_in = [&](std::int32_t v) {
        return std::binary_search(overlap.inside.begin(), overlap.inside.end(), v);
    };
    for (const Triangle& t : pair.soft.triangles) {
        if (!is_in(t[0]) || !is_in(t[1]) || !is_in(t[2])) continue;
        ++quality.triangles;
        const std::array<std::int32_t, 3> at = {mapping.index_of(t[0]), mapping.index_of(t[1]),
                                                mapping.index_of(t[2])};
        const std::array<Vec2, 3> flat = {mapping.flat(at[0]), mapping.flat(at[1]),
                                          mapping.flat(at[2])};
        quality.folds += flat_area(flat, {0, 1, 2}) > 0;
        const Vec3 u = pair.soft.points[t[1]] - pair.soft.points[t[0]];
        const Vec3 v = pair.soft.points[t[2]] - pair.soft.points[t[0]];
        const Eigen::Matrix2d rest{{u.norm(), u.dot(v) / u.norm()},
                                   {0.0, u.cross(v).norm() / u.norm()}};
        Eigen::Matrix<double, 3, 2> now;
        now << image[at[1]] - image[at[0]], image[at[2]] - image[at[0]];
        const Eigen::Matrix<double, 3, 2> stretch = now * rest.inverse();
        // Squares of the singular values: what the product with its own transpose is made of.
        const Eigen::Matrix2d squares = stretch.transpose() * stretch;
        const double mean = 0.5 * squares.trace();
        const double apart = std::sqrt(std::max(0.0, mean * mean - squares.determinant()));
        test::raise_to(quality.most, std::sqrt(mean + apart));
        quality.least = std::min(quality.least, std::sqrt(std::max(0.0, mean - apart)));
    }
    for (const CurvePoint& p : overlap.curve) {
        Vec2 flat = Vec2::Zero();
        bool is_mapped = true;
        for (int k = 0; k < 3; ++k) {
            const std::int32_t at = mapping.index_of(p.soft.points[k]);
            is_mapped = is_mapped && at >= 0;
            if (is_mapped) flat += p.soft.weights[k] * mapping.flat(at);
        }
        if (!is_mapped) continue;
        test::raise_to(quality.off, (mapping.lift(flat).position - p.position).norm() /
                                        pair.soft.mean_edge_length());
    }
    return quality;
}

/// Two flat sheets in one plane, the soft one seen from behind and changed by `change`, that meet
/// in a circle of radius 0.6 by decree.
test::PressPair flat_pair(const Eigen::Matrix2d& change) {
    const auto sheet = [](int n, double turn, bool is_up) {
        TriMesh m = test::grid_mesh(n, n, false, false, [&](int i, int j) {
            return Vec3(2.0 * i / n - 1.0, 0.0, 1.0 - 2.0 * j / n);
        });
        m = test::placed(m, {Quat(Eigen::AngleAxisd(turn, Vec3::UnitY())), Vec3::Zero()});
        return is_up ? m : test::inside_out(m);
    };
    const TriMesh on = sheet(20, 0.3, false);
    TriMesh changed = on;
    for (Vec3& p : changed.points) {
        const Vec2 q = change * Vec2(p.x(), p.z());
        p = {q.x(), 0.0, q.y()};
    }
    test::PressPair pair(changed, sheet(13, -0.2, true));
    const SurfaceQuery query(pair.rigid.points, pair.rigid.triangles);
    PressOverlap& overlap = pair.found.overlaps.emplace_back();
    struct Cut {
        double angle;
        CurvePoint point;
    };
    std::vector<Cut> cuts;
    const auto is_in = [&](std::int32_t v) { return on.points[v].norm() < 0.6; };
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(on.points.size()); ++v) {
        if (is_in(v)) overlap.inside.push_back(v);
        for (const std::int32_t w : pair.soft.graph[v]) {
            if (w < v || is_in(v) == is_in(w)) continue;
            const Vec3 a = on.points[v], d = on.points[w] - a;
            const double b = a.dot(d), c = a.squaredNorm() - 0.36, dd = d.squaredNorm();
            const double root = std::sqrt(b * b - dd * c);
            const double along = is_in(v) ? (root - b) / dd : (-root - b) / dd;
            CurvePoint p;
            p.soft = {{v, w, v}, {1.0 - along, along, 0.0}};
            const Vec3 at = a + along * d;
            const SurfacePoint under = query.closest_point(at);
            p.rigid_triangle = under.triangle;
            p.rigid_weights = under.barycentric;
            p.position = at;
            cuts.push_back({std::atan2(at.z(), at.x()), p});
        }
    }
    std::sort(cuts.begin(), cuts.end(),
              [](const Cut& a, const Cut& b) { return a.angle < b.angle; });
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const auto& before = cuts[(i + cuts.size() - 1) % cuts.size()].point;
        const auto& after = cuts[(i + 1) % cuts.size()].point;
        cuts[i].point.length = 0.5 * ((cuts[i].point.position - before.position).norm() +
                                      (cuts[i].point.position - after.position).norm());
        overlap.curve.push_back(cuts[i].point);
    }
    overlap.loops = {0};
    overlap.under.resize(pair.rigid.triangles.size());
    std::iota(overlap.under.begin(), overlap.under.end(), 0);
    return pair;
}

/// How far images are from where `change` takes back to, at worst.
double flat_error(const Eigen::Matrix2d& change, PressMappingKind kind = PressMappingKind::Spread) {
    const test::PressPair pair = flat_pair(change);
    const PressMapping mapping = map_of(pair, nullptr, kind);
    const std::vector<Vec3> image = images(mapping);
    double worst = 0.0;
    for (const std::int32_t v : pair.found.overlaps[0].inside) {
        const Vec3& p = pair.soft.points[v];
        const Vec2 q = change.inverse() * Vec2(p.x(), p.z());
        test::raise_to(worst, (image[mapping.index_of(v)] - Vec3(q.x(), 0.0, q.y())).norm());
    }
    return worst;
}

/// How far the two kinds of maps take a vertex to different places, in radii of the contact.
double kinds_apart(const test::PressPair& pair) {
    const PressMapping spread = map_of(pair);
    const PressMapping affine = map_of(pair, nullptr, PressMappingKind::Affine);
    const std::vector<Vec3> one = images(spread), two = images(affine);
    double around = 0.0, worst = 0.0;
    for (const CurvePoint& p : pair.found.overlaps[0].curve) around += p.length;
    for (const std::int32_t v : pair.found.overlaps[0].inside) {
        test::raise_to(worst, (one[spread.index_of(v)] - two[affine.index_of(v)]).norm());
    }
    return 2.0 * kPi * worst / around;
}

}  // namespace

TEST_CASE("where both surfaces coincide and are flat, the map is the identity") {
    // To what a few rounds leave of the start.
    CHECK(flat_error(Eigen::Matrix2d::Identity()) < 1e-5);
}

TEST_CASE("a flat sheet of any size and turn is mapped as it is, a sheared one nearly so") {
    const double c = std::cos(0.4), s = std::sin(0.4);
    CHECK(flat_error(Eigen::Matrix2d{{1.7 * c, -1.7 * s}, {1.7 * s, 1.7 * c}}) < 1e-5);
    // An edge is 0.1 long: what is left is what constraints of finite weight leave at the border.
    CHECK(flat_error(Eigen::Matrix2d{{1.3, 0.4}, {0.0, 0.8}}) < 0.003);
}

TEST_CASE("an affine map of a flat sheet is found whole, shears included") {
    for (const Eigen::Matrix2d& change :
         {Eigen::Matrix2d{{1.0, 0.0}, {0.0, 1.0}}, Eigen::Matrix2d{{1.3, 0.4}, {0.0, 0.8}},
          Eigen::Matrix2d{{0.5, -1.1}, {0.9, 0.3}}}) {
        CHECK(flat_error(change, PressMappingKind::Affine) < 1e-9);
    }
}

TEST_CASE("the affine map keeps the curve on itself and turns nothing over") {
    const std::function<test::PressPair()> cases[] = {
        [] { return test::ball_on_slab(0.08); },
        [] { return test::ball_on_slab(0.4); },
        [] { return test::ball_on_ball(0.15); },
        [] { return test::ring_in_block(0.1); },
        [] { return test::post_in_block(0.25); },
        [] { return test::finger_through_pane(0.15, 0.05); },
    };
    for (const auto& make : cases) {
        const test::PressPair pair = make();
        const MapQuality quality = judge(pair, map_of(pair, nullptr, PressMappingKind::Affine));
        CHECK(quality.triangles > 20);
        CHECK(quality.folds == 0);
        CHECK(quality.off < 0.05);
    }
}

TEST_CASE("on balls both kinds of maps agree within a few hundredths of the contact") {
    CHECK(kinds_apart(test::ball_on_slab(0.08)) < 0.02);
    CHECK(kinds_apart(test::ball_on_slab(0.4)) < 0.05);
    CHECK(kinds_apart(test::ball_on_ball(0.15)) < 0.05);
}

TEST_CASE("weighted least squares find an affine map, and refuse places in one line") {
    const AffineMap wanted{Eigen::Matrix2d{{0.3, -2.0}, {1.0, 0.7}}, Vec2(1e3, 5.0), Vec2(7, -1e3)};
    const std::vector<Vec2> from = {{1000, 5}, {1001, 5}, {1000.5, 6}, {999, 4}};
    std::vector<Vec2> to;
    for (const Vec2& p : from) to.push_back(wanted(p));
    const std::vector<double> weights = {1.0, 0.5, 2.0, 0.0};
    to[3] += Vec2(50, 50);  // Has no weight.
    const Result<AffineMap> map = fit_affine(from, to, weights);
    REQUIRE(map);
    CHECK((map.value().linear - wanted.linear).norm() < 1e-9);
    CHECK((map.value()(Vec2(1010, 0)) - wanted(Vec2(1010, 0))).norm() < 1e-9);
    const std::vector<Vec2> line = {{0, 0}, {1, 1}, {2, 2}, {5, 5}};
    CHECK_FALSE(fit_affine(line, to, weights));
}

TEST_CASE("maps of many shapes keep orientation, the curve, and a bounded stretch") {
    struct Case {
        const char* name;
        std::function<test::PressPair()> make;
        double most, least;  ///< Singular values.
    };
    const Case cases[] = {
        {"shallow ball", [] { return test::ball_on_slab(0.08); }, 1.05, 0.9},
        {"deep ball", [] { return test::ball_on_slab(0.4); }, 1.05, 0.6},
        {"ball in ball", [] { return test::ball_on_ball(0.15); }, 1.3, 0.9},
        {"deep ball in ball", [] { return test::ball_on_ball(0.35); }, 1.8, 0.9},
        {"ring", [] { return test::ring_in_block(0.1); }, 1.7, 0.9},
        {"half a ring", [] { return test::ring_in_block(0.16); }, 2.8, 0.8},
        {"post", [] { return test::post_in_block(0.25); }, 2.6, 0.9},
        {"deep post", [] { return test::post_in_block(0.7); }, 6.0, 0.8},
        {"soft ring", [] { return test::soft_ring_on_slab(); }, 1.2, 0.3},
        {"finger", [] { return test::finger_through_pane(0.15, 0.05); }, 1.1, 0.4},
        {"deep finger", [] { return test::finger_through_pane(0.5, 0.05); }, 1.2, 0.05},
    };
    for (const Case& c : cases) {
        CAPTURE(c.name);
        const test::PressPair pair = c.make();
        const MapQuality quality = judge(pair, map_of(pair));
        CHECK(quality.triangles > 20);
        CHECK(quality.folds == 0);
        CHECK(quality.most < c.most);
        CHECK(quality.least > c.least);
        CHECK(quality.off < 0.05);
    }
}

TEST_CASE("a ball is mapped onto a plane evenly about its axis") {
    const test::PressPair pair = test::ball_on_slab(0.2, 0.03);
    const PressMapping mapping = map_of(pair);
    const std::vector<Vec3> image = images(mapping);
    double worst = 0.0;
    for (const std::int32_t v : pair.found.overlaps[0].inside) {
        const Vec3 from = pair.soft.points[v] - Vec3(0.01, 0.3, 0.02);
        const Vec3 to = image[mapping.index_of(v)] - Vec3(0.01, 0.0, 0.02);
        CHECK(std::abs(to.y()) < 1e-12);
        // In the direction that it lies in, within a part of an edge.
        const Vec2 away = Vec2(from.x(), from.z()).normalized();
        test::raise_to(worst, std::abs(away.x() * to.z() - away.y() * to.x()));
    }
    CHECK(worst < 0.2 * pair.soft.mean_edge_length());
}

TEST_CASE("a small move moves no image far, whatever vertices come in" *
          doctest::test_suite("long")) {
    const auto sweep = [](const std::function<test::PressPair(double)>& at) {
        constexpr double kStep = 5e-4;
        std::size_t gained = 0;
        double worst = 0.0;
        std::vector<std::int32_t> before;
        std::vector<Vec3> image_before;
        for (int i = 0; i <= 24; ++i) {
            const test::PressPair pair = at(kStep * i);
            const PressMapping mapping = map_of(pair);
            const std::vector<Vec3> image = images(mapping);
            const std::vector<std::int32_t>& inside = pair.found.overlaps[0].inside;
            std::vector<Vec3> now;
            for (const std::int32_t v : inside) now.push_back(image[mapping.index_of(v)]);
            std::size_t k = 0;
            for (std::size_t j = 0; j < inside.size(); ++j) {
                while (k < before.size() && before[k] < inside[j]) ++k;
                if (k < before.size() && before[k] == inside[j]) {
                    test::raise_to(worst, (now[j] - image_before[k]).norm() / kStep);
                } else {
                    gained += i > 0;
                }
            }
            before = inside;
            image_before = std::move(now);
        }
        CHECK(gained >= 4);
        return worst;
    };
    // At the rim of a cap of angle a the curve itself runs by 1 / sin a.
    CHECK(sweep([](double s) { return test::ball_on_slab(0.12 + s); }) < 5.0);
    CHECK(sweep([](double s) { return test::ball_on_ball(0.1 + s); }) < 10.0);
    CHECK(sweep([](double s) { return test::ring_in_block(0.06 + s); }) < 10.0);
}

TEST_CASE("the order of vertices and triangles does not matter to a map, but for rounding") {
    const test::PressPair pair = test::ball_on_ball(0.12);
    const auto shuffled = [](const TriMesh& mesh, std::vector<std::int32_t>& to) {
        Rng rng(11);
        to.resize(mesh.points.size());
        std::iota(to.begin(), to.end(), 0);
        const auto pick = [&](std::size_t below) {
            return std::min(below - 1, static_cast<std::size_t>(rng.uniform(0, 1) * below));
        };
        for (std::size_t i = to.size(); i > 1; --i) std::swap(to[i - 1], to[pick(i)]);
        TriMesh m = mesh;
        for (std::size_t v = 0; v < to.size(); ++v) m.points[to[v]] = mesh.points[v];
        for (Triangle& t : m.triangles) t = {to[t[1]], to[t[2]], to[t[0]]};
        for (std::size_t i = m.triangles.size(); i > 1; --i) {
            std::swap(m.triangles[i - 1], m.triangles[pick(i)]);
        }
        return m;
    };
    std::vector<std::int32_t> soft_to, rigid_to;
    const TriMesh soft = shuffled(pair.soft_rest->mesh(), soft_to);
    const test::PressPair other(soft, shuffled(pair.rigid_rest->mesh(), rigid_to));
    const PressMapping one = map_of(pair), two = map_of(other);
    const std::vector<Vec3> image_one = images(one), image_two = images(two);
    REQUIRE(one.points().size() == two.points().size());
    double worst = 0.0;
    for (const std::int32_t v : pair.found.overlaps[0].inside) {
        const std::int32_t there = two.index_of(soft_to[v]);
        REQUIRE(there >= 0);
        test::raise_to(worst, (image_one[one.index_of(v)] - image_two[there]).norm());
    }
    CHECK(worst < 1e-9);
}

TEST_CASE("a kept plane gives the same bits as one made anew, at any number of threads") {
    RigidPlanes planes;
    const test::PressPair pair = test::ball_on_ball(0.12);
    const std::vector<Vec3> anew = images(map_of(pair));
    CHECK(images(map_of(pair, &planes)) == anew);
    CHECK(planes.hits() == 0);
    for (const int threads : {1, 2, 5}) {
        const ThreadLimit limit(threads);
        CHECK(images(map_of(pair, &planes)) == anew);
    }
    CHECK(planes.hits() == 3);
    // More pieces than are kept: the oldest go, and nothing else changes.
    for (std::int32_t f = 0; f < 50; ++f) CHECK(planes.find_or_make(pair.rigid, {f}, true));
    CHECK(images(map_of(pair, &planes)) == anew);
    CHECK(planes.hits() == 3);
}

TEST_CASE("a hole in the rigid surface under an overlap is bridged") {
    const TriMesh ball =
        test::solid_mesh(SolidKind::Sphere, Vec3::Ones(), 0.05, Vec3(0.01, 0.35, 0.02));
    TriMesh ground = test::grid_mesh(
        30, 30, false, false, [](int i, int j) { return Vec3(0.1 * i - 1.5, 0.0, 1.5 - 0.1 * j); });
    std::erase_if(ground.triangles,
                  [&](const Triangle& t) { return ground.points[t[0]].norm() < 0.12; });
    const test::PressPair pair(ball, ground);
    const MapQuality quality = judge(pair, map_of(pair));
    CHECK(quality.folds == 0);
    CHECK(quality.off < 0.05);
}

TEST_CASE("a piece that meets itself in a point is filled there, and any other stays") {
    const RestSurface rest(
        test::grid_mesh(8, 8, false, false, [](int i, int j) { return Vec3(i, 0, j); }));
    const PressSurface surface(rest, rest.mesh().points);
    const auto faces_in = [&](double x, double z) {  // Of the square with its middle there.
        std::vector<std::int32_t> faces;
        for (std::size_t f = 0; f < surface.triangles.size(); ++f) {
            const Triangle& t = surface.triangles[f];
            const Vec3 middle =
                (surface.points[t[0]] + surface.points[t[1]] + surface.points[t[2]]) / 3.0;
            if (std::abs(middle.x() - x) < 0.5 && std::abs(middle.z() - z) < 0.5) {
                faces.push_back(static_cast<std::int32_t>(f));
            }
        }
        return faces;
    };
    const auto joined = [](std::vector<std::int32_t> a, const std::vector<std::int32_t>& b) {
        a.insert(a.end(), b.begin(), b.end());
        std::sort(a.begin(), a.end());
        return a;
    };
    const std::vector<std::int32_t> aside = joined(faces_in(2.5, 2.5), faces_in(3.5, 2.5));
    CHECK(without_pinches(surface, aside) == aside);
    const std::vector<std::int32_t> corner = joined(faces_in(2.5, 2.5), faces_in(3.5, 3.5));
    const std::vector<std::int32_t> filled = without_pinches(surface, corner);
    CHECK(std::includes(filled.begin(), filled.end(), corner.begin(), corner.end()));
    CHECK(filled.size() > corner.size());
    CHECK(without_pinches(surface, filled) == filled);
    CHECK(RigidPlane::make(surface, filled, true).ok());
    CHECK(!RigidPlane::make(surface, corner, true).ok());
}

TEST_CASE("a finger pressed through a pane comes to lie on the side it came from") {
    const TriMesh pane = test::box_mesh({-1, -0.03, -1}, {1, 0, 1});
    const TriMesh finger =
        test::solid_mesh(SolidKind::Capsule, Vec3(0.4, 1.2, 0.4), 0.04, Vec3(0.003, 0.48, 0.004));
    const Result<Pressed> pressed =
        press_soft(finger, pane, {{.stiffness = 0.05, .extent = 0.3, .bulge = 0.5}});
    REQUIRE(pressed);
    const Pressed& p = pressed.value();
    CHECK(p.report.fallbacks == 0);
    CHECK(p.report.contact_points > 20);
    double off = 0.0, lowest = 0.0;
    for (std::size_t v = 0; v < p.points.size(); ++v) {
        if (p.zone[v] >= 0) test::raise_to(off, std::abs(p.points[v].y()));
        lowest = std::min(lowest, p.points[v].y());
    }
    CHECK(off < 1e-12);
    CHECK(lowest > -0.03);
}

TEST_CASE("fingers that are swallowed to their tips are told of, those that are not are not" *
          doctest::test_suite("long")) {
    SolidOptions rake{.kind = SolidKind::Blend, .resolution = 0.02};
    for (const double x : {-0.3, 0.0, 0.3}) {
        rake.parts.push_back({{x, 0, 0}, {1.5 * x, 0, -0.9}, 0.09, 0.07});
    }
    rake.parts.push_back({{-0.3, 0, 0}, {0.3, 0, 0}, 0.09, 0.09});
    rake.blend = 0.02;
    const TriMesh teeth = make_solid(rake).value().surface;
    const TriMesh block =
        test::solid_mesh(SolidKind::Box, Vec3(2, 0.8, 2), 0.035, Vec3(0, -0.4, 0));
    // Both are 0.065 m below the top in their middle; one is level, one has its tips below the top.
    for (const double angle_deg : {0.0, -8.0}) {
        const Quat turn(Eigen::AngleAxisd(angle_deg * kPi / 180.0, Vec3::UnitX()));
        const test::PressPair pair(block, test::placed(teeth, {turn, Vec3(0.003, -0.065, 0.004)}));
        CHECK(map_of(pair).is_squashed() == (angle_deg != 0.0));
        const Pressed pressed =
            test::press(block, pair.rigid_rest->mesh(), {.stiffness = 0.05, .extent = 0.3});
        const bool is_noted = std::any_of(
            pressed.report.notes.begin(), pressed.report.notes.end(),
            [](const std::string& n) { return n.find("laid flat") != std::string::npos; });
        CHECK(is_noted == (angle_deg != 0.0));
    }
}

TEST_CASE("a map that folds more than a fiftieth is refused, also where a circle folds it less") {
    const TriMesh soft = test::torus_mesh(0.5, 0.2, 32, 16);
    const Quat turn = Quat(0.000397, -0.206186, 0.833023, -0.513380).normalized();
    const test::PressPair pair(soft, test::placed(test::torus_mesh(0.5, 0.25, 20, 8),
                                                  {turn, Vec3(0.797878, 0.241307, -0.471746)}));
    REQUIRE(pair.found.overlaps.size() == 1);
    const Result<PressMapping> made =
        PressMapping::make(pair.soft, pair.rigid, pair.found.overlaps[0], nullptr);
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().what.find("folds over itself (4 % of it)") != std::string::npos);
}

TEST_CASE("a press by the affine map lies on the rigid body and keeps the volume, too") {
    const test::PressPair pair = test::ball_on_slab(0.12, 0.04);
    const Result<Pressed> pressed =
        press_soft(pair.soft_rest->mesh(), pair.rigid_rest->mesh(),
                   {{.stiffness = 0.25, .extent = 0.5, .mapping = PressMappingKind::Affine}});
    REQUIRE(pressed);
    const Pressed& p = pressed.value();
    CHECK(p.report.fallbacks == 0);
    CHECK(p.report.contact_points > 20);
    double off = 0.0;
    for (std::size_t v = 0; v < p.points.size(); ++v) {
        if (p.zone[v] >= 0) test::raise_to(off, std::abs(p.points[v].y()));
    }
    CHECK(off < 1e-12);
    CHECK(std::abs(p.report.volume_change) < 0.02 * p.report.displaced_volume);
}
