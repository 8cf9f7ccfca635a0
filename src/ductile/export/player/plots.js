// SPDX-License-Identifier: MIT
import { penFor, xOfFrame, frameOfX } from './timeline.js';

const CURVES = [
  { name: 'now', label: 'kinetic', colour: '#6fc3ff' },
  { name: 'forces', label: 'work of forces', colour: '#9aa3ad' },
  { name: 'dissipated', label: 'lost in contacts', colour: '#ffb454' },
  { name: 'gap', label: 'gap of the books', colour: '#ff7a7a' },
];

export function joules(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${(value / 1e6).toPrecision(3)} MJ`;
  if (size >= 1e3) return `${(value / 1e3).toPrecision(3)} kJ`;
  return `${size >= 0.005 ? value.toPrecision(3) : 0} J`;
}

/** Energies over time, on the timeline's scale. */
export class EnergyPlot {
  constructor(film, playback, canvas, legend, scrubbed) {
    Object.assign(this, { playback, canvas });
    this.curves = CURVES.filter((curve) => film.energy[curve.name]).map((curve) => ({ ...curve, values: film.energy[curve.name] }));
    // Before the first step nothing is measured; what there was then is told by the next entry.
    const now = this.curves.find((curve) => curve.name === 'now');
    if (now && now.values.length > 1) now.values = [film.energy.start[1], ...now.values.slice(1)];
    const all = this.curves.flatMap((curve) => [...curve.values]);
    this.high = all.reduce((a, b) => Math.max(a, b), 0);
    this.low = all.reduce((a, b) => Math.min(a, b), 0);
    if (!(this.high > this.low)) this.high = this.low + 1;
    this.numbers = this.curves.map((curve) => {
      const entry = document.createElement('span'), number = document.createElement('b');
      entry.style.color = curve.colour;
      entry.append(`${curve.label} `, number);
      legend.append(entry);
      return number;
    });
    const scrub = (event) => scrubbed(Math.round(frameOfX(event.offsetX, playback.last, canvas.clientWidth)));
    canvas.addEventListener('pointerdown', (event) => { canvas.setPointerCapture(event.pointerId); scrub(event); });
    canvas.addEventListener('pointermove', (event) => { if (event.buttons & 1) scrub(event); });
  }

  get isEmpty() { return this.curves.length === 0; }

  draw() {
    const { playback } = this, { pen, width, height } = penFor(this.canvas);
    const y = (value) => 18 + (height - 22) * (this.high - value) / (this.high - this.low);
    pen.strokeStyle = '#343b42';
    pen.beginPath();
    pen.moveTo(0, y(0));
    pen.lineTo(width, y(0));
    pen.stroke();
    pen.lineWidth = 1.5;
    pen.lineJoin = 'round';
    for (const curve of this.curves) {
      pen.strokeStyle = curve.colour;
      pen.beginPath();
      curve.values.forEach((value, f) => pen.lineTo(xOfFrame(f, playback.last, width), y(value)));
      pen.stroke();
    }
    pen.strokeStyle = '#e6e8eb';
    pen.lineWidth = 1;
    const x = Math.round(xOfFrame(playback.frame, playback.last, width)) + 0.5;
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, height);
    pen.stroke();
    this.curves.forEach((curve, i) => { this.numbers[i].textContent = joules(curve.values[Math.round(playback.frame)]); });
  }
}
