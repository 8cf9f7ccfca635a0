// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/deform/press/press.h>
#include <ductile/export/glb.h>
#include <ductile/export/obj.h>
#include <ductile/export/write_ply.h>
#include <ductile/geom/solids.h>
#include <ductile/io/load_asset.h>
#include <ductile/record/recording.h>
#include <ductile/render/image.h>
#include <ductile/render/renderer.h>
#include <ductile/skin/carry_damage.h>
#include <ductile/skin/render_skin.h>

#include "command.h"
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace ductile::cli {
namespace {

// Linear RGB of solids, to tell them apart.
const Vec3 kSoftColour(0.75, 0.28, 0.2), kRigidColour(0.2, 0.24, 0.3);

struct PressWords {
    std::string soft, rigid, out;
    std::vector<double> soft_at = {0, 0, 0}, rigid_at = {0, 0, 0};
    std::vector<double> soft_size, rigid_size;
    double resolution = 0.0;
    std::vector<std::string> overrides;
    bool is_json = false;
    bool shows_contact = false;
};

Vec3 vec_of(const std::vector<double>& words) { return {words[0], words[1], words[2]}; }

// A mesh file, in its own units and axes since two files must stay beside each other as they are;
// or a solid by its name.
Result<SurfaceAsset> open_asset(const std::string& name, const std::vector<double>& at,
                                const std::vector<double>& size, double resolution,
                                const Vec3& colour) {
    SurfaceAsset asset;
    const auto kinds = enum_names(SolidKind::Box);
    const auto kind = std::find(kinds.begin(), kinds.end(), name);
    if (kind != kinds.end()) {
        SolidOptions options;
        options.kind = static_cast<SolidKind>(kind - kinds.begin());
        if (!size.empty()) options.size = vec_of(size);
        options.resolution = resolution;
        Result<SurfaceAsset> made = make_solid(options);
        if (!made) return made.error();
        asset = std::move(made.value());
        asset.render.looks[0].base_colour = colour;
        asset.render.looks[0].metallic = 0.0;
    } else {
        if (!size.empty()) return Error{"a size is for solids; a file has its own", name, ""};
        Result<PreparedAsset> loaded = load_asset(name, {.scale = 1.0, .up = UpAxis::Y});
        if (!loaded) return loaded.error();
        asset = std::move(loaded.value().asset);
    }
    for (Vec3& p : asset.surface.points) p += vec_of(at);
    for (Vec3& p : asset.render.points) p += vec_of(at);
    return asset;
}

// The zone red, the radial parameter in waves, one a fifth: vertices are too far apart for edges.
void paint(const Pressed& pressed, SurfaceAsset& asset) {
    const Vec4 zone(0.9, 0.12, 0.08, 1), dark(0.35, 0.5, 0.8, 1), light(0.85, 0.9, 1, 1);
    asset.render.colours.assign(asset.render.points.size(), Vec4::Ones());
    for (std::size_t v = 0; v < asset.anchors.size(); ++v) {
        const SurfaceAnchor& anchor = asset.anchors[v];
        double radial = 0.0, contact = 0.0;
        for (int k = 0; k < 3; ++k) {
            radial += anchor.weights[k] * pressed.radial[anchor.points[k]];
            contact += anchor.weights[k] * (pressed.zone[anchor.points[k]] >= 0 ? 1.0 : 0.0);
        }
        if (radial >= 1.0) continue;
        const double wave = 0.5 + 0.5 * std::cos(10.0 * kPi * radial);
        const Vec4 band = wave * dark + (1.0 - wave) * light;
        asset.render.colours[v] = contact * zone + (1.0 - contact) * band;
    }
}

/// The soft asset as it is after the press: what was moved is its shape at rest from now on.
SurfaceAsset pressed_asset(const std::shared_ptr<const SurfaceAsset>& rest, const Pressed& pressed,
                           bool shows_contact) {
    SurfaceAsset asset = *rest;
    RenderSkin(rest).pose(pressed.points, asset.render.points, asset.render.normals);
    asset.surface.points = pressed.points;
    if (shows_contact) {
        for (Look& look : asset.render.looks) {
            look.base_colour = Vec3::Constant(0.8);
            look.metallic = 0.0;
            look.texture = nullptr;
        }
        paint(pressed, asset);
    }
    return asset;
}

Recording one_frame(SurfaceAsset soft, SurfaceAsset rigid) {
    Recording recording;
    Frame& frame = recording.frames.emplace_back();
    const auto add = [&](const char* name, SurfaceAsset asset) {
        RecordedBody& body = recording.bodies.emplace_back();
        body.name = name;
        body.is_static = true;
        body.asset = std::make_shared<const SurfaceAsset>(std::move(asset));
        frame.bodies.emplace_back();
    };
    add("soft", std::move(soft));
    add("rigid", std::move(rigid));
    return recording;
}

/// What a picture must hold: the soft body and what is near it of the rigid one.
Box shown_box(const Recording& recording) {
    Box box = bounds(recording.bodies[0].asset->render.points);
    if (recording.bodies.size() < 2) return box;
    const Vec3 slack = Vec3::Constant(0.35 * box.diagonal());
    const Box rigid = bounds(recording.bodies[1].asset->render.points);
    const Box near{(box.lower - slack).cwiseMax(rigid.lower),
                   (box.upper + slack).cwiseMin(rigid.upper)};
    if (!near.is_empty()) box.add(near);
    return box;
}

// From in front and a little above; where the contact is to be seen, from its side.
Status draw_pressed(const Recording& recording, const Pressed& pressed, bool shows_contact,
                    const std::filesystem::path& path) {
    Result<Renderer> renderer = Renderer::make(recording);
    if (!renderer) return renderer.error();
    const Box box = shown_box(recording);
    Vec3 towards(0.25, 0.2, 0.95);
    Vec3 contact = Vec3::Zero();
    for (std::size_t v = 0; v < pressed.zone.size(); ++v) {
        if (pressed.zone[v] >= 0) contact += (pressed.points[v] - box.centre()).normalized();
    }
    if (shows_contact && contact.norm() > 0) towards += contact.normalized();
    RenderOptions options;
    options.width = 960;
    options.height = 640;
    options.samples = 32;
    options.has_ground = !shows_contact;
    for (const RecordedBody& body : recording.bodies) {
        options.ground_height =
            std::min(options.ground_height, bounds(body.asset->render.points).lower.y());
    }
    Camera camera;
    camera.target_w = box.centre();
    camera.eye_w = box.centre() + 1.75 * box.diagonal() * towards.normalized();
    const Result<Image> image = renderer.value().draw(recording.frames[0], camera, options);
    if (!image) return image.error();
    return write_png(path, image.value());
}

Status write_pressed(const PressWords& words, const std::shared_ptr<const SurfaceAsset>& rest,
                     const Pressed& pressed, SurfaceAsset rigid) {
    SurfaceAsset soft = pressed_asset(rest, pressed, words.shows_contact);
    const std::filesystem::path path(words.out);
    const std::string kind = path.extension().string();
    if (kind == ".obj") return write_obj(soft, soft.render.points, soft.render.normals, path);
    if (kind == ".ply") {
        const DamageMap damage = carry_damage(
            soft, damage_map(rest->surface.points, pressed.points, rest->surface.triangles));
        const Result<std::string> bytes =
            ply_bytes(soft, soft.render.points, soft.render.normals, damage);
        return bytes ? write_file(path, bytes.value()) : Status(bytes.error());
    }
    Recording recording = one_frame(std::move(soft), std::move(rigid));
    if (kind == ".glb") return write_glb(recording, path);
    if (words.shows_contact) {  // The rigid body would hide what is to be seen.
        recording.bodies.pop_back();
        recording.frames[0].bodies.pop_back();
    }
    return draw_pressed(recording, pressed, words.shows_contact, path);
}

Json report_json(const PressReport& r) {
    return {{"overlaps", r.overlaps},
            {"zones", r.zones},
            {"fallbacks", r.fallbacks},
            {"contact_points", r.contact_points},
            {"moved_points", r.moved_points},
            {"working_points", r.working_points},
            {"stiffness_m", r.stiffness},
            {"extent_m", r.extent},
            {"displaced_volume_m3", r.displaced_volume},
            {"volume_change_m3", r.volume_change},
            {"notes", r.notes}};
}

void print_report(const PressReport& r) {
    fmt::print("overlaps  {}, left as they were: {}\n", r.overlaps, r.fallbacks);
    fmt::print("contact   {} zones, {} points; {} points moved of {} solved for\n", r.zones,
               r.contact_points, r.moved_points, r.working_points);
    fmt::print("options   stiffness {:.4g} m, extent {:.4g} m\n", r.stiffness, r.extent);
    fmt::print("volume    {:.4g} m^3 displaced, changed by {:.3g} m^3\n", r.displaced_volume,
               r.volume_change);
    for (const std::string& note : r.notes) fmt::print("note      {}\n", note);
}

int press_files(const PressWords& words) {
    PressOptions options;
    for (const std::string& override : words.overrides) {
        if (const Status set = set_field(options, override); !set) {
            print_error({set.error().what, "--set " + override, set.error().hint});
            return kBadInput;
        }
    }
    const std::string kind = std::filesystem::path(words.out).extension().string();
    if (kind != ".obj" && kind != ".ply" && kind != ".glb" && kind != ".png") {
        print_error({"the name must end in .obj, .ply, .glb or .png", words.out, ""});
        return kBadInput;
    }
    Result<SurfaceAsset> soft =
        open_asset(words.soft, words.soft_at, words.soft_size, words.resolution, kSoftColour);
    Result<SurfaceAsset> rigid =
        open_asset(words.rigid, words.rigid_at, words.rigid_size, words.resolution, kRigidColour);
    for (const auto* asset : {&soft, &rigid}) {
        if (*asset) continue;
        print_error(asset->error());
        return kBadInput;
    }
    const auto rest = std::make_shared<const SurfaceAsset>(std::move(soft.value()));
    const Result<Pressed> pressed = press_soft(rest->surface, rigid.value().surface, options);
    if (!pressed) {
        print_error(pressed.error());
        return kBadInput;
    }
    if (const Status written =
            write_pressed(words, rest, pressed.value(), std::move(rigid.value()));
        !written) {
        print_error(written.error());
        return kFailed;
    }
    if (words.is_json) {
        fmt::print("{}", json_text(report_json(pressed.value().report)));
    } else {
        print_report(pressed.value().report);
    }
    return kFine;
}

}  // namespace

void add_press(CLI::App& app, int& exit_code) {
    auto words = std::make_shared<PressWords>();
    CLI::App* command = app.add_subcommand(
        "press", "squash a soft mesh onto a rigid one that it overlaps, and let it bulge");
    command->add_option("soft", words->soft, "a mesh file, or a solid's name, as in sphere")
        ->type_name("SOFT")
        ->required()
        ->check(not_empty);
    command->add_option("rigid", words->rigid, "what presses: the same")
        ->type_name("RIGID")
        ->required()
        ->check(not_empty);
    command->add_option("-o,--out", words->out, "the result: .obj, .ply, .glb or .png")
        ->type_name("FILE")
        ->required()
        ->check(not_empty);
    const auto add_triple = [&](const char* name, std::vector<double>& value, const char* help) {
        command->add_option(name, value, help)
            ->type_name("X,Y,Z")
            ->delimiter(',')
            ->expected(3)
            ->check(in_range(-1e4, 1e4));
    };
    add_triple("--soft-at", words->soft_at, "move the soft mesh by so much [m]");
    add_triple("--rigid-at", words->rigid_at, "move the rigid mesh by so much [m]");
    add_triple("--soft-size", words->soft_size, "of a soft solid [m]");
    add_triple("--rigid-size", words->rigid_size, "of a rigid solid [m]");
    command->add_option("--resolution", words->resolution, "edge length of solids [m]")
        ->type_name("NUMBER")
        ->check(in_range(0, 1e4));
    command
        ->add_option("--set", words->overrides,
                     "change an option, as in --set bulge=0.5; may be repeated: the table in "
                     "docs/deformers/press.md")
        ->type_name("FIELD=VALUE")
        ->allow_extra_args(false);
    command->add_flag(
        "--show-contact", words->shows_contact,
        "paint the contact zone and the radial parameter; a PNG leaves the rigid body out");
    command->add_flag("--json", words->is_json, "the report as JSON");
    command->callback([words, &exit_code] { exit_code = press_files(*words); });
}

}  // namespace ductile::cli
