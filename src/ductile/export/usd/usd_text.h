// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/file_writer.h>
#include <ductile/core/math.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// A USD text layer (.usda) in the making: indented lines that go to a file.
///
/// Keeps the first error of the file and writes nothing after it; `finish` tells.
class UsdText {
public:
    /// Requires: a file that stays.
    explicit UsdText(FileWriter& file) : file_(file) {}

    void line(std::string_view text);
    void blank() { buffer_ += '\n'; }
    /// A line and an opening brace (or another bracket); what follows is indented until `close`.
    void open(std::string_view text, std::string_view bracket = "{");
    void close(std::string_view bracket = "}");
    /// Opens a prim ("def Mesh \"geometry\"") with its metadata, each on a line of its own: there
    /// are readers that know no other form.
    void open_prim(std::string_view definition, std::initializer_list<std::string> metadata);

    /// What a prim has ("int[] faceVertexCounts = [3]"), then `metadata`, which stands between
    /// parentheses, on a line of its own for the same readers; or empty.
    void property(std::string_view text, std::string_view metadata = "");

    /// An attribute ("point3f[] points") with the value that `value` appends at each time code;
    /// without times or with a single one it holds for all time. With more the first one is also
    /// what readers without time show. `metadata` as above. Values are made in parallel.
    using Value = std::function<void(std::size_t sample, std::string& out)>;
    void attribute(std::string_view declaration, std::span<const double> times, const Value& value,
                   std::string_view metadata = "");

    const Status& status() const { return status_; }
    /// Hands the rest to the file and gives it its name.
    Status finish();

private:
    void flush(bool even_if_small);
    void indent() { buffer_.append(4 * depth_, ' '); }

    FileWriter& file_;
    std::string buffer_;
    std::size_t depth_ = 0;
    Status status_;
};

/// Frames that need a sample so that readers who blend linearly see each of `count` frames as it
/// is: the first, and each one that is not the `same` as the one before, with that one. Ascending.
template <class Same>
std::vector<std::size_t> usd_frames(std::size_t count, Same&& same) {
    std::vector<std::size_t> frames = {0};
    for (std::size_t f = 1; f < count; ++f) {
        if (same(f - 1, f)) continue;
        if (frames.back() + 1 < f) frames.push_back(f - 1);
        frames.push_back(f);
    }
    return frames;
}

/// Appends "(x, y, z)" lists and the like: floats as the shortest text that gives them back.
void append_usd(std::string& out, std::span<const Eigen::Vector3f> values);
void append_usd(std::string& out, std::span<const Eigen::Vector2f> values);
void append_usd(std::string& out, std::span<const float> values);
void append_usd(std::string& out, std::span<const std::int32_t> values);
std::string usd_tuple(const Vec3& v);  ///< As doubles.

/// A string in quotes, and an asset path in at-signs.
std::string usd_string(std::string_view text);
std::string usd_asset(std::string_view path);

/// A prim's name for anything called `name`: letters, digits and underscores, no digit first, none
/// that is among `taken`. Adds itself to `taken`.
std::string usd_name(std::string_view name, std::set<std::string>& taken);

}  // namespace ductile
