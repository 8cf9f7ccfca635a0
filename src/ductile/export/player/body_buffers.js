// SPDX-License-Identifier: MIT
import { makeBuffer, edgesOf } from './gl.js';
import { NormalCarrier } from './normals.js';
import { ShapeReader } from './shape_reader.js';

const STRIDE = 20;  // a point as three floats, a normal as four 16-bit shares

function packVertices(asset, points, carry) {
  const bytes = new ArrayBuffer(STRIDE * asset.vertices);
  const floats = new Float32Array(bytes), shorts = new Int16Array(bytes);
  for (let v = 0; v < asset.vertices; ++v) {
    const p = 3 * asset.placeOf[v];
    floats[5 * v] = points[p]; floats[5 * v + 1] = points[p + 1]; floats[5 * v + 2] = points[p + 2];
  }
  carry((v, x, y, z) => {
    shorts[10 * v + 6] = Math.round(32767 * x);
    shorts[10 * v + 7] = Math.round(32767 * y);
    shorts[10 * v + 8] = Math.round(32767 * z);
  });
  return bytes;
}

/** What the graphics card holds of an asset, for all bodies that have it. */
export class AssetBuffers {
  constructor(gl, asset) {
    this.gl = gl;
    this.asset = asset;
    const { normals } = asset;
    const rest = packVertices(asset, asset.points, (put) => {
      for (let v = 0; v < asset.vertices; ++v) put(v, normals[3 * v] / 32767, normals[3 * v + 1] / 32767, normals[3 * v + 2] / 32767);
    });
    this.rest = makeBuffer(gl, gl.ARRAY_BUFFER, rest);
    this.indices = makeBuffer(gl, gl.ELEMENT_ARRAY_BUFFER, asset.indices);
    this.uvs = asset.uvs && makeBuffer(gl, gl.ARRAY_BUFFER, asset.uvs);
    this.colours = asset.colours && makeBuffer(gl, gl.ARRAY_BUFFER, asset.colours);
  }

  /** Made when first asked for. */
  get edges() {
    if (!this.edgeBuffer) {
      const edges = edgesOf(this.asset.indices, this.asset.placeOf);
      this.edgeBuffer = makeBuffer(this.gl, this.gl.ELEMENT_ARRAY_BUFFER, edges);
      this.edgeCount = edges.length;
    }
    return this.edgeBuffer;
  }

  get carrier() {
    this.normalCarrier = this.normalCarrier || new NormalCarrier(this.asset);
    return this.normalCarrier;
  }
}

/** White as in pictures (record/example_colours.h). */
const POSE_AT_REST = [0.913, 0.913, 0.913, 1];

/** A body on the graphics card: at most two of its shapes at a time, those that are blended. */
export class BodyBuffers {
  constructor(gl, film, body, asset) {
    this.gl = gl;
    this.body = body;
    this.asset = asset;
    this.slots = [{ code: -2, buffer: null }, { code: -2, buffer: null }];
    this.reader = body.codes.length > 0 ? new ShapeReader(film, body) : null;
    this.damage = body.damage && makeBuffer(gl, gl.ARRAY_BUFFER, this.packDamage());
    this.poseColours = body.poseColours && makeBuffer(gl, gl.ARRAY_BUFFER, this.packPoseColours());
  }

  packDamage() {
    const { asset, damage } = this.body, places = asset.places;
    const packed = new Int16Array(6 * asset.vertices);
    for (let v = 0; v < asset.vertices; ++v) {
      const p = asset.placeOf[v];
      packed[6 * v] = damage[p];
      packed[6 * v + 1] = damage[places + p];
      for (let k = 0; k < 3; ++k) packed[6 * v + 2 + k] = damage[2 * places + 3 * p + k];
    }
    return packed;
  }

  packPoseColours() {
    const { asset, poseColours } = this.body, packed = new Uint8Array(4 * asset.vertices);
    for (let v = 0; v < asset.vertices; ++v) {
      for (let k = 0; k < 4; ++k) packed[4 * v + k] = poseColours[4 * asset.placeOf[v] + k];
    }
    return packed;
  }

  /** The buffer of shape `code`; the one of `kept` stays as it is. */
  shape(code, kept) {
    if (code < 0) return this.asset.rest;
    const known = this.slots.find((slot) => slot.code === code);
    if (known) return known.buffer;
    const gl = this.gl, slot = this.slots.find((s) => s.code !== kept);
    const points = this.reader.points(code);
    const data = packVertices(this.body.asset, points, (put) => this.asset.carrier.carry(points, put));
    slot.buffer = slot.buffer || gl.createBuffer();
    slot.code = code;
    gl.bindBuffer(gl.ARRAY_BUFFER, slot.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    return slot.buffer;
  }

  /** Binds all that a vertex has, blended between two shapes. */
  bind(from, to) {
    const gl = this.gl;
    const first = this.shape(from, to), second = this.shape(to, from);
    const point = (location, buffer, count, type, normalised, stride, offset) => {
      gl.enableVertexAttribArray(location);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.vertexAttribPointer(location, count, type, normalised, stride, offset);
    };
    const absent = (location, value) => {
      gl.disableVertexAttribArray(location);
      gl.vertexAttrib4fv(location, value);
    };
    point(0, first, 3, gl.FLOAT, false, STRIDE, 0);
    point(1, first, 3, gl.SHORT, true, STRIDE, 12);
    point(2, second, 3, gl.FLOAT, false, STRIDE, 0);
    point(3, second, 3, gl.SHORT, true, STRIDE, 12);
    point(4, this.asset.rest, 3, gl.FLOAT, false, STRIDE, 0);
    if (this.asset.uvs) point(5, this.asset.uvs, 2, gl.FLOAT, false, 8, 0); else absent(5, [0, 0, 0, 0]);
    if (this.asset.colours) point(6, this.asset.colours, 4, gl.UNSIGNED_SHORT, true, 8, 0); else absent(6, [1, 1, 1, 1]);
    if (this.damage) {
      point(7, this.damage, 2, gl.SHORT, false, 12, 0);
      point(8, this.damage, 3, gl.SHORT, false, 12, 4);
    } else {
      absent(7, [0, 0, 0, 0]);
      absent(8, [0, 0, 0, 0]);
    }
    if (this.poseColours) point(9, this.poseColours, 4, gl.UNSIGNED_BYTE, true, 4, 0); else absent(9, POSE_AT_REST);
  }
}
