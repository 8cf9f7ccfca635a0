// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/repair/mend.h>
#include <ductile/geom/repair/weld.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <array>
#include <map>
#include <numeric>
#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

Mended mend(const TriMesh& mesh) { return mend_surface(mesh.points, mesh.triangles); }

// Brute force: every edge has one face or two that walk it opposite ways, every point one fan.
void check_manifold(const TriMesh& mesh) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<int>> edges;
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
        const Triangle& t = mesh.triangles[f];
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = t[k], b = t[(k + 1) % 3];
            REQUIRE(a != b);
            edges[{std::min(a, b), std::max(a, b)}].push_back(a < b ? 1 : -1);
        }
    }
    bool is_manifold = true;
    for (const auto& [edge, uses] : edges) {
        if (uses.size() > 2 || (uses.size() == 2 && uses[0] + uses[1] != 0)) is_manifold = false;
    }
    CHECK(is_manifold);
    const VertexFaces around = vertex_faces(mesh.points.size(), mesh.triangles);
    bool has_one_fan = true;
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        std::vector<std::int32_t> left(around[v].begin(), around[v].end());
        REQUIRE(!left.empty());
        std::vector<std::int32_t> reached = {left.back()};
        left.pop_back();
        for (std::size_t i = 0; i < reached.size(); ++i) {
            std::erase_if(left, [&](std::int32_t f) {
                int shared = 0;
                for (const std::int32_t p : mesh.triangles[f]) {
                    const Triangle& r = mesh.triangles[reached[i]];
                    shared += std::count(r.begin(), r.end(), p) > 0 ? 1 : 0;
                }
                if (shared >= 2) reached.push_back(f);
                return shared >= 2;
            });
        }
        has_one_fan = has_one_fan && left.empty();
    }
    CHECK(has_one_fan);
}

std::int64_t euler_number(const TriMesh& mesh) {
    std::set<std::pair<std::int32_t, std::int32_t>> edges;
    for (const Triangle& t : mesh.triangles) {
        for (int k = 0; k < 3; ++k) {
            edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
        }
    }
    return std::ssize(mesh.points) - std::ssize(edges) + std::ssize(mesh.triangles);
}

// Every face with corners of its own.
TriMesh soup_of(const TriMesh& mesh) {
    TriMesh soup;
    for (const Triangle& t : mesh.triangles) {
        const auto first = static_cast<std::int32_t>(soup.points.size());
        for (const std::int32_t v : t) soup.points.push_back(mesh.points[v]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    return soup;
}

TriMesh welded(const TriMesh& mesh, double tolerance) {
    const Weld weld = weld_points(mesh.points, tolerance);
    TriMesh out{weld.points, mesh.triangles};
    for (Triangle& t : out.triangles) {
        for (std::int32_t& v : t) v = weld.place[v];
    }
    return out;
}

// Faces as places, so that two surfaces compare whatever their order.
std::multiset<std::array<std::array<double, 3>, 3>> faces_by_place(const TriMesh& mesh) {
    std::multiset<std::array<std::array<double, 3>, 3>> faces;
    for (const Triangle& t : mesh.triangles) {
        std::array<std::array<double, 3>, 3> face;
        for (int k = 0; k < 3; ++k) {
            const Vec3& p = mesh.points[t[k]];
            face[k] = {p.x(), p.y(), p.z()};
        }
        std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
        faces.insert(face);
    }
    return faces;
}

TriMesh shuffled(const TriMesh& mesh, Rng& rng) {
    TriMesh out = mesh;
    std::vector<std::int32_t> name(mesh.points.size());
    std::iota(name.begin(), name.end(), 0);
    for (std::size_t i = name.size(); i > 1; --i) {
        std::swap(name[i - 1], name[static_cast<std::size_t>(rng.uniform(0, double(i)))]);
    }
    for (std::size_t i = 0; i < name.size(); ++i) out.points[name[i]] = mesh.points[i];
    for (Triangle& t : out.triangles) {
        for (std::int32_t& v : t) v = name[v];
    }
    for (std::size_t i = out.triangles.size(); i > 1; --i) {
        std::swap(out.triangles[i - 1],
                  out.triangles[static_cast<std::size_t>(rng.uniform(0, double(i)))]);
        std::rotate(out.triangles[i - 1].begin(), out.triangles[i - 1].begin() + 1,
                    out.triangles[i - 1].end());
    }
    return out;
}

TriMesh cubes_at_an_edge() {
    return welded(together(box_mesh({0, 0, 0}, {1, 1, 1}), box_mesh({1, 1, 0}, {2, 2, 1})), 0.0);
}
TriMesh cubes_at_a_corner() {
    return welded(together(box_mesh({0, 0, 0}, {1, 1, 1}), box_mesh({1, 1, 1}, {2, 2, 2})), 0.0);
}

TriMesh moebius_strip(int length) {
    TriMesh strip;
    for (int i = 0; i < length; ++i) {
        const double u = 2 * kPi * i / length;
        for (const double side : {-0.3, 0.3}) {
            const double r = 1.0 + side * std::cos(u / 2);
            strip.points.emplace_back(r * std::cos(u), side * std::sin(u / 2), r * std::sin(u));
        }
    }
    for (std::int32_t i = 0; i < length; ++i) {
        const bool is_last = i + 1 == length;
        const std::int32_t a = 2 * i, b = 2 * i + 1;
        const std::int32_t c = is_last ? 1 : a + 2, d = is_last ? 0 : b + 2;
        strip.triangles.push_back({a, c, b});
        strip.triangles.push_back({b, c, d});
    }
    return strip;
}

}  // namespace

TEST_CASE("a clean surface comes back as it was, bit for bit") {
    for (const TriMesh& mesh :
         {sphere_mesh(1, 3), torus_mesh(1, 0.3, 20, 10), box_mesh({0, 0, 0}, {1, 2, 3}),
          grid_mesh(5, 4, false, false, [](int i, int j) { return Vec3(i, 0, j); })}) {
        const Mended m = mend(mesh);
        CHECK(m.surface.points == mesh.points);
        CHECK(m.surface.triangles == mesh.triangles);
        CHECK(m.counts.flipped + m.counts.split_points + m.counts.unused_points == 0);
        check_manifold(m.surface);
    }
}

TEST_CASE("a sphere of loose triangles welds to a closed surface of Euler number 2") {
    const TriMesh sphere = sphere_mesh(0.7, 4);
    const Mended m = mend(welded(soup_of(sphere), 1e-9));
    CHECK(is_closed(m.surface.triangles));
    CHECK(euler_number(m.surface) == 2);
    REQUIRE(m.components.size() == 1);
    CHECK(m.components[0].is_solid());
    CHECK(test::near(m.components[0].volume, volume(sphere.points, sphere.triangles), 1e-13));
    CHECK(m.components[0].points == std::ssize(sphere.points));
}

TEST_CASE("faces turned the wrong way are found exactly, and inside-out bodies are turned") {
    TriMesh torus = torus_mesh(1, 0.3, 24, 12);
    for (const auto is_bad :
         {+[](std::size_t i) { return i % 2 == 0; }, +[](std::size_t i) { return i % 7 < 5; },
          +[](std::size_t) { return true; }}) {
        TriMesh bad = torus;
        std::int32_t turned = 0;
        for (std::size_t i = 0; i < bad.triangles.size(); ++i) {
            if (!is_bad(i)) continue;
            std::swap(bad.triangles[i][1], bad.triangles[i][2]);
            ++turned;
        }
        const Mended m = mend(bad);
        CHECK(m.counts.flipped == turned);
        CHECK(faces_by_place(m.surface) == faces_by_place(torus));
        CHECK(is_closed(m.surface.triangles));
    }
}

TEST_CASE("an open surface keeps the winding that most of it has") {
    const TriMesh plate = grid_mesh(9, 9, false, false, [](int i, int j) { return Vec3(i, 0, j); });
    TriMesh bad = plate;
    for (std::size_t i = 0; i < bad.triangles.size(); i += 4) {
        std::swap(bad.triangles[i][1], bad.triangles[i][2]);
    }
    const Mended m = mend(bad);
    CHECK(faces_by_place(m.surface) == faces_by_place(plate));
    REQUIRE(m.components.size() == 1);
    CHECK(m.components[0].border_loops == 1);
    CHECK(m.components[0].border_sides == 36);
    CHECK(!m.components[0].is_closed());
}

TEST_CASE("a bowl whose windings are drawn by lot looks outward") {
    TriMesh bowl = sphere_mesh(1.0, 3);
    std::erase_if(bowl.triangles, [&](const Triangle& t) {
        return bowl.points[t[0]].y() + bowl.points[t[1]].y() + bowl.points[t[2]].y() > 1.5;
    });
    TriMesh mixed = bowl;
    for (std::size_t i = 0; i < mixed.triangles.size(); i += 2) {
        std::swap(mixed.triangles[i][1], mixed.triangles[i][2]);
    }
    const Mended m = mend(mixed);
    CHECK(faces_by_place(m.surface) == faces_by_place(bowl));
}

TEST_CASE("cubes that touch along an edge or in a corner become two cubes") {
    for (const TriMesh& touching : {cubes_at_an_edge(), cubes_at_a_corner()}) {
        const Mended m = mend(touching);
        check_manifold(m.surface);
        REQUIRE(m.components.size() == 2);
        for (const SurfaceComponent& c : m.components) {
            CHECK(c.is_solid());
            CHECK(test::near(c.volume, 1.0, 1e-13));
            CHECK(c.points == 8);
        }
        CHECK(m.surface.points.size() == 16);
    }
    CHECK(mend(cubes_at_an_edge()).counts.nonmanifold_edges == 1);
    CHECK(mend(cubes_at_a_corner()).counts.split_points == 1);
}

TEST_CASE("a ring that touches itself along an edge stays one closed surface") {
    // Five cubes in an arch, the first and last of which touch along an edge only.
    const std::vector<std::array<int, 3>> cells = {
        {0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {1, 1, 0}};
    TriMesh solid;
    for (const auto& c : cells) {
        const Vec3 low(c[0], c[1], c[2]);
        solid = together(solid, box_mesh(low, low + Vec3::Ones()));
    }
    solid = welded(solid, 0.0);
    // Walls between two cells are there twice, opposite ways: fins of a surface whole without them.
    const Mended m = mend(solid);
    check_manifold(m.surface);
    CHECK(is_closed(m.surface.triangles));
    double total = 0.0;
    for (const SurfaceComponent& c : m.components) total += c.volume;
    CHECK(test::near(total, 5.0, 1e-12));
}

TEST_CASE("random heaps of touching cubes come out manifold, closed and of the same volume") {
    Rng rng(5);
    for (int round = 0; round < 60; ++round) {
        TriMesh heap;
        int count = 0;
        for (int x = 0; x < 4; ++x) {
            for (int y = 0; y < 4; ++y) {
                for (int z = 0; z < 4; ++z) {
                    if (rng.uniform(0, 1) > 0.45) continue;
                    heap = together(heap, box_mesh(Vec3(x, y, z), Vec3(x + 1, y + 1, z + 1)));
                    ++count;
                }
            }
        }
        // Only the skin: walls between two cubes drop out.
        TriMesh all = welded(heap, 0.0);
        std::map<std::array<std::int32_t, 3>, std::vector<std::size_t>> walls;
        std::vector<Triangle> skin;
        for (std::size_t i = 0; i < all.triangles.size(); ++i) {
            std::array<std::int32_t, 3> key = all.triangles[i];
            std::sort(key.begin(), key.end());
            walls[key].push_back(i);
        }
        for (std::size_t i = 0; i < all.triangles.size(); ++i) {
            std::array<std::int32_t, 3> key = all.triangles[i];
            std::sort(key.begin(), key.end());
            if (walls[key].size() == 1) skin.push_back(all.triangles[i]);
        }
        const Mended m = mend(shuffled({all.points, skin}, rng));
        check_manifold(m.surface);
        double total = 0.0;
        bool all_closed = true;
        for (const SurfaceComponent& c : m.components) {
            total += c.volume;
            all_closed = all_closed && c.is_closed();
        }
        CHECK(all_closed);
        CHECK(m.surface.triangles.size() == skin.size());
        // A hollow that touches nothing is a shell of its own, which counts with its volume.
        CHECK(total >= count - 1e-9);
    }
}

TEST_CASE("a sheet stored from both sides comes out once, and a flap on a solid not at all") {
    const TriMesh sphere = sphere_mesh(1.0, 2);
    const Mended both = mend(together(sphere, inside_out(sphere)));
    CHECK(both.surface.triangles.size() == 2 * sphere.triangles.size());
    const Mended once = mend(welded(together(inside_out(sphere), sphere), 0.0));
    CHECK(once.counts.back_sides == std::ssize(sphere.triangles));
    CHECK(faces_by_place(once.surface) == faces_by_place(sphere));

    TriMesh flapped = sphere;
    flapped.points.push_back(2.0 * flapped.points[sphere.triangles[0][0]]);
    const auto tip = static_cast<std::int32_t>(flapped.points.size() - 1);
    const std::int32_t a = sphere.triangles[0][0], b = sphere.triangles[0][1];
    flapped.triangles.push_back({a, b, tip});
    flapped.triangles.push_back({b, a, tip});
    const Mended m = mend(flapped);
    CHECK(m.counts.fins == 2);
    CHECK(m.surface.triangles == sphere.triangles);
    CHECK(m.surface.points == sphere.points);
}

TEST_CASE("a Moebius strip is cut once and becomes a sheet with two sides") {
    for (const int length : {5, 12, 31}) {
        const Mended m = mend(moebius_strip(length));
        check_manifold(m.surface);
        CHECK(m.counts.twisted_edges == 1);
        REQUIRE(m.components.size() == 1);
        CHECK(m.components[0].border_loops == 1);
        CHECK(m.surface.triangles.size() == 2u * length);
        CHECK(m.surface.points.size() == 2u * length + 2);
    }
}

TEST_CASE("faces that are lines go, unless they close a seam") {
    TriMesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
    const auto n = static_cast<std::int32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), {Vec3(5, 0, 0), Vec3(6, 0, 0), Vec3(7, 0, 0)});
    mesh.triangles.push_back({0, 0, 1});          // a place twice
    mesh.triangles.push_back({n, n + 1, n + 2});  // a loose line
    Mended m = mend(mesh);
    CHECK(m.counts.collapsed == 1);
    CHECK(m.counts.without_area == 1);
    CHECK(m.surface.triangles == box_mesh({0, 0, 0}, {1, 1, 1}).triangles);

    // HalfEdge {1, 3, 5} halved at the middle of its edge 1-3, whose other face is not: a sliver
    // fills.
    mesh = box_mesh({0, 0, 0}, {1, 1, 1});
    mesh.points.emplace_back(1, 0.5, 0);
    std::erase(mesh.triangles, Triangle{1, 3, 5});
    mesh.triangles.push_back({1, 8, 5});
    mesh.triangles.push_back({8, 3, 5});
    mesh.triangles.push_back({1, 3, 8});
    m = mend(mesh);
    CHECK(m.counts.slivers == 1);
    CHECK(is_closed(m.surface.triangles));
    CHECK(test::near(m.components[0].volume, 1.0, 1e-13));
}

TEST_CASE("what comes out does not depend on the order of points and faces") {
    Rng rng(6);
    TriMesh messy = together(cubes_at_an_edge(),
                             placed(torus_mesh(1, 0.3, 12, 8), {Quat::Identity(), Vec3(5, 0, 0)}));
    messy = together(messy, placed(sphere_mesh(1, 2), {Quat::Identity(), Vec3(0, 5, 0)}));
    for (std::size_t i = 0; i < messy.triangles.size(); i += 3) {
        std::swap(messy.triangles[i][0], messy.triangles[i][1]);
    }
    messy.triangles.push_back(messy.triangles[3]);
    const auto expected = faces_by_place(mend(messy).surface);
    for (int round = 0; round < 20; ++round) {
        const Mended m = mend(shuffled(messy, rng));
        CHECK(faces_by_place(m.surface) == expected);
        check_manifold(m.surface);
    }
}

TEST_CASE("mending loose and crossing triangles gives a manifold that mending leaves alone") {
    Rng rng(7);
    for (int round = 0; round < 40; ++round) {
        // Few points, many faces: edges with many uses, pinched points, duplicates.
        TriMesh heap;
        for (int i = 0; i < 12; ++i) heap.points.push_back(random_vec(rng));
        for (int i = 0; i < 60; ++i) {
            Triangle t;
            for (std::int32_t& v : t) v = static_cast<std::int32_t>(rng.uniform(0, 12));
            heap.triangles.push_back(t);
        }
        const Mended once = mend(heap);
        check_manifold(once.surface);
        const Mended twice = mend(once.surface);
        CHECK(twice.surface.triangles == once.surface.triangles);
        CHECK(twice.surface.points == once.surface.points);
        for (std::size_t i = 0; i < once.triangle_source.size(); ++i) {
            const Triangle& face = heap.triangles[once.triangle_source[i]];
            const Triangle& corners = once.corner_points[once.triangle_source[i]];
            for (int k = 0; k < 3; ++k) REQUIRE(once.point_source[corners[k]] == face[k]);
            REQUIRE(once.face_surface[once.triangle_source[i]] == static_cast<std::int32_t>(i));
        }
    }
}

TEST_CASE("sides across each other name the same two points") {
    Rng rng(8);
    TriMesh mesh = torus_mesh(1, 0.3, 12, 8);
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 2) {
        std::swap(mesh.triangles[i][0], mesh.triangles[i][1]);
    }
    const Mended m = mend(mesh);
    for (std::size_t s = 0; s < m.across.size(); ++s) {
        const auto side = static_cast<HalfEdge>(s);
        REQUIRE(m.across[s] >= 0);
        CHECK(m.across[m.across[s]] == side);
        CHECK(start_of(m.surface.triangles, side) == end_of(m.surface.triangles, m.across[s]));
        CHECK(end_of(m.surface.triangles, side) == start_of(m.surface.triangles, m.across[s]));
    }
}

TEST_CASE("a mesh without faces, and one folded flat, have no inside") {
    CHECK(mend({}).surface.triangles.empty());
    TriMesh flat = sphere_mesh(1.0, 2);
    for (Vec3& p : flat.points) p.y() = 0.0;
    const Mended m = mend(flat);
    REQUIRE(m.components.size() == 1);
    CHECK(m.components[0].is_closed());
    CHECK(!m.components[0].is_solid());
}

TEST_CASE("mending gives the same bits on one thread and on four") {
    const TriMesh sphere = sphere_mesh(1.0, 5);
    const auto mended_on = [&](int threads) {
        const ThreadLimit limit(threads);
        return mend(welded(soup_of(sphere), 1e-9));
    };
    const Mended a = mended_on(1), b = mended_on(4);
    CHECK(a.surface.triangles == b.surface.triangles);
    CHECK(a.surface.points == b.surface.points);
}
