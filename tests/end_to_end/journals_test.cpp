// SPDX-License-Identifier: MIT
// A replay is the run: journals of random scenes, written, read and replayed.
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/record/shown_hash.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/replay.h>
#include <ductile/scene/run_frames.h>

#include <doctest/doctest.h>
#include <end_to_end/random_scenes.h>
#include <support/reason.h>
#include <support/sanitized.h>
#include <support/temp_folder.h>

using namespace ductile;

namespace {

const std::uint64_t kRandomScenes = test::kIsSanitized ? 20 : 200;

/// Runs a scene and replays its journal; how many hits it holds.
std::size_t run_and_replay(const Scene& scene, const std::filesystem::path& path) {
    for (const Error& e : check_scene(scene)) FAIL_CHECK(e.text());
    const auto bodies = prepare_bodies(scene);
    REQUIRE_MESSAGE(bodies.ok(), test::reason(bodies));
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    Simulation simulation(*engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    const auto ids = populate(scene, bodies.value(), simulation, recorder);
    REQUIRE_MESSAGE(ids.ok(), test::reason(ids));
    REQUIRE(run_frames(scene, simulation, recorder).ok());
    const auto file = take_journals(scene, bodies.value(), ids.value(), simulation);
    REQUIRE_MESSAGE(file.ok(), test::reason(file));
    const Status written = write_journals(path, file.value());
    REQUIRE_MESSAGE(written.ok(), (written.ok() ? "" : written.error().text()));

    const Result<JournalFile> read = read_journals(path);
    REQUIRE_MESSAGE(read.ok(), test::reason(read));
    const auto again = prepare_bodies(read.value().scene);
    REQUIRE_MESSAGE(again.ok(), test::reason(again));
    const auto shapes = replay_shapes(read.value(), again.value(), read.value().time);
    REQUIRE_MESSAGE(shapes.ok(), test::reason(shapes));
    CHECK(shapes.value().shape_hash == simulation.shape_hash());
    const auto still = replay_still(read.value(), again.value(), shapes.value(), read.value().time);
    REQUIRE_MESSAGE(still.ok(), test::reason(still));
    CHECK(shown_hash(still.value()) == file.value().shown_hash);
    std::size_t hits = 0;
    for (const BodyJournal& body : read.value().bodies) hits += body.journal.hits().size();
    return hits;
}

}  // namespace

TEST_CASE("journals of bodies of a millimetre to a kilometre are read back and give the run") {
    const test::TempFolder folder;
    std::size_t dented = 0;  // Scenes in which impacts left marks, beside the one made by hand.
    for (std::uint64_t seed = 1; seed <= kRandomScenes; ++seed) {
        CAPTURE(seed);
        const Scene scene = test::random_scene(seed);
        const std::size_t hits = run_and_replay(scene, folder.path / "journal.json");
        if (hits > scene.hits.size()) ++dented;
    }
    INFO(dented << " scenes with dents of impacts, of " << kRandomScenes);
    // How many dents each scene leaves, last digits may decide; that replays were fed with dents of
    // impacts, and not by chance alone, they do not.
    CHECK(4 * dented >= kRandomScenes);
}
