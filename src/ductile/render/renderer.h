// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/record/recording.h>
#include <ductile/render/camera.h>
#include <ductile/render/image.h>
#include <ductile/render/render_options.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ductile {

/// Whether a picture can be taken like that. Errors name the field.
Status check(const Camera& camera);
Status check(const RenderOptions& options);

/// Takes pictures of a recording, one frame at a time, without a screen.
///
/// Shapes that stay the same from picture to picture are not built again; a moved body costs
/// nothing. The same recording, camera and options give the same bytes at any number of threads
/// and in any order of frames.
class Renderer {
public:
    /// Requires: `recording` outlives this and does not change.
    /// Error: a body that cannot be drawn (`where` names it). A recording without bodies is fine.
    static Result<Renderer> make(const Recording& recording);

    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;
    ~Renderer();

    /// The picture of one frame. 640 x 360 at 8 samples: about a second on two cores.
    /// With `colour_by` bodies show their damage and a legend tells the scale; bodies that keep
    /// their shape throughout the recording are grey. A range of 0 is taken from the whole
    /// recording, so that a colour means the same in every frame.
    /// Error: a camera, options or frame that cannot be drawn; `options.stop` was set.
    Result<Image> draw(const Frame& frame, const Camera& camera, const RenderOptions& options = {});

    /// The same before it is developed: linear radiance, for measurements; without a legend.
    Result<Radiance> trace(const Frame& frame, const Camera& camera,
                           const RenderOptions& options = {});

    /// What is drawn otherwise than its file says, in words for the user: pictures that cannot be
    /// decoded, whose looks then show their base colour. Known from make() on.
    const std::vector<std::string>& notes() const;

    /// How many shapes were built so far.
    std::int64_t builds() const;

private:
    struct State;
    explicit Renderer(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ductile
