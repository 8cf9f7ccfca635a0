// SPDX-License-Identifier: MIT
#include <ductile/core/names.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace ductile {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Levenshtein distance, capital letters counting as small ones.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t swap = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, swap});
        }
    }
    return row[b.size()];
}

// The only name that begins as `typed` does, or nearly so: "obj_sequence" for "obj".
std::string_view begun_name(std::string_view typed, std::span<const std::string_view> known) {
    if (typed.size() < 3) return {};
    const std::size_t most = typed.size() < 5 ? 1 : 2;
    std::string_view found;
    std::size_t fewest = most + 1;
    bool is_only = false;
    for (std::string_view name : known) {
        const std::size_t e = edits(typed, name.substr(0, typed.size()));
        if (e > most || e > fewest) continue;
        is_only = e < fewest;
        fewest = e;
        found = name;
    }
    return is_only ? found : std::string_view();
}

}  // namespace

std::string nearest_name(std::string_view typed, std::span<const std::string_view> known) {
    if (typed.empty() || typed.size() > 200) return "";
    const auto longer = [&](std::string_view name) {
        return std::max(name.size(), typed.size()) - std::min(name.size(), typed.size());
    };
    std::string_view best;
    std::size_t fewest = typed.size() / 3 + 2;
    for (std::string_view name : known) {
        const std::size_t e = edits(typed, name);
        const bool is_nearer = e == fewest && !best.empty() && longer(name) < longer(best);
        if (e < fewest || is_nearer) {
            fewest = e;
            best = name;
        }
    }
    return std::string(best.empty() ? begun_name(typed, known) : best);
}

}  // namespace ductile
