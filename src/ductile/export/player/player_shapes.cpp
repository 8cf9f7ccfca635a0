// SPDX-License-Identifier: MIT
#include <ductile/export/player/player_bytes.h>
#include <ductile/export/player/player_shapes.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>

namespace ductile {
namespace {

using Moves = std::vector<std::array<std::int32_t, 3>>;  // in steps, per place

// A run costs about as many bytes as this many places without a move.
constexpr std::size_t kShortGap = 3;
// Eight times that fits into 32 bits: differences of differences do, too.
constexpr double kMostSteps = 1 << 28;

bool is_zero_move(const std::array<std::int32_t, 3>& m) { return (m[0] | m[1] | m[2]) == 0; }

// First place and end of each run of places that moved, short gaps included.
std::vector<std::pair<std::size_t, std::size_t>> moved_runs(const Moves& moves) {
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    for (std::size_t p = 0; p < moves.size(); ++p) {
        if (is_zero_move(moves[p])) continue;
        if (!runs.empty() && p - runs.back().second <= kShortGap) {
            runs.back().second = p + 1;
        } else {
            runs.emplace_back(p, p + 1);
        }
    }
    return runs;
}

std::string code_of(const Moves& moves) {
    const auto runs = moved_runs(moves);
    std::string code;
    append_number(code, static_cast<std::uint32_t>(runs.size()));
    std::size_t end = 0;
    for (const auto& run : runs) {
        append_number(code, static_cast<std::uint32_t>(run.first - end));
        append_number(code, static_cast<std::uint32_t>(run.second - run.first));
        end = run.second;
    }
    for (int k = 0; k < 3; ++k) {
        std::int32_t last = 0;
        for (const auto& run : runs) {
            for (std::size_t p = run.first; p < run.second; ++p) {
                append_signed(code, moves[p][k] - last);
                last = moves[p][k];
            }
        }
    }
    return code;
}

// The changes, with indices of recorded shapes in `shown` in place of the shapes themselves.
void list_shapes(const Recording& recording, std::size_t body, PlayerShapes& out,
                 std::vector<std::int32_t>& shown) {
    const RecordedBody& recorded = recording.bodies[body];
    std::map<std::int32_t, std::int32_t> number;  // -1: like the asset at rest
    std::optional<std::int32_t> last;
    for (std::size_t f = 0; f < recording.frames.size(); ++f) {
        const BodyFrame& at = recording.frames[f].bodies[body];
        if (!at.is_present) continue;
        std::int32_t code = -1;
        if (!recorded.shapes.empty()) {
            const auto [known, is_new] = number.try_emplace(at.shape, -1);
            if (is_new && recorded.shapes[at.shape] != recorded.asset->surface.points) {
                known->second = static_cast<std::int32_t>(shown.size());
                shown.push_back(at.shape);
            }
            code = known->second;
        }
        if (last != code) out.changes.emplace_back(f, code);
        last = code;
    }
}

bool count_steps(const RenderMesh& mesh, std::span<const Vec3> posed, const VertexPlaces& places,
                 double step, Moves& moves, double& reach) {
    for (std::size_t p = 0; p < moves.size(); ++p) {
        const std::int32_t v = places.vertices[p];
        const Vec3 move = posed[v] - mesh.points[v];
        reach = std::max(reach, move.norm());
        for (int k = 0; k < 3; ++k) {
            const double steps = move[k] / step;
            if (!(std::abs(steps) <= kMostSteps)) return false;
            moves[p][k] = static_cast<std::int32_t>(std::lround(steps));
        }
    }
    return true;
}

}  // namespace

Result<PlayerShapes> code_shapes(const Recording& recording, std::size_t body,
                                 const RenderSkin& skin, const VertexPlaces& places, double error) {
    const RecordedBody& recorded = recording.bodies[body];
    PlayerShapes out;
    std::vector<std::int32_t> shown;
    list_shapes(recording, body, out, shown);
    // Rounding each coordinate to the nearest step is off by half of it, times root three.
    out.step = 2.0 * error / std::sqrt(3.0);
    std::vector<Vec3> points, normals;
    Moves moves(places.vertices.size()), before(moves.size()), change(moves.size());
    for (std::size_t s = 0; s < shown.size(); ++s) {
        skin.pose(recorded.shapes[shown[s]], points, normals);
        if (!count_steps(recorded.asset->render, points, places, out.step, moves, out.reach)) {
            return Error{
                fmt::format("shape {} lies too far from rest for the error wanted", shown[s]),
                fmt::format("body {} ('{}')", body, recorded.name),
                "allow a larger position_error"};
        }
        if (s % kPlayerKeyInterval == 0) {
            out.codes.push_back(code_of(moves));
        } else {
            for (std::size_t p = 0; p < moves.size(); ++p) {
                for (int k = 0; k < 3; ++k) change[p][k] = moves[p][k] - before[p][k];
            }
            out.codes.push_back(code_of(change));
        }
        std::swap(moves, before);
    }
    return out;
}

}  // namespace ductile
