// SPDX-License-Identifier: MIT
// Edge collapses by quadric error (Garland and Heckbert 1997) are meshoptimizer's. Ours is what
// comes before on dense surfaces: pieces that fit a cache are thinned out side by side, up to an
// error well below the last one, and only what is left is simplified as a whole.
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/edge_uses.h>
#include <ductile/geom/repair/simplify.h>

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

using Indices = std::vector<unsigned int>;

// Surfaces this many times as dense as the aim are thinned out first: below, that saves nothing.
constexpr double kDense = 4.0;
// Triangles of a piece, about: half a second-level cache. Of a million vertices on two cores,
// pieces half or twice as large cost 5 % more.
constexpr std::size_t kPieceTriangles = 16'384;
// Thinning out stops at this many times the aim: less is left to do at more of a risk.
constexpr double kThinned = 2.0;
// Nor does it go below this share: with little left inside, rims would bend what they hold.
constexpr double kLeastShare = 0.1;
// Rims stay as they are until the end. A piece of n triangles has about this many times sqrt(n)
// along its rim.
constexpr double kRimWeight = 4.0;
// Every so many pieces one is tried out, to learn what error the aim will ask for.
constexpr std::size_t kTrialStride = 8;
// Pieces are runs of cells along a curve that fills space, 2^6 cells each way.
constexpr int kCellBits = 6;
// The axes of the cells: orthogonal, and askew to rows of points as people and scanners lay them. A
// rim along such a row is one straight line, and faces between its points have no area and no
// sense.
constexpr std::array<std::array<float, 3>, 3> kCellAxes = {
    {{0.7315F, 0.5393F, 0.4173F}, {-0.6572F, 0.7096F, 0.2540F}, {-0.1591F, -0.4600F, 0.8733F}}};
// No place of a unit box is further along them from its middle.
constexpr float kCellReach = 0.88F;
// With fewer points left than this, rims between pieces would show.
constexpr std::int32_t kLeastAim = 10'000;
// Of the faces left, one in so many may look the other way, and as much of their area. Whole passes
// leave more: of a bumpy sphere of 350,000 points one in 117 with 1.7e-3 of the area, where this
// way leaves one in 750 with 1.2e-4.
constexpr std::size_t kTurnedOneIn = 250;
constexpr double kTurnedArea = 1e-3;
// Where the normals at a face's corners agree so well the surface is flat. There whole passes turn
// nothing, and nothing may turn.
constexpr double kFlatCosine = 1.0 - 1e-6;
// If more of the faces lie back to back, something thin became a sheet, which is to stay.
constexpr std::size_t kFoldedOneIn = 100;
constexpr std::size_t kGrain = 4096;

// The simplifier counts in floats, whose 7 digits are best spent near the origin.
std::vector<float> unit_floats(std::span<const Vec3> points, const Box& box) {
    const double extent = (box.upper - box.lower).maxCoeff();
    const double scale = extent > 0 ? 1.0 / extent : 1.0;
    std::vector<float> out(3 * points.size());
    parallel_for(points.size(), kGrain, [&](std::size_t i) {
        const Vec3 q = (points[i] - box.centre()) * scale;
        for (int k = 0; k < 3; ++k) out[3 * i + k] = static_cast<float>(q[k]);
    });
    return out;
}

// Triangles with their points numbered from 0 in the order they are first named.
struct Part {
    Indices indices;
    std::vector<float> positions;
    Indices source;  // Per point: its number in the whole. Empty: the part is the whole.
};

// Gives each number it sees the next one of its own. A table rather than an array per point of the
// whole, which every piece would have to clear.
class Renumbering {
public:
    explicit Renumbering(std::size_t most)
        : slots_(std::bit_ceil(std::max<std::size_t>(16, 2 * most)), {kNone, 0}) {}

    // The new number of v; `next` if it is seen for the first time.
    unsigned int number(unsigned int v, unsigned int next) {
        std::size_t slot = (v * 2654435769U) & (slots_.size() - 1);
        while (slots_[slot][0] != v && slots_[slot][0] != kNone) {
            slot = (slot + 1) & (slots_.size() - 1);
        }
        if (slots_[slot][0] == kNone) slots_[slot] = {v, next};
        return slots_[slot][1];
    }

private:
    static constexpr unsigned int kNone = ~0U;
    std::vector<std::array<unsigned int, 2>> slots_;
};

Part make_part(Indices indices, std::span<const float> positions) {
    Part part{std::move(indices), {}, {}};
    Renumbering renumbering(std::min(part.indices.size(), positions.size() / 3));
    for (unsigned int& i : part.indices) {
        const auto next = static_cast<unsigned int>(part.source.size());
        const unsigned int mine = renumbering.number(i, next);
        if (mine == next) {
            part.source.push_back(i);
            for (int k = 0; k < 3; ++k) part.positions.push_back(positions[3 * i + k]);
        }
        i = mine;
    }
    return part;
}

struct Collapsed {
    Indices indices;     // As numbered in the whole.
    double error = 0.0;  // In units of the whole's extent, as are positions.
};

Collapsed collapse(const Part& part, std::size_t triangles, double error_limit, bool keeps_rim) {
    Collapsed out;
    // The simplifier measures errors in extents of what it is given.
    std::array<float, 3> low{}, high{};
    for (std::size_t i = 0; i < part.positions.size(); ++i) {
        const float x = part.positions[i];
        low[i % 3] = i < 3 ? x : std::min(low[i % 3], x);
        high[i % 3] = i < 3 ? x : std::max(high[i % 3], x);
    }
    const float extent = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
    const double scale = extent > 0 ? static_cast<double>(extent) : 1.0;
    float error = 0.0F;
    out.indices.resize(part.indices.size());
    out.indices.resize(meshopt_simplify(out.indices.data(), part.indices.data(),
                                        part.indices.size(), part.positions.data(),
                                        part.positions.size() / 3, 3 * sizeof(float), 3 * triangles,
                                        static_cast<float>(error_limit / scale),
                                        keeps_rim ? meshopt_SimplifyLockBorder : 0, &error));
    if (!part.source.empty()) {
        for (unsigned int& i : out.indices) i = part.source[i];
    }
    out.error = static_cast<double>(error) * scale;
    return out;
}

// Puts two zeros between the bits of a number of kCellBits.
std::uint32_t spread_cell_bits(std::uint32_t v) {
    std::uint32_t out = 0;
    for (int b = 0; b < kCellBits; ++b) out |= (v >> b & 1U) << (3 * b);
    return out;
}

// Triangles piece by piece: those of piece i are order[start[i]] .. order[start[i + 1]]. By place
// alone, so that pieces are compact and do not depend on threads.
struct Pieces {
    std::vector<std::int32_t> order;
    std::vector<std::size_t> start{0};

    std::size_t count() const { return start.size() - 1; }
};

Pieces cut_into_pieces(std::span<const Triangle> triangles, std::span<const float> positions) {
    constexpr int kCells = 1 << kCellBits;
    std::vector<std::uint32_t> cell(triangles.size());
    parallel_for(triangles.size(), kGrain, [&](std::size_t f) {
        std::uint32_t c = 0;
        std::array<float, 3> middle{};
        for (const std::int32_t v : triangles[f]) {
            for (int k = 0; k < 3; ++k) middle[k] += positions[3 * v + k] / 3.0F;
        }
        for (int k = 0; k < 3; ++k) {
            const std::array<float, 3>& axis = kCellAxes[k];
            const float along = axis[0] * middle[0] + axis[1] * middle[1] + axis[2] * middle[2];
            const int at = static_cast<int>((0.5F * along / kCellReach + 0.5F) * kCells);
            c |= spread_cell_bits(std::clamp(at, 0, kCells - 1)) << k;
        }
        cell[f] = c;
    });
    std::vector<std::size_t> next((1U << (3 * kCellBits)) + 1, 0);
    for (const std::uint32_t c : cell) ++next[c + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    Pieces out;
    for (const std::size_t end : next) {
        if (end - out.start.back() >= kPieceTriangles) out.start.push_back(end);
    }
    if (out.start.back() < triangles.size()) out.start.push_back(triangles.size());
    out.order.resize(triangles.size());
    for (std::size_t f = 0; f < cell.size(); ++f) {
        out.order[next[cell[f]]++] = static_cast<std::int32_t>(f);
    }
    return out;
}

// Collapses what costs little within each piece; rims between pieces stay, so that they fit.
class Thinning {
public:
    Thinning(std::span<const Triangle> triangles, std::span<const float> positions, double share)
        : triangles_(triangles),
          positions_(positions),
          share_(std::clamp(kThinned * share, kLeastShare, 1.0)),
          pieces_(cut_into_pieces(triangles, positions)) {}

    Collapsed run(double error_limit) const {
        std::vector<Collapsed> thin(pieces_.count());
        std::vector<double> trials((thin.size() + kTrialStride - 1) / kTrialStride);
        parallel_for(trials.size(), 1, [&](std::size_t i) {
            thin[kTrialStride * i] = thin_out(kTrialStride * i, error_limit);
            trials[i] = thin[kTrialStride * i].error;
        });
        // Where pieces differ, plain ones would be done for with an error that costs the others
        // their shape; so all stop at the error that half of them need for the same share.
        const double limit = middle_of(trials);
        parallel_for(thin.size(), 1, [&](std::size_t i) {
            const bool is_done = i % kTrialStride == 0 && thin[i].error <= limit;
            if (!is_done) thin[i] = thin_out(i, limit);
        });
        Collapsed all;
        for (const Collapsed& t : thin) {
            all.indices.insert(all.indices.end(), t.indices.begin(), t.indices.end());
            all.error = std::max(all.error, t.error);
        }
        return all;
    }

private:
    Collapsed thin_out(std::size_t piece, double error_limit) const {
        Indices indices;
        const std::size_t begin = pieces_.start[piece], end = pieces_.start[piece + 1];
        indices.reserve(3 * (end - begin));
        for (std::size_t i = begin; i < end; ++i) {
            const Triangle& t = triangles_[pieces_.order[i]];
            indices.insert(indices.end(), t.begin(), t.end());
        }
        const auto count = static_cast<double>(end - begin);
        const auto aim = static_cast<std::size_t>(share_ * count + kRimWeight * std::sqrt(count));
        return collapse(make_part(std::move(indices), positions_), aim, error_limit,
                        /*keeps_rim*/ true);
    }

    static double middle_of(std::vector<double> errors) {
        const auto middle = errors.begin() + static_cast<std::ptrdiff_t>((errors.size() - 1) / 2);
        std::nth_element(errors.begin(), middle, errors.end());
        return *middle;
    }

    std::span<const Triangle> triangles_;
    std::span<const float> positions_;
    double share_;
    Pieces pieces_;
};

// Pieces do not see each other: what lies on both sides of a rim may fold up to two faces back to
// back. Both go, which leaves a closed surface closed. How many faces went.
std::size_t drop_folds(Indices& indices) {
    struct Face {
        std::array<unsigned int, 3> points;  // Ascending.
        std::size_t first;                   // Its place among the indices.
        bool is_even;                        // Whether ascending order is its own sense.
    };
    std::vector<Face> faces;
    faces.reserve(indices.size() / 3);
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        std::array<unsigned int, 3> t{indices[i], indices[i + 1], indices[i + 2]};
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        const bool is_even = t[1] < t[2];
        if (!is_even) std::swap(t[1], t[2]);
        faces.push_back({t, i, is_even});
    }
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
        if (a.points != b.points) return a.points < b.points;
        return a.is_even != b.is_even ? a.is_even : a.first < b.first;
    });
    std::vector<std::uint8_t> is_gone(indices.size() / 3, 0);
    for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
        std::size_t even = 0;
        for (; end < faces.size() && faces[end].points == faces[begin].points; ++end) {
            even += faces[end].is_even ? 1 : 0;
        }
        const std::size_t pairs = std::min(even, end - begin - even);
        for (std::size_t k = 0; k < pairs; ++k) {
            is_gone[faces[begin + k].first / 3] = is_gone[faces[end - 1 - k].first / 3] = 1;
        }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (!is_gone[i / 3]) indices[kept++] = indices[i];
    }
    const std::size_t gone = (indices.size() - kept) / 3;
    indices.resize(kept);
    return gone;
}

// The points of a result, numbered from 0 in the order they are first named.
struct Kept {
    std::vector<std::int32_t> number;  // Per point of the whole; -1 if it is gone.
    std::vector<Triangle> triangles;   // By these numbers.
    std::size_t count = 0;
};

Kept number_kept(std::span<const unsigned int> indices, std::size_t point_count) {
    Kept out;
    out.number.assign(point_count, -1);
    out.triangles.resize(indices.size() / 3);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        std::int32_t& number = out.number[indices[i]];
        if (number < 0) number = static_cast<std::int32_t>(out.count++);
        out.triangles[i / 3][i % 3] = number;
    }
    return out;
}

// Whether too many faces look the other way than the surface did at their corners. Where it is
// exactly flat all errors are zero, and collapses beside a rim may turn faces over unseen.
bool has_turned_faces(const Kept& kept, std::span<const unsigned int> indices,
                      std::span<const Vec3> points, std::span<const Triangle> triangles) {
    std::vector<Vec3> normals(kept.count, Vec3::Zero());
    for (const Triangle& t : triangles) {
        const Triangle own = {kept.number[t[0]], kept.number[t[1]], kept.number[t[2]]};
        if (own[0] < 0 && own[1] < 0 && own[2] < 0) continue;
        const Vec3 area = area_vector(points, t);
        for (const std::int32_t v : own) {
            if (v >= 0) normals[v] += area;
        }
    }
    std::size_t turned = 0;
    double turned_area = 0.0, all_area = 0.0;
    for (std::size_t f = 0; f < kept.triangles.size(); ++f) {
        const Vec3 area = area_vector(points, {static_cast<std::int32_t>(indices[3 * f]),
                                               static_cast<std::int32_t>(indices[3 * f + 1]),
                                               static_cast<std::int32_t>(indices[3 * f + 2])});
        const Triangle& t = kept.triangles[f];
        all_area += area.norm();
        const auto faces_away = [&](std::int32_t v) { return area.dot(normals[v]) < 0; };
        if (!faces_away(t[0]) || !faces_away(t[1]) || !faces_away(t[2])) continue;
        const auto agree = [&](std::int32_t v, std::int32_t w) {
            return normals[v].dot(normals[w]) > kFlatCosine * normals[v].norm() * normals[w].norm();
        };
        if (agree(t[0], t[1]) && agree(t[1], t[2]) && agree(t[2], t[0])) return true;
        ++turned;
        turned_area += area.norm();
    }
    return turned * kTurnedOneIn > kept.triangles.size() || turned_area > kTurnedArea * all_area;
}

// Points at edges that do not have as many faces one way as the other, such as borders.
std::vector<std::uint8_t> border_points(std::size_t point_count,
                                        std::span<const Triangle> triangles,
                                        std::span<const std::uint8_t> is_used = {}) {
    std::vector<std::uint8_t> is_border(point_count, 0);
    const EdgeUses edges(point_count, triangles, is_used);
    edges.for_each([&](std::int32_t low, std::span<const EdgeUses::Use> uses) {
        int balance = 0;
        for (const EdgeUses::Use& use : uses) {
            balance += start_of(triangles, use.half_edge) == low ? 1 : -1;
        }
        if (balance != 0) is_border[low] = is_border[uses[0].high] = 1;
    });
    return is_border;
}

// Whether a border runs through points that had none.
bool has_new_border(const Kept& kept, std::span<const Triangle> triangles) {
    const std::vector<std::uint8_t> now = border_points(kept.count, kept.triangles);
    if (std::find(now.begin(), now.end(), 1) == now.end()) return false;
    const auto is_asked = [&](std::int32_t v) {
        return kept.number[v] >= 0 && now[kept.number[v]] != 0;
    };
    // All faces around the points in question; at others, edges may look like borders and are not.
    std::vector<std::uint8_t> is_near(triangles.size(), 0);
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Triangle& t = triangles[f];
        is_near[f] = is_asked(t[0]) || is_asked(t[1]) || is_asked(t[2]);
    }
    const std::vector<std::uint8_t> before = border_points(kept.number.size(), triangles, is_near);
    for (std::size_t v = 0; v < before.size(); ++v) {
        if (is_asked(static_cast<std::int32_t>(v)) && !before[v]) return true;
    }
    return false;
}

// Whether thinning out did its work without the harm that rims between pieces can do.
bool is_sound(std::size_t folded, std::span<const unsigned int> indices,
              std::span<const Vec3> points, std::span<const Triangle> triangles) {
    if (indices.empty() || folded * kFoldedOneIn > indices.size() / 3) return false;
    const Kept kept = number_kept(indices, points.size());
    return !has_new_border(kept, triangles) && !has_turned_faces(kept, indices, points, triangles);
}

// The points that are left, in their order, and the triangles between them.
Simplified gather(std::span<const Vec3> points, std::span<const unsigned int> kept) {
    Simplified out;
    std::vector<std::int32_t> number(points.size(), -1);
    for (const unsigned int i : kept) number[i] = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (number[i] < 0) continue;
        number[i] = static_cast<std::int32_t>(out.surface.points.size());
        out.surface.points.push_back(points[i]);
        out.point_source.push_back(static_cast<std::int32_t>(i));
    }
    for (std::size_t i = 0; i + 2 < kept.size(); i += 3) {
        out.surface.triangles.push_back(
            {number[kept[i]], number[kept[i + 1]], number[kept[i + 2]]});
    }
    return out;
}

}  // namespace

Simplified simplify_surface(std::span<const Vec3> points, std::span<const Triangle> triangles,
                            const SimplifyOptions& options) {
    DUCTILE_ASSERT(options.points > 0, "at least one point");
    DUCTILE_ASSERT(has_valid_indices(points.size(), triangles), "triangles name existing points");
    if (triangles.empty()) return {};
    const Box box = bounds(points);
    std::vector<float> positions = unit_floats(points, box);
    const double share =
        std::min(1.0, static_cast<double>(options.points) / static_cast<double>(points.size()));
    const auto aim = static_cast<std::size_t>(share * static_cast<double>(triangles.size()));
    Collapsed made;
    if (kDense * share < 1.0 && options.points >= kLeastAim &&
        triangles.size() > 2 * kPieceTriangles) {
        // Half of what is allowed at most, so that both steps together keep to it.
        Collapsed thin = Thinning(triangles, positions, share).run(0.5 * options.error_limit);
        made = collapse(make_part(std::move(thin.indices), positions), aim,
                        options.error_limit - thin.error, /*keeps_rim*/ false);
        made.error += thin.error;
        const std::size_t folded = drop_folds(made.indices);
        if (!is_sound(folded, made.indices, points, triangles)) made.indices.clear();
    }
    if (made.indices.empty()) {
        Part whole{{}, std::move(positions), {}};
        whole.indices.reserve(3 * triangles.size());
        for (const Triangle& t : triangles) {
            whole.indices.insert(whole.indices.end(), t.begin(), t.end());
        }
        made = collapse(whole, aim, options.error_limit, /*keeps_rim*/ false);
    }
    Simplified out = gather(points, made.indices);
    out.error = made.error * (box.upper - box.lower).maxCoeff();
    return out;
}

}  // namespace ductile
