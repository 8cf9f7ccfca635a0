// SPDX-License-Identifier: MIT
// The recording as it stands in the page (docs/player.md): a header and arrays, as base64 of zlib
// streams. Nothing is fetched.
import { slerp, mix } from './math.js';

function bytesOfBase64(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Header and data from the texts of the page's parts. */
export async function readParts(texts) {
  const header = JSON.parse(new TextDecoder().decode(await inflate(bytesOfBase64(texts[0]))));
  const data = new Uint8Array(header.size);
  let at = 0;
  for (const text of texts.slice(1)) {
    const part = await inflate(bytesOfBase64(text));
    if (at + part.length > data.length) throw new Error('the page holds more data than it should');
    data.set(part, at);
    at += part.length;
  }
  if (at !== data.length) throw new Error('a part of the page is missing');
  return { header, data };
}

/** Numbers of seven bits a byte, lowest first. */
export class NumberReader {
  constructor(data, at) {
    this.data = data;
    this.at = at;
  }

  next() {
    let value = 0, shift = 0, byte;
    do {
      byte = this.data[this.at++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return value >>> 0;
  }

  nextSigned() {
    const value = this.next();
    return (value >>> 1) ^ -(value & 1);
  }
}

function readAsset(data, asset) {
  const buffer = data.buffer;
  const reader = new NumberReader(data, asset.numbers);
  const placeOf = new Int32Array(asset.vertices);
  for (let v = 0, last = 0; v < placeOf.length; ++v) placeOf[v] = last += reader.nextSigned();
  const indices = new Uint32Array(asset.looks.reduce((sum, look) => sum + look.count, 0));
  for (let i = 0, last = 0; i < indices.length; ++i) indices[i] = last += reader.nextSigned();
  return {
    ...asset,
    placeOf,
    indices,
    points: new Float32Array(buffer, asset.points, 3 * asset.places),
    normals: new Int16Array(buffer, asset.normals, 3 * asset.vertices),
    uvs: asset.uvs === undefined ? null : new Float32Array(buffer, asset.uvs, 2 * asset.vertices),
    colours: asset.colours === undefined ? null : new Uint16Array(buffer, asset.colours, 4 * asset.vertices),
  };
}

function readBody(data, body, index, film) {
  const frames = film.times.length;
  const present = new Uint8Array(frames);
  for (const [first, end] of body.present) present.fill(1, first, end);
  const codeAt = new Int32Array(frames).fill(-1);
  for (const [frame, code] of body.shapes || []) codeAt.fill(code, frame);
  const asset = body.asset < 0 ? null : film.assets[body.asset];
  return {
    name: body.name,
    index,
    isStatic: body.static,
    asset,
    present,
    codeAt,
    codes: body.codes || [],
    step: body.step || 0,
    reach: body.reach || 0,
    poses: new Float32Array(data.buffer, body.poses, 7 * body.pose_count),
    damage: body.damage === undefined ? null : new Int16Array(data.buffer, body.damage, 5 * asset.places),
    damageSteps: body.damage_steps || [0, 0, 0],
    poseColours: body.pose_colours === undefined ? null : new Uint8Array(data.buffer, body.pose_colours, 4 * asset.places),
    isShown: true,
    hitCount: 0,
  };
}

/** A recording that can be asked for any moment. */
export class Film {
  constructor(header, data) {
    if (header.format !== 'ductile player 1') throw new Error(`unknown format "${header.format}"`);
    this.data = data;
    this.title = header.title;
    this.description = header.description;
    this.times = header.times;
    this.frameRate = header.frame_rate;
    this.camera = header.camera;
    this.ground = header.ground;
    this.sun = header.sun;
    this.poses = header.poses || [];
    this.keyInterval = header.key_interval;
    this.energy = header.energy;
    this.textures = header.textures.map((t) => ({ type: t.type, bytes: data.subarray(t.at, t.at + t.size) }));
    this.assets = header.assets.map((asset) => readAsset(data, asset));
    this.bodies = header.bodies.map((body, i) => readBody(data, body, i, this));
    this.hits = header.hits.map(([time, body, position, size, kind, unit]) => ({ time, body: this.bodies[body], position, size, kind, unit }));
    for (const hit of this.hits) ++hit.body.hitCount;
  }

  get frameCount() { return this.times.length; }

  /** Frame, with a fraction, at a time [s]. */
  frameAt(time) {
    const times = this.times, last = times.length - 1;
    if (!(time > times[0])) return 0;
    if (time >= times[last]) return last;
    let low = 0, high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle; else high = middle;
    }
    return low + (time - times[low]) / (times[high] - times[low]);
  }

  timeAt(frame) {
    const low = Math.floor(frame), high = Math.min(low + 1, this.times.length - 1);
    return this.times[low] + (frame - low) * (this.times[high] - this.times[low]);
  }

  /** Place and rotation of a body, between frames by linear and spherical blending. */
  poseAt(body, frame) {
    const at = (f) => (body.poses.length === 7 ? 0 : 7 * f);
    const read = (f) => [Array.from(body.poses.subarray(at(f), at(f) + 3)), Array.from(body.poses.subarray(at(f) + 3, at(f) + 7))];
    const low = Math.floor(frame), share = frame - low;
    const from = read(low);
    // A body that is about to vanish stays where it is.
    if (share === 0 || body.poses.length === 7 || !body.present[low + 1]) return from;
    const to = read(low + 1);
    return [mix(from[0], to[0], share), slerp(from[1], to[1], share)];
  }
}
