// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ductile {

/// A place in a text, moving forward word by word. Line ends may be LF, CR LF or CR.
///
/// Every read says whether there was such a thing and leaves the place alone if not. Numbers are
/// read in the C locale, bit for bit as the nearest double. Allocates nothing.
class TextCursor {
public:
    enum class Number { Good, None, TooLarge };

    explicit TextCursor(std::string_view text)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

    std::size_t byte() const { return static_cast<std::size_t>(at_ - begin_); }
    std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
    bool is_at_end() const { return at_ == end_; }
    bool is_at_line_end() const { return at_ == end_ || *at_ == '\n' || *at_ == '\r'; }
    /// Whether what was read last ends here: blank, line end or end of the text.
    bool is_at_word_end() const { return is_at_line_end() || is_blank(*at_); }
    char peek() const { return at_ == end_ ? '\0' : *at_; }
    void advance() {
        if (at_ != end_) ++at_;
    }

    /// Over spaces and tabs.
    void skip_blanks() {
        while (at_ != end_ && is_blank(*at_)) ++at_;
    }
    /// Over spaces, tabs, line ends, and comments that begin with '#'.
    void skip_space();
    /// To the line's end, then over it (CR LF as one).
    void skip_line();
    void skip_line_end();

    /// The next characters up to a blank or line end; empty at one.
    std::string_view word();
    /// What is left of the line, without blanks at both ends; stays before the line end.
    std::string_view rest_of_line();

    /// A decimal number; `TooLarge` beyond the range of a double, where the place stays. What is
    /// too small for a double is 0. "nan" and "inf" are words, not numbers.
    Number read(double& value);
    /// An integer with an optional sign; one beyond 64 bits is the nearest of 64. False for none.
    bool read(std::int64_t& value);

    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

private:
    Number read_slowly(const char* from, double& value);

    const char* begin_;
    const char* at_;
    const char* end_;
};

/// The line of a byte in a text, from 1.
std::size_t line_at(std::string_view text, std::size_t byte);
/// "line 12".
std::string line_place(std::string_view text, std::size_t byte);

/// A text less the mark EF BB BF that some editors put before it.
std::string_view without_byte_order_mark(std::string_view text);

/// Refuses what cannot be text: a zero byte or other control character in its first 64 kB.
Status check_is_text(std::string_view text);

/// A word of a file as an error shows it: at most 40 bytes, control and non-ASCII bytes as '?'.
std::string shown_word(std::string_view word);

/// Whether two words are the same but for the case of ASCII letters.
bool is_same_word(std::string_view a, std::string_view b);

}  // namespace ductile
