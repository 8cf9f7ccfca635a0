// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>
#include <ductile/io/read_model.h>

#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// Adds the materials of a Wavefront material library to `looks`; one of a name that is there
/// already replaces nothing. What cannot be read is left at its default and told in `notes`.
///
/// Kd is the base colour (taken as linear, as ductile writes it), d or 1 - Tr the opacity, Pr and
/// Pm roughness and metallic, Ns a roughness where Pr is absent; map_Kd the texture, PNG or JPEG,
/// from the asset's folder only.
void read_mtl(std::string_view text, std::string_view name, const ReadContext& context,
              std::vector<Look>& looks, std::vector<std::string>& notes);

}  // namespace ductile
