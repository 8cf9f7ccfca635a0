// SPDX-License-Identifier: MIT
import { NumberReader } from './decode.js';

/**
 * Decodes the shapes of one body. Every so many shapes one is told from rest, the others from the
 * one before: any shape is a short way off, and whole numbers make every way to it end the same.
 */
export class ShapeReader {
  constructor(film, body) {
    this.film = film;
    this.body = body;
    this.moves = new Int32Array(3 * body.asset.places);  // in steps from rest
    this.code = -1;
  }

  /** Points per place of shape `code` (-1: at rest), in the body's frame. */
  points(code) {
    const { asset, step } = this.body;
    if (code < 0) return asset.points;
    this.seek(code);
    const points = new Float32Array(asset.points);
    for (let i = 0; i < points.length; ++i) points[i] += step * this.moves[i];
    return points;
  }

  seek(code) {
    if (code === this.code) return;
    const key = code - code % this.film.keyInterval;
    let next = this.code + 1;
    if (this.code < key || this.code > code) {
      this.moves.fill(0);
      next = key;
    }
    for (; next <= code; ++next) {
      if (next % this.film.keyInterval === 0) this.moves.fill(0);
      this.add(this.body.codes[next]);
    }
    this.code = code;
  }

  add(at) {
    const reader = new NumberReader(this.film.data, at);
    const runs = new Uint32Array(2 * reader.next());
    for (let i = 0; i < runs.length; ++i) runs[i] = reader.next();
    for (let axis = 0; axis < 3; ++axis) {
      let value = 0, place = 0;
      for (let r = 0; r < runs.length; r += 2) {
        place += runs[r];
        for (const end = place + runs[r + 1]; place < end; ++place) {
          this.moves[3 * place + axis] += value += reader.nextSigned();
        }
      }
    }
  }
}
