// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/scene/builtin_rigs.h>

#include <vector>

namespace ductile {
namespace {

// Where rigs that come along look for their files: as if they lay in the project they came from.
constexpr const char* kRigFolder = "rigs";
// Of a lattice around a skinned mesh, about.
constexpr std::size_t kSkinNodes = 4000;

}  // namespace

const BuiltinRig* find_builtin_rig(std::string_view name) {
    for (const BuiltinRig& rig : builtin_rigs()) {
        if (rig.name == name) return &rig;
    }
    return nullptr;
}

std::string builtin_rig_hint(std::string_view typed) {
    std::vector<std::string_view> names;
    for (const BuiltinRig& rig : builtin_rigs()) names.push_back(rig.name);
    return suggestion(typed, names);
}

LoadedRigFile load_builtin_rig(const BuiltinRig& rig, std::span<const std::string> overrides) {
    return parse_rig(rig.text, std::string(rig.name) + ".json", overrides, kRigFolder);
}

Result<std::shared_ptr<const ExampleRig>> example_rig(const BuiltRig& built,
                                                      double weight_threshold) {
    auto out = std::make_shared<ExampleRig>();
    const TriMesh& surface = built.asset->surface;
    out->rig = built.rig;
    out->threshold = weight_threshold;
    out->points = surface.points;
    out->box = bounds(surface.points);
    out->lattice = built.lattice;
    if (built.lattice_weights) out->node_weights = built.lattice_weights->nodes;
    if (!out->lattice) {
        const SurfaceQuery query(surface.points, surface.triangles);
        const Result<double> cell = lattice_cell(query, kSkinNodes);
        if (!cell) return cell.error();
        Result<TetLattice> lattice = TetLattice::make(query, cell.value());
        if (!lattice) return lattice.error();
        out->lattice = std::make_shared<const TetLattice>(std::move(lattice).value());
    }
    return std::shared_ptr<const ExampleRig>(std::move(out));
}

}  // namespace ductile
