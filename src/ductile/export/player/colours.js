// SPDX-License-Identifier: MIT
// The colours of damage, the same as in pictures (render/colour_scale.h): blended in OKLab (Bjoern
// Ottosson 2020), dark blue at 0, teal, yellow at the end; pink where a surface was raised.
import { mix, norm, sub } from './math.js';

export const MODES = [
  { id: 'looks', label: 'looks' },
  { id: 'displacement', label: 'displacement', unit: 'm', title: 'Displacement at this frame' },
  { id: 'depth', label: 'depth at the end', unit: 'm', title: 'Dent depth at the end' },
  { id: 'strain', label: 'strain at the end', unit: '', title: 'Strain at the end' },
  { id: 'scratch', label: 'scratch at the end', unit: 'm', title: 'Scratch direction at the end' },
  { id: 'example', label: 'example poses at the end', unit: '', title: 'Example poses at the end' },
];

/** Those that this recording has something for. */
export const modesOf = (film) => MODES.filter((mode) => mode.id !== 'example' || film.poses.length > 0);

const polar = (lightness, chroma, hue) => [lightness, chroma * Math.cos(hue * Math.PI / 180), chroma * Math.sin(hue * Math.PI / 180)];
const BLUE = polar(0.38, 0.11, 268), TEAL = polar(0.62, 0.095, 185), YELLOW = polar(0.91, 0.16, 104), PINK = polar(0.80, 0.13, 350);
export const GREY = [0.38, 0, 0];
/** +x, -x, +y, -y, +z, -z. */
export const DIRECTIONS = [25, 195, 145, 325, 262, 95].map((hue) => polar(0.72, 0.12, hue));

export function linearFromOklab([l, a, b]) {
  const p = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const q = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const r = (l - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [4.0767416621 * p - 3.3077115913 * q + 0.2309699292 * r,
    -1.2684380046 * p + 2.6097574011 * q - 0.3413193965 * r,
    -0.0041960863 * p - 0.7034186147 * q + 1.7076147010 * r].map((x) => Math.min(1, Math.max(0, x)));
}

/** Linear RGB at a share of the scale, -1 to 1. */
export function scaleColour(share) {
  if (share < 0) return linearFromOklab(mix(BLUE, PINK, Math.min(1, -share)));
  const first = norm(sub(TEAL, BLUE)), second = norm(sub(YELLOW, TEAL));
  const way = Math.min(1, share) * (first + second);
  return linearFromOklab(way < first ? mix(BLUE, TEAL, way / first) : mix(TEAL, YELLOW, (way - first) / second));
}

const toSrgb = (x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
export const cssColour = (linear) => `rgb(${linear.map((x) => Math.round(255 * toSrgb(x))).join(' ')})`;

/** The scale from -1 to 1 as 512 pixels of linear RGBA floats. */
export function scaleTable() {
  const table = new Float32Array(4 * 512);
  for (let i = 0; i < 512; ++i) table.set([...scaleColour((i + 0.5) / 256 - 1), 1], 4 * i);
  return table;
}

/** What the end of each mode's scale stands for: the most that the recording has of it. */
export function measureRanges(film) {
  const most = (values) => values.reduce((a, b) => Math.max(a, b), 0);
  const damaged = film.bodies.filter((body) => body.damage);
  const kinds = [0, 1, 2].map((k) => most(damaged.map((body) => 32767 * body.damageSteps[k])));
  const isRaised = damaged.some((body) => {
    const least = body.damage.subarray(0, body.asset.places).reduce((a, b) => Math.min(a, b), 0);
    return -least * body.damageSteps[0] > 0.02 * kinds[0];
  });
  return { displacement: most(film.bodies.map((body) => body.reach)), depth: kinds[0], strain: kinds[1], scratch: kinds[2], isRaised, poses: film.poses };
}

export function withUnit(value, unit) {
  if (unit === 'm' && Math.abs(value) < 1) return `${Number((1000 * value).toPrecision(3))} mm`;
  return `${Number(value.toPrecision(3))}${unit ? ` ${unit}` : ''}`;
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Names in rows of so many, each with its colour. */
function swatches(named, columns) {
  const row = element('div', undefined, 'swatches');
  row.style.gridTemplateColumns = `repeat(${columns}, auto)`;
  for (const [name, colour] of named) {
    const entry = element('span');
    const swatch = element('span', undefined, 'swatch');
    swatch.style.background = cssColour(colour);
    entry.append(swatch, name);
    row.append(entry);
  }
  return row;
}

/** Fills the legend for a mode; empties and hides it where there is nothing to tell. */
export function showLegend(box, mode, ranges) {
  box.replaceChildren();
  box.hidden = mode.id === 'looks';
  if (box.hidden) return;
  box.append(element('h2', mode.title));
  if (mode.id === 'example') {
    box.append(swatches(ranges.poses.map(([name, ...colour]) => [name, colour]), 2), element('div', 'white at rest', 'hushed'));
    return;
  }
  const range = ranges[mode.id];
  if (!(range > 0)) {
    box.append(element('div', 'No body changed its shape.', 'hushed'));
    return;
  }
  if (mode.id === 'scratch') {
    const named = ['+x', '-x', '+y', '-y', '+z', '-z'].map((name, i) => [name, linearFromOklab(DIRECTIONS[i])]);
    box.append(swatches(named, 6), element('div', `full colour at ${withUnit(range, mode.unit)}, grey at 0; axes of the body`, 'hushed'));
    return;
  }
  const low = mode.id === 'depth' && ranges.isRaised ? -1 : 0;
  const strip = element('canvas');
  strip.width = 240;
  strip.height = 1;
  const pen = strip.getContext('2d');
  for (let x = 0; x < 240; ++x) {
    pen.fillStyle = cssColour(scaleColour(low + (1 - low) * (x + 0.5) / 240));
    pen.fillRect(x, 0, 1, 1);
  }
  const numbers = element('div', undefined, 'scale');
  const ticks = low < 0 ? [-range, 0, range] : [0, range / 2, range];
  numbers.append(...ticks.map((value) => element('span', withUnit(value, mode.unit))));
  box.append(strip, numbers);
  if (low < 0) box.append(element('div', 'below 0: raised', 'hushed'));
}
