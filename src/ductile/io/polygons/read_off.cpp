// SPDX-License-Identifier: MIT
#include <ductile/io/model_parts.h>
#include <ductile/io/polygons/read_off.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace ductile {
namespace {

// "[ST][C][N][4][n]OFF", as Geomview writes what a vertex has.
struct OffHeader {
    bool has_uvs = false;
    bool has_colours = false;
    bool has_normals = false;
    bool is_flat = true;  // Three coordinates, not four or any other number.
};

std::optional<OffHeader> off_header(std::string_view word) {
    OffHeader header;
    const auto take = [&](std::string_view prefix) {
        if (!word.starts_with(prefix)) return false;
        word.remove_prefix(prefix.size());
        return true;
    };
    header.has_uvs = take("ST");
    header.has_colours = take("C");
    header.has_normals = take("N");
    header.is_flat = !take("4");
    header.is_flat = !take("n") && header.is_flat;
    if (word != "OFF") return {};
    return header;
}

class OffReader {
public:
    OffReader(std::string_view text, const ReadContext& context)
        : text_(text), at_(text), limits_(context.limits) {}

    Result<Model> read() {
        if (Status header = read_header(); !header) return header.error();
        for (std::int64_t i = 0; i < vertex_count_; ++i) {
            if (Status vertex = read_vertex(); !vertex) return vertex.error();
        }
        faces_.start.reserve(static_cast<std::size_t>(face_count_) + 1);
        for (std::int64_t i = 0; i < face_count_; ++i) {
            if (Status face = read_face(); !face) return face.error();
        }
        if (Status added = add_indexed_mesh(model_, std::move(mesh_), faces_, limits_); !added) {
            return added.error();
        }
        model_.format = "OFF";
        return std::move(model_);
    }

private:
    Error error(std::string what, std::string hint = "") const {
        return {std::move(what), line_place(text_, at_.byte()), std::move(hint)};
    }

    Status read_header() {
        at_.skip_space();
        const std::optional<OffHeader> header = off_header(at_.word());
        if (!header) return error("does not begin with OFF", "the file is of another format");
        header_ = *header;
        if (!header_.is_flat) return error("has vertices of other than three dimensions", "");
        at_.skip_blanks();
        if (at_.rest_of_line().starts_with("BINARY")) {
            return error("is a binary OFF, which is not read", "write it as text, or as PLY");
        }
        at_ = TextCursor(text_);
        at_.skip_space();
        at_.word();
        std::int64_t edges = 0;
        if (!count(vertex_count_) || !count(face_count_)) {
            return error("the numbers of vertices and faces are missing", "such as: 8 6 12");
        }
        at_.skip_blanks();
        if (!at_.is_at_line_end()) at_.read(edges);
        at_.rest_of_line();
        return check_counts();
    }

    bool count(std::int64_t& value) {
        at_.skip_space();
        return at_.read(value) && at_.is_at_word_end() && value >= 0;
    }

    // A vertex takes six bytes at least ("0 0 0" and a line end), a face two ("0" and its end).
    Status check_counts() {
        const auto left = static_cast<std::int64_t>(at_.bytes_left());
        if (vertex_count_ > left / 6 + 1 || face_count_ > left / 2 + 1) {
            return error(fmt::format("the header promises {} vertices and {} faces, but {} bytes "
                                     "are left for them",
                                     vertex_count_, face_count_, left),
                         "the file was cut short, or its header is wrong");
        }
        if (static_cast<std::size_t>(vertex_count_) > limits_.vertices) {
            return error(fmt::format("more than {} vertices", limits_.vertices),
                         "decimate the mesh before loading it");
        }
        mesh_.points.reserve(static_cast<std::size_t>(vertex_count_));
        return {};
    }

    template <int Size>
    Status read_numbers(Eigen::Matrix<double, Size, 1>& values) {
        for (int k = 0; k < Size; ++k) {
            at_.skip_space();
            if (at_.read(values[k]) == TextCursor::Number::Good && at_.is_at_word_end()) continue;
            if (at_.is_at_end()) return cut_short();
            return error(shown_word(at_.word()) + " is not a finite number");
        }
        return {};
    }

    Error cut_short() const {
        return error("the file ends too early", "it was cut short: copy or export it again");
    }

    Status read_vertex() {
        Vec3 point;
        if (Status read = read_numbers(point); !read) return read;
        mesh_.points.push_back(point);
        if (header_.has_normals) {
            Vec3 normal;
            if (Status read = read_numbers(normal); !read) return read;
            mesh_.normals.push_back(normal);
        }
        if (header_.has_colours) {
            if (Status read = read_colour(); !read) return read;
        }
        if (header_.has_uvs) {
            Vec2 uv;
            if (Status read = read_numbers(uv); !read) return read;
            mesh_.uvs.emplace_back(uv.x(), 1.0 - uv.y());
        }
        at_.rest_of_line();
        return {};
    }

    // Three or four numbers, to the line's end if texture coordinates do not follow.
    Status read_colour() {
        Vec3 rgb;
        at_.skip_space();
        const std::size_t from = at_.byte();
        if (Status read = read_numbers(rgb); !read) return read;
        Eigen::Matrix<double, 1, 1> alpha(-1.0);
        at_.skip_blanks();
        if (!at_.is_at_line_end() && at_.peek() != '#') {
            if (Status read = read_numbers(alpha); !read) return read;
        }
        const std::string_view numbers = text_.substr(from, at_.byte() - from);
        const bool is_whole = numbers.find('.') == numbers.npos;
        const double scale = is_whole ? 1.0 / 255.0 : 1.0;
        Vec4 colour(rgb[0] * scale, rgb[1] * scale, rgb[2] * scale,
                    alpha[0] < 0 ? 1.0 : alpha[0] * scale);
        colour = colour.cwiseMax(0.0).cwiseMin(1.0).eval();
        for (int k = 0; is_whole && k < 3; ++k) colour[k] = linear_from_srgb(colour[k]);
        mesh_.colours.push_back(colour);
        return {};
    }

    Status read_face() {
        std::int64_t corners = 0;
        if (!count(corners)) {
            return at_.is_at_end() ? cut_short() : error("a face begins with no count of corners");
        }
        if (corners > static_cast<std::int64_t>(at_.bytes_left())) {
            return error(fmt::format("a face of {} corners does not fit into the file", corners));
        }
        for (std::int64_t k = 0; k < corners; ++k) {
            std::int64_t index = 0;
            at_.skip_space();
            if (!at_.read(index) || !at_.is_at_word_end()) {
                if (at_.is_at_end()) return cut_short();
                return error(shown_word(at_.word()) + " is no vertex number");
            }
            if (index < 0 || index >= vertex_count_) {
                return error(
                    fmt::format("a face names vertex {}, but there are {} (counted from 0)", index,
                                vertex_count_));
            }
            faces_.corners.push_back(static_cast<std::int32_t>(index));
        }
        if (faces_.corners.size() > 4 * limits_.triangles) {
            return error(fmt::format("more than {} triangles", limits_.triangles));
        }
        faces_.end_face();
        at_.rest_of_line();
        return {};
    }

    std::string_view text_;
    TextCursor at_;
    const ReadLimits& limits_;
    OffHeader header_;
    std::int64_t vertex_count_ = 0;
    std::int64_t face_count_ = 0;
    Model model_;
    ModelMesh mesh_;
    IndexedFaces faces_;
};

}  // namespace

bool begins_like_off(std::string_view text) {
    TextCursor at(text);
    at.skip_space();
    return off_header(at.word()).has_value();
}

Result<Model> read_off(std::string_view text, const ReadContext& context) {
    return OffReader(text, context).read();
}

}  // namespace ductile
