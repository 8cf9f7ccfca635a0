// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/run_frames.h>

#include "command.h"
#include "interrupt.h"
#include "print.h"
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace ductile::cli {
namespace {

constexpr double kPlotWidth = 800.0, kPlotHeight = 420.0, kPlotMargin = 56.0;  // [pixels]
constexpr std::string_view kAxisColours[] = {"#c0392b", "#27ae60", "#2456a4"};
constexpr std::string_view kAxisNames[] = {"dx", "dy", "dz"};

struct PlotArgs {
    std::string scene, body, out;
    std::vector<std::string> overrides;
};

struct OffsetTrack {
    std::vector<double> times;  ///< [s]
    std::vector<Vec3> offsets;  ///< Of a body's frame from where it began [m].
};

Result<OffsetTrack> offset_track(const Scene& scene, const std::string& name) {
    Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene, {}, stop_flag());
    if (!bodies) return bodies.error();
    std::size_t at = 0;
    while (at < bodies.value().size() && bodies.value()[at].name != name) ++at;
    if (at == bodies.value().size()) return Error{"there is no such body", name, ""};
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    Simulation simulation(*engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    const auto ids = populate(scene, bodies.value(), simulation, recorder);
    if (!ids) return ids.error();
    if (Status ran = run_frames(scene, simulation, recorder); !ran) return ran.error();
    const Recording recording = std::move(recorder).finish(simulation);
    OffsetTrack out;
    for (const Frame& frame : recording.frames) {
        const Vec3 start = recording.frames[0].bodies[at].pose_w.translation;
        out.times.push_back(frame.time);
        out.offsets.push_back(frame.bodies[at].pose_w.translation - start);
    }
    return out;
}

std::string plot_text(const OffsetTrack& track, const std::string& title) {
    double low = 0.0, high = 0.0;
    for (const Vec3& o : track.offsets) {
        low = std::min(low, o.minCoeff());
        high = std::max(high, o.maxCoeff());
    }
    const double span = high > low ? high - low : 1.0;
    const double end = track.times.back() > 0 ? track.times.back() : 1.0;
    const auto x_of = [&](double time) {
        return kPlotMargin + time / end * (kPlotWidth - 2.0 * kPlotMargin);
    };
    const auto y_of = [&](double value) {
        return kPlotHeight - kPlotMargin - (value - low) / span * (kPlotHeight - 2.0 * kPlotMargin);
    };
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"13\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
        "<text x=\"{2}\" y=\"28\" font-size=\"15\">{3}</text>\n",
        kPlotWidth, kPlotHeight, kPlotMargin, title);
    for (int i = 0; i <= 4; ++i) {
        const double value = low + span * i / 4.0, y = y_of(value), time = end * i / 4.0;
        out += fmt::format(
            "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n"
            "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g} m</text>\n"
            "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.3g} s</text>\n",
            kPlotMargin, kPlotWidth - kPlotMargin, y, y, kPlotMargin - 4, y + 4, value, x_of(time),
            kPlotHeight - kPlotMargin + 20, time);
    }
    for (int axis = 0; axis < 3; ++axis) {
        out += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"",
                           kAxisColours[axis]);
        for (std::size_t i = 0; i < track.times.size(); ++i) {
            out +=
                fmt::format("{:.1f},{:.1f} ", x_of(track.times[i]), y_of(track.offsets[i][axis]));
        }
        out += fmt::format("\"/>\n<text x=\"{}\" y=\"28\" fill=\"{}\">{}</text>\n",
                           kPlotWidth - kPlotMargin - 100 + 40 * axis, kAxisColours[axis],
                           kAxisNames[axis]);
    }
    return out + "</svg>\n";
}

int plot(const PlotArgs& args) {
    const std::optional<Scene> scene = open_scene(args.scene, args.overrides);
    if (!scene) return kBadInput;
    const Result<OffsetTrack> track = offset_track(*scene, args.body);
    if (!track) {
        print_error(track.error());
        return kBadInput;
    }
    const std::string title = fmt::format("{}: offset of {}", scene->name, args.body);
    if (Status written = write_file(args.out, plot_text(track.value(), title)); !written) {
        print_error(written.error());
        return kFailed;
    }
    Box range;
    for (const Vec3& o : track.value().offsets) range.add(o);
    const Vec3 last = track.value().offsets.back(), size = range.upper - range.lower;
    print_out("at the end {:.4g} {:.4g} {:.4g} m, range {:.4g} {:.4g} {:.4g} m\n", last.x(),
              last.y(), last.z(), size.x(), size.y(), size.z());
    return kFine;
}

}  // namespace

void add_plot(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<PlotArgs>();
    CLI::App* command =
        app.add_subcommand("plot", "runs a scene and plots the offset of a body over time");
    command->add_option("scene", args->scene, "a scene file, or a built-in scene's name")
        ->required()
        ->check(not_empty);
    command->add_option("body", args->body, "the body, or one copy")->required()->check(not_empty);
    command->add_option("-o,--out", args->out, "the SVG to write")->required()->check(not_empty);
    add_overrides(*command, args->overrides);
    command->callback([args, &exit_code] { exit_code = plot(*args); });
}

}  // namespace ductile::cli
