// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/parallel.h>
#include <ductile/export/table/shape_measures.h>
#include <ductile/export/table/tables.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <support/near.h>
#include <support/temp_folder.h>

#include <map>

using namespace ductile;

namespace {

// A reader of the tests' own, as RFC 4180 has it: rows of cells.
using Rows = std::vector<std::map<std::string, std::string>>;

std::vector<std::string> next_line(const std::string& text, std::size_t& at) {
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (is_quoted) {
            if (c != '"') {
                cells.back() += c;
            } else if (at + 1 < text.size() && text[at + 1] == '"') {
                cells.back() += text[++at];
            } else {
                is_quoted = false;
            }
        } else if (c == '"' && cells.back().empty()) {
            is_quoted = true;
        } else if (c == ',') {
            cells.emplace_back();
        } else if (c == '\n') {
            ++at;
            return cells;
        } else {
            cells.back() += c;
        }
    }
    FAIL("the last line has no end");
    return cells;
}

Rows read_table(const std::string& text) {
    std::size_t at = 0;
    const std::vector<std::string> names = next_line(text, at);
    Rows rows;
    while (at < text.size()) {
        const std::vector<std::string> cells = next_line(text, at);
        REQUIRE(cells.size() == names.size());
        rows.emplace_back();
        for (std::size_t i = 0; i < cells.size(); ++i) rows.back()[names[i]] = cells[i];
    }
    return rows;
}

double number(const std::string& cell) {
    REQUIRE_FALSE(cell.empty());
    return std::stod(cell);
}

Recording with_everything() {
    Recording r = sample::busy();
    r.bodies[0].name = "a \"big\", round\nthing";
    RecordedImpact impact;
    impact.time = 1.0 / 3.0;
    impact.bodies = {-1, 0};
    impact.position_w = Vec3(0.1, -2e-300, 1e20);
    impact.approach_speed = 3.25;
    impact.effective_mass = 12.0;
    impact.damage_impulse = 39.0;
    r.impacts = {impact};
    for (std::size_t f = 0; f < r.frames.size(); ++f) {
        r.energy.push_back({.start = 5.0, .forces = 0.1 * double(f), .now = 4.0});
    }
    return r;
}

}  // namespace

TEST_CASE("tables give back every number and name") {
    const Recording r = with_everything();
    const Rows impacts = read_table(impacts_table(r));
    REQUIRE(impacts.size() == 1);
    CHECK(impacts[0].at("body_a") == "");
    CHECK(impacts[0].at("body_b") == r.bodies[0].name);
    CHECK(number(impacts[0].at("time_s")) == 1.0 / 3.0);
    CHECK(number(impacts[0].at("x_m")) == 0.1);
    CHECK(number(impacts[0].at("y_m")) == -2e-300);
    CHECK(number(impacts[0].at("z_m")) == 1e20);
    CHECK(number(impacts[0].at("ny")) == 1.0);
    CHECK(number(impacts[0].at("approach_speed_m_s")) == 3.25);
    CHECK(number(impacts[0].at("effective_mass_kg")) == 12.0);
    CHECK(number(impacts[0].at("damage_impulse_Ns")) == 39.0);

    const Rows hits = read_table(hits_table(r));
    REQUIRE(hits.size() == 2);
    CHECK(hits[1].at("body") == r.bodies[0].name);
    CHECK(number(hits[1].at("z_body_m")) == 0.5);
    CHECK(number(hits[1].at("size")) == 0.05);

    const Rows energy = read_table(energy_table(r));
    REQUIRE(energy.size() == r.frames.size());
    CHECK(number(energy[30].at("forces_J")) == 0.1 * 30);
    CHECK(number(energy[30].at("gap_J")) == r.energy[30].gap());
    CHECK(number(energy[30].at("time_s")) == r.frames[30].time);
}

TEST_CASE("the table of bodies has a line per frame at which a body is there") {
    const Recording r = with_everything();
    const Rows rows = read_table(bodies_table(r).value());
    const TriMesh& ball = r.bodies[0].asset->surface;
    const ShapeMeasures rest = measure_shape(ball, ball.points);
    std::map<std::string, std::size_t> count;
    for (const auto& row : rows) ++count[row.at("body")];
    CHECK(count.at(r.bodies[0].name) == 40);
    CHECK(count.at("body 3") == 25);
    CHECK(count.count("body 4") == 0);
    CHECK(count.at("locator") == 40);
    for (const auto& row : rows) {
        const auto f = static_cast<std::size_t>(number(row.at("frame")));
        if (row.at("body") == "locator") CHECK(row.at("area_m2") == "");
        if (row.at("body") == "body 2") CHECK(row.at("volume_m3") == "");  // it is open
        if (row.at("body") != r.bodies[0].name) continue;
        const BodyFrame& at = r.frames[f].bodies[0];
        CHECK(number(row.at("y_m")) == at.pose_w.translation.y());
        CHECK(number(row.at("qw")) == at.pose_w.rotation.w());
        CHECK(number(row.at("shape")) == at.shape);
        const double depth = f < 10 ? 0.0 : 0.08;
        CHECK(test::within(number(row.at("moved_m")), depth, 1e-6 * 0.08));
        const double volume = number(row.at("volume_m3"));
        CHECK((f < 10 ? volume == *rest.volume : volume < *rest.volume - 0.002));
    }
}

TEST_CASE("the tables are the same on any number of threads, and come as a folder") {
    const Recording r = with_everything();
    const std::string first = bodies_table(r).value();
    for (const int threads : {1, 8}) {
        const ThreadLimit limit(threads);
        CHECK(bodies_table(r).value() == first);
    }
    const test::TempFolder folder;
    REQUIRE(write_tables(r, folder.path / "csv").ok());
    using Names = std::vector<std::string>;
    CHECK(folder.names("csv") == Names{"bodies.csv", "energy.csv", "hits.csv", "impacts.csv"});
    CHECK(read_file(folder.path / "csv" / "bodies.csv").value() == first);
    const Status stopped = write_tables(r, folder.path / "csv", [](double) -> Status {
        return Error{"enough", "", ""};
    });
    CHECK_FALSE(stopped.ok());
    CHECK(folder.names() == Names{"csv"});
}

TEST_CASE("a shape at rest measures nothing but its volume and area") {
    const auto ball = sample::ball(24);
    const ShapeMeasures m = measure_shape(ball->surface, ball->surface.points);
    CHECK(test::near(*m.volume, kPi / 6.0, 0.01));
    CHECK(test::near(m.area, kPi, 0.01));
    CHECK(m.moved == 0.0);
    CHECK(m.depth == 0.0);
    CHECK(m.rim == 0.0);
    CHECK(m.dent_volume == 0.0);
    CHECK(m.damaged_area == 0.0);
    CHECK(m.strain == 0.0);
    CHECK_FALSE(measure_shape(sample::ball(4, true)->surface, sample::ball(4, true)->surface.points)
                    .volume.has_value());
}

TEST_CASE("a ball that shrinks is dented everywhere, by what it lost") {
    const auto ball = sample::ball(24);
    std::vector<Vec3> smaller = ball->surface.points;
    for (Vec3& p : smaller) p *= 0.98;  // by 1 cm
    const ShapeMeasures m = measure_shape(ball->surface, smaller);
    CHECK(test::near(m.moved, 0.01, 1e-5));
    CHECK(test::near(m.mean_moved, 0.01, 1e-5));
    CHECK(test::near(m.depth, 0.01, 0.01));
    CHECK(test::near(m.dent_volume, 0.01 * kPi, 0.02));
    CHECK(test::near(m.damaged_area, kPi, 0.01));
    CHECK(test::near(m.strain, 0.02, 1e-5));
    CHECK(test::near(m.mean_strain, 0.02, 1e-5));
    CHECK(test::near(*m.volume, std::pow(0.98, 3) * kPi / 6.0, 0.01));
}
