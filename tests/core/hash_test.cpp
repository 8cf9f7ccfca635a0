// SPDX-License-Identifier: MIT
#include <ductile/core/hash.h>
#include <ductile/core/rng.h>

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace ductile;

namespace {

template <class... Values>
std::uint64_t hash_of(const Values&... values) {
    Hasher hasher;
    (hasher.add(values), ...);
    return hasher.value();
}

}  // namespace

TEST_CASE("equal bits give equal hashes, and the order counts") {
    CHECK(hash_of(1.0, 2.0) == hash_of(1.0, 2.0));
    CHECK(hash_of(1.0, 2.0) != hash_of(2.0, 1.0));
    CHECK(hash_of(0.0) != hash_of(-0.0));  // bits, not values
    CHECK(hash_of() != hash_of(0.0));
    CHECK(hash_of(std::string_view("ab"), std::string_view("c")) !=
          hash_of(std::string_view("a"), std::string_view("bc")));
    const std::vector<Vec3> none, one = {Vec3::Zero()};
    CHECK(hash_of(std::span<const Vec3>(none)) != hash_of(std::span<const Vec3>(one)));
}

TEST_CASE("changing any bit of a pose changes the hash") {
    const Transform pose{Quat(0.5, 0.5, 0.5, 0.5), Vec3(1, 2, 3)};
    std::set<std::uint64_t> seen = {hash_of(pose)};
    for (int number = 0; number < 7; ++number) {
        for (int bit = 0; bit < 64; ++bit) {
            Transform changed = pose;
            double& x =
                number < 4 ? changed.rotation.coeffs()[number] : changed.translation[number - 4];
            x = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ (1ULL << bit));
            CHECK(seen.insert(hash_of(changed)).second);
        }
    }
}

TEST_CASE("a hundred thousand neighbouring numbers do not collide") {
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < 100000; ++i) seen.insert(hash_of(i));
    CHECK(seen.size() == 100000);
}
