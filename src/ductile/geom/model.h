// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ductile {

/// A shape that a mesh can take: Blender's shape key, glTF's morph target.
struct ModelMorph {
    std::string name;
    std::vector<Vec3> moves;  ///< Per point of its mesh, in the mesh's frame.
};

/// One named mesh of a file, as the file has it: split vertices, its own normals, quads cut into
/// triangles. Arrays that the file does not give are empty; the others have one entry per point.
struct ModelMesh {
    std::string name;
    std::vector<Vec3> points;   ///< In the frame of the node that shows it.
    std::vector<Vec3> normals;  ///< As given: perhaps not of unit length, perhaps zero.
    std::vector<Vec2> uvs;      ///< (0, 0) is the upper left of the picture.
    std::vector<Vec4> colours;  ///< Linear RGBA.
    std::vector<Triangle> triangles;
    std::vector<std::int32_t> triangle_looks;       ///< Index into `Model::looks`, -1 for none.
    std::vector<std::array<std::int32_t, 4>> tets;  ///< Of a volume mesh, as the file has them.
    /// Of its skin, four per point and set: those of point i in set s stand at s * points + i.
    std::vector<std::array<std::int32_t, 4>> joints;
    std::vector<Vec4> joint_weights;  ///< As many as joints.
    std::vector<ModelMorph> morphs;
    /// Per point: the one of `Model::file_points` that it is a copy of. Empty: points are the
    /// file's.
    std::vector<std::int32_t> file_points;

    /// How many sets of four joints a point has.
    std::size_t joint_sets() const { return points.empty() ? 0 : joints.size() / points.size(); }
};

/// A place in the file's hierarchy. Parents come before their children.
struct ModelNode {
    std::string name;
    std::int32_t parent = -1;
    std::int32_t mesh = -1;  ///< Index into `Model::meshes`; several nodes may show one.
    std::int32_t skin = -1;  ///< Index into `Model::skins`.
    Mat4 to_parent = Mat4::Identity();
};

/// Bones that carry a mesh; plain data until rigging uses it.
struct ModelSkin {
    std::string name;
    std::vector<std::int32_t> joints;  ///< Nodes.
    std::vector<Mat4> inverse_binds;   ///< Per joint: from the mesh's rest frame to the joint's.
};

/// One animated property of one node, sampled; plain data until rigging uses it.
struct ModelChannel {
    enum class Target { Translation, Rotation, Scale, Weights };
    std::int32_t node = 0;
    Target target = Target::Translation;
    std::string interpolation = "LINEAR";  ///< Or "STEP", "CUBICSPLINE", as glTF names them.
    std::vector<double> times;             ///< Ascending [s].
    std::vector<double> values;            ///< As many per time as target and interpolation need.
};
struct ModelAnimation {
    std::string name;
    std::vector<ModelChannel> channels;
};

/// What a mesh file says, whatever its format: plain data, checked (indices in range, numbers
/// finite) but not mended. `prepare_asset` makes a body's shape of it.
struct Model {
    std::string format;  ///< "OBJ", "PLY", "GLB" ...
    std::vector<ModelNode> nodes;
    std::vector<ModelMesh> meshes;
    std::vector<Look> looks;
    std::vector<ModelSkin> skins;
    std::vector<ModelAnimation> animations;
    /// All points of the file, used or not, in its order, where meshes hold copies of them.
    std::vector<Vec3> file_points;
    std::optional<double> metres_per_unit;  ///< Where format or file says so.
    std::optional<int> up_axis;             ///< 0, 1 or 2, where format or file says so.
    /// What the reader left out or mended, in words, with line or byte: for the report.
    std::vector<std::string> notes;
};

}  // namespace ductile
