// SPDX-License-Identifier: MIT
#include <ductile/io/file_units.h>
#include <ductile/io/model_parts.h>
#include <ductile/io/polygons/ply_header.h>
#include <ductile/io/polygons/read_ply.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace ductile {
namespace {

// What a vertex's number is, as a place in a row of values.
enum VertexValue {
    kX,
    kY,
    kZ,
    kNormalX,
    kNormalY,
    kNormalZ,
    kRed,
    kGreen,
    kBlue,
    kAlpha,
    kU,
    kV,
    kVertexValues,
};

struct VertexName {
    std::string_view name;
    VertexValue value;
};
constexpr std::array<VertexName, 23> kVertexNames{{
    {"x", kX},
    {"y", kY},
    {"z", kZ},
    {"nx", kNormalX},
    {"ny", kNormalY},
    {"nz", kNormalZ},
    {"red", kRed},
    {"green", kGreen},
    {"blue", kBlue},
    {"alpha", kAlpha},
    {"r", kRed},
    {"g", kGreen},
    {"b", kBlue},
    {"diffuse_red", kRed},
    {"diffuse_green", kGreen},
    {"diffuse_blue", kBlue},
    {"s", kU},
    {"t", kV},
    {"u", kU},
    {"v", kV},
    {"texture_u", kU},
    {"texture_v", kV},
    {"a", kAlpha},
}};

constexpr std::int32_t kNoVertex = std::numeric_limits<std::int32_t>::max();

bool is_list_of_corners(const PlyProperty& property) {
    return property.is_list &&
           (property.name == "vertex_indices" || property.name == "vertex_index");
}

// The largest value of an integer type, by which a colour is divided.
double greatest(PlyType type) {
    switch (type) {
        case PlyType::Int8:
            return 127.0;
        case PlyType::Uint8:
            return 255.0;
        case PlyType::Int16:
            return 32767.0;
        case PlyType::Uint16:
            return 65535.0;
        case PlyType::Int32:
            return 2147483647.0;
        case PlyType::Uint32:
            return 4294967295.0;
        default:
            return 1.0;
    }
}

// Numbers one after the other, whatever the format. A read that fails says why in `failure`.
class PlyNumbers {
public:
    PlyNumbers(std::string_view bytes, const PlyHeader& header)
        : bytes_(bytes),
          text_(bytes.substr(header.body)),
          at_(header.body),
          body_(header.body),
          format_(header.format) {}

    const Error& failure() const { return failure_; }
    std::size_t bytes_left() const {
        return format_ == PlyFormat::Text ? text_.bytes_left() : bytes_.size() - at_;
    }
    std::size_t byte() const { return format_ == PlyFormat::Text ? body_ + text_.byte() : at_; }
    std::string place() const { return place_of(byte()); }

    bool read(PlyType type, double& value) {
        return format_ == PlyFormat::Text ? read_text(value) : read_binary(type, value);
    }

    // An index; one that fits no vertex is `kNoVertex`.
    bool read_index(PlyType type, std::int32_t& index) {
        double value = 0.0;
        if (!read(type, value)) return false;
        if (value != std::floor(value)) return fail("a vertex number is no whole number");
        index = std::abs(value) < kNoVertex ? static_cast<std::int32_t>(value) : kNoVertex;
        return true;
    }

    // A list's length, which fits into the rest of the file.
    bool read_count(const PlyProperty& list, std::size_t& count) {
        skip_space();
        const std::size_t begin = byte();
        double value = 0.0;
        if (!read(list.count_type, value)) return false;
        const double room = format_ == PlyFormat::Text
                                ? 0.5 * static_cast<double>(bytes_left() + 1)
                                : static_cast<double>(bytes_left() / ply_size(list.type));
        if (!(value >= 0) || value > room || value != std::floor(value)) {
            failure_ = Error{fmt::format("a list of {} {} does not fit into the rest of the file",
                                         value, shown_word(list.name)),
                             place_of(begin), "the file is damaged, or its header is wrong"};
            return false;
        }
        count = static_cast<std::size_t>(value);
        return true;
    }

    bool skip(const PlyProperty& property) {
        std::size_t count = 1;
        if (property.is_list && !read_count(property, count)) return false;
        double value = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            if (!read(property.type, value)) return false;
        }
        return true;
    }

    bool fail(std::string what) {
        failure_ = {std::move(what), place(),
                    "the file was cut short or is damaged, or its header is wrong"};
        return false;
    }

private:
    // Lines are counted only for errors: that takes as long as reading.
    std::string place_of(std::size_t byte) const {
        return format_ == PlyFormat::Text ? line_place(bytes_, byte) : fmt::format("byte {}", byte);
    }

    void skip_space() {
        if (format_ != PlyFormat::Text) return;
        while (text_.skip_blanks(), text_.is_at_line_end() && !text_.is_at_end()) {
            text_.skip_line_end();
        }
    }

    bool read_text(double& value) {
        skip_space();
        const TextCursor::Number found = text_.read(value);
        if (found == TextCursor::Number::Good && text_.is_at_word_end()) return true;
        if (text_.is_at_end()) return fail("the file ends too early");
        // A normal or colour may be "nan"; whoever takes a place checks it.
        TextCursor ahead = text_;
        const std::string_view word = ahead.word();
        if (is_same_word(word, "nan") || is_same_word(word, "-nan")) {
            value = std::numeric_limits<double>::quiet_NaN();
            text_ = ahead;
            return true;
        }
        return fail(shown_word(word) + " is not a finite number");
    }

    bool read_binary(PlyType type, double& value) {
        const std::size_t size = ply_size(type);
        if (bytes_.size() - at_ < size) return fail("the file ends too early");
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t from = format_ == PlyFormat::BigEndian ? i : size - 1 - i;
            bits = bits << 8 | static_cast<unsigned char>(bytes_[at_ + from]);
        }
        at_ += size;
        value = decoded(type, bits);
        return true;
    }

    static double decoded(PlyType type, std::uint64_t bits) {
        switch (type) {
            case PlyType::Int8:
                return static_cast<std::int8_t>(bits);
            case PlyType::Uint8:
                return static_cast<std::uint8_t>(bits);
            case PlyType::Int16:
                return static_cast<std::int16_t>(bits);
            case PlyType::Uint16:
                return static_cast<std::uint16_t>(bits);
            case PlyType::Int32:
                return static_cast<std::int32_t>(bits);
            case PlyType::Uint32:
                return static_cast<std::uint32_t>(bits);
            case PlyType::Float:
                return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
            case PlyType::Double:
                return std::bit_cast<double>(bits);
        }
        return 0.0;
    }

    std::string_view bytes_;
    TextCursor text_;
    std::size_t at_;
    std::size_t body_;
    PlyFormat format_;
    Error failure_;
};

class PlyReader {
public:
    PlyReader(std::string_view bytes, const PlyHeader& header, const ReadLimits& limits)
        : header_(header), limits_(limits), numbers_(bytes, header) {}

    Result<Model> read() {
        for (const PlyElement& element : header_.elements) {
            // Without properties it takes no bytes, so that its count may be anything.
            if (element.properties.empty()) continue;
            Status done;
            if (element.name == "vertex") {
                done = read_vertices(element);
            } else if (element.name == "face" || element.name == "tristrips") {
                done = read_faces(element);
            } else {
                done = skip_element(element);
            }
            if (!done) return done.error();
        }
        if (Status added = add_indexed_mesh(model_, std::move(mesh_), faces_, limits_); !added) {
            return added.error();
        }
        model_.format = "PLY";
        for (const std::string& comment : header_.comments) {
            const FileUnits units = units_of_comment(comment);
            if (units.metres_per_unit) model_.metres_per_unit = units.metres_per_unit;
            if (units.up_axis) model_.up_axis = units.up_axis;
        }
        return std::move(model_);
    }

private:
    // ---- vertices ----

    // Which value each property is, -1 for none; the values that are there.
    struct VertexLayout {
        std::vector<int> value;
        std::array<bool, kVertexValues> has{};
        double colour_scale = 1.0;
        bool is_srgb = false;
    };

    Result<VertexLayout> layout_of(const PlyElement& element) {
        VertexLayout layout;
        for (const PlyProperty& property : element.properties) {
            layout.value.push_back(-1);
            if (property.is_list) continue;
            for (const VertexName& known : kVertexNames) {
                if (known.name != property.name || layout.has[known.value]) continue;
                layout.value.back() = known.value;
                layout.has[known.value] = true;
                if (known.value != kRed) continue;
                layout.is_srgb = is_integer(property.type);
                layout.colour_scale = 1.0 / greatest(property.type);
            }
        }
        if (!layout.has[kX] || !layout.has[kY] || !layout.has[kZ]) {
            return Error{"vertices have no x, y and z", "", "the header must name all three"};
        }
        return layout;
    }

    Status read_vertices(const PlyElement& element) {
        if (element.count > limits_.vertices || !mesh_.points.empty()) {
            return Error{fmt::format("more than {} vertices, or vertices twice", limits_.vertices),
                         "", "decimate the mesh before loading it"};
        }
        Result<VertexLayout> found = layout_of(element);
        if (!found) return found.error();
        const VertexLayout& layout = found.value();
        const bool has_normals =
            layout.has[kNormalX] && layout.has[kNormalY] && layout.has[kNormalZ];
        const bool has_colours = layout.has[kRed] && layout.has[kGreen] && layout.has[kBlue];
        const bool has_uvs = layout.has[kU] && layout.has[kV];
        mesh_.points.reserve(element.count);
        if (has_normals) mesh_.normals.reserve(element.count);
        if (has_colours) mesh_.colours.reserve(element.count);
        if (has_uvs) mesh_.uvs.reserve(element.count);
        std::array<double, kVertexValues> row{};
        for (std::size_t i = 0; i < element.count; ++i) {
            if (!read_row(element, layout, row)) return numbers_.failure();
            const Vec3 point(row[kX], row[kY], row[kZ]);
            if (!is_finite(point)) {
                return Error{fmt::format("vertex {} has a coordinate that is not finite", i),
                             numbers_.place(), "export the mesh again; its maker wrote no number"};
            }
            mesh_.points.push_back(point);
            if (has_normals) add_normal(Vec3(row[kNormalX], row[kNormalY], row[kNormalZ]));
            if (has_colours) add_colour(layout, row);
            if (has_uvs) add_uv(row[kU], row[kV]);
        }
        return {};
    }

    bool read_row(const PlyElement& element, const VertexLayout& layout,
                  std::array<double, kVertexValues>& row) {
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const PlyProperty& property = element.properties[p];
            if (layout.value[p] < 0) {
                if (!numbers_.skip(property)) return false;
            } else if (!numbers_.read(property.type, row[layout.value[p]])) {
                return false;
            }
        }
        return true;
    }

    void add_normal(const Vec3& normal) {
        mesh_.normals.push_back(is_finite(normal) ? normal : Vec3(0, 0, 0));
    }

    void add_uv(double u, double v) {
        const bool is_good = std::isfinite(u) && std::isfinite(v);
        mesh_.uvs.push_back(is_good ? Vec2(u, 1.0 - v) : Vec2(0, 0));
    }

    void add_colour(const VertexLayout& layout, const std::array<double, kVertexValues>& row) {
        Vec4 colour(row[kRed], row[kGreen], row[kBlue], 1.0 / layout.colour_scale);
        if (layout.has[kAlpha]) colour[3] = row[kAlpha];
        for (double& c : colour) {
            c = std::isfinite(c) ? std::min(std::max(c * layout.colour_scale, 0.0), 1.0) : 1.0;
        }
        for (int k = 0; layout.is_srgb && k < 3; ++k) colour[k] = linear_from_srgb(colour[k]);
        mesh_.colours.push_back(colour);
    }

    // ---- faces ----

    Status read_faces(const PlyElement& element) {
        const bool is_strips = element.name == "tristrips";
        faces_.start.reserve(faces_.start.size() + element.count);
        for (std::size_t i = 0; i < element.count; ++i) {
            for (const PlyProperty& property : element.properties) {
                const bool done = !is_list_of_corners(property) ? numbers_.skip(property)
                                  : is_strips                   ? read_strips(property)
                                                                : read_face(property);
                if (!done) return numbers_.failure();
            }
            if (faces_.corners.size() > 4 * limits_.triangles) {
                return Error{fmt::format("more than {} triangles", limits_.triangles),
                             numbers_.place(), "decimate the mesh before loading it"};
            }
        }
        for (const PlyProperty& property : element.properties) {
            if (!property.is_list || property.name != "texcoord") continue;
            model_.notes.emplace_back("texture coordinates per face corner left out");
        }
        return {};
    }

    bool read_face(const PlyProperty& list) {
        std::size_t count = 0;
        if (!numbers_.read_count(list, count)) return false;
        for (std::size_t i = 0; i < count; ++i) {
            std::int32_t index = 0;
            if (!numbers_.read_index(list.type, index)) return false;
            faces_.corners.push_back(index);
        }
        faces_.end_face();
        return true;
    }

    bool read_strips(const PlyProperty& list) {
        std::size_t count = 0;
        if (!numbers_.read_count(list, count)) return false;
        std::array<std::int32_t, 2> last{};
        std::size_t length = 0;  // Of the strip so far.
        for (std::size_t i = 0; i < count; ++i) {
            std::int32_t index = 0;
            if (!numbers_.read_index(list.type, index)) return false;
            if (index < 0) {
                length = 0;
                continue;
            }
            if (length >= 2) add_strip_triangle(last, index, length % 2 == 1);
            last = {last[1], index};
            ++length;
        }
        return true;
    }

    // Every other triangle of a strip is wound the other way. Strips turn by naming vertices twice.
    void add_strip_triangle(const std::array<std::int32_t, 2>& last, std::int32_t index,
                            bool is_odd) {
        if (last[0] == last[1] || last[1] == index || index == last[0]) return;
        const std::int32_t a = is_odd ? last[1] : last[0];
        const std::int32_t b = is_odd ? last[0] : last[1];
        faces_.corners.insert(faces_.corners.end(), {a, b, index});
        faces_.end_face();
    }

    Status skip_element(const PlyElement& element) {
        for (std::size_t i = 0; i < element.count; ++i) {
            for (const PlyProperty& property : element.properties) {
                if (!numbers_.skip(property)) return numbers_.failure();
            }
        }
        if (element.count > 0) {
            model_.notes.push_back(
                fmt::format("{} of element {} left out", element.count, shown_word(element.name)));
        }
        return {};
    }

    const PlyHeader& header_;
    const ReadLimits& limits_;
    PlyNumbers numbers_;
    Model model_;
    ModelMesh mesh_;
    IndexedFaces faces_;
};

}  // namespace

Result<Model> read_ply(std::string_view bytes, const ReadContext& context) {
    const Result<PlyHeader> header = read_ply_header(bytes);
    if (!header) return header.error();
    return PlyReader(bytes, header.value(), context.limits).read();
}

}  // namespace ductile
