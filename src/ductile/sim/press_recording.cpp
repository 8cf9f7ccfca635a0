// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/sim/press_recording.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace ductile {
namespace {

// So many frames are pressed before anybody is told or asked: a few for each of many cores.
constexpr std::size_t kBlock = 32;

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

/// What a frame of a task comes to. No points: a body was not there.
struct PressedFrame {
    Pressed soft, other;
};

/// One task on one recording.
class TaskRun {
public:
    static Result<TaskRun> make(const Recording& recording, const PressTask& task) {
        TaskRun run(recording, task);
        if (task.both) return make_both(std::move(run));
        Result<FramePresser> presser =
            FramePresser::make(run.body(task.soft).asset->surface, task.options, task.extras);
        if (!presser) return presser.error();
        run.presser_ = std::move(presser).value();
        for (const std::int32_t index : task.by) {
            const RecordedBody& rigid = run.body(index);
            Result<PressRigid> made = PressRigid::make({shape_of(rigid, 0), triangles_of(rigid)});
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
        Result<Pressed> pressed = press_soft(frame, present);
        if (!pressed) return pressed.error();
        done.soft = std::move(pressed).value();
        return done;
    }

private:
    static Result<TaskRun> make_both(TaskRun run) {
        const PressTask& task = *run.task_;
        Result<BothPresser> both = BothPresser::make(
            run.body(task.soft).asset->surface, run.body(task.by[0]).asset->surface,
            task.both->share, task.options, task.both->options, task.extras.maps, task.both->maps);
        if (!both) return both.error();
        run.both_ = std::move(both).value();
        return run;
    }

    TaskRun(const Recording& recording, const PressTask& task)
        : recording_(&recording), task_(&task) {
        for (std::size_t f = 0; f < recording.frames.size(); ++f) {
            const bool is_alike = f > 0 && is_alike_before(f);
            like_.push_back(is_alike ? like_.back() : f);
        }
    }

    // What a frame takes depends on that frame alone, or it would not have the same bits alone.
    Result<Pressed> press_soft(std::size_t frame, std::span<const std::size_t> present) const {
        const BodyFrame& at = body_at(frame, task_->soft);
        const std::vector<Vec3>& points = shape_of(body(task_->soft), at.shape);
        if (present.size() > 1) {
            const Result<PressRigid> all = PressRigid::make(joined_mesh(frame));
            return all ? presser_->press(points, all.value()) : all.error();
        }
        const std::int32_t by = task_->by[present[0]];
        const BodyFrame& by_at = body_at(frame, by);
        const Transform pose = at.pose_w.inverse() * by_at.pose_w;
        if (by_at.shape == 0) return presser_->press(points, rigids_[present[0]], pose);
        const Result<PressRigid> rigid =
            PressRigid::make({shape_of(body(by), by_at.shape), triangles_of(body(by))});
        return rigid ? presser_->press(points, rigid.value(), pose) : rigid.error();
    }

    Result<PressedFrame> press_both(std::size_t frame) const {
        const BodyFrame& at = body_at(frame, task_->soft);
        const BodyFrame& other_at = body_at(frame, task_->by[0]);
        Result<PressedBoth> both = both_->press(shape_of(body(task_->soft), at.shape),
                                                shape_of(body(task_->by[0]), other_at.shape),
                                                at.pose_w.inverse() * other_at.pose_w);
        if (!both) return both.error();
        return PressedFrame{std::move(both.value().a), std::move(both.value().b)};
    }

    const BodyFrame& body_at(std::size_t frame, std::int32_t body) const {
        return recording_->frames[frame].bodies[static_cast<std::size_t>(body)];
    }

    const RecordedBody& body(std::int32_t index) const {
        return recording_->bodies[static_cast<std::size_t>(index)];
    }

    bool is_alike_before(std::size_t frame) const {
        const auto stays = [&](std::int32_t body) {
            const BodyFrame& now = body_at(frame, body);
            const BodyFrame& before = body_at(frame - 1, body);
            return now.is_present == before.is_present && now.shape == before.shape &&
                   is_same(now.pose_w, before.pose_w);
        };
        return stays(task_->soft) && std::all_of(task_->by.begin(), task_->by.end(), stays);
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
    std::optional<FramePresser> presser_;  ///< Or both_.
    std::optional<BothPresser> both_;
    std::vector<PressRigid> rigids_;  ///< Of `by`, each in its first shape.
    std::vector<std::size_t> like_;
};

/// What comes of a task, gathered frame by frame while the recording is still read.
class TaskResult {
public:
    TaskResult(const RecordedBody& soft, std::int32_t index)
        : first_(std::max<std::size_t>(soft.shapes.size(), 1)), soft_(soft) {
        press_.soft = index;
    }

    void add(std::size_t frame, std::int32_t shape, Pressed pressed) {
        if (pressed.report.overlaps > 0) {
            press_.frames.push_back({static_cast<std::int32_t>(frame), pressed.report});
        }
        if (!pressed.points.empty() && pressed.points != shape_of(soft_, shape)) {
            shape = static_cast<std::int32_t>(first_ + shapes_.size());
            shapes_.push_back(std::move(pressed.points));
        }
        shape_.push_back(shape);
    }
    /// A frame like one that was added.
    void repeat(std::size_t frame, std::size_t like) {
        shape_.push_back(shape_[like]);
        if (!press_.frames.empty() &&
            press_.frames.back().frame == static_cast<std::int32_t>(frame) - 1) {
            press_.frames.push_back(
                {static_cast<std::int32_t>(frame), press_.frames.back().report});
        }
    }

    TaskPress store(Recording& recording) && {
        const auto soft = static_cast<std::size_t>(press_.soft);
        std::vector<std::vector<Vec3>>& shapes = recording.bodies[soft].shapes;
        if (shapes.empty()) shapes.push_back(recording.bodies[soft].asset->surface.points);
        std::move(shapes_.begin(), shapes_.end(), std::back_inserter(shapes));
        for (std::size_t f = 0; f < shape_.size(); ++f) {
            recording.frames[f].bodies[soft].shape = shape_[f];
        }
        return std::move(press_);
    }

private:
    std::size_t first_;  ///< The number of the first new shape.
    const RecordedBody& soft_;
    std::vector<std::vector<Vec3>> shapes_;
    std::vector<std::int32_t> shape_;  ///< Per frame.
    TaskPress press_;
};

Error while_pressing(const RecordedBody& soft, const Error& error) {
    return {error.what, "pressing " + soft.name + ": " + error.where, error.hint};
}

/// What comes of a task, for each body that gives way.
struct TaskResults {
    TaskResult soft;
    std::optional<TaskResult> other;
    std::optional<EdgeStretch> stretch;  ///< Of the soft one.
};

/// Presses all frames of a recording as it is.
Result<TaskResults> press_all(const Recording& recording, const PressTask& task,
                              const PressRun& run, const std::function<void(double)>& tell) {
    const auto body = [&](std::int32_t index) -> const RecordedBody& {
        return recording.bodies[static_cast<std::size_t>(index)];
    };
    const Result<TaskRun> made = TaskRun::make(recording, task);
    if (!made) return while_pressing(body(task.soft), made.error());
    const TaskRun& work = made.value();
    TaskResults results{TaskResult(body(task.soft), task.soft), {}, {}};
    if (task.both) results.other.emplace(body(task.by[0]), task.by[0]);
    if (task.refine) results.stretch.emplace(body(task.soft).asset->surface);
    const std::size_t count = recording.frames.size();
    for (std::size_t first = 0; first < count; first += kBlock) {
        if (run.may_go_on) {
            if (const Status on = run.may_go_on(); !on) return on.error();
        }
        const std::size_t end = std::min(count, first + kBlock);
        std::vector<std::optional<Result<PressedFrame>>> pressed(end - first);
        parallel_for(end - first, 1, [&](std::size_t i) {
            const SerialScope one_thread_each;
            if (work.like(first + i) == first + i) pressed[i] = work.press(first + i);
        });
        for (std::size_t f = first; f < end; ++f) {
            std::optional<Result<PressedFrame>>& one = pressed[f - first];
            const auto shape = [&](std::int32_t index) {
                return recording.frames[f].bodies[static_cast<std::size_t>(index)].shape;
            };
            if (!one) {
                results.soft.repeat(f, work.like(f));
                if (results.other) results.other->repeat(f, work.like(f));
                continue;
            }
            if (!*one) return while_pressing(body(task.soft), one->error());
            PressedFrame& frame = one->value();
            if (run.see) run.see(f, frame.soft);
            if (results.stretch && !frame.soft.points.empty()) {
                results.stretch->add(shape_of(body(task.soft), shape(task.soft)),
                                     frame.soft.points);
            }
            results.soft.add(f, shape(task.soft), std::move(frame.soft));
            if (results.other) {
                results.other->add(f, shape(task.by[0]), std::move(frame.other));
            }
        }
        tell(static_cast<double>(end) / static_cast<double>(count));
    }
    return results;
}

/// Gives a body of a recording a point in the middle of each of these edges, in all its shapes.
void split_body(RecordedBody& body, std::span<const MeshEdge> edges) {
    for (std::size_t i = 1; i < body.shapes.size(); ++i) grow_points(edges, body.shapes[i]);
    body.asset = std::make_shared<const SurfaceAsset>(split_edges(*body.asset, edges));
    if (!body.shapes.empty()) body.shapes[0] = body.asset->surface.points;
}

Status run_task(Recording& recording, PressTask task, const PressRun& run,
                const std::function<void(double)>& tell, std::vector<TaskPress>& all) {
    RecordedBody& soft = recording.bodies[static_cast<std::size_t>(task.soft)];
    if (const Status fine = check(task); !fine) return while_pressing(soft, fine.error());
    std::optional<PressRefiner> refiner;
    if (task.refine) refiner.emplace(*soft.asset, *task.refine);
    while (true) {
        Result<TaskResults> done = press_all(recording, task, run, tell);
        if (!done) return done.error();
        TaskResults& results = done.value();
        std::vector<MeshEdge> edges;
        if (refiner) edges = refiner->next(*results.stretch, soft.asset->surface.points.size());
        if (edges.empty()) {
            all.push_back(std::move(results.soft).store(recording));
            if (results.other) all.push_back(std::move(*results.other).store(recording));
            return {};
        }
        split_body(soft, edges);
        grow_map(edges, task.extras.maps.stiffness);
        grow_map(edges, task.extras.maps.bulge);
    }
}

}  // namespace

Status check(const PressTask& task) {
    const auto apart = [](const char* a, const char* b) {
        return Error{fmt::format("{} and {} do not go together", a, b), a, "leave one of them out"};
    };
    const auto at = [](const char* place, const Status& status) {
        const Error& error = status.error();
        return Error{error.what, std::string(place) + "/" + error.where, error.hint};
    };
    if (const Status fine = check(task.options); !fine) return at("options", fine);
    if (task.extras.detail) {
        if (const Status fine = check(*task.extras.detail); !fine) return at("detail", fine);
    }
    if (task.refine) {
        if (const Status fine = check(*task.refine); !fine) return at("refine", fine);
        if (task.extras.detail) return apart("refine", "detail");
    }
    if (!task.both) return {};
    if (const Status fine = check(task.both->options); !fine) return at("both/options", fine);
    if (!(task.both->share >= 0 && task.both->share <= 1)) {
        return Error{"a share is in [0, 1]", "both/share", ""};
    }
    if (task.extras.detail) return apart("both", "detail");
    if (task.extras.proxy) return apart("both", "proxy");
    if (task.refine) return apart("both", "refine");
    if (task.by.size() != 1) {
        return Error{"two soft bodies press each other, no more", "both", "name one in by"};
    }
    return {};
}

Result<std::vector<TaskPress>> press_recording(Recording& recording,
                                               std::span<const PressTask> tasks,
                                               const PressRun& run) {
    std::vector<TaskPress> all;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const PressTask& task = tasks[i];
        const auto is_body = [&](std::int32_t body) {
            return body >= 0 && static_cast<std::size_t>(body) < recording.bodies.size();
        };
        DUCTILE_ASSERT(is_body(task.soft) && !task.by.empty(), "a task names bodies");
        DUCTILE_ASSERT(std::all_of(task.by.begin(), task.by.end(),
                                   [&](std::int32_t b) { return is_body(b) && b != task.soft; }),
                       "a soft body is pressed by others");
        const auto tell = [&](double share) {
            if (!run.progress) return;
            const double done = static_cast<double>(i) + share;
            run.progress("press", done / static_cast<double>(tasks.size()));
        };
        if (const Status done = run_task(recording, task, run, tell, all); !done) {
            return done.error();
        }
    }
    return all;
}

std::uint64_t shown_shapes_hash(const Recording& recording) {
    // A shape may be shown at many frames: its own hash is taken once.
    std::vector<std::vector<std::uint64_t>> of_shapes;
    for (const RecordedBody& body : recording.bodies) {
        std::vector<std::uint64_t>& own = of_shapes.emplace_back();
        for (std::size_t i = 0; i < std::max<std::size_t>(body.shapes.size(), 1); ++i) {
            Hasher hasher;
            hasher.add(std::span<const Vec3>(shape_of(body, static_cast<std::int32_t>(i))));
            own.push_back(hasher.value());
        }
    }
    Hasher all;
    for (const Frame& frame : recording.frames) {
        for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
            all.add(of_shapes[b][static_cast<std::size_t>(frame.bodies[b].shape)]);
        }
    }
    return all.value();
}

}  // namespace ductile
