// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/record/shown_hash.h>
#include <ductile/scene/build.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/run_frames.h>
#include <ductile/scene/scene_file.h>

#include "bind.h"
#include "busy.h"
#include "convert.h"
#include "journal.h"
#include "recording.h"
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <exception>

namespace ductile::python {
namespace {

/// A scene file, or one that came with the module. Files win: "demo" may be somebody's own.
std::filesystem::path scene_path(const std::filesystem::path& given) {
    std::error_code error;
    if (std::filesystem::exists(given, error) || given.has_parent_path()) return given;
    const std::filesystem::path module =
        path_of(py::module_::import("ductile._core").attr("__file__"));
    std::filesystem::path built_in = module.parent_path() / "scenes" / given;
    built_in += ".json";
    return std::filesystem::exists(built_in, error) ? built_in : given;
}

Scene sound(LoadedScene loaded) {
    if (!loaded.ok()) raise(loaded.errors);
    return std::move(loaded.scene);
}

Scene load_file(py::handle path, const std::vector<std::string>& overrides) {
    const std::filesystem::path file = scene_path(path_of(path));
    return sound(without_gil([&] { return load_scene(file, overrides); }));
}

Scene parse(const std::string& text, py::handle folder) {
    const std::filesystem::path beside = path_of(folder);
    return sound(without_gil([&] { return parse_scene(text, "scene", {}, beside); }));
}

void set(Scene& scene, const std::string& path, py::handle value) {
    if (path.find('=') != std::string::npos) throw py::value_error("a path holds no '='");
    const Json json = json_of(value);
    unwrap(
        set_field(scene, path + "=" + json.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

std::vector<std::string> problems(const Scene& scene) {
    const Scene copy = scene;
    std::vector<std::string> lines;
    for (const Error& error : without_gil([&] { return check_scene(copy); })) {
        lines.push_back(error.text());
    }
    return lines;
}

/// What keeps a run going while nobody holds the GIL, and what ended it.
class Watch {
public:
    explicit Watch(py::object progress) : progress_(std::move(progress)) {}

    Status may_go_on() {
        if (!failure_ && signals_.has_raised()) {
            const py::gil_scoped_acquire held;
            failure_ = std::make_exception_ptr(py::error_already_set());
        }
        return failure_ ? Status(Error{"stopped", "", ""}) : Status();
    }
    void report(std::string_view stage, double share) {
        if (progress_.is_none() || failure_) return;
        const py::gil_scoped_acquire held;
        try {
            progress_(py::str(stage.data(), stage.size()), share);
        } catch (...) {
            failure_ = std::current_exception();
        }
    }
    /// Requires: the GIL.
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    py::object progress_;
    SignalWatch signals_;
    std::exception_ptr failure_;
};

struct RanScene {
    Recording recording;
    JournalFile journals;
    Json report;
};

Result<RanScene> simulate(const Scene& scene, std::int32_t max_frames, Watch& watch) {
    const ThreadLimit limit(scene.threads);
    const auto report = [&](std::string_view stage, double share) { watch.report(stage, share); };
    Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene, report);
    if (!bodies) return bodies.error();
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    Simulation simulation(*engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    Result<std::vector<ObjectId>> ids = populate(scene, bodies.value(), simulation, recorder);
    if (!ids) return ids.error();
    const Status ran = run_frames(scene, simulation, recorder,
                                  {.max_frames = max_frames,
                                   .may_go_on = [&] { return watch.may_go_on(); },
                                   .progress = report});
    if (!ran) return ran.error();
    const SimReport& r = simulation.report();
    RanScene out;
    Result<JournalFile> journals = take_journals(scene, bodies.value(), ids.value(), simulation);
    if (!journals) return journals.error();
    out.journals = std::move(journals).value();
    out.report = {{"scene", scene.name},
                  {"steps", r.steps},
                  {"impacts", r.impacts},
                  {"hits", r.hits},
                  {"reshapes", r.reshapes},
                  {"light_reshapes", r.light_reshapes},
                  {"fallbacks", r.fallbacks},
                  {"breaks", r.breaks},
                  {"parts", r.parts},
                  {"broken_area", r.broken_area},
                  {"broken_energy", r.broken_energy},
                  {"state_hash", fmt::format("{:016x}", simulation.state_hash())},
                  {"shape_hash", fmt::format("{:016x}", simulation.shape_hash())}};
    for (const Incident& incident : r.incidents) {
        out.report["incidents"].push_back(
            {{"time", incident.time}, {"body", incident.body}, {"what", incident.what}});
    }
    out.recording = std::move(recorder).finish(simulation);
    const Result<std::vector<PressResult>> pressed = press_scene(
        scene, out.recording, {.may_go_on = [&] { return watch.may_go_on(); }, .progress = report});
    if (!pressed) return pressed.error();
    if (!scene.press.empty()) out.report["press"] = press_json(out.recording, pressed.value());
    out.report["shown_hash"] = fmt::format("{:016x}", shown_hash(out.recording));
    return out;
}

std::shared_ptr<Film> run(const Scene& given, std::int64_t max_frames, const py::object& progress) {
    const auto frames =
        static_cast<std::int32_t>(checked_count(max_frames, 0, 10'000'000, "max_frames"));
    const Scene scene = given;  // a callback may change the other
    const std::vector<Error> errors = without_gil([&] { return check_scene(scene); });
    if (!errors.empty()) raise(errors);
    Watch watch(progress);
    Result<RanScene> ran = without_gil([&] { return simulate(scene, frames, watch); });
    watch.rethrow();
    RanScene result = unwrap(std::move(ran));
    auto film = std::make_shared<Film>(std::move(result.recording));
    film->scene = scene;
    film->journals = std::make_shared<RunJournals>(std::move(result.journals));
    film->report = std::move(result.report);
    return film;
}

}  // namespace

void bind_scene(py::module_& module) {
    py::class_<Scene>(module, "Scene", "A scene as its file has it (docs/scene-format.md).")
        .def(py::init([](const py::kwargs& fields) { return options_of<Scene>(fields); }),
             "Of its fields, as they stand in a file: Scene(bodies={...}, duration=2).")
        .def_static("load", &load_file, py::arg("path"),
                    py::arg("overrides") = std::vector<std::string>(),
                    "Of a file, or a built-in one by its name; overrides such as "
                    "'bodies.ball.velocity.x=-12'.")
        .def_static("parse", &parse, py::arg("text"), py::arg("folder") = "",
                    "Of a text; files it names are looked for in `folder`.")
        .def("set", &set, py::arg("path"), py::arg("value"),
             "Sets one field by its dotted path: scene.set('bodies.ball.mass', 200).")
        .def("check", &problems, "Every mistake as a message; run() raises them.")
        .def(
            "to_dict", [](const Scene& s) { return fields_of(s); }, "All fields.")
        .def(
            "copy", [](const Scene& s) { return Scene(s); }, "One that may be changed on its own.")
        .def_property_readonly(
            "text", [](const Scene& s) { return scene_text(s); }, "As a file.")
        .def_property_readonly(
            "name", [](const Scene& s) { return s.name; }, "Of the outputs.")
        .def("run", &run, py::arg("max_frames") = 0, py::arg("progress") = py::none(),
             "Simulates it and returns the film, its journals among it. progress(stage, share) is "
             "called now and then; Ctrl-C stops between frames.")
        .def("__repr__", [](const Scene& s) {
            return fmt::format("<ductile.Scene '{}': {} bodies>", s.name, s.bodies.size());
        });
}

}  // namespace ductile::python
