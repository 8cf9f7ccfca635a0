// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/geom/query/box_grid.h>

#include <doctest/doctest.h>

#include <array>
#include <limits>

using namespace ductile;

namespace {

std::vector<std::int32_t> one_by_one(std::span<const Box> boxes, const Box& box) {
    std::vector<std::int32_t> out;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].overlaps(box)) out.push_back(static_cast<std::int32_t>(i));
    }
    return out;
}

void check_all(std::span<const Box> boxes, std::span<const Box> asked) {
    BoxGrid grid;
    grid.fill(boxes);
    std::vector<std::int32_t> found;
    std::size_t count = 0;
    for (const Box& box : asked) {
        grid.overlapping(box, found);
        CHECK(found == one_by_one(boxes, box));
        count += found.size();
    }
    CHECK(count > 0);
}

Box random_box(Rng& rng, double room, double least, double most) {
    const auto place = [&](double size) {
        return Vec3(rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size));
    };
    const Vec3 centre = place(room);
    const double scale = rng.uniform(least, most);
    const Vec3 half = 0.5 * scale * place(1.0).cwiseAbs();
    return {centre - half, centre + half};
}

}  // namespace

TEST_CASE("a grid of boxes finds the boxes that looking at all of them finds") {
    Rng rng(7);
    for (const std::size_t count : {1, 16, 17, 60, 1000}) {
        CAPTURE(count);
        // Spread out, crowded, and of very different sizes.
        for (const auto& [room, least, most] :
             {std::array{10.0, 0.5, 1.0}, std::array{1.0, 0.5, 1.0}, std::array{5.0, 1e-6, 8.0}}) {
            std::vector<Box> boxes;
            for (std::size_t i = 0; i < count; ++i) {
                boxes.push_back(random_box(rng, room, least, most));
            }
            std::vector<Box> asked(boxes.begin(), boxes.end());
            for (int i = 0; i < 50; ++i)
                asked.push_back(random_box(rng, 2 * room, least, 4 * room));
            check_all(boxes, asked);
        }
    }
}

TEST_CASE("a grid of boxes knows boxes that touch, points, whole worlds and nothing") {
    std::vector<Box> boxes;
    for (int i = 0; i < 40; ++i) {  // in a row, each touching the next
        boxes.push_back({Vec3(i, 0, 0), Vec3(i + 1, 1, 1)});
    }
    std::vector<Box> asked = boxes;
    boxes.push_back({Vec3::Constant(-1e30), Vec3::Constant(1e30)});
    boxes.push_back({Vec3::Constant(-std::numeric_limits<double>::infinity()), Vec3(3, 3, 3)});
    boxes.push_back(Box{});
    boxes.push_back({Vec3::Constant(1e12), Vec3::Constant(1e12 + 1)});
    asked.push_back(boxes[40]);
    asked.push_back(boxes[41]);
    asked.push_back(boxes[43]);
    asked.push_back({Vec3(7, 1, 1), Vec3(7, 1, 1)});
    check_all(boxes, asked);
    BoxGrid grid;
    grid.fill(boxes);
    std::vector<std::int32_t> found;
    grid.overlapping(asked[3], found);
    CHECK(found == std::vector<std::int32_t>{2, 3, 4, 40, 41});
    grid.overlapping(Box{}, found);
    CHECK(found.empty());

    const std::vector<Box> points(30, Box{Vec3(1, 2, 3), Vec3(1, 2, 3)});
    grid.fill(points);
    grid.overlapping(points[0], found);
    CHECK(found.size() == 30);
    grid.fill({});
    grid.overlapping(asked[0], found);
    CHECK(found.empty());
}
