// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/file_writer.h>
#include <ductile/core/parallel.h>
#include <ductile/export/table/shape_measures.h>
#include <ductile/export/table/tables.h>
#include <ductile/export/track/check_recording.h>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace ductile {
namespace {

/// Lines of cells in the making.
class Table {
public:
    explicit Table(std::string_view names) : text_(names) {}

    void cell(double value) { plain(fmt::format("{}", value)); }  // shortest that reads back
    void cell(std::size_t value) { plain(fmt::format("{}", value)); }
    void cell(const Vec3& v) {
        for (int i = 0; i < 3; ++i) cell(v[i]);
    }
    void cell(std::string_view text) {
        if (text.find_first_of(",\"\r\n") == std::string_view::npos) return plain(text);
        std::string quoted = "\"";
        for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
        plain(quoted + '"');
    }
    void end_line() {
        text_ += '\n';
        begins_line_ = true;
    }
    std::string take() { return std::move(text_); }

private:
    void plain(std::string_view text) {
        if (!begins_line_) text_ += ',';
        begins_line_ = false;
        text_ += text;
    }
    std::string text_;
    bool begins_line_ = true;
};

// Measures of every shape that a frame shows, by body and shape; work for all bodies at a time.
using Measured = std::vector<std::vector<ShapeMeasures>>;

Measured measure_bodies(const Recording& recording) {
    Measured measured(recording.bodies.size());
    parallel_for(measured.size(), 1, [&](std::size_t b) {
        const RecordedBody& body = recording.bodies[b];
        if (!body.asset) return;
        const TriMesh& rest = body.asset->surface;
        if (body.shapes.empty()) measured[b] = {measure_shape(rest, rest.points)};
        for (const std::vector<Vec3>& shape : body.shapes) {
            // What no frame shows was not checked, and is not asked for below.
            const bool is_sound =
                shape.size() == rest.points.size() &&
                std::all_of(shape.begin(), shape.end(), [](const Vec3& p) { return is_finite(p); });
            measured[b].push_back(is_sound ? measure_shape(rest, shape) : ShapeMeasures{});
        }
    });
    return measured;
}

std::string body_columns() {
    std::string names = "frame,time_s,body,x_m,y_m,z_m,qx,qy,qz,qw,shape";
    visit_measures(ShapeMeasures{},
                   [&](const char* name, const double*) { names += fmt::format(",{}", name); });
    return names + "\n";
}

void add_body_line(Table& table, const Recording& recording, std::size_t f, std::size_t b,
                   const Measured& measured) {
    const BodyFrame& at = recording.frames[f].bodies[b];
    table.cell(f);
    table.cell(recording.frames[f].time);
    table.cell(recording.bodies[b].name);
    table.cell(at.pose_w.translation);
    for (int i = 0; i < 4; ++i) table.cell(at.pose_w.rotation.coeffs()[i]);  // x, y, z, w
    table.cell(static_cast<std::size_t>(at.shape));
    const bool has_surface = !measured[b].empty();
    visit_measures(has_surface ? measured[b][at.shape] : ShapeMeasures{},
                   [&](const char*, const double* value) {
                       if (has_surface && value) return table.cell(*value);
                       table.cell(std::string_view());
                   });
    table.end_line();
}

}  // namespace

std::string impacts_table(const Recording& recording) {
    Table table(
        "time_s,body_a,body_b,x_m,y_m,z_m,nx,ny,nz,approach_speed_m_s,effective_mass_kg,"
        "damage_impulse_Ns\n");
    for (const RecordedImpact& impact : recording.impacts) {
        table.cell(impact.time);
        for (const std::int32_t body : impact.bodies) {
            table.cell(body < 0 ? std::string_view() : recording.bodies[body].name);
        }
        table.cell(impact.position_w);
        table.cell(impact.normal_w);
        table.cell(impact.approach_speed);
        table.cell(impact.effective_mass);
        table.cell(impact.damage_impulse);
        table.end_line();
    }
    return table.take();
}

std::string hits_table(const Recording& recording) {
    Table table("time_s,body,kind,x_body_m,y_body_m,z_body_m,size,unit\n");
    for (const RecordedHit& hit : recording.hits) {
        table.cell(hit.time);
        table.cell(recording.bodies[hit.body].name);
        table.cell(hit.kind);
        table.cell(hit.position_b);
        table.cell(hit.size);
        table.cell(hit.unit);
        table.end_line();
    }
    return table.take();
}

std::string energy_table(const Recording& recording) {
    std::string names = "frame,time_s";
    visit_entries(EnergyBalance{},
                  [&](const char* name, double) { names += fmt::format(",{}_J", name); });
    Table table(names + "\n");
    for (std::size_t f = 0; f < recording.energy.size(); ++f) {
        table.cell(f);
        table.cell(recording.frames[f].time);
        visit_entries(recording.energy[f], [&](const char*, double value) { table.cell(value); });
        table.end_line();
    }
    return table.take();
}

Result<std::string> bodies_table(const Recording& recording, const Checkpoint& checkpoint) {
    const Measured measured = measure_bodies(recording);
    Table table(body_columns());
    const std::size_t count = recording.frames.size();
    for (std::size_t f = 0; f < count; ++f) {
        for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
            if (recording.frames[f].bodies[b].is_present) {
                add_body_line(table, recording, f, b, measured);
            }
        }
        if (!checkpoint) continue;
        const double share = static_cast<double>(f + 1) / static_cast<double>(count);
        if (Status on = checkpoint(share); !on) return on.error();
    }
    return table.take();
}

Status write_tables(const Recording& recording, const std::filesystem::path& folder,
                    const Checkpoint& checkpoint) {
    if (Status good = check_recording(recording); !good) return good;
    Result<FolderWriter> files = FolderWriter::open(folder, ".csv");
    if (!files) return files.error();
    Result<std::string> bodies = bodies_table(recording, checkpoint);
    if (!bodies) return bodies.error();
    const std::pair<const char*, std::string> tables[] = {
        {"impacts.csv", impacts_table(recording)},
        {"hits.csv", hits_table(recording)},
        {"energy.csv", energy_table(recording)},
        {"bodies.csv", std::move(bodies).value()},
    };
    for (const auto& [name, text] : tables) {
        const Status done = write_file(files.value().path() / name, text);
        if (!done) return files.value().named(done.error());
    }
    return files.value().finish();
}

}  // namespace ductile
