// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/body_hold.h>

#include <Eigen/LU>

namespace ductile {

// With the body's inverse masses W, the particles' weights S and what they lack b, it moves by
// x = -W (b + S x): what they lack once it has moved is what pulls it. Of the six equations the
// three of the move have one number on their diagonal: put into those of the turn, three are left.
BodyHold::Motion BodyHold::motion(const PushedBody& body) const {
    if (!body.is_movable()) return {};
    const double light = body.start.inverse_mass;
    const Mat3& turns = body.start.inverse_inertia_w;
    const Vec3 l = both_of(lever_), lack = both_of(lack_);
    const double share = light / (1.0 + light * both_of(weight_));
    // What is left to turn against once the body has moved along: the particles' inertia about ...
    const Vec3 square = both_of(squares_) - share * l.cwiseAbs2();
    const Vec3 product = both_of(products_) - share * Vec3(l[1] * l[2], l[0] * l[2], l[0] * l[1]);
    const double all = square.sum() + both_of(turning_weight_);
    Mat3 inertia;
    inertia << all - square[0], -product[2], -product[1],  //
        -product[2], all - square[1], -product[0],         //
        -product[1], -product[0], all - square[2];
    const Vec3 pull = share * l.cross(lack) - both_of(turning_lack_);
    const Mat3 system = Mat3::Identity() + turns * inertia;
    const Vec3 turn = system.inverse() * (turns * pull);
    return {-share * (lack - l.cross(turn)), turn};
}

}  // namespace ductile
