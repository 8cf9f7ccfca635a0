// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/bullet/bullet_precision.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/aborts.h>

using namespace ductile;
using namespace ductile::test;

namespace {

constexpr BulletPrecision kOther = kIsDouble ? BulletPrecision::Single : BulletPrecision::Double;

bool has(const std::optional<std::string>& message, std::string_view part) {
    return message && message->find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the Bullet that is loaded has the precision that its headers have here") {
    static_assert((sizeof(btScalar) == 8) == (kBulletPrecisionHere == BulletPrecision::Double));
    CHECK(loaded_bullet_precision() == kBulletPrecisionHere);
    require_bullet_precision(kBulletPrecisionHere);
}

TEST_CASE("a world of a source compiled for Bullet's other precision is refused with a message") {
    const auto engine = BulletEngine::make();
    const auto message =
        abort_message([&] { (void)BulletEngine::attach(engine->world(), {}, kOther); });
    CHECK(has(message, kIsDouble ? "for Bullet in single precision, ductile for double"
                                 : "for Bullet in double precision, ductile for single"));
    CHECK(has(message, kIsDouble ? "pkg-config bullet-float64" : "pkg-config bullet"));
    CHECK(message->find('\n') == message->size() - 1);
}

TEST_CASE("a program that runs with Bullet's other precision is refused with a message") {
    const auto message =
        abort_message([] { require_bullet_precision(kBulletPrecisionHere, kOther); });
    CHECK(has(message, kIsDouble ? "runs with Bullet in single precision"
                                 : "runs with Bullet in double precision"));
}
