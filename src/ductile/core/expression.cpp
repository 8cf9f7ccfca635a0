// SPDX-License-Identifier: MIT
#include <ductile/core/expression.h>

#include <cmath>

namespace ductile {
namespace {

// Written so that what is no number comes out of either side.
double smaller(double a, double b) { return a < b || a != a ? a : b; }
double larger(double a, double b) { return a > b || a != a ? a : b; }

double smooth_between(double a, double b, double x) {
    if (a == b) return x >= a ? 1.0 : 0.0;
    const double t = smaller(larger((x - a) / (b - a), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

}  // namespace

int Expression::operand_count(Code code) {
    if (code <= Code::Variable) return 0;
    if (code <= Code::Floor) return 1;
    return code <= Code::Step ? 2 : 3;
}

double Expression::apply(Code code, const double* x) {
    switch (code) {
        case Code::Number:
        case Code::Variable:
            break;
        case Code::Negate:
            return -x[0];
        case Code::Square:
            return x[0] * x[0];
        case Code::Sin:
            return std::sin(x[0]);
        case Code::Cos:
            return std::cos(x[0]);
        case Code::Tan:
            return std::tan(x[0]);
        case Code::Asin:
            return std::asin(x[0]);
        case Code::Acos:
            return std::acos(x[0]);
        case Code::Atan:
            return std::atan(x[0]);
        case Code::Exp:
            return std::exp(x[0]);
        case Code::Log:
            return std::log(x[0]);
        case Code::Sqrt:
            return std::sqrt(x[0]);
        case Code::Abs:
            return std::abs(x[0]);
        case Code::Floor:
            return std::floor(x[0]);
        case Code::Add:
            return x[0] + x[1];
        case Code::Subtract:
            return x[0] - x[1];
        case Code::Multiply:
            return x[0] * x[1];
        case Code::Divide:
            return x[0] / x[1];
        case Code::Power:
            return std::pow(x[0], x[1]);
        case Code::Less:
            return x[0] < x[1] ? 1.0 : 0.0;
        case Code::Greater:
            return x[0] > x[1] ? 1.0 : 0.0;
        case Code::LessOrEqual:
            return x[0] <= x[1] ? 1.0 : 0.0;
        case Code::GreaterOrEqual:
            return x[0] >= x[1] ? 1.0 : 0.0;
        case Code::Atan2:
            return std::atan2(x[0], x[1]);
        case Code::Hypot:
            return std::hypot(x[0], x[1]);
        case Code::Min:
            return smaller(x[0], x[1]);
        case Code::Max:
            return larger(x[0], x[1]);
        case Code::Step:
            return x[1] >= x[0] ? 1.0 : 0.0;
        case Code::Clamp:
            return smaller(larger(x[0], x[1]), x[2]);
        case Code::Smoothstep:
            return smooth_between(x[0], x[1], x[2]);
        case Code::Mix:
            return x[0] * (1.0 - x[2]) + x[1] * x[2];
    }
    return 0.0;
}

double Expression::operator()(std::span<const double> values) const {
    DUCTILE_ASSERT(values.size() == variable_count_, "a value for every variable");
    double stack[kStackSize];
    double* top = stack;
    for (const Instruction& step : program_) {
        if (step.code == Code::Number) {
            *top++ = step.number;
        } else if (step.code == Code::Variable) {
            *top++ = values[static_cast<std::size_t>(step.variable)];
        } else {
            top -= operand_count(step.code);
            *top = apply(step.code, top);
            ++top;
        }
    }
    return stack[0];
}

}  // namespace ductile
