// SPDX-License-Identifier: MIT
#include <ductile/io/tet/read_gmsh.h>
#include <ductile/io/tet/tet_surface.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace ductile {
namespace {

// By Gmsh's number of the kind: nodes of one element, and how many of them are the corners of what
// ductile takes (3 triangle, 4 quad; -4 tetrahedron; 0: left out).
struct GmshKind {
    int nodes = 0;
    int corners = 0;
};
constexpr std::array<GmshKind, 20> kGmshKinds{{
    {0, 0}, {2, 0},   {3, 3},  {4, 4},  {4, -4}, {8, 0}, {6, 0}, {5, 0},  {3, 0},  {6, 3},
    {9, 4}, {10, -4}, {27, 0}, {18, 0}, {14, 0}, {1, 0}, {8, 4}, {20, 0}, {15, 0}, {13, 0},
}};

// A node's number in the file, and its place among the points.
struct NodeTag {
    std::int64_t tag = 0;
    std::int32_t point = 0;
};

class GmshReader {
public:
    GmshReader(std::string_view text, const ReadContext& context)
        : text_(text), at_(text), limits_(context.limits) {}

    Result<Model> read() {
        for (next_word(); !word_.empty(); next_word()) {
            if (Status section = read_section(); !section) return section.error();
        }
        model_.format = "Gmsh";
        if (left_out_ > 0) {
            model_.notes.push_back(fmt::format(
                "{} elements that are no triangle, quad or tetrahedron left out", left_out_));
        }
        return volume_model(std::move(model_), std::move(points_), std::move(tets_),
                            std::move(faces_), limits_);
    }

private:
    Error error(std::string what, std::string hint = "") const {
        return {std::move(what), line_place(text_, at_.byte()), std::move(hint)};
    }

    Error not_a_number() const {
        if (at_.is_at_end()) {
            return error("the file ends too early", "it was cut short: copy or export it again");
        }
        TextCursor ahead = at_;
        return error(shown_word(ahead.word()) + " is not a number of this section");
    }

    void skip_space() {  // Gmsh has no comments of this kind; '#' is an error like any word.
        while (at_.skip_blanks(), at_.is_at_line_end() && !at_.is_at_end()) at_.skip_line_end();
    }

    void next_word() {
        skip_space();
        word_ = at_.word();
    }

    Status read_section() {
        if (word_ == "$MeshFormat") return read_format();
        if (word_ == "$NOD") return read_nodes(1, "$ENDNOD");
        if (word_ == "$ELM") return read_elements(1, "$ENDELM");
        if (word_ == "$Nodes") return read_nodes(version_, "$EndNodes");
        if (word_ == "$Elements") return read_elements(version_, "$EndElements");
        if (word_[0] != '$') return error(shown_word(word_) + " stands outside of a section");
        return skip_section();
    }

    Status read_format() {
        double version = 0.0;
        std::int64_t kind = 0;
        skip_space();
        if (at_.read(version) != TextCursor::Number::Good || !whole(kind)) return not_a_number();
        if (kind != 0) {
            return error("is a binary Gmsh file, which is not read",
                         "save it as text: gmsh FILE -save -format msh22 -bin 0");
        }
        const bool is_second = version >= 2.0 && version < 3.0;
        version_ = is_second ? 2 : 4;
        if (!is_second && version != 4.1) {
            return error(fmt::format("version {} is not read", version),
                         "versions 1, 2 and 4.1 are: gmsh FILE -save -format msh22");
        }
        return end_section("$EndMeshFormat");
    }

    Status end_section(std::string_view end) {
        // Of the format line, what later versions may add.
        for (next_word(); !word_.empty() && word_ != end; next_word()) {
            if (word_[0] == '$') return error(shown_word(word_) + " before " + std::string(end));
        }
        return word_.empty() ? cut_short(end) : Status();
    }

    Error cut_short(std::string_view end) const {
        return error(fmt::format("the file ends before {}", end),
                     "it was cut short: copy or export it again");
    }

    Status skip_section() {
        std::string end = "$End" + std::string(word_.substr(1));
        for (next_word(); !word_.empty(); next_word()) {
            if (is_same_word(word_, end)) return {};
        }
        return cut_short(end);
    }

    bool whole(std::int64_t& value) {
        skip_space();
        return at_.read(value) && at_.is_at_word_end();
    }

    // A count of items of so many numbers each, which the rest of the file can hold.
    Status read_count(std::int64_t& count, std::int64_t numbers) {
        if (!whole(count)) return not_a_number();
        const auto left = static_cast<std::int64_t>(at_.bytes_left());
        if (count >= 0 && count <= left / (2 * numbers) + 1) return {};
        return error(fmt::format("a section promises {} items, but {} bytes are left", count, left),
                     "the file was cut short, or its count is wrong");
    }

    // ---- nodes ----

    Status read_nodes(int version, std::string_view end) {
        if (!points_.empty()) return error("has nodes twice");
        Status read = version == 4 ? read_node_blocks() : read_node_list();
        if (!read) return read;
        std::stable_sort(tags_.begin(), tags_.end(),
                         [](const NodeTag& a, const NodeTag& b) { return a.tag < b.tag; });
        return end_section(end);
    }

    Status begin_nodes(std::int64_t count) {
        if (static_cast<std::size_t>(count) > limits_.vertices) {
            return error(fmt::format("more than {} nodes", limits_.vertices));
        }
        points_.reserve(static_cast<std::size_t>(count));
        tags_.reserve(static_cast<std::size_t>(count));
        return {};
    }

    Status read_node_list() {
        std::int64_t count = 0;
        if (Status read = read_count(count, 4); !read) return read;
        if (Status begun = begin_nodes(count); !begun) return begun;
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t tag = 0;
            if (!whole(tag)) return not_a_number();
            tags_.push_back({tag, static_cast<std::int32_t>(i)});
            if (Status point = read_point(); !point) return point;
        }
        return {};
    }

    Status read_point() {
        Vec3 point;
        for (int k = 0; k < 3; ++k) {
            skip_space();
            const bool is_good = at_.read(point[k]) == TextCursor::Number::Good;
            if (!is_good || !at_.is_at_word_end()) return not_a_number();
        }
        points_.push_back(point);
        return {};
    }

    // Version 4: blocks of one entity each, first the numbers of their nodes, then the places.
    Status read_node_blocks() {
        std::int64_t blocks = 0, count = 0, least = 0, greatest = 0;
        if (!whole(blocks)) return not_a_number();
        if (Status read = read_count(count, 4); !read) return read;
        if (!whole(least) || !whole(greatest)) return not_a_number();
        if (Status begun = begin_nodes(count); !begun) return begun;
        for (std::int64_t b = 0; b < blocks; ++b) {
            std::int64_t dimension = 0, entity = 0, is_parametric = 0, size = 0;
            if (!whole(dimension) || !whole(entity) || !whole(is_parametric)) return not_a_number();
            if (Status read = read_count(size, 4); !read) return read;
            if (is_parametric != 0) return error("has parametric nodes, which are not read");
            if (size > count - static_cast<std::int64_t>(points_.size())) {
                return error("a block has more nodes than the section promises");
            }
            const std::size_t first = points_.size();
            for (std::int64_t i = 0; i < size; ++i) {
                std::int64_t tag = 0;
                if (!whole(tag)) return not_a_number();
                tags_.push_back({tag, static_cast<std::int32_t>(first) + static_cast<int>(i)});
            }
            for (std::int64_t i = 0; i < size; ++i) {
                if (Status point = read_point(); !point) return point;
            }
        }
        return {};
    }

    // ---- elements ----

    Status read_elements(int version, std::string_view end) {
        Status read = version == 4 ? read_element_blocks() : read_element_list(version);
        return read ? end_section(end) : read;
    }

    Status read_element_list(int version) {
        std::int64_t count = 0;
        if (Status read = read_count(count, 4); !read) return read;
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t number = 0, kind = 0, tags = 2, nodes = -1, tag = 0;
            if (!whole(number) || !whole(kind)) return not_a_number();
            if (version == 2 && !whole(tags)) return not_a_number();
            if (tags < 0) return error(fmt::format("an element of {} tags", tags));
            for (std::int64_t t = 0; t < tags; ++t) {
                if (!whole(tag)) return not_a_number();
            }
            if (version == 1 && !whole(nodes)) return not_a_number();
            if (Status element = read_element(kind, nodes); !element) return element;
        }
        return {};
    }

    Status read_element_blocks() {
        std::int64_t blocks = 0, count = 0, least = 0, greatest = 0;
        if (!whole(blocks) || !whole(count) || !whole(least) || !whole(greatest)) {
            return not_a_number();
        }
        for (std::int64_t b = 0; b < blocks; ++b) {
            std::int64_t dimension = 0, entity = 0, kind = 0, size = 0, number = 0;
            if (!whole(dimension) || !whole(entity) || !whole(kind)) return not_a_number();
            if (Status read = read_count(size, 2); !read) return read;
            for (std::int64_t i = 0; i < size; ++i) {
                if (!whole(number)) return not_a_number();
                if (Status element = read_element(kind, -1); !element) return element;
            }
        }
        return {};
    }

    // `nodes` is what the file says, -1 where it does not.
    Status read_element(std::int64_t kind, std::int64_t nodes) {
        const bool is_known = kind > 0 && kind < static_cast<std::int64_t>(kGmshKinds.size());
        if (!is_known && nodes < 0) {
            return error(fmt::format("element kind {} is unknown", kind),
                         "save it with elements of first order");
        }
        const GmshKind known = is_known ? kGmshKinds[static_cast<std::size_t>(kind)] : GmshKind{};
        if (nodes < 0) nodes = known.nodes;
        const int corners = std::abs(known.corners);
        if (nodes < corners) {
            return error(fmt::format("an element of kind {} with {} nodes", kind, nodes));
        }
        Tet corner{};
        for (std::int64_t k = 0; k < nodes; ++k) {
            std::int64_t tag = 0;
            if (!whole(tag)) return not_a_number();
            if (k >= corners) continue;
            const auto found =
                std::lower_bound(tags_.begin(), tags_.end(), tag,
                                 [](const NodeTag& a, std::int64_t t) { return a.tag < t; });
            if (found == tags_.end() || found->tag != tag) {
                return error(fmt::format("names node {}, which does not exist", tag),
                             "the file is damaged, or its nodes come too late");
            }
            corner[static_cast<std::size_t>(k)] = found->point;
        }
        return keep_element(known.corners, corner);
    }

    Status keep_element(int corners, const Tet& corner) {
        if (corners == 0) {
            ++left_out_;
        } else if (corners < 0) {
            tets_.push_back(corner);
        } else {
            faces_.corners.insert(faces_.corners.end(), corner.begin(), corner.begin() + corners);
            faces_.end_face();
        }
        if (tets_.size() <= limits_.triangles && faces_.count() <= limits_.triangles) return {};
        return error(fmt::format("more than {} elements", limits_.triangles));
    }

    std::string_view text_;
    TextCursor at_;
    const ReadLimits& limits_;
    std::string_view word_;
    int version_ = 2;
    Model model_;
    std::vector<Vec3> points_;
    std::vector<NodeTag> tags_;
    std::vector<Tet> tets_;
    IndexedFaces faces_;
    std::size_t left_out_ = 0;
};

}  // namespace

Result<Model> read_gmsh(std::string_view text, const ReadContext& context) {
    return GmshReader(text, context).read();
}

}  // namespace ductile
