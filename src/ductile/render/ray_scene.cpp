// SPDX-License-Identifier: MIT
// The lift of light_position is Hanika 2021, "Hacking the Shadow Terminator" (Ray Tracing Gems II,
// chapter 4): rays start on the curved surface that the smooth normals speak of, or coarse
// triangles would shade themselves where the sun grazes them.
#include <ductile/render/damage_measure.h>
#include <ductile/render/ray_scene.h>
#include <ductile/render/ray_shape.h>
#include <ductile/render/sampler.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace ductile {
namespace {

/// A shape in the world.
struct Placed {
    const RayShape* shape = nullptr;
    bool is_measured = false;
    Eigen::Matrix3f rotation = Eigen::Matrix3f::Identity();
};

RTCRay embree_ray(const Ray& ray) {
    RTCRay out{};
    out.org_x = ray.origin.x();
    out.org_y = ray.origin.y();
    out.org_z = ray.origin.z();
    out.dir_x = ray.direction.x();
    out.dir_y = ray.direction.y();
    out.dir_z = ray.direction.z();
    out.tnear = 0.0f;
    out.tfar = std::numeric_limits<float>::infinity();
    out.mask = ~0U;
    return out;
}

/// How far uv goes along one posed triangle [1/m]: by its area, so that one number does.
double uv_density(const RayShape& shape, const Triangle& t) {
    const std::vector<Vec2>& uvs = shape.mesh().uvs;
    const Vec2 du = uvs[t[1]] - uvs[t[0]], dv = uvs[t[2]] - uvs[t[0]];
    const Vec3f a = shape.points[t[1]] - shape.points[t[0]];
    const Vec3f b = shape.points[t[2]] - shape.points[t[0]];
    const double area = a.cast<double>().cross(b.cast<double>()).norm();
    const double uv_area = std::abs(du.x() * dv.y() - du.y() * dv.x());
    return area > 0.0 ? std::sqrt(uv_area / area) : 0.0;
}

/// Colour and picture at a place of a triangle.
void fill_colours(const RayShape& shape, const RTCHit& found, SurfaceHit& hit) {
    const DrawnAsset& asset = *shape.asset;
    const RenderMesh& mesh = asset.mesh();
    const Triangle& t = mesh.triangles[found.primID];
    hit.look = &asset.look(found.primID);
    hit.tint = Vec3f::Ones();
    if (!mesh.colours.empty()) {
        const double u = found.u, v = found.v;
        const Vec4 colour =
            (1.0 - u - v) * mesh.colours[t[0]] + u * mesh.colours[t[1]] + v * mesh.colours[t[2]];
        hit.tint = colour.head<3>().cast<float>();
    }
    hit.alpha = 1.0f;
    hit.texture = asset.texture(found.primID);
    if (!hit.texture) return;
    hit.uv = asset.uv(found.primID, found.u, found.v);
    hit.uv_per_metre = uv_density(shape, t);
    if (hit.look->has_holes) hit.alpha = hit.texture->alpha(hit.uv);
}

/// All that shading needs to know of what Embree found.
void fill(const Placed& placed, const Ray& ray, const RTCRayHit& found, SurfaceHit& hit) {
    const RayShape& shape = *placed.shape;
    const RenderMesh& mesh = shape.mesh();
    const Triangle& t = mesh.triangles[found.hit.primID];
    const float weight[3] = {1.0f - found.hit.u - found.hit.v, found.hit.u, found.hit.v};
    const Vec3f face_b(found.hit.Ng_x, found.hit.Ng_y, found.hit.Ng_z);
    const float side = face_b.dot(placed.rotation.transpose() * ray.direction) > 0 ? -1.0f : 1.0f;
    // In files some triangles are wound against their normals; the viewer's side counts for both.
    const Vec3f mean = shape.normals[t[0]] + shape.normals[t[1]] + shape.normals[t[2]];
    const float outward = mean.dot(face_b) < 0.0f ? -side : side;
    Vec3f at_b = Vec3f::Zero(), normal_b = Vec3f::Zero(), lift_b = Vec3f::Zero();
    hit.rest_b = Vec3::Zero();
    hit.is_measured = placed.is_measured;
    hit.measure = Vec3f::Zero();
    for (int k = 0; k < 3; ++k) {
        if (!shape.measures.empty()) hit.measure += weight[k] * shape.measures[t[k]];
        at_b += weight[k] * shape.points[t[k]];
        normal_b += weight[k] * shape.normals[t[k]];
        hit.rest_b += static_cast<double>(weight[k]) * mesh.points[t[k]];
    }
    for (int k = 0; k < 3; ++k) {
        const Vec3f n = outward * shape.normals[t[k]];
        lift_b -= weight[k] * std::min(0.0f, n.dot(at_b - shape.points[t[k]])) * n;
    }
    hit.distance = found.ray.tfar;
    hit.position = ray.origin + found.ray.tfar * ray.direction;
    hit.face_normal = placed.rotation * (side * face_b.normalized());
    const float length = normal_b.norm();
    hit.normal =
        length > 1e-6f ? Vec3f(placed.rotation * (normal_b * (outward / length))) : hit.face_normal;
    hit.light_position = hit.position + placed.rotation * lift_b;
    fill_colours(shape, found.hit, hit);
}

}  // namespace

struct RayScene::State {
    const Recording* recording = nullptr;
    RayDevice device;
    TextureStore textures;
    std::map<const SurfaceAsset*, DrawnAsset> assets;  // only looked up, never walked in order
    std::vector<bool> rests_as_asset;                  // per body: shape 0 is the asset itself
    // The key's body is -1 - (first body with that asset) where the rest shape is shared.
    std::map<std::pair<std::int32_t, std::int32_t>, RayShape> shapes;
    std::vector<std::int32_t> first_with_asset;  // per body
    std::vector<Placed> placed;                  // by instance
    std::vector<const DrawnAsset*> drawn;        // by instance
    RayTree world;
    std::int64_t builds = 0;

    /// Whether a body takes another shape than that of its asset.
    bool is_ever_damaged(std::int32_t body) const {
        return recording->bodies[body].shapes.size() > 1 || !rests_as_asset[body];
    }

    RayShape* shape(std::int32_t body, std::int32_t index, ColourBy colour_by) {
        const bool is_shared = index == 0 && rests_as_asset[body];
        RayShape& s = shapes[{is_shared ? -1 - first_with_asset[body] : body, index}];
        s.is_used = true;
        if (!s.tree) {
            const RecordedBody& recorded = recording->bodies[body];
            s.build(device.get(), assets.at(recorded.asset.get()),
                    is_shared ? recorded.asset->surface.points : recorded.shapes[index]);
            ++builds;
        }
        if (s.measured != colour_by) {
            s.measured = colour_by;
            s.measures.clear();
            if (colour_by != ColourBy::None && !is_shared) {
                const RecordedBody& recorded = recording->bodies[body];
                s.measures =
                    colour_by == ColourBy::Example
                        ? measure_examples(recorded, static_cast<std::size_t>(index))
                        : measure_damage(*recorded.asset, recorded.shapes[index], colour_by);
            }
        }
        return &s;
    }

    void add_instance(const RayShape& s, bool is_measured, const Transform& pose_w,
                      const Vec3& origin_w) {
        const RayGeometry instance(rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_INSTANCE));
        rtcSetGeometryInstancedScene(instance.get(), s.tree.get());
        const Eigen::Matrix3f rotation = pose_w.rotation.toRotationMatrix().cast<float>();
        const Vec3f shift = (pose_w.translation - origin_w).cast<float>();
        std::array<float, 12> columns;
        std::copy_n(rotation.data(), 9, columns.begin());
        std::copy_n(shift.data(), 3, columns.begin() + 9);
        rtcSetGeometryTransform(instance.get(), 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR,
                                columns.data());
        rtcCommitGeometry(instance.get());
        rtcAttachGeometryByID(world.get(), instance.get(), static_cast<unsigned>(placed.size()));
        placed.push_back({&s, is_measured, rotation});
        drawn.push_back(s.asset);
    }

    Status check_frame(const Frame& frame) const {
        if (frame.bodies.size() != recording->bodies.size()) {
            return Error{fmt::format("a frame of {} bodies for a recording of {}",
                                     frame.bodies.size(), recording->bodies.size()),
                         "", ""};
        }
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            const BodyFrame& b = frame.bodies[i];
            const RecordedBody& body = recording->bodies[i];
            if (!b.is_present) continue;
            const std::string where = fmt::format("body {} at {} s", body.name, frame.time);
            if (!is_finite(b.pose_w)) return Error{"has a pose that is not finite", where, ""};
            if (b.shape == 0 && rests_as_asset[i]) continue;
            if (b.shape < 0 || b.shape >= std::int64_t(body.shapes.size())) {
                return Error{fmt::format("has no shape {}", b.shape), where, ""};
            }
            const std::vector<Vec3>& points = body.shapes[b.shape];
            if (points.size() != body.asset->surface.points.size()) {
                return Error{fmt::format("shape {} has another number of points", b.shape), where,
                             ""};
            }
            if (!std::all_of(points.begin(), points.end(),
                             [](const Vec3& p) { return is_finite(p); })) {
                return Error{fmt::format("shape {} has a point that is not finite", b.shape), where,
                             ""};
            }
        }
        return {};
    }
};

RayScene::RayScene(std::unique_ptr<State> state) : state_(std::move(state)) {}
RayScene::RayScene(RayScene&&) noexcept = default;
RayScene& RayScene::operator=(RayScene&&) noexcept = default;
RayScene::~RayScene() = default;

const std::vector<std::string>& RayScene::notes() const { return state_->textures.notes; }
std::int64_t RayScene::builds() const { return state_->builds; }

Result<RayScene> RayScene::make(const Recording& recording) {
    Result<RayDevice> device = make_ray_device();
    if (!device) return device.error();
    auto state = std::make_unique<State>();
    state->recording = &recording;
    state->device = std::move(device).value();
    std::map<const SurfaceAsset*, std::int32_t> first;
    for (const RecordedBody& body : recording.bodies) {
        const auto index = static_cast<std::int32_t>(state->first_with_asset.size());
        const auto [at, is_new] = first.emplace(body.asset.get(), index);
        if (const Status fine = is_new ? check_drawable(body) : Status(); !fine) {
            return fine.error();
        }
        state->first_with_asset.push_back(at->second);
        state->rests_as_asset.push_back(body.shapes.empty() ||
                                        body.shapes[0] == body.asset->surface.points);
    }
    state->textures = load_textures(recording);
    for (const RecordedBody& body : recording.bodies) {
        state->assets.try_emplace(body.asset.get(), body.asset, state->textures);
    }
    return RayScene(std::move(state));
}

Status RayScene::place(const Frame& frame, const Vec3& origin_w, ColourBy colour_by) {
    State& s = *state_;
    if (Status fine = s.check_frame(frame); !fine) return fine;
    for (auto& [key, shape] : s.shapes) shape.is_used = false;
    s.placed.clear();
    s.drawn.clear();
    s.world.reset(rtcNewScene(s.device.get()));
    rtcSetSceneFlags(s.world.get(), RTC_SCENE_FLAG_ROBUST);
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const BodyFrame& b = frame.bodies[i];
        const RecordedBody& recorded = s.recording->bodies[i];
        if (!b.is_present || recorded.is_hidden || recorded.asset->render.triangles.empty()) {
            continue;
        }
        const auto body = static_cast<std::int32_t>(i);
        s.add_instance(*s.shape(body, b.shape, colour_by),
                       colour_by != ColourBy::None && s.is_ever_damaged(body), b.pose_w, origin_w);
    }
    std::erase_if(s.shapes, [](const auto& entry) {
        return !entry.second.is_used && entry.first.first >= 0;  // shared rest shapes stay
    });
    build_tree(s.world.get());
    return {};
}

bool RayScene::trace(const Ray& ray, bool sees_glass, std::uint32_t seed, SurfaceHit& hit) const {
    const State& s = *state_;
    RayContext context;
    rtcInitIntersectContext(&context.rtc);
    context.assets = s.drawn.data();
    context.seed = seed;
    context.glass = sees_glass ? GlassRule::Stop : GlassRule::Dice;
    RTCRayHit found;
    found.ray = embree_ray(ray);
    found.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    found.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(s.world.get(), &context.rtc, &found);
    if (found.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;

    fill(s.placed[found.hit.instID[0]], ray, found, hit);
    return true;
}

float RayScene::light_through(const Ray& ray) const {
    const State& s = *state_;
    RayContext context;
    rtcInitIntersectContext(&context.rtc);
    context.assets = s.drawn.data();
    context.glass = GlassRule::Dim;
    RTCRay blocked = embree_ray(ray);
    rtcOccluded1(s.world.get(), &context.rtc, &blocked);
    return blocked.tfar < 0.0f ? 0.0f : context.through;
}

}  // namespace ductile
