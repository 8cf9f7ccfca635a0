// SPDX-License-Identifier: MIT
#include <ductile/core/json_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace ductile {
namespace {

// Tells how far the parser has read, so that events without a position get one.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at;
    const char** reached;

    reference operator*() const { return *at; }
    CountingIterator& operator++() {
        *reached = ++at;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator old = *this;
        ++*this;
        return old;
    }
    bool operator==(const CountingIterator& other) const { return at == other.at; }
    bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

std::string place(std::string_view text, std::size_t offset, std::string_view source) {
    offset = std::min(offset, text.size());
    const std::string_view before = text.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    return fmt::format("{}:{}:{}", source, line, offset - line_start + 1);
}

// The last character of the text that is neither space nor comment nor the very last one.
char significant_before_last(std::string_view text) {
    char last = 0, before = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
        if (c == '/' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '*')) {
            const bool is_line = text[i + 1] == '/';
            i = text.find(is_line ? "\n" : "*/", i + 2);
            if (i == text.npos) break;
            i += is_line ? 0 : 1;
            continue;
        }
        before = last;
        last = c;
        if (c != '"') continue;
        for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\';
    }
    return before;
}

struct SyntaxMessage {
    std::string what, hint;
};

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '+' || c == '-' || c == '.';
}

// The word around the last character that the parser read.
std::string_view word_at(std::string_view text, std::size_t position) {
    if (position == 0 || position > text.size()) return {};
    std::size_t begin = position - 1, end = position - 1;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    while (end < text.size() && is_word(text[end])) ++end;
    return text.substr(begin, end - begin);
}

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return out;
}

// What stands where a value should be and is none.
SyntaxMessage no_value(std::string_view word, char read) {
    const std::string plain = lower_case(word);
    const std::string_view bare = plain.starts_with('-') || plain.starts_with('+')
                                      ? std::string_view(plain).substr(1)
                                      : plain;
    if (bare == "nan" || bare == "inf" || bare == "infinity") {
        return {fmt::format("{} is not a number that JSON has", word), "write a finite number"};
    }
    if (plain == "true" || plain == "false" || plain == "null") {
        return {fmt::format("{} is not known", word), "write " + plain};
    }
    if (plain == "none") return {fmt::format("{} is not known", word), "write null"};
    if (read == '\'') return {"a text in single quotes", "use double quotes"};
    if (read == '#') return {"a comment that begins with #", "begin it with //"};
    if (!word.empty() && (word[0] == '+' || word[0] == '-' || word[0] == '.')) {
        return {fmt::format("{} is not a number", word), "such as -0.5"};
    }
    if (!word.empty()) {
        return {fmt::format("{} is not a value", word), "a text needs double quotes"};
    }
    return {fmt::format("'{}' is not a value", read), ""};
}

// The parser's names of what it found or expected, for people.
std::string plain_token(std::string_view token) {
    if (token.find("string literal") != token.npos) return "a text in double quotes";
    if (token.find("number literal") != token.npos) return "a number";
    if (token == "end of input") return "the end of the text";
    if (token.find("literal") != token.npos && token.starts_with('\'')) return "a value";
    if (token.find("literal") != token.npos) return std::string(token.substr(0, token.find(' ')));
    return std::string(token);
}

// The parser's message, "syntax error while parsing A - B; last read: 'C'; expected D", without
// its own words.
SyntaxMessage plain_syntax(std::string_view message, std::string_view text, std::size_t position) {
    const std::size_t dash = message.find(" - ");
    const std::string_view of = message.substr(0, dash);
    const std::string_view rest = dash == message.npos ? message : message.substr(dash + 3);
    const std::string_view found = rest.substr(0, rest.find("; "));
    const std::size_t wanted = rest.rfind("; expected ");
    const std::string expected =
        wanted == rest.npos ? ""
                            : plain_token(rest.substr(wanted + std::string("; expected ").size()));
    const bool is_key = of.find("object key") != of.npos;
    const char read = position > 0 && position <= text.size() ? text[position - 1] : ' ';
    const std::string_view word = word_at(text, position);
    if (found == "invalid literal" || found.starts_with("invalid number")) {
        if (is_key) {
            return {fmt::format("expected a name in double quotes, found {}",
                                word.empty() ? std::string(1, read) : std::string(word)),
                    "names of fields need double quotes"};
        }
        const bool is_number = found != "invalid literal";  // what it expects is within that
        const bool begins_as_number = !word.empty() && word[0] >= '0' && word[0] <= '9';
        if (begins_as_number) return {fmt::format("{} is not a number", word), "such as -0.5"};
        if (!is_number && !expected.empty() && expected != "a value") {
            return {fmt::format("expected {}, found {}", expected,
                                word.empty() ? std::string(1, read) : std::string(word)),
                    ""};
        }
        return no_value(word, read);
    }
    if (found.starts_with("unexpected ")) {
        const std::string token = plain_token(found.substr(std::string("unexpected ").size()));
        if (is_key) return {"expected a name in double quotes, found " + token, ""};
        if (expected.empty()) return {token + " is not expected here", ""};
        return {fmt::format("expected {}, found {}", expected, token), ""};
    }
    if (found.starts_with("invalid string: control character")) {
        return {"a line or a control character within a text", "close the quote, or write \\n"};
    }
    if (found.starts_with("invalid string: missing closing quote")) {
        return {"a text is not closed", "its second quote is missing"};
    }
    return {std::string(found), ""};
}

// Builds the tree from the parser's events. Where an event is refused, `error` says why.
class TreeBuilder {
public:
    TreeBuilder(std::string_view text, std::string_view source, const JsonLimits& limits)
        : reached(text.data()), text_(text), source_(source), limits_(limits) {}

    Json root;
    Error error;
    const char* reached;

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(std::int64_t value) { return add(value); }
    bool number_unsigned(std::uint64_t value) { return add(value); }
    bool number_float(double value, const std::string&) { return add(value); }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(Json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        if (!open_.back().keys.insert(name).second) {
            return refuse(fmt::format("the key \"{}\" stands twice in one object", name),
                          "remove one of the two");
        }
        // Past ordered_map's own search for a key of that name: that one is linear.
        auto& members =
            static_cast<Json::object_t::Container&>(open_.back().json->get_ref<Json::object_t&>());
        members.emplace_back(std::move(name), nullptr);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& exception) {
        const std::string_view read = text_.substr(0, position);
        std::string what = exception.what();
        if (const std::size_t end = what.find("] "); end != what.npos) what.erase(0, end + 2);
        if (what.starts_with("parse error at ")) what.erase(0, what.find(": ") + 2);
        std::string hint;
        // The parser's message for an empty text differs from version to version.
        const bool is_blank = text_.find_first_not_of(" \t\r\n") == text_.npos;
        const bool is_at_end = is_blank || what.find("unexpected end of input") != what.npos;
        if (!read.empty() && (read.back() == ']' || read.back() == '}') &&
            significant_before_last(read) == ',') {
            what = fmt::format("a comma before a closing '{}'", read.back());
            hint = "remove the comma";
        } else if (open_.empty() && root.is_null() && !is_at_end) {
            position = 1;  // all of it
            what = "is not JSON";
            hint = "JSON begins with {; YAML, TOML and the like are not read";
        } else if (is_at_end) {
            what = open_.empty() && root.is_null() ? "is empty" : "the text ends too early";
            hint = is_blank ? "" : "a bracket, a brace or a quote is not closed";
        } else if (what.find("number overflow") != what.npos) {
            what = fmt::format("{} is too large", word_at(text_, position));
            hint = "numbers go up to about 1.8e308";
        } else {
            SyntaxMessage plain = plain_syntax(what, text_, position);
            what = std::move(plain.what);
            hint = std::move(plain.hint);
        }
        error = {what, place(text_, position ? position - 1 : 0, source_), hint};
        return false;
    }

private:
    struct Open {
        Json* json;
        std::set<std::string> keys;
    };

    bool refuse(std::string what, std::string hint) {
        const auto offset = static_cast<std::size_t>(reached - text_.data());
        error = {std::move(what), place(text_, offset ? offset - 1 : 0, source_), std::move(hint)};
        return false;
    }
    Json* put(Json value) {
        if (open_.empty()) {
            root = std::move(value);
            return &root;
        }
        Json& parent = *open_.back().json;
        if (parent.is_object()) {
            Json& slot = parent.get_ref<Json::object_t&>().back().second;
            slot = std::move(value);
            return &slot;
        }
        parent.push_back(std::move(value));
        return &parent.back();
    }
    bool add(Json value) {
        put(std::move(value));
        return true;
    }
    bool open(Json value) {
        if (open_.size() >= limits_.depth) {
            return refuse(fmt::format("more than {} levels within each other", limits_.depth), "");
        }
        // A container grows only while none of its items is open: the pointer stays good.
        open_.push_back({put(std::move(value)), {}});
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    std::vector<Open> open_;
    std::string_view text_;
    std::string_view source_;
    JsonLimits limits_;
};

void print(const Json& json, std::size_t indent, std::string& out) {
    const bool is_plain = std::none_of(json.begin(), json.end(),
                                       [](const Json& item) { return item.is_structured(); });
    const bool is_one_line =
        !json.is_structured() || json.empty() || (json.is_array() && is_plain && json.size() <= 16);
    if (is_one_line && !json.is_array()) {
        out += json.dump(-1, ' ', false, Json::error_handler_t::replace);
        return;
    }
    const std::string gap = is_one_line ? " " : "\n" + std::string(2 * indent + 2, ' ');
    out += json.is_object() ? '{' : '[';
    bool is_first = true;
    for (const auto& item : json.items()) {
        if (!is_first) out += ',';
        if (!is_first || !is_one_line) out += gap;
        is_first = false;
        if (json.is_object()) {
            out += Json(item.key()).dump(-1, ' ', false, Json::error_handler_t::replace) + ": ";
        }
        print(item.value(), indent + 1, out);
    }
    if (!is_one_line) out += "\n" + std::string(2 * indent, ' ');
    out += json.is_object() ? '}' : ']';
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view source_name,
                        const JsonLimits& limits) {
    const std::string source(source_name);
    if (text.size() > limits.bytes) {
        return Error{fmt::format("longer than {} bytes", limits.bytes), source, ""};
    }
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
        return Error{"is UTF-16 text", source, "save it as UTF-8"};
    }
    // The parser would take it for the end of the text and pass over the rest.
    if (const std::size_t zero = text.find('\0'); zero != text.npos) {
        return Error{"holds a zero byte", place(text, zero, source), "is this a text file?"};
    }
    TreeBuilder builder(text, source, limits);
    const CountingIterator begin{text.data(), &builder.reached};
    const CountingIterator end{text.data() + text.size(), &builder.reached};
    if (!Json::sax_parse(begin, end, &builder, Json::input_format_t::json, true, true)) {
        return std::move(builder.error);
    }
    return std::move(builder.root);
}

std::string json_text(const Json& json) {
    std::string out;
    print(json, 0, out);
    out += '\n';
    return out;
}

}  // namespace ductile
