// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/bend_deformer.h>
#include <ductile/deform/body_shape.h>

namespace ductile {
namespace {

class BendDeformer final : public Deformer {
public:
    explicit BendDeformer(const BendOptions& options) : options_(options) {}

    std::string_view name() const override { return "bend"; }

    Result<std::shared_ptr<const LayerData>> prepare(const BodyShape& rest) const override {
        Result<std::shared_ptr<const BendData>> data = BendData::make(options_, rest);
        if (!data) return data.error();
        return std::shared_ptr<const LayerData>(std::move(data).value());
    }

    std::shared_ptr<const LayerData> carry(const LayerData& base, const BodyShape&,
                                           std::span<const MeshEdge> split) const override {
        return static_cast<const BendData&>(base).carried(split);
    }

    double yield_speed(const BodyShape&) const override { return options_.speed; }
    double wanted_share(const BodyImpact&, const StruckBody&) const override { return 0.0; }
    void respond(const BodyImpact&, const StruckBody&, Response&) const override {}

private:
    BendOptions options_;
};

}  // namespace

Result<std::shared_ptr<const Deformer>> make_layer(const BendOptions& options, const LayerFiles&) {
    if (options.spring_damping > 0 && !(options.stiffness > 0)) {
        return Error{"a spring without stiffness has no damping", "/spring_damping",
                     "give it a stiffness, or use damping"};
    }
    return std::shared_ptr<const Deformer>(std::make_shared<BendDeformer>(options));
}

}  // namespace ductile
