// SPDX-License-Identifier: MIT
// The field lists of scenes and rigs, compiled once (core/field_view.h).
#include <ductile/scene/rig_file.h>
#include <ductile/scene/scene.h>

namespace ductile {

template StructView field_view_detail::struct_view(Scene&);
template StructView field_view_detail::struct_view(SceneBody&);
template StructView field_view_detail::struct_view(RigFile&);

}  // namespace ductile
