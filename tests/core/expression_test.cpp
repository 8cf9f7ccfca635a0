// SPDX-License-Identifier: MIT
#include <ductile/core/expression.h>
#include <ductile/core/math.h>
#include <ductile/core/rng.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <functional>

using namespace ductile;

namespace {

constexpr std::string_view kNames[] = {"x", "y", "depth_2"};
constexpr double kX = 0.75, kY = -1.25, kDepth = 3.5;

double value_of(const std::string& text) {
    const Result<Expression> formula = parse_expression(text, kNames);
    REQUIRE_MESSAGE(formula.ok(), text << ": " << formula.error().text());
    const double values[] = {kX, kY, kDepth};
    return formula.value()(values);
}

void check_refused(const std::string& text, const char* message, const char* where) {
    const Result<Expression> formula = parse_expression(text, kNames);
    REQUIRE_MESSAGE(!formula.ok(), text);
    CHECK_MESSAGE(formula.error().text().find(message) != std::string::npos,
                  formula.error().text());
    CHECK_MESSAGE(formula.error().where == where, formula.error().text());
}

/// The bits, but all that is no number alike: its sign and payload are nobody's promise.
bool is_same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

/// A formula and what it means, made from the same tree.
struct Sample {
    std::string text;
    int binding = 9;  // 0 comparison, 1 sum, 2 product, 3 sign, 4 power, 9 whole
    double value = 0.0;
};

/// In parentheses where the place asks for a tighter binding, and now and then without need.
std::string placed(const Sample& part, int binding, Rng& rng) {
    const char* blank = rng.uniform() < 0.3 ? " " : "";
    if (part.binding >= binding && rng.uniform() < 0.8) return blank + part.text + blank;
    return fmt::format("{0}({1}){0}", blank, part.text);
}

Sample random_leaf(Rng& rng) {
    switch (rng.next() % 6) {
        case 0:
            return {"x", 9, kX};
        case 1:
            return {"y", 9, kY};
        case 2:
            return {"depth_2", 9, kDepth};
        case 3:
            return {"pi", 9, kPi};
        case 4:
            return {"e", 9, std::numbers::e};
        default: {
            const double number = rng.uniform(0.0, 3.0);
            return {fmt::format("{}", number), 9, number};
        }
    }
}

Sample random_formula(int depth, Rng& rng) {
    if (depth == 0 || rng.uniform() < 0.1) return random_leaf(rng);
    const Sample a = random_formula(depth - 1, rng), b = random_formula(depth - 1, rng);
    const auto binary = [&](const char* sign, int binding, int left, int right, double value) {
        return Sample{placed(a, left, rng) + sign + placed(b, right, rng), binding, value};
    };
    switch (rng.next() % 10) {
        case 0:
            return binary("+", 1, 1, 2, a.value + b.value);
        case 1:
            return binary("-", 1, 1, 2, a.value - b.value);
        case 2:
            return binary("*", 2, 2, 3, a.value * b.value);
        case 3:
            return binary("/", 2, 2, 3, a.value / b.value);
        case 4:
            return binary("^", 4, 9, 3, std::pow(a.value, b.value));
        case 5:
            return binary("<=", 0, 1, 1, a.value <= b.value ? 1.0 : 0.0);
        case 6:
            return {"-" + placed(a, 3, rng), 3, -a.value};
        case 7:
            return {fmt::format("cos({})", a.text), 9, std::cos(a.value)};
        case 8:
            return {fmt::format("atan2({}, {})", a.text, b.text), 9, std::atan2(a.value, b.value)};
        default: {
            const Sample c = random_formula(depth - 1, rng);
            return {fmt::format("mix({},{} ,{})", a.text, b.text, c.text), 9,
                    a.value * (1.0 - c.value) + b.value * c.value};
        }
    }
}

}  // namespace

TEST_CASE("a formula has the value that mathematics gives it") {
    const std::pair<const char*, double> cases[] = {
        {"1", 1.0},
        {".5", 0.5},
        {"1e-3", 1e-3},
        {"2.E+2", 200.0},
        {" pi ", kPi},
        {"e", std::numbers::e},
        {"depth_2", kDepth},
        {"1 - 2 - 3", -4.0},
        {"8 / 4 / 2", 1.0},
        {"2 + 3 * 4", 14.0},
        {"(2 + 3) * 4", 20.0},
        {"2^3^2", 512.0},
        {"-x^2", -kX * kX},
        {"(-x)^2", kX * kX},
        {"2^-1", 0.5},
        {"--2", 2.0},
        {"1 - -1", 2.0},
        {"+x", kX},
        {"-2 * -3", 6.0},
        {"2 * 3 < 7", 1.0},
        {"1 > 1", 0.0},
        {"1 >= 1", 1.0},
        {"1 <= 1 - 1e-9", 0.0},
        {"(x < 1) * (y < 0) + 1", 2.0},
        {"min(2, 1) + 10 * max(2, 1)", 21.0},
        {"hypot(3, 4)", 5.0},
        {"pow(2, 10)", 1024.0},
        {"clamp(5, 0, 1) + clamp(-5, 0, 1) + clamp(.5, 0, 1)", 1.5},
        {"step(1, .9) + step(1, 1)", 1.0},
        {"smoothstep(1, 3, 0) + smoothstep(1, 3, 2) + smoothstep(1, 3, 9)", 1.5},
        {"smoothstep(1, 1, .99) + smoothstep(1, 1, 1)", 1.0},
        {"mix(10, 20, .25)", 12.5},
        {"floor(-.5)", -1.0},
        {"abs(y)", 1.25},
        {"sqrt(16)", 4.0},
        {"log(e)", 1.0},
        {"exp(0)", 1.0},
        {"sin(x)", std::sin(kX)},
        {"cos(x)", std::cos(kX)},
        {"tan(x)", std::tan(kX)},
        {"asin(x)", std::asin(kX)},
        {"acos(x)", std::acos(kX)},
        {"atan(x)", std::atan(kX)},
        {"atan2(y, x)", std::atan2(kY, kX)},
    };
    for (const auto& [text, expected] : cases) {
        const std::string formula(text);
        CAPTURE(formula);
        CHECK(value_of(text) == expected);
    }
}

TEST_CASE("any tree of operators, written with as few parentheses as may be, comes back") {
    Rng rng(11);
    int finite = 0;
    for (int k = 0; k < 3000; ++k) {
        const Sample sample = random_formula(1 + int(rng.next() % 5), rng);
        if (sample.text.size() > kExpressionText) continue;
        const double value = value_of(sample.text);
        REQUIRE_MESSAGE(is_same(value, sample.value), sample.text << " gave " << value);
        finite += std::isfinite(value) && value != 0.0 && value != 1.0;
    }
    CHECK(finite > 1500);  // most of them say something
}

TEST_CASE("what is no number stays no number, but comparisons answer no") {
    for (const char* text : {"sqrt(-1)", "min(sqrt(-1), 1)", "min(1, sqrt(-1))", "max(sqrt(-1), 1)",
                             "max(1, sqrt(-1))", "clamp(sqrt(-1), 0, 1)", "0 / 0",
                             "smoothstep(0, 1, sqrt(y))", "mix(0, 1, sqrt(y))"}) {
        CHECK_MESSAGE(std::isnan(value_of(text)), text);
    }
    CHECK(value_of("sqrt(y) < 1") == 0.0);
    CHECK(value_of("sqrt(y) >= 1") == 0.0);
    CHECK(value_of("step(0, sqrt(y))") == 0.0);
    CHECK(value_of("1 / 0") == kInfinity);
}

TEST_CASE("parts without variables are computed once, squares are products") {
    const auto length = [](const char* text) {
        return parse_expression(text, kNames).value().length();
    };
    CHECK(length("2 * pi / (3 + sin(1))") == 1);
    CHECK(length("x * (2 * pi)") == 3);
    CHECK(length("x^2") == 2);
    CHECK(length("x^(1 + 1)") == 2);
    CHECK(value_of("depth_2^2") == kDepth * kDepth);
    CHECK(value_of("(-3)^2") == 9.0);
}

TEST_CASE("a variable hides a constant, and the values come in the order of the names") {
    const std::string_view names[] = {"e", "pi"};
    const Result<Expression> formula = parse_expression("e - 10 * pi", names);
    REQUIRE(formula.ok());
    const double values[] = {3.0, 4.0};
    CHECK(formula.value()(values) == -37.0);
    CHECK(formula.value().variable_count() == 2);
    const Result<Expression> none = parse_expression("1 + 1", {});
    REQUIRE(none.ok());
    CHECK(none.value()({}) == 2.0);
}

TEST_CASE("a formula that cannot be read says what is wrong, where, and what to write") {
    check_refused("", "is empty", "character 1");
    check_refused("  \t ", "is empty", "character 5");
    check_refused("1 +", "the end where a number", "character 4");
    check_refused("1 + * 2", "'*' where a number", "character 5");
    check_refused("x ** 2", "write ^ for a power", "character 4");
    check_refused("2x", "write * for a product", "character 2");
    check_refused("(x) (y)", "no operator before '('", "character 5");
    check_refused("1 2", "no operator before '2'", "character 3");
    check_refused("0,5", "write numbers with a point", "character 2");
    check_refused("(0,5)", "write numbers with a point", "character 3");
    check_refused("(x", "'(' at character 1 is never closed", "character 3");
    check_refused("sin(x", "'(' at character 4 is never closed", "character 6");
    check_refused("x)", "without its '('", "character 2");
    check_refused("0 < x < 1", "(a < b) * (b < c)", "character 7");
    check_refused("x == 1", "operators are", "character 3");
    check_refused("x % 2", "'%' is not known", "character 3");
    check_refused("x + \xc3\xa9", "byte 0xc3 where", "character 5");
    check_refused(std::string("x\0y", 3), "byte 0x00 is not known", "character 2");
    check_refused("sni(x)", "did you mean sin?", "character 1");
    check_refused("1 + smothstep(0, 1, x)", "did you mean smoothstep?", "character 5");
    check_refused("depth", "did you mean depth_2?", "character 1");
    check_refused("wavelength", "known are x, y, depth_2, pi", "character 1");
    check_refused("x + sin", "sin is a function (sin(x))", "character 5");
    check_refused("x(2)", "write * for a product", "character 2");
    check_refused("1 + clamp(x, 1)", "takes 3 numbers, not 2 (clamp(x, a, b))", "character 5");
    check_refused("sin(x, y)", "takes 1 number, not more (sin(x))", "character 1");
    check_refused("sin()", "')' where a number", "character 5");
    check_refused("max(1,,2)", "',' where a number", "character 7");
    check_refused(".", "'.' without digits", "character 1");
    check_refused("1 + 1e999", "beyond the range", "character 5");
    check_refused("1.2.3", "no operator before '.'", "character 4");
}

TEST_CASE("length and nesting are limited, and what is within the limits is read") {
    const auto repeated = [](std::string_view word, int count) {
        std::string out;
        for (int k = 0; k < count; ++k) out += word;
        return out;
    };
    CHECK(value_of("1" + repeated("+1", 2047)) == 2048.0);
    check_refused("1" + repeated("+1", 2048), "4097 characters", "");
    const int deep = kExpressionDepth;
    CHECK(value_of(repeated("(", deep) + "x" + repeated(")", deep)) == kX);
    check_refused(repeated("(", deep + 1), "nested too deeply", "character 66");
    check_refused(repeated("-", 4000) + "x", "nested too deeply", "character 65");
    check_refused("x" + repeated("^x", 2000), "nested too deeply", "character 131");
    check_refused(repeated("sin(", 1000), "nested too deeply", "character 261");
    // As much as can wait on the stack at every level.
    const std::string level = "x<x+x*mix(x,x,";
    const std::string full = repeated(level, deep) + "x" + repeated(")", deep);
    CHECK(std::isfinite(value_of(full)));
}

TEST_CASE("names hold every letter, digit and underscore") {
    constexpr std::string_view names[] = {"abcdefghijklmnopqrstuvwxyz",
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "_0123456789", "z", "Z"};
    const double values[] = {1, 2, 3, 4, 5};
    for (std::size_t i = 0; i < std::size(names); ++i) {
        const Result<Expression> formula = parse_expression(std::string(names[i]), names);
        REQUIRE_MESSAGE(formula.ok(), names[i]);
        CHECK(formula.value()(values) == values[i]);
    }
}
