// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/particle_pairs.h>

#include <algorithm>

namespace ductile {

std::vector<ParticlePair> pairs_of(const TissueRig& rig, std::span<const std::int32_t> list) {
    std::vector<ParticlePair> out;
    for (std::size_t k = 0; k < list.size(); k += 2) {
        const std::span<const std::int32_t> own =
            list.subspan(k, std::min(list.size() - k, std::size_t{2}));
        double mass[2] = {}, spin[2] = {};
        Vec3 place[2] = {Vec3::Zero(), Vec3::Zero()};
        Mat3 moment[2] = {Mat3::Zero(), Mat3::Zero()};
        for (std::size_t j = 0; j < own.size(); ++j) {
            const std::int32_t i = own[j];
            mass[j] = rig.masses[i];
            spin[j] = rig.masses[i] * spin_inertia(rig.shapes[i]);
            place[j] = rig.places[i];
            moment[j] = 0.2 * rig.masses[i] * rig.shapes[i];
        }
        ParticlePair& two = out.emplace_back();
        two.first = own.front();
        two.second = own.size() > 1 ? own.back() : static_cast<std::ptrdiff_t>(rig.size());
        two.mass = simd::Doubles(mass[0], mass[1]);
        two.spin = simd::Doubles(spin[0], spin[1]);
        two.place = gather(place, 0, 1);
        two.moment = pair_of(moment[0], moment[1]);
    }
    return out;
}

}  // namespace ductile
