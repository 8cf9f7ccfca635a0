// SPDX-License-Identifier: MIT
#include <ductile/export/track/written_vertices.h>

#include <algorithm>
#include <numeric>

namespace ductile {

WrittenVertices::WrittenVertices(const RenderMesh& mesh) : mesh_(mesh) {
    take(static_cast<std::int32_t>(mesh.points.size()), true);
}

WrittenVertices::WrittenVertices(const RenderMesh& mesh, const MeshPart& part)
    : mesh_(mesh), first_(part.first_vertex) {
    take(part.vertex_count, part.vertex_count == std::ssize(mesh.points));
}

void WrittenVertices::take(std::int32_t vertex_count, bool takes_all) {
    written_.resize(static_cast<std::size_t>(vertex_count));
    const FileVertices& file = mesh_.file_vertices;
    if (file.empty()) {
        std::iota(written_.begin(), written_.end(), 0);
        drawn_.resize(written_.size());
        std::iota(drawn_.begin(), drawn_.end(), first_);
        are_drawn_ = true;
        return;
    }
    const auto own = std::span(file.of_drawn).subspan(first_, written_.size());
    if (takes_all) {
        file_.resize(file.points.size());
        std::iota(file_.begin(), file_.end(), 0);
    } else {
        file_.assign(own.begin(), own.end());
        std::sort(file_.begin(), file_.end());
        file_.erase(std::unique(file_.begin(), file_.end()), file_.end());
    }
    drawn_.assign(file_.size(), -1);
    for (std::size_t v = own.size(); v-- > 0;) {
        const auto at = takes_all ? file_.begin() + own[v]
                                  : std::lower_bound(file_.begin(), file_.end(), own[v]);
        written_[v] = static_cast<std::int32_t>(at - file_.begin());
        drawn_[written_[v]] = static_cast<std::int32_t>(v) + first_;
    }
    are_drawn_ = drawn_.size() == written_.size() &&
                 std::is_sorted(written_.begin(), written_.end()) &&
                 std::find(drawn_.begin(), drawn_.end(), -1) == drawn_.end();
}

std::vector<Vec3> WrittenVertices::points(std::span<const Vec3> drawn) const {
    return pick(drawn, [&](std::size_t i) { return rest_point(i); });
}

std::vector<Vec3> WrittenVertices::normals(std::span<const Vec3> drawn) const {
    if (are_drawn_) return pick(drawn, [](std::size_t) { return Vec3::UnitY(); });
    std::vector<Vec3> sums(drawn_.size(), Vec3::Zero());
    for (std::size_t v = 0; v < written_.size(); ++v) {
        sums[written_[v]] += drawn[v + static_cast<std::size_t>(first_)];
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const double length = sums[i].norm();
        if (length > 0) {
            sums[i] /= length;
        } else {
            sums[i] = drawn_[i] >= 0 ? drawn[drawn_[i]] : Vec3(Vec3::UnitY());
        }
    }
    return sums;
}

}  // namespace ductile
