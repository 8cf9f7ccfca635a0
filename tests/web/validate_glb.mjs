// SPDX-License-Identifier: MIT
// Khronos' validator over GLB files. Usage: node validate_glb.mjs FILE...
// Prints a line per problem; exits with 1 if a file has an error or a warning.
import fs from 'node:fs';
import { validateBytes } from 'gltf-validator';

let bad = process.argv.length < 3;
for (const path of process.argv.slice(2)) {
  const report = await validateBytes(new Uint8Array(fs.readFileSync(path)), { maxIssues: 100 });
  const { numErrors, numWarnings, messages } = report.issues;
  for (const m of messages.filter((message) => message.severity <= 1)) {
    console.log(`${path}: ${m.code} ${m.pointer}: ${m.message}`);
  }
  const i = report.info;
  console.log(`${path}: ${numErrors} errors, ${numWarnings} warnings, ${i.animationCount} animations, ` +
    `${i.materialCount} materials, ${i.totalVertexCount} vertices`);
  bad = bad || numErrors > 0 || numWarnings > 0 || i.animationCount !== 1;
}
process.exit(bad ? 1 : 0);
