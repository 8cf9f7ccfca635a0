// SPDX-License-Identifier: MIT
#include "wedge.h"

#include <fmt/format.h>

#include <string_view>

namespace ductile::cli {
namespace {

constexpr std::size_t kMostVariants = 64;

std::vector<std::string> split_values(std::string_view text) {
    std::vector<std::string> values(1);
    int depth = 0;
    bool is_quoted = false;
    for (const char c : text) {
        if (c == '"') is_quoted = !is_quoted;
        if (!is_quoted && (c == '[' || c == '{')) ++depth;
        if (!is_quoted && (c == ']' || c == '}')) --depth;
        if (c == ',' && depth == 0 && !is_quoted) {
            values.emplace_back();
        } else {
            values.back() += c;
        }
    }
    return values;
}

}  // namespace

Result<Wedges> read_wedges(std::span<const std::string> wedges) {
    Wedges all;
    all.variants.emplace_back();
    for (const std::string& wedge : wedges) {
        const std::size_t equals = wedge.find('=');
        if (equals == 0 || equals == std::string::npos) {
            return Error{fmt::format("'{}' names no field and values", wedge), "--wedge",
                         "write field=value,value, such as material.yield=1e8,2e8,4e8"};
        }
        const std::vector<std::string> values = split_values(wedge.substr(equals + 1));
        std::vector<std::vector<std::string>> more;
        for (const std::vector<std::string>& variant : all.variants) {
            for (const std::string& value : values) {
                if (value.empty()) {
                    return Error{fmt::format("'{}' has an empty value", wedge), "--wedge",
                                 "write field=value,value, such as material.yield=1e8,2e8,4e8"};
                }
                more.push_back(variant);
                more.back().push_back(wedge.substr(0, equals + 1) + value);
            }
        }
        if (more.size() > kMostVariants) {
            return Error{fmt::format("more than {} variants", kMostVariants), "--wedge",
                         "give fewer values"};
        }
        all.variants = std::move(more);
        all.columns = values.size();
    }
    return all;
}

}  // namespace ductile::cli
