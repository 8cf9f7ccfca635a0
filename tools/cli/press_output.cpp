// SPDX-License-Identifier: MIT
#include "press_output.h"

#include <ductile/core/file.h>
#include <ductile/export/glb/glb.h>
#include <ductile/export/sequence/obj.h>
#include <ductile/export/sequence/point_cache.h>
#include <ductile/export/sequence/write_ply.h>
#include <ductile/export/usd/usd.h>
#include <ductile/render/image.h>
#include <ductile/render/renderer.h>
#include <ductile/skin/carry_damage.h>
#include <ductile/skin/render_skin.h>

#include "interrupt.h"
#include "press_marks.h"
#include "write_pictures.h"

#include <algorithm>
#include <cmath>

namespace ductile::cli {
namespace {

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

void paint(std::span<const Vec4> of_points, SurfaceAsset& asset) {
    asset.render.colours.assign(asset.render.points.size(), Vec4::Zero());
    for (std::size_t v = 0; v < asset.anchors.size(); ++v) {
        const SurfaceAnchor& anchor = asset.anchors[v];
        for (int k = 0; k < 3; ++k) {
            asset.render.colours[v] += anchor.weights[k] * of_points[anchor.points[k]];
        }
    }
}

/// An asset with its surface elsewhere: what is drawn goes along.
SurfaceAsset moved_asset(const std::shared_ptr<const SurfaceAsset>& rest,
                         const std::vector<Vec3>& points) {
    SurfaceAsset asset = *rest;
    if (points == rest->surface.points) return asset;
    RenderSkin(rest).pose(points, asset.render.points, asset.render.normals);
    asset.surface.points = points;
    return asset;
}

/// The soft asset as it is after the press.
SurfaceAsset pressed_asset(const PressedStill& still) {
    SurfaceAsset asset = moved_asset(still.soft, still.pressed.points);
    if (still.is_painted()) {
        for (Look& look : asset.render.looks) {
            look.base_colour = Vec3::Constant(0.8);
            look.metallic = 0.0;
            look.texture = nullptr;
        }
        if (still.shows_left) {
            paint(left_colours(still), asset);
        } else {
            paint(still.pressed, asset);
        }
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

/// What a picture must hold: the soft body at all frames and what is near it of the rigid one.
Box shown_box(const Recording& recording) {
    const auto box_of = [&](std::size_t body) {
        Box box = bounds(recording.bodies[body].asset->render.points);
        for (const std::vector<Vec3>& shape : recording.bodies[body].shapes) {
            box.add(bounds(shape));
        }
        return box;
    };
    Box box = box_of(0);
    if (recording.bodies.size() < 2) return box;
    const Vec3 slack = Vec3::Constant(0.35 * box.diagonal());
    const Box rigid = box_of(1);
    const Box near{(box.lower - slack).cwiseMax(rigid.lower),
                   (box.upper + slack).cwiseMin(rigid.upper)};
    if (!near.is_empty()) box.add(near);
    return box;
}

struct PressView {
    Camera camera;
    RenderOptions options;
};

// From in front and a little above, or from where `towards` leads.
PressView view_of_press(const Recording& recording, const Vec3& towards) {
    const Box box = shown_box(recording);
    PressView view;
    view.options.width = 960;
    view.options.height = 640;
    view.options.stop = stop_flag();
    for (const RecordedBody& body : recording.bodies) {
        double& ground = view.options.ground_height;
        ground = std::min(ground, bounds(body.asset->render.points).lower.y());
        for (const std::vector<Vec3>& shape : body.shapes) {
            ground = std::min(ground, bounds(shape).lower.y());
        }
    }
    view.camera.target_w = box.centre();
    view.camera.eye_w =
        box.centre() + 1.75 * box.diagonal() * (Vec3(0.25, 0.2, 0.95) + towards).normalized();
    return view;
}

/// `notes` gets what is drawn otherwise than its file says.
Result<Renderer> make_press_renderer(const Recording& recording, std::vector<std::string>& notes) {
    Result<Renderer> renderer = Renderer::make(recording);
    if (renderer) notes = renderer.value().notes();
    return renderer;
}

// Where the contact is to be seen, from its side.
Status draw_still(const Recording& recording, const Pressed& pressed, bool is_painted,
                  const std::filesystem::path& path, std::vector<std::string>& notes) {
    Result<Renderer> renderer = make_press_renderer(recording, notes);
    if (!renderer) return renderer.error();
    const Vec3 centre = shown_box(recording).centre();
    Vec3 contact = Vec3::Zero();
    for (std::size_t v = 0; v < pressed.zone.size(); ++v) {
        if (pressed.zone[v] >= 0) contact += (pressed.points[v] - centre).normalized();
    }
    const bool is_aside = is_painted && contact.norm() > 0;
    PressView view =
        view_of_press(recording, is_aside ? Vec3(contact.normalized()) : Vec3(Vec3::Zero()));
    view.options.samples = 32;
    view.options.has_ground = !is_painted;
    const Result<Image> image =
        renderer.value().draw(recording.frames[0], view.camera, view.options);
    if (!image) return image.error();
    return write_png(path, image.value());
}

}  // namespace

PressOutputKind press_output_kind(const std::filesystem::path& path) {
    const std::string kind = path.extension().string();
    if (kind == ".obj" || kind == ".ply" || kind == ".png") return PressOutputKind::Still;
    if (kind == ".glb") return PressOutputKind::StillOrFilm;
    if (kind == ".pc2" || kind == ".mdd" || kind == ".usda" || kind == ".mp4" || kind == ".webm") {
        return PressOutputKind::Film;
    }
    return PressOutputKind::Unknown;
}

bool keeps_vertices(const std::filesystem::path& path) {
    const std::string kind = path.extension().string();
    return kind == ".obj" || kind == ".ply" || kind == ".pc2" || kind == ".mdd" || kind == ".usda";
}

Status write_press_still(const PressedStill& still, const std::filesystem::path& path,
                         std::vector<std::string>& notes) {
    SurfaceAsset soft = pressed_asset(still);
    const std::string kind = path.extension().string();
    if (kind == ".obj") return write_obj(soft, soft.render.points, soft.render.normals, path);
    if (kind == ".ply") {
        const DamageMap damage = carry_damage(
            soft, damage_map(still.before, still.pressed.points, still.soft->surface.triangles));
        const Result<std::string> bytes =
            ply_bytes(soft, soft.render.points, soft.render.normals, damage);
        return bytes ? write_file(path, bytes.value()) : Status(bytes.error());
    }
    Recording recording = one_frame(std::move(soft), moved_asset(still.rigid, still.rigid_points));
    if (kind == ".glb") return write_glb(recording, path);
    if (still.is_painted()) {  // The rigid body would hide what is to be seen.
        recording.bodies.pop_back();
        recording.frames[0].bodies.pop_back();
    }
    return draw_still(recording, still.pressed, still.is_painted(), path, notes);
}

Status write_press_film(const Recording& recording, const std::filesystem::path& path,
                        bool has_new_mesh, const Progress& progress,
                        std::vector<std::string>& notes) {
    const Checkpoint checkpoint = [&](double share) {
        if (progress) progress("write", share);
        return go_on();
    };
    const std::string kind = path.extension().string();
    if (kind == ".glb") return write_glb(recording, path, {.damage = false});
    if (kind == ".usda") {
        const Result<UsdReport> done = write_usd(recording, path, {.damage = false}, checkpoint);
        return done ? Status() : Status(done.error());
    }
    if (kind == ".pc2" || kind == ".mdd") {
        const SurfaceAsset& rest = *recording.bodies[0].asset;
        if (has_new_mesh) {
            std::filesystem::path mesh = path;
            mesh.replace_extension(".obj");
            const Status written = write_obj(rest, rest.render.points, rest.render.normals, mesh);
            if (!written) return written;
        }
        const PointCacheKind cache = kind == ".pc2" ? PointCacheKind::Pc2 : PointCacheKind::Mdd;
        return write_point_cache(recording, 0, cache, CacheSpace::World, path, checkpoint);
    }
    Result<Renderer> renderer = make_press_renderer(recording, notes);
    if (!renderer) return renderer.error();
    PressView view = view_of_press(recording, Vec3::Zero());
    view.options.width = 640;
    view.options.height = 428;
    return write_film(
        path, recording.frame_rate, recording.frames.size(), checkpoint, [&](std::size_t i) {
            return renderer.value().draw(recording.frames[i], view.camera, view.options);
        });
}

}  // namespace ductile::cli
