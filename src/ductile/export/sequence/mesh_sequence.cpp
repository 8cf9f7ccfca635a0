// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/file_writer.h>
#include <ductile/core/parallel.h>
#include <ductile/export/sequence/mesh_sequence.h>
#include <ductile/export/sequence/obj_text.h>
#include <ductile/export/sequence/ply_buffer.h>
#include <ductile/export/track/body_poser.h>
#include <ductile/export/track/check_recording.h>
#include <ductile/export/track/written_vertices.h>

#include <fmt/format.h>

#include <limits>
#include <vector>

namespace ductile {
namespace {

/// The bodies of a recording that can be drawn.
struct Cast {
    std::vector<BodyPoser> posers;
    std::vector<std::size_t> bodies;  ///< Which one each of them is.
    std::vector<WrittenVertices> written;

    explicit Cast(const Recording& recording) {
        for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
            if (!BodyPoser::can_show(recording, b)) continue;
            posers.emplace_back(recording, b);
            bodies.push_back(b);
            written.emplace_back(posers.back().asset().render);
        }
    }
    void show(std::size_t frame) {
        parallel_for(posers.size(), 1, [&](std::size_t i) { posers[i].show(frame); });
    }
};

class ObjFrames {
public:
    ObjFrames(const Recording& recording, const std::string& name)
        : recording_(recording), materials_(name), library_(name + ".mtl") {}

    static constexpr const char* kEnding = ".obj";
    static constexpr const char* kEndings = ".obj .mtl .png .jpg";

    /// What the frames refer to comes first.
    Status begin(const Cast& cast, const std::filesystem::path& folder) {
        for (const BodyPoser& poser : cast.posers) {
            names_.push_back(&materials_.add(poser.asset().render));
        }
        return materials_.write(folder / library_);
    }

    Result<std::string> frame(Cast& cast) const {
        std::vector<ObjCounts> before(cast.posers.size());
        ObjCounts counts;
        for (std::size_t i = 0; i < cast.posers.size(); ++i) {
            before[i] = counts;
            if (!cast.posers[i].is_present()) continue;
            counts.vertices += cast.written[i].count();
            counts.uvs += cast.posers[i].asset().render.uvs.size();
            counts.normals += cast.posers[i].normals().size();
        }
        std::vector<std::string> objects(cast.posers.size());
        parallel_for(objects.size(), 1, [&](std::size_t i) {
            const BodyPoser& poser = cast.posers[i];
            if (!poser.is_present()) return;
            const RenderMesh& mesh = poser.asset().render;
            objects[i] = fmt::format("o {}\n", obj_line_of(recording_.bodies[cast.bodies[i]].name));
            append_obj_vertices(objects[i], mesh, cast.written[i].points(poser.points()),
                                poser.normals(), poser.pose_w());
            append_obj_faces(objects[i], mesh, cast.written[i], *names_[i], 'g', before[i]);
        });
        std::string text = fmt::format("# ductile\nmtllib {}\n", library_);
        for (const std::string& object : objects) text += object;
        return text;
    }

private:
    const Recording& recording_;
    ObjMaterials materials_;
    std::string library_;
    std::vector<const std::vector<std::string>*> names_;
};

class PlyFrames {
public:
    static constexpr const char* kEnding = ".ply";
    static constexpr const char* kEndings = ".ply";

    Status begin(const Cast& cast, const std::filesystem::path& folder) {
        std::size_t all = 0;
        for (const WrittenVertices& written : cast.written) all += written.count();
        for (std::size_t i = 0; i < cast.posers.size(); ++i) {
            has_corner_uvs_ |= has_seams(cast.posers[i].asset().render, cast.written[i]);
        }
        if (all <= std::numeric_limits<std::int32_t>::max()) return {};
        return Error{"more vertices than the format can count", folder.string(), ""};
    }

    Result<std::string> frame(Cast& cast) const {
        std::vector<PlyBuffer> vertices(cast.posers.size());
        parallel_for(vertices.size(), 1, [&](std::size_t i) {
            if (!cast.posers[i].is_present()) return;
            vertices[i] = vertices_of(cast.posers[i], cast.written[i],
                                      static_cast<std::int32_t>(cast.bodies[i]));
        });
        std::size_t vertex_count = 0, face_count = 0;
        PlyBuffer faces;
        for (std::size_t i = 0; i < cast.posers.size(); ++i) {
            if (!cast.posers[i].is_present()) continue;
            const RenderMesh& mesh = cast.posers[i].asset().render;
            const auto first = static_cast<std::int32_t>(vertex_count);
            for (const Triangle& drawn : mesh.triangles) {
                Triangle t = drawn;
                for (std::int32_t& v : t) v = first + cast.written[i].of_drawn(v);
                faces.add(t);
                if (has_corner_uvs_) faces.add_uvs(mesh.uvs, drawn);
            }
            vertex_count += cast.written[i].count();
            face_count += mesh.triangles.size();
        }
        std::string bytes = header(vertex_count, face_count);
        for (PlyBuffer& part : vertices) {
            if (!part.all_fit()) return Error{"a number fits into no float", "", ""};
            bytes += part.take();
        }
        return bytes + faces.take();
    }

private:
    static PlyBuffer vertices_of(BodyPoser& poser, const WrittenVertices& written,
                                 std::int32_t body) {
        const auto pick = [&]<class T>(const std::vector<T>& values, const T& none) {
            return written.pick(std::span<const T>(values), [&](std::size_t) { return none; });
        };
        const Transform& pose_w = poser.pose_w();
        const std::vector<Vec3> points = written.points(poser.points());
        const std::vector<Vec3> normals = written.normals(poser.normals());
        std::vector<Vec2> uvs;
        if (!poser.asset().render.uvs.empty()) uvs = pick(poser.asset().render.uvs, Vec2(0, 1));
        const std::vector<double> depth = pick(poser.damage().depth, 0.0);
        const std::vector<double> strain = pick(poser.damage().strain, 0.0);
        const std::vector<Vec3> scratch = pick(poser.damage().scratch, Vec3(0, 0, 0));
        PlyBuffer out;
        for (std::size_t i = 0; i < points.size(); ++i) {
            out.add_all(pose_w.point(points[i]));
            out.add_all(pose_w.direction(normals[i]));
            out.add_all(uvs.empty() ? Vec2(0, 0) : Vec2(uvs[i].x(), 1.0 - uvs[i].y()));
            out.add(depth[i]);
            out.add(strain[i]);
            out.add_all(pose_w.direction(scratch[i]));
            out.add_index(body);
        }
        return out;
    }

    std::string header(std::size_t vertex_count, std::size_t face_count) const {
        std::string text = fmt::format(
            "ply\nformat binary_little_endian 1.0\ncomment made by ductile\n"
            "comment units: metres\ncomment up axis: y\nelement vertex {}\n",
            vertex_count);
        for (const char* name : {"x", "y", "z", "nx", "ny", "nz", "s", "t", "dent_depth", "strain",
                                 "scratch_x", "scratch_y", "scratch_z"}) {
            text += fmt::format("property float {}\n", name);
        }
        text += fmt::format(
            "property int body\nelement face {}\nproperty list uchar int vertex_indices\n",
            face_count);
        if (has_corner_uvs_) text += kPlyCornerUvs;
        return text + "end_header\n";
    }

    bool has_corner_uvs_ = false;
};

template <class Frames>
Status write_sequence(const Recording& recording, const std::filesystem::path& folder,
                      const std::string& name, Frames&& frames, const Checkpoint& checkpoint) {
    if (Status good = check_recording(recording); !good) return good;
    Cast cast(recording);
    if (cast.posers.empty()) return Error{"no body has anything to draw", folder.string(), ""};
    Result<FolderWriter> files = FolderWriter::open(folder, Frames::kEndings);
    if (!files) return files.error();
    const std::filesystem::path& inside = files.value().path();
    if (Status done = frames.begin(cast, inside); !done) return files.value().named(done.error());
    const std::size_t count = recording.frames.size();
    for (std::size_t f = 0; f < count; ++f) {
        cast.show(f);
        Result<std::string> bytes = frames.frame(cast);
        if (!bytes) return bytes.error();
        const std::string file = fmt::format("{}.{:04}{}", name, f, Frames::kEnding);
        if (Status done = write_file(inside / file, bytes.value()); !done) {
            return files.value().named(done.error());
        }
        if (!checkpoint) continue;
        const double share = static_cast<double>(f + 1) / static_cast<double>(count);
        if (Status on = checkpoint(share); !on) return on;
    }
    return files.value().finish();
}

}  // namespace

Status write_obj_sequence(const Recording& recording, const std::filesystem::path& folder,
                          const std::string& name, const Checkpoint& checkpoint) {
    return write_sequence<ObjFrames>(recording, folder, name, ObjFrames(recording, name),
                                     checkpoint);
}

Status write_ply_sequence(const Recording& recording, const std::filesystem::path& folder,
                          const std::string& name, const Checkpoint& checkpoint) {
    return write_sequence<PlyFrames>(recording, folder, name, PlyFrames(), checkpoint);
}

}  // namespace ductile
