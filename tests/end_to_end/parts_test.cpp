// SPDX-License-Identifier: MIT
// Parts of a mesh file in a scene: what stays rigid, what rides along, what is gone.
#include <ductile/core/file.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/export/glb/glb.h>
#include <ductile/export/sequence/obj.h>
#include <ductile/io/read_model.h>
#include <ductile/scene/build.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/replay.h>
#include <ductile/scene/scene_file.h>
#include <ductile/skin/render_skin.h>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <support/bodies.h>
#include <support/near.h>

#include <cmath>
#include <filesystem>
#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A folder of its own that goes away with it.
struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder() {
        static int count = 0;
        path = std::filesystem::temp_directory_path() /
               fmt::format("ductile-parts-{}-{}", std::uintptr_t(&count), ++count);
        std::filesystem::create_directories(path);
    }
    ~TemporaryFolder() {
        std::error_code ec;
        std::filesystem::remove_all(path, ec);
    }
};

// A closed box of n x n quads a side, as one object of an OBJ.
std::string box_obj(const std::string& name, const Vec3& centre, const Vec3& size, int n,
                    int& vertices) {
    std::string text = "o " + name + "\n";
    for (int side = 0; side < 6; ++side) {
        const int axis = side / 2, first = vertices + 1;
        const double sign = side % 2 ? 1.0 : -1.0;
        for (int j = 0; j <= n; ++j) {
            for (int i = 0; i <= n; ++i) {
                Vec3 p;
                p[axis] = 0.5 * sign;
                p[(axis + 1) % 3] = double(i) / n - 0.5;
                p[(axis + 2) % 3] = double(j) / n - 0.5;
                p = centre + p.cwiseProduct(size);
                text += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
                ++vertices;
            }
        }
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                const int a = first + j * (n + 1) + i, b = a + 1, c = b + n + 1, d = a + n + 1;
                text += sign > 0 ? fmt::format("f {} {} {} {}\n", a, b, c, d)
                                 : fmt::format("f {} {} {} {}\n", d, c, b, a);
            }
        }
    }
    return text;
}

// A cart: a body, two wheels below it, a lamp on its roof, a helper that nobody shall see.
std::string cart_obj() {
    int vertices = 0;
    std::string text;
    // One statement each: a box counts on from the vertices of those before it, and the operands of
    // a sum are evaluated in an order that every compiler chooses for itself.
    text += box_obj("body", Vec3(0, 1, 0), Vec3(2, 0.8, 1), 12, vertices);
    text += box_obj("wheel_left", Vec3(-0.7, 0.3, 0), Vec3(0.5, 0.5, 0.3), 4, vertices);
    text += box_obj("wheel_right", Vec3(0.7, 0.3, 0), Vec3(0.5, 0.5, 0.3), 4, vertices);
    text += box_obj("lamp", Vec3(0.4, 1.45, 0.1), Vec3(0.2, 0.1, 0.1), 2, vertices);
    text += box_obj("helper", Vec3(0, 5, 0), Vec3(0.1, 0.1, 0.1), 1, vertices);
    return text;
}

const char* const kScene = R"({"ground": {"is_on": false}, "bodies": {"cart": {
    "mesh": "cart.obj", "thickness": 0.001, "position": [0, 2, 0],
    "mesh_options": {"scale": 1, "up": "y", "parts": {
        "WHEEL*": {"role": "rigid"}, "lamp": {"role": "ride"}, "help?r": {"role": "drop"}}},
    "layers": {"dent": {}}}}})";

struct Cart {
    TemporaryFolder folder;
    Scene scene;
    std::vector<PreparedBody> bodies;
    ScriptedEngine engine;
    Simulation simulation{engine, {}};
    Recorder recorder{30.0};
    ObjectId id;

    Cart() {
        REQUIRE(write_file(folder.path / "cart.obj", cart_obj()).ok());
        REQUIRE(write_file(folder.path / "cart.json", std::string_view(kScene)).ok());
        const LoadedScene loaded = load_scene(folder.path / "cart.json");
        for (const Error& e : loaded.errors) MESSAGE(e.text());
        REQUIRE(loaded.ok());
        scene = loaded.scene;
        Result<std::vector<PreparedBody>> made = prepare_bodies(scene);
        REQUIRE(made.ok());
        bodies = std::move(made).value();
        const auto ids = populate(scene, bodies, simulation, recorder);
        REQUIRE(ids.ok());
        id = ids.value()[0];
    }
    const SurfaceAsset& asset() const { return *bodies[0].asset(); }
    const MeshPart& part(const std::string& name) const {
        for (const MeshPart& p : asset().render.parts) {
            if (p.name == name) return p;
        }
        FAIL("no part " << name);
        return asset().render.parts[0];
    }
    // A dent from above that reaches roof, lamp and wheels.
    void strike() {
        DentHit hit;
        hit.position_b = Vec3(0.35, 1.4, 0.1);
        hit.direction_b = Vec3(0.2, -1, 0.1).normalized();
        hit.radius = 2.5;
        hit.depth = 0.15;
        hit.fade = 5.0;
        REQUIRE(simulation.schedule_hit(id, 0.0, 0.0, hit).ok());
        for (int i = 0; i < 3; ++i) simulation.step(0.01);
    }
};

}  // namespace

TEST_CASE("dropped parts are gone, riding ones are drawn but not hit, the rest is surface") {
    const Cart cart;
    std::set<std::string> names;
    for (const MeshPart& part : cart.asset().render.parts) names.insert(part.name);
    CHECK(names == std::set<std::string>{"body", "wheel_left", "wheel_right", "lamp"});
    REQUIRE(cart.asset().riders.size() == 1);
    CHECK(cart.asset().render.parts[cart.asset().riders[0].part].name == "lamp");
    const Box surface = bounds(cart.asset().surface.points);
    CHECK(test::near(surface.upper.y(), 1.4, 1e-6));  // the roof: neither lamp nor helper
    CHECK(test::near(surface.lower.y(), 0.05, 1e-6));
    // The scene places the middle of the surface's box.
    const Vec3 middle = 0.5 * (surface.lower + surface.upper);
    CHECK((cart.engine.motion(cart.simulation.body(cart.id)).pose_w.point(middle) - Vec3(0, 2, 0))
              .norm() < 1e-12);
}

TEST_CASE("an impact moves the body, leaves the wheels and carries the lamp along as it is") {
    Cart cart;
    cart.strike();
    const std::span<const Vec3> rest = cart.asset().surface.points;
    const std::span<const Vec3> now = cart.simulation.state(cart.id).points();
    std::size_t moved = 0, rigid = 0;
    for (std::size_t v = 0; v < rest.size(); ++v) {
        if (cart.asset().is_rigid[v]) {
            ++rigid;
            CHECK(now[v] == rest[v]);
        } else {
            moved += now[v] != rest[v];
        }
    }
    CHECK(rigid > 100);
    CHECK(moved > 100);

    const RenderSkin skin(cart.bodies[0].asset());
    std::vector<Vec3> points, normals;
    skin.pose(now, points, normals);
    const RenderMesh& drawn = cart.asset().render;
    const MeshPart& lamp = cart.part("lamp");
    double least = 1e300;
    for (std::int32_t i = 0; i < lamp.vertex_count; ++i) {
        const std::int32_t v = lamp.first_vertex + i;
        least = std::min(least, (points[v] - drawn.points[v]).norm());
        for (std::int32_t k = 0; k < i; ++k) {
            const std::int32_t w = lamp.first_vertex + k;
            CHECK(std::abs((points[v] - points[w]).norm() -
                           (drawn.points[v] - drawn.points[w]).norm()) < 1e-12);
        }
    }
    // The roof below the lamp sinks by about the dent's depth, and the lamp with it.
    CHECK(least > 0.1);
    CHECK(least < 0.16);
    const MeshPart& wheel = cart.part("wheel_left");
    for (std::int32_t i = 0; i < wheel.vertex_count; ++i) {
        CHECK(points[wheel.first_vertex + i] == drawn.points[wheel.first_vertex + i]);
    }
}

TEST_CASE("an impact on a wheel leaves no mark") {
    Cart cart;
    const ObjectId ball =
        cart.simulation.add_rigid(ball_desc(0.2, 7850, Vec3(9, 0, 0), Vec3::Zero()), 0.7).value();
    const Transform pose = cart.engine.motion(cart.simulation.body(cart.id)).pose_w;
    const auto strike = [&](double time, const Vec3& place_b, const Vec3& normal) {
        Transform beside;
        beside.translation = pose.point(place_b) - 0.2 * normal;
        cart.engine.set_motion(cart.simulation.body(ball), beside, Vec3::Zero(), Vec3::Zero());
        cart.engine.script({.time = time,
                            .a = cart.simulation.body(ball),
                            .b = cart.simulation.body(cart.id),
                            .point_w = pose.point(place_b),
                            .normal_w = normal,
                            .velocity_w = 12.0 * normal});
    };
    strike(0.01, Vec3(-0.95, 0.3, 0), Vec3(1, 0, 0));  // the left wheel's side
    for (int i = 0; i < 5; ++i) cart.simulation.step(0.01);
    CHECK(cart.simulation.journal(cart.id).hits().empty());
    strike(0.2, Vec3(-1, 1.1, 0), Vec3(1, 0, 0));  // the body's side
    for (int i = 0; i < 30; ++i) cart.simulation.step(0.01);
    CHECK(cart.simulation.journal(cart.id).hits().size() == 1);
}

TEST_CASE("part names go out with the GLB, and untouched parts without morph targets") {
    Cart cart;
    cart.recorder.capture(cart.simulation);
    cart.strike();
    cart.recorder.capture(cart.simulation);
    const Recording recording = std::move(cart.recorder).finish(cart.simulation);
    const Result<std::string> glb = glb_bytes(recording);
    REQUIRE(glb.ok());
    const Result<Model> back =
        read_model(std::as_bytes(std::span(glb.value())), "cart.glb", ReadContext{});
    REQUIRE(back.ok());
    std::set<std::string> names;
    for (const ModelNode& node : back.value().nodes) {
        if (node.mesh >= 0) names.insert(node.name);
    }
    CHECK(names == std::set<std::string>{"body", "wheel_left", "wheel_right", "lamp"});
}

TEST_CASE("a journal beside a scene with meshes finds them again and gives the same shapes") {
    Cart cart;
    cart.strike();
    const std::vector<ObjectId> ids = {cart.id};
    const JournalFile file = take_journals(cart.scene, cart.bodies, ids, cart.simulation).value();
    const std::filesystem::path path = cart.folder.path / "out" / "journal.json";
    REQUIRE(write_journals(path, file).ok());
    const Result<JournalFile> back = read_journals(path);
    REQUIRE(back.ok());
    CHECK(back.value().scene.bodies[0].mesh == "../cart.obj");
    const Result<std::vector<PreparedBody>> bodies = prepare_bodies(back.value().scene);
    REQUIRE(bodies.ok());
    CHECK(replay_shapes(back.value(), bodies.value(), back.value().time).value().shape_hash ==
          cart.simulation.shape_hash());
}

TEST_CASE("mistakes about meshes are told with their pointer") {
    const TemporaryFolder folder;
    const auto first_error = [&](const std::string& body) {
        const LoadedScene loaded =
            parse_scene(R"({"bodies": {"a": )" + body + "}}", "s.json", {}, folder.path);
        return loaded.ok() ? std::string() : loaded.errors[0].text();
    };
    REQUIRE(write_file(folder.path / "cart.obj", cart_obj()).ok());
    CHECK(first_error(R"({"mesh": "cart.obj"})").empty());
    CHECK(first_error(R"({"mesh": "carts.obj"})").starts_with("s.json#/bodies/a/mesh: "));
    CHECK(first_error(R"({"mesh": "cart.obj", "surface_mesh": "no.obj"})")
              .starts_with("s.json#/bodies/a/surface_mesh: "));
    CHECK(first_error(R"({"surface_mesh": "cart.obj"})").find("surface mesh needs a mesh") !=
          std::string::npos);
    CHECK(first_error(R"({"mesh": "cart.obj", "collider": "sphere"})")
              .starts_with("s.json#/bodies/a/collider: "));
    CHECK(first_error(R"({"mesh": "cart.obj", "mesh_options": {"parts": {"x": {"role": "fly"}}}})")
              .starts_with("s.json#/bodies/a/mesh_options/parts/x/role: "));
    // Which names there are only the file can tell.
    const LoadedScene loaded =
        parse_scene(R"({"bodies": {"a": {"mesh": "cart.obj", "thickness": 0.001,
                     "mesh_options": {"parts": {"door": {"role": "drop"}}}}}})",
                    "s.json", {}, folder.path);
    REQUIRE(loaded.ok());
    const Result<std::vector<PreparedBody>> bodies = prepare_bodies(loaded.scene);
    REQUIRE_FALSE(bodies.ok());
    CHECK(bodies.error().where == "#/bodies/a");
    CHECK(bodies.error().what.find("door") != std::string::npos);
}
