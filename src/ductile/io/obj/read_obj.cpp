// SPDX-License-Identifier: MIT
#include <ductile/io/companion.h>
#include <ductile/io/obj/obj_statements.h>
#include <ductile/io/obj/read_mtl.h>
#include <ductile/io/obj/read_obj.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace ductile {
namespace {

constexpr std::size_t kMostLibraries = 64;

// Makes parts and looks of an OBJ's statements.
class ObjBuilder {
public:
    ObjBuilder(std::string_view text, ObjStatements statements, const ReadContext& context)
        : text_(text), context_(context), file_(std::move(statements)) {}

    Result<Model> build() {
        model_.format = "OBJ";
        model_.metres_per_unit = file_.units.metres_per_unit;
        model_.up_axis = file_.units.up_axis;
        read_libraries();
        if (Status built = build_meshes(); !built) return built.error();
        note_what_was_left();
        keep_file_points();
        return std::move(model_);
    }

private:
    void read_libraries() {
        for (const auto& [byte, line] : file_.libraries) {
            library_byte_ = byte;
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
        looks_.assign(file_.materials.size(), -1);
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
                                               line_place(text_, library_byte_), shown_word(name),
                                               text.error().what));
            return;
        }
        read_mtl(without_byte_order_mark(text.value()), name, context_, model_.looks, model_.notes);
    }

    std::int32_t look(std::int32_t material) {
        if (material < 0) return -1;
        if (looks_[material] >= 0) return looks_[material];
        const std::string& name = file_.materials.name(material);
        const auto [found, is_new] =
            look_of_.emplace(name, static_cast<std::int32_t>(model_.looks.size()));
        if (is_new) {
            model_.looks.emplace_back().name = name;
            ++missing_materials_;
        }
        return looks_[material] = found->second;
    }

    Status build_meshes() {
        const bool has_objects = file_.objects.size() > 1;
        const std::size_t part_count = has_objects ? file_.objects.size() : file_.groups.size();
        std::vector<std::vector<std::uint32_t>> faces(part_count);
        std::vector<std::vector<std::int32_t>> looks(part_count);
        for (std::size_t s = 0; s < file_.states.size(); ++s) {
            const std::size_t end = s + 1 < file_.states.size() ? file_.states[s + 1].first_face
                                                                : file_.soup.face_count();
            if (file_.states[s].first_face == end) continue;
            const std::int32_t part = has_objects ? file_.states[s].object : file_.states[s].group;
            const std::int32_t shown = look(file_.states[s].material);
            const std::size_t count = end - file_.states[s].first_face;
            faces[part].resize(faces[part].size() + count);
            std::iota(faces[part].end() - static_cast<std::ptrdiff_t>(count), faces[part].end(),
                      static_cast<std::uint32_t>(file_.states[s].first_face));
            looks[part].resize(looks[part].size() + count, shown);
        }
        SoupCutter cutter(file_.soup);
        std::size_t vertices = 0;
        for (std::size_t p = 0; p < part_count; ++p) {
            ModelMesh mesh = cutter.cut(faces[p], looks[p]);
            if (mesh.triangles.empty()) continue;
            vertices += mesh.points.size();
            mesh.name = has_objects ? file_.objects.name(p) : file_.groups.name(p);
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

    // A mesh of all points as they stand needs no names for them.
    void keep_file_points() {
        std::vector<std::int32_t>& first = model_.meshes[0].file_points;
        bool is_same = model_.meshes.size() == 1 && first.size() == file_.soup.points.size();
        for (std::size_t i = 0; is_same && i < first.size(); ++i) {
            is_same = first[i] == static_cast<std::int32_t>(i);
        }
        if (is_same) {
            first.clear();
        } else {
            model_.file_points = std::move(file_.soup.points);
        }
    }

    void add_note(const ObjLeft& left, std::string_view what) {
        if (left.count == 0) return;
        model_.notes.push_back(
            fmt::format("{} {}, first in {}", left.count, what, line_place(text_, left.byte)));
    }

    // Where the face of the nth cut stands.
    std::size_t cut_byte(std::size_t n) const { return file_.face_bytes[cut_order_[n]]; }

    void count_unused_points() {
        std::vector<bool> is_used(file_.soup.points.size(), false);
        for (const SoupCorner& corner : file_.soup.corners) is_used[corner.point] = true;
        unused_points_ =
            static_cast<std::size_t>(std::count(is_used.begin(), is_used.end(), false));
    }

    void note_what_was_left() {
        count_unused_points();
        for (std::size_t i = 0; i < dropped_.faces; ++i)
            file_.small_faces.add(cut_byte(dropped_.first));
        add_note(file_.small_faces, "faces without three different corners left out");
        add_note({hasty_.faces, cut_byte(hasty_.first)},
                 "faces of many corners cut without regard to their form");
        add_note(file_.bad_attributes,
                 "corners name texture coordinates or normals that do not exist");
        add_note(file_.bad_numbers,
                 "normals or texture coordinates that are no numbers set to zero");
        add_note(file_.lines, "lines and points (l, p) left out");
        add_note(file_.unknown,
                 "statements not understood (" + shown_word(file_.unknown_word) + ") left out");
        if (unused_points_ > 0) {
            model_.notes.push_back(fmt::format("{} {} that no face uses left out", unused_points_,
                                               unused_points_ == 1 ? "vertex" : "vertices"));
        }
        if (missing_materials_ > 0) {
            const bool is_one = missing_materials_ == 1;
            model_.notes.push_back(
                fmt::format("{} {} that no library holds {} the default look", missing_materials_,
                            is_one ? "material" : "materials", is_one ? "gets" : "get"));
        }
    }

    std::string_view text_;
    const ReadContext& context_;
    ObjStatements file_;
    Model model_;
    std::size_t library_byte_ = 0;  // Where the library that is being read is named.
    std::map<std::string, int, std::less<>> seen_libraries_;
    std::map<std::string, std::int32_t> look_of_;
    std::vector<std::int32_t> looks_;  // By material; -1 until it is used.

    FaceCutter::Count dropped_, hasty_;
    std::vector<std::uint32_t> cut_order_;  // Faces in the order in which they were cut.
    std::size_t missing_materials_ = 0;
    std::size_t unused_points_ = 0;
};

}  // namespace

Result<Model> read_obj(std::string_view text, const ReadContext& context) {
    Result<ObjStatements> statements = read_obj_statements(text, context.limits);
    if (!statements) return statements.error();
    return ObjBuilder(text, std::move(statements).value(), context).build();
}

}  // namespace ductile
