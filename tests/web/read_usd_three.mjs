// SPDX-License-Identifier: MIT
// A USD stage as three.js reads it. Usage: node read_usd_three.mjs STAGE.usda
// Prints a line per mesh; exits with 1 if one of the file's is missing or holds what is no number.
import fs from 'node:fs';
import { USDLoader } from 'three/addons/loaders/USDLoader.js';

// Pictures are loaded by what a browser has; their pixels are not looked at here.
globalThis.self = globalThis;
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {} }) };

const text = fs.readFileSync(process.argv[2], 'utf8');
const wanted = (text.match(/def Mesh /g) ?? []).length;
let found = 0;
let wrong = 0;
new USDLoader().parse(text).traverse((object) => {
  if (!object.isMesh) return;
  ++found;
  const attributes = object.geometry.attributes;
  const bad = Object.keys(attributes).filter((name) => !attributes[name].array.every(Number.isFinite));
  if (!attributes.position || !attributes.normal || bad.length > 0) ++wrong;
  console.log(`${object.parent.name}/${object.name}: ${Object.keys(attributes).join(' ')}`,
    bad.length > 0 ? `(no numbers: ${bad.join(' ')})` : '');
});
console.log(`${found} of ${wanted} meshes, ${wrong} wrong`);
process.exit(wanted > 0 && found === wanted && wrong === 0 ? 0 : 1);
