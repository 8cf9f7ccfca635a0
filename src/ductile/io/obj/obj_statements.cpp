// SPDX-License-Identifier: MIT
#include <ductile/io/obj/obj_statements.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>

namespace ductile {
namespace {

// Of one file. A CAD assembly has thousands; more are no parts but an attack on memory.
constexpr std::size_t kMostParts = 100'000;
constexpr int kUnitComments = 200;  // Comments at the top that may name units.
constexpr std::size_t kMostCorners = std::numeric_limits<std::uint32_t>::max() / 2;

class ObjScanner {
public:
    ObjScanner(std::string_view text, const ReadLimits& limits)
        : text_(text), at_(text), limits_(limits) {}

    Result<ObjStatements> read() {
        out_.objects.id("");
        out_.groups.id("");
        while (!at_.is_at_end()) {
            if (Status line = read_line(); !line) return line.error();
        }
        if (Status faces = check_faces(); !faces) return faces.error();
        return std::move(out_);
    }

private:
    Error error(std::string what, std::string hint = "") const {
        return error_at(statement_, std::move(what), std::move(hint));
    }
    Error error_at(std::size_t byte, std::string what, std::string hint = "") const {
        return {std::move(what), line_place(text_, byte), std::move(hint)};
    }

    Status read_line() {
        at_.skip_blanks();
        statement_ = at_.byte();
        const std::string_view keyword = at_.word();
        Status done = read_statement(keyword);
        if (done) skip_rest();
        return done;
    }

    Status read_statement(std::string_view keyword) {
        if (keyword == "v") return read_vertex();
        if (keyword == "f" || keyword == "fo") return read_face();
        if (keyword == "vn") return read_normal();
        if (keyword == "vt") return read_uv();
        if (keyword.empty()) return {};
        if (keyword[0] == '#') return read_comment();
        if (keyword == "o") return begin_part(out_.objects, state_.object);
        if (keyword == "g") return begin_part(out_.groups, state_.group);
        if (keyword == "usemtl") return begin_part(out_.materials, state_.material);
        if (keyword == "mtllib") {
            out_.libraries.push_back({statement_, at_.rest_of_line()});
        } else if (keyword == "l" || keyword == "p") {
            out_.lines.add(statement_);
        } else if (keyword != "s") {
            if (out_.unknown.count == 0) out_.unknown_word = keyword;
            out_.unknown.add(statement_);
        }
        return {};
    }

    // A backslash at a line's end carries the statement on to the next.
    bool continues() {
        at_.skip_blanks();
        if (at_.peek() != '\\') return false;
        TextCursor ahead = at_;
        ahead.advance();
        ahead.skip_blanks();
        if (!ahead.is_at_line_end() || ahead.is_at_end()) return false;
        ahead.skip_line_end();
        at_ = ahead;
        return true;
    }

    void skip_blanks() {
        while (continues()) {
        }
    }

    void skip_rest() {
        while (!at_.is_at_line_end()) {
            at_.word();
            skip_blanks();
        }
        at_.skip_line_end();
    }

    // A coordinate; `error` tells what stands there instead.
    bool read_number(double& value, std::optional<Error>& failure) {
        skip_blanks();
        const TextCursor::Number found = at_.read(value);
        if (found == TextCursor::Number::Good && at_.is_at_word_end()) return true;
        const std::size_t byte = at_.byte();
        const std::string word = shown_word(at_.word());
        failure = found == TextCursor::Number::TooLarge
                      ? error_at(byte, "the number " + word + " is too large")
                  : word == "\"\"" ? error_at(byte, "a number is missing")
                                   : error_at(byte, word + " is not a finite number",
                                              "export the mesh again; its maker wrote no number");
        return false;
    }

    Status read_vertex() {
        Vec3 point;
        std::optional<Error> failure;
        for (int k = 0; k < 3; ++k) {
            if (!read_number(point[k], failure)) return *failure;
        }
        if (out_.soup.points.size() >= limits_.vertices) {
            return error(fmt::format("more than {} vertices", limits_.vertices),
                         "decimate the mesh before loading it");
        }
        skip_blanks();
        if (!at_.is_at_line_end()) {
            if (Status more = read_vertex_tail(); !more) return more;
        }
        out_.soup.points.push_back(point);
        return {};
    }

    // "w", "r g b", "r g b a" or "w r g b" after a place: w alone is a weight of curves, not of
    // meshes.
    Status read_vertex_tail() {
        std::array<double, 4> value{};
        std::size_t count = 0;
        std::optional<Error> failure;
        for (; count < value.size() && !at_.is_at_line_end(); ++count) {
            if (!read_number(value[count], failure)) return *failure;
            skip_blanks();
        }
        if (count < 3) return {};
        const Vec4 colour(value[0], value[1], value[2], count == 4 ? value[3] : 1.0);
        out_.soup.colours.resize(out_.soup.points.size(), Vec4::Ones());
        out_.soup.colours.push_back(colour.cwiseMax(0.0).cwiseMin(1.0));
        return {};
    }

    Status read_normal() {
        Vec3 normal;
        std::optional<Error> failure;
        for (int k = 0; k < 3; ++k) {
            if (is_at_nan()) return mend_attribute(out_.soup.normals, Vec3(0, 0, 0), "normals");
            if (!read_number(normal[k], failure)) return *failure;
        }
        return add_attribute(out_.soup.normals, normal, "normals");
    }

    // "nan", "-nan(ind)" or "1.#QNAN" next, as C libraries write what is no number.
    bool is_at_nan() {
        skip_blanks();
        TextCursor ahead = at_;
        const std::string_view word = ahead.word();
        const std::size_t sign = word.starts_with('-') ? 1 : 0;
        return is_same_word(word.substr(sign, 3), "nan") || word.find('#') != word.npos;
    }

    // Exporters write such for the normal of a face without area, which the surface knows better,
    // and for texture coordinates of places without a texture.
    template <class T>
    Status mend_attribute(std::vector<T>& list, const T& value, const char* what) {
        out_.bad_numbers.add(statement_);
        return add_attribute(list, value, what);
    }

    Status read_uv() {
        constexpr const char* kWhat = "texture coordinates";
        Vec2 uv(0, 0);
        std::optional<Error> failure;
        for (int k = 0; k < 2; ++k) {
            if (is_at_nan()) return mend_attribute(out_.soup.uvs, Vec2(0, 0), kWhat);
            if (k == 1 && at_.is_at_line_end()) break;
            if (!read_number(uv[k], failure)) return *failure;
        }
        return add_attribute(out_.soup.uvs, Vec2(uv.x(), 1.0 - uv.y()), kWhat);
    }

    // A texture coordinate or normal per corner is usual: three for each triangle.
    template <class T>
    Status add_attribute(std::vector<T>& list, const T& value, const char* what) {
        if (list.size() >= 3 * limits_.triangles) {
            return error(fmt::format("more than {} {}", 3 * limits_.triangles, what));
        }
        list.push_back(value);
        return {};
    }

    Status read_comment() {
        if (++comments_ > kUnitComments) return {};
        const std::size_t from = statement_;
        at_.rest_of_line();
        const FileUnits units = units_of_comment(text_.substr(from, at_.byte() - from));
        if (units.metres_per_unit) out_.units.metres_per_unit = units.metres_per_unit;
        if (units.up_axis) out_.units.up_axis = units.up_axis;
        return {};
    }

    Status begin_part(NameList& names, std::int32_t& current) {
        current = names.id(at_.rest_of_line());
        if (names.size() > kMostParts) {
            return error(fmt::format("more than {} names of parts or materials", kMostParts));
        }
        if (out_.states.back().first_face == out_.soup.face_count()) out_.states.pop_back();
        ObjState state = state_;
        state.first_face = out_.soup.face_count();
        out_.states.push_back(state);
        return {};
    }

    Status read_face() {
        const std::size_t first = out_.soup.corners.size();
        for (skip_blanks(); !at_.is_at_line_end(); skip_blanks()) {
            if (at_.peek() == '#') break;
            SoupCorner corner;
            if (Status read = read_corner(corner); !read) return read;
            out_.soup.corners.push_back(corner);
        }
        const std::size_t count = out_.soup.corners.size() - first;
        if (count < 3 && at_.is_at_end()) {
            return error("the file ends within a face",
                         "it was cut short: copy or export it again");
        }
        if (count < 3) {
            out_.soup.corners.resize(first);
            out_.small_faces.add(statement_);
            return {};
        }
        triangle_count_ += count - 2;
        if (triangle_count_ > limits_.triangles || out_.soup.corners.size() > kMostCorners) {
            return error(fmt::format("more than {} triangles", limits_.triangles),
                         "decimate the mesh before loading it");
        }
        out_.soup.end_face();
        out_.face_bytes.push_back(static_cast<std::uint32_t>(statement_));
        return {};
    }

    Status read_corner(SoupCorner& corner) {
        if (!read_index(out_.soup.points.size(), corner.point)) return bad_corner();
        if (corner.point == kNowhere) return no_vertex(statement_);
        if (at_.peek() == '/') {
            at_.advance();
            if (at_.peek() != '/' && !at_.is_at_word_end() &&
                !read_index(out_.soup.uvs.size(), corner.uv)) {
                return bad_corner();
            }
            if (at_.peek() == '/') {
                at_.advance();
                if (!at_.is_at_word_end() && !read_index(out_.soup.normals.size(), corner.normal)) {
                    return bad_corner();
                }
            }
        }
        if (!at_.is_at_word_end()) return bad_corner();
        return {};
    }

    // From 1, or backwards from the newest. What leads nowhere, whatever may follow, becomes
    // `kNowhere`.
    bool read_index(std::size_t count, std::int32_t& index) {
        std::int64_t value = 0;
        if (!at_.read(value)) return false;
        if (value < 0) value += static_cast<std::int64_t>(count) + 1;
        const bool is_place = value >= 1 && value <= kNowhere;
        index = is_place ? static_cast<std::int32_t>(value - 1) : kNowhere;
        return true;
    }

    Status bad_corner() {
        TextCursor line(text_.substr(statement_));
        line.word();
        const std::string rest = shown_word(line.rest_of_line());
        return error("a face corner is no whole number, or several between slashes: " + rest,
                     "a corner is written 7, 7/2, 7//3 or 7/2/3");
    }

    Status check_faces() {
        for (std::size_t f = 0; f < out_.soup.face_count(); ++f) {
            for (std::uint32_t c = out_.soup.face_start[f]; c < out_.soup.face_start[f + 1]; ++c) {
                SoupCorner& corner = out_.soup.corners[c];
                if (static_cast<std::size_t>(corner.point) >= out_.soup.points.size()) {
                    return no_vertex(out_.face_bytes[f]);
                }
                if (corner.uv >= 0 && static_cast<std::size_t>(corner.uv) >= out_.soup.uvs.size()) {
                    corner.uv = -1;
                    out_.bad_attributes.add(out_.face_bytes[f]);
                }
                if (corner.normal >= 0 &&
                    static_cast<std::size_t>(corner.normal) >= out_.soup.normals.size()) {
                    corner.normal = -1;
                    out_.bad_attributes.add(out_.face_bytes[f]);
                }
            }
        }
        if (!out_.soup.colours.empty())
            out_.soup.colours.resize(out_.soup.points.size(), Vec4::Ones());
        if (out_.soup.face_count() > 0) return {};
        return Error{fmt::format("has no faces ({} vertices)", out_.soup.points.size()), "",
                     "an OBJ file for ductile needs lines such as f 1 2 3"};
    }

    // A face that names what is not there; `byte` is where it begins.
    Status no_vertex(std::size_t byte) const {
        TextCursor line(text_.substr(byte));
        line.word();
        return error_at(byte,
                        fmt::format("the face {} names a vertex that does not exist; there are {}",
                                    shown_word(line.rest_of_line()), out_.soup.points.size()),
                        "the file is damaged or was cut apart: export it again");
    }

    static constexpr std::int32_t kNowhere = std::numeric_limits<std::int32_t>::max();

    std::string_view text_;
    TextCursor at_;
    const ReadLimits& limits_;
    std::size_t statement_ = 0;  // Where the current line begins.
    ObjStatements out_;
    ObjState state_;
    std::size_t triangle_count_ = 0;
    int comments_ = 0;
};

}  // namespace

Result<ObjStatements> read_obj_statements(std::string_view text, const ReadLimits& limits) {
    return ObjScanner(text, limits).read();
}

}  // namespace ductile
