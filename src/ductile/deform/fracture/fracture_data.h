// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/deformer.h>
#include <ductile/deform/fracture/fracture_options.h>
#include <ductile/deform/fracture/score.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

class Journal;
struct BodyShape;

/// A body that can break, or a part of one: which pieces of the whole it is.
class FractureData final : public LayerData {
public:
    /// Of a whole. Error: as Score::make.
    static Result<std::shared_ptr<const FractureData>> make(const FractureOptions& options,
                                                            const BodyShape& rest);

    /// Of a whole whose pattern lies about an impact: with its centre there. Error: as above.
    Result<std::shared_ptr<const FractureData>> centred(const Vec3& centre_b,
                                                        const BodyShape& rest) const;

    const FractureOptions& options() const { return options_; }
    /// Whether its pattern will lie about the place at which it first breaks: its pieces are those
    /// that it would have about its middle.
    bool awaits_centre() const { return options_.about == PatternPlace::Impact && !has_centre_; }
    const Vec3& centre_b() const { return centre_b_; }  ///< Of its pattern [m].
    const Score& score() const { return *score_; }
    /// Of the score, ascending.
    std::span<const std::int32_t> pieces() const { return pieces_; }
    /// Whether one of its pieces is fixed to what does not move.
    bool is_held() const;
    /// Whether it is one piece, that nothing can break.
    bool is_last() const { return pieces_.size() < 2; }

    /// Its mass over that of the whole; 1 for the whole. `own`: the shape that this is the data of.
    double share_of_whole(const BodyShape& own) const;

    /// Per joint of the score: whether it has given way by a time.
    std::vector<std::uint8_t> broken_glue(const Journal& journal, double time) const;

    /// Which of its own joints, not broken yet, lie within a distance of a place.
    std::vector<std::int32_t> glue_near(const Vec3& place_b, double radius,
                                        std::span<const std::uint8_t> is_broken) const;

    /// When it was no longer one, and in which parts it is from then on.
    struct Division {
        std::int64_t hit = 0;                          ///< The record that did it.
        double time = 0.0;                             ///< [s]
        std::int32_t first_part = 0;                   ///< As that record has it.
        std::vector<std::vector<std::int32_t>> parts;  ///< Pieces of each, by their lowest.
    };
    /// By a time; nothing: it is one.
    std::optional<Division> division(const Journal& journal, double time) const;

    /// The body that it is a part of, or itself. `own`: the shape that this is the data of.
    const BodyShape& whole(const BodyShape& own) const { return whole_ ? *whole_ : own; }
    /// Which of its own joints, not broken yet, lie between pieces of different sides. `side`: per
    /// piece of the score.
    std::vector<std::int32_t> glue_between(std::span<const std::int32_t> side,
                                           std::span<const std::uint8_t> is_broken) const;

    /// A part of it as a body, in the same frame, with the same matter and rules, that can break
    /// on. `own`: the shape that this is the data of. Error: no body can be like that.
    Result<std::shared_ptr<const BodyShape>> part_shape(
        std::span<const std::int32_t> pieces, const std::shared_ptr<const BodyShape>& own) const;

private:
    bool is_own(const CutJoint& joint) const;
    std::vector<std::vector<std::int32_t>> groups(std::span<const std::uint8_t> is_broken) const;

    static Result<std::shared_ptr<const FractureData>> scored(const FractureOptions& options,
                                                              const BodyShape& rest,
                                                              const Vec3& centre_b);

    FractureOptions options_;
    Vec3 centre_b_ = Vec3::Zero();
    bool has_centre_ = false;  ///< Whether that is where a break put it.
    std::shared_ptr<const Score> score_;
    std::vector<std::int32_t> pieces_;
    std::shared_ptr<const BodyShape> whole_;  ///< That it is a part of; null for the whole.
};

/// Where the first break of a journal put the body's pattern; nothing: it has not broken.
std::optional<Vec3> break_centre(const Journal& journal);

/// A shape whose pattern awaits its centre, with the pieces of a pattern there; any other as it is.
/// Error: no pattern fits there.
Result<std::shared_ptr<const BodyShape>> centred_shape(
    const std::shared_ptr<const BodyShape>& shape, const Vec3& centre_b);

/// Whether a record of the journal says that its body is gone by a time.
bool has_vanished(const Journal& journal, double time);

}  // namespace ductile
