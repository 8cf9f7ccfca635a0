// SPDX-License-Identifier: MIT
import { add, sub, scale, cross, norm, unit, mix, clamp, lookAt, perspective, multiply } from './math.js';

const STEEPEST = 0.495 * Math.PI;
const PICTURE_ASPECT = 1.4;  // in narrower windows the view widens, so that its sides stay in sight

/** A camera that circles its target, and can follow the film's. */
export class OrbitCamera {
  constructor(film) {
    this.fieldOfView = film.camera.field_of_view_deg * Math.PI / 180;
    this.views = film.camera.views;
    this.target = [0, 0, 0];
    this.distance = 5;
    this.yaw = 0.6;
    this.pitch = 0.35;
    this.follows = this.views.length > 1;
    if (this.views.length > 0) this.place(this.views[0]);
  }

  get hasFilmCamera() { return this.views.length > 0; }

  place([eye, target]) {
    const way = sub(eye, target);
    this.target = [...target];
    this.distance = Math.max(norm(way), 1e-6);
    this.pitch = clamp(Math.asin(clamp(way[1] / this.distance, -1, 1)), -STEEPEST, STEEPEST);
    this.yaw = Math.atan2(way[0], way[2]);
  }

  /** Goes where the film's camera is, if it follows it. */
  follow(frame) {
    if (!this.follows) return;
    const low = Math.min(Math.floor(frame), this.views.length - 1), high = Math.min(low + 1, this.views.length - 1);
    const share = frame - Math.floor(frame);
    this.place([mix(this.views[low][0], this.views[high][0], share), mix(this.views[low][1], this.views[high][1], share)]);
  }

  get direction() {
    return [Math.sin(this.yaw) * Math.cos(this.pitch), Math.sin(this.pitch), Math.cos(this.yaw) * Math.cos(this.pitch)];
  }

  get eye() { return add(this.target, scale(this.direction, this.distance)); }

  orbit(dx, dy) {
    this.follows = false;
    this.yaw -= dx;
    this.pitch = clamp(this.pitch + dy, -STEEPEST, STEEPEST);
  }

  /** Moves across the picture, in shares of its height. */
  pan(dx, dy) {
    this.follows = false;
    const right = unit(cross([0, 1, 0], this.direction)), up = cross(this.direction, right);
    const height = 2 * this.distance * Math.tan(this.fieldOfView / 2);
    this.target = add(this.target, add(scale(right, -dx * height), scale(up, dy * height)));
  }

  zoom(factor) {
    this.follows = false;
    this.distance = clamp(this.distance * factor, 1e-4, 1e5);
  }

  /** Keeps its direction and takes a ball into view. */
  frameBall(centre, radius, aspect) {
    this.follows = false;
    const half = Math.atan(this.slope(aspect) * Math.min(1, aspect));
    this.target = [...centre];
    this.distance = Math.max(1.15 * radius / Math.sin(half), 1e-3);
  }

  /** Tangent of half the angle from the lower to the upper edge. */
  slope(aspect) { return Math.tan(this.fieldOfView / 2) * Math.min(2.5, Math.max(1, PICTURE_ASPECT / aspect)); }

  matrices(aspect, sceneRadius) {
    const far = 4 * this.distance + 40 * sceneRadius + 400;
    const view = lookAt(this.eye, this.target, [0, 1, 0]);
    const projection = perspective(2 * Math.atan(this.slope(aspect)), aspect, this.distance / 100, far);
    return { view, projection, both: multiply(projection, view), far };
  }
}

/** Mouse, wheel and touch. `changed` is called after every move of the camera. */
export function attachPointer(canvas, camera, changed) {
  const pointers = new Map();
  const height = () => Math.max(1, canvas.clientHeight);
  const apart = () => {
    const [a, b] = [...pointers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, gap: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  };
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  const release = (event) => pointers.delete(event.pointerId);
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const before = pointers.size === 2 ? apart() : null;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const dx = event.clientX - last.x, dy = event.clientY - last.y;
    if (before) {
      const now = apart();
      camera.pan((now.x - before.x) / height(), (now.y - before.y) / height());
      camera.zoom(before.gap / now.gap);
    } else if (event.buttons & 6 || event.shiftKey) {
      camera.pan(dx / height(), dy / height());
    } else {
      camera.orbit(Math.PI * dx / height(), Math.PI * dy / height());
    }
    changed();
  });
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1;
    camera.zoom(Math.exp(clamp(event.deltaY * lines, -400, 400) * 0.0015));
    changed();
  }, { passive: false });
}
