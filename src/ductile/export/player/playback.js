// SPDX-License-Identifier: MIT
import { clamp } from './math.js';

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

/** Which moment is shown, and how it moves on. */
export class Playback {
  constructor(film) {
    this.film = film;
    this.frame = 0;  // with a fraction: between two frames
    this.isPlaying = false;
    this.speed = 1;
    this.loops = false;
  }

  get last() { return this.film.frameCount - 1; }

  seek(frame) {
    this.frame = clamp(Number.isFinite(frame) ? frame : 0, 0, this.last);
  }

  step(frames) {
    this.isPlaying = false;
    this.seek(Math.round(this.frame) + frames);
  }

  toggle() {
    this.isPlaying = !this.isPlaying && this.last > 0;
    if (this.isPlaying && this.frame >= this.last) this.frame = 0;
  }

  /** Moves on by seconds of the viewer's time. A pause stays on a whole frame. */
  advance(seconds) {
    if (!this.isPlaying) return;
    const { film } = this;
    let time = film.timeAt(this.frame) + seconds * this.speed;
    const first = film.times[0], end = film.times[this.last];
    if (time >= end) {
      if (this.loops && end > first) {
        time = first + (time - end) % (end - first);
      } else {
        this.isPlaying = false;
      }
    }
    this.frame = film.frameAt(time);
  }

  /** The last frame before something that happens at a time. */
  frameBefore(time) {
    const at = this.film.frameAt(time);
    return Math.max(0, Math.ceil(at - 1e-6) - 1);
  }
}
