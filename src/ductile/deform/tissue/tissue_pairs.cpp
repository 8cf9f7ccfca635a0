// SPDX-License-Identifier: MIT
// Contacts between particles: of two coats that are near each other, or of one that touches itself.
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/tissue_contacts.h>

#include <algorithm>
#include <cmath>

namespace ductile {

namespace {

// How much further than particles feel each other a list of pairs looks, as a share of that of the
// longest two: lists are longer, and made less often.
constexpr double kListShare = 0.2;
// What of that is counted on: sums of many small ways are rounded.
constexpr double kCounted = 1.0 - 1e-9;

/// How far two boxes are from each other [m].
double distance_between(const Box& a, const Box& b) {
    return (a.lower - b.upper).cwiseMax(b.lower - a.upper).cwiseMax(Vec3::Zero()).norm();
}

}  // namespace

void TissueContacts::measure_motion(std::size_t c) {
    Box ways, box;
    Vec3* last = last_places_.data() + firsts_[c];
    for (const Place& place : places_of(c)) {
        ways.add(place.position - *last);
        box.add(place.position);
        *last++ = place.position;
    }
    boxes_[c] = box;
    motions_[c] = {0.5 * (ways.lower + ways.upper), 0.5 * ways.diagonal()};
}

void TissueContacts::fill_grid(std::span<const TouchingCoat> coats) {
    wide_boxes_.clear();
    for (std::size_t c = 0; c < coats.size(); ++c) {
        wide_boxes_.push_back(widened(boxes_[c], (1.0 + kListShare) * kFelt * coats[c].widest));
    }
    coat_grid_.fill(wide_boxes_);
}

void TissueContacts::update_lists(std::size_t c, bool touches_itself) {
    CoatTouches& own = found_[c];
    coat_grid_.overlapping(wide_boxes_[c], own.near_coats);
    const auto first = static_cast<std::int32_t>(touches_itself ? c : c + 1);
    own.near_coats.erase(own.near_coats.begin(),
                         std::lower_bound(own.near_coats.begin(), own.near_coats.end(), first));
    if (std::equal(
            own.lists.begin(), own.lists.end(), own.near_coats.begin(), own.near_coats.end(),
            [](const PairList& list, std::int32_t second) { return list.second == second; })) {
        return;
    }
    own.last_lists.swap(own.lists);
    own.lists.clear();
    auto last = own.last_lists.begin();
    for (const std::int32_t second : own.near_coats) {
        while (last != own.last_lists.end() && last->second < second) ++last;
        const bool was_near = last != own.last_lists.end() && last->second == second;
        own.lists.push_back(was_near ? std::move(*last) : PairList{.second = second});
    }
}

void TissueContacts::find_pairs(std::span<const TouchingCoat> coats, std::size_t c) {
    CoatTouches& own = found_[c];
    own.on_particles.clear();
    own.close.clear();
    own.ellipsoids.clear();
    update_lists(c, coats[c].touches_itself);
    for (PairList& list : own.lists) find_pairs(coats, c, list);
    own.gaps.resize(own.close.size());
    ellipsoid_gaps(own.ellipsoids, kNearShare, own.gaps);
    for (std::size_t k = 0; k < own.close.size(); ++k) {
        touch_pair(coats, c, own.close[k], own.ellipsoids[k].apart, own.gaps[k]);
    }
}

void TissueContacts::find_pairs(std::span<const TouchingCoat> coats, std::size_t first,
                                PairList& list) {
    CoatTouches& own = found_[first];
    const auto second = static_cast<std::size_t>(list.second);
    const CoatMotion &a = motions_[first], &b = motions_[second];
    list.room -= (b.drift - a.drift).norm() + a.rest + b.rest;
    if (!(list.room > 0)) list_pairs(coats, first, list);
    const Place *firsts = &places_[firsts_[first]], *seconds = &places_[firsts_[second]];
    const TissueBody &first_body = *coats[first].body, &second_body = *coats[second].body;
    for (const auto& [i, k] : list.pairs) {
        const double widest = kFelt * (firsts[i].reach + seconds[k].reach);
        if ((seconds[k].position - firsts[i].position).squaredNorm() > widest * widest) continue;
        if (!is_close(first_body, second_body, firsts[i], seconds[k])) continue;
        const std::int32_t a_i = firsts[i].particle, b_i = seconds[k].particle;
        own.close.push_back({second, a_i, b_i});
        own.ellipsoids.push_back({first_body.shape(static_cast<std::size_t>(a_i)),
                                  second_body.shape(static_cast<std::size_t>(b_i)),
                                  seconds[k].position - firsts[i].position});
    }
}

void TissueContacts::list_pairs(std::span<const TouchingCoat> coats, std::size_t first,
                                PairList& list) {
    const auto second = static_cast<std::size_t>(list.second);
    list.pairs.clear();
    const double both = kFelt * (coats[first].widest + coats[second].widest);
    const double margin = kListShare * both;
    const double free_way = distance_between(boxes_[first], boxes_[second]) - both;
    list.room = kCounted * std::max(margin, free_way);
    if (free_way > margin) return;
    std::vector<std::int32_t>&near_first = found_[first].first_places,
    &near_second = found_[first].second_places;
    // Of one coat, those near a box that holds all centres of the other that may count.
    const auto gather = [&](std::size_t of, const Box& near, double widest,
                            std::vector<std::int32_t>& out) {
        out.clear();
        Box box;
        std::int32_t k = -1;
        for (const Place& place : places_of(of)) {
            ++k;
            const double reach = kFelt * (place.reach + widest) + margin;
            if (near.distance_sq(place.position) > reach * reach) continue;
            out.push_back(k);
            box.add(place.position);
        }
        return box;
    };
    const Box first_box = gather(first, boxes_[second], coats[second].widest, near_first);
    if (near_first.empty()) return;
    const Box box = gather(second, first_box, coats[first].widest, near_second);
    if (near_second.empty()) return;
    // Those within reach along the axis along which they lie furthest apart.
    int axis = 0;
    (box.upper - box.lower).maxCoeff(&axis);
    const Place *firsts = &places_[firsts_[first]], *seconds = &places_[firsts_[second]];
    std::sort(near_second.begin(), near_second.end(), [&](std::int32_t a, std::int32_t b) {
        return std::pair(seconds[a].position[axis], a) < std::pair(seconds[b].position[axis], b);
    });
    for (const std::int32_t i : near_first) {
        const Place& a = firsts[i];
        const double reach = kFelt * (a.reach + coats[second].widest) + margin;
        const double at = a.position[axis];
        auto k = std::partition_point(near_second.begin(), near_second.end(), [&](std::int32_t b) {
            return seconds[b].position[axis] < at - reach;
        });
        const std::size_t begin = list.pairs.size();
        for (; k != near_second.end() && seconds[*k].position[axis] <= at + reach; ++k) {
            if (first == second && *k <= i) continue;
            const double widest = kFelt * (a.reach + seconds[*k].reach) + margin;
            if ((seconds[*k].position - a.position).squaredNorm() > widest * widest) continue;
            list.pairs.emplace_back(i, *k);
        }
        std::sort(list.pairs.begin() + static_cast<std::ptrdiff_t>(begin), list.pairs.end());
    }
}

// No direction parts them less than the best: most pairs are parted by that between them.
bool TissueContacts::is_close(const TissueBody& first, const TissueBody& second, const Place& a,
                              const Place& b) {
    const Vec3 apart = b.position - a.position;
    const double distance = apart.norm();
    if (!(distance > 0)) return true;
    const Vec3 n = apart / distance;
    const double size = first.reach(static_cast<std::size_t>(a.particle), n) +
                        second.reach(static_cast<std::size_t>(b.particle), n);
    return !(distance > kFelt * size);
}

void TissueContacts::touch_pair(std::span<const TouchingCoat> coats, std::size_t first_coat,
                                const ClosePair& pair, const Vec3& apart, const EllipsoidGap& gap) {
    const TissueBody &first = *coats[first_coat].body, &second = *coats[pair.second_coat].body;
    const double reach = gap.normal.dot(apart) - gap.gap;
    if (!(gap.gap < kNearShare * reach)) return;
    double rest = 0.0;
    if (first_coat == pair.second_coat) {
        // What overlaps at rest is no contact.
        const TissueRig& rig = first.rig();
        const Vec3 way = rig.places[pair.second] - rig.places[pair.first];
        rest =
            std::min(0.0, ellipsoid_gap(rig.shapes[pair.first], rig.shapes[pair.second], way).gap);
    }
    TissueContact& c = found_[first_coat].on_particles.emplace_back();
    c.coat = static_cast<std::int32_t>(pair.second_coat);
    c.particle = pair.second;
    c.other_coat = static_cast<std::int32_t>(first_coat);
    c.other_particle = pair.first;
    c.friction = coats[first_coat].friction * coats[pair.second_coat].friction;
    const Vec3 before = second.origin() + second.before()[pair.second] - first.origin() -
                        first.before()[pair.first];
    const double start_gap = gap.normal.dot(before) - reach;
    const double allowed = start_gap < rest ? start_gap + recovered(rest - start_gap) : rest;
    const Vec3 origins = second.origin() - first.origin();
    make_rows(gap.normal, gap.normal.dot(origins) - reach - allowed, origins - before, coats, {},
              c);
}

}  // namespace ductile
