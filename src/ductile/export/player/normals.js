// SPDX-License-Identifier: MIT

const SAME_NORMAL_COSINE = 0.996;  // as RenderSkin has it: about five degrees

/**
 * Turns the normals an asset came with by what the surface around each vertex turned, so that UV
 * seams stay smooth, creases stay sharp, and what has not moved keeps its normals. Faces count by
 * area, not by angle as in RenderSkin: both ends of the turn are measured alike, which is what
 * counts, and it takes no arc tangents.
 */
export class NormalCarrier {
  constructor(asset) {
    this.asset = asset;
    this.groupOf = groupVertices(asset);
    this.groupCount = this.groupOf.reduce((most, g) => Math.max(most, g), -1) + 1;
    this.rest = this.groupNormals(asset.points);
  }

  groupNormals(points) {
    const { indices, placeOf } = this.asset;
    const sums = new Float32Array(3 * this.groupCount);
    for (let t = 0; t < indices.length; t += 3) {
      const a = 3 * placeOf[indices[t]], b = 3 * placeOf[indices[t + 1]], c = 3 * placeOf[indices[t + 2]];
      const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
      const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
      const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
      for (let k = 0; k < 3; ++k) {
        const g = 3 * this.groupOf[indices[t + k]];
        sums[g] += nx; sums[g + 1] += ny; sums[g + 2] += nz;
      }
    }
    for (let g = 0; g < sums.length; g += 3) {
      const length = Math.hypot(sums[g], sums[g + 1], sums[g + 2]);
      const share = length > 0 ? 1 / length : 0;
      sums[g] *= share; sums[g + 1] *= share; sums[g + 2] *= share;
    }
    return sums;
  }

  /** Calls put(vertex, x, y, z) with the normal of each vertex for moved points. */
  carry(points, put) {
    const { normals } = this.asset, rest = this.rest, now = this.groupNormals(points);
    for (let v = 0; v < this.groupOf.length; ++v) {
      const g = 3 * this.groupOf[v];
      const x = normals[3 * v] / 32767, y = normals[3 * v + 1] / 32767, z = normals[3 * v + 2] / 32767;
      // The least rotation that takes one unit vector to the other: n + w x n + w x (w x n) / (1 + c).
      const ax = rest[g], ay = rest[g + 1], az = rest[g + 2], bx = now[g], by = now[g + 1], bz = now[g + 2];
      const cosine = ax * bx + ay * by + az * bz;
      if (cosine > 0.99999999 || cosine < -0.9999 || (ax === bx && ay === by && az === bz)) { put(v, x, y, z); continue; }
      const wx = ay * bz - az * by, wy = az * bx - ax * bz, wz = ax * by - ay * bx;
      const px = wy * z - wz * y, py = wz * x - wx * z, pz = wx * y - wy * x;
      const s = 1 / (1 + cosine);
      put(v, x + px + s * (wy * pz - wz * py), y + py + s * (wz * px - wx * pz), z + pz + s * (wx * py - wy * px));
    }
  }
}

/** Vertices at one place whose normals agree at rest form a group; per vertex its number. */
function groupVertices({ placeOf, normals, places }) {
  const groupOf = new Int32Array(placeOf.length);
  const first = new Int32Array(places).fill(-1);  // the first group of a place: one vertex of it
  const nextGroup = [], vertexOf = [];
  const agree = (a, b) => normals[3 * a] * normals[3 * b] + normals[3 * a + 1] * normals[3 * b + 1]
    + normals[3 * a + 2] * normals[3 * b + 2] > SAME_NORMAL_COSINE * 32767 * 32767;
  for (let v = 0; v < placeOf.length; ++v) {
    let g = first[placeOf[v]];
    while (g >= 0 && !agree(v, vertexOf[g])) g = nextGroup[g];
    if (g < 0) {
      g = vertexOf.length;
      vertexOf.push(v);
      nextGroup.push(first[placeOf[v]]);
      first[placeOf[v]] = g;
    }
    groupOf[v] = g;
  }
  return groupOf;
}
