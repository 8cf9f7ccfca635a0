// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

// A small reader of USD text of the tests' own: prims, attributes, time samples. It shares nothing
// with the writer but the format's description.
namespace ductile::usd {

/// A value as it stands in the text, and the numbers in it, brackets left out.
struct Value {
    std::string text;
    std::vector<double> numbers() const {
        std::vector<double> out;
        const char* at = text.c_str();
        while (*at) {
            char* end = nullptr;
            const double number = std::strtod(at, &end);
            if (end == at) {
                ++at;
            } else {
                out.push_back(number);
                at = end;
            }
        }
        return out;
    }
};

struct Attribute {
    std::string type;                 ///< "point3f[]".
    std::string metadata;             ///< Between parentheses.
    Value value;                      ///< Without times.
    std::map<double, Value> samples;  ///< By time code.

    /// What linear blending gives at a time code; before the first and after the last it is held.
    std::vector<double> at(double time) const {
        if (samples.empty()) return value.numbers();
        const auto after = samples.lower_bound(time);
        if (after == samples.end()) return samples.rbegin()->second.numbers();
        if (after->first == time || after == samples.begin()) return after->second.numbers();
        const auto before = std::prev(after);
        const double share = (time - before->first) / (after->first - before->first);
        std::vector<double> from = before->second.numbers();
        const std::vector<double> to = after->second.numbers();
        REQUIRE(from.size() == to.size());
        for (std::size_t i = 0; i < from.size(); ++i) from[i] += share * (to[i] - from[i]);
        return from;
    }
    /// What a token is at a time code: held.
    std::string held_at(double time) const {
        if (samples.empty()) return value.text;
        auto after = samples.upper_bound(time);
        return after == samples.begin() ? after->second.text : std::prev(after)->second.text;
    }
};

struct Prim {
    std::string type, name, metadata;
    std::map<std::string, Attribute> attributes;
    std::vector<std::unique_ptr<Prim>> children;

    const Prim& child(const std::string& wanted) const {
        for (const auto& c : children) {
            if (c->name == wanted) return *c;
        }
        FAIL("no prim ", wanted, " below ", name);
        return *this;
    }
    bool has_child(const std::string& wanted) const {
        for (const auto& c : children) {
            if (c->name == wanted) return true;
        }
        return false;
    }
    const Attribute& operator[](const std::string& wanted) const {
        const auto found = attributes.find(wanted);
        REQUIRE_MESSAGE(found != attributes.end(), wanted, " of ", name);
        return found->second;
    }
};

class Parser {
public:
    explicit Parser(std::string text) : text_(std::move(text)) {}

    /// A prim without a name, whose metadata are the layer's and whose children its roots.
    Prim layer() {
        Prim root;
        REQUIRE(text_.starts_with("#usda 1.0\n"));
        at_ = 10;
        skip();
        if (peek() == '(') root.metadata = bracketed();
        while (skip(), at_ < text_.size()) root.children.push_back(prim());
        return root;
    }

private:
    /// Asked of every letter: counted only where it fails.
    static void need(bool holds) {
        if (!holds) FAIL("the text ends, or a bracket has another partner");
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    std::string word() {
        skip();
        std::string out;
        while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(peek())) &&
               peek() != '(') {
            out += text_[at_++];
        }
        return out;
    }
    std::string quoted() {
        skip();
        REQUIRE(peek() == '"');
        std::string out(1, text_[at_++]);
        while (peek() != '"') {
            need(at_ < text_.size());
            if (peek() == '\\') out += text_[at_++];
            out += text_[at_++];
        }
        out += text_[at_++];
        return out;
    }
    /// From a bracket to its partner, both included; quotes hide brackets.
    std::string bracketed() {
        std::string out, open;
        do {
            need(at_ < text_.size());
            const char c = peek();
            if (c == '"') {
                out += quoted();
                continue;
            }
            if (c == '(' || c == '[' || c == '{') open += c == '(' ? ')' : c == '[' ? ']' : '}';
            if (c == ')' || c == ']' || c == '}') {
                need(c == open.back());
                open.pop_back();
            }
            out += c;
            ++at_;
        } while (!open.empty());
        return out;
    }
    Value value() {
        skip();
        if (peek() == '"') return {quoted()};
        if (peek() == '(' || peek() == '[') return {bracketed()};
        std::string out;
        while (peek() != '\n' && peek() != ',' && peek() != ' ') {
            need(at_ < text_.size());
            out += text_[at_++];
        }
        return {out};
    }
    std::string metadata() {
        std::size_t before = at_;
        while (peek() == ' ') ++at_;
        if (peek() == '(') return bracketed();
        at_ = before;
        return "";
    }
    void samples(Attribute& attribute) {
        skip();
        REQUIRE(text_[at_++] == '{');
        while (skip(), peek() != '}') {
            std::string time;
            while (peek() != ':') time += text_[at_++];
            ++at_;
            attribute.samples[std::stod(time)] = value();
            skip();
            if (peek() == ',') ++at_;
        }
        ++at_;
    }
    void attribute(Prim& prim, std::string type) {
        if (type == "uniform") type = word();
        std::string name = word();
        const std::size_t dot = name.rfind(".timeSamples");
        const bool is_sampled = dot != std::string::npos;
        Attribute& a = prim.attributes[is_sampled ? name.substr(0, dot) : name];
        a.type = type;
        if (std::string found = metadata(); !found.empty()) a.metadata = found;
        const std::size_t before = at_;
        skip();
        if (peek() != '=') {  // only declared
            at_ = before;
            return;
        }
        ++at_;
        if (is_sampled) return samples(a);
        a.value = value();
        if (std::string found = metadata(); !found.empty()) a.metadata = found;
    }
    std::unique_ptr<Prim> prim() {
        REQUIRE(word() == "def");
        auto out = std::make_unique<Prim>();
        out->type = word();
        const std::string name = quoted();
        out->name = name.substr(1, name.size() - 2);
        out->metadata = metadata();
        skip();
        REQUIRE(text_[at_++] == '{');
        while (skip(), peek() != '}') {
            need(at_ < text_.size());
            if (text_.compare(at_, 4, "def ") == 0) {
                out->children.push_back(prim());
            } else {
                attribute(*out, word());
            }
        }
        ++at_;
        return out;
    }

    std::string text_;
    std::size_t at_ = 0;
};

inline Prim parse(std::string text) { return Parser(std::move(text)).layer(); }

}  // namespace ductile::usd
