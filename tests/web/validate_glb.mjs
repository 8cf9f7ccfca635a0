// SPDX-License-Identifier: MIT
// Khronos' validator over GLB files. Usage: node validate_glb.mjs FILE...
// Prints a line per problem; exits with 1 if a file has an error or a warning, or is no rig (it has no
// skin) and has no primitive with morph targets and damage.
import fs from 'node:fs';
import { validateBytes } from 'gltf-validator';

function jsonOf(bytes) {
  return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)));
}

/** Primitives that have morph targets, and all three damage attributes. */
function damagedPrimitives(bytes) {
  const json = jsonOf(bytes);
  const names = ['_DENT_DEPTH', '_STRAIN', '_SCRATCH'];
  return json.meshes.flatMap((mesh) => mesh.primitives)
    .filter((p) => p.targets && names.every((name) => name in p.attributes)).length;
}

let bad = process.argv.length < 3;
for (const path of process.argv.slice(2)) {
  const bytes = fs.readFileSync(path);
  const report = await validateBytes(new Uint8Array(bytes), { maxIssues: 100 });
  const { numErrors, numWarnings, messages } = report.issues;
  for (const m of messages.filter((message) => message.severity <= 1)) {
    console.log(`${path}: ${m.code} ${m.pointer}: ${m.message}`);
  }
  const i = report.info;
  console.log(`${path}: ${numErrors} errors, ${numWarnings} warnings, ${i.animationCount} animations, ` +
    `${i.materialCount} materials, ${damagedPrimitives(bytes)} damaged primitives`);
  bad = bad || numErrors > 0 || numWarnings > 0;
  if ('skins' in jsonOf(bytes)) continue;
  bad = bad || i.animationCount !== 1 || damagedPrimitives(bytes) === 0;
}
process.exit(bad ? 1 : 0);
