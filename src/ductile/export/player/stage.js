// SPDX-License-Identifier: MIT
import { poseMatrix, multiply, lookAt, orthographic, transformPoint, add, scale, sub, norm, dot, cross, unit } from './math.js';
import { MODES, GREY, DIRECTIONS, scaleTable } from './colours.js';
import { makeLight } from './light.js';
import { Program } from './gl.js';
import { AssetBuffers, BodyBuffers } from './body_buffers.js';
import { surfaceVertex, surfaceFragment, SHADOW_VERTEX, SHADOW_FRAGMENT, WIRE_VERTEX, WIRE_FRAGMENT,
  FLOOR_VERTEX, FLOOR_FRAGMENT, SKY_VERTEX, SKY_FRAGMENT } from './shaders.js';

const SHADOW_PIXELS = 2048;
const PICTURE_UNIT = 0, SHADOW_UNIT = 1, SCALE_UNIT = 2;

/** The ball around what moves over the whole film; around everything where nothing does. */
export function sweptBall(film) {
  const moving = film.bodies.filter((body) => body.asset && !body.isStatic);
  const bodies = moving.length > 0 ? moving : film.bodies.filter((body) => body.asset);
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const body of bodies) {
    for (let f = 0; f < film.frameCount; f += Math.max(1, Math.floor(film.frameCount / 32))) {
      if (!body.present[f]) continue;
      const { centre, radius } = ballOf(film, body, f);
      for (let k = 0; k < 3; ++k) {
        low[k] = Math.min(low[k], centre[k] - radius);
        high[k] = Math.max(high[k], centre[k] + radius);
      }
    }
  }
  if (!(low[0] <= high[0])) return { centre: [0, 0, 0], radius: 1 };
  return { centre: scale(add(low, high), 0.5), radius: Math.max(1e-3, 0.5 * norm(sub(high, low))) };
}

/** The ball around one body at a frame. */
export function ballOf(film, body, frame) {
  const matrix = poseMatrix(...film.poseAt(body, frame));
  const middle = body.asset ? body.asset.middle : [0, 0, 0];
  return { centre: transformPoint(matrix, middle).slice(0, 3), radius: body.asset ? body.asset.radius + body.reach : 0.1 };
}

/** Draws a film with WebGL2. Everything in it is lost with the context: make a new one then. */
export class Stage {
  constructor(gl, film) {
    this.gl = gl;
    this.film = film;
    this.light = makeLight(film);
    this.ball = sweptBall(film);
    this.programs = {
      looks: new Program(gl, surfaceVertex(false), surfaceFragment(false)),
      damage: new Program(gl, surfaceVertex(true), surfaceFragment(true)),
      shadow: new Program(gl, SHADOW_VERTEX, SHADOW_FRAGMENT),
      wire: new Program(gl, WIRE_VERTEX, WIRE_FRAGMENT),
      floor: new Program(gl, FLOOR_VERTEX, FLOOR_FRAGMENT),
      sky: new Program(gl, SKY_VERTEX, SKY_FRAGMENT),
    };
    const assets = film.assets.map((asset) => new AssetBuffers(gl, asset));
    this.bodies = film.bodies.filter((body) => body.asset)
      .map((body) => new BodyBuffers(gl, film, body, assets[film.assets.indexOf(body.asset)]));
    this.byBody = new Map(this.bodies.map((buffers) => [buffers.body, buffers]));
    this.nothing = gl.createVertexArray();  // for what needs no vertices
    this.array = gl.createVertexArray();
    this.textures = film.textures.map(() => null);
    this.makeShadowMap();
    this.makeScale();
  }

  /** Decodes the pictures; the names of those that cannot be shown. */
  async loadTextures() {
    const failed = [];
    await Promise.all(this.film.textures.map(async ({ type, bytes }, i) => {
      try {
        const blob = new Blob([bytes], { type: `image/${type}` });
        const picture = await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
        this.textures[i] = this.makeTexture(picture);
      } catch {
        failed.push(i);
      }
    }));
    return failed;
  }

  makeTexture(picture) {
    const gl = this.gl, texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + PICTURE_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    const finer = gl.getExtension('EXT_texture_filter_anisotropic');
    if (finer) gl.texParameterf(gl.TEXTURE_2D, finer.TEXTURE_MAX_ANISOTROPY_EXT, 8);
    return texture;
  }

  makeShadowMap() {
    const gl = this.gl;
    this.shadowMap = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + SHADOW_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowMap);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_PIXELS, SHADOW_PIXELS);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    this.shadowFrame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadowMap, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  makeScale() {
    const gl = this.gl;
    this.scale = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + SCALE_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, this.scale);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16F, 512, 1, 0, gl.RGBA, gl.FLOAT, scaleTable());
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.LINEAR);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  }

  /** The bodies that are there at a frame, with pose and shapes. */
  cast(frame) {
    const low = Math.floor(frame), share = frame - low;
    const cast = [];
    for (const buffers of this.bodies) {
      const body = buffers.body;
      if (!body.present[low] || !body.isShown) continue;
      const isBlended = share > 0 && body.present[low + 1];
      const from = body.codeAt[low], to = isBlended ? body.codeAt[low + 1] : from;
      cast.push({ buffers, body, from, to, pose: poseMatrix(...this.film.poseAt(body, frame)), blend: from === to ? 0 : share });
    }
    return cast;
  }

  // The sun's view of the whole film, or of what the camera is near to where that is less: sharp
  // shadows close up. In whole pixels, so that edges do not crawl as the camera moves.
  shadowMatrix(camera) {
    const isWide = this.ball.radius <= 1.6 * camera.distance;
    const radius = isWide ? this.ball.radius : 1.6 * camera.distance;
    const sun = this.light.u_sun;
    const centre = isWide ? this.ball.centre : camera.target;
    const x = unit(cross(Math.abs(sun[1]) > 0.99 ? [0, 0, 1] : [0, 1, 0], sun)), y = cross(sun, x);
    const pixel = 2 * radius / SHADOW_PIXELS;
    const snapped = (axis) => Math.round(dot(centre, axis) / pixel) * pixel;
    const origin = add(add(scale(x, snapped(x)), scale(y, snapped(y))), scale(sun, dot(centre, sun)));
    const reach = 2 * (this.ball.radius + norm(sub(centre, this.ball.centre))) + radius;
    const view = lookAt(add(origin, scale(sun, reach)), origin, Math.abs(sun[1]) > 0.99 ? [0, 0, 1] : [0, 1, 0]);
    return { matrix: multiply(orthographic(radius, 0, 2 * reach), view), texel: pixel };
  }

  setLook(program, look, extra) {
    const gl = this.gl;
    const picture = look.texture >= 0 ? this.textures[look.texture] : null;
    if (picture) {
      gl.activeTexture(gl.TEXTURE0 + PICTURE_UNIT);
      gl.bindTexture(gl.TEXTURE_2D, picture);
    }
    if (look.two_sided || extra.isGlass) gl.disable(gl.CULL_FACE); else gl.enable(gl.CULL_FACE);
    program.set({
      u_base: [...look.colour, look.opacity],
      u_metal_rough: [look.metallic, look.roughness],
      u_has_texture: picture ? 1 : 0,
      u_holes: !look.holes ? 0 : look.opacity < 1 ? 2 : 1,
    });
  }

  drawShadows(cast, shadow) {
    const gl = this.gl, program = this.programs.shadow;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.viewport(0, 0, SHADOW_PIXELS, SHADOW_PIXELS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    if (this.light.u_sun[1] > 0) {
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(1.5, 2);
      program.use({ u_shadow: shadow.matrix, u_texture: PICTURE_UNIT });
      for (const actor of cast) {
        this.drawLooks(program, actor, (look) => look.opacity >= 1, {});
      }
      gl.disable(gl.POLYGON_OFFSET_FILL);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  drawLooks(program, actor, wants, extra) {
    const gl = this.gl, looks = actor.body.asset.looks.filter(wants);
    if (looks.length === 0) return;
    actor.buffers.bind(actor.from, actor.to);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, actor.buffers.asset.indices);
    program.set({ u_pose: actor.pose, u_blend: actor.blend, ...extra.uniforms });
    for (const look of looks) {
      this.setLook(program, look, extra);
      gl.drawElements(gl.TRIANGLES, look.count, gl.UNSIGNED_INT, 4 * look.first);
    }
  }

  drawSurfaces(cast, camera, shared, settings) {
    const gl = this.gl, mode = MODES.indexOf(settings.mode);
    const program = mode === 0 ? this.programs.looks : this.programs.damage;
    program.use({
      ...shared, u_texture: PICTURE_UNIT, u_scale: SCALE_UNIT, u_mode: mode, u_range: settings.range,
      u_grey: GREY, u_directions: new Float32Array(DIRECTIONS.flat()),
      u_floor_height: this.film.ground ? this.film.ground.height : -1e6,
    });
    const draw = (actor, wants, extra) => this.drawLooks(program, actor, wants, {
      ...extra,
      uniforms: { u_damage_steps: actor.body.damageSteps, u_measured: actor.body.isStatic ? 0 : 1, u_chosen: actor.body === settings.chosen ? 1 : 0, u_size: 2 * actor.body.asset.radius },
    });
    const isGlass = (look) => look.opacity < 1 && mode === 0;
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(settings.wire ? 1 : 0, settings.wire ? 1 : 0);
    for (const actor of cast) draw(actor, (look) => !isGlass(look), {});
    // Far glass first; its far side before its near side would need sorted triangles, and shows little.
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    const away = (actor) => norm(sub(transformPoint(actor.pose, actor.body.asset.middle), camera.eye));
    const glassy = cast.filter((actor) => actor.body.asset.looks.some(isGlass));
    for (const actor of glassy.sort((a, b) => away(b) - away(a))) draw(actor, isGlass, { isGlass: true });
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  drawWires(cast, shared, settings) {
    const gl = this.gl, program = this.programs.wire;
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    program.use({ u_camera: shared.u_camera });
    for (const actor of cast) {
      actor.buffers.bind(actor.from, actor.to);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, actor.buffers.asset.edges);
      program.set({ u_pose: actor.pose, u_blend: actor.blend, u_ink: actor.body === settings.chosen ? [1, 0.75, 0.3, 0.8] : [1, 1, 1, 0.28] });
      gl.drawElements(gl.LINES, actor.buffers.asset.edgeCount, gl.UNSIGNED_INT, 0);
    }
    gl.disable(gl.BLEND);
  }

  drawSurroundings(camera, shared, aspect) {
    const gl = this.gl, ground = this.film.ground;
    gl.bindVertexArray(this.nothing);
    gl.disable(gl.CULL_FACE);
    const ahead = scale(camera.direction, -1);
    const right = unit(cross(ahead, [0, 1, 0])), up = cross(right, ahead), tangent = camera.slope(aspect);
    if (ground && camera.eye[1] > ground.height) {
      const size = Math.max(1e-3, 0.5 * this.ball.radius);
      this.programs.floor.use({
        ...shared, u_height: ground.height, u_extent: 0.6 * shared.far, u_colour: ground.colour,
        u_spacing: 10 ** Math.round(Math.log10(size)), u_haze: Math.max(55, 12 * this.ball.radius),
      });
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.depthFunc(gl.LEQUAL);
    this.programs.sky.use({ ...shared, u_ahead: ahead, u_right: scale(right, tangent * aspect), u_up: scale(up, tangent) });
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.depthFunc(gl.LESS);
  }

  /** Draws a frame (with a fraction: between two). */
  draw(frame, camera, settings) {
    const gl = this.gl, width = gl.drawingBufferWidth, height = gl.drawingBufferHeight;
    const cast = this.cast(frame), aspect = width / height;
    const { both, far } = camera.matrices(aspect, this.ball.radius);
    const shadow = this.shadowMatrix(camera);
    gl.bindVertexArray(this.array);
    gl.enable(gl.DEPTH_TEST);
    gl.cullFace(gl.BACK);
    gl.activeTexture(gl.TEXTURE0 + SCALE_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, this.scale);
    gl.activeTexture(gl.TEXTURE0 + SHADOW_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, null);
    this.drawShadows(cast, shadow);
    gl.activeTexture(gl.TEXTURE0 + SHADOW_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowMap);
    gl.viewport(0, 0, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const shared = { ...this.light, u_camera: both, u_eye: camera.eye, u_shadow: shadow.matrix, u_texel: shadow.texel, u_shadow_map: SHADOW_UNIT, far };
    this.drawSurfaces(cast, camera, shared, settings);
    if (settings.wire) this.drawWires(cast, shared, settings);
    this.drawSurroundings(camera, shared, aspect);
    gl.bindVertexArray(null);
  }
}
