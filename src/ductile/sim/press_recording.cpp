// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/sim/press_recording.h>

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

/// One task on one recording.
class TaskRun {
public:
    static Result<TaskRun> make(const Recording& recording, const PressTask& task) {
        const RecordedBody& soft = recording.bodies[static_cast<std::size_t>(task.soft)];
        Result<Presser> presser = Presser::make(soft.asset->surface, task.options, task.maps);
        if (!presser) return presser.error();
        TaskRun run(recording, task, std::move(presser).value());
        for (const std::int32_t body : task.by) {
            const RecordedBody& rigid = recording.bodies[static_cast<std::size_t>(body)];
            Result<PressRigid> made = PressRigid::make({shape_of(rigid, 0), triangles_of(rigid)});
            if (!made) return made.error();
            run.rigids_.push_back(std::move(made).value());
        }
        return run;
    }

    /// The earliest frame of those just before this one that show the bodies in the same places.
    std::size_t like(std::size_t frame) const { return like_[frame]; }

    Result<Pressed> press(std::size_t frame) const {
        const BodyFrame& at = body_at(frame, task_->soft);
        std::vector<std::size_t> present;
        for (std::size_t i = 0; i < task_->by.size(); ++i) {
            if (body_at(frame, task_->by[i]).is_present) present.push_back(i);
        }
        if (!at.is_present || present.empty()) return Pressed{};
        const std::vector<Vec3>& points = shape_of(body(task_->soft), at.shape);
        if (present.size() > 1) {
            const Result<PressRigid> all = PressRigid::make(joined_mesh(frame));
            return all ? presser_.press(points, all.value()) : all.error();
        }
        // What a frame takes depends on that frame alone, or it would not have the same bits alone.
        const std::int32_t by = task_->by[present[0]];
        const BodyFrame& by_at = body_at(frame, by);
        const Transform pose = at.pose_w.inverse() * by_at.pose_w;
        if (by_at.shape == 0) return presser_.press(points, rigids_[present[0]], pose);
        const Result<PressRigid> rigid =
            PressRigid::make({shape_of(body(by), by_at.shape), triangles_of(body(by))});
        return rigid ? presser_.press(points, rigid.value(), pose) : rigid.error();
    }

private:
    TaskRun(const Recording& recording, const PressTask& task, Presser presser)
        : recording_(&recording), task_(&task), presser_(std::move(presser)) {
        for (std::size_t f = 0; f < recording.frames.size(); ++f) {
            const bool is_alike = f > 0 && is_alike_before(f);
            like_.push_back(is_alike ? like_.back() : f);
        }
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
    Presser presser_;
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

Result<TaskPress> run_task(Recording& recording, const PressTask& task, const PressRun& run,
                           const std::function<void(double)>& tell) {
    const RecordedBody& soft = recording.bodies[static_cast<std::size_t>(task.soft)];
    const auto refused = [&](const Error& error) {
        return Error{error.what, "pressing " + soft.name + ": " + error.where, error.hint};
    };
    const Result<TaskRun> made = TaskRun::make(recording, task);
    if (!made) return refused(made.error());
    const TaskRun& work = made.value();
    TaskResult result(soft, task.soft);
    const std::size_t count = recording.frames.size();
    for (std::size_t first = 0; first < count; first += kBlock) {
        if (run.may_go_on) {
            if (const Status on = run.may_go_on(); !on) return on.error();
        }
        const std::size_t end = std::min(count, first + kBlock);
        std::vector<std::optional<Result<Pressed>>> pressed(end - first);
        parallel_for(end - first, 1, [&](std::size_t i) {
            const SerialScope one_thread_each;
            if (work.like(first + i) == first + i) pressed[i] = work.press(first + i);
        });
        for (std::size_t f = first; f < end; ++f) {
            std::optional<Result<Pressed>>& one = pressed[f - first];
            if (!one) {
                result.repeat(f, work.like(f));
                continue;
            }
            if (!*one) return refused(one->error());
            const std::int32_t shape =
                recording.frames[f].bodies[static_cast<std::size_t>(task.soft)].shape;
            result.add(f, shape, std::move(*one).value());
        }
        tell(static_cast<double>(end) / static_cast<double>(count));
    }
    return std::move(result).store(recording);
}

}  // namespace

Result<std::vector<TaskPress>> press_recording(Recording& recording,
                                               std::span<const PressTask> tasks,
                                               const PressRun& run) {
    std::vector<TaskPress> all;
    for (const PressTask& task : tasks) {
        const auto is_body = [&](std::int32_t body) {
            return body >= 0 && static_cast<std::size_t>(body) < recording.bodies.size();
        };
        DUCTILE_ASSERT(is_body(task.soft) && !task.by.empty(), "a task names bodies");
        DUCTILE_ASSERT(std::all_of(task.by.begin(), task.by.end(),
                                   [&](std::int32_t b) { return is_body(b) && b != task.soft; }),
                       "a soft body is pressed by others");
        const auto tell = [&](double share) {
            if (!run.progress) return;
            const double done = static_cast<double>(all.size()) + share;
            run.progress("press", done / static_cast<double>(tasks.size()));
        };
        Result<TaskPress> done = run_task(recording, task, run, tell);
        if (!done) return done.error();
        all.push_back(std::move(done).value());
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
