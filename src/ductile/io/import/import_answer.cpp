// SPDX-License-Identifier: MIT
#include <ductile/io/import/import_answer.h>
#include <ductile/io/import/model_stream.h>

#include <array>
#include <string_view>

namespace ductile {
namespace {

constexpr char kModel = 'M', kError = 'E';
constexpr std::size_t kLongestError = 2000;  // what is longer helps nobody

// Text from another process, for a terminal: one line, nothing that it could obey.
std::string plain(std::string_view text) {
    std::string out(text.substr(0, kLongestError));
    for (char& c : out) {
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
    }
    return out;
}

}  // namespace

std::string pack_answer(const Result<Model>& result) {
    if (result) return kModel + pack_model(result.value());
    const Error& error = result.error();
    return kError + error.what + '\0' + error.where + '\0' + error.hint;
}

std::size_t longest_answer(std::byte first, std::size_t largest_model) {
    const char kind = static_cast<char>(first);
    if (kind == kModel) return largest_model;
    return kind == kError ? 4 * kLongestError : 0;
}

Result<Model> unpack_answer(std::span<const std::byte> bytes, const ReadLimits& limits) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.empty()) return Error{"ductile-import answered nothing", "", ""};
    if (text[0] == kModel) {
        Result<Model> model = unpack_model(bytes.subspan(1), limits);
        if (model) return model;
        return Error{"ductile-import answered nonsense: " + model.error().what, model.error().where,
                     ""};
    }
    if (text[0] != kError) return Error{"ductile-import answered nonsense", "byte 0", ""};
    std::array<std::string, 3> fields;
    std::size_t begin = 1;
    for (std::string& field : fields) {
        const std::size_t end = std::min(text.find('\0', begin), text.size());
        field = plain(text.substr(begin, end - begin));
        begin = std::min(end + 1, text.size());
    }
    if (fields[0].empty()) fields[0] = "ductile-import refuses it without a reason";
    return Error{fields[0], fields[1], fields[2]};
}

}  // namespace ductile
