// SPDX-License-Identifier: MIT
// Counts what the readers allocate: a small file that promises much may not cost much. Replaces the
// allocation functions of this test program.
#include <doctest/doctest.h>
#include <io/test_files.h>
#include <malloc.h>
#include <support/sanitized.h>
#include <support/skip.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

namespace {

std::atomic<std::size_t> held_bytes{0};
std::atomic<std::size_t> peak_bytes{0};

}  // namespace

namespace {

void* counted(void* block) {
    if (block == nullptr) std::abort();
    const std::size_t held = held_bytes += malloc_usable_size(block);
    std::size_t peak = peak_bytes;
    while (held > peak && !peak_bytes.compare_exchange_weak(peak, held)) {
    }
    return block;
}

void release(void* block) {
    held_bytes -= malloc_usable_size(block);
    std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted(std::malloc(size)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return counted(std::malloc(size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(step, (size + step - 1) / step * step));
}
void operator delete(void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }

using namespace ductile;
using namespace ductile::test;

namespace {

// The most that reading these bytes holds at one time.
std::size_t cost_of(const std::string& bytes, const char* name) {
    const std::size_t before = held_bytes;
    peak_bytes = before;
    const Result<Model> model = read_text(bytes, name);
    return peak_bytes - before;
}

std::string ply(const std::string& format, const std::string& elements) {
    return "ply\nformat " + format + " 1.0\n" + elements + "end_header\n" + std::string(600, '1');
}

std::string lying_stl() {
    std::string bytes(684, ' ');
    for (int i = 80; i < 84; ++i) bytes[i] = static_cast<char>(i == 83 ? 0x05 : 0xff);
    return bytes;
}

}  // namespace

TEST_CASE("a small file that promises millions costs next to nothing") {
    if (kIsSanitized) DUCTILE_SKIP("a sanitizer hands out more than is asked for");
    const std::string positions = "property float x\nproperty float y\nproperty float z\n";
    const std::string corners = "property list uint int vertex_indices\n";
    const std::string text(600, '1');
    const std::pair<std::string, const char*> files[] = {
        {ply("ascii", "element vertex 4999999\n" + positions), "a.ply"},
        {ply("binary_little_endian", "element vertex 4999999\n" + positions), "a.ply"},
        {ply("binary_big_endian", "element face 4999999\n" + corners), "a.ply"},
        {ply("binary_little_endian", "element face 1\n" + corners), "a.ply"},
        {ply("ascii", "element face 1\n" + corners), "a.ply"},
        {ply("ascii", "element nothing 4000000000\nelement vertex 3\n" + positions), "a.ply"},
        {ply("ascii", "element tristrips 4000000\n" + corners), "a.ply"},
        {lying_stl(), "a.stl"},
        {"OFF\n4999999 9999999 0\n0 0 0\n" + text, "a.off"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n99999999 0 1 2\n" + text, "a.off"},
        {"MeshVersionFormatted 1\nDimension 3\nVertices\n4999999\n0 0 0 0\n" + text, "a.mesh"},
        {"MeshVersionFormatted 1\nDimension 3\nTetrahedra\n4999999\n" + text, "a.mesh"},
        {"$NOD\n4999999\n1 0 0 0\n" + text, "a.msh"},
        {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4999999 1 9\n3 1 0 4999999\n" + text,
         "a.msh"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n9999999\n1 4 0 0 99999999 1 " + text, "a.msh"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2147483647\n", "a.obj"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/2147483647/2147483647 2 3\n", "a.obj"},
    };
    for (const auto& [bytes, name] : files) {
        const std::string begin = bytes.substr(0, 90);
        CAPTURE(begin);
        REQUIRE(bytes.size() < 1024);
        CHECK(cost_of(bytes, name) < 64 << 10);
    }
}

TEST_CASE("a mesh costs at most twenty times its own bytes while it is read") {
    if (kIsSanitized) DUCTILE_SKIP("a sanitizer hands out more than is asked for");
    // A grid of 200 by 200 squares: its raw mesh is 24 bytes a vertex and 12 a triangle.
    constexpr int kSide = 201;
    std::string text;
    for (int i = 0; i < kSide * kSide; ++i) {
        text += "v " + std::to_string(i % kSide) + " " + std::to_string(i / kSide) + " 0\n";
    }
    for (int i = 0; i < kSide * (kSide - 1); ++i) {
        if (i % kSide == kSide - 1) continue;
        const auto corner = [&](int step) { return " " + std::to_string(i + step + 1); };
        text += "f" + corner(0) + corner(1) + corner(kSide + 1) + corner(kSide) + "\n";
    }
    const std::size_t raw = 24 * kSide * kSide + 2 * 12 * (kSide - 1) * (kSide - 1);
    CHECK(cost_of(text, "a.obj") < 20 * raw);
    CHECK(cost_of(text, "a.obj") > raw);  // The counter counts.
}
