// SPDX-License-Identifier: MIT
#include <ductile/deform/journal_io.h>

#include "bind.h"
#include "convert.h"
#include "journal.h"
#include "material.h"
#include "recording.h"
#include "simulation.h"
#include <fmt/format.h>
#include <pybind11/stl.h>

namespace ductile::python {
namespace {

/// A Material among the options, taken out of them; a card's name stays there.
std::optional<Material> take_material(py::dict& options) {
    if (!options.contains("material") || !py::isinstance<Material>(options["material"])) return {};
    Material material = options["material"].cast<Material>();
    options.attr("pop")("material");
    return material;
}

template <class Options>
std::int32_t add(World& world, const Mesh& mesh, const py::kwargs& kwargs,
                 std::int32_t (World::*how)(const Mesh&, const Options&,
                                            const std::optional<Material>&)) {
    py::dict fields = kwargs;
    const std::optional<Material> material = take_material(fields);
    const auto options = options_of<Options>(fields);
    const Busy::Claim claim(world.busy);
    return (world.*how)(mesh, options, material);
}

void step(World& world, double dt, std::int64_t count) {
    checked(dt, 1e-9, 1.0, "dt");
    checked_count(count, 1, 1'000'000'000, "count");
    const Busy::Claim claim(world.busy);
    const bool was_interrupted = without_gil([&] {
        SignalWatch signals;
        for (std::int64_t i = 0; i < count; ++i) {
            world.simulation().step(dt);
            if (world.recorder) world.recorder->note_step(world.simulation());
            if (signals.has_raised()) return true;
        }
        return false;
    });
    if (was_interrupted) throw py::error_already_set();
}

void remove(World& world, std::int32_t body) {
    const Busy::Claim claim(world.busy);
    world.simulation().remove(world.id_of(body));
    world.entries().erase(body);
}

BodyMotion motion(World& world, std::int32_t body) {
    const Busy::Claim claim(world.busy);
    return world.simulation().motion(world.id_of(body));
}

void set_motion(World& world, std::int32_t body, const py::kwargs& kwargs) {
    const Busy::Claim claim(world.busy);
    const BodyId id = world.simulation().body(world.id_of(body));
    const BodyMotion now = world.engine().motion(id);
    MotionOptions wanted{now.pose_w.translation, now.pose_w.rotation, now.velocity_w, now.spin_w};
    read_options(kwargs, wanted);
    world.engine().set_motion(id, {wanted.rotation, wanted.position}, wanted.velocity, wanted.spin);
}

void push(World& world, std::int32_t body, py::handle impulse, py::handle point) {
    const Vec3 impulse_w = vector_of(impulse, 1e9, "impulse");
    const Vec3 point_w = vector_of(point, kFurthest, "point");
    const Busy::Claim claim(world.busy);
    world.engine().apply_impulse(world.simulation().body(world.id_of(body)), impulse_w, point_w);
}

py::array world_points(World& world, std::int32_t body) {
    const Busy::Claim claim(world.busy);
    world.id_of(body);
    if (!world.simulation().is_deformable({body})) {
        const Mesh& mesh = world.entries().at(body).mesh;
        if (!mesh.asset) throw py::value_error("the ground has no points");
        return view_of_points(mesh.asset->surface.points, mesh.asset);
    }
    const auto snapshot = world.points(body);
    return view_of_points(*snapshot, snapshot);
}

void schedule_hit(World& world, std::int32_t body, std::optional<double> time, double duration,
                  const std::string& kind, const py::kwargs& fields) {
    HitRecord record = record_of(kind, fields);
    checked(duration, 0.0, 1e9, "duration");
    const Busy::Claim claim(world.busy);
    const double when = time ? time_of(*time) : world.simulation().time();
    unwrap(
        world.simulation().schedule_hit(world.deformable(body), when, duration, std::move(record)));
}

py::dict world_report(World& world) {
    const Busy::Claim claim(world.busy);
    const SimReport& r = world.simulation().report();
    Json json = {{"steps", r.steps},
                 {"impacts", r.impacts},
                 {"hits", r.hits},
                 {"refinements", r.refinements},
                 {"waiting", r.waiting},
                 {"most_waiting", r.most_waiting},
                 {"reshapes", r.reshapes},
                 {"light_reshapes", r.light_reshapes},
                 {"wakings", r.wakings},
                 {"missed_impacts", r.missed_impacts},
                 {"self_crossings", world.simulation().self_crossings()},
                 {"fallbacks", r.fallbacks},
                 {"breaks", r.breaks},
                 {"late_breaks", r.late_breaks},
                 {"snaps", r.snaps},
                 {"parts", r.parts},
                 {"vanished", r.vanished},
                 {"broken_area", r.broken_area},
                 {"broken_energy", r.broken_energy}};
    Json& incidents = json["incidents"] = Json::array();
    for (const Incident& i : r.incidents) {
        incidents.push_back({{"time", i.time}, {"body", i.body}, {"what", i.what}});
    }
    return object_of(json);
}

py::dict world_energy(World& world) {
    const Busy::Claim claim(world.busy);
    py::dict out;
    visit_entries(world.simulation().ledger(),
                  [&](const char* name, double value) { out[name] = value; });
    return out;
}

void start_recording(World& world, double frame_rate) {
    checked(frame_rate, 1e-3, 1e6, "frame_rate");
    const Busy::Claim claim(world.busy);
    world.recorder.emplace(frame_rate);
    for (const auto& [id, entry] : world.entries()) {
        if (entry.mesh.asset) {
            world.recorder->watch({id}, entry.name, entry.mesh.asset, entry.is_static);
        }
    }
}

void capture(World& world) {
    const Busy::Claim claim(world.busy);
    if (!world.recorder) throw py::value_error("no recording was started");
    without_gil([&] { world.recorder->capture(world.simulation()); });
}

std::shared_ptr<Film> finish_recording(World& world) {
    const Busy::Claim claim(world.busy);
    if (!world.recorder) throw py::value_error("no recording was started");
    Recorder recorder = std::move(*world.recorder);
    world.recorder.reset();
    return std::make_shared<Film>(std::move(recorder).finish(world.simulation()));
}

/// Never raises: a debugger may ask while another thread steps.
std::string shown_world(World& world) {
    if (world.busy.is_busy()) return "<ductile.Simulation: at work>";
    const SimReport& report = world.simulation().report();
    return fmt::format("<ductile.Simulation: {:.4g} s, {} bodies, {} hits>",
                       world.simulation().time(), world.entries().size(), report.hits);
}

void bind_motion(py::class_<World>& world) {
    world
        .def("set_motion", &set_motion, py::arg("body"),
             help_of<MotionOptions>("Places a body; what is left out stays.").c_str())
        .def("apply_impulse", &push, py::arg("body"), py::arg("impulse"), py::arg("point"),
             "Pushes a body at a point of the world [N s, m]. Wakes it.")
        .def(
            "pose", [](World& w, std::int32_t body) { return array_of(motion(w, body).pose_w); },
            py::arg("body"), "Body to world, (4, 4).")
        .def(
            "velocity",
            [](World& w, std::int32_t body) { return array_of(motion(w, body).velocity_w); },
            py::arg("body"), "Of the centre of mass, (3,) [m/s].")
        .def(
            "spin", [](World& w, std::int32_t body) { return array_of(motion(w, body).spin_w); },
            py::arg("body"), "(3,) [rad/s]")
        .def(
            "centre",
            [](World& w, std::int32_t body) { return array_of(motion(w, body).centre_w); },
            py::arg("body"), "Centre of mass in the world, (3,) [m].")
        .def(
            "is_asleep", [](World& w, std::int32_t body) { return motion(w, body).is_asleep; },
            py::arg("body"))
        .def(
            "mass",
            [](World& w, std::int32_t body) {
                const Busy::Claim claim(w.busy);
                return w.engine().mass(w.simulation().body(w.id_of(body))).mass;
            },
            py::arg("body"), "[kg]; 0 for what cannot be moved.");
}

void bind_damage(py::class_<World>& world) {
    world
        .def("points", &world_points, py::arg("body"),
             "Surface points of a body now, in its own frame, (n, 3) [m]. Read-only; made once "
             "per change of shape and never changed afterwards.")
        .def(
            "is_deformable",
            [](World& w, std::int32_t body) {
                const Busy::Claim claim(w.busy);
                return w.simulation().is_deformable(w.id_of(body));
            },
            py::arg("body"))
        .def(
            "journal",
            [](World& w, std::int32_t body) {
                const Busy::Claim claim(w.busy);
                return w.simulation().journal(w.deformable(body));
            },
            py::arg("body"), "A copy of a body's journal.")
        .def("schedule_hit", &schedule_hit, py::arg("body"), py::arg("time") = py::none(),
             py::arg("duration") = 0.0, py::arg("kind") = "dent",
             help_of_records("Leaves a mark with no physics, at the first step that ends at or "
                             "after `time`.")
                 .c_str())
        .def(
            "restore_journal",
            [](World& w, std::int32_t body, const Journal& journal) {
                const Busy::Claim claim(w.busy);
                unwrap(w.simulation().restore_journal(w.deformable(body), journal));
            },
            py::arg("body"), py::arg("journal"),
            "Puts a journal in the place of a body's own, as when a saved game is loaded: shape, "
            "mass and collider follow at once.")
        .def(
            "restore_time",
            [](World& w, double time) {
                const Busy::Claim claim(w.busy);
                w.simulation().restore_time(time_of(time));
            },
            py::arg("time"), "Sets the clock, as when a saved game is loaded [s].")
        .def_property_readonly(
            "hit_events",
            [](World& w) {
                const Busy::Claim claim(w.busy);
                py::list events;
                for (const HitEvent& e : w.simulation().hit_events()) {
                    events.append(py::make_tuple(e.object.value, e.hit));
                }
                return events;
            },
            "The hits of the last step: (body, id in its journal) of each.")
        .def_property_readonly(
            "births",
            [](World& w) {
                const Busy::Claim claim(w.busy);
                py::list births;
                for (const Birth& b : w.simulation().births()) {
                    births.append(py::make_tuple(b.object.value, b.parent.value));
                }
                return births;
            },
            "All bodies that came of others that broke: (body, the one that is gone for it).")
        .def(
            "repair",
            [](World& w, std::int32_t body, double amount, double duration) {
                checked(duration, 0.0, 1e9, "duration");
                checked(amount, 0.0, 1.0, "amount");
                const Busy::Claim claim(w.busy);
                unwrap(w.simulation().repair(w.deformable(body), amount, duration));
            },
            py::arg("body"), py::arg("amount") = 1.0, py::arg("duration") = 0.0,
            "Fades damage out from now on.")
        .def(
            "remove_hit",
            [](World& w, std::int32_t body, std::int64_t hit) {
                const Busy::Claim claim(w.busy);
                return w.simulation().remove_hit(w.deformable(body), hit);
            },
            py::arg("body"), py::arg("hit"),
            "Takes a hit back, as if it had never been; False if there is none of that id.");
}

template <class T>
auto reading(T (Simulation::*query)() const) {
    return [query](World& w) {
        const Busy::Claim claim(w.busy);
        return (w.simulation().*query)();
    };
}

void bind_state(py::class_<World>& world) {
    world.def_property_readonly("time", reading(&Simulation::time), "[s]")
        .def_property_readonly("state_hash", reading(&Simulation::state_hash),
                               "Of all motions and shapes: equal hashes, equal runs.")
        .def_property_readonly("shape_hash", reading(&Simulation::shape_hash),
                               "Of all shapes alone.")
        .def_property_readonly(
            "bodies",
            [](World& w) {
                const Busy::Claim claim(w.busy);
                std::vector<std::int32_t> ids;
                for (const auto& [id, entry] : w.entries()) ids.push_back(id);
                return ids;
            },
            "All bodies, as they were added.")
        .def_property_readonly("energy", &world_energy, "Where the kinetic energy went [J].")
        .def_property_readonly("report", &world_report, "What the simulation did so far.")
        .def("start_recording", &start_recording, py::arg("frame_rate") = 30.0,
             "From now on capture() films all bodies that are there now.")
        .def("capture", &capture, "Takes one frame.")
        .def("finish_recording", &finish_recording, "The film; another may be started then.")
        .def("__repr__", &shown_world);
}

}  // namespace

void bind_simulation(py::module_& module) {
    py::class_<World> world(module, "Simulation",
                            "Rigid bodies that dent, in a Bullet world of their own.");
    world
        .def(py::init([](const py::kwargs& kwargs) {
                 return std::make_unique<World>(options_of<WorldOptions>(kwargs));
             }),
             help_of<WorldOptions>("An empty world.").c_str())
        .def(
            "add_ground",
            [](World& w, double height, const py::object& material) {
                checked(height, -1e5, 1e5, "height");
                const Material card = material_of(material);
                const Busy::Claim claim(w.busy);
                return w.add_ground(height, card);
            },
            py::arg("height") = 0.0, py::arg("material") = "concrete",
            "Adds an endless floor; returns its id.")
        .def(
            "add_rigid",
            [](World& w, const Mesh& mesh, const py::kwargs& kwargs) {
                return add<RigidOptions>(w, mesh, kwargs, &World::add_rigid);
            },
            py::arg("mesh"),
            help_of<RigidOptions>("Adds a body that hits others and keeps its shape; returns its "
                                  "id. `material` may be a Material, too.")
                .c_str())
        .def(
            "add_deformable",
            [](World& w, const Mesh& mesh, const py::kwargs& kwargs) {
                return add<DeformableOptions>(w, mesh, kwargs, &World::add_deformable);
            },
            py::arg("mesh"),
            help_of<DeformableOptions>("Adds a body that dents; returns its id. `material` may be "
                                       "a Material, too.")
                .c_str())
        .def("remove", &remove, py::arg("body"), "Takes a body away.")
        .def("step", &step, py::arg("dt"), py::arg("count") = 1,
             "Advances by `count` steps of dt [s]. Other threads may run meanwhile; Ctrl-C stops "
             "between steps.");
    bind_motion(world);
    bind_damage(world);
    bind_state(world);
}

}  // namespace ductile::python
