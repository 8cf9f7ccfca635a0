// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/engine/bullet/bullet_precision.h>

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

namespace ductile {
namespace {

const char* name_of(BulletPrecision precision) {
    return precision == BulletPrecision::Double ? "double" : "single";
}

const char* package_of(BulletPrecision precision) {
    return precision == BulletPrecision::Double ? "bullet-float64" : "bullet";
}

}  // namespace

BulletPrecision loaded_bullet_precision() {
    // A body that the library made itself, whatever its layout, and how long it is when written:
    // neither call depends on how we were compiled.
    const btRigidBody& own = btTypedConstraint::getFixedBody();
    return own.btRigidBody::calculateSerializeBufferSize() == sizeof(btRigidBodyDoubleData)
               ? BulletPrecision::Double
               : BulletPrecision::Single;
}

void require_bullet_precision(BulletPrecision caller, BulletPrecision loaded) {
    constexpr BulletPrecision kOwn = kBulletPrecisionHere;
    if (caller != kOwn) {
        fail_assert("Bullet in one precision",
                    fmt::format("the source that attaches a world was compiled for Bullet in {} "
                                "precision, ductile for {}: compile it with the flags of "
                                "ductile::engine_bullet, or of pkg-config {}",
                                name_of(caller), name_of(kOwn), package_of(kOwn)),
                    DUCTILE_FILE_NAME, __LINE__);
    }
    if (loaded != kOwn) {
        fail_assert("Bullet in one precision",
                    fmt::format("the program runs with Bullet in {} precision, ductile was built "
                                "for {}: link {} and no other Bullet",
                                name_of(loaded), name_of(kOwn), package_of(kOwn)),
                    DUCTILE_FILE_NAME, __LINE__);
    }
}

}  // namespace ductile
