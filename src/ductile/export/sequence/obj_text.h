// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/export/track/written_vertices.h>
#include <ductile/geom/render_mesh.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// The looks of one or more meshes as an MTL file and picture files beside it.
class ObjMaterials {
public:
    /// Pictures are called `stem`_0, `stem`_1, ... Requires: meshes stay as long as this.
    explicit ObjMaterials(const std::string& stem);

    /// Takes in a mesh and returns the names of its looks, in their order, no two alike.
    const std::vector<std::string>& add(const RenderMesh& mesh);

    /// Writes the pictures into the folder of `path`, then the MTL file itself.
    Status write(const std::filesystem::path& path) const;

private:
    std::string picture_of(const Look& look);

    std::string stem_;
    std::size_t count_ = 0;
    std::string text_ = "# ductile\n";
    std::map<const RenderMesh*, std::vector<std::string>> names_;  ///< For look-up only.
    std::vector<std::shared_ptr<const Texture>> pictures_;
    std::vector<std::string> picture_names_;
};

/// Appends "v" lines of `points`, one per written vertex, and "vt" (0 is below) and "vn" lines, one
/// per drawn vertex: the shortest text that gives each float back. `normals` are of drawn vertices;
/// `to_file` moves both.
void append_obj_vertices(std::string& text, const RenderMesh& mesh, std::span<const Vec3> points,
                         std::span<const Vec3> normals, const Transform& to_file);

/// Appends the triangles, those of a part below a line of `part_keyword` ("o" or "g") and its name.
/// `before`: how many of each the file holds before those of this mesh.
struct ObjCounts {
    std::size_t vertices = 0;
    std::size_t uvs = 0;
    std::size_t normals = 0;
};
void append_obj_faces(std::string& text, const RenderMesh& mesh, const WrittenVertices& written,
                      std::span<const std::string> materials, char part_keyword,
                      const ObjCounts& before = {});

/// A name as it can stand on a line of its own: it may hold spaces, but must not end the line.
std::string obj_line_of(std::string name);

/// A name that may stand within a line: white space ends one.
std::string obj_word_of(std::string name);

}  // namespace ductile
