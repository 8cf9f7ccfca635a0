// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/pushed_body.h>
#include <ductile/deform/tissue/tissue_body.h>
#include <ductile/deform/tissue/tissue_contact.h>
#include <ductile/geom/query/box_grid.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

class ContactRounds;
class ContactSplit;

/// What a particle remembers of a body that it touches: where it sticks.
struct TouchMemory {
    BodyId body{};                 ///< Invalid: of nothing.
    Vec3 anchor_b = Vec3::Zero();  ///< Where the particle's centre sticks, the body's frame [m].
};
using Touches = std::array<TouchMemory, 2>;

/// A coat as contacts see it.
struct TouchingCoat {
    TissueBody* body = nullptr;
    std::vector<Touches>* touches = nullptr;  ///< Per particle.
    std::size_t bone = 0;                     ///< Its place among the pushed bodies.
    double friction = 0.5;
    bool touches_itself = false;
    std::span<const double> reaches{};  ///< Of each particle in its longest direction [m].
    double widest = 0.0;                ///< The largest of them [m].
    double particle_mass = 0.0;         ///< Of the heaviest outer particle [kg].
};

/// Contacts of outer particles during one part: found once, solved as often as asked.
///
/// A particle and what it touches part along the normal and hold each other by friction, with equal
/// and opposite impulses, split by mass: a light body between many particles is not flung about. A
/// particle that does not slip sticks to a place of the body and not only to its velocity, so that
/// nothing creeps.
class TissueContacts {
public:
    /// A particle nearer than this share of its reach may come to touch during the sweeps.
    static constexpr double kNearShare = 0.25;
    /// How far particles feel what is near, over their reach.
    static constexpr double kFelt = 1.0 + kNearShare;

    TissueContacts();
    TissueContacts(TissueContacts&&) noexcept;
    ~TissueContacts();

    /// Makes room; then every coat is to be placed as predicted, several at once if need be. What
    /// is kept from part to part is forgotten where these are not the coats of the part before.
    void begin(std::span<const TouchingCoat> coats);
    void place_coat(const TouchingCoat& coat, std::size_t c);

    /// Finds them from the predicted places. `bodies` gains what is near; bones are there already.
    void find(std::span<const TouchingCoat> coats, const RigidQueries& queries,
              const Vec3& gravity_w, double dt, std::vector<PushedBody>& bodies);

    /// Visits every contact so many times, in their order or in the opposite one. To be changed
    /// from part to part: contacts that come last always win a little, and what lies between alike
    /// ones would be pushed aside.
    void solve(std::span<PushedBody> bodies, int rounds, bool is_backwards);
    /// Writes down where a coat's particles stick. Of several coats at once if need be.
    void remember(const TouchingCoat& coat, std::size_t c,
                  std::span<const PushedBody> bodies) const;

    std::size_t size() const { return contacts_.size(); }
    /// Which bodies a coat may touch in this part: places among those that `find` was given, and
    /// added to.
    std::span<const std::int32_t> bodies_near(std::size_t c) const { return found_[c].bodies; }

private:
    /// Where a body is before the part and after it, pushes left aside.
    struct BodyFrames {
        Mat3 turn = Mat3::Identity(), next_turn = Mat3::Identity();
        Vec3 at = Vec3::Zero(), next_at = Vec3::Zero();

        BodyFrames() = default;
        explicit BodyFrames(const PushedBody& body)
            : turn(body.start.pose_w.rotation.toRotationMatrix()),
              next_turn(body.next.rotation.toRotationMatrix()),
              at(body.start.pose_w.translation),
              next_at(body.next.translation) {}
    };
    /// An outer particle as predicted.
    struct Place {
        std::int32_t particle = 0;
        double reach = 0.0;  ///< In its longest direction [m].
        Vec3 position = Vec3::Zero();
    };
    /// The plane that parts a body from an ellipsoid best, of those tried; at the body's predicted
    /// pose.
    struct Support {
        Vec3 point_b = Vec3::Zero(), normal_b = Vec3::Zero(), normal = Vec3::Zero();
        double gap = kInfinity, reach = 0.0;
    };
    /// What of an old overlap, or of an old slip of a place that sticks, a part takes back [m].
    double recovered(double error) const;
    std::span<Place> places_of(std::size_t coat) {
        return std::span(places_).subspan(firsts_[coat], firsts_[coat + 1] - firsts_[coat]);
    }
    void plan_rounds(std::span<const TouchingCoat> coats, std::span<const PushedBody> bodies);
    /// Of bodies whose boxes are near a coat's: fills `near` of all coats.
    void find_near(std::span<const TouchingCoat> coats, const RigidQueries& queries,
                   const Vec3& gravity_w, std::vector<PushedBody>& bodies);
    void touch_bodies(std::span<const TouchingCoat> coats, std::size_t coat,
                      const RigidQueries& queries, std::span<const PushedBody> bodies);
    static Support support_of(const TissueBody& coat, const Place& place, BodyId body,
                              const BodyFrames& frames, const RigidQueries& queries);
    void touch_body(std::span<const TouchingCoat> coats, std::int32_t coat, Place& place,
                    std::int32_t body, const RigidQueries& queries,
                    std::span<const PushedBody> bodies);
    /// How all outer particles of a coat have moved since the part before.
    struct CoatMotion {
        Vec3 drift = Vec3::Zero();  ///< Of all of them [m].
        double rest = kInfinity;    ///< What of a particle's way that leaves at most [m].
    };
    /// Particles of two coats that are within reach of each other, or soon may be: all pairs that
    /// come to touch before the coats have moved by `room` against each other. A pure saving: what
    /// is found does not depend on when the list was made.
    struct PairList {
        std::int32_t second = 0;  ///< The other coat.
        double room = -1.0;       ///< [m]; below 0 the list is of no use.
        std::vector<std::pair<std::int32_t, std::int32_t>> pairs;  ///< Numbers of places, in order.
    };
    void measure_motion(std::size_t coat);
    void fill_grid(std::span<const TouchingCoat> coats);
    /// Those of a coat with itself and with later ones.
    void find_pairs(std::span<const TouchingCoat> coats, std::size_t coat);
    void find_pairs(std::span<const TouchingCoat> coats, std::size_t first, PairList& list);
    /// One list for each later coat near this one, and one for itself where it touches itself.
    void update_lists(std::size_t coat, bool touches_itself);
    void list_pairs(std::span<const TouchingCoat> coats, std::size_t first, PairList& list);
    /// A particle of one coat and one of a later one, or of the same: near enough to be measured.
    struct ClosePair {
        std::size_t second_coat;
        std::int32_t first, second;  ///< Particles.
    };
    static bool is_close(const TissueBody& first, const TissueBody& second, const Place& a,
                         const Place& b);
    void touch_pair(std::span<const TouchingCoat> coats, std::size_t first, const ClosePair& pair,
                    const Vec3& apart, const EllipsoidGap& gap);
    /// Of a contact that knows what touches. `gap` and `slip`: between particle and what it
    /// touches, `next` of particles and the body's pushes taken as 0.
    static void make_rows(const Vec3& normal, double gap, const Vec3& slip,
                          std::span<const TouchingCoat> coats, std::span<const PushedBody> bodies,
                          TissueContact& contact);
    /// What one coat touches; coats are looked at by several threads.
    struct CoatTouches {
        std::vector<std::int32_t> near;    ///< Places in `near_` ...
        std::vector<std::int32_t> bodies;  ///< ... and where those are among the bodies.
        std::vector<TissueContact> on_bodies, on_particles;
        std::vector<PairList> lists;           ///< By their other coats, ascending.
        std::vector<PairList> last_lists;      ///< Those of the part before, while they change.
        std::vector<std::int32_t> near_coats;  ///< Those whose boxes are near, ascending.
        std::vector<std::int32_t> first_places, second_places;  ///< Of two, near each other.
        std::vector<ClosePair> close;
        std::vector<EllipsoidPair> ellipsoids;  ///< Of those ...
        std::vector<EllipsoidGap> gaps;         ///< ... and what lies between them.
    };

    double dt_ = 0.0;
    std::vector<CoatTouches> found_;        ///< Per coat.
    std::vector<TissueContact*> contacts_;  ///< All of them, in order.
    std::vector<std::size_t> particles_;    ///< At which number each coat's begin, and the end.
    std::unique_ptr<ContactRounds> rounds_;
    std::unique_ptr<ContactSplit> split_;
    std::vector<std::int32_t> bones_;  ///< Of coats, among the bodies.
    std::vector<Vec3> centres_;        ///< Of bodies.
    std::vector<BodyGain> gains_;      ///< Of bodies.
    std::vector<BodyFrames> frames_;   ///< Of bodies.
    std::vector<NearBody> near_;
    std::vector<std::int32_t> among_;  ///< Where those are among the bodies; -1: not yet.
    std::vector<Box> boxes_;           ///< Of the outer particles' centres, per coat.
    std::vector<Box> wide_boxes_;      ///< Those of two coats overlap where a list may be needed.
    BoxGrid coat_grid_, body_grid_;    ///< Of the above, and of bodies' boxes.
    std::vector<Box> body_boxes_;      ///< Of `near_`.
    std::vector<const TissueBody*> coats_before_;  ///< In the part before.
    std::vector<Place> places_;                    ///< Of all coats ...
    std::vector<std::size_t> firsts_;              ///< ... and where each one's begin.
    std::vector<Vec3> last_places_;    ///< Where they were when pairs were last looked for.
    std::vector<CoatMotion> motions_;  ///< Of coats.
};

}  // namespace ductile
