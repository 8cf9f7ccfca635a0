// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/export/player/player_bytes.h>
#include <ductile/export/player/player_data.h>
#include <ductile/export/player/player_shapes.h>
#include <ductile/export/track/final_damage.h>
#include <ductile/record/example_colours.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace ductile {
namespace {

constexpr double kMostDamageSteps = std::numeric_limits<std::int16_t>::max();
// A body that is a single point has no size to take a share of [m].
constexpr double kLeastSize = 1e-6;

Json triple(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

// Damage in 16 bits a number, each kind of it in shares of its own largest value.
struct PackedDamage {
    std::vector<std::int16_t> numbers;  ///< Per place depths, then strains, then scratches.
    std::array<double, 3> steps = {0, 0, 0};
};

void pack_damage(std::span<const double> values, double most, PackedDamage& out, int kind) {
    out.steps[kind] = std::max(out.steps[kind], most / kMostDamageSteps);
    for (const double x : values) {
        const double steps = out.steps[kind] > 0.0 ? x / out.steps[kind] : 0.0;
        out.numbers.push_back(static_cast<std::int16_t>(
            std::lround(std::clamp(steps, -kMostDamageSteps, kMostDamageSteps))));
    }
}

PackedDamage packed_damage(const DamageMap& damage, const VertexPlaces& places) {
    std::vector<double> depths, strains, scratches;
    for (const std::int32_t v : places.vertices) {
        depths.push_back(damage.depth[v]);
        strains.push_back(damage.strain[v]);
        for (int k = 0; k < 3; ++k) scratches.push_back(damage.scratch[v][k]);
    }
    const auto most = [](const std::vector<double>& values) {
        double largest = 0.0;
        for (const double x : values) largest = std::max(largest, std::abs(x));
        return largest;
    };
    PackedDamage out;
    pack_damage(depths, most(depths), out, 0);
    pack_damage(strains, most(strains), out, 1);
    pack_damage(scratches, most(scratches), out, 2);
    return out;
}

// Colours of example poses, a byte per channel of linear RGB and one that fills up.
std::vector<std::uint8_t> packed_colours(const std::vector<Vec3>& colours,
                                         const VertexPlaces& places) {
    std::vector<std::uint8_t> out;
    if (colours.empty()) return out;
    for (const std::int32_t v : places.vertices) {
        for (int k = 0; k < 3; ++k) {
            out.push_back(static_cast<std::uint8_t>(std::lround(255.0 * colours[v][k])));
        }
        out.push_back(255);
    }
    return out;
}

// [name, red, green, blue] of each pose that is seen somewhere.
Json pose_rows(const Recording& recording) {
    Json rows = Json::array();
    const std::vector<std::string> names = example_names(recording);
    for (std::size_t e = 0; e < names.size(); ++e) {
        if (names[e].empty()) continue;
        const Vec3 colour = example_colour(example_tint(e));
        rows.push_back({names[e], colour.x(), colour.y(), colour.z()});
    }
    return rows;
}

// The pose at each frame as seven floats: place, then rotation (x, y, z, w). One if it never moves.
// While a body is absent its last pose stands in: it is not shown, and must be a number.
std::vector<float> packed_poses(const Recording& recording, std::size_t body) {
    std::vector<float> poses;
    bool is_still = true;
    Transform last;
    for (const Frame& frame : recording.frames) {
        const BodyFrame& at = frame.bodies[body];
        if (at.is_present) last = at.pose_w;
        for (int k = 0; k < 3; ++k) poses.push_back(static_cast<float>(last.translation[k]));
        const Vec4 turn = last.rotation.coeffs();
        for (int k = 0; k < 4; ++k) poses.push_back(static_cast<float>(turn[k]));
        is_still = is_still && std::equal(poses.end() - 7, poses.end(), poses.begin());
    }
    if (is_still) poses.resize(7);
    return poses;
}

// [first, end) of each stretch of frames at which the body is there.
Json presence_of(const Recording& recording, std::size_t body) {
    Json stretches = Json::array();
    bool was_there = false;
    for (std::size_t f = 0; f <= recording.frames.size(); ++f) {
        const bool is_there =
            f < recording.frames.size() && recording.frames[f].bodies[body].is_present;
        if (is_there && !was_there) stretches.push_back({f, f});
        if (!is_there && was_there) stretches.back()[1] = f;
        was_there = is_there;
    }
    return stretches;
}

Json hit_rows(const Recording& recording) {
    Json hits = Json::array();
    for (const RecordedHit& hit : recording.hits) {
        hits.push_back({hit.time, hit.body, triple(hit.position_b), hit.size, hit.kind, hit.unit});
    }
    return hits;
}

Json energy_rows(const Recording& recording) {
    Json energy = Json::object();
    for (const EnergyBalance& balance : recording.energy) {
        visit_entries(balance,
                      [&](const char* name, double value) { energy[name].push_back(value); });
    }
    return energy;
}

Json views_of(const PlayerOptions& options) {
    Json views = Json::array();
    for (const PlayerView& view : options.camera) {
        views.push_back({triple(view.eye_w), triple(view.target_w)});
    }
    return {{"field_of_view_deg", options.field_of_view_deg}, {"views", std::move(views)}};
}

Json ground_of(const PlayerOptions& options) {
    if (!options.has_ground) return nullptr;
    return {{"height", options.ground_height}, {"colour", triple(options.ground_colour)}};
}

/// All of one body that costs time to find out.
struct CodedBody {
    std::optional<Result<PlayerShapes>> shapes;
    std::optional<PackedDamage> damage;
    std::vector<std::uint8_t> pose_colours;  ///< Empty: none.
};

class DataBuilder {
public:
    DataBuilder(const Recording& recording, const PlayerOptions& options)
        : recording_(recording), options_(options) {}

    Result<PlayerData> build() {
        for (const RecordedBody& body : recording_.bodies) {
            asset_of_.push_back(body.asset ? meshes_.add(body.asset, out_.data) : -1);
        }
        std::vector<CodedBody> coded(recording_.bodies.size());
        make_skins();
        parallel_for(coded.size(), 1, [&](std::size_t b) { coded[b] = code_body(b); });
        Json bodies = Json::array();
        for (std::size_t b = 0; b < coded.size(); ++b) {
            if (coded[b].shapes && !*coded[b].shapes) return coded[b].shapes->error();
            bodies.push_back(add_body(b, coded[b]));
        }
        Json times = Json::array();
        for (const Frame& frame : recording_.frames) times.push_back(frame.time);
        out_.header = {{"format", "ductile player 1"},
                       {"title", options_.title},
                       {"description", options_.description},
                       {"frame_rate", recording_.frame_rate},
                       {"times", std::move(times)},
                       {"camera", views_of(options_)},
                       {"ground", ground_of(options_)},
                       {"sun", triple(options_.sun_direction_w.normalized())},
                       {"key_interval", kPlayerKeyInterval},
                       {"assets", meshes_.assets()},
                       {"textures", meshes_.textures()},
                       {"bodies", std::move(bodies)},
                       {"hits", hit_rows(recording_)},
                       {"poses", pose_rows(recording_)},
                       {"energy", energy_rows(recording_)},
                       {"size", out_.data.size()}};
        return std::move(out_);
    }

private:
    // Only for assets that take another shape: grouping normals is what costs.
    void make_skins() {
        skins_.resize(meshes_.assets().size());
        for (std::size_t b = 0; b < recording_.bodies.size(); ++b) {
            const RecordedBody& body = recording_.bodies[b];
            if (!body.asset || body.shapes.size() < 2 || skins_[asset_of_[b]]) continue;
            skins_[asset_of_[b]].emplace(body.asset);
        }
    }

    CodedBody code_body(std::size_t b) const {
        const RecordedBody& body = recording_.bodies[b];
        if (!body.asset) return {};
        CodedBody out;
        const VertexPlaces& places = meshes_.places(asset_of_[b]);
        const double size = std::max(kLeastSize, bounds(body.asset->surface.points).diagonal());
        const auto& shared = skins_[asset_of_[b]];
        out.shapes = code_shapes(recording_, b, shared ? *shared : RenderSkin(body.asset), places,
                                 options_.position_error * size);
        if (damaged_surface(recording_, b)) {
            out.damage = packed_damage(final_damage(recording_, b), places);
        }
        out.pose_colours = packed_colours(final_pose_colours(recording_, b), places);
        return out;
    }

    Json add_body(std::size_t b, const CodedBody& coded) {
        const std::vector<float> poses = packed_poses(recording_, b);
        Json body = {{"name", recording_.bodies[b].name},
                     {"static", recording_.bodies[b].is_static},
                     {"asset", asset_of_[b]},
                     {"present", presence_of(recording_, b)},
                     {"pose_count", poses.size() / 7},
                     {"poses", append_array(out_.data, poses)}};
        if (!coded.shapes) return body;
        const PlayerShapes& shapes = coded.shapes->value();
        body["shapes"] = Json::array();
        for (const auto& [frame, code] : shapes.changes) body["shapes"].push_back({frame, code});
        body["codes"] = Json::array();
        for (const std::string& code : shapes.codes) {
            body["codes"].push_back(out_.data.size());
            out_.data += code;
        }
        body["step"] = shapes.step;
        body["reach"] = shapes.reach;
        if (coded.damage) {
            body["damage"] = append_array(out_.data, coded.damage->numbers);
            body["damage_steps"] = coded.damage->steps;
        }
        if (!coded.pose_colours.empty()) {
            body["pose_colours"] = append_array(out_.data, coded.pose_colours);
        }
        return body;
    }

    const Recording& recording_;
    const PlayerOptions& options_;
    PlayerMeshes meshes_;
    std::vector<int> asset_of_;
    std::vector<std::optional<RenderSkin>> skins_;
    PlayerData out_;
};

}  // namespace

Result<PlayerData> player_data(const Recording& recording, const PlayerOptions& options) {
    return DataBuilder(recording, options).build();
}

}  // namespace ductile
