// SPDX-License-Identifier: MIT
// Contacts between particles: of two coats that are near each other, or of one that touches itself.
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/tissue_contacts.h>

#include <algorithm>
#include <cmath>

namespace ductile {

void TissueContacts::find_pairs(std::span<const TouchingCoat> coats, std::size_t c) {
    found_[c].on_particles.clear();
    if (coats[c].touches_itself) find_pairs(coats, c, c);
    for (std::size_t k = c + 1; k < coats.size(); ++k) {
        if (widened(boxes_[c], coats[c].widest + coats[k].widest).overlaps(boxes_[k])) {
            find_pairs(coats, c, k);
        }
    }
}

void TissueContacts::find_pairs(std::span<const TouchingCoat> coats, std::size_t first,
                                std::size_t second) {
    std::vector<Place>&first_places = found_[first].first_places,
    &second_places = found_[first].second_places;
    // Of one coat, those near a box that holds all centres of the other that may count.
    const auto gather = [&](std::size_t of, const Box& near, double widest,
                            std::vector<Place>& out) {
        out.clear();
        Box box;
        for (const Place& place : places_of(of)) {
            const double reach = place.reach + widest;
            if (near.distance_sq(place.position) > reach * reach) continue;
            out.push_back(place);
            box.add(place.position);
        }
        return box;
    };
    const Box first_box = gather(first, boxes_[second], coats[second].widest, first_places);
    if (first_places.empty()) return;
    const Box box = gather(second, first_box, coats[first].widest, second_places);
    if (second_places.empty()) return;
    // Those within reach along the axis along which they lie furthest apart.
    int axis = 0;
    (box.upper - box.lower).maxCoeff(&axis);
    std::sort(second_places.begin(), second_places.end(), [&](const Place& a, const Place& b) {
        return std::pair(a.position[axis], a.particle) < std::pair(b.position[axis], b.particle);
    });
    for (const Place& a : first_places) {
        const double reach = a.reach + coats[second].widest, at = a.position[axis];
        auto b = std::partition_point(
            second_places.begin(), second_places.end(),
            [&](const Place& place) { return place.position[axis] < at - reach; });
        for (; b != second_places.end() && b->position[axis] <= at + reach; ++b) {
            if (first == second && b->particle <= a.particle) continue;
            const double widest = a.reach + b->reach;
            if ((b->position - a.position).squaredNorm() > widest * widest) continue;
            touch_pair(coats, first, second, a, *b);
        }
    }
}

void TissueContacts::touch_pair(std::span<const TouchingCoat> coats, std::size_t first_coat,
                                std::size_t second_coat, const Place& a, const Place& b) {
    const TissueBody &first = *coats[first_coat].body, &second = *coats[second_coat].body;
    const Vec3 apart = b.position - a.position;
    const double distance = apart.norm();
    // No direction parts them less than the best: most pairs are parted by that between them.
    if (distance > 0) {
        const Vec3 n = apart / distance;
        const double size = first.reach(static_cast<std::size_t>(a.particle), n) +
                            second.reach(static_cast<std::size_t>(b.particle), n);
        if (distance > (1.0 + kNearShare) * size) return;
    }
    double rest = 0.0;
    if (first_coat == second_coat) {
        // What overlaps at rest is no contact.
        const Vec3 way = first.rig().places[b.particle] - first.rig().places[a.particle];
        rest = std::min(
            0.0,
            ellipsoid_gap(first.rig().shapes[a.particle], first.rig().shapes[b.particle], way).gap);
    }
    const EllipsoidGap gap =
        ellipsoid_gap(first.shape(a.particle), second.shape(b.particle), apart);
    const double reach = gap.normal.dot(apart) - gap.gap;
    if (!(gap.gap < kNearShare * reach)) return;
    TissueContact& c = found_[first_coat].on_particles.emplace_back();
    c.coat = static_cast<std::int32_t>(second_coat);
    c.particle = b.particle;
    c.other_coat = static_cast<std::int32_t>(first_coat);
    c.other_particle = a.particle;
    c.friction = coats[first_coat].friction * coats[second_coat].friction;
    const Vec3 before =
        second.origin() + second.before()[b.particle] - first.origin() - first.before()[a.particle];
    const double start_gap = gap.normal.dot(before) - reach;
    const double allowed = start_gap < rest ? start_gap + recovered(rest - start_gap) : rest;
    const Vec3 origins = second.origin() - first.origin();
    make_rows(gap.normal, gap.normal.dot(origins) - reach - allowed, origins - before, coats, {},
              c);
}

}  // namespace ductile
