// SPDX-License-Identifier: MIT
// A USD stage as tinyusdz reads it, against point caches in world space.
// Usage: node read_usd.mjs STAGE.usda FOLDER_OF_PC2
// Prints a line per body; exits with 1 if one is off, has no damage or lacks samples.
import fs from 'node:fs';
import path from 'node:path';
import initTinyUSDZ from 'tinyusdz/tinyusdz.js';

const kAllowed = 2e-5; // [m]: orientations are floats

// It is built for browsers; all that it wants of one is to be told so, and its program.
globalThis.window = globalThis;
process.type = 'renderer';
const program = fs.readFileSync(new URL('./node_modules/tinyusdz/tinyusdz.wasm', import.meta.url));
const native = await initTinyUSDZ({
  instantiateWasm: (imports, done) => {
    WebAssembly.instantiate(program, imports).then((made) => done(made.instance, made.module));
    return {};
  },
});

/** The layer as tinyusdz prints it after reading. */
function reprint(file) {
  const usd = new native.TinyUSDZLoaderNative();
  if (!usd.loadAsLayerFromBinary(new Uint8Array(fs.readFileSync(file)), path.basename(file))) {
    throw new Error(`${file}: ${usd.error()}`);
  }
  // The stage must also make sense as what it is: schemas, materials, meshes to draw.
  const drawn = new native.TinyUSDZLoaderNative();
  if (!drawn.loadFromBinary(new Uint8Array(fs.readFileSync(file)), path.basename(file))) {
    throw new Error(`${file}: ${drawn.error()}`);
  }
  const text = usd.layerToString();
  const meshes = (text.match(/def Mesh /g) ?? []).length;
  if (drawn.numMeshes() !== meshes) throw new Error(`${file}: ${drawn.numMeshes()} of ${meshes} meshes`);
  return { text };
}

const numbersOf = (text) => (text.match(/-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);

/** From an opening bracket to its partner. */
function bracketed(text, at) {
  let depth = 0;
  for (let i = at; i < text.length; ++i) {
    if (text[i] === '{' || text[i] === '(') ++depth;
    if (text[i] === '}' || text[i] === ')') --depth;
    if (depth === 0) return text.slice(at + 1, i);
  }
  throw new Error('a bracket without its partner');
}

/** Time codes and values of one attribute, or its only value; null if it is not there. */
function samplesOf(prim, name) {
  const sampled = prim.indexOf(`${name}.timeSamples`);
  if (sampled >= 0) {
    const body = bracketed(prim, prim.indexOf('{', sampled));
    const out = [];
    const entry = /(-?[\d.]+(?:e[-+]?\d+)?)\s*:\s*(\[[^\]]*\]|\([^)]*\)|"[^"]*")/gi;
    for (const m of body.matchAll(entry)) {
      out.push({ time: Number(m[1]), value: m[2].startsWith('"') ? m[2] : numbersOf(m[2]) });
    }
    return out;
  }
  const plain = new RegExp(`${name.replace(':', ':')}\\s*=\\s*(\\[[^\\]]*\\]|\\([^)]*\\)|"[^"]*")`);
  const m = prim.match(plain);
  return m && [{ time: 0, value: m[1].startsWith('"') ? m[1] : numbersOf(m[1]) }];
}

function valueAt(samples, time) {
  const next = samples.findIndex((s) => s.time >= time);
  if (next < 0) return samples.at(-1).value;
  if (next === 0 || samples[next].time === time) return samples[next].value;
  const a = samples[next - 1], b = samples[next];
  const t = (time - a.time) / (b.time - a.time);
  return a.value.map((x, i) => x + t * (b.value[i] - x));
}

function turn(q, p) { // q: w, x, y, z
  const [w, x, y, z] = q, [a, b, c] = p;
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

function readPc2(file) {
  const bytes = fs.readFileSync(file);
  const points = bytes.readInt32LE(16), samples = bytes.readInt32LE(28);
  const at = (s, i) => bytes.readFloatLE(32 + 4 * (3 * points * s + i));
  return { points, samples, at };
}

/** The text of each mesh below a prim, in order. */
function meshesOf(prim) {
  const out = [];
  for (const m of prim.matchAll(/def Mesh /g)) out.push(bracketed(prim, prim.indexOf('{', m.index)));
  return out;
}

function compare(prim, cache) {
  const meshes = meshesOf(prim).map((mesh) => samplesOf(mesh, 'points'));
  const translate = samplesOf(prim, 'xformOp:translate'), orient = samplesOf(prim, 'xformOp:orient');
  let worst = 0;
  for (let f = 0; f < cache.samples; ++f) {
    const t = valueAt(translate, f), q = valueAt(orient, f);
    const places = meshes.flatMap((points) => valueAt(points, f));
    if (places.length !== 3 * cache.points) return { worst: Infinity, samples: 0 };
    for (let i = 0; i < places.length; i += 3) {
      const p = turn(q, places.slice(i, i + 3));
      for (let k = 0; k < 3; ++k) worst = Math.max(worst, Math.abs(p[k] + t[k] - cache.at(f, i + k)));
    }
  }
  return { worst, samples: Math.max(...meshes.map((points) => points.length)) };
}

const [stage, caches] = process.argv.slice(2);
const root = reprint(stage);
let bad = !/metersPerUnit = 1/.test(root.text) || !/upAxis = "Y"/.test(root.text) ||
  !/timeCodesPerSecond = 30/.test(root.text);
let damaged = 0, moving = 0, count = 0;
for (const file of fs.readdirSync(caches).filter((name) => name.endsWith('.pc2'))) {
  const name = file.slice(0, -4).replace(/[^A-Za-z0-9_]/g, '_');
  let text = root.text;
  const own = path.join(path.dirname(stage), path.basename(stage, '.usda') + '_usd', name + '.usda');
  if (fs.existsSync(own)) {
    bad = bad || !root.text.includes(`payload = @./${path.basename(path.dirname(own))}/${name}.usda@`);
    text = reprint(own).text;
  }
  const at = text.indexOf(`def Xform "${name}"`);
  if (at < 0) throw new Error(`no prim ${name}`);
  let from = at + name.length + 12;
  if (/^\s*\(/.test(text.slice(from))) {
    const open = text.indexOf('(', from);
    from = open + bracketed(text, open).length + 2;
  }
  const prim = bracketed(text, text.indexOf('{', from));
  const { worst, samples } = compare(prim, readPc2(path.join(caches, file)));
  if (/primvars:dent_depth.timeSamples/.test(prim)) ++damaged;
  if (samples > 1) ++moving;
  ++count;
  console.log(`${name}: ${samples} samples, off by ${worst.toExponential(1)} m at most`);
  bad = bad || !(worst <= kAllowed);
}
console.log(`${count} bodies, ${moving} change their shape, ${damaged} have damage`);
process.exit(bad || count === 0 || moving === 0 || damaged !== moving ? 1 : 0);
