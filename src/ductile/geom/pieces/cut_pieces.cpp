// SPDX-License-Identifier: MIT
// Patches of faces by the clustering of Dong et al. 2011, weighted for convexity as Katz and Tal
// 2003 do; what makes them convex enough to collide with is measured, not hoped for.
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/pieces/clusters.h>
#include <ductile/geom/pieces/piece_tracking.h>
#include <ductile/geom/pieces/pieces.h>
#include <ductile/geom/query/collider_probe.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Distance against angle where convex pieces are wanted: a hollow crease is worth nineteen steps
// along the surface, a ridge none. Tried from 0.02 to 0.3 and 0 to 0.5 on torus, barrel and car:
// fewest pieces for the same error (24, 24, 55).
constexpr double kDistanceWeight = 0.05;
constexpr double kConvexWeight = 0.0;
// Tracked points at the top come this near to the hull of all, as a share of the tolerance.
constexpr double kSlackShare = 0.1;
// The inner point lies at least so deep, as a share of the diagonal, or a piece would be flat.
constexpr double kInnerFloor = 1e-3;
// A piece that pokes out elsewhere is made shallower so often before it is cut.
constexpr int kShrinks = 3;
// Rounds of cutting at the top: each can double the number of pieces.
constexpr std::size_t kTopRounds = 40;
// Places looked at in one round, at most; the next round looks at others.
constexpr std::size_t kSamplesPerRound = 8000;
// Groups that may be compared pair by pair.
constexpr std::size_t kCrowd = 1024;
// A cluster with more than this share of the area is no half.
constexpr double kNearlyAll = 0.85;
// A surface of few faces is cut into fewer pieces: a cube of 12 triangles is one.
constexpr std::size_t kFacesPerPiece = 16;
// Of the time that cutting takes, about what the top takes.
constexpr double kTopShare = 0.5;
// Clusters with less than this share of the area are no patches; they join others.
constexpr double kNoArea = 1e-12;
// Nor are those that are lines: their area against the square of their length.
constexpr double kLine = 1e-5;

using Faces = std::vector<std::int32_t>;

// A piece of the top while it is being fitted.
struct Draft {
    Piece piece;
    double inset = 0.0;
    int shrinks = 0;
    double own_error = 0.0;      // at samples of its own faces
    double foreign_error = 0.0;  // over samples of other pieces
    double error() const { return std::max(own_error, foreign_error); }
};

class PieceCutter {
public:
    PieceCutter(std::span<const Vec3> points, std::span<const Triangle> triangles,
                const PieceOptions& options, const Checkpoint& checkpoint)
        : surface_(points, triangles),
          options_(options),
          checkpoint_(checkpoint),
          diagonal_(bounds(points).diagonal()),
          tolerance_(options.tolerance * diagonal_) {}

    Result<PieceTree> cut() {
        PieceTree tree;
        Result<std::vector<Draft>> top = fitted_top();
        if (!top) return top.error();
        for (Draft& draft : top.value()) {
            tree.top.push_back(static_cast<std::int32_t>(tree.pieces.size()));
            tree.pieces.push_back(std::move(draft.piece));
        }
        // The list grows while it is walked: breadth first.
        // Every level has all faces again, at most.
        const double all = static_cast<double>(surface_.triangles().size()) * (options_.depth + 1);
        double walked = 0.0;
        for (std::size_t i = 0; i < tree.pieces.size(); ++i) {
            add_children(tree, i);
            walked += static_cast<double>(tree.pieces[i].faces.size());
            const double share = kTopShare + (1.0 - kTopShare) * walked / all;
            if (Status fine = reach(share); !fine) return fine.error();
        }
        fit(tree, std::vector<std::uint8_t>(tree.pieces.size(), 1));
        return tree;
    }

    PieceTree refine(const PieceTree& coarse, std::span<const std::int32_t> sources);

private:
    Status reach(double share) const { return checkpoint_ ? checkpoint_(share) : Status(); }
    Result<std::vector<Draft>> fitted_top();
    Draft draft(Faces faces, double inset) const;
    void measure(std::vector<Draft>& drafts, std::span<const ColliderSample> samples) const;
    bool mend(std::vector<Draft>& drafts) const;
    std::vector<Faces> cut_in_two(const Faces& faces) const;
    void add_children(PieceTree& tree, std::size_t parent);
    void take_vertices(Piece& piece) const;
    void fit(PieceTree& tree, std::span<const std::uint8_t> is_due) const;
    Piece make_piece(Faces faces, std::int32_t level, double inset) const;
    std::vector<Faces> split(std::span<const std::int32_t> faces, std::size_t wanted,
                             std::size_t limit) const;
    void drop_empty(std::vector<Faces>& groups) const;
    void gather(std::vector<Faces>& groups, std::size_t limit) const;
    void join_small(std::vector<Faces>& groups, std::size_t limit) const;
    Box box_of(std::span<const std::int32_t> faces) const;
    double area(std::span<const std::int32_t> faces) const;
    Vec3 centre(std::span<const std::int32_t> faces) const;

    SurfaceQuery surface_;
    const PieceOptions& options_;
    Checkpoint checkpoint_;
    double diagonal_;
    double tolerance_;
};

double PieceCutter::area(std::span<const std::int32_t> faces) const {
    double sum = 0.0;
    for (const std::int32_t f : faces) {
        sum += 0.5 * area_vector(surface_.points(), surface_.triangles()[f]).norm();
    }
    return sum;
}

Box PieceCutter::box_of(std::span<const std::int32_t> faces) const {
    Box box;
    for (const std::int32_t f : faces) {
        for (const std::int32_t v : surface_.triangles()[f]) box.add(surface_.points()[v]);
    }
    return box;
}

Vec3 PieceCutter::centre(std::span<const std::int32_t> faces) const {
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t f : faces) {
        for (const std::int32_t v : surface_.triangles()[f]) sum += surface_.points()[v];
    }
    return sum / (3.0 * static_cast<double>(faces.size()));
}

void PieceCutter::take_vertices(Piece& piece) const {
    piece.vertices.clear();
    for (const std::int32_t f : piece.faces) {
        const Triangle& t = surface_.triangles()[f];
        piece.vertices.insert(piece.vertices.end(), t.begin(), t.end());
    }
    std::sort(piece.vertices.begin(), piece.vertices.end());
    piece.vertices.erase(std::unique(piece.vertices.begin(), piece.vertices.end()),
                         piece.vertices.end());
}

Piece PieceCutter::make_piece(Faces faces, std::int32_t level, double inset) const {
    Piece piece;
    piece.level = level;
    piece.inset = inset;
    piece.faces = std::move(faces);
    take_vertices(piece);
    const Vec3 inner = inner_point(surface_, piece.faces, inset, kInnerFloor * diagonal_);
    piece.tracked = track_points(surface_.points(), piece.vertices, inner,
                                 {.limit = options_.points_per_piece,
                                  .slack = kSlackShare * tolerance_,
                                  .fills_up = level > 0});
    Vec3 mean = Vec3::Zero();
    for (const std::int32_t v : piece.tracked) mean += surface_.points()[v];
    piece.inner_offset = inner - mean / static_cast<double>(piece.tracked.size());
    return piece;
}

// Groups without width join the one whose centre is nearest: their hulls would be flat.
void PieceCutter::drop_empty(std::vector<Faces>& groups) const {
    double whole = 0.0;
    std::vector<double> areas;
    for (const Faces& group : groups) whole += areas.emplace_back(area(group));
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const double length = box_of(groups[i]).diagonal();
        if (areas[i] > kNoArea * whole && areas[i] > kLine * length * length) kept.push_back(i);
    }
    if (kept.size() == groups.size() || kept.empty()) return;
    std::vector<Faces> result(kept.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Vec3 here = centre(groups[i]);
        std::size_t nearest = 0;
        double least = 1e300;
        for (std::size_t k = 0; k < kept.size(); ++k) {
            const double d = kept[k] == i ? -1.0 : (centre(groups[kept[k]]) - here).squaredNorm();
            if (d < least) {
                least = d;
                nearest = k;
            }
        }
        result[nearest].insert(result[nearest].end(), groups[i].begin(), groups[i].end());
    }
    groups = std::move(result);
}

// Joins groups that lie side by side until there are at most `limit`: halves the crowd along its
// longest side, again and again. Only loose parts are ever that many. Coarse, but it takes no time.
void PieceCutter::gather(std::vector<Faces>& groups, std::size_t limit) const {
    if (groups.size() <= limit) return;
    if (limit <= 1) {
        for (std::size_t i = 1; i < groups.size(); ++i) {
            groups[0].insert(groups[0].end(), groups[i].begin(), groups[i].end());
        }
        groups.resize(1);
        return;
    }
    std::vector<std::pair<Vec3, std::size_t>> crowd;
    Box box;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        crowd.emplace_back(centre(groups[i]), i);
        box.add(crowd.back().first);
    }
    int axis = 0;
    (box.upper - box.lower).maxCoeff(&axis);
    std::stable_sort(crowd.begin(), crowd.end(),
                     [&](const auto& a, const auto& b) { return a.first[axis] < b.first[axis]; });
    std::vector<Faces> halves[2];
    for (std::size_t i = 0; i < crowd.size(); ++i) {
        halves[2 * i >= crowd.size()].push_back(std::move(groups[crowd[i].second]));
    }
    gather(halves[0], limit / 2);
    gather(halves[1], limit - limit / 2);
    groups = std::move(halves[0]);
    for (Faces& group : halves[1]) groups.push_back(std::move(group));
}

// Joins the smallest group to whichever grows least by it, until there are at most `limit`: bolts
// and handles go to the panel they sit on.
void PieceCutter::join_small(std::vector<Faces>& groups, std::size_t limit) const {
    std::vector<Box> boxes;
    for (const Faces& group : groups) boxes.push_back(box_of(group));
    while (groups.size() > std::max<std::size_t>(limit, 1)) {
        const auto smallest =
            static_cast<std::size_t>(std::min_element(boxes.begin(), boxes.end(),
                                                      [](const Box& a, const Box& b) {
                                                          return a.diagonal() < b.diagonal();
                                                      }) -
                                     boxes.begin());
        std::size_t host = 0;
        double least = kInfinity;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (i == smallest) continue;
            Box joined = boxes[i];
            joined.add(boxes[smallest].lower);
            joined.add(boxes[smallest].upper);
            const double growth = joined.diagonal() - boxes[i].diagonal();
            if (growth < least) {
                least = growth;
                host = i;
            }
        }
        boxes[host].add(boxes[smallest].lower);
        boxes[host].add(boxes[smallest].upper);
        groups[host].insert(groups[host].end(), groups[smallest].begin(), groups[smallest].end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(smallest));
        boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(smallest));
    }
}

std::vector<Faces> PieceCutter::split(std::span<const std::int32_t> faces, std::size_t wanted,
                                      std::size_t limit) const {
    std::vector<Triangle> triangles;
    for (const std::int32_t f : faces) triangles.push_back(surface_.triangles()[f]);
    const Clusters clusters = cluster_faces(surface_.points(), triangles, {},
                                            {.count = static_cast<std::int32_t>(wanted),
                                             .distance_weight = kDistanceWeight,
                                             .convex_weight = kConvexWeight});
    std::vector<Faces> groups(clusters.representatives.size());
    for (std::size_t i = 0; i < faces.size(); ++i) groups[clusters.of_face[i]].push_back(faces[i]);
    drop_empty(groups);
    gather(groups, std::max(limit, kCrowd));
    join_small(groups, limit);
    for (Faces& group : groups) std::sort(group.begin(), group.end());
    return groups;
}

Draft PieceCutter::draft(Faces faces, double inset) const {
    Draft made;
    made.inset = inset;
    made.piece = make_piece(std::move(faces), 0, inset);
    return made;
}

void PieceCutter::measure(std::vector<Draft>& drafts,
                          std::span<const ColliderSample> samples) const {
    ColliderProbe probe(surface_);
    std::vector<std::int32_t> owner(surface_.triangles().size(), 0);
    for (std::size_t i = 0; i < drafts.size(); ++i) {
        probe.add(drafts[i].piece);
        drafts[i].own_error = drafts[i].foreign_error = 0.0;
        for (const std::int32_t f : drafts[i].piece.faces) owner[f] = static_cast<std::int32_t>(i);
    }
    std::vector<ProbeAnswer> answers(samples.size());
    parallel_for(samples.size(), 256, [&](std::size_t i) {
        answers[i] = probe.ask(samples[i], owner[samples[i].face], {tolerance_, tolerance_});
    });
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::int32_t own = owner[samples[i].face];
        const ProbeAnswer& answer = answers[i];
        drafts[own].own_error = std::max(drafts[own].own_error, answer.outside);
        if (answer.coverer < 0) continue;
        Draft& coverer = drafts[answer.coverer];
        double& error = answer.coverer == own ? coverer.own_error : coverer.foreign_error;
        error = std::max(error, answer.covered);
    }
}

// Two clusters, or halves along the longest side where one cluster would be next to everything: the
// shell of a car with all its bolts would lose a bolt at a time.
std::vector<Faces> PieceCutter::cut_in_two(const Faces& faces) const {
    std::vector<Faces> parts = split(faces, 2, 2);
    const double whole = area(faces);
    const bool is_even = std::all_of(parts.begin(), parts.end(), [&](const Faces& part) {
        return area(part) < kNearlyAll * whole;
    });
    if (is_even) return parts;
    const Box box = box_of(faces);
    int axis = 0;
    (box.upper - box.lower).maxCoeff(&axis);
    std::vector<std::pair<double, std::int32_t>> row;
    for (const std::int32_t f : faces) row.emplace_back(centre(std::span(&f, 1))[axis], f);
    std::sort(row.begin(), row.end());
    parts.assign(2, {});
    for (std::size_t i = 0; i < row.size(); ++i)
        parts[2 * i >= row.size()].push_back(row[i].second);
    drop_empty(parts);
    for (Faces& part : parts) std::sort(part.begin(), part.end());
    return parts;
}

// Makes bad pieces shallower or cuts them in two, the worst first; whether anything changed.
bool PieceCutter::mend(std::vector<Draft>& drafts) const {
    std::vector<std::size_t> bad;
    for (std::size_t i = 0; i < drafts.size(); ++i) {
        if (drafts[i].error() > tolerance_) bad.push_back(i);
    }
    std::stable_sort(bad.begin(), bad.end(), [&](std::size_t a, std::size_t b) {
        return drafts[a].error() > drafts[b].error();
    });
    bool is_changed = false;
    for (const std::size_t i : bad) {
        Draft& old = drafts[i];
        if (old.own_error <= tolerance_ && old.shrinks < kShrinks) {
            const int shrinks = old.shrinks + 1;
            old = draft(std::move(old.piece.faces), 0.5 * old.inset);
            old.shrinks = shrinks;
            is_changed = true;
            continue;
        }
        const auto limit = static_cast<std::size_t>(options_.count_limit);
        if (drafts.size() >= limit || old.piece.faces.size() < 2) continue;
        std::vector<Faces> parts = cut_in_two(old.piece.faces);
        if (parts.size() < 2) continue;
        const double inset = old.inset;
        old = draft(std::move(parts[0]), inset);
        drafts.push_back(draft(std::move(parts[1]), inset));
        is_changed = true;
    }
    return is_changed;
}

Result<std::vector<Draft>> PieceCutter::fitted_top() {
    Faces all(surface_.triangles().size());
    for (std::size_t f = 0; f < all.size(); ++f) all[f] = static_cast<std::int32_t>(f);
    const auto limit = static_cast<std::size_t>(std::max(options_.count, options_.count_limit));
    const std::size_t wanted = std::clamp<std::size_t>(all.size() / kFacesPerPiece, 1,
                                                       static_cast<std::size_t>(options_.count));
    std::vector<Draft> drafts;
    for (Faces& faces : split(all, wanted, std::max(wanted, limit / 2))) {
        drafts.push_back(draft(std::move(faces), options_.inset));
    }
    const std::size_t all_samples = surface_.points().size() + all.size();
    const std::size_t turns = (all_samples + kSamplesPerRound - 1) / kSamplesPerRound;
    std::size_t quiet_rounds = 0;
    double left = 1.0;
    for (std::size_t round = 0; round < kTopRounds && quiet_rounds < turns; ++round) {
        measure(drafts, collider_samples(surface_, round % turns, turns));
        quiet_rounds = mend(drafts) ? 0 : quiet_rounds + 1;
        // Nobody knows how many rounds there will be: half of what is left in each.
        left *= 0.5;
        if (Status fine = reach(kTopShare * (1.0 - left)); !fine) return fine.error();
    }
    return drafts;
}

void PieceCutter::add_children(PieceTree& tree, std::size_t parent) {
    const std::int32_t level = tree.pieces[parent].level + 1;
    const auto children = static_cast<std::size_t>(options_.children);
    if (level > options_.depth || tree.pieces[parent].faces.size() < 2 * children) return;
    std::vector<Faces> parts = split(tree.pieces[parent].faces, children, children);
    if (parts.size() < 2) return;
    for (Faces& part : parts) {
        tree.pieces[parent].children.push_back(static_cast<std::int32_t>(tree.pieces.size()));
        // A child reaches no deeper.
        tree.pieces.push_back(make_piece(std::move(part), level, tree.pieces[parent].inset));
        tree.pieces.back().parent = static_cast<std::int32_t>(parent);
    }
}

// How pieces lie to their surface at rest.
void PieceCutter::fit(PieceTree& tree, std::span<const std::uint8_t> is_due) const {
    const std::vector<Vec3> normals = vertex_normals(surface_.points(), surface_.triangles());
    parallel_for(tree.pieces.size(), 16, [&](std::size_t i) {
        if (!is_due[i]) return;
        Piece& piece = tree.pieces[i];
        piece.front_offset = front_offset(piece, normals);
        piece.rest_misfits = piece_misfits(piece, surface_.points(), normals);
    });
}

PieceTree PieceCutter::refine(const PieceTree& coarse, std::span<const std::int32_t> sources) {
    std::vector<Faces> parts_of(sources.empty() ? 0 : sources.back() + 1);
    for (std::size_t f = 0; f < sources.size(); ++f) {
        parts_of[sources[f]].push_back(static_cast<std::int32_t>(f));
    }
    PieceTree tree = coarse;
    std::vector<std::uint8_t> is_due(tree.pieces.size(), 0);
    for (std::size_t i = 0; i < coarse.pieces.size(); ++i) {
        Piece& piece = tree.pieces[i];
        piece.faces.clear();
        for (const std::int32_t f : coarse.pieces[i].faces) {
            piece.faces.insert(piece.faces.end(), parts_of[f].begin(), parts_of[f].end());
        }
        is_due[i] = piece.faces.size() > coarse.pieces[i].faces.size();
        if (is_due[i]) take_vertices(piece);
    }
    // The list grows while it is walked; what has children keeps them.
    for (std::size_t i = 0; i < tree.pieces.size(); ++i) {
        if (is_due[i] && tree.pieces[i].children.empty()) add_children(tree, i);
        is_due.resize(tree.pieces.size(), 1);
    }
    fit(tree, is_due);
    return tree;
}

}  // namespace

PieceTree refined_pieces(const PieceTree& coarse, std::span<const Vec3> points,
                         std::span<const Triangle> triangles, std::span<const std::int32_t> sources,
                         const PieceOptions& options) {
    DUCTILE_ASSERT(sources.size() == triangles.size(), "a source per triangle");
    return PieceCutter(points, triangles, options, {}).refine(coarse, sources);
}

Result<PieceTree> cut_pieces(std::span<const Vec3> points, std::span<const Triangle> triangles,
                             const PieceOptions& options, const Checkpoint& checkpoint) {
    DUCTILE_ASSERT(options.count >= 1 && options.children >= 2 && options.points_per_piece >= 4,
                   "options within their ranges");
    const auto refuse = [](std::string what, std::string hint) {
        return Error{std::move(what), "cutting collision pieces", std::move(hint)};
    };
    if (triangles.empty()) return refuse("the surface has no faces", "give it at least a triangle");
    if (!has_valid_indices(points.size(), triangles)) {
        return refuse("a face names a point that does not exist", "check the mesh's indices");
    }
    for (const Vec3& p : points) {
        if (!is_finite(p)) {
            return refuse("a point is not finite", "look for NaN or infinity in the mesh");
        }
    }
    double area = 0.0;
    for (const Triangle& t : triangles) area += area_vector(points, t).norm();
    if (!(area > 0.0)) return refuse("the surface has no area", "all its faces are degenerate");
    return PieceCutter(points, triangles, options, checkpoint).cut();
}

}  // namespace ductile
