// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <engine/small_engine.h>
#include <support/near.h>

#include <cmath>
#include <fstream>
#include <sstream>

using namespace ductile;
using namespace ductile::test;

namespace {

std::string text_of(const std::string& path) {
    std::ifstream in(std::string(DUCTILE_SOURCE_DIR) + "/" + path);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

}  // namespace

TEST_CASE("the example engine of the docs reports a fall as the port asks") {
    SmallEngine engine;
    const BodyId floor = engine.add(floor_desc()).value();
    BodyDesc d = piece_desc({0.4, 0.4, 0.4}, 500, {0, 0.5, 0});
    d.restitution = 0.5;
    const BodyId box = engine.add(d).value();
    const double dt = 1.0 / 240;
    int hits = 0;
    for (int i = 1; i <= 120 && hits == 0; ++i) {
        engine.step(dt);
        const ContactBatch& batch = engine.batches()[0];
        for (const Contact& c : batch.contacts) {
            ++hits;
            CHECK(batch.bodies[c.a].id == floor);
            CHECK(batch.bodies[c.b].id == box);
            CHECK(test::near(-batch.bodies[c.b].velocity_w.y(), 9.81 * i * dt));
            CHECK(test::near(engine.motion(box).velocity_w.y(), 0.5 * 9.81 * i * dt));
            CHECK(test::near(c.normal_impulse, 1.5 * 9.81 * i * dt * engine.mass(box).mass));
        }
    }
    CHECK(hits == 1);
    const ColliderPiece thinner{0, box_points({0.4, 0.2, 0.4})};
    Reshape change;
    change.moved = std::span(&thinner, 1);
    REQUIRE(engine.reshape(box, change).ok());
    for (int i = 0; i < 720; ++i) engine.step(dt);
    CHECK(std::abs(engine.motion(box).pose_w.translation.y() - 0.1) < 0.02);
}

TEST_CASE("the port answers for what an engine leaves out") {
    SmallEngine engine;
    engine.add(floor_desc()).value();
    const BodyId box = engine.add(piece_desc({0.4, 0.4, 0.4}, 500, {0, 5, 0})).value();
    CHECK_FALSE(engine.add_joint({}).ok());
    CHECK(engine.predicted_approaches(1.0, 0.0, std::vector{box}).empty());
    CHECK(std::isinf(engine.closest_point(box, Vec3::Zero(), 1.0).distance));
    engine.step(0.01);
    CHECK(engine.energy().after == 0.0);
    // This engine does not turn its bodies: only the push is left of the impulse.
    const Vec3 before = engine.motion(box).velocity_w, impulse(1, 2, 3);
    engine.apply_impulse(box, impulse, Vec3(0.1, 5, 0));
    const Vec3 gained = engine.velocity_at(box, Vec3(3, 3, 3)) - before;
    CHECK((gained * engine.mass(box).mass - impulse).norm() < 1e-12);
}

TEST_CASE("the engine in the docs is the tested one") {
    const std::string code = text_of("tests/engine/small_engine.h");
    const std::string page = text_of("docs/engine-port.md");
    const std::size_t begin = code.find("class SmallEngine");
    const std::size_t end = code.find("}  // namespace ductile");
    REQUIRE(begin != std::string::npos);
    REQUIRE(end != std::string::npos);
    CHECK(page.find(code.substr(begin, end - begin)) != std::string::npos);
}
