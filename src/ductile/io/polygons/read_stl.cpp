// SPDX-License-Identifier: MIT
#include <ductile/io/file_units.h>
#include <ductile/io/model_parts.h>
#include <ductile/io/polygons/read_stl.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace ductile {
namespace {

constexpr std::size_t kStlHeader = 80;
constexpr std::size_t kStlFirst = kStlHeader + 4;  // The first triangle.
constexpr std::size_t kStlNormal = 12;             // Passed over in each.
constexpr std::size_t kStlTriangle = 50;
constexpr std::size_t kMostSolids = 100'000;
constexpr std::size_t kStlProbe = 1000;  // Bytes within which a text says "facet" or "endsolid".

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

Error too_many_triangles(std::size_t most, std::string where) {
    return {fmt::format("more than {} triangles", most), std::move(where),
            "decimate the mesh before loading it"};
}

std::size_t most_stl_triangles(const ReadLimits& limits) {
    return std::min(limits.triangles, limits.vertices);
}

void add_stl_triangle(ModelMesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto first = static_cast<std::int32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), {a, b, c});
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.triangle_looks.push_back(-1);
}

Result<Model> read_binary_stl(std::string_view bytes, const ReadContext& context) {
    if (bytes.size() < kStlFirst) {
        return Error{
            fmt::format("is too short for an STL file ({} bytes)", bytes.size()), "",
            "a binary one has 84 bytes and 50 for each triangle; a text begins with solid"};
    }
    const std::size_t count = little_endian(bytes, kStlHeader);
    const std::size_t room = (bytes.size() - kStlFirst) / kStlTriangle;
    if (count > room) {
        return Error{fmt::format("promises {} triangles, but has room for {}", count, room),
                     fmt::format("byte {}", kStlHeader),
                     "the file was cut short, or is no binary STL"};
    }
    if (count == 0) return Error{"has no triangles", fmt::format("byte {}", kStlHeader), ""};
    const std::size_t most = most_stl_triangles(context.limits);
    if (count > most) return too_many_triangles(most, fmt::format("byte {}", kStlHeader));
    ModelMesh mesh;
    mesh.points.reserve(3 * count);
    mesh.triangles.reserve(count);
    mesh.triangle_looks.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = kStlFirst + i * kStlTriangle + kStlNormal;
        std::array<Vec3, 3> corner;
        for (int k = 0; k < 9; ++k) {
            corner[k / 3][k % 3] = std::bit_cast<float>(little_endian(bytes, at + 4 * k));
        }
        if (!is_finite(corner[0]) || !is_finite(corner[1]) || !is_finite(corner[2])) {
            return Error{fmt::format("triangle {} has a coordinate that is not finite", i),
                         fmt::format("byte {}", at), "the file is damaged: export it again"};
        }
        add_stl_triangle(mesh, corner[0], corner[1], corner[2]);
    }
    Model model;
    model.format = "STL";
    const std::size_t used = kStlFirst + count * kStlTriangle;
    if (used < bytes.size()) {
        model.notes.push_back(fmt::format("{} bytes after the last triangle left out, from byte {}",
                                          bytes.size() - used, used));
    }
    add_mesh_with_node(model, std::move(mesh));
    return model;
}

class StlTextReader {
public:
    StlTextReader(std::string_view text, const ReadContext& context)
        : text_(text), at_(text), most_(most_stl_triangles(context.limits)) {}

    Result<Model> read() {
        for (next_word(); !word_.empty(); next_word()) {
            if (Status done = read_keyword(); !done) return done.error();
        }
        if (corners_ > 0 || is_in_facet_) return error("the file ends within a triangle", kCut);
        if (is_in_solid_) model_.notes.emplace_back("the last solid has no end");
        finish_solid();
        if (model_.meshes.empty()) return error("has no triangles", "");
        model_.format = "STL";
        return std::move(model_);
    }

private:
    static constexpr const char* kCut = "it was cut short: copy or export it again";

    Error error(std::string what, std::string hint) const {
        return {std::move(what), line_place(text_, word_byte_), std::move(hint)};
    }

    void next_word() {
        at_.skip_space();
        word_byte_ = at_.byte();
        word_ = at_.word();
    }

    Status read_keyword() {
        if (is_same_word(word_, "vertex")) return read_vertex();
        if (is_same_word(word_, "facet")) return begin_facet();
        if (is_same_word(word_, "endfacet")) return end_facet();
        if (is_same_word(word_, "solid")) {
            finish_solid();
            is_in_solid_ = true;
            mesh_.name = at_.rest_of_line();
            if (model_.meshes.size() >= kMostSolids) return error("too many solids", "");
            return {};
        }
        if (is_same_word(word_, "endsolid")) {
            at_.rest_of_line();
            is_in_solid_ = false;
            return {};
        }
        if (is_same_word(word_, "outer") || is_same_word(word_, "loop") ||
            is_same_word(word_, "endloop")) {
            return {};
        }
        return error(shown_word(word_) + " is no word of an STL file", "");
    }

    // The normal is passed over, whatever it says: the corners know it.
    Status begin_facet() {
        if (is_in_facet_) return error("a facet within a facet", "an endfacet is missing");
        is_in_facet_ = true;
        corners_ = 0;
        at_.rest_of_line();
        return {};
    }

    Status end_facet() {
        if (!is_in_facet_ || corners_ != 3) {
            return error(fmt::format("a facet of {} vertices", corners_), "STL has triangles only");
        }
        add_stl_triangle(mesh_, corner_[0], corner_[1], corner_[2]);
        is_in_facet_ = false;
        corners_ = 0;
        if (++triangles_ > most_) return too_many_triangles(most_, line_place(text_, word_byte_));
        return {};
    }

    Status read_vertex() {
        if (!is_in_facet_ || corners_ == 3) {
            return error("a vertex beyond the three of a facet", "STL has triangles only");
        }
        for (int k = 0; k < 3; ++k) {
            at_.skip_blanks();
            const bool is_good = at_.read(corner_[corners_][k]) == TextCursor::Number::Good;
            if (is_good && at_.is_at_word_end()) continue;
            if (at_.is_at_end()) return error("the file ends within a vertex", kCut);
            return error(shown_word(at_.word()) + " is not a finite number", "");
        }
        ++corners_;
        return {};
    }

    void finish_solid() {
        if (!mesh_.triangles.empty()) add_mesh_with_node(model_, std::move(mesh_));
        mesh_ = {};
    }

    std::string_view text_;
    TextCursor at_;
    std::size_t most_;
    std::string_view word_;
    std::size_t word_byte_ = 0;
    Model model_;
    ModelMesh mesh_;
    std::array<Vec3, 3> corner_;
    std::size_t corners_ = 0;
    std::size_t triangles_ = 0;
    bool is_in_facet_ = false;
    bool is_in_solid_ = false;
};

bool is_text_stl(std::string_view bytes) {
    TextCursor at(bytes);
    at.skip_space();
    if (!is_same_word(at.word().substr(0, 5), "solid")) return false;
    const std::string_view probe = bytes.substr(0, kStlProbe);
    return check_is_text(probe).ok();
}

}  // namespace

bool is_exact_binary_stl(std::string_view bytes) {
    return bytes.size() > kStlFirst &&
           little_endian(bytes, kStlHeader) == (bytes.size() - kStlFirst) / kStlTriangle &&
           (bytes.size() - kStlFirst) % kStlTriangle == 0;
}

Result<Model> read_stl(std::string_view bytes, const ReadContext& context) {
    if (!is_exact_binary_stl(bytes) && is_text_stl(bytes)) {
        return StlTextReader(bytes, context).read();
    }
    return read_binary_stl(bytes, context);
}

}  // namespace ductile
