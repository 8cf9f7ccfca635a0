// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

namespace ductile::test {

/// Whether two numbers agree. In CHECK(near(...)) it says by how much they do not.
struct Closeness {
    double value, reference;
    double allowed;  ///< Furthest that they may be apart; negative or no number: they never agree.

    explicit operator bool() const;
};
std::ostream& operator<<(std::ostream& out, const Closeness& closeness);

/// What sums and products of some hundred numbers keep of a closed form, on any processor.
inline constexpr double kRounding = 1e-9;

/// `value` agrees with `reference` to a share of it: they are at most relative * |reference| apart.
/// No other scale comes in, so that no result of 0 passes: `relative` has to be below 1, and with a
/// reference of 0 only 0 agrees.
Closeness near(double value, double reference, double relative = kRounding);

/// They are at most `allowed` apart. For what has no scale of its own: coordinates, differences,
/// sums that cancel. Write `allowed` as a share of a size that belongs to it: 1e-9 * radius.
Closeness within(double value, double reference, double allowed);

}  // namespace ductile::test
