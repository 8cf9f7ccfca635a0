// SPDX-License-Identifier: MIT
// Vectors are arrays of three, quaternions of four (x, y, z, w), matrices of sixteen by columns.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);
export const unit = (a) => { const n = norm(a); return n > 0 ? scale(a, 1 / n) : [0, 1, 0]; };
export const mix = (a, b, t) => a.map((x, i) => x + t * (b[i] - x));
export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

/** The rotation at share t of the short way from a to b. */
export function slerp(a, b, t) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  let s = 1 - t, u = t;
  if (cosine < 0.9995) {  // nearer than that the plain mean is as good, and does not divide by 0
    const angle = Math.acos(cosine), sine = Math.sin(angle);
    s = Math.sin((1 - t) * angle) / sine;
    u = Math.sin(t * angle) / sine;
  }
  const q = a.map((x, i) => s * x + sign * u * b[i]);
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

export function poseMatrix([x, y, z], [qx, qy, qz, qw]) {
  return new Float32Array([
    1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy + qz * qw), 2 * (qx * qz - qy * qw), 0,
    2 * (qx * qy - qz * qw), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz + qx * qw), 0,
    2 * (qx * qz + qy * qw), 2 * (qy * qz - qx * qw), 1 - 2 * (qx * qx + qy * qy), 0,
    x, y, z, 1]);
}

export function multiply(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; ++c) {
    for (let r = 0; r < 4; ++r) {
      let sum = 0;
      for (let k = 0; k < 4; ++k) sum += a[4 * k + r] * b[4 * c + k];
      out[4 * c + r] = sum;
    }
  }
  return out;
}

/** World to eye: the eye looks along -z, with y as nearly up as can be. */
export function lookAt(eye, target, up) {
  const z = unit(sub(eye, target));
  let x = cross(up, z);
  if (norm(x) < 1e-6) x = cross([0, 0, 1], z);
  x = unit(x);
  const y = cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
    -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}

export function perspective(fieldOfView, aspect, near, far) {
  const f = 1 / Math.tan(fieldOfView / 2);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0,
    0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0]);
}

export function orthographic(radius, near, far) {
  return new Float32Array([1 / radius, 0, 0, 0, 0, 1 / radius, 0, 0,
    0, 0, -2 / (far - near), 0, 0, 0, -(far + near) / (far - near), 1]);
}

export function transformPoint(m, p) {
  return [0, 1, 2, 3].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
}
