// SPDX-License-Identifier: MIT

function compile(gl, kind, text) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, text);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
    throw new Error(`a shader does not compile: ${gl.getShaderInfoLog(shader)}`);
  }
  return shader;
}

/** A program and its uniforms, set by name; one that the compiler left out is passed over. */
export class Program {
  constructor(gl, vertex, fragment) {
    this.gl = gl;
    this.program = gl.createProgram();
    gl.attachShader(this.program, compile(gl, gl.VERTEX_SHADER, vertex));
    gl.attachShader(this.program, compile(gl, gl.FRAGMENT_SHADER, fragment));
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`a program does not link: ${gl.getProgramInfoLog(this.program)}`);
    }
    this.places = new Map();
    const count = gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS) || 0;
    for (let i = 0; i < count; ++i) {
      const { name, type } = gl.getActiveUniform(this.program, i);
      this.places.set(name.replace('[0]', ''), { type, at: gl.getUniformLocation(this.program, name) });
    }
  }

  use(values) {
    this.gl.useProgram(this.program);
    this.set(values);
  }

  set(values) {
    const gl = this.gl;
    for (const [name, value] of Object.entries(values)) {
      const place = this.places.get(name);
      if (!place) continue;
      switch (place.type) {
        case gl.FLOAT: gl.uniform1f(place.at, value); break;
        case gl.FLOAT_VEC2: gl.uniform2fv(place.at, value); break;
        case gl.FLOAT_VEC3: gl.uniform3fv(place.at, value); break;
        case gl.FLOAT_VEC4: gl.uniform4fv(place.at, value); break;
        case gl.FLOAT_MAT4: gl.uniformMatrix4fv(place.at, false, value); break;
        default: gl.uniform1i(place.at, value);  // int, bool, samplers
      }
    }
  }
}

export function makeBuffer(gl, target, data, usage = gl.STATIC_DRAW) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(target, buffer);
  gl.bufferData(target, data, usage);
  return buffer;
}

/** Whether the browser draws with the processor: then smooth edges cost half the pictures a second. */
export function drawsInSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const names = gl && gl.getExtension('WEBGL_debug_renderer_info');
  const name = names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  const lose = gl && gl.getExtension('WEBGL_lose_context');
  if (lose) lose.loseContext();  // gives its memory back at once
  return /llvmpipe|softpipe|swiftshader|software|basic render/i.test(name);
}

/** Sides of triangles as pairs of vertices, each once. */
export function edgesOf(indices, placeOf) {
  const seen = new Set(), edges = [];
  const count = placeOf.length;
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 3; ++k) {
      const a = indices[t + k], b = indices[t + (k + 1) % 3];
      const p = Math.min(placeOf[a], placeOf[b]), q = Math.max(placeOf[a], placeOf[b]);
      if (seen.has(p * count + q)) continue;
      seen.add(p * count + q);
      edges.push(a, b);
    }
  }
  return new Uint32Array(edges);
}
