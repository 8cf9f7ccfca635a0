// SPDX-License-Identifier: MIT
// PC2: "POINTCACHE2", then version, points, first frame, frames per sample, samples; the places
// follow, little-endian. MDD: samples and points, the samples' times, the places; big-endian.
#include <ductile/core/assert.h>
#include <ductile/core/file_names.h>
#include <ductile/core/file_writer.h>
#include <ductile/export/sequence/obj.h>
#include <ductile/export/sequence/point_cache.h>
#include <ductile/export/track/body_poser.h>
#include <ductile/export/track/check_recording.h>
#include <ductile/export/track/written_vertices.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <span>
#include <string>

namespace ductile {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they stand");

constexpr std::string_view kPc2Magic("POINTCACHE2\0", 12);
constexpr std::int32_t kPc2Version = 1;

/// Bytes in one of the two orders.
class CacheBytes {
public:
    explicit CacheBytes(PointCacheKind kind) : is_swapped_(kind == PointCacheKind::Mdd) {}

    void add(std::int32_t value) { add_word(std::bit_cast<std::uint32_t>(value)); }
    void add(float value) { add_word(std::bit_cast<std::uint32_t>(value)); }
    void add(std::string_view text) { bytes_ += text; }
    void clear() { bytes_.clear(); }
    std::string_view view() const { return bytes_; }

private:
    void add_word(std::uint32_t word) {
        if (is_swapped_) {
            word =
                (word >> 24) | ((word >> 8) & 0xff00u) | ((word << 8) & 0xff0000u) | (word << 24);
        }
        char raw[4];
        std::memcpy(raw, &word, 4);
        bytes_.append(raw, 4);
    }
    bool is_swapped_;
    std::string bytes_;
};

void add_header(CacheBytes& bytes, PointCacheKind kind, std::size_t point_count,
                const std::vector<Frame>& frames) {
    const auto points = static_cast<std::int32_t>(point_count);
    const auto samples = static_cast<std::int32_t>(frames.size());
    if (kind == PointCacheKind::Pc2) {
        bytes.add(kPc2Magic);
        bytes.add(kPc2Version);
        bytes.add(points);
        bytes.add(0.0f);  // the first sample's frame
        bytes.add(1.0f);  // frames from sample to sample
        bytes.add(samples);
        return;
    }
    bytes.add(samples);
    bytes.add(points);
    for (const Frame& frame : frames) bytes.add(static_cast<float>(frame.time - frames[0].time));
}

Transform to_cache(CacheSpace space, const BodyPoser& poser) {
    return space == CacheSpace::World ? poser.pose_w() : Transform();
}

Status write_rest(const BodyPoser& poser, CacheSpace space, const std::filesystem::path& path) {
    return write_obj(poser.asset(), poser.points(), poser.normals(), path, ObjParts::Groups,
                     to_cache(space, poser));
}

// Where all of a body is that is not there: no reader of a cache can hide it, and what broke would
// lie within its parts.
Vec3 middle_of(std::span<const Vec3> points) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& point : points) sum += point;
    return points.empty() ? sum : Vec3(sum / static_cast<double>(points.size()));
}

}  // namespace

Status write_point_cache(const Recording& recording, std::size_t body, PointCacheKind kind,
                         CacheSpace space, const std::filesystem::path& path,
                         const Checkpoint& checkpoint) {
    BodyPoser poser(recording, body);
    const WrittenVertices written(poser.asset().render);
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    const std::size_t frame_count = recording.frames.size();
    if (written.count() > most || frame_count > most) {
        return Error{"more points or frames than the format can count", path.string(), ""};
    }
    Result<FileWriter> file = FileWriter::open(path);
    if (!file) return file.error();
    CacheBytes bytes(kind);
    add_header(bytes, kind, written.count(), recording.frames);
    for (std::size_t f = 0; f < frame_count; ++f) {
        poser.show(f);
        const Transform to_file = to_cache(space, poser);
        const auto points = written.points(poser.points());
        const Vec3 together = middle_of(points);
        for (const Vec3& point : points) {
            const Vec3 place = to_file.point(poser.is_present() ? point : together);
            if (!(place.cwiseAbs().maxCoeff() <= std::numeric_limits<float>::max())) {
                return Error{"a place fits into no float", path.string(), ""};
            }
            for (int i = 0; i < 3; ++i) bytes.add(static_cast<float>(place[i]));
        }
        if (Status done = file.value().append(bytes.view()); !done) return done;
        bytes.clear();
        if (!checkpoint) continue;
        const double share = static_cast<double>(f + 1) / static_cast<double>(frame_count);
        if (Status on = checkpoint(share); !on) return on;
    }
    return file.value().finish();
}

Status write_point_caches(const Recording& recording, PointCacheKind kind, CacheSpace space,
                          const std::filesystem::path& folder, const Checkpoint& checkpoint) {
    if (Status good = check_recording(recording); !good) return good;
    const std::string ending = kind == PointCacheKind::Pc2 ? ".pc2" : ".mdd";
    Result<FolderWriter> files = FolderWriter::open(folder, ending + " .obj .mtl .png .jpg");
    if (!files) return files.error();
    std::set<std::string> taken;
    const auto count = static_cast<double>(recording.bodies.size());
    for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
        if (!BodyPoser::can_show(recording, b)) continue;
        const std::string name = free_file_name(recording.bodies[b].name, taken);
        const auto on_frame = [&](double share) -> Status {
            return checkpoint ? checkpoint((static_cast<double>(b) + share) / count) : Status();
        };
        const std::filesystem::path path = files.value().path() / name;
        Status done = write_rest(BodyPoser(recording, b), space, path.string() + ".obj");
        if (done) {
            done = write_point_cache(recording, b, kind, space, path.string() + ending, on_frame);
        }
        if (!done) return files.value().named(done.error());
    }
    return files.value().finish();
}

}  // namespace ductile
