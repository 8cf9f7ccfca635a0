// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/bend_deformer.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/deform/example/example_deformer.h>
#include <ductile/deform/fracture/fracture_deformer.h>
#include <ductile/deform/layers.h>
#include <ductile/deform/shell/shell_deformer.h>

namespace ductile {

bool LayerOptions::is_empty() const {
    bool is_any = false;
    // Field lists take a reference that may be written to; this visitor only reads.
    visit_fields(const_cast<LayerOptions&>(*this),
                 [&](const Field&, const auto& layer) { is_any = is_any || layer.has_value(); });
    return !is_any;
}

Result<std::vector<std::shared_ptr<const Deformer>>> make_layers(const LayerOptions& options,
                                                                 const LayerFiles& files) {
    std::vector<std::shared_ptr<const Deformer>> layers;
    std::optional<Error> problem;
    visit_fields(const_cast<LayerOptions&>(options), [&](const Field& field, const auto& layer) {
        if (!layer || problem) return;
        Result<std::shared_ptr<const Deformer>> made = make_layer(*layer, files);
        if (made) {
            layers.push_back(std::move(made).value());
            return;
        }
        problem = made.error();
        problem->where = "/" + std::string(field.name) + problem->where;
    });
    if (problem) return *problem;
    return layers;
}

}  // namespace ductile
