// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/render/image.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace ductile {

/// How pictures become a film.
struct FilmOptions {
    double frame_rate = 30.0;        ///< [1/s], in [1, 240].
    std::int32_t quality = 18;       ///< x264's constant rate factor: 0 lossless, 51 worst; VP9's
                                     ///< is chosen to look alike.
    std::string program = "ffmpeg";  ///< Name or path of the encoder.
};
template <class Visitor>
void visit_fields(FilmOptions& o, Visitor&& field) {
    field(Field{"frame_rate", "1/s", 1.0, 240.0, "pictures per second"}, o.frame_rate);
    field(Field{"quality", "", 0, 51, "x264's rate factor: 0 lossless, 51 worst"}, o.quality);
    field(Field{"program", "", 0, 0, "name or path of ffmpeg"}, o.program);
}

/// A film being written: pictures go in one by one, ffmpeg makes an H.264 MP4 of them that plays
/// everywhere (yuv420p, index in front), or VP9 in WebM where the file's name ends so. An odd width
/// or height gets one more row of black.
///
/// The file has its final name only after finish() succeeded; before that it lies beside it under
/// unfinished_name(). A Film that is destroyed unfinished stops ffmpeg and removes what it wrote.
/// No shell is involved, no signal handler is touched, and a dying ffmpeg raises no SIGPIPE.
class Film {
public:
    /// Starts ffmpeg. Makes missing folders.
    /// Error: ffmpeg is not there, a folder cannot be made, options out of range.
    static Result<Film> open(const std::filesystem::path& path, std::int32_t width,
                             std::int32_t height, const FilmOptions& options = {});

    Film(Film&&) noexcept;
    Film& operator=(Film&&) noexcept;
    ~Film();

    /// Appends one picture; waits while ffmpeg is busy.
    /// Requires: the size given to open(), not finished.
    /// Error: ffmpeg gave up (its message is in the hint); every later call says so again.
    Status add(const Image& image);

    /// Waits for ffmpeg and gives the file its name. Nothing may be added afterwards.
    /// Error: no picture was added, ffmpeg failed (disk full, ...); then no file is left behind.
    Status finish();

private:
    struct Encoder;
    explicit Film(std::unique_ptr<Encoder> encoder);
    std::unique_ptr<Encoder> encoder_;
};

}  // namespace ductile
