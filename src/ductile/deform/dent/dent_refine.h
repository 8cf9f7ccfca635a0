// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/deformer.h>
#include <ductile/deform/dent/dent_options.h>

#include <vector>

namespace ductile {

/// The part of a dent's plane that is at least half as deep as its deepest place.
struct DentPrint {
    double reach = 0.0;  ///< From the dent's place to its furthest point [m].
    double width = 0.0;  ///< Radius that a round one of this reach would have to be as large [m].
};
DentPrint dent_print(const DentHit& hit);

/// Length of the edges that a body's mesh will have under a dent that reaches about as far as this
/// [m]: what it can show by then.
double edge_under_dent(const DentRefineOptions& options, const BodyShape& shape, double reach);

/// The finer meshes that a dent needs to be shown, one per place that it struck: at its rest place,
/// as far as the print and its rim reach, with as many edges along its width as the options ask
/// for. None where the mesh is as fine. Their limits do not count: what they leave to be done is
/// asked of the record.
std::vector<HitRecord> meshes_under_dent(const DentRefineOptions& options, const DentHit& hit,
                                         const StruckBody& body);

}  // namespace ductile
