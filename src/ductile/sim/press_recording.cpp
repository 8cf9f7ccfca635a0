// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/press/extensions/press_apart.h>
#include <ductile/deform/press/extensions/press_both.h>
#include <ductile/deform/press/extensions/press_refine.h>
#include <ductile/record/refined_shapes.h>
#include <ductile/sim/press_recording.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ductile {
namespace {

// So many frames are pressed between two calls of callbacks: a few for each of many cores.
constexpr std::size_t kFramesAtATime = 32;

// A mesh that is made finer by itself: so often at most, by up to as many points as it has and this
// many more.
constexpr int kOwnRounds = 3;
constexpr std::size_t kOwnPoints = 2000;

bool is_same(const Transform& a, const Transform& b) {
    return a.rotation.coeffs() == b.rotation.coeffs() && a.translation == b.translation;
}

// A body without shapes is always at rest.
const std::vector<Vec3>& shape_of(const RecordedBody& body, std::int32_t shape) {
    return body.shapes.empty() ? body.asset->surface.points
                               : body.shapes[static_cast<std::size_t>(shape)];
}

const std::vector<Triangle>& triangles_of(const RecordedBody& body) {
    return body.asset->surface.triangles;
}

/// As press counts it [m].
double size_of(const RecordedBody& body) {
    return bounds(body.asset->surface.points).diagonal() / std::sqrt(3.0);
}

/// The bodies of a task after a frame was pressed. No points: a body was not there.
struct PressedFrame {
    Pressed soft, other;
    std::vector<MeshEdge> coarse;  ///< Edges of the soft one that ask for a point.
};

/// Whether a task's mesh may be made finer without having been asked to.
bool may_refine(const PressTask& task) {
    const PressSetup& setup = task.setup;
    return task.refines_itself && !setup.refine && !setup.detail && !setup.both;
}

/// Presses single frames of one task. Views the recording, which must outlive it.
class TaskPresser {
public:
    static Result<TaskPresser> make(const Recording& recording, const PressTask& task) {
        TaskPresser run(recording, task);
        if (task.setup.both) return make_both(std::move(run));
        PressSetup setup = task.setup;
        setup.refine.reset();  // That is done between rounds of all frames.
        setup.keys.clear();    // Those are for single frames.
        setup.rigid_region.reset();
        Result<Presser> presser = Presser::make(run.body(task.soft).asset->surface, setup);
        if (!presser) return presser.error();
        run.presser_ = std::move(presser).value();
        for (const std::int32_t index : task.by) {
            const RecordedBody& rigid = run.body(index);
            Result<TriMesh> mesh =
                pressing_part({shape_of(rigid, 0), triangles_of(rigid)}, task.setup);
            if (!mesh) return mesh.error();
            Result<PressRigid> made = PressRigid::make(std::move(mesh).value());
            if (!made) return made.error();
            run.rigids_.push_back(std::move(made).value());
        }
        return run;
    }

    /// The earliest frame of those just before this one that show the bodies in the same places.
    std::size_t like(std::size_t frame) const { return like_[frame]; }

    Result<PressedFrame> press(std::size_t frame) const {
        PressedFrame done;
        const BodyFrame& at = body_at(frame, task_->soft);
        std::vector<std::size_t> present;
        for (std::size_t i = 0; i < task_->by.size(); ++i) {
            if (body_at(frame, task_->by[i]).is_present) present.push_back(i);
        }
        if (!at.is_present || present.empty()) return done;
        if (both_) return press_both(frame);
        Result<Pressed> pressed = press_soft(frame, present, done.coarse);
        if (!pressed) return pressed.error();
        done.soft = std::move(pressed).value();
        return done;
    }

private:
    static Result<TaskPresser> make_both(TaskPresser run) {
        const PressTask& task = *run.task_;
        PressSetup setup = task.setup;
        setup.keys.clear();
        Result<BothPresser> both = BothPresser::make(run.body(task.soft).asset->surface,
                                                     run.body(task.by[0]).asset->surface, setup);
        if (!both) return both.error();
        run.both_ = std::move(both).value();
        return run;
    }

    TaskPresser(const Recording& recording, const PressTask& task)
        : recording_(&recording), task_(&task), size_(size_of(body(task.soft))) {
        for (std::size_t f = 0; f < recording.frames.size(); ++f) {
            const bool is_alike = f > 0 && is_alike_before(f);
            like_.push_back(is_alike ? like_.back() : f);
        }
    }

    // What a frame takes depends on that frame alone, or it would not have the same bits alone.
    Result<Pressed> press_soft(std::size_t frame, std::span<const std::size_t> present,
                               std::vector<MeshEdge>& coarse) const {
        const BodyFrame& at = body_at(frame, task_->soft);
        const std::vector<Vec3>& points = shape_of(body(task_->soft), at.shape);
        const Result<Presser> presser = presser_at(frame);
        if (!presser) return presser.error();
        const auto press_by = [&](const PressRigid& rigid, const Transform& pose) {
            Result<Pressed> pressed = presser.value().press(points, rigid, pose);
            if (pressed && pressed.value().report.overlaps > 0) {
                measure_apart(presser.value(), points, rigid, pose, pressed.value());
                if (may_refine(*task_) &&
                    residual_excess(*pressed.value().report.left, size_) > 0) {
                    coarse = presser.value().coarse_edges(points, rigid, pose, pressed.value());
                }
            }
            return pressed;
        };
        if (present.size() > 1) {
            const Result<PressRigid> all = PressRigid::make(joined_mesh(frame));
            return all ? press_by(all.value(), {}) : all.error();
        }
        const std::int32_t by = task_->by[present[0]];
        const BodyFrame& by_at = body_at(frame, by);
        const Transform pose = at.pose_w.inverse() * by_at.pose_w;
        if (by_at.shape == 0) return press_by(rigids_[present[0]], pose);
        const Result<PressRigid> rigid =
            rigids_[present[0]].with_points(shape_of(body(by), by_at.shape));
        return rigid ? press_by(rigid.value(), pose) : rigid.error();
    }

    Result<PressedFrame> press_both(std::size_t frame) const {
        const BodyFrame& at = body_at(frame, task_->soft);
        const BodyFrame& other_at = body_at(frame, task_->by[0]);
        const Result<BothPresser> presser = both_at(frame);
        if (!presser) return presser.error();
        Result<PressedBoth> both = presser.value().press(
            shape_of(body(task_->soft), at.shape), shape_of(body(task_->by[0]), other_at.shape),
            at.pose_w.inverse() * other_at.pose_w);
        if (!both) return both.error();
        if (both.value().a.report.overlaps + both.value().b.report.overlaps > 0) {
            presser.value().measure(shape_of(body(task_->soft), at.shape),
                                    shape_of(body(task_->by[0]), other_at.shape),
                                    at.pose_w.inverse() * other_at.pose_w, both.value());
        }
        return PressedFrame{std::move(both.value().a), std::move(both.value().b)};
    }

    /// With the options of a frame's time.
    Result<Presser> presser_at(std::size_t frame) const {
        if (task_->setup.keys.empty()) return *presser_;
        return presser_->with_options(options_at(task_->setup, recording_->frames[frame].time));
    }
    Result<BothPresser> both_at(std::size_t frame) const {
        if (task_->setup.keys.empty()) return *both_;
        const double time = recording_->frames[frame].time;
        return both_->with_options(options_at(task_->setup, time),
                                   options_at(setup_of_other(task_->setup), time));
    }

    const BodyFrame& body_at(std::size_t frame, std::int32_t body) const {
        return recording_->frames[frame].bodies[static_cast<std::size_t>(body)];
    }

    const RecordedBody& body(std::int32_t index) const {
        return recording_->bodies[static_cast<std::size_t>(index)];
    }

    /// Whether options may change from the frame before to this one.
    bool has_keys_between(std::size_t frame) const {
        const std::vector<PressKey>& keys = task_->setup.keys;
        return !keys.empty() && recording_->frames[frame].time > keys.front().time &&
               recording_->frames[frame - 1].time < keys.back().time;
    }

    bool is_alike_before(std::size_t frame) const {
        const auto stays = [&](std::int32_t body) {
            const BodyFrame& now = body_at(frame, body);
            const BodyFrame& before = body_at(frame - 1, body);
            return now.is_present == before.is_present && now.shape == before.shape &&
                   is_same(now.pose_w, before.pose_w);
        };
        return !has_keys_between(frame) && stays(task_->soft) &&
               std::all_of(task_->by.begin(), task_->by.end(), stays);
    }

    // All that is there, as one, in the soft body's frame, where its shapes are.
    TriMesh joined_mesh(std::size_t frame) const {
        const Transform to_soft = body_at(frame, task_->soft).pose_w.inverse();
        TriMesh mesh;
        for (const std::int32_t index : task_->by) {
            const BodyFrame& at = body_at(frame, index);
            if (!at.is_present) continue;
            const RecordedBody& rigid = body(index);
            const Transform pose = to_soft * at.pose_w;
            const auto first = static_cast<std::int32_t>(mesh.points.size());
            for (const Vec3& p : shape_of(rigid, at.shape)) mesh.points.push_back(pose.point(p));
            for (const Triangle& t : triangles_of(rigid)) {
                mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
            }
        }
        return mesh;
    }

    const Recording* recording_;
    const PressTask* task_;
    double size_;                     ///< Of the soft body [m].
    std::optional<Presser> presser_;  ///< Or both_.
    std::optional<BothPresser> both_;
    std::vector<PressRigid> rigids_;  ///< Of `by`, each in its first shape.
    std::vector<std::size_t> like_;
};

/// The new shapes of one body, gathered frame by frame while the recording is still read.
class NewShapes {
public:
    NewShapes(const RecordedBody& soft, std::int32_t index)
        : first_(std::max<std::size_t>(soft.shapes.size(), 1)), soft_(&soft) {
        result_.soft = index;
    }

    void add(std::size_t frame, std::int32_t shape, Pressed pressed) {
        if (pressed.report.overlaps > 0) {
            result_.frames.push_back({static_cast<std::int32_t>(frame), pressed.report});
        }
        if (!pressed.points.empty() && pressed.points != shape_of(*soft_, shape)) {
            shape = static_cast<std::int32_t>(first_ + shapes_.size());
            shapes_.push_back(std::move(pressed.points));
        }
        shape_.push_back(shape);
    }
    /// A frame like one that was added.
    void repeat(std::size_t frame, std::size_t like) {
        shape_.push_back(shape_[like]);
        if (!result_.frames.empty() &&
            result_.frames.back().frame == static_cast<std::int32_t>(frame) - 1) {
            result_.frames.push_back(
                {static_cast<std::int32_t>(frame), result_.frames.back().report});
        }
    }

    ResidualSum left(double size) const {
        ResidualSum sum;
        for (const auto& [frame, report] : result_.frames) {
            if (report.left) sum.excess += residual_excess(*report.left, size);
            sum.fallbacks += report.fallbacks;
        }
        return sum;
    }

    PressResult store(Recording& recording, std::int32_t added_points) && {
        result_.added_points = added_points;
        const auto soft = static_cast<std::size_t>(result_.soft);
        std::vector<std::vector<Vec3>>& shapes = recording.bodies[soft].shapes;
        if (shapes.empty()) shapes.push_back(recording.bodies[soft].asset->surface.points);
        std::move(shapes_.begin(), shapes_.end(), std::back_inserter(shapes));
        for (std::size_t f = 0; f < shape_.size(); ++f) {
            recording.frames[f].bodies[soft].shape = shape_[f];
        }
        return std::move(result_);
    }

private:
    std::size_t first_;  ///< The number of the first new shape.
    const RecordedBody* soft_;
    std::vector<std::vector<Vec3>> shapes_;
    std::vector<std::int32_t> shape_;  ///< Per frame.
    PressResult result_;
};

Error while_pressing(const RecordedBody& soft, const Error& error) {
    return {error.what, "pressing " + soft.name + ": " + error.where, error.hint};
}

/// What a task makes of each body that gives way.
struct TaskShapes {
    NewShapes soft;
    std::optional<NewShapes> other;
    std::optional<EdgeStretch> stretch;  ///< Of the soft one.
    std::vector<MeshEdge> coarse;        ///< Its edges that ask for a point, ascending.
};

/// Presses all frames of a recording as it is.
Result<TaskShapes> press_all_frames(const Recording& recording, const PressTask& task,
                                    const PressCallbacks& callbacks,
                                    const std::function<void(double)>& report_share) {
    const auto body = [&](std::int32_t index) -> const RecordedBody& {
        return recording.bodies[static_cast<std::size_t>(index)];
    };
    const Result<TaskPresser> made = TaskPresser::make(recording, task);
    if (!made) return while_pressing(body(task.soft), made.error());
    const TaskPresser& presser = made.value();
    TaskShapes shapes{NewShapes(body(task.soft), task.soft), {}, {}, {}};
    if (task.setup.both) shapes.other.emplace(body(task.by[0]), task.by[0]);
    if (task.setup.refine) shapes.stretch.emplace(body(task.soft).asset->surface);
    const std::size_t count = recording.frames.size();
    for (std::size_t first = 0; first < count; first += kFramesAtATime) {
        if (callbacks.may_go_on) {
            if (const Status on = callbacks.may_go_on(); !on) return on.error();
        }
        const std::size_t end = std::min(count, first + kFramesAtATime);
        std::vector<std::optional<Result<PressedFrame>>> pressed(end - first);
        parallel_for(end - first, 1, [&](std::size_t i) {
            const SerialScope one_thread_each;
            if (presser.like(first + i) == first + i) pressed[i] = presser.press(first + i);
        });
        for (std::size_t f = first; f < end; ++f) {
            std::optional<Result<PressedFrame>>& one = pressed[f - first];
            const auto shape = [&](std::int32_t index) {
                return recording.frames[f].bodies[static_cast<std::size_t>(index)].shape;
            };
            if (!one) {
                shapes.soft.repeat(f, presser.like(f));
                if (shapes.other) shapes.other->repeat(f, presser.like(f));
                continue;
            }
            if (!*one) return while_pressing(body(task.soft), one->error());
            PressedFrame& frame = one->value();
            if (callbacks.on_frame) callbacks.on_frame(f, frame.soft);
            if (shapes.stretch && !frame.soft.points.empty()) {
                shapes.stretch->add(shape_of(body(task.soft), shape(task.soft)), frame.soft.points);
            }
            shapes.soft.add(f, shape(task.soft), std::move(frame.soft));
            shapes.coarse.insert(shapes.coarse.end(), frame.coarse.begin(), frame.coarse.end());
            if (shapes.other) {
                shapes.other->add(f, shape(task.by[0]), std::move(frame.other));
            }
        }
        report_share(static_cast<double>(end) / static_cast<double>(count));
    }
    std::sort(shapes.coarse.begin(), shapes.coarse.end());
    shapes.coarse.erase(std::unique(shapes.coarse.begin(), shapes.coarse.end()),
                        shapes.coarse.end());
    return shapes;
}

/// Splits edges of a body of a recording, in all its shapes.
void split_body(std::span<const MeshEdge> edges, RecordedBody& body) {
    std::vector<PointParents> parents;
    for (const MeshEdge& edge : edges) parents.push_back({edge});
    refine_shapes(std::make_shared<const SurfaceAsset>(split_edges(*body.asset, edges)), parents,
                  body);
}

void split_task(std::span<const MeshEdge> edges, RecordedBody& soft, PressTask& task) {
    split_body(edges, soft);
    grow_maps(edges, task.setup.maps);
}

/// Presses a task's frames on a mesh that gets points wherever frames ask for them, as long as that
/// helps; `done` is what they are on the mesh as it is, and what they are in the end.
Status refine_where_it_helps(Recording& recording, PressTask task, const PressCallbacks& callbacks,
                             const std::function<void(double)>& report_share, TaskShapes& done) {
    RecordedBody& soft = recording.bodies[static_cast<std::size_t>(task.soft)];
    const double size = size_of(soft);
    const std::size_t most = 2 * soft.asset->surface.points.size() + kOwnPoints;
    TaskShapes tried = done;
    RecordedBody best = soft;
    PaintedMaps best_maps = task.setup.maps;
    bool is_best = true;
    for (int round = 0; round < kOwnRounds && !tried.coarse.empty(); ++round) {
        if (soft.asset->surface.points.size() + tried.coarse.size() > most) break;
        split_task(tried.coarse, soft, task);
        Result<TaskShapes> next = press_all_frames(recording, task, callbacks, report_share);
        if (!next) return next.error();
        tried = std::move(next).value();
        is_best = is_worth_it(tried.soft.left(size), done.soft.left(size));
        if (!is_best) continue;
        done = tried;
        best = soft;
        best_maps = task.setup.maps;
    }
    soft = std::move(best);
    task.setup.maps = std::move(best_maps);
    if (is_best || !callbacks.on_frame) return {};
    // Who looks on saw another mesh last.
    Result<TaskShapes> again = press_all_frames(recording, task, callbacks, report_share);
    return again ? Status() : Status(again.error());
}

Status run_task(Recording& recording, PressTask task, const PressCallbacks& callbacks,
                const std::function<void(double)>& report_share, std::vector<PressResult>& all) {
    RecordedBody& soft = recording.bodies[static_cast<std::size_t>(task.soft)];
    if (const Status fine = check(task); !fine) return while_pressing(soft, fine.error());
    const std::size_t before = soft.asset->surface.points.size();
    std::optional<PressRefiner> refiner;
    if (task.setup.refine) refiner.emplace(*soft.asset, *task.setup.refine);
    while (true) {
        Result<TaskShapes> done = press_all_frames(recording, task, callbacks, report_share);
        if (!done) return done.error();
        TaskShapes& shapes = done.value();
        std::vector<MeshEdge> edges;
        if (refiner) edges = refiner->next(*shapes.stretch, soft.asset->surface.points.size());
        if (!edges.empty()) {
            split_task(edges, soft, task);
            continue;
        }
        if (!shapes.coarse.empty()) {
            const Status refined =
                refine_where_it_helps(recording, task, callbacks, report_share, shapes);
            if (!refined) return refined;
        }
        const std::size_t now = soft.asset->surface.points.size();
        all.push_back(
            std::move(shapes.soft).store(recording, static_cast<std::int32_t>(now - before)));
        if (shapes.other) all.push_back(std::move(*shapes.other).store(recording, 0));
        return {};
    }
}

}  // namespace

Status check(const PressTask& task) {
    if (const Status fine = check(task.setup); !fine) return fine;
    if (task.setup.both && task.by.size() != 1) {
        return Error{"two soft bodies press each other, no more", "both", "name one in by"};
    }
    if (task.setup.rigid_region && task.by.size() != 1) {
        return Error{"a region is that of one rigid body", "rigid_region", "name one in by"};
    }
    return {};
}

Result<std::vector<PressResult>> press_recording(Recording& recording,
                                                 std::span<const PressTask> tasks,
                                                 const PressCallbacks& callbacks) {
    std::vector<PressResult> all;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const PressTask& task = tasks[i];
        const auto is_body = [&](std::int32_t body) {
            return body >= 0 && static_cast<std::size_t>(body) < recording.bodies.size();
        };
        DUCTILE_ASSERT(is_body(task.soft) && !task.by.empty(), "a task names bodies");
        DUCTILE_ASSERT(std::all_of(task.by.begin(), task.by.end(),
                                   [&](std::int32_t b) { return is_body(b) && b != task.soft; }),
                       "a soft body is pressed by others");
        const auto report_share = [&](double share) {
            if (!callbacks.progress) return;
            const double done = static_cast<double>(i) + share;
            callbacks.progress("press", done / static_cast<double>(tasks.size()));
        };
        if (const Status done = run_task(recording, task, callbacks, report_share, all); !done) {
            return done.error();
        }
    }
    return all;
}

}  // namespace ductile
