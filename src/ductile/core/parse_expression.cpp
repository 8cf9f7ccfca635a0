// SPDX-License-Identifier: MIT
// Recursive descent, one function per level of binding; a level that calls itself counts its depth.
#include <ductile/core/expression.h>
#include <ductile/core/names.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace ductile {

/// Reads one formula; the first mistake stays and ends the reading.
class ExpressionParser {
public:
    ExpressionParser(std::string_view text, std::span<const std::string_view> variables)
        : text_(text), variables_(variables) {}

    Result<Expression> parse() {
        if (text_.size() > kExpressionText) {
            return Error{fmt::format("the formula has {} characters", text_.size()), "",
                         fmt::format("at most {}", kExpressionText)};
        }
        skip_blanks();
        if (at_ == text_.size()) fail("the formula is empty", "such as 1 - x^2");
        if (!error_) read_comparison();
        if (!error_ && at_ < text_.size()) fail_at_rest();
        if (error_) return *error_;
        DUCTILE_ASSERT(held_ == 1 && most_held_ <= Expression::kStackSize, "a program that fits");
        out_.variable_count_ = variables_.size();
        return std::move(out_);
    }

private:
    using Code = Expression::Code;
    struct Function {
        std::string_view name;
        Code code;
        std::string_view usage;
    };
    struct Constant {
        std::string_view name;
        double value;
    };
    static constexpr Function kFunctions[] = {
        {"sin", Code::Sin, "sin(x)"},
        {"cos", Code::Cos, "cos(x)"},
        {"tan", Code::Tan, "tan(x)"},
        {"asin", Code::Asin, "asin(x)"},
        {"acos", Code::Acos, "acos(x)"},
        {"atan", Code::Atan, "atan(x)"},
        {"atan2", Code::Atan2, "atan2(y, x)"},
        {"exp", Code::Exp, "exp(x)"},
        {"log", Code::Log, "log(x)"},
        {"sqrt", Code::Sqrt, "sqrt(x)"},
        {"abs", Code::Abs, "abs(x)"},
        {"floor", Code::Floor, "floor(x)"},
        {"min", Code::Min, "min(a, b)"},
        {"max", Code::Max, "max(a, b)"},
        {"hypot", Code::Hypot, "hypot(x, y)"},
        {"pow", Code::Power, "pow(x, y)"},
        {"clamp", Code::Clamp, "clamp(x, a, b)"},
        {"step", Code::Step, "step(edge, x)"},
        {"smoothstep", Code::Smoothstep, "smoothstep(a, b, x)"},
        {"mix", Code::Mix, "mix(a, b, t)"},
    };
    static constexpr Constant kConstants[] = {{"pi", std::numbers::pi}, {"e", std::numbers::e}};

    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_letter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }
    char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool is_at_value() const {
        return is_digit(next()) || is_letter(next()) || next() == '.' || next() == '(';
    }
    void skip_blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) {
            ++at_;
        }
    }
    bool take(std::string_view sign) {
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        skip_blanks();
        return true;
    }

    void fail_at(std::size_t at, std::string what, std::string hint) {
        if (error_) return;
        error_ = Error{std::move(what), fmt::format("character {}", at + 1), std::move(hint)};
    }
    void fail(std::string what, std::string hint) {
        fail_at(at_, std::move(what), std::move(hint));
    }

    /// The next character for an error.
    std::string shown() const {
        const char c = next();
        if (at_ == text_.size()) return "the end";
        return c > ' ' && c < '\x7f' ? fmt::format("'{}'", c)
                                     : fmt::format("byte {:#04x}", static_cast<unsigned char>(c));
    }
    void fail_without_value() {
        const bool is_second_star = next() == '*' && at_ > 0 && text_[at_ - 1] == '*';
        fail(shown() + " where a number, a word or '(' should stand",
             is_second_star ? "write ^ for a power" : "");
    }
    /// What follows a whole formula or argument does not belong there.
    void fail_at_rest() {
        const char c = next();
        if (is_at_value()) {
            fail("no operator before " + shown(), "write * for a product");
        } else if (c == '<' || c == '>') {
            fail("two comparisons in a row", "such as (a < b) * (b < c)");
        } else if (c == ')') {
            fail("')' without its '('", "");
        } else if (c == ',') {
            fail("',' outside of a function", "write numbers with a point: 0.5");
        } else {
            fail(shown() + " is not known", "operators are + - * / ^ < > <= >=");
        }
    }

    /// One level deeper; false, with an error, if that is too deep. Goes with `leave`.
    bool enter() {
        if (++depth_ <= kExpressionDepth) return true;
        fail("nested too deeply", fmt::format("at most {} levels", kExpressionDepth));
        return false;
    }
    void leave() { --depth_; }

    void push(Expression::Instruction value) {
        out_.program_.push_back(value);
        most_held_ = std::max(most_held_, ++held_);
    }
    /// Operands that are all numbers make a number at once.
    void emit(Code code) {
        if (error_) return;
        auto& program = out_.program_;
        if (code == Code::Power && program.back().code == Code::Number &&
            program.back().number == 2.0) {
            program.pop_back();  // exact, and far cheaper than a power
            --held_;
            code = Code::Square;
        }
        const int count = Expression::operand_count(code);
        const auto first = program.end() - std::min<std::ptrdiff_t>(count, std::ssize(program));
        held_ -= count - 1;
        if (std::any_of(first, program.end(),
                        [](const auto& step) { return step.code != Code::Number; })) {
            program.push_back({code});
            return;
        }
        double operands[3] = {};
        std::transform(first, program.end(), operands,
                       [](const auto& step) { return step.number; });
        program.erase(first, program.end());
        program.push_back({Code::Number, 0, Expression::apply(code, operands)});
    }

    void read_comparison() {
        read_sum();
        const std::pair<std::string_view, Code> signs[] = {{"<=", Code::LessOrEqual},
                                                           {">=", Code::GreaterOrEqual},
                                                           {"<", Code::Less},
                                                           {">", Code::Greater}};
        for (const auto& [sign, code] : signs) {
            if (error_ || !take(sign)) continue;
            read_sum();
            return emit(code);
        }
    }
    void read_sum() {
        read_product();
        while (!error_ && (next() == '+' || next() == '-')) {
            const Code code = next() == '+' ? Code::Add : Code::Subtract;
            take(text_.substr(at_, 1));
            read_product();
            emit(code);
        }
    }
    void read_product() {
        read_signed();
        while (!error_ && (next() == '*' || next() == '/')) {
            const Code code = next() == '*' ? Code::Multiply : Code::Divide;
            take(text_.substr(at_, 1));
            read_signed();
            emit(code);
        }
    }
    void read_signed() {
        const bool is_negative = next() == '-';
        if (!is_negative && next() != '+') return read_power();
        if (!enter()) return;
        take(text_.substr(at_, 1));
        read_signed();
        if (is_negative) emit(Code::Negate);
        leave();
    }
    // From the right, and the exponent may have a sign: 2^-1.
    void read_power() {
        read_value();
        if (error_ || !take("^")) return;
        if (!enter()) return;
        read_signed();
        emit(Code::Power);
        leave();
    }
    void read_value() {
        if (is_letter(next())) return read_word();
        if (is_digit(next()) || next() == '.') return read_number();
        const std::size_t opening = at_;
        if (!take("(")) return fail_without_value();
        if (!enter()) return;
        read_comparison();
        close(opening);
        leave();
    }
    void close(std::size_t opening) {
        if (error_ || take(")")) return;
        if (at_ < text_.size()) return fail_at_rest();
        fail(fmt::format("'(' at character {} is never closed", opening + 1), "");
    }

    void read_number() {
        double number = 0.0;
        const char* end = text_.data() + text_.size();
        const auto [rest, code] = std::from_chars(text_.data() + at_, end, number);
        if (code == std::errc::invalid_argument) return fail("'.' without digits", "such as 0.5");
        if (code != std::errc()) return fail("a number beyond the range of a double", "");
        at_ = static_cast<std::size_t>(rest - text_.data());
        push({Code::Number, 0, number});
        skip_blanks();
    }

    void read_word() {
        const std::size_t begin = at_;
        while (is_letter(next()) || is_digit(next())) ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        skip_blanks();
        const auto named = [&](const auto& entry) { return entry.name == word; };
        const auto function = std::find_if(std::begin(kFunctions), std::end(kFunctions), named);
        const auto constant = std::find_if(std::begin(kConstants), std::end(kConstants), named);
        const auto variable = std::find(variables_.begin(), variables_.end(), word);
        if (function != std::end(kFunctions) && next() == '(') {
            read_call(*function, begin);
        } else if (variable != variables_.end()) {
            push({Code::Variable, static_cast<std::int32_t>(variable - variables_.begin())});
        } else if (constant != std::end(kConstants)) {
            push({Code::Number, 0, constant->value});
        } else if (function != std::end(kFunctions)) {
            fail_at(begin, fmt::format("{} is a function", word), std::string(function->usage));
        } else {
            fail_unknown(begin, word);
        }
    }
    void fail_unknown(std::size_t begin, std::string_view word) {
        std::vector<std::string_view> known;
        if (next() != '(') {
            known.assign(variables_.begin(), variables_.end());
            for (const Constant& c : kConstants) known.push_back(c.name);
        }
        for (const Function& f : kFunctions) known.push_back(f.name);
        const std::string nearest = nearest_name(word, known);
        constexpr std::size_t kShown = 40;
        fail_at(begin, fmt::format("{} is not known", word.substr(0, kShown)),
                nearest.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                                : fmt::format("did you mean {}?", nearest));
    }
    void read_call(const Function& function, std::size_t begin) {
        const int wanted = Expression::operand_count(function.code);
        const std::size_t opening = at_;
        take("(");
        if (!enter()) return;
        int count = 0;
        do {
            read_comparison();
            ++count;
        } while (!error_ && count <= wanted && take(","));
        if (count <= wanted) close(opening);
        if (count != wanted) {
            fail_at(begin,
                    fmt::format("{} takes {} number{}, not {}", function.name, wanted,
                                wanted == 1 ? "" : "s",
                                count > wanted ? "more" : fmt::format("{}", count)),
                    std::string(function.usage));
        }
        emit(function.code);
        leave();
    }

    std::string_view text_;
    std::span<const std::string_view> variables_;
    std::size_t at_ = 0;
    int depth_ = 0;
    int held_ = 0, most_held_ = 0;  // of the stack, by what was read
    std::optional<Error> error_;
    Expression out_;
};

Result<Expression> parse_expression(std::string_view text,
                                    std::span<const std::string_view> variables) {
    return ExpressionParser(text, variables).parse();
}

}  // namespace ductile
