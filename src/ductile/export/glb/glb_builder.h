// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// A glTF 2.0 document in the making, with the one binary buffer that its accessors point into.
///
/// Every accessor gets a buffer view of its own, 4-byte aligned, so that no stride is needed.
/// Floats are little-endian as they stand in memory; the build refuses other machines.
class GlbBuilder {
public:
    using Json = nlohmann::ordered_json;
    static constexpr std::size_t kFormatLimit = 0xffffffff;  ///< Lengths are 32 bits wide.

    /// Nothing is added once the file would pass `size_limit` bytes; `finish` then says so. Where
    /// deltas must be dense every number is written, zero or not.
    explicit GlbBuilder(std::size_t size_limit, bool has_dense_deltas = false);

    Json root;  ///< Whoever uses the builder fills it; `finish` adds buffers and accessors.

    /// Appends to an array of the root ("nodes", "meshes", ...) and returns the index.
    int add(const char* array, Json element);

    /// A buffer view of bytes that are no numbers, such as a picture.
    int add_bytes(std::span<const std::byte> bytes);

    /// Vertex attributes of `width` floats each (1 to 4), with their bounds.
    int add_vertices(std::span<const float> values, int width);
    /// Four joints per vertex.
    int add_joints(std::span<const std::uint16_t> joints);
    /// Matrices of 16 floats each, column by column.
    int add_matrices(std::span<const float> values);
    /// Triangle corners; 16 bits wide where the vertices allow it.
    int add_indices(std::span<const std::uint32_t> corners, std::size_t vertex_count);
    /// What a morph target adds to a vertex attribute of 3 floats: a sparse accessor where most are
    /// zero, next to nothing where all are. The bounds are those of all values.
    int add_deltas(std::span<const float> values);
    /// Key times [s]; equal lists are stored once. Requires: strictly ascending, not empty.
    int add_times(const std::vector<float>& times);
    /// What a channel takes at its key times: `width` 1, 3 or 4.
    int add_keys(std::span<const float> values, int width);

    /// The whole file. Error: larger than the limit.
    Result<std::string> finish();

private:
    int add_view(const void* data, std::size_t size, int target);
    int add_accessor(int view, int component, std::size_t count, int width);
    int add_sparse(std::size_t count, std::span<const std::uint32_t> places,
                   std::span<const float> moved);
    int add_zeros(std::span<const float> values);
    void set_bounds(int accessor, std::span<const float> values, int width);

    std::size_t size_limit_;
    bool has_dense_deltas_;
    bool is_too_large_ = false;
    std::string binary_;
    Json views_ = Json::array();
    Json accessors_ = Json::array();
    std::map<std::vector<float>, int> times_;
    std::map<std::size_t, int> zeros_;  ///< Accessor of that many zero vectors.
};

}  // namespace ductile
