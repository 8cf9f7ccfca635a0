// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// Longest formula that is read [characters].
inline constexpr std::size_t kExpressionText = 4096;
/// How deep parentheses, signs and powers of a formula may be nested.
inline constexpr int kExpressionDepth = 64;

/// A formula of some variables, read once from text and evaluated often (docs/formulas.md).
///
/// Immutable, so any number of threads may evaluate it. Outside of a function's domain (the root of
/// -1, 1 / 0) the value is infinite or no number, as in C++; whoever uses it looks.
class Expression {
public:
    /// The value where the variables have these `values`, in the order in which they were named.
    /// Allocates nothing; O(length of the formula). Requires: as many values as variables.
    double operator()(std::span<const double> values) const;

    std::size_t variable_count() const { return variable_count_; }
    /// Steps that one evaluation takes.
    std::size_t length() const { return program_.size(); }

private:
    friend class ExpressionParser;

    enum class Code : std::uint8_t {
        Number,
        Variable,
        Negate,
        Square,
        Sin,
        Cos,
        Tan,
        Asin,
        Acos,
        Atan,
        Exp,
        Log,
        Sqrt,
        Abs,
        Floor,
        Add,
        Subtract,
        Multiply,
        Divide,
        Power,
        Less,
        Greater,
        LessOrEqual,
        GreaterOrEqual,
        Atan2,
        Hypot,
        Min,
        Max,
        Step,
        Clamp,
        Smoothstep,
        Mix,
    };
    /// One step of a stack machine: takes its operands from the top, puts its result there.
    struct Instruction {
        Code code = Code::Number;
        std::int32_t variable = 0;
        double number = 0.0;
    };

    // What one level of nesting leaves on the stack at most while the next is computed: the left
    // side of a comparison, a sum, a product and a power, and two arguments before the one at work.
    static constexpr int kStackPerLevel = 6;
    static constexpr int kStackSize = kStackPerLevel * (kExpressionDepth + 1);

    Expression() = default;
    static int operand_count(Code code);
    /// The result of a step with its operands, the first pushed first.
    static double apply(Code code, const double* operands);

    std::vector<Instruction> program_;
    std::size_t variable_count_ = 0;
};

/// Reads a formula such as "(1 - r^2) * cos(pi * x)" in which the words of `variables` stand for
/// numbers that are given later. A variable's name hides a constant of the same name.
///
/// Parts without variables are computed once, here. O(length).
/// Error (`where`: "character N", from 1): what is wrong there, and what to write instead; a text
/// or a nesting beyond the limits above.
Result<Expression> parse_expression(std::string_view text,
                                    std::span<const std::string_view> variables);

}  // namespace ductile
