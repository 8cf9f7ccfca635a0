// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/bend/skeleton.h>

#include <doctest/doctest.h>
#include <support/near.h>
#include <support/reason.h>

#include <algorithm>
#include <numeric>
#include <set>

using namespace ductile;

namespace {

Skeleton bones_of(std::vector<Bone> bones) {
    Result<Skeleton> made = skeleton_of_bones(std::move(bones), 1e-6);
    REQUIRE_MESSAGE(made.ok(), test::reason(made));
    return std::move(made).value();
}

std::string bone_complaint(std::vector<Bone> bones) {
    const Result<Skeleton> made = skeleton_of_bones(std::move(bones), 1e-6);
    REQUIRE(!made.ok());
    return made.error().what;
}

// Six bars between four balls.
Skeleton frame_of_bars() {
    const Vec3 at[] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0.9}, {0.5, 0.8, 0.3}};
    std::vector<Bone> bones;
    for (int i = 0; i < 4; ++i) bones.push_back({"ball" + std::to_string(i), at[i], at[i], 0.1});
    for (int i = 0; i < 4; ++i) {
        for (int k = i + 1; k < 4; ++k) {
            const Vec3 way = (at[k] - at[i]).normalized();
            bones.push_back({"bar" + std::to_string(i) + std::to_string(k), at[i] + 0.1 * way,
                             at[k] - 0.1 * way});
        }
    }
    return bones_of(bones);
}

Skeleton random_tree(Rng& rng, int count) {
    std::vector<RigJoint> joints;
    for (int i = 0; i < count; ++i) {
        joints.push_back({"j" + std::to_string(i),
                          Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)),
                          i == 0 ? -1 : static_cast<std::int32_t>(rng.uniform(0, i - 0.01))});
    }
    Result<Skeleton> made = skeleton_of_rig(joints, 0.01);
    REQUIRE(made.ok());
    return std::move(made).value();
}

Quat random_turn(Rng& rng) {
    return Quat(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1))
        .normalized();
}

}  // namespace

TEST_CASE("bones that share ends get joints there, from the lowest to each other one") {
    const Skeleton s = bones_of({{"trunk", {0, 0, 0}, {0, 1, 0}},
                                 {"left", {0, 1, 0}, {-1, 2, 0}},
                                 {"right", {1, 2, 0}, {0, 1, 0}}});
    REQUIRE(s.joints.size() == 2);
    for (const SkeletonJoint& joint : s.joints) {
        CHECK(joint.a == 0);
        CHECK(joint.place == Vec3(0, 1, 0));
    }
    CHECK(s.joints[0].b == 1);
    CHECK(s.joints[1].b == 2);
}

TEST_CASE("bad lists of bones are reported with a message") {
    CHECK(bone_complaint({}) == "a skeleton needs a bone");
    CHECK(bone_complaint({{"", {0, 0, 0}, {1, 0, 0}}}) == "a bone has no name");
    CHECK(bone_complaint({{"a", {0, 0, 0}, {1, 0, 0}}, {"a", {1, 0, 0}, {2, 0, 0}}}) ==
          "two bones are called 'a'");
    CHECK(bone_complaint({{"a", {0, 0, 0}, {0, 0, 0}}}) == "bone 'a' has no length and no radius");
    CHECK(bone_complaint({{"a", {0, kInfinity, 0}, {0, 0, 0}}}) ==
          "bone 'a' has an end that is not finite");
    CHECK(bone_complaint({{"a", {0, 0, 0}, {1, 0, 0}, -1.0}}) ==
          "the radius of bone 'a' is no number >= 0");
    CHECK(bone_complaint({{"a", {0, 0, 0}, {1, 0, 0}}, {"b", {1.1, 0, 0}, {2, 0, 0}}}) ==
          "bone 'b' does not hang together with bone 'a'");
    CHECK(bone_complaint({{"a", {0, 0, 0}, {1, 0, 0}}, {"b", {1, 0, 0}, {0, 0, 0}}}) ==
          "bones 'a' and 'b' meet at both ends");
    CHECK(bone_complaint({{"a", {0, 0, 0}, {1e-7, 0, 0}}}) == "bone 'a' is too short");
}

TEST_CASE("a frame of bars between balls has a joint per end of a bar, all on one loop") {
    const Skeleton frame = frame_of_bars();
    REQUIRE(frame.joints.size() == 12);
    for (const SkeletonJoint& joint : frame.joints) {
        CHECK(frame.bones[joint.a].is_ball());
        CHECK(!frame.bones[joint.b].is_ball());
    }
    for (const std::int32_t loop : joint_loops(frame)) CHECK(loop == 0);
}

TEST_CASE("loops that share a bone wake apart, and a joint beside them parts the body") {
    // Two loops with the bone `a` in common, each through one of its ends, and a tail.
    const Skeleton s = bones_of({{"a", {0, 0, 0}, {1, 0, 0}},
                                 {"b", {1, 0, 0}, {1.5, 1, 0}},
                                 {"c", {1.5, 1, 0}, {2, 0, 0}},
                                 {"d", {2, 0, 0}, {1, 0, 0}},
                                 {"tail", {2, 0, 0}, {3, 0, 0}},
                                 {"e", {0, 0, 0}, {-0.5, 1, 0}},
                                 {"f", {-0.5, 1, 0}, {-1, 0, 0}},
                                 {"g", {-1, 0, 0}, {0, 0, 0}}});
    const std::vector<std::int32_t> loops = joint_loops(s);
    CHECK(std::set(loops.begin(), loops.end()) == std::set<std::int32_t>{-1, 0, 1});
    for (std::size_t j = 0; j < loops.size(); ++j) {
        // By definition: a joint is on a loop exactly if the skeleton still hangs together without.
        std::vector<std::uint8_t> awake(s.joints.size(), 0);
        awake[j] = 1;
        CHECK((loops[j] >= 0) == (bone_groups(s, awake).count == 1));
    }
}

TEST_CASE("groups are what still hangs together") {
    Rng rng(5);
    for (int round = 0; round < 20; ++round) {
        const Skeleton s = random_tree(rng, 12);
        std::vector<std::uint8_t> awake(s.joints.size(), 0);
        CHECK(bone_groups(s, awake).count == 1);
        int count = 1;
        for (std::uint8_t& is : awake) {
            is = rng.uniform(0, 1) < 0.4;
            count += is;
        }
        const BoneGroups groups = bone_groups(s, awake);
        CHECK(groups.count == count);  // of a tree every joint parts one
        CHECK(groups.group[0] == 0);
        for (std::size_t j = 0; j < s.joints.size(); ++j) {
            CHECK((groups.group[s.joints[j].a] != groups.group[s.joints[j].b]) == (awake[j] != 0));
        }
    }
}

TEST_CASE("a bone has room for a joint where some place of it is far enough from its joints") {
    // A bone of a metre, joined at its start, and cut more and more.
    Skeleton s = bones_of({{"a", {0, 0, 0}, {1, 0, 0}}, {"foot", {0, 0, 0}, {0, -1, 0}}});
    const auto finds_place = [&](std::int32_t bone, double length) {
        const double whole = (s.bones[bone].to - s.bones[bone].from).norm();
        for (int i = 1; i < 10000; ++i) {
            const double along = i / 10000.0;
            if (std::min(along, 1.0 - along) * whole > 0.5 * length &&
                joint_near(s, {bone, along, 0.0}, length) < 0) {
                return true;
            }
        }
        return false;
    };
    for (const double cut : {0.3, 0.6, 0.45}) {
        for (std::int32_t bone = 0; bone < std::ssize(s.bones); ++bone) {
            for (const double length : {0.0671, 0.1001, 0.1503, 0.2207, 0.3301, 0.51, 0.66, 1.2}) {
                CAPTURE(cut);
                CAPTURE(bone);
                CAPTURE(length);
                CHECK(has_room_for_joint(s, bone, length) == finds_place(bone, length));
            }
        }
        REQUIRE(split_bone(s, nearest_bone(s, {cut, 0, 0}), 0.01).ok());
    }
    Skeleton ball = bones_of({{"ball", {0, 0, 0}, {0, 0, 0}, 0.1}, {"a", {0, 0, 0}, {1, 0, 0}}});
    CHECK(!has_room_for_joint(ball, 0, 0.01));
}

TEST_CASE("a bone is split where a place projects onto it, and its far joints follow") {
    Skeleton s = bones_of({{"a", {0, 0, 0}, {1, 0, 0}},
                           {"post", {2, 0, 0}, {1, 0, 0}},
                           {"foot", {0, 0, 0}, {0, -1, 0}}});
    s.bones[0].is_anchored = true;
    const BonePlace at = nearest_bone(s, {0.3, 0.2, 0});
    CHECK(at.bone == 0);
    CHECK(test::near(at.along, 0.3));
    CHECK(test::near(at.distance, 0.2));
    CHECK(joint_near(s, at, 0.29) == -1);
    CHECK(joint_near(s, at, 0.31) == 0);
    const Result<std::int32_t> joint = split_bone(s, at, 0.1);
    REQUIRE(joint.ok());
    CHECK(joint.value() == 2);
    REQUIRE(s.bones.size() == 4);
    CHECK(s.bones[3].name == "a.2");
    CHECK(s.bones[0].is_anchored);
    CHECK(!s.bones[3].is_anchored);
    CHECK(s.bones[0].to == s.bones[3].from);
    CHECK(s.bones[3].to == Vec3(1, 0, 0));
    CHECK(s.joints[2].place == s.bones[0].to);
    CHECK((s.joints[1].a == 3 && s.joints[1].b == 1));  // at the far end: the new bone's
    CHECK((s.joints[0].a == 0 && s.joints[0].b == 2));
    CHECK(check_skeleton(s).ok());
    CHECK(!split_bone(s, {3, 0.05, 0.0}, 0.1).ok());
    CHECK(!split_bone(s, {3, 1.0, 0.0}, 0.0).ok());
    CHECK(s.bones.size() == 4);
}

TEST_CASE("a bone that is left out leaves its joints to the lowest bone it was joined to") {
    // A chain of four.
    Skeleton star = bones_of({{"left", Vec3(-2, 0, 0), Vec3(-1, 0, 0)},
                              {"middle", Vec3(-1, 0, 0), Vec3(1, 0, 0)},
                              {"right", Vec3(1, 0, 0), Vec3(2, 0, 0)},
                              {"tip", Vec3(2, 0, 0), Vec3(3, 0, 0)}});
    const std::size_t before = star.joints.size();
    drop_bone(star, 1);
    REQUIRE(star.bones.size() == 3);
    CHECK(star.bones[1].name == "right");
    CHECK(star.joints.size() == before - 1);
    CHECK(check_skeleton(star).ok());
    const std::vector<std::uint8_t> asleep(star.joints.size(), 0);
    CHECK(bone_groups(star, asleep).count == 1);
    CHECK(star.joints[0].a == 0);
    CHECK(star.joints[0].b == 1);
    CHECK(star.joints[0].place == Vec3(1, 0, 0));
}

TEST_CASE("a rig's joints become bones with the same numbers") {
    const RigJoint joints[] = {{"hips", {0, 1, 0}},
                               {"spine", {0, 1.5, 0}, 0},
                               {"leg", {0.2, 1, 0}, 0},
                               {"foot", {0.2, 0, 0}, 2},
                               {"prop", {2, 0, 0}}};
    const Result<Skeleton> made = skeleton_of_rig(joints, 0.05);
    REQUIRE(made.ok());
    const Skeleton& s = made.value();
    REQUIRE(s.bones.size() == 5);
    CHECK(s.bones[0].to == Vec3(0, 1.5, 0));
    CHECK(s.bones[1].to == Vec3(0, 2, 0));
    CHECK(s.bones[3].to == Vec3(0.2, -1, 0));
    CHECK(s.bones[4].is_ball());
    REQUIRE(s.joints.size() == 4);
    for (const SkeletonJoint& joint : s.joints) CHECK(joint.place == joints[joint.b].place);
    CHECK(s.joints[3].a == 0);
    CHECK(
        !skeleton_of_rig(std::vector<RigJoint>{{"a", {0, 0, 0}, 1}, {"b", {0, 0, 0}, 0}}, 1).ok());
    CHECK(!skeleton_of_rig(std::vector<RigJoint>{{"a", {0, 0, 0}, 7}}, 1).ok());
    CHECK(!skeleton_of_rig({}, 1).ok());
}

TEST_CASE("bones turned about their joints stay together, whichever is the root") {
    Rng rng(8);
    for (int round = 0; round < 20; ++round) {
        const Skeleton s = random_tree(rng, 9);
        std::vector<JointMotion> turns;
        for (std::size_t j = 0; j < s.joints.size(); ++j) {
            const Vec3 slide(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
            turns.push_back({random_turn(rng), round % 2 == 0 ? Vec3(Vec3::Zero()) : slide});
        }
        const std::vector<Transform> from_first = bone_turns(s, turns, 0);
        const std::vector<Transform> from_last = bone_turns(s, turns, 8);
        CHECK(from_last[8].translation == Vec3::Zero());
        for (std::size_t j = 0; j < s.joints.size(); ++j) {
            const SkeletonJoint& joint = s.joints[j];
            const Vec3 gap = from_last[joint.a].point(joint.place + turns[j].slide) -
                             from_last[joint.b].point(joint.place);
            CHECK(gap.norm() < 1e-13);
        }
        const Transform carry = from_first[8];
        for (std::size_t b = 0; b < s.bones.size(); ++b) {
            const Transform moved = carry * from_last[b];
            CHECK((moved.point(s.bones[b].to) - from_first[b].point(s.bones[b].to)).norm() < 1e-12);
        }
    }
    const Skeleton frame = frame_of_bars();
    const std::vector<JointMotion> none(frame.joints.size());
    for (const Transform& t : bone_turns(frame, none, 3)) {
        CHECK(t.translation == Vec3::Zero());
        CHECK(t.rotation.coeffs() == Quat::Identity().coeffs());
    }
}

TEST_CASE("a bone slides along itself where it begins, and only there") {
    const BoneSlide slide{.stiffness = 100.0};
    Bone foot{"foot", {0, 0, 0}, {0, 1, 0}}, rod{"rod", {0, 1, 0}, {0, 3, 0}};
    const Bone arm{"arm", {0, 3, 0}, {1, 3, 0}};
    rod.slide = slide;
    Skeleton s = skeleton_of_bones({foot, rod, arm}, 1e-6).value();
    REQUIRE(s.joints.size() == 2);
    REQUIRE(s.joints[0].way.has_value());
    CHECK(s.joints[0].way->axis == Vec3::UnitY());
    CHECK(s.joints[0].way->slide.stiffness == 100.0);
    CHECK(!s.joints[1].way);
    // Where an impact parts it, it turns.
    REQUIRE(split_bone(s, {1, 0.5, 0.0}, 0.1).ok());
    CHECK(s.joints[0].way.has_value());
    CHECK(!s.joints[2].way);

    const auto refused = [](std::vector<Bone> bones) {
        const auto made = skeleton_of_bones(std::move(bones), 1e-6);
        REQUIRE(!made.ok());
        return made.error().text();
    };
    foot.slide = slide;
    CHECK(refused({foot, arm, rod}).find("no bone is where it begins") != std::string::npos);
    foot.slide.reset();
    std::swap(rod.from, rod.to);
    Bone against = foot;
    against.name = "against";
    against.from = {0, 4, 0};
    against.to = {0, 3, 0};
    CHECK(refused({rod, against, arm}).find("more than one") != std::string::npos);
    rod.slide = BoneSlide{};
    CHECK(refused({foot, rod}).find("nothing holds it") != std::string::npos);
    rod.slide = BoneSlide{.damping = 1.0, .force = 1.0};
    CHECK(refused({foot, rod}).find("no spring") != std::string::npos);
    rod.slide = BoneSlide{.force = 1.0, .limit = 0.0};
    CHECK(refused({foot, rod}).find("no room") != std::string::npos);
    Bone ball{"ball", {0, 1, 0}, {0, 1, 0}, 0.2};
    ball.slide = slide;
    CHECK(refused({foot, ball}).find("is a ball") != std::string::npos);
}

TEST_CASE("joints that no triangle follows most are left out, and what they had goes on") {
    // A strip of four triangles over three joints, below a root and with an end that carry nothing.
    FileSkeleton file;
    file.joints = {{"root", {0, -1, 0}, -1},
                   {"hip", {0, 0, 0}, 0},
                   {"knee", {1, 0, 0}, 1},
                   {"toe", {2, 0, 0}, 2}};
    const std::vector<Triangle> triangles = {{0, 1, 2}, {1, 2, 3}, {3, 4, 5}};
    const std::vector<std::vector<std::pair<std::int32_t, double>>> rows = {
        {{0, 0.4}, {1, 0.6}}, {{1, 1.0}}, {{1, 1.0}}, {{2, 1.0}}, {{2, 0.9}, {3, 0.1}}, {}};
    for (const auto& row : rows) {
        for (const auto& [joint, weight] : row) {
            file.weights.handle.push_back(joint);
            file.weights.weight.push_back(weight);
        }
        file.weights.start.push_back(static_cast<std::int32_t>(file.weights.handle.size()));
    }
    REQUIRE(drop_idle_joints(file, triangles).ok());
    REQUIRE(file.joints.size() == 2);
    CHECK(file.joints[0].name == "hip");
    CHECK(file.joints[0].parent == -1);
    CHECK(file.joints[1].name == "knee");
    CHECK(file.joints[1].parent == 0);
    REQUIRE(file.weights.size() == rows.size());
    for (std::size_t v = 0; v < rows.size(); ++v) {
        const auto weights = file.weights.weights_of(v);
        CHECK(test::near(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0));
        for (const std::int32_t joint : file.weights.handles_of(v)) CHECK(joint < 2);
    }
    CHECK(file.weights.handles_of(0).size() == 1);
    CHECK(file.weights.handles_of(5)[0] == 0);  // what hung on nothing follows what the root became
    FileSkeleton none;
    CHECK(!drop_idle_joints(none, triangles).ok());
    FileSkeleton circle = file;
    circle.joints[0].parent = 1;
    CHECK(!drop_idle_joints(circle, triangles).ok());
}
