// SPDX-License-Identifier: MIT
#include <ductile/deform/shell/shell_reach.h>

#include <functional>
#include <queue>
#include <utility>

namespace ductile {

std::vector<double> sheet_distances(const ShellRig& rig, std::span<const Vec3> places,
                                    std::span<const SheetStart> starts) {
    std::vector<std::vector<std::pair<std::int32_t, double>>> near(places.size());
    const auto join = [&](std::int32_t a, std::int32_t b) {
        const double d = (places[std::size_t(a)] - places[std::size_t(b)]).norm();
        near[std::size_t(a)].emplace_back(b, d);
        near[std::size_t(b)].emplace_back(a, d);
    };
    for (const SubShell& shell : rig.shells) {
        for (std::size_t i = 0; i < shell.controls.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) join(shell.controls[i], shell.controls[j]);
        }
    }
    for (const ShellTie& tie : rig.ties) join(tie.a, tie.b);
    std::vector<double> distance(places.size(), kInfinity);
    using Visit = std::pair<double, std::int32_t>;
    std::priority_queue<Visit, std::vector<Visit>, std::greater<>> queue;
    const auto reach = [&](std::int32_t c, double d) {
        if (!(d < distance[std::size_t(c)])) return;
        distance[std::size_t(c)] = d;
        queue.emplace(d, c);
    };
    for (const SheetStart& start : starts) reach(start.control, start.distance);
    while (!queue.empty()) {
        const auto [d, c] = queue.top();
        queue.pop();
        if (d > distance[std::size_t(c)]) continue;
        for (const auto& [other, length] : near[std::size_t(c)]) reach(other, d + length);
    }
    return distance;
}

}  // namespace ductile
