// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/file_units.h>
#include <ductile/io/polygon_soup.h>
#include <ductile/io/read_model.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ductile {

/// Something that was left out: how often, and where first.
struct ObjLeft {
    std::size_t count = 0;
    std::size_t byte = 0;

    void add(std::size_t at) {
        if (count++ == 0) byte = at;
    }
};

/// Names in the order of their first use.
class NameList {
public:
    std::int32_t id(std::string_view name) {
        const auto found = ids_.find(name);
        if (found != ids_.end()) return found->second;
        const auto made = static_cast<std::int32_t>(names_.size());
        names_.emplace_back(name);
        return ids_.emplace(name, made).first->second;
    }
    std::size_t size() const { return names_.size(); }
    const std::string& name(std::size_t id) const { return names_[id]; }

private:
    std::vector<std::string> names_;
    std::map<std::string, std::int32_t, std::less<>> ids_;
};

/// What holds for the faces from `first_face` on.
struct ObjState {
    std::size_t first_face = 0;
    std::int32_t object = 0;
    std::int32_t group = 0;
    std::int32_t material = -1;
};

/// The statements of an OBJ, before they become parts and looks. Every corner names a point that is
/// there.
struct ObjStatements {
    PolygonSoup soup;
    std::vector<std::uint32_t> face_bytes;  ///< Where each face begins.
    NameList objects, groups, materials;    ///< The first object and group have no name.
    std::vector<ObjState> states{ObjState{}};
    std::vector<std::pair<std::size_t, std::string_view>> libraries;  ///< Byte and rest of line.
    FileUnits units;
    ObjLeft small_faces, bad_attributes, bad_numbers, lines, unknown;
    std::string_view unknown_word;
};

/// Error (`where`: the line): what is wrong first. The text must outlive the statements.
Result<ObjStatements> read_obj_statements(std::string_view text, const ReadLimits& limits);

}  // namespace ductile
