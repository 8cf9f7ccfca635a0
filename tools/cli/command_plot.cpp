// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>

#include "command.h"
#include "cut_plot.h"
#include "filmed_body.h"
#include "interrupt.h"
#include "print.h"
#include "progress_bar.h"
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

namespace ductile::cli {
namespace {

constexpr double kPlotWidth = 800.0, kPlotHeight = 420.0, kPlotMargin = 56.0;  // [pixels]
constexpr std::string_view kAxisColours[] = {"#c0392b", "#27ae60", "#2456a4"};
constexpr std::string_view kAxisNames[] = {"dx", "dy", "dz"};

struct PlotArgs {
    std::string scene, body, out, cut, reference;
    std::vector<std::string> overrides;
};

struct OffsetTrack {
    std::vector<double> times;  ///< [s]
    std::vector<Vec3> offsets;  ///< Of a body's frame from where it began [m].
};

OffsetTrack offset_track(const FilmedBody& filmed) {
    OffsetTrack out;
    for (const Frame& frame : filmed.recording.frames) {
        const Vec3 start = filmed.recording.frames[0].bodies[filmed.at].pose_w.translation;
        out.times.push_back(frame.time);
        out.offsets.push_back(frame.bodies[filmed.at].pose_w.translation - start);
    }
    return out;
}

/// "z=0.2", or "z" for the middle of the body. Off it by a hair, so that no edge of a symmetric
/// mesh lies in the plane.
Result<CutPlane> cut_plane(const std::string& text, const Box& box) {
    const std::size_t sign = text.find('=');
    const std::size_t axis = std::string_view("xyz").find(text.substr(0, sign));
    const Error refusal{"a cut is x, y or z, or one of them and where, as in z=0.2", "--cut", ""};
    if (axis > 2 || text.empty()) return refusal;
    CutPlane plane{static_cast<int>(axis), box.centre()[static_cast<int>(axis)]};
    if (sign != std::string::npos) {
        const char* const end = text.data() + text.size();
        const auto read = std::from_chars(text.data() + sign + 1, end, plane.at);
        if (read.ec != std::errc() || read.ptr != end || !std::isfinite(plane.at)) return refusal;
    }
    plane.at += 1e-6 * box.diagonal();
    return plane;
}

/// A cut across the body in its own frame, at rest and in the last frame.
Result<std::string> cut_text(const FilmedBody& filmed, const std::string& cut,
                             const std::vector<Vec2>& points, const std::string& title) {
    const RecordedBody& body = filmed.recording.bodies[filmed.at];
    const std::span<const Vec3> rest = body.asset->surface.points;
    const std::int32_t last = filmed.recording.frames.back().bodies[filmed.at].shape;
    const std::span<const Vec3> now = body.shapes[static_cast<std::size_t>(last)];
    Box box = bounds(rest);
    const Result<CutPlane> plane = cut_plane(cut, box);
    if (!plane) return plane.error();
    const auto before = cut_at(rest, body.asset->surface.triangles, plane.value());
    const auto after = cut_at(now, body.asset->surface.triangles, plane.value());
    if (before.empty() && after.empty()) {
        return Error{"the plane does not meet the body", "--cut", "its box begins elsewhere"};
    }
    const Vec2 slack = Vec2::Constant(0.05 * box.diagonal());
    box.add(bounds(now));
    CutPlot plot(plane.value().flat(box.lower) - slack, plane.value().flat(box.upper) + slack);
    plot.add(before, "#c0bfbc", "stroke-width=\"1.5\"");
    plot.add(after, "#c01c28", "stroke-width=\"2\"");
    plot.add(points);
    return std::move(plot).finish(title, cut_points_caption(after, points));
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

int write_plot(const PlotArgs& args, const std::string& text) {
    const Status written = write_file(args.out, text);
    if (!written) print_error(written.error());
    return written ? kFine : kFailed;
}

int plot(const PlotArgs& args) {
    const std::optional<Scene> scene = open_scene(args.scene, args.overrides);
    if (!scene) return kBadInput;
    // What the words say is checked before minutes are spent on a run.
    const Result<CutPlane> plane = cut_plane(args.cut.empty() ? "x" : args.cut, bounds({}));
    const Result<std::vector<Vec2>> points = read_cut_points(args.reference);
    if (!plane || !points) {
        print_error(!plane ? plane.error() : points.error());
        return kBadInput;
    }
    catch_interrupts();
    ProgressBar bar(/*is_quiet*/ false, /*is_for_terminals*/ true);
    const Result<FilmedBody> body = film_body(*scene, args.body, bar.callback());
    bar.finish_stage();
    if (!body) {
        print_error(error_to_print(body.error()));
        return exit_code_after(kBadInput);
    }
    if (!args.cut.empty()) {
        const auto text = cut_text(body.value(), args.cut, points.value(),
                                   fmt::format("{}: {} cut across {}, at rest and at the end",
                                               scene->name, args.body, args.cut));
        if (!text) {
            print_error(text.error());
            return kBadInput;
        }
        return write_plot(args, text.value());
    }
    const OffsetTrack track = offset_track(body.value());
    const std::string title = fmt::format("{}: offset of {}", scene->name, args.body);
    if (const int written = write_plot(args, plot_text(track, title)); written != kFine) {
        return written;
    }
    Box range;
    for (const Vec3& o : track.offsets) range.add(o);
    const Vec3 last = track.offsets.back(), size = range.upper - range.lower;
    print_out("at the end {:.4g} {:.4g} {:.4g} m, range {:.4g} {:.4g} {:.4g} m\n", last.x(),
              last.y(), last.z(), size.x(), size.y(), size.z());
    return kFine;
}

}  // namespace

void add_plot(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<PlotArgs>();
    CLI::App* command =
        app.add_subcommand("plot", "runs a scene and plots a body's offset over time, or a cut");
    command->add_option("scene", args->scene, "a scene file, or a built-in scene's name")
        ->required()
        ->check(not_empty);
    command->add_option("body", args->body, "the body, or one copy")->required()->check(not_empty);
    command->add_option("-o,--out", args->out, "the SVG to write")
        ->required()
        ->check(ends_in(".svg"));
    command
        ->add_option("--cut", args->cut,
                     "plot a cut across x, y or z of the body's own frame instead, at rest and at "
                     "the end, through its middle or where it is told: z, z=0.2")
        ->check(not_empty);
    command->add_option("--reference", args->reference, "points to compare the cut with: CSV")
        ->needs("--cut")
        ->check(not_empty);
    add_overrides(*command, args->overrides);
    command->callback([args, &exit_code] { exit_code = plot(*args); });
}

}  // namespace ductile::cli
