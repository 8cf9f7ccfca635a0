// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ductile::test {

/// A row of a table with a head line.
struct CsvRow {
    std::map<std::string, std::string> fields;

    std::string text(const std::string& name) const {
        REQUIRE(fields.contains(name));
        return fields.at(name);
    }
    double number(const std::string& name) const { return std::stod(text(name)); }
};

/// Of a table of validation/; at least one.
inline std::vector<CsvRow> csv_rows(const std::string& name) {
    std::ifstream file(std::string(DUCTILE_SOURCE_DIR) + "/validation/" + name);
    REQUIRE(file.good());
    const auto split = [](const std::string& line) {
        std::vector<std::string> cells;
        std::stringstream stream(line);
        for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
        return cells;
    };
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> names = split(line);
    std::vector<CsvRow> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> cells = split(line);
        CsvRow row;
        for (std::size_t i = 0; i < std::min(names.size(), cells.size()); ++i) {
            row.fields[names[i]] = cells[i];
        }
        rows.push_back(row);
    }
    REQUIRE_FALSE(rows.empty());
    return rows;
}

}  // namespace ductile::test
