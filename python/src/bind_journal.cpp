// SPDX-License-Identifier: MIT
#include <ductile/deform/body_state.h>
#include <ductile/deform/journal_io.h>
#include <ductile/deform/mesh_revision.h>

#include "bind.h"
#include "busy.h"
#include "call_errors.h"
#include "convert.h"
#include "journal.h"
#include "mesh.h"
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

namespace ductile::python {
namespace {

constexpr double kLongest = 1e9;  // [s]; as scene files and journals have it

std::int64_t add_hit(Journal& journal, double time, double duration, const std::string& kind,
                     const py::kwargs& fields) {
    HitRecord record = record_of(kind, fields);
    return journal.add(time_of(time), checked(duration, 0.0, kLongest, "duration"),
                       std::move(record));
}

Repair repair_of(double time, double amount, double duration) {
    return {time_of(time), checked(duration, 0.0, kLongest, "duration"),
            checked(amount, 0.0, 1.0, "amount")};
}

py::array points_at(const Journal& journal, const Mesh& mesh, double time) {
    time_of(time);
    const Journal copy = journal;  // another thread may change the journal meanwhile
    return array_of_points(unwrap(without_gil([&]() -> Result<std::vector<Vec3>> {
        const Result<RefinedMesh> refined = refined_mesh(mesh.asset, copy);
        if (!refined) return refined.error();
        const BodyShape shape = make_replay_shape(refined.value().asset);
        if (const Status fits = check_journal_fits(copy, shape); !fits) return fits.error();
        return shape_at(shape, copy, time);
    })));
}

/// As it stands in files, but for ids: those are whole numbers here.
Json journal_fields(const Journal& journal) {
    Json json = journal_to_json(journal);
    for (std::size_t i = 0; i < journal.hits().size(); ++i) {
        json["hits"][i]["id"] = journal.hits()[i].id;
    }
    return json;
}

Journal journal_from(const py::dict& fields) {
    std::vector<Error> errors;
    Journal journal = journal_from_json(json_of(fields), "", errors);
    if (!errors.empty()) raise(errors);
    return journal;
}

void bind_one(py::module_& module) {
    py::class_<Journal>(module, "Journal",
                        "All damage one body took. With its mesh and a time it determines the "
                        "shape, bit for bit.")
        .def(py::init<>())
        .def("add", &add_hit, py::arg("time") = 0.0, py::arg("duration") = 0.0,
             py::arg("kind") = "dent", help_of_records("Appends a hit and returns its id.").c_str())
        .def("remove", &Journal::remove, py::arg("id"),
             "Takes a hit out, as if it had never been; False if there is none of that id.")
        .def(
            "repair",
            [](Journal& j, double time, double amount, double duration) {
                j.repair(repair_of(time, amount, duration));
            },
            py::arg("time"), py::arg("amount") = 1.0, py::arg("duration") = 0.0,
            "From `time` on, over `duration`, every earlier hit loses `amount` of itself.")
        .def("points", &points_at, py::arg("mesh"), py::arg("time") = kLongest,
             "The surface points of a mesh with this damage at a time, (n, 3) [m]; left out: when "
             "all is done.")
        .def(
            "to_dict", [](const Journal& j) { return object_of(journal_fields(j)); },
            "As it stands in journal files.")
        .def_static("from_dict", &journal_from, py::arg("fields"), "The inverse of to_dict.")
        .def(
            "copy", [](const Journal& j) { return Journal(j); },
            "One that may be changed on its own.")
        .def_property_readonly(
            "hits", [](const Journal& j) { return object_of(journal_fields(j)["hits"]); },
            "A dict per hit: id, time, duration and, under the name of its kind, its fields.")
        .def("__len__", [](const Journal& j) { return j.hits().size(); })
        .def("__repr__", [](const Journal& j) {
            return fmt::format("<ductile.Journal: {} hits>", j.hits().size());
        });
}

BodyJournal& body_of(RunJournals& run, const std::string& name) {
    for (BodyJournal& body : run.file.bodies) {
        if (body.name == name) return body;
    }
    throw py::key_error("no body '" + name + "' in the journals");
}

/// Requires: the claim.
void prepare(RunJournals& run) {
    if (!run.bodies.empty()) return;
    run.bodies = unwrap(without_gil([&] { return prepare_bodies(run.file.scene); }));
}

void set_journal(RunJournals& run, const std::string& name, const Journal& journal) {
    const Busy::Claim claim(run.busy);
    BodyJournal& body = body_of(run, name);
    prepare(run);
    for (const PreparedBody& prepared : run.bodies) {
        if (prepared.name == name && !prepared.shape() && !journal.is_empty()) {
            throw py::value_error("body '" + name + "' is rigid: it takes no hits");
        }
    }
    body.journal = journal;
}

/// What is there at a time, and its shapes.
struct Replayed {
    std::vector<PreparedBody> bodies;
    ReplayedShapes shapes;
};

/// Requires: the claim.
Replayed replayed(RunJournals& run, std::optional<double> time) {
    const double when = time ? time_of(*time) : run.file.time;
    prepare(run);
    return unwrap(without_gil([&]() -> Result<Replayed> {
        Result<PresentBodies> present = bodies_at(run.file, run.bodies, when);
        if (!present) return present.error();
        Replayed out{std::move(present.value().bodies), {}};
        Result<ReplayedShapes> shapes = replay_shapes(run.file, out.bodies, when);
        if (!shapes) return shapes.error();
        out.shapes = std::move(shapes).value();
        return out;
    }));
}

py::dict shapes(RunJournals& run, std::optional<double> time) {
    const Busy::Claim claim(run.busy);
    Replayed made = replayed(run, time);
    py::dict out;
    for (std::size_t i = 0; i < made.bodies.size(); ++i) {
        out[py::str(made.bodies[i].name)] = array_of_points(std::move(made.shapes.surfaces[i]));
    }
    return out;
}

void bind_run(py::module_& module) {
    py::class_<RunJournals, std::shared_ptr<RunJournals>> journals(
        module, "JournalFile",
        "The journals of a run and its scene: rebuilds its shapes at any time, without an engine.");
    refuse_construction(journals, "JournalFile.load() or Recording.journal gives one");
    journals
        .def_static(
            "load",
            [](py::handle path) {
                const std::filesystem::path file = path_of(path);
                return std::make_shared<RunJournals>(
                    unwrap(without_gil([&] { return read_journals(file); })));
            },
            py::arg("path"), "Reads a journal.json.")
        .def(
            "save",
            [](RunJournals& run, py::handle path) {
                const std::filesystem::path file = path_of(path);
                const Busy::Claim claim(run.busy);
                unwrap(without_gil([&] { return write_journals(file, run.file); }));
            },
            py::arg("path"), "Writes a file that is whole or not there.")
        .def(
            "journal",
            [](RunJournals& run, const std::string& body) {
                const Busy::Claim claim(run.busy);
                return body_of(run, body).journal;
            },
            py::arg("body"), "A copy of one body's journal.")
        .def("set_journal", &set_journal, py::arg("body"), py::arg("journal"),
             "Puts another journal in the place of a body's own.")
        .def(
            "pose",
            [](RunJournals& run, const std::string& body) {
                const Busy::Claim claim(run.busy);
                return array_of(body_of(run, body).pose_w);
            },
            py::arg("body"), "Where a body was at the end, (4, 4).")
        .def("shapes", &shapes, py::arg("time") = py::none(),
             "The surface points of every body that is there at a time, by name, what broke as "
             "its parts; left out: at the end.")
        .def(
            "replay_hash",
            [](RunJournals& run, std::optional<double> time) {
                const Busy::Claim claim(run.busy);
                return replayed(run, time).shapes.shape_hash;
            },
            py::arg("time") = py::none(), "Of all shapes at a time; left out: at the end.")
        .def_property_readonly(
            "time", [](const RunJournals& run) { return run.file.time; }, "When the run ended [s].")
        .def_property_readonly(
            "shape_hash", [](const RunJournals& run) { return run.file.shape_hash; },
            "Of all shapes when the run ended: what a replay must give.")
        .def_property_readonly(
            "shown_hash", [](const RunJournals& run) { return run.file.shown_hash; },
            "Of all that was to be seen when the run ended: meshes, looks, places, pressed shapes.")
        .def_property_readonly(
            "bodies",
            [](const RunJournals& run) {
                std::vector<std::string> names;
                for (const BodyJournal& body : run.file.bodies) names.push_back(body.name);
                return names;
            },
            "Names of all bodies.")
        .def("__repr__", [](const RunJournals& run) {
            return fmt::format("<ductile.JournalFile: {} bodies, {:.4g} s>", run.file.bodies.size(),
                               run.file.time);
        });
}

}  // namespace

HitRecord record_of(const std::string& kind, const py::dict& fields) {
    std::optional<HitRecord> record;
    RecordFields all;
    visit_fields(all, [&]<class Record>(const Field& field, std::optional<Record>&) {
        if (field.name == kind) record = options_of<Record>(fields);
    });
    if (!record) {
        throw py::value_error("no kind of hit is called '" + kind +
                              "'; one of: " + RecordFields::kind_names());
    }
    unwrap(check_record(*record));
    return *record;
}

std::string help_of_records(const std::string& what) {
    std::string help = what + " `kind` is one of " + RecordFields::kind_names() + "; its fields:\n";
    RecordFields all;
    visit_fields(all, [&]<class Record>(const Field& field, std::optional<Record>&) {
        help += "\n" + help_of<Record>("Of a " + std::string(field.name) + ".");
    });
    return help;
}

double time_of(double time) { return checked(time, -kLongest, kLongest, "time"); }

void bind_journal(py::module_& module) {
    bind_one(module);
    bind_run(module);
}

}  // namespace ductile::python
