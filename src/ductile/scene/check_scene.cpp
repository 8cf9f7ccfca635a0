// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/json_fields.h>
#include <ductile/material/material.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/placement.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ductile {
namespace {

// A day of film, or ten hours at a thousand steps per second: more is a slip of the finger.
constexpr double kMostFrames = 30.0 * 86400.0;
constexpr double kMostSteps = 3.6e7;

void check_rates(const Scene& scene, std::vector<Error>& errors) {
    const double ratio = scene.step_rate / scene.frame_rate;
    const double whole = std::max(1.0, std::round(ratio));
    if (std::abs(ratio - whole) > 1e-9 * whole) {
        errors.push_back({fmt::format("{} steps per second do not fit {} frames per second",
                                      scene.step_rate, scene.frame_rate),
                          "/step_rate",
                          fmt::format("the nearest that does is {}", whole * scene.frame_rate)});
    }
    const double frames = scene.duration * scene.frame_rate;
    const double steps = scene.duration * scene.step_rate * scene.sub_steps;
    if (frames > kMostFrames || steps > kMostSteps) {
        errors.push_back(
            {fmt::format("{} s come to {:.3g} frames and {:.3g} steps", scene.duration, frames,
                         steps),
             "/duration",
             fmt::format("at most {:.3g} frames and {:.3g} steps", kMostFrames, kMostSteps)});
    }
    // One frame, rounded in its last digit, is one frame.
    if (!(frames >= 1.0 - 1e-9)) {
        errors.push_back({fmt::format("{} s are shorter than one frame", scene.duration),
                          "/duration", fmt::format("at least {:.3g} s", 1.0 / scene.frame_rate)});
    }
}

void check_view(const Vec3& eye, const Vec3& target, const std::string& where,
                std::vector<Error>& errors) {
    if ((eye - target).norm() > 1e-9) return;
    errors.push_back({"eye and target are the same place", where, "move one of them"});
}

void check_camera(const SceneCamera& camera, const std::string& pointer,
                  std::vector<Error>& errors) {
    if (camera.eye_w && camera.target_w) {
        check_view(*camera.eye_w, *camera.target_w, pointer + "/eye", errors);
    }
    for (std::size_t i = 0; i < camera.keys.size(); ++i) {
        const std::string where = fmt::format("{}/keys/{}", pointer, i);
        check_view(camera.keys[i].eye_w, camera.keys[i].target_w, where + "/eye", errors);
        if (i > 0 && !(camera.keys[i].time > camera.keys[i - 1].time)) {
            errors.push_back({"keys stand in order of time, each at its own", where + "/time",
                              fmt::format("later than {} s", camera.keys[i - 1].time)});
        }
    }
}

void check_picture(const Scene& scene, std::vector<Error>& errors) {
    if (!(scene.picture.sun_direction_w.norm() > 1e-9)) {
        errors.push_back({"the direction has no length", "/picture/sun_direction",
                          "to switch the sun off, set sun_strength to 0"});
    }
}

void check_ground(const Scene& scene, std::vector<Error>& errors) {
    if (const auto card = find_material(scene.ground.material); !card) {
        errors.push_back({card.error().what, "/ground/material", card.error().hint});
    }
}

// What names bodies: drives, hits, presses, the camera.
class NameCheck {
public:
    NameCheck(const Scene& scene, std::vector<Error>& errors) : scene_(scene), errors_(errors) {
        for (const PlacedBody& placed : place_bodies(scene)) {
            by_name_[placed.name] = &scene.bodies[static_cast<std::size_t>(placed.body)];
        }
    }

    /// Whom drives keep in step with.
    void check_leaders() const {
        std::map<const SceneBody*, const SceneBody*> leaders;
        for (const SceneBody& body : scene_.bodies) {
            if (const SceneBody* leader = check_leader(body)) leaders[&body] = leader;
        }
        std::set<const SceneBody*> settled;
        for (const SceneBody& body : scene_.bodies) {
            std::set<const SceneBody*> passed;
            const SceneBody* at = &body;
            while (leaders.contains(at) && !settled.contains(at) && passed.insert(at).second) {
                at = leaders.at(at);
            }
            if (passed.contains(at)) refuse_circle(*at, leaders);
            settled.merge(passed);
        }
    }

    void check(const SceneHit& hit, const std::string& where) const {
        check_body(hit, where + "/body");
        check_time(hit, where);
        check_record(hit, where);
        if (hit.shape && hit.shape->source == DentSource::Projectile &&
            !by_name_.contains(hit.shape->projectile)) {
            errors_.push_back(
                {fmt::format("no body is called {}", value_text(Json(hit.shape->projectile))),
                 where + "/shape/projectile",
                 "name the body that is pressed in, or another source"});
        }
    }

    void check(const ScenePress& press, const std::string& where) const {
        const bool is_known = check_name(press.soft, where + "/soft");
        if (is_known && by_name_.at(press.soft)->collider == ColliderKind::HalfSpace) {
            errors_.push_back({"a half space cannot be squashed", where + "/soft", ""});
        }
        if (press.by.empty()) {
            errors_.push_back({"nothing presses it", where + "/by", "name a body, or several"});
        }
        for (std::size_t i = 0; i < press.by.size(); ++i) {
            const std::string place = fmt::format("{}/by/{}", where, i);
            if (!check_name(press.by[i], place)) continue;
            const auto end = press.by.begin() + static_cast<std::ptrdiff_t>(i);
            if (press.by[i] == press.soft) {
                errors_.push_back({"a body does not press itself", place, "name another"});
            } else if (std::find(press.by.begin(), end, press.by[i]) != end) {
                errors_.push_back({"it is named twice", place, "leave one out"});
            }
        }
        for (std::size_t i = 0; press.setup.both && i < press.by.size(); ++i) {
            const auto found = by_name_.find(press.by[i]);
            if (found != by_name_.end() && found->second->collider == ColliderKind::HalfSpace) {
                errors_.push_back({"a half space cannot be squashed",
                                   fmt::format("{}/by/{}", where, i), "leave out both"});
            }
        }
        for (Error& error : check_press(press, where)) errors_.push_back(std::move(error));
    }

    /// Whether there is such a body, or one copy.
    bool check_name(const std::string& wanted, const std::string& where) const {
        if (by_name_.contains(wanted)) return true;
        std::vector<std::string_view> known;
        for (const auto& [name, body] : by_name_) known.push_back(name);
        if (known.size() > 20) known.resize(20);
        // A body that has copies is none itself.
        const std::string first_copy = wanted + "-1";
        errors_.push_back({fmt::format("no body is called {}", value_text(Json(wanted))), where,
                           by_name_.contains(first_copy)
                               ? fmt::format("did you mean '{}'?", first_copy)
                               : suggestion(wanted, known)});
        return false;
    }

private:
    static std::string leader_place(const SceneBody& body) {
        return pointer_below("/bodies", body.name) + "/drive/in_step_with";
    }

    /// The body that it follows, or one copy of which it does; null for none.
    const SceneBody* check_leader(const SceneBody& body) const {
        if (!body.drive || body.drive->in_step_with.empty()) return nullptr;
        const std::string& name = body.drive->in_step_with;
        if (!check_name(name, leader_place(body))) return nullptr;
        const SceneBody* leader = by_name_.at(name);
        if (leader->drive) return leader;
        errors_.push_back({fmt::format("'{}' has no drive to keep in step with", name),
                           leader_place(body), "give it one, or name another"});
        return nullptr;
    }

    /// In a circle everybody waits for everybody. Copies of a body have one leader, so that bodies
    /// are as good as copies here.
    void refuse_circle(const SceneBody& first,
                       const std::map<const SceneBody*, const SceneBody*>& leaders) const {
        std::vector<std::string> names;
        const SceneBody* at = &first;
        do {
            names.push_back("'" + at->drive->in_step_with + "'");
            at = leaders.at(at);
        } while (at != &first);
        const std::string list = fmt::format("{}", fmt::join(names, ", "));
        errors_.push_back({names.size() == 1 ? list + " would keep in step with itself"
                                             : "these keep in step in a circle: " + list,
                           leader_place(first), "leave it out: one leads"});
    }

    void check_body(const SceneHit& hit, const std::string& where) const {
        if (!check_name(hit.body, where)) return;
        const auto found = by_name_.find(hit.body);
        if (found->second->layers.is_empty()) {
            errors_.push_back({fmt::format("'{}' is rigid: it has no layers", hit.body), where,
                               R"(give the body "layers": {"dent": {}})"});
        }
    }
    void check_record(const SceneHit& hit, const std::string& where) const {
        std::optional<HitRecord> record = hit.record.record();
        if (!record) {
            errors_.push_back(
                {"a hit needs exactly one record", where, "one of: " + RecordFields::kind_names()});
            return;
        }
        if (const Status fine = ductile::check_record(*record); !fine) {
            errors_.push_back({fine.error().what,
                               where + "/" + std::string(record_name(*record)) + fine.error().where,
                               fine.error().hint});
        }
        if (hit.shape && !std::holds_alternative<DentHit>(*record)) {
            errors_.push_back({"only a dent has a shape", where + "/shape", "leave it out"});
        }
    }
    void check_time(const SceneHit& hit, const std::string& where) const {
        if (hit.time.has_value() == hit.frame.has_value()) {
            errors_.push_back({"a hit has either a time or a frame", where,
                               hit.time ? "leave one of them out" : "give one of them"});
        } else if (const double time = hit_time(scene_, hit); time > scene_.duration) {
            errors_.push_back({fmt::format("{:.6g} s is after the end", time),
                               where + (hit.time ? "/time" : "/frame"),
                               fmt::format("at most {} s", scene_.duration)});
        }
    }

    const Scene& scene_;
    std::vector<Error>& errors_;
    std::map<std::string, const SceneBody*> by_name_;
};

}  // namespace

std::vector<Error> check_scene_rules(const Scene& scene) {
    std::vector<Error> errors;
    check_rates(scene, errors);
    check_ground(scene, errors);
    check_bodies(scene, errors);
    check_camera(scene.camera, "/camera", errors);
    if (scene.outputs.poster_camera) {
        check_camera(*scene.outputs.poster_camera, "/outputs/poster_camera", errors);
    }
    check_picture(scene, errors);
    const SceneCamera poster = scene.outputs.poster_camera.value_or(SceneCamera{});
    const bool has_leader = std::ranges::any_of(scene.bodies, [](const SceneBody& body) {
        return body.drive && !body.drive->in_step_with.empty();
    });
    const bool has_names = has_leader || !scene.hits.empty() || !scene.press.empty() ||
                           !scene.camera.follow.empty() || !poster.follow.empty();
    if (has_names && body_count(scene) <= 100000) {
        const NameCheck check(scene, errors);
        check.check_leaders();
        if (!scene.camera.follow.empty()) check.check_name(scene.camera.follow, "/camera/follow");
        if (!poster.follow.empty()) {
            check.check_name(poster.follow, "/outputs/poster_camera/follow");
        }
        for (std::size_t i = 0; i < scene.hits.size(); ++i) {
            check.check(scene.hits[i], fmt::format("/hits/{}", i));
        }
        for (std::size_t i = 0; i < scene.press.size(); ++i) {
            check.check(scene.press[i], fmt::format("/press/{}", i));
        }
    }
    return errors;
}

std::vector<Error> check_scene(const Scene& scene) {
    // What a file may not say, a program may not either: send it through the file's reader.
    std::vector<Error> errors;
    Scene copy;
    read_fields(write_fields(scene), copy, "", errors);
    if (!errors.empty()) return errors;
    errors = check_scene_rules(scene);
    if (errors.empty()) check_places(scene, errors);
    return errors;
}

}  // namespace ductile
