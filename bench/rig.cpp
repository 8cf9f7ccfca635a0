// SPDX-License-Identifier: MIT
// Times rigging beside its rivals in one run, one thread: lattice and weights of MESHes (or of
// solids of our own) against Eigen's LDLT of the same matrix and against libigl's way, an active
// set that factors anew each round; skinning against sparse Eigen. Usage: bench_rig [MESH...]
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/core/rng.h>
#include <ductile/io/load_asset.h>
#include <ductile/skin/blend_skin.h>
#include <ductile/skin/bounded_weights.h>
#include <ductile/skin/place_handles.h>
#include <ductile/solids/solids.h>

#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <optional>

using namespace ductile;

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Ldlt = Eigen::SimplicialLDLT<Sparse>;
constexpr std::size_t kHandles = 32;
constexpr int kRivalHandles = 2;  // Of libigl's way: all 32 would take minutes.
constexpr int kRounds = 10;       // Of its active set.

/// Processor time of all threads [ms].
double processor_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Median time of some calls [ms].
template <class Call>
double timed(int rounds, Call&& call) {
    std::vector<double> ms;
    for (int i = 0; i < rounds; ++i) {
        const double from = processor_ms();
        call();
        ms.push_back(processor_ms() - from);
    }
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

struct Named {
    std::string name;
    TriMesh surface;
};

/// Rows and columns of a matrix that a mask names, in their order.
Sparse part_of(const Sparse& q, std::span<const std::int32_t> rows, double shift) {
    std::vector<std::int32_t> place(static_cast<std::size_t>(q.rows()), -1);
    for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i]] = static_cast<std::int32_t>(i);
    std::vector<Eigen::Triplet<double>> entries;
    for (const std::int32_t column : rows) {
        for (Sparse::InnerIterator it(q, column); it; ++it) {
            if (place[it.row()] < 0) continue;
            entries.emplace_back(place[it.row()], place[column],
                                 it.value() + (it.row() == column ? shift : 0.0));
        }
    }
    Sparse part(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.size()));
    part.setFromTriplets(entries.begin(), entries.end());
    return part;
}

/// One handle's weights as libigl's active_set finds them: solve with what is clamped, let go what
/// pulls inwards, clamp what is out of bounds.
Eigen::VectorXd active_set_weights(const Sparse& q, std::span<const HeldNode> held,
                                   std::int32_t handle) {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(q.rows());
    std::vector<int> bound(static_cast<std::size_t>(q.rows()), 0);  // 2: held, -1 and 1: clamped.
    for (const HeldNode& h : held) {
        bound[h.node] = 2;
        for (const auto& [other, weight] : h.weights) {
            if (other == handle) w[h.node] = weight;
        }
    }
    for (int round = 0; round < kRounds; ++round) {
        std::vector<std::int32_t> free;
        for (std::size_t v = 0; v < bound.size(); ++v) {
            if (bound[v] == 0) free.push_back(static_cast<std::int32_t>(v));
            if (bound[v] == 1 || bound[v] == -1) w[v] = bound[v] > 0 ? 1.0 : 0.0;
            if (bound[v] == 0) w[v] = 0.0;
        }
        const Eigen::VectorXd pull = -(q * w);
        Eigen::VectorXd right(static_cast<Eigen::Index>(free.size()));
        for (std::size_t i = 0; i < free.size(); ++i) right[i] = pull[free[i]];
        const Ldlt factor(part_of(q, free, 0.0));
        const Eigen::VectorXd solved = factor.solve(right);
        for (std::size_t i = 0; i < free.size(); ++i) w[free[i]] = solved[i];
        const Eigen::VectorXd slope = q * w;
        for (std::size_t v = 0; v < bound.size(); ++v) {
            if (bound[v] == 1 && slope[v] > 0) bound[v] = 0;
            if (bound[v] == -1 && slope[v] < 0) bound[v] = 0;
            if (bound[v] == 0 && w[v] < 0) bound[v] = -1;
            if (bound[v] == 0 && w[v] > 1) bound[v] = 1;
        }
    }
    return w.cwiseMax(0.0).cwiseMin(1.0);
}

/// How far above the best energies are [share], the worst handle's and all together.
struct Gap {
    double worst = 0.0, all = 0.0;
};
Gap gap_of(std::span<const double> energies, std::span<const double> best) {
    Gap gap;
    double sum = 0.0, best_sum = 0.0;
    for (std::size_t h = 0; h < best.size(); ++h) {
        gap.worst = std::max(gap.worst, energies[h] / best[h] - 1.0);
        sum += energies[h];
        best_sum += best[h];
    }
    gap.all = sum / best_sum - 1.0;
    return gap;
}

double mean_influences(const SkinWeights& weights, double above) {
    double count = 0.0;
    for (const double w : weights.weight) count += w > above;
    return count / static_cast<double>(weights.size());
}

void report_weights(const Named& mesh, std::size_t nodes) {
    const SurfaceQuery query(mesh.surface.points, mesh.surface.triangles);
    const auto cell = lattice_cell(query, nodes);
    if (!cell) {
        fmt::print("{}: {}\n", mesh.name, cell.error().text());
        return;
    }
    const double lattice_ms = timed(3, [&] { (void)TetLattice::make(query, cell.value()); });
    const TetLattice lattice = TetLattice::make(query, cell.value()).value();
    std::optional<std::vector<Handle>> handles;
    const double handle_ms =
        timed(1, [&] { handles = add_automatic_handles(lattice, {}, kHandles).value(); });
    const auto held = held_nodes(lattice, *handles).value();
    const Sparse q = biharmonic_matrix(lattice);
    std::vector<std::int32_t> free(lattice.points().size());
    std::iota(free.begin(), free.end(), 0);
    for (const HeldNode& h : held) free.erase(std::find(free.begin(), free.end(), h.node));
    const Sparse same = part_of(q, free, 0.01 * q.diagonal().mean());
    const double ldlt_ms = timed(3, [&] { const Ldlt factor(same); });
    const auto best = bounded_weights(lattice, *handles, {}, {.gap = 1e-10, .most_solves = 2000});
    if (!best) {
        fmt::print("{}: {}\n", mesh.name, best.error().text());
        return;
    }
    fmt::print(
        "{}: {} points, {} nodes x {} handles, {} parts; lattice {:.0f} ms, handles {:.0f}; LDLT "
        "{:.0f} ms\n",
        mesh.name, mesh.surface.points.size(), lattice.points().size(), kHandles,
        lattice.components().count, lattice_ms, handle_ms, ldlt_ms);
    double finest_ms = 0.0;
    for (const double gap : {1e-5, 1e-6}) {
        std::optional<LatticeWeights> weights;
        finest_ms = timed(
            3, [&] { weights = bounded_weights(lattice, *handles, {}, {.gap = gap}).value(); });
        const Gap left = gap_of(weights->energies, best.value().energies);
        fmt::print(
            "  gap {:.0e}: {:.0f} ms, {:.2f} LDLT, {} solves; gap of all {:.1e}, worst handle "
            "{:.1e}, "
            "{} peaks; lattice {:.2f} of it\n",
            gap, finest_ms, finest_ms / ldlt_ms, weights->solves, left.all, left.worst,
            weights->peaks, lattice_ms / finest_ms);
    }
    std::vector<double> theirs;
    const double rival_ms = timed(1, [&] {
        for (int h = 0; h < kRivalHandles; ++h) {
            const Eigen::VectorXd w = active_set_weights(q, held, h);
            theirs.push_back(w.dot(q * w));
        }
    });
    const double rival_all = rival_ms / kRivalHandles * static_cast<double>(kHandles);
    const Gap left = gap_of(theirs, std::span(best.value().energies).first(theirs.size()));
    fmt::print(
        "  active set, {} rounds, {} of {} handles: {:.1f} s for all, ratio {:.0f}; gap {:.1e}\n",
        kRounds, kRivalHandles, kHandles, 1e-3 * rival_all, rival_all / finest_ms, left.worst);
    SkinWeights carried;
    const double carry_ms = timed(1, [&] {
        carried = carry_weights(lattice, best.value().nodes, mesh.surface.points, 0.001);
    });
    fmt::print("  carried to points in {:.1f} ms; influences {:.1f} above 0.01, {:.1f} in all\n",
               carry_ms, mean_influences(carried, 0.01), mean_influences(carried, 0.0));
}

/// The largest weights of each point alone: what skinning is usually timed with.
SkinWeights largest_only(const SkinWeights& all, std::size_t count) {
    SkinWeights fewer;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<std::size_t> order(all.handles_of(i).size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return all.weights_of(i)[a] > all.weights_of(i)[b];
        });
        order.resize(std::min(order.size(), count));
        std::sort(order.begin(), order.end());
        double sum = 0.0;
        for (const std::size_t k : order) sum += all.weights_of(i)[k];
        for (const std::size_t k : order) {
            fewer.handle.push_back(all.handles_of(i)[k]);
            fewer.weight.push_back(all.weights_of(i)[k] / sum);
        }
        fewer.start.push_back(static_cast<std::int32_t>(fewer.handle.size()));
    }
    return fewer;
}

/// The same blend as one writes it with Eigen: sparse rows of weights and shares, quaternions.
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
void pose_sparse(const Rig& rig, const SparseRows& weights, const SparseRows& shares,
                 std::span<const Vec3> rest, std::span<Vec3> out) {
    for (Eigen::Index i = 0; i < weights.rows(); ++i) {
        Vec3 x = rest[i];
        for (SparseRows::InnerIterator b(weights, i); b; ++b) {
            Eigen::Vector4d q = Eigen::Vector4d::Zero();
            Vec3 move = Vec3::Zero();
            double left = 1.0;
            for (SparseRows::InnerIterator e(shares, i); e; ++e) {
                const Transform& pose = rig.poses[e.col()].moves[b.col()];
                q += e.value() * (pose.rotation.w() < 0 ? Eigen::Vector4d(-pose.rotation.coeffs())
                                                        : pose.rotation.coeffs());
                move += e.value() * pose.translation;
                left -= e.value();
            }
            q[3] += left;
            const Quat turn(Eigen::Vector4d(q.normalized()));
            const Vec3 v = rest[i] - rig.handles[b.col()].place;
            x += b.value() * (turn * v - v + move);
        }
        out[i] = x;
    }
}

SparseRows sparse_weights(const Rig& rig) {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < rig.weights.size(); ++i) {
        for (std::size_t k = 0; k < rig.weights.handles_of(i).size(); ++k) {
            entries.emplace_back(static_cast<int>(i), rig.weights.handles_of(i)[k],
                                 rig.weights.weights_of(i)[k]);
        }
    }
    SparseRows rows(static_cast<Eigen::Index>(rig.weights.size()),
                    static_cast<Eigen::Index>(rig.handles.size()));
    rows.setFromTriplets(entries.begin(), entries.end());
    return rows;
}

struct Shares {
    std::vector<float> rows;
    SparseRows sparse;
};
Shares make_shares(std::size_t points, std::size_t poses, std::size_t live) {
    Rng rng(7);
    Shares made{{},
                SparseRows(static_cast<Eigen::Index>(points), static_cast<Eigen::Index>(poses))};
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < points; ++i) {
        for (std::size_t e = 0; e < poses; ++e) {
            const double share = e < live ? rng.uniform(0.1, 1.0) / static_cast<double>(live) : 0.0;
            made.rows.push_back(static_cast<float>(share));
            if (share > 0) entries.emplace_back(static_cast<int>(i), static_cast<int>(e), share);
        }
    }
    made.sparse.setFromTriplets(entries.begin(), entries.end());
    return made;
}

/// A barrel with 32 handles and six poses.
struct SkinCase {
    Rig rig;
    std::vector<Vec3> rest;
};
SkinCase skin_case(double resolution, std::size_t influences) {
    const TriMesh mesh =
        make_solid({.kind = SolidKind::Barrel, .resolution = resolution}).value().surface;
    const SurfaceQuery query(mesh.points, mesh.triangles);
    const TetLattice lattice = TetLattice::make(query, lattice_cell(query, 2000).value()).value();
    SkinCase made;
    made.rest = mesh.points;
    made.rig.handles = add_automatic_handles(lattice, {}, kHandles).value();
    const auto nodes = bounded_weights(lattice, made.rig.handles, {}, {.gap = 1e-4}).value().nodes;
    made.rig.weights = largest_only(carry_weights(lattice, nodes, mesh.points, 0.0), influences);
    Rng rng(3);
    for (int e = 0; e < 6; ++e) {
        RigPose pose{fmt::format("pose{}", e), {}};
        for (std::size_t h = 0; h < kHandles; ++h) {
            Vec3 axis, move;
            for (int a = 0; a < 3; ++a) axis[a] = rng.uniform(0.1, 1);
            for (int a = 0; a < 3; ++a) move[a] = rng.uniform(-0.1, 0.1);
            const double angle = rng.uniform(-1, 1);
            pose.moves.push_back({Quat(Eigen::AngleAxisd(angle, axis.normalized())), move});
        }
        made.rig.poses.push_back(pose);
    }
    return made;
}

void report_skinning(double resolution) {
    double all_live_rival = 0.0;
    for (const std::size_t influences : {8, 4}) {
        const SkinCase c = skin_case(resolution, influences);
        const BlendSkin skin(c.rig, c.rest);
        const SparseRows weights = sparse_weights(c.rig);
        std::vector<Vec3> ours(c.rest.size()), theirs(c.rest.size());
        for (const std::size_t live : {6, 2}) {
            const Shares shares = make_shares(c.rest.size(), 6, live);
            const double our_ms = timed(9, [&] { skin.pose(c.rest, shares.rows, ours); });
            const double their_ms =
                timed(5, [&] { pose_sparse(c.rig, weights, shares.sparse, c.rest, theirs); });
            if (live == 6) all_live_rival = their_ms;
            double off = 0.0;
            for (std::size_t i = 0; i < ours.size(); ++i) {
                off = std::max(off, (ours[i] - theirs[i]).norm());
            }
            Hasher hash;
            hash.add(std::span<const Vec3>(ours));
            const double per_point = 1e6 / static_cast<double>(c.rest.size());
            fmt::print(
                "skinning {} points, {} influences ({:.1f} in a block), {} of 6 poses live: {:.1f} "
                "ns "
                "a point, sparse Eigen {:.1f}, ratio {:.3f}, to all live {:.3f}; {:.1e} m apart, "
                "hash "
                "{:016x}\n",
                c.rest.size(), influences, skin.mean_block_handles(), live, our_ms * per_point,
                their_ms * per_point, our_ms / their_ms, our_ms / all_live_rival, off,
                hash.value());
        }
    }
}

/// How often a second two cores can pose a million points, by processor time: what others do on the
/// machine meanwhile does not count. Work is cut into equal tasks, so threads share it evenly.
void report_million() {
    const SkinCase c = skin_case(0.0021, 8);
    const BlendSkin skin(c.rig, c.rest);
    const SparseRows weights = sparse_weights(c.rig);
    const Shares shares = make_shares(c.rest.size(), 6, 2);
    std::vector<Vec3> out(c.rest.size());
    const double per_point = 1e6 / static_cast<double>(c.rest.size());
    double ours = 0.0;
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        ours = timed(25, [&] { skin.pose(c.rest, shares.rows, out); }) * per_point;
        fmt::print("{} points, two live poses, {} threads: {:.1f} ns of processor time a point\n",
                   c.rest.size(), threads, ours);
    }
    const double theirs =
        timed(5, [&] { pose_sparse(c.rig, weights, shares.sparse, c.rest, out); }) * per_point;
    fmt::print("a million on two cores: {:.1f} Hz, sparse Eigen {:.1f} Hz\n", 2e3 / ours,
               2e3 / theirs);
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<Named> meshes;
    for (int i = 1; i < argc; ++i) {
        const auto asset = load_asset(argv[i]);
        if (!asset) {
            fmt::print(stderr, "{}\n", asset.error().text());
            return 2;
        }
        meshes.push_back(
            {std::filesystem::path(argv[i]).stem().string(), asset.value().asset.surface});
    }
    meshes.push_back({"barrel", make_solid({.kind = SolidKind::Barrel}).value().surface});
    if (argc == 1) meshes.push_back({"car", make_solid({.kind = SolidKind::Car}).value().surface});
    {
        const ThreadLimit one(1);
        for (const Named& mesh : meshes) report_weights(mesh, 4700);
        report_skinning(0.006);
    }
    report_million();
    const ThreadLimit one(1);
    const SurfaceQuery query(meshes[0].surface.points, meshes[0].surface.triangles);
    const TetLattice lattice = TetLattice::make(query, lattice_cell(query, 50000).value()).value();
    const auto handles = add_automatic_handles(lattice, {}, kHandles).value();
    const double ms = timed(1, [&] { (void)bounded_weights(lattice, handles); });
    fmt::print("{}: {} nodes x {} handles in {:.1f} s\n", meshes[0].name, lattice.points().size(),
               kHandles, 1e-3 * ms);
    return 0;
}
