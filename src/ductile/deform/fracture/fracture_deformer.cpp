// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>
#include <ductile/deform/fracture/fracture_deformer.h>

#include <fmt/format.h>

namespace ductile {
namespace {

class FractureDeformer final : public Deformer {
public:
    explicit FractureDeformer(const FractureOptions& options) : options_(options) {}

    std::string_view name() const override { return "fracture"; }

    Result<std::shared_ptr<const LayerData>> prepare(const BodyShape& rest) const override {
        Result<std::shared_ptr<const FractureData>> data = FractureData::make(options_, rest);
        if (!data) return data.error();
        return std::shared_ptr<const LayerData>(std::move(data).value());
    }

    // Pieces are cut from the mesh without records; parts get those of their own.
    std::shared_ptr<const LayerData> carry(const LayerData& base, const BodyShape&,
                                           std::span<const MeshEdge>) const override {
        return std::make_shared<FractureData>(static_cast<const FractureData&>(base));
    }

    double yield_speed(const BodyShape&) const override { return options_.speed; }
    double wanted_share(const BodyImpact&, const StruckBody&) const override { return 0.0; }
    bool takes_energy() const override { return false; }
    void respond(const BodyImpact&, const StruckBody&, Response&) const override {}

private:
    FractureOptions options_;
};

}  // namespace

Result<std::shared_ptr<const Deformer>> make_layer(const FractureOptions& options,
                                                   const LayerFiles&) {
    for (std::size_t i = 0; i < options.anchored.size(); ++i) {
        const AnchorBox& box = options.anchored[i];
        if ((box.lower.array() <= box.upper.array()).all()) continue;
        return Error{"a box in which it is anchored has its corners in the wrong order",
                     fmt::format("/anchored/{}", i), "lower is below upper along every axis"};
    }
    return std::shared_ptr<const Deformer>(std::make_shared<FractureDeformer>(options));
}

}  // namespace ductile
