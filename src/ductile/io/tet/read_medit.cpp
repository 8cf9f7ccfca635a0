// SPDX-License-Identifier: MIT
#include <ductile/io/tet/read_medit.h>
#include <ductile/io/tet/tet_surface.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <utility>

namespace ductile {
namespace {

class MeditReader {
public:
    MeditReader(std::string_view text, const ReadContext& context)
        : text_(text), at_(text), limits_(context.limits) {}

    Result<Model> read() {
        for (next_word(); !word_.empty(); next_word()) {
            if (word_ == "End") break;
            if (Status section = read_section(); !section) return section.error();
        }
        model_.format = "Medit";
        return volume_model(std::move(model_), std::move(points_), std::move(tets_),
                            std::move(faces_), limits_);
    }

private:
    Error error(std::string what, std::string hint = "") const {
        return {std::move(what), line_place(text_, at_.byte()), std::move(hint)};
    }

    void next_word() {
        at_.skip_space();
        word_ = at_.word();
    }

    Status read_section() {
        std::int64_t number = 0;
        if (word_ == "MeshVersionFormatted") {
            return whole(number) ? Status() : error("the version is missing");
        }
        if (word_ == "Dimension") {
            if (!whole(number)) return error("the dimension is missing");
            if (number != 3) return error(fmt::format("has {} dimensions, not 3", number));
            return {};
        }
        if (word_ == "Vertices") return read_vertices();
        if (word_ == "Triangles") return read_elements(3);
        if (word_ == "Quadrilaterals") return read_elements(4);
        if (word_ == "Tetrahedra") return read_elements(4, /*is_tets*/ true);
        return skip_section();
    }

    bool whole(std::int64_t& value) {
        at_.skip_space();
        return at_.read(value) && at_.is_at_word_end();
    }

    // A count of items that need `numbers` numbers each: that many digits and blanks are left.
    Status read_count(std::int64_t& count, std::int64_t numbers) {
        if (!whole(count) || count < 0) return error("a section without a count");
        const auto left = static_cast<std::int64_t>(at_.bytes_left());
        if (count <= left / (2 * numbers) + 1) return {};
        return error(fmt::format("a section promises {} items, but {} bytes are left", count, left),
                     "the file was cut short, or its count is wrong");
    }

    Status read_vertices() {
        std::int64_t count = 0;
        if (Status read = read_count(count, 4); !read) return read;
        if (static_cast<std::size_t>(count) > limits_.vertices || !points_.empty()) {
            return error(fmt::format("more than {} vertices, or vertices twice", limits_.vertices));
        }
        points_.reserve(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) {
            Vec3 point;
            double reference = 0.0;
            for (int k = 0; k < 4; ++k) {
                at_.skip_space();
                double& value = k < 3 ? point[k] : reference;
                if (at_.read(value) == TextCursor::Number::Good && at_.is_at_word_end()) continue;
                return not_a_number();
            }
            points_.push_back(point);
        }
        return {};
    }

    Error not_a_number() {
        if (at_.is_at_end()) {
            return error("the file ends too early", "it was cut short: copy or export it again");
        }
        TextCursor ahead = at_;
        return error(shown_word(ahead.word()) + " is not a finite number");
    }

    Status read_elements(int corners, bool is_tets = false) {
        std::int64_t count = 0;
        if (Status read = read_count(count, corners + 1); !read) return read;
        if (static_cast<std::size_t>(count) > limits_.triangles) {
            return error(fmt::format("more than {} elements", limits_.triangles));
        }
        for (std::int64_t i = 0; i < count; ++i) {
            Tet corner{};
            for (int k = 0; k < corners; ++k) {
                if (Status read = read_corner(corner[k]); !read) return read;
            }
            std::int64_t reference = 0;
            if (!whole(reference)) return not_a_number();
            if (is_tets) {
                tets_.push_back(corner);
            } else {
                faces_.corners.insert(faces_.corners.end(), corner.begin(),
                                      corner.begin() + corners);
                faces_.end_face();
            }
        }
        return {};
    }

    Status read_corner(std::int32_t& corner) {
        std::int64_t value = 0;
        if (!whole(value)) return not_a_number();
        if (value < 1 || static_cast<std::size_t>(value) > points_.size()) {
            return error(fmt::format("names vertex {}, but there are {} so far (counted from 1)",
                                     value, points_.size()),
                         "the file is damaged, or its vertices come too late");
        }
        corner = static_cast<std::int32_t>(value - 1);
        return {};
    }

    // Up to the next word that is no number.
    Status skip_section() {
        const bool is_word = !word_.empty() && ((word_[0] >= 'A' && word_[0] <= 'Z') ||
                                                (word_[0] >= 'a' && word_[0] <= 'z'));
        if (!is_word) return error(shown_word(word_) + " stands where a section should begin");
        double value = 0.0;
        while (at_.skip_space(), at_.read(value) == TextCursor::Number::Good) {
        }
        return {};
    }

    std::string_view text_;
    TextCursor at_;
    const ReadLimits& limits_;
    std::string_view word_;
    Model model_;
    std::vector<Vec3> points_;
    std::vector<Tet> tets_;
    IndexedFaces faces_;
};

}  // namespace

Result<Model> read_medit(std::string_view text, const ReadContext& context) {
    return MeditReader(text, context).read();
}

}  // namespace ductile
