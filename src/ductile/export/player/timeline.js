// SPDX-License-Identifier: MIT
import { clamp } from './math.js';

const INSET = 8;  // [px] half a thumb: where the first frame is; as in player.css
const NEAR = 6;   // [px] a click this far from a mark means the mark

/** Makes a canvas's pixels the screen's; a pen whose unit is a CSS pixel. */
export function penFor(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const across = Math.max(1, Math.round(width * ratio)), down = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  const pen = canvas.getContext('2d');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}

/** Where on a strip of that width a frame is, and back. */
export const xOfFrame = (frame, last, width) => INSET + (last > 0 ? frame / last : 0) * (width - 2 * INSET);
export const frameOfX = (x, last, width) => clamp((x - INSET) / Math.max(1, width - 2 * INSET), 0, 1) * last;

/** Hits as marks above the slider: the deeper the taller. */
export class Timeline {
  constructor(film, playback, elements, calls) {
    Object.assign(this, { film, playback, elements, calls });
    const { scrub, marks } = elements;
    this.largest = {};  // of each kind: they have units of their own
    for (const hit of film.hits) this.largest[hit.kind] = Math.max(this.largest[hit.kind] ?? 1e-9, Math.abs(hit.size));
    this.frames = film.hits.map((hit) => film.frameAt(hit.time));
    scrub.max = String(playback.last);
    scrub.addEventListener('input', () => calls.scrubbed(Number(scrub.value)));
    marks.addEventListener('click', (event) => {
      const hit = this.hitAt(event.offsetX);
      if (hit) calls.hit(hit); else calls.scrubbed(Math.round(frameOfX(event.offsetX, playback.last, marks.clientWidth)));
    });
    marks.addEventListener('pointermove', (event) => {
      const hit = this.hitAt(event.offsetX);
      marks.title = hit ? calls.describe(hit) : '';
    });
  }

  x(index) { return xOfFrame(this.frames[index], this.playback.last, this.elements.marks.clientWidth); }

  /** The nearest hit, a chosen body's own before others. */
  hitAt(x) {
    let best = null, least = NEAR;
    this.film.hits.forEach((hit, i) => {
      const away = Math.abs(this.x(i) - x) + (this.chosen && hit.body !== this.chosen ? 0.5 * NEAR : 0);
      if (away < least && hit.body.isShown) { least = away; best = hit; }
    });
    return best;
  }

  draw(chosen, chosenHit) {
    this.chosen = chosen;
    const { scrub, marks } = this.elements;
    const frame = Math.round(this.playback.frame);
    if (Number(scrub.value) !== frame) scrub.value = String(frame);
    scrub.setAttribute('aria-valuetext', `frame ${frame}, ${this.film.timeAt(frame).toFixed(2)} seconds`);
    const { pen, height } = penFor(marks);
    const draw = (hit, i) => {
      const tall = 5 + (height - 6) * Math.sqrt(clamp(Math.abs(hit.size) / this.largest[hit.kind], 0, 1));
      pen.fillRect(this.x(i) - (hit === chosenHit ? 1.5 : 0.75), height - tall, hit === chosenHit ? 3 : 1.5, tall);
    };
    const draws = (wants, colour) => {
      pen.fillStyle = colour;
      this.film.hits.forEach((hit, i) => { if (hit.body.isShown && wants(hit)) draw(hit, i); });
    };
    draws((hit) => hit.body !== chosen, chosen ? '#59636d' : '#c9843a');
    if (chosen) draws((hit) => hit.body === chosen, '#ffb454');
    if (chosenHit) draws((hit) => hit === chosenHit, '#ffffff');
  }
}
