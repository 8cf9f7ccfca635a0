// SPDX-License-Identifier: MIT
// The player in a real browser. Usage: node player_test.mjs COMMAND
// Prints "ok - CLAIM" or "not ok - CLAIM" for each claim; scripts/run_tests.py counts them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canvasPixels, faultOfCanvas, launch, open as openIn, settled, shareOfOneColour } from './player_page.mjs';

const command = process.argv[2];
const folder = mkdtempSync(path.join(tmpdir(), 'ductile-player-'));
const POSITION_ERROR = 1e-5;  // PlayerOptions::position_error, a share of the body's size
const PIXELS_OFF = 3.5;  // half a pixel, rough edges, and the dark side of a ball: 2 where it was written
const HOSTILE = '</script><b onclick=x>"\'&<!-- &lt;';
const HOSTILE_NAME = '<script><b>"\'&<!-- &lt;';  // the command refuses / and = in names

/** Runs a scene with the command, for the player and what else is said; the page's path. */
function record(name, scene, ...options) {
  const out = path.join(folder, name);
  execFileSync(command, ['run', scene, '--quiet', '--out', out, '--set', 'outputs.film=false', '--set', 'outputs.poster=false',
    '--set', 'outputs.glb=false', '--set', 'outputs.journal=false', '--set', 'outputs.report=false', ...options], { stdio: 'pipe' });
  return path.join(out, 'index.html');
}

function hostileScene() {
  const file = path.join(folder, 'hostile.json');
  writeFileSync(file, JSON.stringify({
    name: 'hostile', description: HOSTILE, duration: 0.2,
    bodies: { [HOSTILE_NAME]: { solid: { kind: 'sphere' }, position: [0, 2, 0] } },
  }));
  return file;
}

// Three bodies of one colour each that nothing pulls at: where they are follows from their velocities.
const FLYING = {
  red: { centre: [-1.6, 1.4, 0], velocity: [0, 0.9, 0], solid: { kind: 'sphere', size: [1, 1, 1] }, colour: [0.7, 0.01, 0.01] },
  green: { centre: [0.4, 1.2, 0.3], velocity: [0, 0, -1.5], solid: { kind: 'box', size: [0.8, 0.9, 0.7] }, colour: [0.01, 0.5, 0.01] },
  blue: { centre: [1.2, 2.4, 0], velocity: [0.6, -0.5, 0], solid: { kind: 'sphere', size: [0.6, 0.6, 0.6] }, colour: [0.01, 0.02, 0.7] },
};
const CAMERA = { eye: [0, 1.8, 7], target: [0, 1.7, 0], field_of_view_deg: 34 };
const FRAME_RATE = 30;

function flyingScene() {
  const file = path.join(folder, 'flying.json');
  const body = ({ centre, velocity, solid, colour }) => ({
    solid, position: centre, velocity, material: 'rubber', colours: [colour] });
  writeFileSync(file, JSON.stringify({
    name: 'flying', duration: 1, frame_rate: FRAME_RATE, gravity: [0, 0, 0], camera: CAMERA,
    bodies: Object.fromEntries(Object.entries(FLYING).map(([name, each]) => [name, body(each)])),
  }));
  return file;
}

/** Where the scene's camera sees a place, in pixels: its target is in the middle. */
function project(place, { width, height }) {
  const minus = (a, b) => a.map((x, k) => x - b[k]), dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => a.map((x) => x / Math.hypot(...a));
  const ahead = unit(minus(CAMERA.target, CAMERA.eye)), right = unit(cross(ahead, [0, 1, 0])), up = cross(right, ahead);
  const way = minus(place, CAMERA.eye), pixels = height / 2 / Math.tan(CAMERA.field_of_view_deg * Math.PI / 360) / dot(way, ahead);
  return [width / 2 + pixels * dot(way, right), height / 2 - pixels * dot(way, up)];
}

/** The box around places in the picture: left, top, right, bottom in pixels. */
const boxOf = (places) => [[0, Math.min], [1, Math.min], [0, Math.max], [1, Math.max]].map(([k, most]) => places.reduce((a, place) => most(a, place[k]), places[0][k]));

/** The pixels in which one channel is far above the others. */
function pixelsOfColour(picture, channel) {
  const found = [];
  for (let y = 0; y < picture.height; ++y) {
    for (let x = 0; x < picture.width; ++x) {
      const colour = picture.at(x, y), others = Math.max(...[0, 1, 2].filter((k) => k !== channel).map((k) => colour[k]));
      if (colour[channel] > 40 && colour[channel] > 1.8 * others) found.push([x + 0.5, y + 0.5]);
    }
  }
  return found;
}

/** What is wrong with a picture of the flying bodies at a frame; empty if each is where it must be, whole, and nowhere else. */
function faultOfFlying(picture, frame, shapes) {
  if (!(shareOfOneColour(picture) < 0.5)) return `${(100 * shareOfOneColour(picture)).toFixed(0)} % of the picture is of one colour`;
  for (const [channel, [name, { centre, velocity }]] of Object.entries(FLYING).entries()) {
    const places = [];
    for (let i = 0; i < shapes[name].length; i += 3) {
      places.push(project(centre.map((x, k) => x + velocity[k] * frame / FRAME_RATE + shapes[name][i + k]), picture));
    }
    const expected = boxOf(places), found = pixelsOfColour(picture, channel);
    if (found.length === 0) return `${name} is not in the picture`;
    const off = boxOf(found).reduce((most, x, i) => Math.max(most, Math.abs(x - expected[i])), 0);
    if (!(off < PIXELS_OFF)) return `${name} is at ${boxOf(found).map(Math.round)}, not at ${expected.map(Math.round)}`;
    const share = found.length / ((expected[2] - expected[0]) * (expected[3] - expected[1]));
    if (!(share > 0.7)) return `${name} fills ${share.toFixed(2)} of its box`;  // a ball fills 0.785
  }
  return '';
}

/** x, y, z of the vertices of a PLY that the command wrote (binary, floats). */
function plyPoints(file) {
  const bytes = readFileSync(file), header = bytes.toString('latin1', 0, 4096).split('end_header\n')[0];
  const count = Number(/element vertex (\d+)/.exec(header)[1]);
  const properties = header.split('element face')[0].match(/property float/g).length;
  if (/property uchar/.test(header.split('element face')[0])) throw new Error('colours are not read here');
  const start = header.length + 'end_header\n'.length;
  const points = [];
  for (let v = 0; v < count; ++v) for (let k = 0; k < 3; ++k) points.push(bytes.readFloatLE(start + 4 * (properties * v + k)));
  return points;
}

let failures = 0;
async function claim(text, check) {
  try {
    const problem = await check();
    if (problem) throw new Error(problem);
    console.log(`ok - ${text}`);
  } catch (error) {
    ++failures;
    console.log(`not ok - ${text}\n${error.stack || error}`);
  }
}
const same = (a, b) => (a === b ? '' : `${JSON.stringify(a)} instead of ${JSON.stringify(b)}`);

const browser = await launch();
const open = (file, fragment, options) => openIn(browser, file, fragment, options);
const ask = (page, expression) => page.evaluate(expression);
async function shot(page) {
  await settled(page);
  return (await page.locator('#canvas').screenshot({ timeout: 60000 })).toString('base64');
}

const demo = record('demo', 'demo', '--max-frames', '76', '--set', 'step_rate=120', '--set', 'outputs.ply=true');

{
  const page = await open(demo);
  await claim('the first picture is drawn', async () => faultOfCanvas(page));
  await claim('the page loads from a file and shows its first frame', async () => same(await ask(page, 'ductile.frame'), 0));
  await claim('it knows every frame and body', async () => same(await ask(page, 'ductile.frameCount'), 76) || same((await ask(page, 'ductile.bodies')).includes('ball'), true));
  await claim('it does not play when asked to pause', async () => same(await ask(page, 'ductile.isPlaying'), false));

  await claim('space plays, and frames go by', async () => {
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.ductile.frame > 3, null, { timeout: 60000 });
    await page.keyboard.press(' ');
    return same(await ask(page, 'ductile.isPlaying'), false);
  });
  await claim('arrows step by whole frames', async () => {
    await ask(page, 'ductile.show(20)');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowLeft');
    return same(await ask(page, 'ductile.frame'), 30);
  });
  await claim('the slider scrubs', async () => {
    await page.locator('#scrub').evaluate((slider) => { slider.value = '50'; slider.dispatchEvent(new Event('input')); });
    return same(await ask(page, 'ductile.frame'), 50);
  });
  await claim('a click on the plot scrubs', async () => {
    const box = await page.locator('#plot').boundingBox();
    await page.mouse.click(box.x + 8 + (box.width - 16) * 40 / 75, box.y + 40);
    return same(await ask(page, 'ductile.frame'), 40);
  });
  await claim('a picture of a frame is the same when taken twice', async () => {
    await ask(page, 'ductile.show(45)');
    const first = await shot(page);
    await ask(page, 'ductile.show(3)');
    const between = await shot(page);
    await ask(page, 'ductile.show(45)');
    return same(await shot(page) === first, true) || same(between === first, false);
  });
  await claim('a click on a mark goes to just before the hit and chooses its body', async () => {
    const hit = await ask(page, '({time: ductile.hits[4].time, body: ductile.hits[4].body, x: ductile.hits[4].x()})');
    await page.locator('#marks').click({ position: { x: hit.x, y: 15 } });
    const [frame, chosen] = await ask(page, '[ductile.frame, ductile.chosen]');
    const near = await ask(page, 'ductile.hits.filter((h) => Math.abs(h.x() - ductile.hits[4].x()) < 1).map((h) => h.body)');
    if (!near.includes(chosen)) return `chose ${chosen}, not one of ${near}`;
    return frame / 30 < hit.time && hit.time - frame / 30 < 0.1 ? '' : `frame ${frame} for a hit at ${hit.time} s`;
  });
  await claim('the mark of the hit is shown in the picture', async () => same(await page.locator('#hit-mark').isVisible(), true));

  await page.keyboard.press('Escape');
  await ask(page, 'ductile.show(70)');
  await page.keyboard.press('f');
  const pictures = new Map([['looks', await shot(page)]]);
  for (const mode of ['displacement', 'depth', 'strain', 'scratch']) {
    await page.keyboard.press('c');
    pictures.set(mode, await shot(page));
    await claim(`${mode} has a legend`, async () => same(await page.locator('#legend').isVisible(), true));
  }
  await claim('every colour mode looks different', async () => same(new Set(pictures.values()).size, 5));
  await page.keyboard.press('c');
  await claim('after the last colour mode come the looks again', async () => same(await shot(page) === pictures.get('looks'), true));
  await page.keyboard.press('w');
  await claim('wireframe changes the picture', async () => same(await shot(page) === pictures.get('looks'), false));
  await page.keyboard.press('w');
  await claim('digits set the speed', async () => {
    await page.keyboard.press('2');
    return same(await page.locator('#speed').inputValue(), '0.25');
  });
  await claim('dragging orbits', async () => {
    const box = await page.locator('#canvas').boundingBox();
    await page.mouse.move(box.x + 200, box.y + 150);
    await page.mouse.down();
    await page.mouse.move(box.x + 260, box.y + 160);
    await page.mouse.up();
    return same(await shot(page) === pictures.get('looks'), false);
  });
  await claim('a hidden body is gone from the picture', async () => {
    const before = await shot(page);
    const inList = async (act) => { await page.keyboard.press('b'); await act(); await page.keyboard.press('b'); };
    await inList(() => page.locator('#body-list input').first().uncheck());
    const after = await shot(page);
    await inList(() => page.locator('#all-bodies').click());
    return same(after === before, false) || same(await shot(page) === before, true);
  });
  await claim('what is drawn is what the command exported', async () => {
    await ask(page, 'ductile.show(75)');
    for (const name of ['edge-1', 'back-2', 'tumbler']) {
      const expected = plyPoints(path.join(path.dirname(demo), `${name}.ply`));
      const shown = await ask(page, `Array.from(ductile.positions("${name}"))`);
      if (shown.length !== expected.length) return `${shown.length} numbers instead of ${expected.length}`;
      const size = Math.hypot(0.585, 0.88, 0.585) * 1.2;
      const off = expected.reduce((most, x, i) => Math.max(most, Math.abs(x - shown[i])), 0);
      if (!(off <= POSITION_ERROR * size + 1e-6)) return `${name} is off by ${off} m`;
      const moved = await ask(page, `(() => { ductile.show(0); const rest = ductile.positions("${name}"); ductile.show(75);
        return ductile.positions("${name}").reduce((most, x, i) => Math.max(most, Math.abs(x - rest[i])), 0); })()`);
      if (!(moved > 1e-3)) return `${name} did not change`;
    }
    return '';
  });
  await claim('a shape is the same whichever way it is come to', async () => same(await ask(page, `(() => {
    const at = (f) => { ductile.show(f); return Array.from(ductile.positions("edge-3")).join(); };
    const on = at(60); at(75); const back = at(60); at(0); return on === back && at(60) === on && on !== at(0); })()`), true));
  await claim('a lost graphics card is reported, and its return goes on', async () => {
    await ask(page, 'ductile.show(30)');
    const before = await shot(page);
    await ask(page, 'void (window.card = ductile.loseContext()).loseContext()');
    await page.waitForFunction(() => /graphics card/.test(document.getElementById('message').textContent) && !document.getElementById('message').hidden);
    await ask(page, 'window.card.restoreContext()');
    await page.waitForFunction(() => document.getElementById('message').hidden);
    return same(await shot(page) === before, true);
  });
  await claim('the console stays empty and nothing is asked of any network', async () => same(page.complaints.filter((c) => !/context/i.test(c)).join('\n'), ''));
  await claim('a small window keeps every control in reach', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await settled(page);
    return same(await ask(page, `[...document.querySelectorAll('#controls button, #controls select')].filter((e) => !e.hidden)
      .every((e) => { const b = e.getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth && b.bottom <= innerHeight; })`), true);
  });
  await page.context().close();
}
{
  const page = await open(record('flying', flyingScene()), '#pause', { viewport: { width: 840, height: 640 } });
  const shapes = await ask(page, `Object.fromEntries(${JSON.stringify(Object.keys(FLYING))}.map((name) => [name, Array.from(ductile.positions(name))]))`);
  const pictures = new Map();
  for (const frame of [0, 12, 30]) {
    await ask(page, `ductile.show(${frame})`);
    pictures.set(frame, await canvasPixels(page));
    await claim(`frame ${frame}: every body is seen in its colour where it flew to`, async () => faultOfFlying(pictures.get(frame), frame, shapes));
  }
  await claim('bodies that moved are not found where they were', async () => same(faultOfFlying(pictures.get(30), 0, shapes) !== '', true)
    || same(faultOfFlying(pictures.get(0), 30, shapes) !== '', true));
  await claim('a hidden body is missed in the picture', async () => {
    const box = page.locator('#body-list input').nth(1);
    const click = () => box.evaluate((e) => e.click());
    await click();
    const missed = faultOfFlying(await canvasPixels(page), 30, shapes);
    await click();
    return same(missed, 'green is not in the picture') || faultOfFlying(await canvasPixels(page), 30, shapes);
  });
  await claim('a canvas that is not drawn is not taken for a picture', async () => {
    await ask(page, '(() => { const gl = document.getElementById("canvas").getContext("webgl2"); gl.clearColor(1, 1, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT); })()');
    const blank = await canvasPixels(page), fault = await faultOfCanvas(page);
    return same(faultOfFlying(blank, 30, shapes), '100 % of the picture is of one colour') || same(fault, '100 % of the canvas is of one colour');
  });
  await claim('a canvas whose graphics card is gone is not taken for a picture', async () => {
    await ask(page, 'void ductile.loseContext().loseContext()');
    return same(await faultOfCanvas(page), 'the graphics context is lost');
  });
  await page.context().close();
}
{
  const page = await open(demo, '#frame=33&pause&colour=strain&wire');
  await claim('the address can name a frame, a colour mode and wires', async () => same(JSON.stringify(await ask(page, '[ductile.frame, document.getElementById("colour").value, document.getElementById("wire").getAttribute("aria-pressed")]')), '[33,"strain","true"]'));
  await page.context().close();
}
{
  const page = await open(demo, '', { reducedMotion: 'no-preference' });
  await claim('it plays by itself', async () => { await page.waitForFunction(() => window.ductile.frame > 0.1, null, { timeout: 60000 }); });
  await page.context().close();
  const calm = await open(demo, '', { reducedMotion: 'reduce' });
  await claim('it waits where people want less motion', async () => same(await ask(calm, 'ductile.isPlaying'), false));
  await calm.context().close();
}
{
  const page = await open(record('hostile', hostileScene()));
  await claim('hostile names are shown as text', async () => same(await ask(page, 'ductile.bodies[0]'), HOSTILE_NAME)
    || same(await page.locator('#body-list button').first().textContent(), HOSTILE_NAME)
    || same(await page.locator('#description').textContent(), HOSTILE)
    || same(await page.locator('b').filter({ hasText: '"' }).count(), 0) || same(page.complaints.join('\n'), ''));
  await page.context().close();
}
{
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
  await page.goto(`file://${demo}`);
  await claim('without WebGL2 it says so', async () => { await page.waitForFunction(() => /WebGL2/.test(document.getElementById('message').textContent)); });
  await context.close();
}
{
  const file = record('pile', 'barrels-100', '--max-frames', '36', '--set', 'step_rate=60');
  const page = await open(file, '#pause', { viewport: { width: 320, height: 300 } });
  await claim('a hundred bodies stay under 60 MB', async () => (statSync(file).size < 60e6 ? '' : `${statSync(file).size} bytes`)
    || same((await ask(page, 'ductile.bodies.length')) >= 100, true));
  await claim('a hundred bodies play', async () => {
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.ductile.frame > 2, null, { timeout: 60000 });
    return same(page.complaints.join('\n'), '');
  });
  await page.context().close();
}
await browser.close();
rmSync(folder, { recursive: true });
process.exit(failures > 0 ? 1 : 0);
