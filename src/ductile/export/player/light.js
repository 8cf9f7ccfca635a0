// SPDX-License-Identifier: MIT
// What lights the stage, worked out once: the same sky as in shaders.js and render/sky.cpp, gathered
// over half spheres.
import { add, scale, mix, dot, cross, unit, clamp } from './math.js';

// Light that reaches shade by way of other surfaces, by eye: shade is lighter and less blue.
const BOUNCED = 0.45;
const STEPS = 9, RINGS = 12, SPOKES = 24;

function upperSky(d, sun) {
  const haze = Math.exp(-Math.max(0, d[1]) / 0.17);
  const t = Math.max(0, dot(d, sun)), t8 = t ** 8;
  const air = mix([0.10, 0.23, 0.56], [0.68, 0.86, 1.08], haze * (0.92 + 0.08 * t));
  return add(air, scale([1.0, 0.86, 0.66], sun[1] > 0 ? 0.10 * t8 + 0.45 * t8 ** 8 : 0));
}

function surroundings(d, sun, floor) {
  if (d[1] >= 0) return upperSky(d, sun);
  return mix(upperSky(unit([d[0] + 1e-6, 0, d[2]]), sun), floor, 1 - Math.exp(18 * d[1]));
}

/** Mean radiance around a normal of that height, by cosine. */
function gather(up, sun, floor) {
  const level = Math.sqrt(Math.max(0, 1 - up * up));
  const aside = unit([sun[2], 0, -sun[0] + 1e-9]);
  const n = unit([level * aside[0], up, level * aside[2]]);
  const u = unit(cross(Math.abs(n[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], n)), v = cross(n, u);
  let sum = [0, 0, 0];
  for (let r = 0; r < RINGS; ++r) {
    const radius = Math.sqrt((r + 0.5) / RINGS), height = Math.sqrt(1 - radius * radius);
    for (let s = 0; s < SPOKES; ++s) {
      const angle = 2 * Math.PI * (s + 0.5) / SPOKES;
      const d = add(add(scale(u, radius * Math.cos(angle)), scale(v, radius * Math.sin(angle))), scale(n, height));
      sum = add(sum, surroundings(d, sun, floor));
    }
  }
  return scale(sum, 1 / (RINGS * SPOKES));
}

/** Uniforms of the lighting. */
export function makeLight(film) {
  const sun = unit(film.sun);
  const colour = film.ground ? film.ground.colour : [0.31, 0.30, 0.285];
  const share = clamp(sun[1] / 0.45, 0, 1);
  const sunlight = sun[1] > 0 ? mix([4.2, 2.2, 1.0], [5.6, 5.0, 4.2], share * share * (3 - 2 * share)) : [0, 0, 0];
  const falling = add(gather(1, sun, [0, 0, 0]), scale(sunlight, Math.max(0, sun[1]) / Math.PI));
  const floor = colour.map((c, i) => c * falling[i]);
  const ambient = [];
  for (let i = 0; i < STEPS; ++i) {
    const light = gather(2 * i / (STEPS - 1) - 1, sun, floor), grey = dot(light, [0.3, 0.6, 0.1]);
    ambient.push(...mix(light, [grey, grey, grey], BOUNCED).map((x) => x * (1 + 0.7 * BOUNCED)));
  }
  return { u_sun: sun, u_sunlight: sunlight, u_floor: floor, u_ambient: new Float32Array(ambient) };
}
