// SPDX-License-Identifier: MIT
// Every source of a dent's shape, named in a scene: by a layer and by hand.
#include <ductile/core/file.h>
#include <ductile/deform/dent/dent_stamp.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/directed_hit.h>
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

using namespace ductile;

namespace {

// A folder with a picture in it, gone afterwards: left half white, right half black.
struct Folder {
    std::filesystem::path path;

    Folder() : path(std::filesystem::temp_directory_path() / "ductile-dent-stamp-test") {
        std::filesystem::create_directories(path);
        static_assert(std::endian::native == std::endian::little);
        std::string pfm = "Pf\n8 8\n-1.0\n";
        for (int k = 0; k < 64; ++k) {
            const float value = k % 8 < 4 ? 1.0F : 0.0F;
            pfm.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        REQUIRE(write_file(path / "half.pfm", pfm).ok());
        // White in the upper left quarter; rows of a PFM go from the bottom to the top.
        pfm = "Pf\n8 8\n-1.0\n";
        for (int k = 0; k < 64; ++k) {
            const float value = k % 8 < 4 && k >= 32 ? 1.0F : 0.0F;
            pfm.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        REQUIRE(write_file(path / "corner.pfm", pfm).ok());
        // In by 1 and up, as the picture is seen, by a half.
        pfm = "PF\n8 8\n-1.0\n";
        for (int k = 0; k < 64; ++k) {
            const float values[] = {0.0F, 0.5F, 1.0F};
            pfm.append(reinterpret_cast<const char*>(values), sizeof values);
        }
        REQUIRE(write_file(path / "up.pfm", pfm).ok());
        // The same to the right, of the left half alone.
        pfm = "PF\n8 8\n-1.0\n";
        for (int k = 0; k < 64; ++k) {
            const float in = k % 8 < 4 ? 1.0F : 0.0F;
            const float values[] = {0.5F * in, 0.0F, in};
            pfm.append(reinterpret_cast<const char*>(values), sizeof values);
        }
        REQUIRE(write_file(path / "right.pfm", pfm).ok());
        REQUIRE(write_file(path / "out.csv", "r,dr,dz\n0,0,4\n0.1,1,1\n0.14,0,0\n").ok());
    }
    ~Folder() { std::filesystem::remove_all(path); }
};

// A plate that is struck once by hand, in the shape that `shape` tells.
Scene plate_scene(const Folder& folder, const std::string& shape) {
    const std::string text = R"({
        "duration": 0.5, "gravity": [0, 0, 0], "ground": {"is_on": false},
        "bodies": {
            "plate": {"motion": "static", "solid": {"kind": "box", "size": [1, 0.3, 1], "resolution": 0.02},
                      "layers": {"dent": {"smoothing": 0}}},
            "ball": {"solid": {"kind": "sphere", "size": [0.3, 0.3, 0.3]}, "position": [0, 5, 0]},
            "bar": {"solid": {"kind": "box", "size": [0.6, 0.1, 0.1]}, "position": [0, 7, 0]}
        },
        "hits": [{"body": "plate", "time": 0.01,
                  "dent": {"position": [0, 0.15, 0], "direction": [0, -1, 0], "from": [1, 0, 0],
                           "depth": 0.03, "radius": 0.2},
                  "shape": )" +
                             shape + "}]}";
    LoadedScene loaded = parse_scene(text, "test", {});
    for (const Error& e : loaded.errors) MESSAGE(e.text());
    REQUIRE(loaded.ok());
    loaded.scene.folder = folder.path;
    return loaded.scene;
}

// How deep the plate is pressed at a place of its upper face.
struct DentedWall {
    std::vector<Vec3> rest, now;

    double deepest() const {
        double most = 0.0;
        for (std::size_t v = 0; v < rest.size(); ++v)
            most = std::max(most, rest[v].y() - now[v].y());
        return most;
    }
    double at(double x, double z) const {
        std::size_t nearest = 0;
        double best = 1e9;
        for (std::size_t v = 0; v < rest.size(); ++v) {
            const double d = (rest[v] - Vec3(x, 0.15, z)).norm();
            if (d < best) {
                best = d;
                nearest = v;
            }
        }
        return rest[nearest].y() - now[nearest].y();
    }
};

DentedWall press(const Scene& scene) {
    const Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene);
    REQUIRE(bodies.ok());
    ScriptedEngine engine;
    Simulation simulation(engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    const auto ids = populate(scene, bodies.value(), simulation, recorder);
    if (!ids) MESSAGE(ids.error().text());
    REQUIRE(ids.ok());
    for (int k = 0; k < 4; ++k) simulation.step(0.01);
    const BodyState& state = simulation.state(ids.value()[0]);
    return {{state.shape().rest().begin(), state.shape().rest().end()},
            {state.points().begin(), state.points().end()}};
}

}  // namespace

TEST_CASE("a hit by hand takes its shape from any source, as deep as it says") {
    const Folder folder;
    const auto pressed = [&](const char* shape) {
        const DentedWall p = press(plate_scene(folder, shape));
        CHECK(test::near(p.deepest(), 0.03, 0.02));
        CHECK(p.at(0.45, 0.45) == 0.0);
        return p;
    };
    // Round ones: known depths at half the radius.
    CHECK(test::near(pressed(R"({"source": "gaussian"})").at(0.1, 0), 0.03 * 0.3170, 0.02));
    CHECK(test::near(pressed(R"({"source": "cosine"})").at(0, 0.1), 0.015, 0.02));
    const double ball = (0.2 * 0.2 + 0.03 * 0.03) / 0.06;
    CHECK(test::near(pressed(R"({"source": "cap"})").at(0.1, 0),
                     std::sqrt(ball * ball - 0.01) - (ball - 0.03), 0.02));
    const DentedWall table = pressed(
        R"({"source": "table", "table": [{"distance": 0, "depth": 4}, {"distance": 0.1, "depth": 1},
            {"distance": 0.14, "depth": 0}]})");
    CHECK(test::near(table.at(0.1, 0), 0.0075, 0.05));
    CHECK(table.at(0.16, 0) == 0.0);  // a table has a size of its own
    // x of the map is `from`; the picture's left is -x, and y is direction x from: -z to +z.
    const DentedWall picture = pressed(R"({"source": "picture", "picture": "half.pfm"})");
    CHECK(test::near(picture.at(-0.1, 0.06), 0.03, 0.01));
    CHECK(picture.at(0.1, 0.06) == 0.0);
    const DentedWall flipped =
        pressed(R"({"source": "picture", "picture": "corner.pfm", "flip": true})");
    const DentedWall corner = pressed(R"({"source": "picture", "picture": "corner.pfm"})");
    // Seen from above with x to the right, the picture's upper left is at -x, -z.
    CHECK(test::near(corner.at(-0.08, -0.08), 0.03, 0.01));
    CHECK(corner.at(-0.08, 0.08) == 0.0);
    // Its upper right: left and right have changed places, above and below have not.
    CHECK(test::near(flipped.at(0.08, -0.08), 0.03, 0.01));
    CHECK(flipped.at(-0.08, 0.08) == 0.0);
    const DentedWall formula =
        pressed(R"j({"source": "formula", "formula": "(x > -0.25) * (1 - r)"})j");
    CHECK(test::near(formula.at(0.1, 0), 0.015, 0.05));
    CHECK(formula.at(-0.1, 0) == 0.0);
    // The shape of a body of the scene.
    const DentedWall by_ball = pressed(R"({"source": "projectile", "projectile": "ball"})");
    CHECK(test::near(by_ball.at(0.06, 0), std::sqrt(0.15 * 0.15 - 0.06 * 0.06) - 0.12, 0.05));
    CHECK(by_ball.at(0.14, 0) == 0.0);
    const DentedWall by_bar = pressed(R"({"source": "projectile", "projectile": "bar"})");
    CHECK(test::near(by_bar.at(0.26, 0), 0.03));
    CHECK(by_bar.at(0, 0.1) == 0.0);
}

TEST_CASE("vectors of a table or picture move a surface sideways, too") {
    const Folder folder;
    const auto moved_at = [](const DentedWall& wall, double x, double z) {
        std::size_t nearest = 0;
        const auto off = [&](std::size_t v) { return (wall.rest[v] - Vec3(x, 0.15, z)).norm(); };
        for (std::size_t v = 0; v < wall.rest.size(); ++v) {
            if (off(v) < off(nearest)) nearest = v;
        }
        return Vec3(wall.now[nearest] - wall.rest[nearest]);
    };
    const DentedWall table =
        press(plate_scene(folder, R"({"source": "vectors", "vectors": "out.csv"})"));
    const Vec3 right = moved_at(table, 0.1, 0), near = moved_at(table, 0, 0.1);
    CHECK(test::near(right.x(), 0.0075, 0.1));
    CHECK(test::near(right.y(), -0.0075, 0.1));
    CHECK(test::near(near.z(), 0.0075, 0.1));
    CHECK(moved_at(table, 0.17, 0).isZero(0.0));  // it has a size of its own
    // Seen from above with x to the right, up is along -z.
    const DentedWall picture =
        press(plate_scene(folder, R"({"source": "vectors", "vectors": "up.pfm"})"));
    const Vec3 up = moved_at(picture, 0, 0);
    CHECK(test::near(up.y(), -0.03, 0.01));
    CHECK(up.z() < -0.005);
    CHECK(std::abs(up.x()) < 1e-6);
    const Vec3 right_half = moved_at(
        press(plate_scene(folder, R"({"source": "vectors", "vectors": "right.pfm"})")), -0.1, 0);
    CHECK(test::near(right_half.y(), -0.03, 0.01));
    CHECK(right_half.x() > 0.005);
    const Vec3 mirrored =
        moved_at(press(plate_scene(
                     folder, R"({"source": "vectors", "vectors": "right.pfm", "flip": true})")),
                 0.1, 0);
    CHECK(test::near(mirrored.y(), -0.03, 0.01));
    CHECK(mirrored.x() < -0.005);
}

TEST_CASE("a stamp without a depth, or for a body that cannot take it, is refused") {
    const Folder folder;
    Scene scene = plate_scene(folder, R"({"source": "projectile", "projectile": "ball"})");
    const auto refused = [&] {
        const Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene);
        REQUIRE(bodies.ok());
        const Result<HitRecord> dent = directed_record(scene, scene.hits[0], bodies.value());
        return dent.ok() ? std::string() : dent.error().where;
    };
    CHECK(refused() == "");
    scene.hits[0].record.slot<DentHit>()->depth = 0.0;
    CHECK(refused() == "/dent/depth");
    scene.hits[0].record.slot<DentHit>()->depth = 0.01;
    scene.hits[0].body = "bar";  // rigid
    CHECK(refused() == "/body");
}

TEST_CASE("a layer takes its shape from any source but by hand") {
    const Folder folder;
    Scene scene = plate_scene(folder, R"({"source": "gaussian"})");
    for (const DentSource source : {DentSource::Gaussian, DentSource::Cosine, DentSource::Cap,
                                    DentSource::Table, DentSource::Picture, DentSource::Formula}) {
        DentShapeOptions shape;
        shape.source = source;
        shape.picture = "half.pfm";
        shape.formula = "1 - r^2";
        shape.table = {{0.0, 1.0}, {0.3, 0.0}};
        const Result<DentStamp> stamp = make_stamp(shape, scene_layer_files(scene));
        REQUIRE(stamp.ok());
        CHECK(stamp.value().map.has_value() == (source > DentSource::Cap));
        CHECK((stamp.value().radius > 0) == (source == DentSource::Table));
    }
}

TEST_CASE("a shape that cannot be made is named by its place in the scene") {
    const Folder folder;
    struct Case {
        const char* shape;
        const char* where;
    };
    for (const Case& c :
         {Case{R"({"source": "picture"})", "/hits/0/shape/picture"},
          Case{R"({"source": "picture", "picture": "none.png"})", "/hits/0/shape/picture"},
          Case{R"({"source": "formula", "formula": "1 - q"})", "/hits/0/shape/formula"},
          Case{R"({"source": "formula", "formula": "-1"})", "/hits/0/shape/formula"},
          Case{R"({"source": "vectors"})", "/hits/0/shape/vectors"},
          Case{R"({"source": "vectors", "vectors": "none.csv"})", "/hits/0/shape/vectors"},
          Case{R"({"source": "vectors", "vectors": "half.pfm"})", "/hits/0/shape/vectors"},
          Case{R"({"source": "gaussian", "vectors": "out.csv"})", "/hits/0/shape/vectors"},
          Case{R"({"source": "formula", "formula": "1 - r", "formula_x": "q"})",
               "/hits/0/shape/formula_x"},
          Case{R"({"source": "table"})", "/hits/0/shape/table"},
          Case{R"({"source": "table", "table": [{"distance": 0, "depth": 0},
                                   {"distance": 1, "depth": 0}]})",
               "/hits/0/shape/table"}}) {
        CAPTURE(std::string(c.shape));
        const Scene scene = plate_scene(folder, c.shape);
        const std::vector<Error> errors = check_shapes(scene);
        REQUIRE(errors.size() == 1);
        CHECK(errors[0].where == c.where);
        CHECK(!errors[0].what.empty());
    }
    Scene scene = plate_scene(folder, R"({"source": "gaussian"})");
    scene.hits[0].shape->source = DentSource::Projectile;
    scene.hits[0].shape->projectile = "bal";
    const std::vector<Error> errors = check_scene(scene);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].where == "/hits/0/shape/projectile");
    scene.hits.clear();
    scene.bodies[0].layers.dent->shape.source = DentSource::Formula;
    const std::vector<Error> of_layer = check_shapes(scene);
    REQUIRE(of_layer.size() == 1);
    CHECK(of_layer[0].where == "/bodies/plate/layers/dent/shape/formula");
}

TEST_CASE(
    "a mark counts from the middle of a body's box, wherever the mesh's file has its origin") {
    const Folder folder;
    // A unit cube whose file has its origin two metres away.
    std::string obj;
    for (int i = 0; i < 8; ++i) {
        obj += "v " + std::to_string(2 + (i & 1)) + " " + std::to_string((i >> 1) & 1) + " " +
               std::to_string(i >> 2) + "\n";
    }
    obj += "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    REQUIRE(write_file(folder.path / "cube.obj", obj).ok());
    REQUIRE(write_file(folder.path / "cube.json", R"({
        "duration": 0.5, "gravity": [0, 0, 0], "ground": {"is_on": false},
        "bodies": {"cube": {"mesh": "cube.obj", "mesh_options": {"scale": 1, "longest_edge": 0.05},
                            "layers": {"dent": {}}}},
        "hits": [{"body": "cube", "time": 0.01,
                  "dent": {"position": [0, 0.5, 0], "direction": [0, -1, 0],
                           "depth": 0.03, "radius": 0.2}}]})")
                .ok());
    const LoadedScene loaded = load_scene(folder.path / "cube.json");
    for (const Error& e : loaded.errors) MESSAGE(e.text());
    REQUIRE(loaded.ok());
    const DentedWall wall = press(loaded.scene);
    std::size_t found = 0;
    for (std::size_t v = 0; v < wall.rest.size(); ++v) {
        if (wall.rest[v].y() - wall.now[v].y() > wall.rest[found].y() - wall.now[found].y())
            found = v;
    }
    CHECK(wall.deepest() > 0.02);
    CHECK((wall.rest[found] - Vec3(2.5, 1, 0.5)).norm() < 0.06);
}

TEST_CASE("a picture stands upright on every wall that it is pressed into") {
    const Folder folder;
    const auto pressed_from = [&](const Vec3& direction) {
        Scene scene = plate_scene(folder, R"({"source": "picture", "picture": "corner.pfm"})");
        DentHit& dent = *scene.hits[0].record.slot<DentHit>();
        dent.direction_b = direction;
        dent.from_b = Vec3::Zero();
        const Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene);
        REQUIRE(bodies.ok());
        const Result<HitRecord> record = directed_record(scene, scene.hits[0], bodies.value());
        REQUIRE(record.ok());
        return std::get<DentHit>(record.value()).from_b;
    };
    // The map's x is to the right, its y (the way in x right) down, for whoever looks along.
    for (const Vec3& direction : {Vec3(0, 0, -1), Vec3(0, 0, 1), Vec3(-1, 0, 0), Vec3(1, 0, 0),
                                  Vec3(Vec3(1, 0.4, -2).normalized())}) {
        CAPTURE(direction.transpose());
        const Vec3 right = pressed_from(direction);
        CHECK(std::abs(right.norm() - 1.0) < 1e-12);
        CHECK(std::abs(right.y()) < 1e-12);
        CHECK(direction.cross(right).y() < -0.9);
    }
    CHECK((pressed_from(Vec3(0, -1, 0)) - Vec3::UnitX()).norm() < 1e-12);
    CHECK((pressed_from(Vec3(0.02, -0.99, 0).normalized()) - Vec3::UnitX()).norm() < 0.03);
}
