// SPDX-License-Identifier: MIT
// Numbers of few digits take a short way (W. Clinger 1990, "How to read floating point numbers
// accurately": an integer below 2^53 times or over a power of ten up to 10^22 rounds once); all
// others go to std::from_chars.
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace ductile {
namespace {

constexpr std::array<double, 23> kPowersOfTen{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kExactPower = 22;
constexpr int kExactDigits = 18;  // fit into 64 bits
constexpr std::uint64_t kExactInteger = std::uint64_t(1) << 53;
constexpr int kFarExponent = 100'000;  // further than any double, near enough to add to a length
constexpr std::size_t kTextProbe = 64 << 10;
constexpr std::size_t kShownBytes = 40;

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// An exponent "e-12" at `at`, which moves behind it; 0 and no move if there is none.
int take_exponent(const char*& at, const char* end) {
    if (at == end || (*at != 'e' && *at != 'E')) return 0;
    const char* digits = at + 1;
    if (digits != end && (*digits == '+' || *digits == '-')) ++digits;
    if (digits == end || !is_digit(*digits)) return 0;
    const bool is_negative = digits[-1] == '-';
    int value = 0;
    for (; digits != end && is_digit(*digits); ++digits) {
        value = std::min(value * 10 + (*digits - '0'), kFarExponent);
    }
    at = digits;
    return is_negative ? -value : value;
}

// Whether a number that fits no double is too small for it, not too large: its first digit that is
// not zero stands right of the point, once the exponent has moved that.
bool is_tiny(const char* at, const char* end) {
    if (at != end && *at == '-') ++at;
    long long magnitude = 0;
    while (at != end && *at == '0') ++at;
    const char* const whole = at;
    while (at != end && is_digit(*at)) ++at;
    magnitude = at - whole;
    if (at != end && *at == '.') {
        const char* const fraction = ++at;
        while (at != end && *at == '0') ++at;
        if (magnitude == 0) magnitude = fraction - at;
        while (at != end && is_digit(*at)) ++at;
    }
    return magnitude + take_exponent(at, end) < 0;
}

}  // namespace

void TextCursor::skip_space() {
    for (; at_ != end_; ++at_) {
        if (*at_ == '#') {
            while (!is_at_line_end()) ++at_;
            if (at_ == end_) return;
        }
        if (!is_blank(*at_) && *at_ != '\n' && *at_ != '\r') return;
    }
}

void TextCursor::skip_line_end() {
    if (at_ == end_) return;
    if (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n') {
        at_ += 2;
    } else if (*at_ == '\n' || *at_ == '\r') {
        ++at_;
    }
}

void TextCursor::skip_line() {
    while (!is_at_line_end()) ++at_;
    skip_line_end();
}

std::string_view TextCursor::word() {
    const char* const from = at_;
    while (!is_at_word_end()) ++at_;
    return {from, static_cast<std::size_t>(at_ - from)};
}

std::string_view TextCursor::rest_of_line() {
    skip_blanks();
    const char* const from = at_;
    while (!is_at_line_end()) ++at_;
    const char* to = at_;
    while (to != from && is_blank(to[-1])) --to;
    return {from, static_cast<std::size_t>(to - from)};
}

TextCursor::Number TextCursor::read(double& value) {
    const char* at = at_;
    if (at != end_ && *at == '+') ++at;
    const char* const from = at;
    const bool is_negative = at != end_ && *at == '-';
    if (is_negative) ++at;
    const char* const digits = at;
    std::uint64_t mantissa = 0;
    for (; at != end_ && is_digit(*at); ++at) mantissa = mantissa * 10 + (*at - '0');
    int scale = 0;
    long digit_count = at - digits;
    if (at != end_ && *at == '.') {
        const char* const fraction = ++at;
        for (; at != end_ && is_digit(*at); ++at) mantissa = mantissa * 10 + (*at - '0');
        digit_count += at - fraction;
        if (digit_count <= kExactDigits) scale = static_cast<int>(fraction - at);
    }
    if (digit_count == 0) return Number::None;
    if (digit_count > kExactDigits || mantissa >= kExactInteger) return read_slowly(from, value);
    scale += take_exponent(at, end_);
    if (scale < -kExactPower || scale > kExactPower) return read_slowly(from, value);
    const double whole = static_cast<double>(mantissa);
    const double size = scale < 0 ? whole / kPowersOfTen[-scale] : whole * kPowersOfTen[scale];
    value = is_negative ? -size : size;
    at_ = at;
    return Number::Good;
}

TextCursor::Number TextCursor::read_slowly(const char* from, double& value) {
    const auto [to, error] = std::from_chars(from, end_, value);
    if (error == std::errc::result_out_of_range) {
        if (!is_tiny(from, to)) return Number::TooLarge;
        value = 0.0;
    } else if (error != std::errc() || !std::isfinite(value)) {
        return Number::None;
    }
    at_ = to;
    return Number::Good;
}

bool TextCursor::read(std::int64_t& value) {
    const char* const from = at_ != end_ && *at_ == '+' ? at_ + 1 : at_;
    const auto [to, error] = std::from_chars(from, end_, value);
    if (error == std::errc::invalid_argument) return false;
    if (error == std::errc::result_out_of_range) {
        value = *from == '-' ? std::numeric_limits<std::int64_t>::min()
                             : std::numeric_limits<std::int64_t>::max();
    }
    at_ = to;
    return true;
}

std::size_t line_at(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, byte);
    std::size_t line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) ++line;
    }
    return line;
}

std::string line_place(std::string_view text, std::size_t byte) {
    return fmt::format("line {}", line_at(text, byte));
}

std::string_view without_byte_order_mark(std::string_view text) {
    return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

Status check_is_text(std::string_view text) {
    const std::size_t probed = std::min(text.size(), kTextProbe);
    for (std::size_t i = 0; i < probed; ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        // Blanks and line ends, and 0x1a: the end of a text in DOS.
        if (c >= 0x20 || (c >= 0x09 && c <= 0x0d) || c == 0x1a) continue;
        return Error{fmt::format("is not text: it holds the byte 0x{:02x}", c),
                     fmt::format("byte {}", i), "the file is of another format, or damaged"};
    }
    return {};
}

std::string shown_word(std::string_view word) {
    std::string shown(word.substr(0, kShownBytes));
    for (char& c : shown) {
        if (c < 0x20 || c > 0x7e) c = '?';
    }
    if (word.size() > kShownBytes) shown += "...";
    return "\"" + shown + "\"";
}

bool is_same_word(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace ductile
