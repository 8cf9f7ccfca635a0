// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/core/stop.h>
#include <ductile/geom/render_mesh.h>
#include <ductile/geom/rig.h>
#include <ductile/geom/tet_lattice.h>
#include <ductile/scene/rig_file.h>
#include <ductile/skin/bounded_weights.h>
#include <ductile/skin/fit_pose.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ductile {

/// What became of one pose of a rig file.
struct PoseReport {
    std::string name;
    std::string source;  ///< "handles", "animation", "morph", "copy" or "cache".
    /// How near the handles come to the copy that was drawn; nothing where there was none.
    std::optional<double> rms;    ///< By area [m].
    std::optional<double> worst;  ///< [m]
    std::vector<HandleSuggestion> suggestions;
};

/// A rig and the body it moves.
struct BuiltRig {
    std::shared_ptr<const SurfaceAsset> asset;
    double thickness = 0.0;  ///< Of its sheets [m]; 0: it is solid.
    double size = 0.0;       ///< Diagonal of the surface's box [m].
    Rig rig;
    std::shared_ptr<const TetLattice> lattice;  ///< Null where the weights are a skin's.
    std::optional<LatticeWeights> lattice_weights;
    std::vector<PoseReport> poses;
    std::vector<std::string> notes;  ///< What the user should know, in words.
};

/// Makes the body, its handles and weights, then every pose. `progress` tells the stages.
/// Error (`where`: the JSON pointer, or the file, that is at fault): what cannot be read or made,
/// animations that scale, names that the file does not know; `stop` was set.
Result<BuiltRig> build_rig(const RigFile& file, const Progress& progress = {},
                           const StopFlag* stop = nullptr);

/// The file with all that was found out written down: where automatic handles are, the lattice's
/// cell, and turns and moves of the poses that came from animations or copies of the mesh. Poses
/// told by handles stay as they are, to be edited. It builds the same rig, to the bit.
RigFile complete_rig_file(const RigFile& file, const BuiltRig& built);

}  // namespace ductile
