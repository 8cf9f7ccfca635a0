// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/file.h>
#include <ductile/export/usd/usd_text.h>

#include <doctest/doctest.h>
#include <support/temp_folder.h>

namespace ductile::usd {

/// The text of a layer that `append` fills, its first line before it.
template <class Append>
std::string layer_text(Append&& append) {
    const test::TempFolder folder;
    Result<FileWriter> file = FileWriter::open(folder.path / "a.usda");
    REQUIRE(file.ok());
    UsdText text(file.value());
    text.line("#usda 1.0");
    append(text);
    REQUIRE(text.finish().ok());
    return read_file(folder.path / "a.usda").value();
}

}  // namespace ductile::usd
