// SPDX-License-Identifier: MIT
import { transformPoint, poseMatrix, add, scale, sub, norm } from './math.js';
import { readParts, Film } from './decode.js';
import { ShapeReader } from './shape_reader.js';
import { modesOf, measureRanges, showLegend, withUnit } from './colours.js';
import { OrbitCamera, attachPointer } from './camera.js';
import { drawsInSoftware } from './gl.js';
import { Stage, ballOf } from './stage.js';
import { Playback, SPEEDS } from './playback.js';
import { Timeline } from './timeline.js';
import { EnergyPlot } from './plots.js';
import { BodyList, fillHelp } from './panel.js';

const byId = (id) => document.getElementById(id);

function say(text) {
  byId('message').textContent = text;
  byId('message').hidden = !text;
}

/** Everything of the page that moves. */
class Player {
  constructor(film, gl, canvas) {
    Object.assign(this, { film, gl, canvas });
    this.playback = new Playback(film);
    this.camera = new OrbitCamera(film);
    this.ranges = measureRanges(film);
    this.modes = modesOf(film);
    this.mode = this.modes[0];
    this.wire = false;
    this.chosen = null;
    this.chosenHit = null;
    this.stage = new Stage(gl, film);
    this.drawTimes = [];
    this.isAsked = false;
    this.lastTime = null;
    this.buildControls();
    this.resize();
    if (!this.camera.hasFilmCamera) this.frameAll();
    this.readFragment();
  }

  // ---- what is shown ---------------------------------------------------------------------------

  /** Asks for a new picture; many askings make one. */
  ask() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame((now) => { this.isAsked = false; this.tick(now); });
  }

  tick(now) {
    const passed = this.lastTime === null ? 0 : Math.min(0.25, (now - this.lastTime) / 1000);
    this.playback.advance(passed);
    this.lastTime = this.playback.isPlaying ? now : null;
    if (this.playback.isPlaying) {
      this.drawTimes.push(now);
      while (this.drawTimes.length > 120) this.drawTimes.shift();
    }
    this.draw();
    if (this.playback.isPlaying) this.ask();
  }

  draw() {
    if (this.gl.isContextLost()) return;
    const { playback, film } = this;
    this.camera.follow(playback.frame);
    this.stage.draw(playback.frame, this.camera, { mode: this.mode, range: this.ranges[this.mode.id] || 0, wire: this.wire, chosen: this.chosen });
    this.timeline.draw(this.chosen, this.chosenHit);
    if (!byId('plot-box').hidden) this.plot.draw();
    this.list.draw(this.chosen);
    this.placeHitMark();
    byId('clock').textContent = `frame ${Math.round(playback.frame)} of ${playback.last}   ${film.timeAt(playback.frame).toFixed(2)} s`;
    const label = playback.isPlaying ? 'Pause' : 'Play';
    byId('play').textContent = playback.isPlaying ? '\u275a\u275a' : '\u25b6';
    byId('play').setAttribute('aria-label', label);
    byId('film-camera').setAttribute('aria-pressed', String(this.camera.follows));
  }

  placeHitMark() {
    const mark = byId('hit-mark'), hit = this.chosenHit;
    mark.hidden = true;
    if (!hit || !hit.body.present[Math.floor(this.playback.frame)]) return;
    const world = transformPoint(poseMatrix(...this.film.poseAt(hit.body, this.playback.frame)), hit.position);
    const aspect = this.gl.drawingBufferWidth / this.gl.drawingBufferHeight;
    const at = transformPoint(this.camera.matrices(aspect, this.stage.ball.radius).both, world);
    if (at[3] <= 0) return;
    mark.hidden = false;
    mark.style.left = `${(50 + 50 * at[0] / at[3]).toFixed(3)}%`;
    mark.style.top = `${(50 - 50 * at[1] / at[3]).toFixed(3)}%`;
    byId('hit-label').textContent = withUnit(hit.size, hit.unit);
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio)), height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    this.ask();
  }

  // ---- what people do --------------------------------------------------------------------------

  seek(frame) {
    this.playback.isPlaying = false;
    this.playback.seek(Math.round(frame));
    this.ask();
  }

  toggle() {
    this.playback.toggle();
    this.lastTime = null;
    this.drawTimes.length = 0;
    if (!this.playback.isPlaying) this.playback.seek(Math.round(this.playback.frame));
    this.ask();
  }

  choose(body) {
    this.chosen = body;
    this.chosenHit = null;
    if (body) this.lookAt(ballOf(this.film, body, this.playback.frame));
    byId('status').textContent = body ? `${body.name}: ${body.hitCount} hits, moved by up to ${withUnit(body.reach, 'm')}` : '';
    this.ask();
  }

  describe(hit) {
    return `${hit.body.name}: ${hit.kind} at ${hit.time.toFixed(3)} s, ${withUnit(hit.size, hit.unit)}`;
  }

  /** To just before a hit, its body in view. */
  goToHit(hit) {
    this.seek(this.playback.frameBefore(hit.time));
    this.faceHit(hit);
    this.choose(hit.body);
    this.chosenHit = hit;
    byId('status').textContent = this.describe(hit);
  }

  /** Turns the camera to the side of the body that is hit, a little from above. */
  faceHit(hit) {
    const pose = poseMatrix(...this.film.poseAt(hit.body, this.playback.frame));
    const out = sub(transformPoint(pose, hit.position), ballOf(this.film, hit.body, this.playback.frame).centre);
    if (Math.hypot(out[0], out[2]) > 0.3 * norm(out)) this.camera.yaw = Math.atan2(out[0], out[2]) + 0.4;
    this.camera.pitch = Math.max(0.2, Math.min(0.9, Math.asin(out[1] / Math.max(norm(out), 1e-9))));
  }

  stepHit(direction) {
    const { hits } = this.film, index = hits.indexOf(this.chosenHit);
    const own = hits.filter((hit) => hit.body.isShown);
    if (own.length === 0) return;
    const time = this.film.timeAt(this.playback.frame);
    let next;
    if (index >= 0) next = own[own.indexOf(this.chosenHit) + direction];
    else if (direction > 0) next = own.find((hit) => hit.time >= time);
    else next = own.filter((hit) => hit.time < time).pop();
    if (next) this.goToHit(next);
  }

  lookAt({ centre, radius }) {
    this.camera.frameBall(centre, radius * 1.4, this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight));
  }

  frameAll() {
    const f = Math.floor(this.playback.frame);
    const there = this.film.bodies.filter((body) => body.asset && body.isShown && body.present[f]);
    const moving = there.filter((body) => !body.isStatic);
    const balls = (moving.length > 0 ? moving : there).map((body) => ballOf(this.film, body, f));
    if (balls.length === 0) return;
    const centre = scale(balls.reduce((sum, ball) => add(sum, ball.centre), [0, 0, 0]), 1 / balls.length);
    const radius = balls.reduce((most, ball) => Math.max(most, norm(sub(ball.centre, centre)) + ball.radius), 0);
    this.camera.frameBall(centre, radius, this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight));
    this.ask();
  }

  followFilm() {
    if (!this.camera.hasFilmCamera) return;
    this.camera.follows = true;
    this.camera.follow(this.playback.frame);
    this.camera.follows = this.camera.views.length > 1;
    this.ask();
  }

  setMode(mode) {
    this.mode = mode;
    byId('colour').value = mode.id;
    showLegend(byId('legend'), mode, this.ranges);
    this.ask();
  }

  setSpeed(speed) {
    this.playback.speed = speed;
    byId('speed').value = String(speed);
  }

  press(id, isOn) {
    byId(id).setAttribute('aria-pressed', String(isOn));
    this.ask();
  }

  showWire(isOn) { this.wire = isOn; this.press('wire', isOn); }
  showLoop(isOn) { this.playback.loops = isOn; this.press('loop', isOn); }

  showBox(box, button, isOn) {
    byId(box).hidden = !isOn;
    this.press(button, isOn);
    this.resize();
  }

  toggleBox(box, button) { this.showBox(box, button, byId(box).hidden); }

  // ---- wiring ----------------------------------------------------------------------------------

  buildControls() {
    const { film, playback } = this;
    document.title = film.title;
    byId('title').textContent = film.title;
    byId('description').textContent = film.description;
    const scrubbed = (frame) => this.seek(frame);
    this.timeline = new Timeline(film, playback, { scrub: byId('scrub'), marks: byId('marks') },
      { scrubbed, hit: (hit) => this.goToHit(hit), describe: (hit) => this.describe(hit) });
    this.plot = new EnergyPlot(film, playback, byId('plot'), byId('plot-legend'), scrubbed);
    this.list = new BodyList(film, byId('body-list'), { changed: () => this.ask(), chosen: (body) => this.choose(body) });
    fillHelp(byId('help'));
    this.fillSelect('speed', SPEEDS.map((s) => [String(s), `${s}\u00d7`]), (value) => this.setSpeed(Number(value)));
    this.fillSelect('colour', this.modes.map((m) => [m.id, m.label]), (value) => this.setMode(this.modes.find((m) => m.id === value)));
    this.setSpeed(1);
    this.actions = {
      play: () => this.toggle(), back: () => { playback.step(-1); this.ask(); }, on: () => { playback.step(1); this.ask(); },
      'hit-back': () => this.stepHit(-1), 'hit-on': () => this.stepHit(1), wire: () => this.showWire(!this.wire),
      loop: () => this.showLoop(!playback.loops), 'frame-all': () => this.frameAll(), 'film-camera': () => this.followFilm(),
      'show-plot': () => this.toggleBox('plot-box', 'show-plot'), 'show-bodies': () => this.toggleBox('bodies', 'show-bodies'),
      'show-help': () => this.toggleBox('help', 'show-help'), 'all-bodies': () => { this.list.showAll(); this.ask(); },
    };
    for (const [id, action] of Object.entries(this.actions)) {
      // The keyboard stays with the player after a click, so that space means pause.
      byId(id).addEventListener('click', (event) => { action(); if (event.detail > 0) byId(id).blur(); });
    }
    for (const id of ['hit-back', 'hit-on']) byId(id).disabled = film.hits.length === 0;
    byId('film-camera').hidden = !this.camera.hasFilmCamera;
    if (this.plot.isEmpty) { byId('plot-box').hidden = true; byId('show-plot').hidden = true; }
    this.showBox('bodies', 'show-bodies', window.innerWidth > 900);
    attachPointer(this.canvas, this.camera, () => this.ask());
    window.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('hashchange', () => this.readFragment());
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.watchContext();
  }

  fillSelect(id, entries, chosen) {
    for (const [value, text] of entries) byId(id).add(new Option(text, value));
    byId(id).addEventListener('change', () => { chosen(byId(id).value); byId(id).blur(); });
  }

  watchContext() {
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.playback.isPlaying = false;
      say('The graphics card was taken away. Waiting for it to come back\u2026');
    });
    this.canvas.addEventListener('webglcontextrestored', async () => {
      this.stage = new Stage(this.gl, this.film);
      await this.stage.loadTextures();
      say('');
      this.ask();
    });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target, isPlain = target === document.body || target === this.canvas || target.id === 'scrub';
    const large = event.shiftKey ? 10 : 1;
    const keys = {
      arrowleft: () => { this.playback.step(-large); this.ask(); }, arrowright: () => { this.playback.step(large); this.ask(); },
      home: () => this.seek(0), end: () => this.seek(this.playback.last), '[': this.actions['hit-back'], ']': this.actions['hit-on'],
      w: this.actions.wire, l: this.actions.loop, f: this.actions['frame-all'], v: this.actions['film-camera'],
      c: () => this.setMode(this.modes[(this.modes.indexOf(this.mode) + 1) % this.modes.length]), b: this.actions['show-bodies'],
      e: () => { if (!this.plot.isEmpty) this.actions['show-plot'](); }, '?': this.actions['show-help'],
      escape: () => { this.showBox('help', 'show-help', false); this.choose(null); }, ' ': this.actions.play,
    };
    const name = event.key.toLowerCase();
    const speed = SPEEDS[Number(name) - 1];
    // Buttons, boxes and lists have their own use for space and arrows.
    if (!isPlain && [' ', 'arrowleft', 'arrowright', 'home', 'end'].includes(name)) return;
    if (speed) this.setSpeed(speed);
    else if (keys[name]) keys[name]();
    else return;
    event.preventDefault();
  }

  /** "#frame=120&pause&colour=strain&wire": where to begin. */
  readFragment() {
    const settings = new URLSearchParams(window.location.hash.slice(1));
    const mode = this.modes.find((m) => m.id === settings.get('colour'));
    if (mode) this.setMode(mode);
    if (settings.has('wire')) this.showWire(true);
    const frame = Number(settings.get('frame'));
    if (settings.has('frame') && Number.isFinite(frame)) this.seek(frame);
    if (settings.has('pause')) this.seek(this.playback.frame);
    this.ask();
  }
}

/** For tests and the curious: what is shown, in numbers. */
function inspection(player, seconds) {
  const { film, playback } = player;
  const bodyOf = (name) => (typeof name === 'number' ? film.bodies[name] : film.bodies.find((body) => body.name === name));
  return {
    frameCount: film.frameCount,
    bodies: film.bodies.map((body) => body.name),
    hits: film.hits.map((hit, i) => ({ time: hit.time, body: hit.body.name, kind: hit.kind, size: hit.size, x: () => player.timeline.x(i) })),
    decodeSeconds: seconds,
    /** Pauses at a frame and draws it at once. */
    show(frame) { player.seek(frame); player.draw(); },
    get frame() { return playback.frame; },
    get isPlaying() { return playback.isPlaying; },
    get chosen() { return player.chosen ? player.chosen.name : null; },
    get framesPerSecond() {
      const t = player.drawTimes;
      return t.length > 1 ? 1000 * (t.length - 1) / (t[t.length - 1] - t[0]) : 0;
    },
    /** Where a body's render vertices are at the shown frame, in its own frame [m], x y z by turns. */
    positions(name) {
      const body = bodyOf(name), { placeOf } = body.asset;
      const code = body.codeAt[Math.round(playback.frame)];
      const points = new ShapeReader(film, body).points(code);
      const out = new Float32Array(3 * placeOf.length);
      for (let v = 0; v < placeOf.length; ++v) for (let k = 0; k < 3; ++k) out[3 * v + k] = points[3 * placeOf[v] + k];
      return out;
    },
    /** Place and rotation (x, y, z, w) of a body at the shown frame, in the world. */
    pose(name) { return film.poseAt(bodyOf(name), playback.frame); },
    loseContext() { return player.gl.getExtension('WEBGL_lose_context'); },
  };
}

async function begin() {
  if (typeof DecompressionStream === 'undefined') {
    say('This browser is too old to unpack the recording: it needs DecompressionStream (Chrome 80, Firefox 113, Safari 16.4).');
    return;
  }
  const canvas = byId('canvas');
  const gl = canvas.getContext('webgl2', { antialias: !drawsInSoftware(), alpha: false, powerPreference: 'high-performance' });
  if (!gl) {
    say('This browser shows no WebGL2, which the player draws with. Try another browser, or switch hardware acceleration on.');
    return;
  }
  const began = performance.now();
  const parts = [...document.querySelectorAll('script.part')];
  const { header, data } = await readParts(parts.map((part) => part.textContent));
  for (const part of parts) part.remove();  // their text is a third larger than what it held
  const player = new Player(new Film(header, data), gl, canvas);
  const failed = await player.stage.loadTextures();
  if (failed.length > 0) byId('status').textContent = `${failed.length} pictures of surfaces could not be read and are left out`;
  say('');
  player.draw();
  window.ductile = inspection(player, (performance.now() - began) / 1000);
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!isCalm && !new URLSearchParams(window.location.hash.slice(1)).has('pause')) player.toggle();
}

begin().catch((problem) => say(`The recording cannot be played: ${problem.message}`));
