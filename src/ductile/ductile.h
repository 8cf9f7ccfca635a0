// SPDX-License-Identifier: MIT
#pragma once

// All of ductile's public headers at once: `using namespace ductile` and go. A large program
// includes only those it needs and compiles sooner. None of them needs another library's headers
// but Eigen's, fmt's and nlohmann_json's; a program with a Bullet world of its own includes
// Bullet's beside this one.

#include <ductile/core/json_fields.h>
#include <ductile/core/math.h>
#include <ductile/core/parallel.h>
#include <ductile/core/result.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/deformer.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/deform/journal.h>
#include <ductile/deform/journal_io.h>
#include <ductile/deform/layers.h>
#include <ductile/deform/press/extensions/press_both.h>
#include <ductile/deform/press/extensions/press_refine.h>
#include <ductile/deform/press/press.h>
#include <ductile/deform/press/press_frames.h>
#include <ductile/deform/tissue/soft_coat.h>
#include <ductile/deform/tissue/tissue_layout.h>
#include <ductile/deform/tissue/tissue_skin.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/engine.h>
#include <ductile/export/glb/glb.h>
#include <ductile/export/player/player.h>
#include <ductile/export/sequence/mesh_sequence.h>
#include <ductile/export/sequence/obj.h>
#include <ductile/export/sequence/point_cache.h>
#include <ductile/export/sequence/write_ply.h>
#include <ductile/export/table/tables.h>
#include <ductile/export/usd/usd.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/render_mesh.h>
#include <ductile/io/load_asset.h>
#include <ductile/material/material.h>
#include <ductile/render/contact_sheet.h>
#include <ductile/render/film.h>
#include <ductile/render/renderer.h>
#include <ductile/scene/build.h>
#include <ductile/scene/camera_path.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/replay.h>
#include <ductile/scene/run_frames.h>
#include <ductile/scene/scene_file.h>
#include <ductile/sim/drive.h>
#include <ductile/sim/live_layer.h>
#include <ductile/sim/press_recording.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>
#include <ductile/sim/tissue_layer.h>
#include <ductile/skin/carry_damage.h>
#include <ductile/skin/render_skin.h>
#include <ductile/solids/solids.h>
