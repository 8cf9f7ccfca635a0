// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/deform/bend/bend_options.h>
#include <ductile/deform/deformer.h>
#include <ductile/deform/dent/dent_options.h>
#include <ductile/deform/example/example_options.h>
#include <ductile/deform/fracture/fracture_options.h>
#include <ductile/deform/layer_files.h>
#include <ductile/deform/shell/shell_options.h>

#include <memory>
#include <optional>
#include <vector>

namespace ductile {

/// The one list of layers: how a body deforms, an entry per layer. Without any it is rigid.
///
/// A new layer adds its options and its line here. Beside its options stands a function
/// `Result<std::shared_ptr<const Deformer>> make_layer(const Options&, const LayerFiles&)`.
struct LayerOptions {
    std::optional<DentOptions> dent{};
    std::optional<ShellOptions> shell{};
    std::optional<ExampleOptions> example{};
    std::optional<BendOptions> bend{};
    std::optional<FractureOptions> fracture{};

    bool is_empty() const;
};
template <class Visitor>
void visit_fields(LayerOptions& l, Visitor&& field) {
    field(Field{"dent", "", 0, 0, "dents where it is hit; {} takes every default"}, l.dent);
    field(Field{"shell", "", 0, 0, "crumples as sheet metal does; {} takes every default"},
          l.shell);
    field(Field{"example", "", 0, 0, "turns towards example poses of its rig where it is hit"},
          l.example);
    field(Field{"bend", "", 0, 0, "bends at the joints of a skeleton; {} takes every default"},
          l.bend);
    field(Field{"fracture", "", 0, 0, "breaks along a pattern; {} takes every default"},
          l.fracture);
}

/// The rules of a body, in the order of the list, which is the order in which they act.
/// Error (`where`: JSON pointer from the options on): a file that cannot be read, options without
/// sense.
Result<std::vector<std::shared_ptr<const Deformer>>> make_layers(const LayerOptions& options,
                                                                 const LayerFiles& files = {});

}  // namespace ductile
