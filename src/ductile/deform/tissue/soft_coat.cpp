// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/soft_coat.h>
#include <ductile/deform/tissue/tissue_layout.h>
#include <ductile/geom/mass.h>

#include <fmt/format.h>

namespace ductile {
namespace {

// In sizes of the bone. From further off every place of it is as near as any other, and a search
// for the nearest goes through them all.
constexpr double kThickest = 100.0;

/// Whether a skin came from a file or a caller, not from a layout that makes its own.
bool is_given(const TriMesh* skin, const TissueOptions& options) {
    return skin != nullptr && (options.layout == TissueLayout::Surface || !options.skin.empty());
}

bool uses_thickness(const TriMesh* skin, const TissueOptions& options) {
    return options.layout == TissueLayout::Chain ||
           (options.layout == TissueLayout::Surface && skin == nullptr);
}

std::vector<Vec3> enlarged(const TriMesh& bone, double extrusion) {
    const Vec3 middle = bounds(bone.points).centre();
    std::vector<Vec3> out = bone.points;
    for (Vec3& p : out) p = middle + extrusion * (p - middle);
    return out;
}

/// Whether the skin is the bone's own surface, moved outwards: it need not be closed then.
double coat_mass(const TissueOptions& options, const TriMesh& bone, const TriMesh& skin,
                 bool is_moved_out) {
    if (options.mass > 0) return options.mass;
    if (is_moved_out) {
        return options.density * swept_volume(bone.points, skin.points, bone.triangles);
    }
    return options.density *
           (volume(skin.points, skin.triangles) - volume(bone.points, bone.triangles));
}

Result<TissueRig> make_rig(const TissueOptions& options, const TriMesh& bone, const TriMesh* skin,
                           const TissueMass& mass) {
    std::vector<TissueColumn> columns;
    if (options.layout == TissueLayout::Box) {
        columns = box_columns(bounds(bone.points), options);
    } else if (options.layout == TissueLayout::Chain) {
        columns = {chain_column(bounds(bone.points), options)};
    } else {
        Result<std::vector<TissueColumn>> made = surface_columns(bone, options, skin);
        if (!made) return made.error();
        columns = std::move(made).value();
    }
    return rig_of_columns(columns, options, mass);
}

}  // namespace

Status check_thickness(const TriMesh& bone, double thickness) {
    const double most = kThickest * bounds(bone.points).diagonal();
    if (thickness <= most) return {};
    return Error{fmt::format("a coat of {} m is too thick for its bone", thickness), "/thickness",
                 fmt::format("at most {:.3g} m: {} times the bone's size", most, kThickest)};
}

Result<SoftCoat> make_soft_coat(const TriMesh& bone, const TissueOptions& options, double bone_mass,
                                const TriMesh* skin) {
    if (uses_thickness(skin, options)) {
        if (Status fine = check_thickness(bone, options.thickness); !fine) return fine.error();
    }
    TriMesh moved;
    if (skin == nullptr) {
        const bool is_box = options.layout == TissueLayout::Box;
        moved = {
            is_box ? enlarged(bone, options.extrusion) : offset_points(bone, options.thickness),
            bone.triangles};
    }
    const TriMesh& surface = skin != nullptr ? *skin : moved;
    SoftCoat out;
    out.options = options;
    out.mass = coat_mass(options, bone, surface, skin == nullptr);
    if (!(out.mass > 0)) {
        // One around the bone has more volume than the bone.
        if (is_given(skin, options)) return skin_beside_bone();
        return Error{"there is no room between bone and skin", "", "give it a mass"};
    }
    Result<TissueRig> rig = make_rig(options, bone, skin, {out.mass, bone_mass});
    if (!rig) return rig.error();
    out.surface = surface.points;
    out.skin = std::make_shared<const TissueSkin>(out.surface, rig.value());
    out.rig = std::make_shared<const TissueRig>(std::move(rig).value());
    return out;
}

}  // namespace ductile
