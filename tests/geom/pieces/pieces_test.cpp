// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/geom/pieces/convex.h>
#include <ductile/geom/pieces/piece_tracking.h>
#include <ductile/geom/pieces/pieces.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

using namespace ductile;
using namespace ductile::test;

namespace {

// An open plate of 2 m x 2 m in the plane y = 0, facing up.
TriMesh flat_plate(int cells = 24) {
    return grid_mesh(cells, cells, false, false, [&](int i, int j) {
        return Vec3(2.0 * i / cells - 1.0, 0.0, 1.0 - 2.0 * j / cells);
    });
}

// Pushes the surface down by a Gaussian about `centre`.
TriMesh dented(TriMesh m, const Vec3& centre, double depth, double width) {
    for (Vec3& p : m.points) {
        const double distance = std::hypot(p.x() - centre.x(), p.z() - centre.z()) / width;
        p.y() -= depth * std::exp(-distance * distance);
    }
    return m;
}

// The same that ends at twice its width, and where the surface faces the other way.
TriMesh dented_nearby(TriMesh m, const Vec3& centre, double depth, double width) {
    for (Vec3& p : m.points) {
        const double distance = std::hypot(p.x() - centre.x(), p.z() - centre.z()) / width;
        if (distance > 2.0 || std::abs(p.y() - centre.y()) > width) continue;
        p.y() -= depth * (std::exp(-distance * distance) - std::exp(-4.0));
    }
    return m;
}

PieceTree cut(const TriMesh& m, const PieceOptions& options = {}) {
    Result<PieceTree> tree = cut_pieces(m.points, m.triangles, options);
    REQUIRE(tree.ok());
    return std::move(tree).value();
}

void check_faces_once(const TriMesh& m, const PieceTree& tree,
                      std::span<const std::int32_t> pieces) {
    std::vector<int> uses(m.triangles.size(), 0);
    for (const std::int32_t i : pieces) {
        for (const std::int32_t f : tree.pieces[i].faces) ++uses[f];
    }
    CHECK(std::all_of(uses.begin(), uses.end(), [](int n) { return n == 1; }));
}

void check_piece(const TriMesh& m, const PieceTree& tree, std::int32_t index,
                 const PieceOptions& options) {
    const Piece& piece = tree.pieces[index];
    CHECK(!piece.tracked.empty());
    CHECK(piece.tracked.size() <= static_cast<std::size_t>(options.points_per_piece));
    CHECK(std::is_sorted(piece.faces.begin(), piece.faces.end()));
    CHECK(std::is_sorted(piece.vertices.begin(), piece.vertices.end()));
    CHECK(std::includes(piece.vertices.begin(), piece.vertices.end(), piece.tracked.begin(),
                        piece.tracked.end()));
    CHECK(is_finite(piece.inner_offset));
    std::vector<Vec3> cloud;
    piece_points(piece, m.points, cloud);
    CHECK(cloud.size() == piece.tracked.size() + 1);
    if (piece.children.empty()) return;
    std::vector<std::int32_t> faces;
    for (const std::int32_t child : piece.children) {
        CHECK(tree.pieces[child].parent == index);
        CHECK(tree.pieces[child].level == piece.level + 1);
        const auto& more = tree.pieces[child].faces;
        faces.insert(faces.end(), more.begin(), more.end());
    }
    std::sort(faces.begin(), faces.end());
    CHECK(faces == piece.faces);
}

bool is_same(const PieceTree& a, const PieceTree& b) {
    return a.top == b.top && std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(),
                                        b.pieces.end(), [](const Piece& p, const Piece& q) {
                                            return p.faces == q.faces && p.tracked == q.tracked &&
                                                   p.children == q.children &&
                                                   p.inner_offset == q.inner_offset;
                                        });
}

double error_share(const TriMesh& m, const PieceTree& tree) {
    const ColliderError error = collider_error(tree, {tree.top}, m.points, m.triangles);
    return error.worst() / bounds(m.points).diagonal();
}

std::vector<std::int32_t> all_of(const PieceTree& tree) {
    std::vector<std::int32_t> all(tree.pieces.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

TEST_CASE("every face lies in one piece of the top, and children part their parents") {
    for (const TriMesh& m : {sphere_mesh(1.0, 3), torus_mesh(0.4, 0.1, 40, 12), flat_plate(12),
                             box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 3))}) {
        const PieceOptions options{.count = 8, .points_per_piece = 12};
        const PieceTree tree = cut(m, options);
        check_faces_once(m, tree, tree.top);
        for (std::size_t i = 0; i < tree.pieces.size(); ++i) {
            check_piece(m, tree, static_cast<std::int32_t>(i), options);
        }
    }
}

TEST_CASE("the same surface gives the same pieces, on any number of threads") {
    const TriMesh m = torus_mesh(0.4, 0.1, 40, 12);
    const PieceTree one = [&] {
        const ThreadLimit limit(1);
        return cut(m);
    }();
    CHECK(is_same(one, cut(m)));
}

TEST_CASE("a collider at rest is within its tolerance of the surface") {
    CHECK(error_share(flat_plate(), cut(flat_plate())) < 1e-9);
    const TriMesh cube = box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1));
    const PieceTree cube_tree = cut(cube);
    CHECK(cube_tree.top.size() == 1);
    CHECK(error_share(cube, cube_tree) < 1e-9);
    for (const TriMesh& m :
         {sphere_mesh(1.0, 4), torus_mesh(0.4, 0.1, 60, 18), prism_mesh(0.3, 0.9, 40)}) {
        const PieceTree tree = cut(m);
        CHECK(error_share(m, tree) <= 0.018);
        CHECK(tree.top.size() <= 40);
    }
}

TEST_CASE("the solids collide within 2 % of their size, a barrel with 32 pieces at most" *
          doctest::test_suite("long")) {
    struct Case {
        SolidKind kind;
        Vec3 size;
        std::size_t pieces;
        double resolution;
    };
    for (const Case& c : {Case{SolidKind::Torus, {1, 0.2, 1}, 32, 0.0},
                          Case{SolidKind::Barrel, {0.6, 0.9, 0.6}, 32, 0.0},
                          Case{SolidKind::Car, {1.8, 1.4, 4.2}, 96, 0.35}}) {
        const auto solid =
            make_solid({.kind = c.kind, .size = c.size, .tube = 0.1, .resolution = c.resolution});
        REQUIRE(solid.ok());
        const TriMesh& m = solid.value().surface;
        const PieceTree tree = cut(m, {.depth = 0});
        CAPTURE(static_cast<int>(c.kind));
        CHECK(tree.top.size() <= c.pieces);
        CHECK(error_share(m, tree) <= 0.02);
    }
}

TEST_CASE("the collider error of one piece around a torus is what its hole says") {
    const TriMesh m = torus_mesh(0.4, 0.1, 36, 12);
    const PieceTree tree =
        cut(m, {.count = 1, .count_limit = 1, .depth = 0, .points_per_piece = 300});
    REQUIRE(tree.top.size() == 1);
    const ColliderError error = collider_error(tree, {tree.top}, m.points, m.triangles);
    // From the inner equator up through the hole, the steepest of the ways being 15 degrees off.
    CHECK(error.covered > 0.1);
    CHECK(error.covered < 0.1 / std::cos(0.27));
    CHECK(error.outside < 0.0026);  // the slack of the top's tracked points
}

TEST_CASE("a collider that misses a part of the surface is told off by its distance") {
    const TriMesh near = sphere_mesh(1.0, 3);
    TriMesh both = together(near, placed(near, {Quat::Identity(), Vec3(5, 0, 0)}));
    PieceTree tree = cut(near, {.count = 6});
    for (Piece& piece : tree.pieces) CHECK(piece.faces.back() < 512);
    const ColliderError error = collider_error(tree, {tree.top}, both.points, both.triangles);
    CHECK(test::near(error.outside, 5.0, 0.02));
}

TEST_CASE("inner points lie behind their piece and inside the body") {
    for (const TriMesh& m :
         {sphere_mesh(1.0, 3), torus_mesh(0.4, 0.1, 40, 12), prism_mesh(0.5, 0.02, 30)}) {
        const SurfaceQuery query(m.points, m.triangles);
        const PieceTree tree = cut(m);
        std::vector<Vec3> cloud;
        for (const std::int32_t i : tree.top) {
            piece_points(tree.pieces[i], m.points, cloud);
            CHECK(query.is_inside(cloud.back()));
        }
    }
}

TEST_CASE("tracked points come within the slack of the hull of all, if there are enough") {
    const TriMesh m = sphere_mesh(1.0, 3);
    std::vector<std::int32_t> vertices(m.points.size());
    std::iota(vertices.begin(), vertices.end(), 0);
    const auto few = track_points(m.points, vertices, Vec3::Zero(), {.limit = 200, .slack = 0.05});
    CHECK(few.size() < 100);
    std::vector<Vec3> cloud;
    for (const std::int32_t v : few) cloud.push_back(m.points[v]);
    for (const Vec3& p : m.points) CHECK(hull_distance(cloud, p).distance <= 0.05 + 1e-9);
    CHECK(track_points(m.points, vertices, Vec3::Zero(), {.limit = 4}).size() == 4);
    const TriMesh plate = flat_plate(8);
    std::vector<std::int32_t> cells(plate.points.size());
    std::iota(cells.begin(), cells.end(), 0);
    const auto corners = track_points(plate.points, cells, Vec3(0, -1, 0), {.limit = 20});
    CHECK(corners == std::vector<std::int32_t>{0, 8, 72, 80});
}

TEST_CASE("convex and flat patches fill nothing in") {
    for (const TriMesh& m : {flat_plate(), sphere_mesh(1.0, 3), prism_mesh(0.3, 0.9, 24)}) {
        const PieceTree tree = cut(m);
        const std::vector<Vec3> normals = vertex_normals(m.points, m.triangles);
        for (const Piece& piece : tree.pieces) {
            CHECK(fill_depth(piece, m.points, normals) < 1e-6);
        }
    }
}

TEST_CASE("a dent in a piece is filled as deep as it is") {
    const TriMesh rest = flat_plate();
    const PieceTree tree = cut(rest, {.count = 1});
    REQUIRE(tree.top.size() == 1);
    for (const double depth : {0.01, 0.1, 0.4}) {
        const TriMesh m = dented(rest, Vec3(0, 0, 0), depth, 0.3);
        const std::vector<Vec3> normals = vertex_normals(m.points, m.triangles);
        const PieceFit fit = piece_fit(tree.pieces[0], m.points, normals);
        CHECK(test::near(fit.fill, depth, 1e-3));
        CHECK(fit.bulge < 1e-4);
        const ColliderError error = collider_error(tree, {tree.top}, m.points, m.triangles);
        CHECK(error.covered > 0.999 * depth);
        CHECK(error.covered < 1.25 * depth);  // along the normals of its steep sides it is further
        // The other way round the same points are a hill that its four corners know nothing of.
        const TriMesh hill = dented(rest, Vec3(0, 0, 0), -depth, 0.3);
        const PieceFit out =
            piece_fit(tree.pieces[0], hill.points, vertex_normals(hill.points, hill.triangles));
        CHECK(test::near(out.bulge, depth, 1e-3));
        CHECK(out.fill < 1e-4);
    }
}

TEST_CASE("a dented piece is replaced until the collider follows the dent") {
    const TriMesh rest = flat_plate();
    const PieceTree tree = cut(rest, {.count = 4});
    const TriMesh m = dented(rest, Vec3(0.3, 0, 0.2), 0.2, 0.25);
    const std::vector<Vec3> normals = vertex_normals(m.points, m.triangles);
    PieceCut now{tree.top};
    const double before = collider_error(tree, now, m.points, m.triangles).worst();
    const PieceChange change = refine_cut(tree, m.points, normals, tree.top, 0.02, 1000, now);
    check_faces_once(m, tree, now.active);
    CHECK(std::is_sorted(now.active.begin(), now.active.end()));
    for (const std::int32_t i : now.active) {
        const Piece& piece = tree.pieces[i];
        CHECK((piece.children.empty() || piece_fit(piece, m.points, normals).worst() <= 0.02));
    }
    CHECK(before > 0.12);
    CHECK(collider_error(tree, now, m.points, m.triangles).worst() < 0.3 * before);
    // What is said to have changed is the difference between the cuts.
    std::vector<std::int32_t> replayed = tree.top, kept;
    std::set_difference(replayed.begin(), replayed.end(), change.removed.begin(),
                        change.removed.end(), std::back_inserter(kept));
    CHECK(kept.size() + change.removed.size() == tree.top.size());
    kept.insert(kept.end(), change.added.begin(), change.added.end());
    std::sort(kept.begin(), kept.end());
    CHECK(kept == now.active);
    // Asked again, nothing more happens.
    const PieceChange again = refine_cut(tree, m.points, normals, now.active, 0.02, 1000, now);
    CHECK(again.added.empty());
    CHECK(again.removed.empty());
}

TEST_CASE("refining keeps to its budget, its candidates and its tolerance") {
    const TriMesh rest = flat_plate();
    const PieceTree tree = cut(rest, {.count = 4});
    const TriMesh m = dented(rest, Vec3(0.3, 0, 0.2), 0.2, 0.25);
    const std::vector<Vec3> normals = vertex_normals(m.points, m.triangles);
    for (const std::int32_t budget : {1, 4, 7, 10, 20}) {
        PieceCut now{tree.top};
        refine_cut(tree, m.points, normals, all_of(tree), 0.001, budget, now);
        CHECK(now.active.size() <= static_cast<std::size_t>(std::max(budget, 4)));
        check_faces_once(m, tree, now.active);
    }
    PieceCut now{tree.top};
    CHECK(refine_cut(tree, m.points, normals, {}, 0.001, 1000, now).added.empty());
    CHECK(refine_cut(tree, m.points, normals, tree.top, 1.0, 1000, now).added.empty());
    CHECK(now.active == tree.top);
    // A piece named twice is replaced once.
    const std::vector<std::int32_t> twice = {0, 0, 1, 1, 2, 2, 3, 3};
    PieceCut other{tree.top};
    refine_cut(tree, m.points, normals, twice, 0.02, 1000, other);
    refine_cut(tree, m.points, normals, tree.top, 0.02, 1000, now);
    CHECK(other.active == now.active);
}

TEST_CASE("a piece that is coarse at rest waits until it gets worse") {
    const TriMesh rest = dented(flat_plate(), Vec3(0, 0, 0), 0.1, 0.3);
    const PieceTree tree = cut(rest, {.count = 1, .count_limit = 1});
    const std::vector<float>& misfits = tree.pieces[0].rest_misfits;
    CHECK(test::near(*std::max_element(misfits.begin(), misfits.end()), 0.1, 1e-3));
    const auto refined = [&](const TriMesh& m) {
        PieceCut now{tree.top};
        const std::vector<Vec3> normals = vertex_normals(m.points, m.triangles);
        return !refine_cut(tree, m.points, normals, tree.top, 0.02, 100, now).added.empty();
    };
    CHECK_FALSE(refined(rest));
    CHECK_FALSE(refined(dented(rest, Vec3(0.6, 0, 0.6), 0.01, 0.2)));
    CHECK(refined(dented(rest, Vec3(0, 0, 0), 0.01, 0.3)));
}

TEST_CASE("a moved body's cloud moves along") {
    const TriMesh m = sphere_mesh(1.0, 3);
    const PieceTree tree = cut(m);
    TriMesh moved = m;
    for (Vec3& p : moved.points) p += Vec3(1, 2, 3);
    std::vector<Vec3> before, after;
    for (const Piece& piece : tree.pieces) {
        piece_points(piece, m.points, before);
        piece_points(piece, moved.points, after);
        for (std::size_t i = 0; i < before.size(); ++i) {
            CHECK((after[i] - before[i] - Vec3(1, 2, 3)).norm() < 1e-12);
        }
    }
}

TEST_CASE("bad surfaces are refused with a message") {
    const TriMesh good = sphere_mesh(1.0, 1);
    CHECK_FALSE(cut_pieces(good.points, {}, {}).ok());
    CHECK_FALSE(cut_pieces({}, {}, {}).ok());
    TriMesh nan = good;
    nan.points[2].z() = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(cut_pieces(nan.points, nan.triangles, {}).ok());
    TriMesh astray = good;
    astray.triangles[0][1] = 1000;
    const Result<PieceTree> refused = cut_pieces(astray.points, astray.triangles, {});
    REQUIRE_FALSE(refused.ok());
    CHECK(!refused.error().what.empty());
    CHECK(!refused.error().hint.empty());
    const std::vector<Vec3> heap(3, Vec3(1, 1, 1));
    const std::vector<Triangle> dot = {{0, 1, 2}};
    CHECK_FALSE(cut_pieces(heap, dot, {}).ok());
}

TEST_CASE("hostile surfaces are cut all the same") {
    const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    const TriMesh single{corners, {{0, 2, 1}}};
    const PieceTree one = cut(single);
    CHECK(one.pieces.size() == 1);
    CHECK(error_share(single, one) < 1e-9);
    std::vector<Vec3> cloud;
    piece_points(one.pieces[0], single.points, cloud);
    CHECK(cloud.back().y() < -0.01);  // not flat

    Rng rng(7);
    const TriMesh soup = soup_mesh(rng, 500, 0.05);
    const PieceTree gathered = cut(soup, {.count = 10, .count_limit = 40});
    CHECK(gathered.top.size() <= 40);
    check_faces_once(soup, gathered, gathered.top);

    TriMesh crippled = sphere_mesh(1.0, 2);  // loose faces without area, and one sheet twice
    crippled.triangles.push_back({4, 4, 4});
    crippled.triangles.push_back({7, 7, 9});
    crippled.triangles.push_back(crippled.triangles[0]);
    const PieceTree patched = cut(crippled, {.count = 6, .points_per_piece = 4});
    check_faces_once(crippled, patched, patched.top);
    for (const Piece& piece : patched.pieces) CHECK(piece.tracked.size() <= 4);
    const std::vector<Vec3> normals = vertex_normals(crippled.points, crippled.triangles);
    PieceCut now{patched.top};
    refine_cut(patched, crippled.points, normals, patched.top, 0.0, 100, now);
    check_faces_once(crippled, patched, now.active);
}

TEST_CASE("numbers that are not finite neither hang nor spread to the cut") {
    const TriMesh m = flat_plate(8);
    const PieceTree tree = cut(m, {.count = 2});
    std::vector<Vec3> points = m.points;
    points[40].y() = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Vec3> normals = vertex_normals(m.points, m.triangles);
    PieceCut now{tree.top};
    refine_cut(tree, points, normals, tree.top, 0.01, 100, now);
    check_faces_once(m, tree, now.active);
}

TEST_CASE("the pieces found by their vertices are those that hold them") {
    Rng rng(31);
    const TriMesh rest = flat_plate();
    const PieceTree tree = cut(rest, {.count = 4});
    const VertexPieces table = vertex_pieces(tree, rest.points.size());
    const TriMesh m = dented(rest, Vec3(0.3, 0, 0.2), 0.2, 0.25);
    PieceCut now{tree.top};
    refine_cut(tree, m.points, vertex_normals(m.points, m.triangles), tree.top, 0.02, 1000, now);
    CHECK(now.active != tree.top);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::int32_t> some;
        for (int i = 0; i < round % 5; ++i) {
            some.push_back(
                static_cast<std::int32_t>(rng.uniform() * static_cast<double>(rest.points.size())));
        }
        std::vector<std::int32_t> expected;
        for (const std::int32_t piece : now.active) {
            const std::vector<std::int32_t>& held = tree.pieces[piece].vertices;
            const bool holds_one = std::any_of(some.begin(), some.end(), [&](std::int32_t v) {
                return std::binary_search(held.begin(), held.end(), v);
            });
            if (holds_one) expected.push_back(piece);
        }
        CHECK(pieces_holding(tree, table, now, some) == expected);
    }
}

TEST_CASE("looking only at what changed refines as looking at everything does") {
    Rng rng(41);
    for (const TriMesh& rest : {flat_plate(), sphere_mesh(0.7, 4)}) {
        const PieceTree tree = cut(rest, {.count = 6});
        const VertexPieces table = vertex_pieces(tree, rest.points.size());
        const auto boxes_tree = std::make_shared<const PointTree>(rest.points);
        const std::size_t count = rest.points.size();
        IndexSet everything(count), recent(count), ever(count), dents(count);
        for (std::size_t v = 0; v < count; ++v) everything.insert(static_cast<std::int32_t>(v));

        TriMesh now = rest;
        std::vector<Vec3> normals = vertex_normals(rest.points, rest.triangles);
        PieceCut local{tree.top}, full{tree.top};
        const double tolerance = 0.01;
        for (int round = 0; round < 30; ++round) {
            // Now and then outward at a tracked point: the hull then covers what did not move.
            const auto pick = [&](std::size_t size) {
                return static_cast<std::size_t>(rng.uniform() * static_cast<double>(size));
            };
            const Piece& piece = tree.pieces[full.active[pick(full.active.size())]];
            const Vec3 at = round % 2 ? rest.points[pick(count)]
                                      : now.points[piece.tracked[pick(piece.tracked.size())]];
            const double depth = round % 2 ? rng.uniform(0.0, 0.05) : rng.uniform(-0.05, 0.0);
            const TriMesh next = dented_nearby(now, at, depth, rng.uniform(0.03, 0.15));
            const std::vector<Vec3> turned = vertex_normals(next.points, next.triangles);
            recent.clear();
            for (std::size_t i = 0; i < count; ++i) {
                const auto v = static_cast<std::int32_t>(i);
                if (next.points[i] != now.points[i] || turned[i] != normals[i]) {
                    recent.insert(v);
                    ever.insert(v);
                }
                dents.erase(v);
                if ((next.points[i] - rest.points[i]).norm() > 0.1 * tolerance) dents.insert(v);
            }
            now = next;
            normals = turned;
            const PointBoxes boxes(boxes_tree, now.points);
            refine_cut(tree, table, now.points, normals, {boxes, dents, recent, ever}, tolerance,
                       200, local);
            refine_cut(tree, table, now.points, normals, {boxes, dents, everything, everything},
                       tolerance, 200, full);
            REQUIRE(local.active == full.active);
        }
        CHECK(full.active.size() > tree.top.size() + 5);
    }
}

TEST_CASE("a piece of which one corner rose covers points that did not move") {
    const TriMesh rest = flat_plate();
    const PieceTree tree = cut(rest, {.count = 1, .count_limit = 1});
    const VertexPieces table = vertex_pieces(tree, rest.points.size());
    const std::vector<Vec3> normals = vertex_normals(rest.points, rest.triangles);
    std::vector<Vec3> points = rest.points;
    const std::int32_t corner = tree.pieces[0].tracked[0];
    points[corner].y() += 0.3;
    const PointBoxes boxes(std::make_shared<const PointTree>(rest.points), points);
    IndexSet none(points.size()), one(points.size());
    one.insert(corner);
    PieceCut now{tree.top};
    refine_cut(tree, table, points, normals, {boxes, none, one, one}, 0.02, 100, now);
    CHECK(now.active != tree.top);
    // Nothing is looked at where nothing is said to have changed.
    PieceCut other{tree.top};
    refine_cut(tree, table, points, normals, {boxes, none, none, none}, 0.02, 100, other);
    CHECK(other.active == tree.top);
}
