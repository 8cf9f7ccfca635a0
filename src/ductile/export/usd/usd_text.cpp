// SPDX-License-Identifier: MIT
// The text form of Pixar's Universal Scene Description ("USDA file format", openusd.org).
#include <ductile/core/parallel.h>
#include <ductile/export/usd/usd_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace ductile {
namespace {

constexpr std::size_t kFlushAt = std::size_t(1) << 20;  // [bytes]
constexpr std::size_t kSamplesAtOnce = 32;              // in memory, made in parallel

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <class Vector>
void append_tuples(std::string& out, std::span<const Vector> values) {
    auto end = std::back_inserter(out);
    out += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        out += i == 0 ? "(" : ", (";
        for (Eigen::Index k = 0; k < values[i].size(); ++k) {
            if (k > 0) out += ", ";
            fmt::format_to(end, "{}", values[i][k]);
        }
        out += ')';
    }
    out += ']';
}

template <class Number>
void append_numbers(std::string& out, std::span<const Number> values) {
    auto end = std::back_inserter(out);
    out += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out += ", ";
        fmt::format_to(end, "{}", values[i]);
    }
    out += ']';
}

}  // namespace

void UsdText::flush(bool even_if_small) {
    if (buffer_.size() < kFlushAt && !even_if_small) return;
    if (status_) status_ = file_.append(buffer_);
    buffer_.clear();
}

void UsdText::line(std::string_view text) {
    indent();
    buffer_ += text;
    buffer_ += '\n';
    flush(false);
}

void UsdText::open(std::string_view text, std::string_view bracket) {
    line(text);
    line(bracket);
    ++depth_;
}

void UsdText::open_prim(std::string_view definition, std::initializer_list<std::string> metadata) {
    line(std::string(definition) + " (");
    ++depth_;
    for (const std::string& entry : metadata) line(entry);
    --depth_;
    open(")");
}

void UsdText::close(std::string_view bracket) {
    --depth_;
    line(bracket);
}

void UsdText::property(std::string_view text, std::string_view metadata) {
    if (metadata.empty()) return line(text);
    line(std::string(text) + " (");
    ++depth_;
    line(metadata);
    close(")");
}

void UsdText::attribute(std::string_view declaration, std::span<const double> times,
                        const Value& value, std::string_view metadata) {
    const std::string head(declaration);
    std::string first_value = head + " = ";
    value(0, first_value);
    property(first_value, metadata);
    if (times.size() <= 1) return;
    line(head + ".timeSamples = {");
    ++depth_;
    std::vector<std::string> texts;
    for (std::size_t first = 0; first < times.size(); first += kSamplesAtOnce) {
        texts.assign(std::min(kSamplesAtOnce, times.size() - first), "");
        parallel_for(texts.size(), 1, [&](std::size_t i) { value(first + i, texts[i]); });
        for (std::size_t i = 0; i < texts.size(); ++i) {
            line(fmt::format("{}: {},", times[first + i], texts[i]));
        }
    }
    close("}");
}

Status UsdText::finish() {
    flush(true);
    return status_ ? file_.finish() : status_;
}

void append_usd(std::string& out, std::span<const Eigen::Vector3f> values) {
    append_tuples(out, values);
}
void append_usd(std::string& out, std::span<const Eigen::Vector2f> values) {
    append_tuples(out, values);
}
void append_usd(std::string& out, std::span<const float> values) { append_numbers(out, values); }
void append_usd(std::string& out, std::span<const std::int32_t> values) {
    append_numbers(out, values);
}

std::string usd_tuple(const Vec3& v) { return fmt::format("({}, {}, {})", v.x(), v.y(), v.z()); }

std::string usd_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out + '"';
}

std::string usd_asset(std::string_view path) {
    const char* mark = path.find('@') == std::string_view::npos ? "@" : "@@@";
    return fmt::format("{0}{1}{0}", mark, path);
}

std::string usd_name(std::string_view name, std::set<std::string>& taken) {
    constexpr std::size_t longest = 150;  // it becomes a file's name, too
    std::string plain;
    for (const char c : name.substr(0, longest)) plain += is_letter(c) || is_digit(c) ? c : '_';
    if (plain.empty() || is_digit(plain[0])) plain.insert(0, 1, '_');
    std::string found = plain;
    for (int number = 2; !taken.insert(found).second; ++number) {
        found = fmt::format("{}_{}", plain, number);
    }
    return found;
}

}  // namespace ductile
