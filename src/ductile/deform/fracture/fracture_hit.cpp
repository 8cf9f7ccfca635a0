// SPDX-License-Identifier: MIT
#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/deform/fracture/fracture_hit.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile {

Status RecordKind<FractureHit>::check(FractureHit& hit) {
    if (hit.joints.empty() && !(hit.radius > 0) && !hit.vanishes) {
        return Error{"it breaks nothing", "/radius", "give one above 0"};
    }
    return {};
}

Status RecordKind<FractureHit>::fits(const FractureHit& hit, const BodyShape& shape) {
    const auto* data = shape.data<FractureData>();
    if (!data) {
        return Error{"the body cannot break", "", "give it a layer `fracture`"};
    }
    std::shared_ptr<const FractureData> centred;
    if (data->awaits_centre() && !hit.joints.empty()) {
        Result<std::shared_ptr<const FractureData>> made = data->centred(hit.centre_b, shape);
        if (!made) return made.error();
        centred = std::move(made).value();
        data = centred.get();
    }
    const auto count = static_cast<std::int32_t>(data->score().cut().joints.size());
    const bool is_known = std::all_of(hit.joints.begin(), hit.joints.end(),
                                      [&](std::int32_t j) { return j >= 0 && j < count; });
    if (!is_known) {
        return Error{fmt::format("the body has {} faces between its pieces, not these", count),
                     "/joints", ""};
    }
    return {};
}

}  // namespace ductile
