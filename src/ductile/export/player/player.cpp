// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/export/player/player.h>
#include <ductile/export/player/player_bytes.h>
#include <ductile/export/player/player_data.h>
#include <ductile/export/player/player_page.h>
#include <ductile/export/track/check_recording.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

namespace ductile {
namespace {

// Parts are packed on several threads and unpacked one by one, so none needs much memory [bytes].
constexpr std::size_t kPartSize = std::size_t{4} << 20;
// Browsers keep arrays and strings below this; header offsets are exact far beyond it [bytes].
constexpr std::size_t kMostData = std::numeric_limits<std::int32_t>::max();

Status check_player_options(const PlayerOptions& o, std::size_t frame_count) {
    if (!(o.position_error >= 1e-7 && o.position_error <= 0.1)) {
        return Error{"must lie between 1e-7 and 0.1", "position_error", ""};
    }
    if (!std::isfinite(o.ground_height)) return Error{"is not finite", "ground_height", ""};
    if (!is_finite(o.ground_colour)) return Error{"is not finite", "ground_colour", ""};
    if (!is_finite(o.sun_direction_w) || o.sun_direction_w.norm() == 0.0) {
        return Error{"must be finite and not zero", "sun_direction", ""};
    }
    if (!(o.field_of_view_deg >= 1.0 && o.field_of_view_deg <= 150.0)) {
        return Error{"must lie between 1 and 150", "field_of_view_deg", ""};
    }
    if (o.camera.size() > 1 && o.camera.size() != frame_count) {
        return Error{fmt::format("{} views for {} frames", o.camera.size(), frame_count), "camera",
                     "give none, one, or one per frame"};
    }
    for (const PlayerView& view : o.camera) {
        if (!is_finite(view.eye_w) || !is_finite(view.target_w)) {
            return Error{"a view is not finite", "camera", ""};
        }
    }
    return {};
}

// Text as HTML shows it, in an element or a quoted attribute. Markup in it is shown, not done.
std::string html_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    }
    return out;
}

// Puts in each {{name}}; what is put in is not looked at again.
std::string fill_template(std::string_view page,
                          const std::map<std::string_view, std::string_view>& values) {
    std::string out;
    for (std::size_t at = 0;;) {
        const std::size_t open = page.find("{{", at);
        const std::size_t close = open == page.npos ? page.npos : page.find("}}", open);
        out += page.substr(at, open - at);
        if (close == page.npos) return out;
        const auto value = values.find(page.substr(open + 2, close - open - 2));
        DUCTILE_ASSERT(value != values.end(), "a name of the template that nobody knows");
        out += value->second;
        at = close + 2;
    }
}

// One element per part: base64 of zlib streams, which an HTML reader takes as text.
std::string data_elements(const std::string& header, const std::string& data) {
    std::vector<std::string_view> parts = {header};
    for (std::size_t at = 0; at < data.size(); at += kPartSize) {
        parts.push_back(std::string_view(data).substr(at, kPartSize));
    }
    std::vector<std::string> packed(parts.size());
    parallel_for(parts.size(), 1, [&](std::size_t i) { packed[i] = base64(deflated(parts[i])); });
    std::string out;
    for (const std::string& text : packed) {
        out += "<script type=\"text/plain\" class=\"part\">";
        out += text;
        out += "</script>\n";
    }
    return out;
}

}  // namespace

Result<std::string> player_html(const Recording& recording, const PlayerOptions& options) {
    if (Status good = check_player_options(options, recording.frames.size()); !good) {
        return good.error();
    }
    if (Status good = check_recording(recording); !good) return good.error();
    Result<PlayerData> made = player_data(recording, options);
    if (!made) return made.error();
    const PlayerData& data = made.value();
    if (data.data.size() > kMostData) {
        return Error{
            fmt::format("{} bytes of data are more than a browser holds", data.data.size()), "",
            "record fewer frames, or allow a larger position_error"};
    }
    // Names need not be UTF-8; a mark takes the place of bytes that are not.
    const std::string header = data.header.dump(-1, ' ', false, Json::error_handler_t::replace);
    // The page runs what carries its nonce, and nothing else: not for secrets, but another line of
    // defence should text ever be taken for markup. Of the content, so that bytes do not change.
    Hasher hash;
    hash.add(header);
    const std::string nonce = fmt::format("{:016x}", hash.value());
    const std::string title = html_text(options.title);
    const std::string parts = data_elements(header, data.data);
    return fill_template(player_template(), {{"title", title},
                                             {"nonce", nonce},
                                             {"style", player_style()},
                                             {"script", player_script()},
                                             {"parts", parts}});
}

Status write_player(const Recording& recording, const std::filesystem::path& path,
                    const PlayerOptions& options) {
    Result<std::string> page = player_html(recording, options);
    if (page) return write_file(path, page.value());
    Error error = page.error();
    error.where = error.where.empty() ? path.string() : path.string() + ", " + error.where;
    return error;
}

}  // namespace ductile
