// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/bend_deformer.h>
#include <ductile/deform/body_shape.h>

namespace ductile {
namespace {

class BendDeformer final : public Deformer {
public:
    BendDeformer(const BendOptions& options, std::shared_ptr<const FileSkeleton> file)
        : options_(options), file_(std::move(file)) {}

    std::string_view name() const override { return "bend"; }

    Result<std::shared_ptr<const LayerData>> prepare(const BodyShape& rest) const override {
        Result<std::shared_ptr<const BendData>> data = BendData::make(options_, rest, file_);
        if (!data) return data.error();
        return std::shared_ptr<const LayerData>(std::move(data).value());
    }

    std::shared_ptr<const LayerData> carry(const LayerData& base, const BodyShape& finer,
                                           std::span<const MeshEdge> split) const override {
        return static_cast<const BendData&>(base).carried(finer.triangles(), split);
    }

    Result<std::shared_ptr<const LayerData>> part_data(const LayerData* whole,
                                                       const BodyShape& part,
                                                       const PartOrigin& origin) const override {
        const auto& data = dynamic_cast<const BendData&>(*whole);
        return std::shared_ptr<const LayerData>(data.on_part(part, origin));
    }

    double yield_speed(const BodyShape&) const override { return options_.speed; }
    double wanted_share(const BodyImpact&, const StruckBody&) const override { return 0.0; }
    void respond(const BodyImpact&, const StruckBody&, Response&) const override {}

private:
    BendOptions options_;
    std::shared_ptr<const FileSkeleton> file_;  ///< Null: it uses none.
};

}  // namespace

Result<std::shared_ptr<const Deformer>> make_layer(const BendOptions& options,
                                                   const LayerFiles& files) {
    if (options.spring_damping > 0 && !(options.stiffness > 0)) {
        return Error{"a spring without stiffness has no damping", "/spring_damping",
                     "give it a stiffness, or use damping"};
    }
    std::shared_ptr<const FileSkeleton> file;
    if (options.uses_file_joints) {
        if (!options.bones.empty()) {
            return Error{"a body has bones of its own or those of its file, not both", "/bones",
                         "leave out one of them"};
        }
        if (files.skeleton) file = files.skeleton();
        if (!file) {
            return Error{"the body has no mesh file with a skin", "/uses_file_joints",
                         "give it bones, or a glTF file whose mesh has joints"};
        }
    }
    return std::shared_ptr<const Deformer>(
        std::make_shared<BendDeformer>(options, std::move(file)));
}

}  // namespace ductile
