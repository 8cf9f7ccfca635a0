// SPDX-License-Identifier: MIT
#include <ductile/io/companion.h>
#include <ductile/io/file_units.h>
#include <ductile/io/polygon_soup.h>
#include <ductile/io/read_mtl.h>
#include <ductile/io/read_obj.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace ductile {
namespace {

// Of one file. A CAD assembly has thousands; more are no parts but an attack on memory.
constexpr std::size_t kMostParts = 100'000;
constexpr std::size_t kMostLibraries = 64;
constexpr int kUnitComments = 200;  // Comments at the top that may name units.
constexpr std::size_t kMostCorners = std::numeric_limits<std::uint32_t>::max() / 2;

// Something that was left out: how often, and where first.
struct Left {
    std::size_t count = 0;
    std::size_t byte = 0;

    void add(std::size_t at) {
        if (count++ == 0) byte = at;
    }
};

// Names in the order of their first use.
class NameList {
public:
    std::int32_t id(std::string_view name) {
        const auto found = ids_.find(name);
        if (found != ids_.end()) return found->second;
        const auto made = static_cast<std::int32_t>(names_.size());
        names_.emplace_back(name);
        return ids_.emplace(name, made).first->second;
    }
    std::size_t size() const { return names_.size(); }
    const std::string& name(std::size_t id) const { return names_[id]; }

private:
    std::vector<std::string> names_;
    std::map<std::string, std::int32_t, std::less<>> ids_;
};

// What holds for the faces from `first_face` on.
struct FaceState {
    std::size_t first_face = 0;
    std::int32_t object = 0;
    std::int32_t group = 0;
    std::int32_t material = -1;
};

class ObjReader {
public:
    ObjReader(std::string_view text, const ReadContext& context)
        : text_(text), at_(text), context_(context) {}

    Result<Model> read() {
        objects_.id("");
        groups_.id("");
        while (!at_.is_at_end()) {
            if (Status line = read_line(); !line) return line.error();
        }
        if (Status faces = check_faces(); !faces) return faces.error();
        read_libraries();
        if (Status built = build_meshes(); !built) return built.error();
        tell_what_was_left();
        return std::move(model_);
    }

private:
    Error error(std::string what, std::string hint = "") const {
        return error_at(statement_, std::move(what), std::move(hint));
    }
    Error error_at(std::size_t byte, std::string what, std::string hint = "") const {
        return {std::move(what), line_place(text_, byte), std::move(hint)};
    }

    // ---- statements ----

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
        if (keyword == "o") return begin_part(objects_, state_.object);
        if (keyword == "g") return begin_part(groups_, state_.group);
        if (keyword == "usemtl") return begin_part(materials_, state_.material);
        if (keyword == "mtllib") {
            libraries_.push_back({statement_, at_.rest_of_line()});
        } else if (keyword == "l" || keyword == "p") {
            lines_.add(statement_);
        } else if (keyword != "s") {
            if (unknown_.count == 0) unknown_word_ = keyword;
            unknown_.add(statement_);
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
        if (soup_.points.size() >= context_.limits.vertices) {
            return error(fmt::format("more than {} vertices", context_.limits.vertices),
                         "decimate the mesh before loading it");
        }
        skip_blanks();
        if (!at_.is_at_line_end()) {
            if (Status more = read_vertex_tail(); !more) return more;
        }
        soup_.points.push_back(point);
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
        soup_.colours.resize(soup_.points.size(), Vec4::Ones());
        soup_.colours.push_back(colour.cwiseMax(0.0).cwiseMin(1.0));
        return {};
    }

    Status read_normal() {
        Vec3 normal;
        std::optional<Error> failure;
        for (int k = 0; k < 3; ++k) {
            if (is_at_nan()) return mend_attribute(soup_.normals, Vec3(0, 0, 0), "normals");
            if (!read_number(normal[k], failure)) return *failure;
        }
        return add_attribute(soup_.normals, normal, "normals");
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
        bad_numbers_.add(statement_);
        return add_attribute(list, value, what);
    }

    Status read_uv() {
        constexpr const char* kWhat = "texture coordinates";
        Vec2 uv(0, 0);
        std::optional<Error> failure;
        for (int k = 0; k < 2; ++k) {
            if (is_at_nan()) return mend_attribute(soup_.uvs, Vec2(0, 0), kWhat);
            if (k == 1 && at_.is_at_line_end()) break;
            if (!read_number(uv[k], failure)) return *failure;
        }
        return add_attribute(soup_.uvs, Vec2(uv.x(), 1.0 - uv.y()), kWhat);
    }

    // A texture coordinate or normal per corner is usual: three for each triangle.
    template <class T>
    Status add_attribute(std::vector<T>& list, const T& value, const char* what) {
        if (list.size() >= 3 * context_.limits.triangles) {
            return error(fmt::format("more than {} {}", 3 * context_.limits.triangles, what));
        }
        list.push_back(value);
        return {};
    }

    Status read_comment() {
        if (++comments_ > kUnitComments) return {};
        const std::size_t from = statement_;
        at_.rest_of_line();
        const FileUnits units = units_of_comment(text_.substr(from, at_.byte() - from));
        if (units.metres_per_unit) model_.metres_per_unit = units.metres_per_unit;
        if (units.up_axis) model_.up_axis = units.up_axis;
        return {};
    }

    Status begin_part(NameList& names, std::int32_t& current) {
        current = names.id(at_.rest_of_line());
        if (names.size() > kMostParts) {
            return error(fmt::format("more than {} names of parts or materials", kMostParts));
        }
        if (states_.back().first_face == soup_.face_count()) states_.pop_back();
        FaceState state = state_;
        state.first_face = soup_.face_count();
        states_.push_back(state);
        return {};
    }

    // ---- faces ----

    Status read_face() {
        const std::size_t first = soup_.corners.size();
        for (skip_blanks(); !at_.is_at_line_end(); skip_blanks()) {
            if (at_.peek() == '#') break;
            SoupCorner corner;
            if (Status read = read_corner(corner); !read) return read;
            soup_.corners.push_back(corner);
        }
        const std::size_t count = soup_.corners.size() - first;
        if (count < 3 && at_.is_at_end()) {
            return error("the file ends within a face",
                         "it was cut short: copy or export it again");
        }
        if (count < 3) {
            soup_.corners.resize(first);
            small_faces_.add(statement_);
            return {};
        }
        triangle_count_ += count - 2;
        if (triangle_count_ > context_.limits.triangles || soup_.corners.size() > kMostCorners) {
            return error(fmt::format("more than {} triangles", context_.limits.triangles),
                         "decimate the mesh before loading it");
        }
        soup_.end_face();
        face_bytes_.push_back(static_cast<std::uint32_t>(statement_));
        return {};
    }

    Status read_corner(SoupCorner& corner) {
        if (!read_index(soup_.points.size(), corner.point)) return bad_corner();
        if (corner.point == kNowhere) return no_vertex(statement_);
        if (at_.peek() == '/') {
            at_.advance();
            if (at_.peek() != '/' && !at_.is_at_word_end() &&
                !read_index(soup_.uvs.size(), corner.uv)) {
                return bad_corner();
            }
            if (at_.peek() == '/') {
                at_.advance();
                if (!at_.is_at_word_end() && !read_index(soup_.normals.size(), corner.normal)) {
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
        for (std::size_t f = 0; f < soup_.face_count(); ++f) {
            for (std::uint32_t c = soup_.face_start[f]; c < soup_.face_start[f + 1]; ++c) {
                SoupCorner& corner = soup_.corners[c];
                if (static_cast<std::size_t>(corner.point) >= soup_.points.size()) {
                    return no_vertex(face_bytes_[f]);
                }
                if (corner.uv >= 0 && static_cast<std::size_t>(corner.uv) >= soup_.uvs.size()) {
                    corner.uv = -1;
                    bad_attributes_.add(face_bytes_[f]);
                }
                if (corner.normal >= 0 &&
                    static_cast<std::size_t>(corner.normal) >= soup_.normals.size()) {
                    corner.normal = -1;
                    bad_attributes_.add(face_bytes_[f]);
                }
            }
        }
        if (!soup_.colours.empty()) soup_.colours.resize(soup_.points.size(), Vec4::Ones());
        if (soup_.face_count() > 0) return {};
        return Error{fmt::format("has no faces ({} vertices)", soup_.points.size()), "",
                     "an OBJ file for ductile needs lines such as f 1 2 3"};
    }

    // A face that names what is not there; `byte` is where it begins.
    Status no_vertex(std::size_t byte) const {
        TextCursor line(text_.substr(byte));
        line.word();
        return error_at(byte,
                        fmt::format("the face {} names a vertex that does not exist; there are {}",
                                    shown_word(line.rest_of_line()), soup_.points.size()),
                        "the file is damaged or was cut apart: export it again");
    }

    // ---- parts and looks ----

    void read_libraries() {
        for (const auto& [byte, line] : libraries_) {
            statement_ = byte;
            // Names are parted by blanks, and hold blanks.
            if (find_companion(context_.folder, line).ok()) {
                read_library(line);
                continue;
            }
            TextCursor names(line);
            for (names.skip_blanks(); !names.is_at_line_end(); names.skip_blanks()) {
                read_library(names.word());
            }
        }
        for (std::size_t i = 0; i < model_.looks.size(); ++i) {
            look_of_.emplace(model_.looks[i].name, static_cast<std::int32_t>(i));
        }
        looks_.assign(materials_.size(), -1);
    }

    void read_library(std::string_view name) {
        if (!seen_libraries_.emplace(name, 0).second) return;
        if (seen_libraries_.size() > kMostLibraries) {
            if (seen_libraries_.size() == kMostLibraries + 1) {
                model_.notes.push_back(
                    fmt::format("material libraries beyond {} left out", kMostLibraries));
            }
            return;
        }
        const Result<std::string> text =
            read_companion(context_.folder, name, context_.limits.file_bytes);
        if (!text) {
            model_.notes.push_back(fmt::format("{}: the material library {} is left out: {}",
                                               line_place(text_, statement_), shown_word(name),
                                               text.error().what));
            return;
        }
        read_mtl(without_byte_order_mark(text.value()), name, context_, model_.looks, model_.notes);
    }

    std::int32_t look(std::int32_t material) {
        if (material < 0) return -1;
        if (looks_[material] >= 0) return looks_[material];
        const std::string& name = materials_.name(material);
        const auto [found, is_new] =
            look_of_.emplace(name, static_cast<std::int32_t>(model_.looks.size()));
        if (is_new) {
            model_.looks.emplace_back().name = name;
            ++missing_materials_;
        }
        return looks_[material] = found->second;
    }

    Status build_meshes() {
        const bool has_objects = objects_.size() > 1;
        const std::size_t part_count = has_objects ? objects_.size() : groups_.size();
        std::vector<std::vector<std::uint32_t>> faces(part_count);
        std::vector<std::vector<std::int32_t>> looks(part_count);
        for (std::size_t s = 0; s < states_.size(); ++s) {
            const std::size_t end =
                s + 1 < states_.size() ? states_[s + 1].first_face : soup_.face_count();
            if (states_[s].first_face == end) continue;
            const std::int32_t part = has_objects ? states_[s].object : states_[s].group;
            const std::int32_t shown = look(states_[s].material);
            const std::size_t count = end - states_[s].first_face;
            faces[part].resize(faces[part].size() + count);
            std::iota(faces[part].end() - static_cast<std::ptrdiff_t>(count), faces[part].end(),
                      static_cast<std::uint32_t>(states_[s].first_face));
            looks[part].resize(looks[part].size() + count, shown);
        }
        SoupCutter cutter(soup_);
        std::size_t vertices = 0;
        for (std::size_t p = 0; p < part_count; ++p) {
            ModelMesh mesh = cutter.cut(faces[p], looks[p]);
            if (mesh.triangles.empty()) continue;
            vertices += mesh.points.size();
            mesh.name = has_objects ? objects_.name(p) : groups_.name(p);
            add_mesh(std::move(mesh));
        }
        dropped_ = cutter.faces().dropped();
        hasty_ = cutter.faces().hasty();
        for (const auto& part : faces)
            cut_order_.insert(cut_order_.end(), part.begin(), part.end());
        if (model_.meshes.empty()) {
            return Error{"has no face with three different corners", "", ""};
        }
        if (vertices > 3 * context_.limits.vertices) {
            return Error{fmt::format("more than {} vertices once they are split by texture "
                                     "coordinates and normals",
                                     3 * context_.limits.vertices),
                         "", "decimate the mesh before loading it"};
        }
        return {};
    }

    void add_mesh(ModelMesh mesh) {
        ModelNode node;
        node.name = mesh.name;
        node.mesh = static_cast<std::int32_t>(model_.meshes.size());
        model_.nodes.push_back(std::move(node));
        model_.meshes.push_back(std::move(mesh));
    }

    // ---- notes ----

    void tell(const Left& left, std::string_view what) {
        if (left.count == 0) return;
        model_.notes.push_back(
            fmt::format("{} {}, first in {}", left.count, what, line_place(text_, left.byte)));
    }

    // Where the face of the nth cut stands.
    std::size_t cut_byte(std::size_t n) const { return face_bytes_[cut_order_[n]]; }

    void count_unused_points() {
        std::vector<bool> is_used(soup_.points.size(), false);
        for (const SoupCorner& corner : soup_.corners) is_used[corner.point] = true;
        unused_points_ =
            static_cast<std::size_t>(std::count(is_used.begin(), is_used.end(), false));
    }

    void tell_what_was_left() {
        model_.format = "OBJ";
        count_unused_points();
        for (std::size_t i = 0; i < dropped_.faces; ++i) small_faces_.add(cut_byte(dropped_.first));
        tell(small_faces_, "faces without three different corners left out");
        tell({hasty_.faces, cut_byte(hasty_.first)},
             "faces of many corners cut without regard to their form");
        tell(bad_attributes_, "corners name texture coordinates or normals that do not exist");
        tell(bad_numbers_, "normals or texture coordinates that are no numbers set to zero");
        tell(lines_, "lines and points (l, p) left out");
        tell(unknown_, "statements not understood (" + shown_word(unknown_word_) + ") left out");
        if (unused_points_ > 0) {
            model_.notes.push_back(
                fmt::format("{} vertices that no face uses left out", unused_points_));
        }
        if (missing_materials_ > 0) {
            model_.notes.push_back(fmt::format(
                "{} materials that no library holds get the default look", missing_materials_));
        }
    }

    static constexpr std::int32_t kNowhere = std::numeric_limits<std::int32_t>::max();

    std::string_view text_;
    TextCursor at_;
    const ReadContext& context_;
    std::size_t statement_ = 0;  // Where the current line begins.
    Model model_;
    PolygonSoup soup_;
    std::vector<std::uint32_t> face_bytes_;
    std::size_t triangle_count_ = 0;
    int comments_ = 0;

    NameList objects_, groups_, materials_;
    FaceState state_;
    std::vector<FaceState> states_{FaceState{}};
    std::vector<std::pair<std::size_t, std::string_view>> libraries_;
    std::map<std::string, int, std::less<>> seen_libraries_;
    std::map<std::string, std::int32_t> look_of_;
    std::vector<std::int32_t> looks_;  // By material; -1 until it is used.

    FaceCutter::Count dropped_, hasty_;
    std::vector<std::uint32_t> cut_order_;  // Faces in the order in which they were cut.
    Left small_faces_, bad_attributes_, bad_numbers_, lines_, unknown_;
    std::string_view unknown_word_;
    std::size_t missing_materials_ = 0;
    std::size_t unused_points_ = 0;
};

}  // namespace

Result<Model> read_obj(std::string_view text, const ReadContext& context) {
    return ObjReader(text, context).read();
}

}  // namespace ductile
