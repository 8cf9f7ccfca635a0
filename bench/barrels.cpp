// SPDX-License-Identifier: MIT
// What ductile costs: 100 falling barrels, four ways in one run.
//   a  plain Bullet, the same convex pieces, no ductile
//   b  ductile attached, nothing yields
//   c  ductile, dents fall
//   d  Bullet's GImpact triangle meshes, no ductile
// Times of one run mean nothing on a busy machine: the ways take turns, the best round of each
// counts, and ratios are printed. A hash of the final state shows at once if a speed-up changed the
// answer.
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/simulation.h>
#include <ductile/solids/solids.h>

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <vector>

using namespace ductile;

namespace {

constexpr int kBarrels = 100;
constexpr double kStep = 1.0 / 120.0;
constexpr double kMargin = 0.001;

using Clock = std::chrono::steady_clock;

Transform start_pose(int i) {
    Transform pose;
    pose.rotation = Eigen::AngleAxisd(0.37 * i, Vec3(1.0, 0.5, 0.3).normalized());
    pose.translation = {0.75 * (i % 4), 1.0 + 1.1 * (i / 16), 0.75 * (i / 4 % 4)};
    return pose;
}

/// The floor and four walls of a pit, 3.4 m wide, so that the barrels pile up: boxes.
struct Wall {
    Vec3 centre, size;
};
std::vector<Wall> pit() {
    std::vector<Wall> walls = {{Vec3(1.1, -0.5, 1.1), Vec3(6, 1, 6)}};
    for (int i = 0; i < 4; ++i) {
        const double angle = i * std::numbers::pi / 2;
        const Vec3 outward(std::round(std::cos(angle)), 0, std::round(std::sin(angle)));
        walls.push_back(
            {Vec3(1.1, 5, 1.1) + 2.2 * outward, Vec3(6, 10, 6) - 5.0 * outward.cwiseAbs()});
    }
    return walls;
}

std::shared_ptr<const BodyShape> make_barrel(double yield_stress) {
    SolidOptions solid;
    solid.kind = SolidKind::Barrel;
    solid.size = {0.585, 0.88, 0.585};
    auto asset = std::make_shared<const SurfaceAsset>(make_solid(solid).value());
    Material steel = find_material("steel").value();
    steel.yield_stress = yield_stress;
    return make_body_shape(asset, {.material = steel, .thickness = 0.0012},
                           {make_dent_deformer({})})
        .value();
}

btVector3 bt(const Vec3& v) {
    return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()),
            static_cast<btScalar>(v.z())};
}

/// One way of running: a step, and the state's hash after all of them.
struct Way {
    virtual ~Way() = default;
    virtual void step() = 0;
    virtual double height() const = 0;  ///< Mean height of the barrels [m]: do they behave alike?
    virtual std::string note() const { return ""; }
};

/// Bullet by itself.
class Plain final : public Way {
public:
    Plain(const BodyShape& shape, bool use_gimpact) {
        world_.setGravity({0, btScalar(-9.81), 0});
        world_.getSolverInfo().m_numIterations = 10;
        world_.getSolverInfo().m_splitImpulse = 1;
        if (use_gimpact) btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
        for (const Wall& wall : pit()) {
            btTransform place;
            place.setIdentity();
            place.setOrigin(bt(wall.centre));
            add(new btBoxShape(bt(0.5 * wall.size)), 0, place, {0, 0, 0});
        }
        first_barrel_ = bodies_.size();
        for (int i = 0; i < kBarrels; ++i) {
            const Transform pose = start_pose(i);
            btTransform start;
            start.setIdentity();
            start.setRotation({btScalar(pose.rotation.x()), btScalar(pose.rotation.y()),
                               btScalar(pose.rotation.z()), btScalar(pose.rotation.w())});
            start.setOrigin(bt(pose.translation));
            add(use_gimpact ? mesh(shape) : pieces(shape), shape.mass.mass, start,
                bt(shape.mass.inertia_b.diagonal()));
        }
    }
    ~Plain() override {
        for (auto& body : bodies_) world_.removeRigidBody(body.get());
    }
    void step() override { world_.stepSimulation(btScalar(kStep), 0, btScalar(kStep)); }
    double height() const override {
        double sum = 0;
        for (std::size_t i = first_barrel_; i < bodies_.size(); ++i) {
            sum += bodies_[i]->getWorldTransform().getOrigin().y();
        }
        return sum / kBarrels;
    }

private:
    btCollisionShape* pieces(const BodyShape& shape) {
        auto* compound = new btCompoundShape();
        std::vector<Vec3> cloud;
        for (std::int32_t top : shape.pieces.top) {
            piece_points(shape.pieces.pieces[top], shape.rest(), cloud);
            auto* hull = new btConvexHullShape();
            for (const Vec3& p : cloud) hull->addPoint(bt(p - shape.mass.centre_b), false);
            hull->recalcLocalAabb();
            hull->setMargin(btScalar(kMargin));
            children_.emplace_back(hull);
            compound->addChildShape(btTransform::getIdentity(), hull);
        }
        return compound;
    }
    btCollisionShape* mesh(const BodyShape& shape) {
        auto triangles = std::make_unique<btTriangleMesh>();
        for (const Triangle& t : shape.triangles()) {
            const auto corner = [&](int k) { return bt(shape.rest()[t[k]] - shape.mass.centre_b); };
            triangles->addTriangle(corner(0), corner(1), corner(2));
        }
        auto* gimpact = new btGImpactMeshShape(triangles.get());
        gimpact->setMargin(btScalar(kMargin));
        gimpact->updateBound();
        meshes_.push_back(std::move(triangles));
        return gimpact;
    }
    void add(btCollisionShape* shape, double mass, const btTransform& start,
             const btVector3& inertia) {
        shapes_.emplace_back(shape);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
        info.m_startWorldTransform = start;
        info.m_friction = btScalar(0.5);
        info.m_restitution = btScalar(mass > 0 ? 0.2 : 1.0);
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        world_.addRigidBody(bodies_.back().get());
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    std::vector<std::unique_ptr<btTriangleMesh>> meshes_;
    std::vector<std::unique_ptr<btCollisionShape>> children_, shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::size_t first_barrel_ = 0;
};

class Ductile final : public Way {
public:
    explicit Ductile(const std::shared_ptr<const BodyShape>& shape) : shape_(shape) {
        for (const Wall& wall : pit()) {
            BodyDesc desc;
            desc.motion = Motion::Static;
            desc.collider = BoxCollider{wall.size};
            desc.restitution = 1.0;
            desc.pose_w.translation = wall.centre;
            (void)sim_.add_rigid(desc, wall.size.norm());
        }
        for (int i = 0; i < kBarrels; ++i) {
            DeformableDesc desc;
            desc.pose_w = start_pose(i);
            desc.restitution = 0.04;  // with the walls', which is 1: 0.2, as the rivals have
            desc.margin = kMargin;
            ids_.push_back(sim_.add_deformable(desc, shape).value());
        }
    }
    void step() override { sim_.step(kStep); }
    double height() const override {
        double sum = 0;
        for (ObjectId id : ids_) sum += sim_.motion(id).pose_w.translation.y();
        return sum / kBarrels;
    }
    std::string note() const override {
        double worst = 0;
        for (ObjectId id : ids_) {
            worst = std::max(worst, collider_error(shape_->pieces, sim_.cut(id),
                                                   sim_.state(id).points(), shape_->triangles())
                                        .worst());
        }
        double pieces = 0;
        for (ObjectId id : ids_)
            pieces += static_cast<double>(sim_.cut(id).active.size()) / kBarrels;
        return fmt::format(
            "{} hits, {:.0f} pieces, worst collider error {:.2f} % of size, hash {:016x}",
            sim_.report().hits, pieces, 100 * worst / shape_->size, sim_.state_hash());
    }

private:
    std::shared_ptr<const BodyShape> shape_;
    std::unique_ptr<BulletEngine> engine_ = BulletEngine::make();
    Simulation sim_{*engine_, {}};
    std::vector<ObjectId> ids_;
};

}  // namespace

int main(int argc, char** argv) {
    const int steps = argc > 1 ? std::atoi(argv[1]) : 240;
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
    const std::string only = argc > 3 ? argv[3] : "abcd";  // for a profiler: one way alone
    const auto hard = make_barrel(1e12), soft = make_barrel(250e6);
    fmt::print("{} barrels of {} points and {} pieces, {} steps of 1/120 s, best of {} rounds\n",
               kBarrels, soft->rest().size(), soft->pieces.top.size(), steps, rounds);

    const char* names[] = {"a plain Bullet, same pieces", "b ductile, nothing yields",
                           "c ductile, dents fall", "d Bullet's GImpact"};
    double best[4] = {1e300, 1e300, 1e300, 1e300};
    std::string notes[4];
    for (int round = 0; round < rounds; ++round) {
        for (int k = 0; k < 4; ++k) {
            if (k == 3 && round > 0) continue;  // a factor of ten needs no second look
            if (only.find(names[k][0]) == std::string::npos) continue;
            std::unique_ptr<Way> way;
            if (k == 0) way = std::make_unique<Plain>(*soft, false);
            if (k == 1) way = std::make_unique<Ductile>(hard);
            if (k == 2) way = std::make_unique<Ductile>(soft);
            if (k == 3) way = std::make_unique<Plain>(*soft, true);
            const auto began = Clock::now();
            for (int i = 0; i < steps; ++i) way->step();
            const double ms =
                std::chrono::duration<double, std::milli>(Clock::now() - began).count() / steps;
            best[k] = std::min(best[k], ms);
            notes[k] = fmt::format("mean height {:.3f} m  {}", way->height(), way->note());
        }
    }
    for (int k = 0; k < 4; ++k) {
        if (notes[k].empty()) continue;
        fmt::print("{:<28} {:8.3f} ms/step   {}\n", names[k], best[k], notes[k]);
    }
    const auto ratio = [&](const char* name, int k, int to, const char* goal) {
        if (!notes[k].empty() && !notes[to].empty()) {
            fmt::print("{} {:.2f} (goal: {})\n", name, best[k] / best[to], goal);
        }
    };
    ratio("b/a", 1, 0, "at most 1.03");
    ratio("c/a", 2, 0, "at most 1.15");
    ratio("d/c", 3, 2, "at least 10");
    return 0;
}
