// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/export/usd/usd_body.h>

#include <cstdint>
#include <map>
#include <vector>

namespace ductile {

/// Every shape that a body shows, as its render mesh has it, in the floats that files hold.
///
/// 44 bytes per render vertex and shape.
class UsdShapes {
public:
    struct Shape {
        std::vector<Eigen::Vector3f> points, normals, scratch;
        std::vector<float> depth, strain;
    };

    /// Poses each shape once. Requires: check_recording is content; BodyPoser::can_show.
    UsdShapes(const Recording& recording, std::size_t body, bool has_damage);

    std::size_t frame_count() const { return of_frame_.size(); }
    const Shape& at(std::size_t frame) const { return shapes_.at(of_frame_[frame]); }
    bool is_same(std::size_t a, std::size_t b) const { return of_frame_[a] == of_frame_[b]; }

private:
    std::vector<std::int32_t> of_frame_;
    std::map<std::int32_t, Shape> shapes_;
};

/// One mesh of a body: a run of its render vertices and triangles.
struct UsdMeshPart {
    std::string prim;  ///< Its name.
    MeshPart run;      ///< Where its vertices and triangles are.
};

/// What the meshes of one body share.
struct UsdMeshContext {
    const RenderMesh& mesh;
    const UsdShapes& shapes;
    const std::vector<double>& time_codes;  ///< Per frame.
    double codes_per_second = 30.0;
    const std::vector<std::string>& materials;  ///< Paths, per look.
    bool is_open = false;                       ///< Both sides are drawn then.
    UsdOptions options;
};

/// Appends a Mesh prim with its samples, UVs, colours, damage and material subsets.
/// Requires: a run with triangles.
void append_usd_mesh(UsdText& text, const UsdMeshContext& context, const UsdMeshPart& part);

}  // namespace ductile
