// SPDX-License-Identifier: MIT
#include <ductile/io/companion.h>
#include <ductile/io/gltf/data_uri.h>
#include <ductile/io/obj/read_mtl.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace ductile {
namespace {

// Materials of all libraries of a file; more are no materials but an attack on memory.
constexpr std::size_t kMostMaterials = 65'536;

// About one library. Each counts lines, so that many would take long.
constexpr int kMostNotes = 50;

class MtlReader {
public:
    MtlReader(std::string_view text, std::string_view name, const ReadContext& context,
              std::vector<Look>& looks, std::vector<std::string>& notes)
        : text_(text), at_(text), name_(name), context_(context), looks_(looks), notes_(notes) {}

    void read() {
        std::set<std::shared_ptr<const Texture>> seen;
        for (const Look& look : looks_) {
            known_.emplace(look.name, 0);
            if (look.texture) seen.insert(look.texture);
        }
        for (const auto& texture : seen) picture_bytes_ += texture->bytes.size();
        while (!at_.is_at_end()) {
            at_.skip_blanks();
            line_ = at_.byte();
            read_statement(at_.word());
            at_.skip_line();
        }
    }

private:
    void note(std::string_view what) {
        if (++note_count_ > kMostNotes) return;
        if (note_count_ == kMostNotes) what = "more is wrong from here on";
        notes_.push_back(fmt::format("{}, {}: {}", name_, line_place(text_, line_), what));
    }

    void read_statement(std::string_view keyword) {
        if (keyword == "newmtl") return begin_material(at_.rest_of_line());
        if (!is_open_) return;
        Look& look = looks_.back();
        if (keyword == "Kd") {
            read_colour(look);
        } else if (keyword == "d") {
            read_share(look.opacity, "d");
        } else if (keyword == "Tr") {
            double transparency = 1.0 - look.opacity;
            read_share(transparency, "Tr");
            look.opacity = 1.0 - transparency;
        } else if (keyword == "Pr") {
            has_roughness_ = true;
            read_share(look.roughness, "Pr");
        } else if (keyword == "Pm") {
            read_share(look.metallic, "Pm");
        } else if (keyword == "Ns") {
            read_shininess(look);
        } else if (keyword == "map_Kd") {
            read_picture(look, at_.rest_of_line());
        }
    }

    void begin_material(std::string_view name) {
        has_roughness_ = false;
        is_open_ = looks_.size() < kMostMaterials && known_.emplace(name, 0).second;
        if (!is_open_) return note("a material that is there already, left out");
        looks_.emplace_back().name = name;
    }

    std::optional<double> number() {
        at_.skip_blanks();
        double value = 0.0;
        if (at_.read(value) != TextCursor::Number::Good || !at_.is_at_word_end()) return {};
        return value;
    }

    void read_share(double& share, const char* keyword) {
        at_.skip_blanks();
        if (at_.peek() == '-') at_.word();  // "d -halo 0.5"
        const std::optional<double> value = number();
        if (!value) return note(fmt::format("{} without a number, left out", keyword));
        share = std::clamp(*value, 0.0, 1.0);
        if (share != *value) note(fmt::format("{} beyond 0 to 1, moved into it", keyword));
    }

    void read_colour(Look& look) {
        Vec3 colour;
        for (int k = 0; k < 3; ++k) {
            const std::optional<double> value = number();
            if (!value && k == 0) return note("Kd without a number, left out");
            colour[k] = value.value_or(colour[0]);
        }
        look.base_colour = colour.cwiseMax(0.0).cwiseMin(1.0);
        if (look.base_colour != colour) note("Kd beyond 0 to 1, moved into it");
    }

    // The exponent of a Blinn-Phong highlight that is as wide as one of this roughness:
    // Ns = 2 / r^4 - 2 (B. Karis 2013, with glTF's alpha = r^2).
    void read_shininess(Look& look) {
        const std::optional<double> value = number();
        if (!value) return note("Ns without a number, left out");
        if (has_roughness_) return;
        look.roughness = std::pow(2.0 / (std::max(*value, 0.0) + 2.0), 0.25);
    }

    // Options such as "-s 1 1 1" come before the name, which may hold blanks.
    void read_picture(Look& look, std::string_view name) {
        if (name.starts_with('-')) {
            note("options of map_Kd, left out");
            const std::size_t last = name.find_last_of(" \t");
            name = last == name.npos ? name : name.substr(last + 1);
        }
        const Result<std::shared_ptr<const Texture>> picture = load(std::string(name));
        if (picture.ok()) {
            look.texture = picture.value();
        } else {
            note("the texture " + shown_word(name) + " is left out: " + picture.error().what);
        }
    }

    Result<std::shared_ptr<const Texture>> load(const std::string& name) {
        if (const auto found = pictures_.find(name); found != pictures_.end()) {
            return found->second;
        }
        const Result<std::string> content =
            read_companion(context_.folder, name, context_.limits.file_bytes - picture_bytes_);
        if (!content) return content.error();
        const auto* first = reinterpret_cast<const std::byte*>(content.value().data());
        auto texture = std::make_shared<Texture>();
        texture->name = name;
        texture->bytes.assign(first, first + content.value().size());
        texture->mime_type = picture_type(texture->bytes);
        if (texture->mime_type.empty()) return Error{"is neither PNG nor JPEG", name, ""};
        picture_bytes_ += texture->bytes.size();
        return pictures_.emplace(name, std::move(texture)).first->second;
    }

    std::string_view text_;
    TextCursor at_;
    std::string_view name_;
    const ReadContext& context_;
    std::vector<Look>& looks_;
    std::vector<std::string>& notes_;
    std::map<std::string, int, std::less<>> known_;
    std::map<std::string, std::shared_ptr<const Texture>> pictures_;
    std::size_t line_ = 0;
    std::uintmax_t picture_bytes_ = 0;  // Of all pictures together.
    int note_count_ = 0;
    bool is_open_ = false;
    bool has_roughness_ = false;
};

}  // namespace

void read_mtl(std::string_view text, std::string_view name, const ReadContext& context,
              std::vector<Look>& looks, std::vector<std::string>& notes) {
    MtlReader(text, name, context, looks, notes).read();
}

}  // namespace ductile
