// SPDX-License-Identifier: MIT
#include <ductile/export/track/check_recording.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>

using namespace ductile;

namespace {

std::string refusal(const Recording& r) {
    const Status status = check_recording(r);
    return status ? "" : status.error().text();
}

Recording with_impacts() {
    Recording r = sample::busy();
    RecordedImpact impact;
    impact.bodies = {0, -1};
    r.impacts = {impact, impact};
    r.energy.assign(r.frames.size(), EnergyBalance{});
    return r;
}

}  // namespace

TEST_CASE("impacts and energies are checked like everything else") {
    CHECK(refusal(with_impacts()) == "");
    const double nan = std::nan("");

    Recording r = with_impacts();
    r.impacts[1].bodies[1] = 6;
    CHECK(refusal(r).find("impact 1: body 6 does not exist") != std::string::npos);
    r = with_impacts();
    r.impacts[0].bodies[0] = -2;
    CHECK(refusal(r).find("impact 0: body -2 does not exist") != std::string::npos);
    for (double RecordedImpact::*number :
         {&RecordedImpact::time, &RecordedImpact::approach_speed, &RecordedImpact::effective_mass,
          &RecordedImpact::damage_impulse}) {
        r = with_impacts();
        r.impacts[1].*number = nan;
        CHECK(refusal(r).find("impact 1: a number is not finite") != std::string::npos);
    }
    for (Vec3 RecordedImpact::*vector : {&RecordedImpact::position_w, &RecordedImpact::normal_w}) {
        r = with_impacts();
        (r.impacts[1].*vector).y() = nan;
        CHECK(refusal(r).find("impact 1: a number is not finite") != std::string::npos);
    }

    r = with_impacts();
    r.energy.pop_back();
    CHECK(refusal(r).find("energy is given for 39 of 40 frames") != std::string::npos);
    r = with_impacts();
    r.energy[7].dissipated = nan;
    CHECK(refusal(r).find("frame 7: an energy is not finite") != std::string::npos);
}
