// SPDX-License-Identifier: MIT
#include <ductile/deform/example/example_row.h>
#include <ductile/deform/example/example_row_pair.h>
#include <ductile/deform/example/example_step.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>

using namespace ductile;

namespace {

ExampleRow row_of(std::initializer_list<double> shares) {
    ExampleRow row;
    std::copy(shares.begin(), shares.end(), row.shares.begin());
    return row;
}

// Of the whole change, the rest pose's part included.
double whole_length(const std::vector<double>& change) {
    double sum = 0.0, rest = 0.0;
    for (const double c : change) {
        sum += c * c;
        rest -= c;
    }
    return std::sqrt(sum + rest * rest);
}

Eigen::Matrix3Xd three_ways() {
    Eigen::Matrix3Xd jacobian(3, 3);
    jacobian << 1.0, 0.0, 0.2, 0.0, -0.5, 0.1, 0.0, 0.0, 0.3;
    return jacobian;
}

}  // namespace

TEST_CASE("rows stay barycentric whatever is added") {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-3.0, 3.0);
    ExampleRow row;
    for (int i = 0; i < 2000; ++i) {
        const std::vector<double> change = {any(random), any(random), any(random), any(random)};
        add_change(change, std::abs(any(random)), row);
        double sum = row.rest_share();
        CHECK(sum >= -1e-12);
        for (const double s : row.shares) {
            CHECK(s >= 0.0);
            CHECK(s <= 1.0);
            sum += s;
        }
        REQUIRE(std::abs(sum - 1.0) <= 1e-12);
    }
}

TEST_CASE("two rows side by side get the bits of one after the other") {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    const auto anything = [&] { return any(random) < -0.6 ? 0.0 : any(random); };
    ExampleRow a, b;
    for (int i = 0; i < 2000; ++i) {
        std::array<std::vector<double>, 2> change;
        for (std::vector<double>& c : change) {
            for (int e = 0; e < 5; ++e) c.push_back(i % 7 == 0 ? 0.0 : anything());
        }
        if (i % 11 == 0) change[0].assign(5, -100.0);  // Nothing is left of one of them.
        const double to_a = anything(), to_b = std::abs(anything());
        ExampleRow alone_a = a, alone_b = b;
        add_change(change[0], to_a, alone_a);
        add_change(change[1], to_b, alone_b);
        add_change(change[0], to_a, a, change[1], to_b, b);
        REQUIRE(std::memcmp(&a, &alone_a, sizeof a) == 0);
        REQUIRE(std::memcmp(&b, &alone_b, sizeof b) == 0);
    }
}

TEST_CASE("adding nothing changes no bit of a row") {
    ExampleRow row = row_of({0.1, 0.7, 0.1 + 0.1});
    const ExampleRow before = row;
    add_change(std::vector<double>{0.3, -0.1, 0.2}, 0.0, row);
    add_change(std::vector<double>{0.0, 0.0, 0.0}, 1.0, row);
    CHECK(row == before);
}

TEST_CASE("a change of shares is as long as the wanted move says, whatever the bounds took") {
    for (const ExampleRow& row : {row_of({}), row_of({0.3, 0.2, 0.1}), row_of({0.0, 0.9, 0.0})}) {
        ExampleWish wish;
        wish.move = {0.03, -0.02, 0.01};
        wish.softness = 8.0;
        const std::vector<double> change = example_step(three_ways(), row, wish);
        CHECK(test::near(whole_length(change), 8.0 * wish.move.norm(), 1e-12));
        for (std::size_t e = 0; e < change.size(); ++e) {
            if (row.shares[e] == 0.0) CHECK(change[e] >= 0.0);
        }
        // It goes the wanted way.
        const Eigen::Map<const Eigen::Vector3d> step(change.data());
        CHECK((three_ways() * step).dot(wish.move) > 0.0);
    }
}

TEST_CASE("no move, and one that no pose would make, change nothing") {
    Eigen::Matrix3Xd flat(3, 2);
    flat << 1.0, 0.4, 0.2, -0.5, 0.0, 0.0;
    ExampleWish wish;
    CHECK(whole_length(example_step(flat, {}, wish)) == 0.0);
    wish.move = {0, 0, 0.1};
    for (const ExampleMapping mapping : {ExampleMapping::Direction, ExampleMapping::Transpose,
                                         ExampleMapping::Inverse, ExampleMapping::Gradient}) {
        wish.mapping = mapping;
        CHECK(whole_length(example_step(flat, {}, wish)) == 0.0);
    }
    // At rest, what every pose would only make worse changes nothing either.
    Eigen::Matrix3Xd away(3, 1);
    away << -1.0, 0.0, 0.0;
    wish.mapping = ExampleMapping::Direction;
    wish.move = {0.1, 0, 0};
    CHECK(whole_length(example_step(away, {}, wish)) == 0.0);
}

TEST_CASE("the other mappings are what their equations say") {
    const ExampleRow inside = row_of({0.2, 0.2, 0.2});
    ExampleWish wish;
    wish.move = {0.03, 0.01, -0.01};
    wish.softness = 3.0;
    // Away from all bounds only the part that the rest pose must lose is taken off.
    const Eigen::Vector3d gradient = three_ways().transpose() * wish.move;
    const double mean = gradient.sum() / 4.0;
    wish.mapping = ExampleMapping::Transpose;
    const std::vector<double> six = example_step(three_ways(), inside, wish);
    wish.mapping = ExampleMapping::Gradient;
    const std::vector<double> ten = example_step(three_ways(), inside, wish);
    for (std::size_t e = 0; e < 3; ++e) {
        CHECK(test::near(six[e], gradient[static_cast<Eigen::Index>(e)] - mean));
        CHECK(test::near(ten[e], 3.0 * six[e]));
    }
    wish.mapping = ExampleMapping::Inverse;
    const std::vector<double> nine = example_step(three_ways(), inside, wish);
    const Eigen::Vector3d exact = three_ways().topLeftCorner<3, 3>().inverse() * wish.move;
    for (std::size_t e = 0; e < 3; ++e) {
        CHECK(test::near(nine[e], 3.0 * (exact[static_cast<Eigen::Index>(e)] - exact.sum() / 4.0)));
    }
}

TEST_CASE("the kernel falls from one to nothing at its radius") {
    CHECK(example_kernel(0.0) == 1.0);
    CHECK(test::near(example_kernel(0.5), 0.5));
    CHECK(example_kernel(1.0) == 0.0);
    CHECK(example_kernel(kInfinity) == 0.0);
    for (double x = 0.0; x < 1.0; x += 0.01) CHECK(example_kernel(x) > example_kernel(x + 0.01));
}
