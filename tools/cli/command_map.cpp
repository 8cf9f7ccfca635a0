// SPDX-License-Identifier: MIT
// What is pressed in, drawn: the maps of a projectile stage by stage, or of a file.
#include <ductile/core/file.h>
#include <ductile/deform/dent/height_map.h>
#include <ductile/io/heights/read_heights.h>
#include <ductile/scene/body_asset.h>

#include "command.h"
#include "input_files.h"
#include "interrupt.h"
#include "map_stages.h"
#include "press_input.h"
#include "print.h"
#include <fmt/format.h>

#include <memory>

namespace ductile::cli {
namespace {

struct MapArgs {
    PressSource source;
    std::string out = "out/map";
    std::vector<double> turn;  ///< An axis and an angle [degrees], or empty.
    MapKnobs knobs;
    bool is_quiet = false;
};

/// What the command writes.
struct MapFigures {
    Image pictures;
    std::string curves;
    std::string summary;
};

std::string ending_of(const std::string& name) {
    std::string ending = std::filesystem::path(name).extension().string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return ending;
}

// Heights of a PNG, or of a grey PFM; vectors of a colour PFM or a table.
Result<VectorMap> read_map(const std::string& name) {
    const std::string ending = ending_of(name);
    if (ending != ".png") {
        Result<VectorFile> file = read_vector_file(name);
        if (file) return std::move(file.value().map);
        if (ending != ".pfm") return file.error();
    }
    const Result<HeightPicture> picture = read_heights(std::filesystem::path(name));
    if (!picture) return picture.error();
    const HeightPicture& p = picture.value();
    Result<DentMap> map = heights_map(p.columns, p.rows, p.heights, 1.0, 1.0);
    if (!map) return Error{map.error().what, name, map.error().hint};
    const std::size_t count = map.value().depths.size();
    return VectorMap{std::move(map).value(), std::vector<Vec2>(count, Vec2::Zero())};
}

Result<MapFigures> figures_of_file(const std::string& name) {
    const Result<VectorMap> map = read_map(name);
    if (!map) return map.error();
    Result<Image> pictures = vector_pictures(map.value());
    if (!pictures) return pictures.error();
    double furthest = 0.0;
    for (const Vec2& aside : map.value().aside) furthest = std::max(furthest, aside.norm());
    return MapFigures{
        std::move(pictures).value(), curve_sheet(vector_curves(map.value())),
        fmt::format("{} x {} samples, {:.3g} deep, up to {:.3g} sideways", map.value().in.columns,
                    map.value().in.rows, map.value().in.deepest(), furthest)};
}

Result<MapFigures> figures_of_projectile(const MapArgs& args) {
    const Result<PressInput> opened = open_press_input(args.source);
    if (!opened) return opened.error();
    TriMesh mesh = opened.value().asset->surface;
    if (!args.turn.empty()) {
        const Vec3 axis(args.turn[0], args.turn[1], args.turn[2]);
        const Quat by(Eigen::AngleAxisd(args.turn[3] * (kPi / 180.0), axis.normalized()));
        for (Vec3& p : mesh.points) p = by * p;
    }
    MapKnobs knobs = args.knobs;
    const Result<MapStages> stages = map_stages(mesh, knobs);
    if (!stages) return Error{stages.error().what, args.source.name, stages.error().hint};
    Result<Image> pictures = stage_pictures(stages.value());
    if (!pictures) return pictures.error();
    const DentMap& map = stages.value().smoothed;
    return MapFigures{std::move(pictures).value(),
                      curve_sheet(stage_curves(mesh, stages.value(), knobs)),
                      fmt::format("{} x {} samples, {:.3g} m apart, {:.3g} m deep", map.columns,
                                  map.rows, map.cell, map.deepest())};
}

bool is_map_file(const std::string& name) {
    const std::string ending = ending_of(name);
    return ending == ".png" || ending == ".pfm" || ending == ".csv" || ending == ".txt";
}

int run_map(const MapArgs& args) {
    const auto fail = [](const Error& error, int code) {
        print_error(error);
        return exit_code_after(code);
    };
    const std::filesystem::path folder = args.out;
    const std::filesystem::path maps = folder / "maps.png", curves = folder / "curves.svg";
    if (const Status fine = check_outputs({maps, curves}, {args.source.name}); !fine) {
        return fail(fine.error(), kBadInput);
    }
    clean_when_cut_off(folder);
    const bool is_file = is_map_file(args.source.name);
    const Result<MapFigures> figures =
        is_file ? figures_of_file(args.source.name) : figures_of_projectile(args);
    if (!figures) return fail(figures.error(), kBadInput);
    if (Status done = write_png(maps, figures.value().pictures); !done) {
        return fail(done.error(), kFailed);
    }
    if (Status done = write_file(curves, figures.value().curves); !done) {
        return fail(done.error(), kFailed);
    }
    if (!args.is_quiet) {
        print_out("{}: {}\nOpen:\n  {}\n  {}\n", args.source.name, figures.value().summary,
                  maps.string(), curves.string());
    }
    return kFine;
}

// What is for a projectile has no effect on a map that is read.
std::optional<Error> check_map_args(const CLI::App& command, const MapArgs& args) {
    if (!args.turn.empty() && Vec3(args.turn[0], args.turn[1], args.turn[2]).isZero()) {
        return Error{"the axis has no length", "--turn", "such as --turn 0,0,1,90"};
    }
    if (!is_map_file(args.source.name)) return std::nullopt;
    for (const char* name : {"--size", "--resolution", "--turn", "--distance", "--smoothing",
                             "--grid", "--slant", "--widening"}) {
        if (command.count(name) > 0) {
            return Error{"is for a projectile, not for a map that is read from a file", name, ""};
        }
    }
    return std::nullopt;
}

void add_projectile(CLI::App& command, MapArgs& args) {
    const auto add_number = [&](const char* name, auto& value, double lower, double upper,
                                const char* help) {
        command.add_option(name, value, help)->type_name("NUMBER")->check(in_range(lower, upper));
    };
    command.add_option("--size", args.source.size, "of a solid [m]")
        ->type_name("X,Y,Z")
        ->delimiter(',')
        ->expected(3)
        ->check(in_range(1e-6, 1e4));
    add_number("--resolution", args.source.resolution, 0, 1e4, "edge length of a solid [m]");
    command.add_option("--turn", args.turn, "turn it first: an axis and an angle [degrees]")
        ->type_name("X,Y,Z,ANGLE")
        ->delimiter(',')
        ->expected(4)
        ->check(in_range(-1e6, 1e6));
    add_number("--distance", args.knobs.distance, 0, 1e4,
               "how far it is pressed in [m] [a fifth of its height]");
    add_number("--smoothing", args.knobs.smoothing, 0, 1, "how softly the dent runs out [0.25]");
    add_number("--grid", args.knobs.grid, 8, 200, "samples along the longer side at most [100]");
    add_number("--slant", args.knobs.slant_deg, 0, 79, "of the glancing impact [degrees] [45]");
    add_number("--widening", args.knobs.widening, 0, 10, "of the glancing dent [2]");
}

}  // namespace

void add_map(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<MapArgs>();
    CLI::App* command = app.add_subcommand(
        "map", "draw what a body presses in, stage by stage, or the dent map of a file");
    command
        ->add_option("shape", args->source.name,
                     "a mesh file or a solid's name, which comes down along -y; or a map: .png, "
                     ".pfm, .csv, .txt")
        ->type_name("SHAPE")
        ->required()
        ->check(not_empty);
    add_projectile(*command, *args);
    command->add_option("-o,--out", args->out, "the folder for maps.png and curves.svg [out/map]")
        ->type_name("FOLDER")
        ->check(not_empty);
    command->add_flag("-q,--quiet", args->is_quiet, "print errors only");
    command->callback([args, command, &exit_code] {
        if (const std::optional<Error> wrong = check_map_args(*command, *args)) {
            print_error(*wrong);
            exit_code = kBadInput;
            return;
        }
        catch_interrupts();
        exit_code = run_map(*args);
    });
}

}  // namespace ductile::cli
