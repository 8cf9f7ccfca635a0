// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/tissue/tissue_options.h>
#include <ductile/deform/tissue/tissue_rig.h>
#include <ductile/deform/tissue/tissue_skin.h>
#include <ductile/geom/tri_mesh.h>

#include <memory>
#include <vector>

namespace ductile {

/// A soft coat for bones of one shape: its particles, and the surface that they carry. Never
/// changes; shared by all bodies of a kind. `TissueLayer::add` puts it on a bone.
struct SoftCoat {
    TissueOptions options{};
    double mass = 0.0;            ///< Of the coat alone [kg].
    std::vector<Vec3> surface{};  ///< The skin's points at rest, in the bone's frame [m].
    std::shared_ptr<const TissueRig> rig{};
    std::shared_ptr<const TissueSkin> skin{};  ///< Carries the surface's points.
};

/// Error (`where` from the options on): so thick a coat that its skin would not be made in time.
Status check_thickness(const TriMesh& bone, double thickness);

/// Makes a coat around a bone's surface, in the bone's frame.
///
/// `skin` is what the coat fills and carries; if null, the bone's own surface moved outwards, with
/// its triangles: by `thickness`, or in a box layout `extrusion` times as large. `bone_mass` is
/// that of the bone alone [kg], 0 for one that nothing can push. Error (`where` from the options
/// on): no room between bone and skin, too many particles, what check_tissue and check_thickness
/// refuse.
Result<SoftCoat> make_soft_coat(const TriMesh& bone, const TissueOptions& options, double bone_mass,
                                const TriMesh* skin = nullptr);

}  // namespace ductile
