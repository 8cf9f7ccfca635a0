// SPDX-License-Identifier: MIT
// The player in a browser: opened, waited for, and looked at.
import { inflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';

/** A browser that draws with the processor if there is no graphics card, however long that takes. */
export function launch() {
  return chromium.launch({ executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist', '--disable-gpu-watchdog'] });
}

/** A page that plays a file; complaints are what the console and the network should not have seen. */
export async function open(browser, file, fragment = '#pause', options = {}) {
  const context = await browser.newContext({ viewport: { width: 640, height: 480 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => page.complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => page.complaints.push(`error: ${error.message}`));
  page.on('request', (request) => { if (request.url().split('#')[0] !== `file://${file}`) page.complaints.push(`request: ${request.url().slice(0, 200)}`); });
  await page.goto(`file://${file}${fragment}`);
  await page.waitForFunction(() => window.ductile, null, { timeout: 60000 });
  return page;
}

export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** What the PNG filters expect of a byte from those to its left, above and both. */
function predicted(kind, left, up, corner) {
  if (kind < 4) return [0, left, up, (left + up) >> 1][kind];
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((x) => Math.abs(guess - x));
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The pixels of a PNG as browsers write it: eight bits, RGB or RGBA. */
export function decodePng(file) {
  const width = file.readUInt32BE(16), height = file.readUInt32BE(20), step = { 2: 3, 6: 4 }[file[25]];
  if (!step || file[24] !== 8) throw new Error('a PNG of an unknown kind');
  const parts = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(parts)), size = width * step, bytes = new Uint8Array(size * height);
  for (let y = 0; y < height; ++y) {
    const kind = raw[y * (size + 1)];
    for (let x = 0; x < size; ++x) {
      const to = y * size + x, left = x < step ? 0 : bytes[to - step], up = y === 0 ? 0 : bytes[to - size];
      bytes[to] = raw[y * (size + 1) + 1 + x] + predicted(kind, left, up, x < step || y === 0 ? 0 : bytes[to - size - step]);
    }
  }
  return { width, height, at: (x, y) => bytes.subarray(y * size + x * step, y * size + x * step + 3) };
}

/** The canvas as it is seen, without what lies upon it. */
export async function canvasPixels(page) {
  const above = 'document.querySelectorAll("#view > :not(#canvas)").forEach((e) => { e.style.visibility = ';
  await page.evaluate(`${above}"hidden"; })`);
  await settled(page);
  const file = await page.locator('#canvas').screenshot({ timeout: 60000 });
  await page.evaluate(`${above}""; })`);
  return decodePng(file);
}

/** The share of the pixels that have the most frequent colour: 1 for a blank picture. */
export function shareOfOneColour({ width, height, at }) {
  const counts = new Map();
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const colour = at(x, y).join();
      counts.set(colour, (counts.get(colour) || 0) + 1);
    }
  }
  return Math.max(...counts.values()) / (width * height);
}

/** What is wrong with a canvas at a glance: not drawn at all, or its context is gone. */
export async function faultOfCanvas(page) {
  if (await page.evaluate(() => document.getElementById('canvas').getContext('webgl2').isContextLost())) return 'the graphics context is lost';
  const share = shareOfOneColour(await canvasPixels(page));
  return share < 0.5 ? '' : `${(100 * share).toFixed(0)} % of the canvas is of one colour`;
}
