// SPDX-License-Identifier: MIT
#include <ductile/asset/flatten_model.h>
#include <ductile/geom/model_skin.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace ductile {
namespace {

// As many as a reader lets through; nodes that show one mesh many times must not get around it.
constexpr std::size_t kMostVertices = 5'000'000, kMostTriangles = 10'000'000;
// Lengths of given normals: below is none, and this close to 1 is left alone.
constexpr double kNoNormal = 1e-6, kUnitNormal = 1e-5;
// How many names a path has, and how long they are, at most: files may nest as they like.
constexpr int kPathDepth = 32;
constexpr std::size_t kPathNameLength = 100;
// Joints that carry a mesh this alike leave it in one piece: floats of a file, relative to its
// size.
constexpr double kSameCarry = 1e-5;
// Names in an error that lists what there is.
constexpr std::size_t kNamesShown = 12;

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A node that shows a mesh, and where.
struct Shown {
    std::int32_t node = -1, mesh = 0;
    std::int32_t above = -1;  // The nearest shown node it hangs under.
    Mat4 to_model = Mat4::Identity();
    std::string name, path;
    PartRole role = PartRole::Deform;
};

class Flattener {
public:
    Flattener(const Model& model, const std::vector<PartRule>& rules) : model_(model) {
        rules_ = rules;
    }

    Result<FlatModel> run(bool may_miss) {
        if (Status ok = check_meshes(); !ok) return ok.error();
        if (Status ok = find_shown(); !ok) return ok.error();
        if (Status ok = deal_roles(may_miss); !ok) return ok.error();
        if (Status ok = check_size(); !ok) return ok.error();
        has_uvs_ = any_shown([](const ModelMesh& m) { return !m.uvs.empty(); });
        has_colours_ = any_shown([](const ModelMesh& m) { return !m.colours.empty(); });
        keeps_file_points_ = has_file_points();
        if (keeps_file_points_) out_.render.file_vertices.points = model_.file_points;
        out_.render.looks = model_.looks;
        find_joints();
        std::vector<std::int32_t> part_at_or_above;
        for (const Shown& shown : shown_) {
            const std::int32_t parent = shown.above < 0 ? -1 : part_at_or_above[shown.above];
            part_at_or_above.push_back(parent);
            if (shown.role == PartRole::Drop || model_.meshes[shown.mesh].triangles.empty())
                continue;
            part_at_or_above.back() = static_cast<std::int32_t>(out_.render.parts.size());
            if (Status ok = add_part(shown, parent); !ok) return ok.error();
        }
        for (ModelMorph& morph : out_.morphs) {
            morph.moves.resize(out_.render.points.size(), Vec3::Zero());
        }
        return std::move(out_);
    }

private:
    Status check_meshes() const {
        for (const ModelMesh& mesh : model_.meshes) {
            const std::size_t n = mesh.points.size();
            const auto fits = [n](const auto& a) { return a.empty() || a.size() == n; };
            const bool has_odd_morph =
                std::any_of(mesh.morphs.begin(), mesh.morphs.end(),
                            [&](const ModelMorph& m) { return m.moves.size() != n; });
            if (!fits(mesh.normals) || !fits(mesh.uvs) || !fits(mesh.colours) || has_odd_morph ||
                mesh.joints.size() != mesh.joint_sets() * n ||
                mesh.joint_weights.size() != mesh.joints.size()) {
                return Error{"a mesh has arrays of different lengths", "mesh " + mesh.name, ""};
            }
            if (!has_valid_indices(n, mesh.triangles)) {
                return Error{"a face names a vertex that does not exist", "mesh " + mesh.name,
                             "check the mesh's faces"};
            }
            if (!fits(mesh.file_points) || !are_points_of_file(mesh.file_points)) {
                return Error{"a vertex is a copy of one that does not exist", "mesh " + mesh.name,
                             ""};
            }
        }
        return {};
    }

    bool are_points_of_file(const std::vector<std::int32_t>& points) const {
        return std::all_of(points.begin(), points.end(), [&](std::int32_t p) {
            return p >= 0 && p < std::ssize(model_.file_points);
        });
    }

    Status find_shown() {
        std::vector<Mat4>& to_model = places_;
        to_model.resize(model_.nodes.size());
        std::vector<std::int32_t> shown_at_or_above(model_.nodes.size(), -1);
        for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
            const ModelNode& node = model_.nodes[i];
            if (node.parent >= static_cast<std::int32_t>(i) || node.parent < -1 ||
                node.mesh >= std::ssize(model_.meshes)) {
                return Error{
                    "a node names one that does not come before it, or no mesh of the file",
                    "node " + node.name, ""};
            }
            const bool is_root = node.parent < 0;
            to_model[i] = is_root ? node.to_parent : Mat4(to_model[node.parent] * node.to_parent);
            shown_at_or_above[i] = is_root ? -1 : shown_at_or_above[node.parent];
            if (!to_model[i].allFinite()) {
                return Error{"the place of a node is not finite",
                             "node " + path_of(static_cast<std::int32_t>(i)),
                             "check its scale and those above it"};
            }
            if (node.mesh < 0) continue;
            add_shown(static_cast<std::int32_t>(i), node.mesh, to_model[i]);
            shown_.back().above = shown_at_or_above[i];
            shown_at_or_above[i] = static_cast<std::int32_t>(shown_.size() - 1);
        }
        if (!model_.nodes.empty()) return {};
        for (std::size_t m = 0; m < model_.meshes.size(); ++m) {
            add_shown(-1, static_cast<std::int32_t>(m), Mat4::Identity());
        }
        return {};
    }

    // "body/door/handle"; of a hierarchy deeper than anyone builds, the end.
    std::string path_of(std::int32_t node) const {
        std::string path;
        for (int i = 0; node >= 0 && i < kPathDepth; ++i, node = model_.nodes[node].parent) {
            const std::string name = model_.nodes[node].name.substr(0, kPathNameLength);
            path = path.empty() ? name : name + "/" + path;
        }
        return path;
    }

    void add_shown(std::int32_t node, std::int32_t mesh, const Mat4& to_model) {
        std::string name = node >= 0 ? model_.nodes[node].name : std::string();
        if (name.empty()) name = model_.meshes[mesh].name;
        if (name.empty()) name = "part";
        shown_.push_back({node, mesh, -1, to_model, unique(name), path_of(node), PartRole::Deform});
    }

    std::string unique(const std::string& name) {
        if (names_.insert(name).second) return name;
        std::int32_t& last = last_number_.try_emplace(name, 1).first->second;
        while (true) {
            const std::string numbered = fmt::format("{}.{}", name, ++last);
            if (names_.insert(numbered).second) return numbered;
        }
    }

    Status deal_roles(bool may_miss) {
        for (const PartRule& rule : rules_) {
            bool fits_any = false;
            for (Shown& shown : shown_) {
                if (!fits_pattern(shown.name, rule.name) && !fits_pattern(shown.path, rule.name)) {
                    continue;
                }
                shown.role = rule.role;
                fits_any = true;
            }
            if (!fits_any && !may_miss) {
                return Error{fmt::format("no part is called \"{}\"", rule.name), "parts",
                             "the file has " + part_names()};
            }
        }
        return {};
    }

    std::string part_names() const {
        std::string names;
        for (std::size_t i = 0; i < std::min(shown_.size(), kNamesShown); ++i) {
            names += (i > 0 ? ", " : "") + shown_[i].name;
        }
        if (shown_.size() > kNamesShown)
            names += fmt::format(" and {} more", shown_.size() - kNamesShown);
        return shown_.empty() ? "no parts" : names;
    }

    Status check_size() const {
        std::size_t vertices = 0, triangles = 0;
        for (const Shown& shown : shown_) {
            if (shown.role == PartRole::Drop) continue;
            vertices += model_.meshes[shown.mesh].points.size();
            triangles += model_.meshes[shown.mesh].triangles.size();
        }
        if (vertices <= kMostVertices && triangles <= kMostTriangles) return {};
        return Error{fmt::format("its nodes show {} vertices and {} triangles; at most {} and {} "
                                 "are taken",
                                 vertices, triangles, kMostVertices, kMostTriangles),
                     "", "drop parts, or simplify the model"};
    }

    template <class Asks>
    bool any_shown(Asks&& asks) const {
        return std::any_of(shown_.begin(), shown_.end(), [&](const Shown& s) {
            return s.role != PartRole::Drop && asks(model_.meshes[s.mesh]);
        });
    }

    // Copies of a file's point are one vertex only where nothing moves them apart.
    bool has_file_points() const {
        std::set<std::int32_t> meshes;
        return !model_.file_points.empty() &&
               std::all_of(shown_.begin(), shown_.end(), [&](const Shown& s) {
                   const ModelMesh& mesh = model_.meshes[s.mesh];
                   const bool is_bent = s.node >= 0 && is_skinned(model_, model_.nodes[s.node]);
                   return !is_bent && meshes.insert(s.mesh).second &&
                          s.to_model == Mat4::Identity() &&
                          mesh.file_points.size() == mesh.points.size();
               });
    }

    void find_joints() {
        std::set<std::int32_t> nodes;
        for (const Shown& shown : shown_) {
            if (shown.node < 0 || shown.role == PartRole::Drop) continue;
            const ModelNode& node = model_.nodes[shown.node];
            if (!is_skinned(model_, node)) continue;
            const std::vector<std::int32_t>& joints = model_.skins[node.skin].joints;
            nodes.insert(joints.begin(), joints.end());
        }
        out_.joints.assign(nodes.begin(), nodes.end());
    }

    std::int32_t joint_number(std::int32_t node) const {
        const std::vector<std::int32_t>& nodes = out_.joints;
        const auto at = std::lower_bound(nodes.begin(), nodes.end(), node);
        if (at == nodes.end() || *at != node) return -1;
        return static_cast<std::int32_t>(at - nodes.begin());
    }

    void end_row() {
        out_.weights.start.push_back(static_cast<std::int32_t>(out_.weights.handle.size()));
    }

    Status add_joint_rows(const ModelMesh& mesh, const ModelSkin& skin) {
        for (std::size_t v = 0; v < mesh.points.size(); ++v) {
            std::map<std::int32_t, double> row;
            double sum = 0.0;
            for (std::size_t at = v; at < mesh.joints.size(); at += mesh.points.size()) {
                for (int k = 0; k < 4; ++k) {
                    const double weight = mesh.joint_weights[at][k];
                    if (!(weight > 0)) continue;
                    const std::int32_t joint = mesh.joints[at][k];
                    if (joint < 0 || joint >= std::ssize(skin.joints)) {
                        return Error{"a vertex hangs on a joint that is not there",
                                     "mesh " + mesh.name, ""};
                    }
                    row[joint_number(skin.joints[joint])] += weight;
                    sum += weight;
                }
            }
            for (const auto& [joint, weight] : row) {
                out_.weights.handle.push_back(joint);
                out_.weights.weight.push_back(weight / sum);
            }
            end_row();
        }
        return {};
    }

    // All of it goes with the joint it hangs below, if any.
    void add_joint_rows(const ModelMesh& mesh, std::int32_t node) {
        std::int32_t joint = -1;
        for (; node >= 0 && joint < 0; node = model_.nodes[node].parent) joint = joint_number(node);
        for (std::size_t v = 0; v < mesh.points.size(); ++v) {
            if (joint >= 0) {
                out_.weights.handle.push_back(joint);
                out_.weights.weight.push_back(1.0);
            }
            end_row();
        }
    }

    // A skinned mesh as its joints carry it; where they all do the same, it is only placed.
    Result<std::optional<ModelMesh>> bend(const ModelNode& node, Shown& shown) const {
        const Result<std::vector<Mat4>> carries = joint_carries(model_.skins[node.skin], places_);
        if (!carries) return carries.error();
        const auto is_same = [](const Mat4& a, const Mat4& b) {
            return (a - b).cwiseAbs().maxCoeff() <= kSameCarry * a.cwiseAbs().maxCoeff();
        };
        const std::vector<Mat4>& all = carries.value();
        if (all.empty()) return std::optional<ModelMesh>();
        const bool is_rigid =
            std::all_of(all.begin(), all.end(), [&](const Mat4& m) { return is_same(all[0], m); });
        if (is_rigid && is_same(all[0], shown.to_model)) return std::optional<ModelMesh>();
        shown.to_model = is_rigid ? all[0] : Mat4::Identity();
        if (is_rigid) return std::optional<ModelMesh>();
        Result<ModelMesh> bent = bent_mesh(model_.meshes[shown.mesh], all);
        if (!bent) return bent.error();
        return std::optional<ModelMesh>(std::move(bent).value());
    }

    void add_morphs(const ModelMesh& mesh, const Shown& shown) {
        const std::size_t first = out_.render.points.size() - mesh.points.size();
        const Mat3 turn = shown.to_model.topLeftCorner<3, 3>();
        for (const ModelMorph& from : mesh.morphs) {
            auto to = std::find_if(out_.morphs.begin(), out_.morphs.end(),
                                   [&](const ModelMorph& m) { return m.name == from.name; });
            if (to == out_.morphs.end()) to = out_.morphs.insert(to, {from.name, {}});
            to->moves.resize(first, Vec3::Zero());
            for (const Vec3& move : from.moves) to->moves.push_back(turn * move);
        }
    }

    Status add_part(const Shown& named, std::int32_t parent) {
        Shown shown = named;
        std::optional<ModelMesh> bent;
        const ModelNode* node = shown.node >= 0 ? &model_.nodes[shown.node] : nullptr;
        const bool has_skin = node && is_skinned(model_, *node);
        if (has_skin) {
            Result<std::optional<ModelMesh>> made = bend(*node, shown);
            if (!made) return made.error();
            bent = std::move(made).value();
            const Status added =
                add_joint_rows(model_.meshes[shown.mesh], model_.skins[node->skin]);
            if (!added) return added;
        } else if (!out_.joints.empty()) {
            add_joint_rows(model_.meshes[shown.mesh], shown.node);
        }
        return add_placed_part(bent ? *bent : model_.meshes[shown.mesh], shown, parent);
    }

    Status add_placed_part(const ModelMesh& mesh, const Shown& shown, std::int32_t parent) {
        RenderMesh& render = out_.render;
        const MeshPart part{shown.name,
                            parent,
                            static_cast<std::int32_t>(render.triangles.size()),
                            static_cast<std::int32_t>(mesh.triangles.size()),
                            static_cast<std::int32_t>(render.points.size()),
                            static_cast<std::int32_t>(mesh.points.size())};
        render.parts.push_back(part);
        out_.roles.push_back(shown.role);
        if (Status ok = add_points(mesh, shown); !ok) return ok;
        add_normals(mesh, shown);
        add_triangles(mesh, shown, part.first_vertex);
        if (keeps_file_points_) {
            std::vector<std::int32_t>& of_drawn = render.file_vertices.of_drawn;
            of_drawn.insert(of_drawn.end(), mesh.file_points.begin(), mesh.file_points.end());
        }
        add_morphs(mesh, shown);
        if (has_uvs_) add_or_fill(mesh.uvs, mesh.points.size(), Vec2(0, 0), render.uvs);
        if (has_colours_) {
            add_or_fill(mesh.colours, mesh.points.size(), Vec4(1, 1, 1, 1), render.colours);
        }
        return {};
    }

    template <class T>
    static void add_or_fill(const std::vector<T>& from, std::size_t count, const T& fill,
                            std::vector<T>& to) {
        if (from.empty()) {
            to.resize(to.size() + count, fill);
        } else {
            to.insert(to.end(), from.begin(), from.end());
        }
    }

    Status add_points(const ModelMesh& mesh, const Shown& shown) {
        std::vector<Vec3>& points = out_.render.points;
        const std::size_t first = points.size();
        points.insert(points.end(), mesh.points.begin(), mesh.points.end());
        if (shown.to_model != Mat4::Identity()) {
            const Mat3 turn = shown.to_model.topLeftCorner<3, 3>();
            const Vec3 move = shown.to_model.topRightCorner<3, 1>();
            for (std::size_t i = first; i < points.size(); ++i) {
                points[i] = turn * mesh.points[i - first] + move;
            }
        }
        for (std::size_t i = first; i < points.size(); ++i) {
            if (is_finite(points[i])) continue;
            return Error{"a coordinate is not finite",
                         fmt::format("part {}, vertex {}", shown.name, i - first), ""};
        }
        return {};
    }

    void add_normals(const ModelMesh& mesh, const Shown& shown) {
        std::vector<Vec3>& normals = out_.render.normals;
        const std::size_t first = normals.size();
        normals.resize(first + mesh.points.size(), Vec3::Zero());
        out_.lacks_normals.push_back(1);
        if (mesh.normals.empty()) return;
        // Of the inverse transpose only the direction counts, so a node that flattens has one, too.
        Mat3 turn = Mat3::Identity();
        const bool is_moved = shown.to_model.topLeftCorner<3, 3>() != Mat3::Identity();
        if (is_moved) {
            const Mat3 m = shown.to_model.topLeftCorner<3, 3>();
            turn.col(0) = m.col(1).cross(m.col(2));
            turn.col(1) = m.col(2).cross(m.col(0));
            turn.col(2) = m.col(0).cross(m.col(1));
            if (m.determinant() < 0) turn *= -1.0;
            const double size = turn.cwiseAbs().maxCoeff();
            if (size > 0 && std::isfinite(size)) turn /= size;
        }
        for (std::size_t i = 0; i < mesh.normals.size(); ++i) {
            const Vec3 n = is_moved ? Vec3(turn * mesh.normals[i]) : mesh.normals[i];
            const double length = n.norm();
            if (!(length > kNoNormal) || !std::isfinite(length)) continue;
            normals[first + i] = std::abs(length - 1.0) <= kUnitNormal ? n : Vec3(n / length);
            out_.lacks_normals.back() = 0;
        }
    }

    void add_triangles(const ModelMesh& mesh, const Shown& shown, std::int32_t first_vertex) {
        RenderMesh& render = out_.render;
        const bool mirrors = shown.to_model.topLeftCorner<3, 3>().determinant() < 0;
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
            Triangle t = mesh.triangles[i];
            if (mirrors) std::swap(t[1], t[2]);
            for (std::int32_t& v : t) v += first_vertex;
            render.triangles.push_back(t);
            const std::int32_t look =
                i < mesh.triangle_looks.size() ? mesh.triangle_looks[i] : std::int32_t{-1};
            const bool is_known = look >= 0 && look < std::ssize(model_.looks);
            render.triangle_looks.push_back(is_known ? look : default_look());
        }
    }

    std::int32_t default_look() {
        if (default_look_ < 0) {
            default_look_ = static_cast<std::int32_t>(out_.render.looks.size());
            out_.render.looks.emplace_back();
        }
        return default_look_;
    }

    const Model& model_;
    std::vector<PartRule> rules_;
    std::vector<Shown> shown_;
    std::vector<Mat4> places_;  // Of the nodes.
    std::set<std::string> names_;
    std::map<std::string, std::int32_t> last_number_;
    bool has_uvs_ = false, has_colours_ = false, keeps_file_points_ = false;
    std::int32_t default_look_ = -1;
    FlatModel out_;
};

}  // namespace

bool fits_pattern(std::string_view text, std::string_view pattern) {
    std::size_t t = 0, p = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        const bool is_same = p < pattern.size() && pattern[p] != '*' &&
                             (pattern[p] == '?' || lower_case(pattern[p]) == lower_case(text[t]));
        if (is_same) {
            ++t, ++p;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

Result<FlatModel> flatten_model(const Model& model, const std::vector<PartRule>& rules,
                                bool may_miss) {
    return Flattener(model, rules).run(may_miss);
}

}  // namespace ductile
