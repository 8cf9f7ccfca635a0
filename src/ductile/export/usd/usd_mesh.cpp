// SPDX-License-Identifier: MIT
// UsdGeomMesh, UsdGeomSubset and primvars, as their schemas (openusd.org) have them.
#include <ductile/export/track/body_poser.h>
#include <ductile/export/track/written_vertices.h>
#include <ductile/export/usd/usd_mesh.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr const char* kBindsMaterial = "prepend apiSchemas = [\"MaterialBindingAPI\"]";

using Shape = UsdShapes::Shape;

template <class T>
std::span<const T> run_of(const std::vector<T>& values, const MeshPart& run) {
    return std::span(values).subspan(run.first_vertex, run.vertex_count);
}

template <class T>
bool is_alike(const std::vector<T>& a, const std::vector<T>& b, const MeshPart& run) {
    const auto first = run_of(a, run), second = run_of(b, run);
    return std::equal(first.begin(), first.end(), second.begin());
}

bool is_alike(const Shape& a, const Shape& b, const MeshPart& run) {
    return is_alike(a.points, b.points, run) && is_alike(a.normals, b.normals, run);
}

std::vector<Eigen::Vector3f> to_floats(std::span<const Vec3> values) {
    std::vector<Eigen::Vector3f> out;
    out.reserve(values.size());
    for (const Vec3& v : values) out.push_back(v.cast<float>());
    return out;
}

constexpr const char* kPerVertex = "interpolation = \"vertex\"";
constexpr const char* kPerCorner = "interpolation = \"faceVarying\"";

template <class Vector, class T>
void append_list(UsdText& text, std::string head, const std::vector<T>& values,
                 std::string_view metadata = "") {
    head += " = ";
    append_usd(head, std::span<const Vector>(values));
    text.property(head, metadata);
}

float none_of(float) { return 0.0f; }
Eigen::Vector3f none_of(const Eigen::Vector3f&) { return Eigen::Vector3f::Zero(); }

/// Writes the attributes of one mesh that change over time.
class SampledMesh {
public:
    SampledMesh(UsdText& text, const UsdMeshContext& context, const MeshPart& run,
                const WrittenVertices& written)
        : text_(text), context_(context), run_(run), written_(written) {
        const UsdShapes& shapes = context.shapes;
        frames_ = usd_frames(shapes.frame_count(), [&](std::size_t a, std::size_t b) {
            return shapes.is_same(a, b) || is_alike(shapes.at(a), shapes.at(b), run);
        });
        for (const std::size_t f : frames_) times_.push_back(context.time_codes[f]);
    }

    bool moves() const { return frames_.size() > 1; }

    // A value per written vertex.
    template <class T>
    void append(std::string_view declaration, std::vector<T> Shape::*member,
                std::string_view metadata = "") const {
        text_.attribute(
            declaration, times_,
            [&](std::size_t s, std::string& out) {
                const std::vector<T> values = written_.pick(
                    std::span<const T>(at(s).*member), [](std::size_t) { return none_of(T()); });
                append_usd(out, std::span<const T>(values));
            },
            metadata);
    }

    void append_points() const {
        text_.attribute("point3f[] points", times_, [&](std::size_t s, std::string& out) {
            append_usd(out, std::span<const Eigen::Vector3f>(points(s)));
        });
    }

    // Of drawn vertices, which corners name.
    void append_corner_normals(const std::vector<std::int32_t>& corners) const {
        text_.attribute(
            "normal3f[] primvars:normals", times_,
            [&](std::size_t s, std::string& out) { append_usd(out, run_of(at(s).normals, run_)); },
            kPerCorner);
        append_list<std::int32_t>(text_, "int[] primvars:normals:indices", corners);
    }

    void append_extent() const {
        text_.attribute("float3[] extent", times_, [&](std::size_t s, std::string& out) {
            const std::vector<Eigen::Vector3f> points = this->points(s);
            std::vector<Eigen::Vector3f> box = {points[0], points[0]};
            for (const Eigen::Vector3f& p : points) {
                box[0] = box[0].cwiseMin(p);
                box[1] = box[1].cwiseMax(p);
            }
            append_usd(out, std::span<const Eigen::Vector3f>(box));
        });
    }

    // Of the straight lines that readers blend along, so that both ways to blend agree: from each
    // sample to the next.
    void append_velocities() const {
        text_.attribute("vector3f[] velocities", times_, [&](std::size_t s, std::string& out) {
            std::vector<Eigen::Vector3f> velocities(written_.count(), Eigen::Vector3f::Zero());
            if (s + 1 < frames_.size()) {
                const auto seconds =
                    static_cast<float>((times_[s + 1] - times_[s]) / context_.codes_per_second);
                const std::vector<Eigen::Vector3f> from = points(s), to = points(s + 1);
                for (std::size_t v = 0; v < from.size(); ++v) {
                    velocities[v] = (to[v] - from[v]) / seconds;
                }
            }
            append_usd(out, std::span<const Eigen::Vector3f>(velocities));
        });
    }

private:
    const Shape& at(std::size_t sample) const { return context_.shapes.at(frames_[sample]); }
    std::vector<Eigen::Vector3f> points(std::size_t sample) const {
        return written_.pick(std::span<const Eigen::Vector3f>(at(sample).points),
                             [&](std::size_t i) { return written_.rest_point(i).cast<float>(); });
    }

    UsdText& text_;
    const UsdMeshContext& context_;
    const MeshPart& run_;
    const WrittenVertices& written_;
    std::vector<std::size_t> frames_;
    std::vector<double> times_;
};

/// What each corner of a mesh's faces is: the number of a drawn vertex in its run, or a written
/// one.
std::vector<std::int32_t> drawn_corners(const RenderMesh& mesh, const MeshPart& run) {
    std::vector<std::int32_t> corners;
    for (std::int32_t t = 0; t < run.triangle_count; ++t) {
        for (const std::int32_t v : mesh.triangles[run.first_triangle + t]) {
            corners.push_back(v - run.first_vertex);
        }
    }
    return corners;
}

void append_topology(UsdText& text, const MeshPart& run, const std::vector<std::int32_t>& corners,
                     const WrittenVertices& written) {
    append_list<std::int32_t>(text, "int[] faceVertexCounts",
                              std::vector<std::int32_t>(run.triangle_count, 3));
    std::vector<std::int32_t> vertices;
    for (const std::int32_t v : corners) vertices.push_back(written.of_drawn(v + run.first_vertex));
    append_list<std::int32_t>(text, "int[] faceVertexIndices", vertices);
}

/// A primvar with a value per drawn vertex: where those are not the written ones, corners name
/// them.
template <class Vector>
void append_drawn(UsdText& text, const std::string& declaration, const std::vector<Vector>& values,
                  const std::vector<std::int32_t>& corners, const WrittenVertices& written) {
    append_list<Vector>(text, declaration, values, written.are_drawn() ? kPerVertex : kPerCorner);
    if (written.are_drawn()) return;
    const std::string name = declaration.substr(declaration.find(' ') + 1);
    append_list<std::int32_t>(text, "int[] " + name + ":indices", corners);
}

void append_uvs(UsdText& text, const RenderMesh& mesh, const MeshPart& run,
                const std::vector<std::int32_t>& corners, const WrittenVertices& written) {
    if (mesh.uvs.empty()) return;
    std::vector<Eigen::Vector2f> uvs;
    for (const Vec2& uv : run_of(mesh.uvs, run)) {
        uvs.push_back(Vec2(uv.x(), 1.0 - uv.y()).cast<float>());  // USD's 0 is below
    }
    append_drawn(text, "texCoord2f[] primvars:st", uvs, corners, written);
}

// One colour for all faces where they agree, else one each.
void append_face_colours(UsdText& text, const RenderMesh& mesh, const MeshPart& run) {
    std::vector<Eigen::Vector3f> colours;
    for (std::int32_t t = 0; t < run.triangle_count; ++t) {
        const std::int32_t look = mesh.triangle_looks[run.first_triangle + t];
        colours.push_back(mesh.looks[look].base_colour.cast<float>());
    }
    const bool are_alike =
        std::all_of(colours.begin(), colours.end(), [&](const auto& c) { return c == colours[0]; });
    if (are_alike) colours.resize(1);
    append_list<Eigen::Vector3f>(
        text, "color3f[] primvars:displayColor", colours,
        are_alike ? "interpolation = \"constant\"" : "interpolation = \"uniform\"");
}

// What viewers without materials show. Colours of vertices multiply that of their look.
void append_colours(UsdText& text, const RenderMesh& mesh, const MeshPart& run,
                    const std::vector<std::int32_t>& corners, const WrittenVertices& written) {
    if (mesh.colours.empty()) return append_face_colours(text, mesh, run);
    std::vector<Eigen::Vector3f> colours(run.vertex_count, Eigen::Vector3f::Ones());
    for (std::int32_t t = run.first_triangle; t < run.first_triangle + run.triangle_count; ++t) {
        for (const std::int32_t v : mesh.triangles[t]) {
            const Vec3 colour = mesh.colours[v].head<3>().cwiseProduct(
                mesh.looks[mesh.triangle_looks[t]].base_colour);
            colours[v - run.first_vertex] = colour.cast<float>();
        }
    }
    append_drawn(text, "color3f[] primvars:displayColor", colours, corners, written);
}

bool has_damage(const UsdMeshContext& context, const MeshPart& run) {
    for (std::size_t f = 0; f < context.shapes.frame_count(); ++f) {
        if (f > 0 && context.shapes.is_same(f - 1, f)) continue;
        for (const float depth : run_of(context.shapes.at(f).depth, run)) {
            if (depth != 0.0f) return true;
        }
        for (const float strain : run_of(context.shapes.at(f).strain, run)) {
            if (strain != 0.0f) return true;
        }
    }
    return false;
}

// The material of all of the mesh, or a subset of its faces for each.
void append_materials(UsdText& text, const UsdMeshContext& context, const MeshPart& run) {
    std::map<std::int32_t, std::vector<std::int32_t>> faces;
    for (std::int32_t t = 0; t < run.triangle_count; ++t) {
        faces[context.mesh.triangle_looks[run.first_triangle + t]].push_back(t);
    }
    const auto bind = [&](std::int32_t look) {
        text.line(fmt::format("rel material:binding = <{}>", context.materials[look]));
    };
    if (faces.size() == 1) return bind(faces.begin()->first);
    text.line("uniform token subsetFamily:materialBind:familyType = \"partition\"");
    std::set<std::string> taken;
    for (const auto& [look, list] : faces) {
        text.open_prim(
            fmt::format("def GeomSubset \"{}\"", usd_name(context.mesh.looks[look].name, taken)),
            {kBindsMaterial});
        text.line("uniform token elementType = \"face\"");
        text.line("uniform token familyName = \"materialBind\"");
        append_list<std::int32_t>(text, "int[] indices", list);
        bind(look);
        text.close();
    }
}

}  // namespace

UsdShapes::UsdShapes(const Recording& recording, std::size_t body, bool has_damage) {
    BodyPoser poser(recording, body);
    for (std::size_t f = 0; f < recording.frames.size(); ++f) {
        poser.show(f);
        of_frame_.push_back(poser.shape());
        const auto [known, is_new] = shapes_.try_emplace(poser.shape());
        if (!is_new) continue;
        Shape& shape = known->second;
        shape.points = to_floats(poser.points());
        shape.normals = to_floats(poser.normals());
        if (!has_damage) continue;
        const DamageMap& damage = poser.damage();
        shape.scratch = to_floats(damage.scratch);
        shape.depth.assign(damage.depth.begin(), damage.depth.end());
        shape.strain.assign(damage.strain.begin(), damage.strain.end());
    }
}

void append_usd_mesh(UsdText& text, const UsdMeshContext& context, const UsdMeshPart& part) {
    const MeshPart& run = part.run;
    const RenderMesh& mesh = context.mesh;
    const WrittenVertices written(mesh, run);
    const SampledMesh sampled(text, context, run, written);
    text.open_prim(fmt::format("def Mesh \"{}\"", part.prim), {kBindsMaterial});
    bool is_two_sided = context.is_open;
    for (std::int32_t t = 0; t < run.triangle_count; ++t) {
        is_two_sided |= mesh.looks[mesh.triangle_looks[run.first_triangle + t]].is_two_sided;
    }
    text.line(fmt::format("uniform bool doubleSided = {}", is_two_sided ? 1 : 0));
    text.line("uniform token orientation = \"rightHanded\"");
    text.line("uniform token subdivisionScheme = \"none\"");
    const std::vector<std::int32_t> corners = drawn_corners(mesh, run);
    append_topology(text, run, corners, written);
    sampled.append_extent();
    sampled.append_points();
    if (written.are_drawn()) {
        sampled.append("normal3f[] normals", &Shape::normals, kPerVertex);
    } else {
        sampled.append_corner_normals(corners);
    }
    if (context.options.velocities && sampled.moves()) sampled.append_velocities();
    append_uvs(text, mesh, run, corners, written);
    append_colours(text, mesh, run, corners, written);
    if (context.options.damage && has_damage(context, run)) {
        sampled.append("float[] primvars:dent_depth", &Shape::depth, kPerVertex);
        sampled.append("float[] primvars:strain", &Shape::strain, kPerVertex);
        sampled.append("vector3f[] primvars:scratch", &Shape::scratch, kPerVertex);
    }
    append_materials(text, context, run);
    text.close();
}

}  // namespace ductile
