// SPDX-License-Identifier: MIT
// Jones et al. 2016, section 3.2.2: a change of weights, not an impulse, is smoothed over the body.
#include <ductile/core/field_messages.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/example/example_hit.h>
#include <ductile/deform/example/example_rig.h>
#include <ductile/deform/example/example_row_pair.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile {

using ExampleKind = RecordKind<ExampleHit>;

std::vector<Vec3> example_starts(const ExampleHit& hit) {
    std::vector<Vec3> starts;
    for (const ExampleStart& start : hit.starts) starts.push_back(start.position_b);
    if (starts.empty()) starts.push_back(hit.position_b);
    return starts;
}

// Without changes it does nothing, which does no harm: `fits` tells who places it.
Status ExampleKind::check(ExampleHit&) { return {}; }

Status ExampleKind::fits(const ExampleHit& hit, const BodyShape& shape) {
    const auto* data = shape.data<ExampleData>();
    if (!data) {
        return Error{"the body has no example poses", "",
                     "give it the layer `example` with its rig"};
    }
    if (hit.changes.empty()) {
        return Error{"it changes the share of no pose", "/changes", "name a pose of the rig"};
    }
    std::vector<std::string_view> names;
    for (const RigPose& pose : data->rig().poses) names.push_back(pose.name);
    for (const PoseChange& change : hit.changes) {
        if (data->pose_index(change.pose) >= 0) continue;
        return Error{"the rig has no pose of this name", pointer_below("/changes", change.pose),
                     suggestion(change.pose, names)};
    }
    return {};
}

RecordMark ExampleKind::mark(const ExampleHit& hit) {
    double most = 0.0;
    for (const PoseChange& change : hit.changes) most = std::max(most, std::abs(change.change));
    return {hit.position_b, 100.0 * most, "%"};
}

void ExampleKind::move(ExampleHit& hit, const Transform& by) {
    hit.position_b = by.point(hit.position_b);
    for (ExampleStart& start : hit.starts) start.position_b = by.point(start.position_b);
}

RecordReach ExampleKind::reach(const ExampleHit& hit) {
    return [starts = example_starts(hit), radius = hit.radius](const Box& box) {
        // A little further than the kernel, for rounding.
        const double limit = radius * radius * (1.0 + 1e-9);
        return std::any_of(starts.begin(), starts.end(),
                           [&](const Vec3& start) { return box.distance_sq(start) <= limit; });
    };
}

void ExampleKind::apply(const ExampleHit& hit, const RecordPoints& at, double amount,
                        std::span<ExampleRow> rows) {
    const auto* data = at.shape.data<ExampleData>();
    if (!data || !(amount > 0)) return;
    std::vector<double> change(data->pose_count(), 0.0);
    for (const PoseChange& c : hit.changes) {
        const std::int32_t e = data->pose_index(c.pose);
        if (e >= 0) change[static_cast<std::size_t>(e)] += c.change;
    }
    const auto spread = data->spread(example_starts(hit), hit.radius);
    // Two points at a time.
    std::array<std::vector<double>, 2> painted = {change, change};
    std::array<std::size_t, 2> row;
    std::array<double, 2> here;
    std::size_t count = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto v = static_cast<std::size_t>(at.indices[i]);
        if (!((*spread)[v] > 0)) continue;
        data->factors().paint(v, change, painted[count]);
        row[count] = i;
        here[count++] = amount * (*spread)[v];
        if (count < 2) continue;
        add_change(painted[0], here[0], rows[row[0]], painted[1], here[1], rows[row[1]]);
        count = 0;
    }
    if (count > 0) add_change(painted[0], here[0], rows[row[0]]);
}

}  // namespace ductile
