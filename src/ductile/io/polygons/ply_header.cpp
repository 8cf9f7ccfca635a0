// SPDX-License-Identifier: MIT
#include <ductile/io/polygons/ply_header.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace ductile {
namespace {

// Real files have a dozen.
constexpr std::size_t kMostElements = 64;
constexpr std::size_t kMostProperties = 256;
constexpr std::size_t kMostComments = 200;

struct TypeName {
    std::string_view name;
    PlyType type;
};
constexpr std::array<TypeName, 16> kTypeNames{{
    {"char", PlyType::Int8},
    {"uchar", PlyType::Uint8},
    {"short", PlyType::Int16},
    {"ushort", PlyType::Uint16},
    {"int", PlyType::Int32},
    {"uint", PlyType::Uint32},
    {"float", PlyType::Float},
    {"double", PlyType::Double},
    {"int8", PlyType::Int8},
    {"uint8", PlyType::Uint8},
    {"int16", PlyType::Int16},
    {"uint16", PlyType::Uint16},
    {"int32", PlyType::Int32},
    {"uint32", PlyType::Uint32},
    {"float32", PlyType::Float},
    {"float64", PlyType::Double},
}};

std::optional<PlyType> ply_type(std::string_view word) {
    for (const TypeName& type : kTypeNames) {
        if (type.name == word) return type.type;
    }
    return {};
}

class PlyHeaderReader {
public:
    explicit PlyHeaderReader(std::string_view bytes) : bytes_(bytes), at_(bytes) {}

    Result<PlyHeader> read() {
        if (at_.rest_of_line() != "ply") {
            return error("does not begin with the line \"ply\"", "the file is no PLY, or damaged");
        }
        at_.skip_line();
        while (!is_done_) {
            line_ = at_.byte();
            if (at_.is_at_end()) return no_end();
            const std::string_view keyword = next_word();
            const Status line = read_line(keyword);
            at_.rest_of_line();
            if (!line) return at_.is_at_end() ? no_end() : line.error();
            header_.body = at_.byte();
            at_.skip_line();
        }
        if (!has_format_) return error("the header names no format", "");
        find_body();
        if (Status fits = check_sizes(); !fits) return fits.error();
        return std::move(header_);
    }

private:
    Error error(std::string what, std::string hint) const {
        return {std::move(what), line_place(bytes_, line_), std::move(hint)};
    }

    Error no_end() const {
        return error("the header never ends: there is no line \"end_header\"",
                     "the file was cut short: copy or export it again");
    }

    std::string_view next_word() {
        at_.skip_blanks();
        return at_.word();
    }

    // Behind the line end of "end_header", which is one byte or two. A CR alone ends the header if
    // its other lines end so, too; else the LF that may follow is the first byte of numbers.
    void find_body() {
        TextCursor end(bytes_.substr(header_.body));
        end.skip_line_end();
        const bool is_old_mac = bytes_.starts_with("ply\r") && !bytes_.starts_with("ply\r\n");
        // A header may be all there is, without an end to its last line.
        header_.body = std::min(bytes_.size(), header_.body + (is_old_mac ? 1 : end.byte()));
    }

    Status read_line(std::string_view keyword) {
        if (keyword == "end_header") {
            is_done_ = true;
        } else if (keyword == "format") {
            return read_format();
        } else if (keyword == "element") {
            return read_element();
        } else if (keyword == "property") {
            return read_property();
        } else if (keyword == "comment" || keyword == "obj_info") {
            if (header_.comments.size() < kMostComments) {
                header_.comments.emplace_back(at_.rest_of_line());
            }
        } else if (!keyword.empty()) {
            return error(shown_word(keyword) + " is no word of a PLY header", "");
        }
        return {};
    }

    Status read_format() {
        const std::string_view word = next_word();
        if (word == "ascii") {
            header_.format = PlyFormat::Text;
        } else if (word == "binary_little_endian") {
            header_.format = PlyFormat::LittleEndian;
        } else if (word == "binary_big_endian") {
            header_.format = PlyFormat::BigEndian;
        } else {
            return error("the format " + shown_word(word) + " is unknown",
                         "it is ascii, binary_little_endian or binary_big_endian");
        }
        has_format_ = true;
        return {};
    }

    Status read_element() {
        const std::string_view name = next_word();
        std::int64_t count = -1;
        at_.skip_blanks();
        if (name.empty() || !at_.read(count) || count < 0 || !at_.is_at_word_end()) {
            return error("an element needs a name and a count", "such as: element vertex 8");
        }
        if (header_.elements.size() >= kMostElements) return error("too many elements", "");
        header_.elements.push_back({std::string(name), static_cast<std::size_t>(count), {}});
        return {};
    }

    Status read_property() {
        if (header_.elements.empty()) return error("a property before the first element", "");
        PlyProperty property;
        std::string_view word = next_word();
        if (word == "list") {
            property.is_list = true;
            const std::optional<PlyType> type = ply_type(next_word());
            if (!type || !is_integer(*type)) {
                return error("a list's length has no whole-number type",
                             "such as: property list uchar int vertex_indices");
            }
            property.count_type = *type;
            word = next_word();
        }
        const std::optional<PlyType> type = ply_type(word);
        if (!type) {
            return error("the type " + shown_word(word) + " is unknown",
                         "such as: property float x");
        }
        property.type = *type;
        property.name = next_word();
        if (property.name.empty()) return error("a property without a name", "");
        std::vector<PlyProperty>& list = header_.elements.back().properties;
        if (list.size() >= kMostProperties) return error("too many properties", "");
        list.push_back(std::move(property));
        return {};
    }

    Status check_sizes() {
        std::size_t left = bytes_.size() - header_.body;
        // The last number of a text needs no blank behind it.
        if (header_.format == PlyFormat::Text) ++left;
        for (const PlyElement& element : header_.elements) {
            const std::size_t each = element.least_bytes(header_.format);
            if (each == 0) continue;  // No properties: it has no bytes and is never read.
            if (element.count > left / each) {
                return error(
                    fmt::format("the header promises {} of element {}, which need {} bytes "
                                "each at least, but {} bytes are left for them",
                                element.count, shown_word(element.name), each, left),
                    "the file was cut short, or its header is wrong");
            }
            left -= element.count * each;
        }
        return {};
    }

    std::string_view bytes_;
    TextCursor at_;
    PlyHeader header_;
    std::size_t line_ = 0;
    bool has_format_ = false;
    bool is_done_ = false;
};

}  // namespace

std::size_t ply_size(PlyType type) {
    switch (type) {
        case PlyType::Int8:
        case PlyType::Uint8:
            return 1;
        case PlyType::Int16:
        case PlyType::Uint16:
            return 2;
        case PlyType::Int32:
        case PlyType::Uint32:
        case PlyType::Float:
            return 4;
        case PlyType::Double:
            return 8;
    }
    return 0;
}

bool is_integer(PlyType type) { return type != PlyType::Float && type != PlyType::Double; }

std::size_t PlyElement::least_bytes(PlyFormat format) const {
    std::size_t sum = 0;
    for (const PlyProperty& property : properties) {
        if (format == PlyFormat::Text) {
            sum += 2;  // A digit and a blank.
        } else {
            sum += ply_size(property.is_list ? property.count_type : property.type);
        }
    }
    return sum;
}

Result<PlyHeader> read_ply_header(std::string_view bytes) { return PlyHeaderReader(bytes).read(); }

}  // namespace ductile
