// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/field_ranges.h>

#include <fmt/format.h>

#include <cmath>

namespace ductile {
namespace {

class RangeCheck {
public:
    RangeCheck(const Field& field, const std::string& pointer) : field_(field), pointer_(pointer) {}

    Status operator()(const double* number) const { return check(*number, pointer_); }
    Status operator()(const std::int32_t* number) const { return check(*number, pointer_); }
    Status operator()(const std::int64_t* number) const { return check_whole(*number); }
    Status operator()(const std::uint64_t* number) const { return check_whole(*number); }
    Status operator()(const bool*) const { return {}; }
    Status operator()(const std::string*) const { return {}; }
    Status operator()(const EnumView&) const { return {}; }
    Status operator()(const TextView&) const { return {}; }

    Status operator()(const Vec3* vector) const {
        for (int i = 0; i < 3; ++i) {
            const Status fine = check((*vector)[i], pointer_below(pointer_, std::to_string(i)));
            if (!fine) return fine;
        }
        return {};
    }
    Status operator()(const Quat* turn) const {
        if (turn->coeffs().allFinite() && turn->coeffs().stableNorm() > 0) return {};
        return Error{"is no rotation", pointer_, std::string(field_.help)};
    }
    Status operator()(const StructView& value) const {
        for (const FieldView& part : value.fields) {
            const Status fine = check_value_ranges(part, pointer_below(pointer_, part.field.name));
            if (!fine) return fine;
        }
        return {};
    }
    Status operator()(const ContainerView& value) const {
        for (std::size_t i = 0; i < value.size(); ++i) {
            const Status fine = check_value_ranges({field_, value.item(i)}, item_pointer(value, i));
            if (!fine) return fine;
        }
        return {};
    }

private:
    std::string item_pointer(const ContainerView& value, std::size_t i) const {
        if (value.kind() == ContainerKind::Optional) return pointer_;
        if (const std::string* key = value.key(i)) return pointer_below(pointer_, *key);
        return pointer_below(pointer_, std::to_string(i));
    }
    template <class Whole>
    Status check_whole(Whole number) const {
        return check(static_cast<double>(number), pointer_);
    }
    Status check(double number, const std::string& where) const {
        // Written so that NaN is outside.
        if (number >= field_.min && number <= field_.max && std::isfinite(number)) return {};
        return Error{fmt::format("{} is outside the range {}", number,
                                 range_text(field_.min, field_.max, field_.unit)),
                     where, std::string(field_.help)};
    }

    const Field& field_;
    const std::string& pointer_;
};

}  // namespace

Status check_range(const Field& field, double value) {
    return check_value_ranges({field, &value}, "/" + std::string(field.name));
}

Status check_value_ranges(const FieldView& value, const std::string& pointer) {
    return std::visit(RangeCheck(value.field, pointer), value.value);
}

}  // namespace ductile
