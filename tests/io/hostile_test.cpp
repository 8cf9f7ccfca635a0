// SPDX-License-Identifier: MIT
// Files that are broken on purpose, and real ones, read through the door that users take.
#include <ductile/io/read_model.h>

#include <doctest/doctest.h>
#include <io/test_files.h>
#include <support/skip.h>

#include <array>
#include <map>

using namespace ductile;
using namespace ductile::test;

namespace {

struct HostileFile {
    const char* name;
    std::size_t triangles;  ///< 0: refused.
    const char* message;    ///< Of the error (with its place), or of a note; empty for none.
};

constexpr std::array kHostileFiles{
    HostileFile{"00_good_spot.obj", 1654, ""},
    HostileFile{"00_good_spot_big_endian.ply", 1654, ""},
    HostileFile{"truncated_mid_face.obj", 0, "line 2483: the file ends within a face"},
    HostileFile{"truncated_header.ply", 0, "line 4: the header never ends"},
    HostileFile{"count_lies_more.ply", 0, "line 9: the header promises 829000 of element"},
    HostileFile{"count_lies_fewer.ply", 0, "byte 31624: the file ends too early"},
    HostileFile{"nan_inf.obj", 0, "line 6: \"nan\" is not a finite number"},
    HostileFile{"index_bad.obj", 0, "line 2485: the face \"0 1 2\" names a vertex that does not"},
    HostileFile{"empty.obj", 0, "is empty"},
    HostileFile{"empty.ply", 0, "is empty"},
    HostileFile{"comments_only.obj", 0, "has no faces (0 vertices)"},
    HostileFile{"faces_only.obj", 0, "line 1: the face \"1 2 3\" names a vertex that does not"},
    HostileFile{"one_vertex.obj", 0, "has no faces (1 vertices)"},
    HostileFile{"one_tet.obj", 4, ""},
    HostileFile{"nonmanifold_edge_cubes.obj", 24, ""},
    HostileFile{"nonmanifold_vertex_cubes.obj", 24, ""},
    HostileFile{"nonmanifold_real_dragon.obj", 2564, ""},
    HostileFile{"flat_zero_volume.obj", 1654, ""},
    HostileFile{"collinear.obj", 38, ""},
    HostileFile{"degenerate_faces.obj", 1417, "237 faces without three different corners left out"},
    HostileFile{"huge_1e30.obj", 1654, ""},
    HostileFile{"tiny_1e-30.obj", 1654, ""},
    HostileFile{"one_vertex_3e38.obj", 1654, ""},
    HostileFile{"aspect_1e7.obj", 1654, ""},
    HostileFile{"wrong_header.ply", 0, "line 1: does not begin with the line \"ply\""},
    HostileFile{"ply_inside.obj", 1654, "the file is called .obj but holds PLY"},
    HostileFile{"obj_inside.ply", 1654, "the file is called .ply but holds OBJ"},
    HostileFile{"wrong_header.off", 0, "line 1: does not begin with OFF"},
    HostileFile{"solid_but_binary.stl", 1654, ""},
    HostileFile{"count_wrong.stl", 0,
                "byte 80: promises 99999999 triangles, but has room for 1654"},
    HostileFile{"ascii_no_end.stl", 0, "line 6: the file ends within a triangle"},
    HostileFile{"garbage.obj", 0, "byte 3: is not text"},
    HostileFile{"garbage.ply", 0, "line 1: does not begin with the line \"ply\""},
    HostileFile{"garbage.stl", 0, "byte 80: promises"},
    HostileFile{"garbage.msh", 0, "byte 3: is not text"},
    HostileFile{"кролик 兎 🐇.obj", 1654, ""},
    HostileFile{"ngons.obj", 372, ""},
    HostileFile{"ngon_1000.obj", 998, ""},
    HostileFile{"ngon_nonplanar.obj", 2, ""},
    HostileFile{"negative_indices.obj", 1654, ""},
    HostileFile{"cr_only.obj", 1654, ""},
    HostileFile{"bom.obj", 1654, ""},
    HostileFile{"crlf_real_hatchback.obj", 788,
                "line 4: the material library \"hatchback.mtl\" is"},
    HostileFile{"tabs_spaces.obj", 1654, ""},
    HostileFile{"continuation.obj", 4, ""},
    HostileFile{"vertex_colours_w.obj", 1654, "9924 corners name texture coordinates or normals"},
    HostileFile{"faces_before_vertices.obj", 1654, ""},
    HostileFile{"interleaved_groups.obj", 1654,
                "a path out of the asset's folder, which is not op"},
    HostileFile{"inverted.obj", 1654, ""},
    HostileFile{"mixed_winding.obj", 1654, ""},
    HostileFile{"two_sided.obj", 3308, ""},
    HostileFile{"nested_shells.obj", 3308, ""},
    HostileFile{"overlapping.obj", 3308, ""},
    HostileFile{"noise_self_intersecting.obj", 1654, ""},
    HostileFile{"long_line.obj", 0, "has no face with three different corners"},
    HostileFile{"long_token.obj", 0,
                "line 1: the number \"1111111111111111111111111111111111111111"},
    HostileFile{"tet_inverted.mesh", 4, "1 tetrahedra are inside out"},
    HostileFile{"tet_index.mesh", 0, "line 11: names vertex 9, but there are 4"},
    HostileFile{"tet_truncated.msh", 0, "line 1268: the file ends too early"},
    HostileFile{"msh41_header.msh", 0, "line 2: is a binary Gmsh file"},
};

struct RealFile {
    const char* name;
    std::size_t vertices;
    std::size_t triangles;
};

// As the README of the folder counts them; vertices only where none is split or unused.
constexpr std::array kRealFiles{
    RealFile{"armadillo_43k.ply", 43243, 86482},
    RealFile{"armadillo_531.obj", 0, 1058},
    RealFile{"armadillo_tet_4406.mesh", 1446, 2532},
    RealFile{"bucket.obj", 526, 1028},
    RealFile{"bunny_30k_closed.obj", 29834, 59664},
    RealFile{"bunny_35k_open.obj", 0, 69451},
    RealFile{"bunny_3k.off", 3485, 6966},
    RealFile{"car_gclass_twosided.obj", 0, 7100},
    RealFile{"car_hatchback_low.obj", 0, 788},
    RealFile{"car_hmmwv_8k.obj", 0, 15330},
    RealFile{"car_sedan_21k.obj", 0, 39170},
    RealFile{"comb.obj", 1665, 2696},
    RealFile{"craft_racer.obj", 142, 280},
    RealFile{"cylinder_tet_2524.msh", 642, 706},
    RealFile{"dragon_23k.ply", 22998, 47794},
    RealFile{"dragon_5k.ply", 5205, 11102},
    RealFile{"gz_jersey_barrier.obj", 214, 432},
    RealFile{"gz_radio_tower.obj", 3548, 4892},
    RealFile{"gz_standpipe.obj", 192, 380},
    RealFile{"i_beam.obj", 44, 84},
    RealFile{"paperclip.obj", 234, 464},
    RealFile{"raptor_9k_quads.obj", 0, 17632},
    RealFile{"salad_bowl.obj", 0, 1408},
    RealFile{"seamonster_tet_3376.mesh", 1175, 2280},
    RealFile{"spot_3k.obj", 3225, 5856},
    RealFile{"spot_quads.obj", 0, 372},
    RealFile{"torus_tet_862.msh", 264, 408},
    RealFile{"tshirt_open.msh", 2180, 4265},
    RealFile{"wingnut_3k.obj", 3047, 6090},
};

}  // namespace

TEST_CASE("every broken mesh loads as it should or is refused with its place") {
    DUCTILE_NEEDS_REAL_FILE("meshes-hostile");
    const std::filesystem::path folder = real_file("meshes-hostile");
    for (const HostileFile& file : kHostileFiles) {
        CAPTURE(file.name);
        const Result<Model> model = read_model(folder / file.name);
        CHECK(model.ok() == (file.triangles > 0));
        if (model.ok()) {
            CHECK(triangle_count(model.value()) == file.triangles);
            CHECK(is_sound(model.value()));
            if (*file.message != '\0') CHECK(has_note(model.value(), file.message));
        } else {
            const std::string text = model.error().text();
            CAPTURE(text);
            CHECK(text.find(file.message) != std::string::npos);
            CHECK(model.error().where.find(file.name) != std::string::npos);
        }
    }
}

TEST_CASE("every real mesh of our own formats loads with the counts that are known of it") {
    DUCTILE_NEEDS_REAL_FILE("meshes");
    const std::filesystem::path folder = real_file("meshes");
    std::map<std::string, RealFile> known;
    for (const RealFile& file : kRealFiles) known[file.name] = file;
    std::size_t seen = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        const std::string extension = entry.path().extension().string();
        if (extension == ".md" || extension == ".png" || extension == ".glb") continue;
        CAPTURE(name);
        const Result<Model> model = read_model(entry.path());
        REQUIRE_MESSAGE(model.ok(), model.error().text());
        CHECK(is_sound(model.value()));
        const auto counts = known.find(name);
        if (counts == known.end()) continue;
        ++seen;
        CHECK(triangle_count(model.value()) == counts->second.triangles);
        if (counts->second.vertices > 0) {
            CHECK(vertex_count(model.value()) == counts->second.vertices);
        }
    }
    CHECK(seen > 20);
}
