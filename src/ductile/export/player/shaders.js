// SPDX-License-Identifier: MIT
// Light is linear and the sky is that of the project's pictures (render/sky.cpp). Surfaces: GGX
// (Walter et al. 2007) under the sun; sky reflections by Karis' fit of the split sum (2014, "Physically
// Based Shading on Mobile"). Film curve: Stephen Hill's fit of ACES.

const HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2DShadow;
`;

const SURFACE_INPUT = `
layout(location = 0) in vec3 a_from;
layout(location = 1) in vec3 a_from_normal;
layout(location = 2) in vec3 a_to;
layout(location = 3) in vec3 a_to_normal;
layout(location = 4) in vec3 a_rest;
layout(location = 5) in vec2 a_uv;
layout(location = 6) in vec4 a_colour;
layout(location = 7) in vec2 a_damage;   // depth, strain
layout(location = 8) in vec3 a_scratch;
layout(location = 9) in vec3 a_pose_colour;
uniform mat4 u_pose;
uniform float u_blend;
`;

const LIGHT = `
uniform vec3 u_sun;
uniform vec3 u_sunlight;
uniform vec3 u_floor;
uniform vec3 u_ambient[9];
uniform mat4 u_shadow;
uniform float u_texel;          // of the shadow map, in the world [m]
uniform sampler2DShadow u_shadow_map;

vec3 upper_sky(vec3 d) {
  float haze = exp(-max(0.0, d.y) / 0.17);
  float t = max(0.0, dot(d, u_sun));
  float t8 = pow(t, 8.0);
  vec3 air = mix(vec3(0.10, 0.23, 0.56), vec3(0.68, 0.86, 1.08), haze * (0.92 + 0.08 * t));
  return air + vec3(1.0, 0.86, 0.66) * (u_sun.y > 0.0 ? 0.10 * t8 + 0.45 * pow(t8, 8.0) : 0.0);
}

vec3 horizon(vec3 d) { return upper_sky(normalize(vec3(d.x, 0.0, d.z) + vec3(1e-6, 0.0, 0.0))); }

// What lies in a direction; sharpness says how suddenly the floor begins.
vec3 surroundings(vec3 d, float sharpness) {
  if (d.y >= 0.0) return upper_sky(d);
  return mix(horizon(d), u_floor, 1.0 - exp(d.y * sharpness));
}

vec3 ambient(float up) {
  float at = clamp(0.5 + 0.5 * up, 0.0, 1.0) * 8.0;
  int low = min(int(at), 7);
  return mix(u_ambient[low], u_ambient[low + 1], at - float(low));
}

float sunlit(vec3 position, vec3 normal) {
  float slope = 1.0 - max(0.0, dot(normal, u_sun));
  vec4 p = u_shadow * vec4(position + normal * u_texel * (1.0 + 2.0 * slope), 1.0);
  vec3 at = p.xyz * 0.5 + 0.5;
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  vec2 pixel = 1.0 / vec2(textureSize(u_shadow_map, 0));
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      sum += texture(u_shadow_map, vec3(at.xy + 1.3 * vec2(i, j) * pixel, at.z));
    }
  }
  return sum / 9.0;
}

vec3 film(vec3 light) {
  const mat3 into = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
  const mat3 out_of = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
  vec3 v = into * (1.1 * light);
  v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
  return clamp(out_of * v, 0.0, 1.0);
}

vec3 srgb(vec3 c) {
  return mix(1.055 * pow(max(c, 0.0031308), vec3(1.0 / 2.4)) - 0.055, 12.92 * c, lessThanEqual(c, vec3(0.0031308)));
}

// Interleaved gradient noise (Jimenez 2014): no bands in the sky, the same for the same pixel.
vec3 shown(vec3 c) {
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  return srgb(c) + (noise - 0.5) / 255.0;
}
`;

// Looks and damage are two programs: what one does not need costs it nothing.
const withDamage = (showsDamage) => `#define SHOWS_DAMAGE ${showsDamage ? 1 : 0}\n`;

export const surfaceVertex = (showsDamage) => `${HEAD}${withDamage(showsDamage)}${SURFACE_INPUT}
uniform mat4 u_camera;
uniform vec3 u_damage_steps;
out vec3 v_position;
out vec3 v_normal;
#if SHOWS_DAMAGE
out vec3 v_move;
out vec2 v_damage;
out vec3 v_scratch;
out vec3 v_pose_colour;
#else
out vec2 v_uv;
out vec4 v_colour;
#endif
void main() {
  vec3 p = mix(a_from, a_to, u_blend);
  vec4 world = u_pose * vec4(p, 1.0);
  v_position = world.xyz;
  v_normal = mat3(u_pose) * mix(a_from_normal, a_to_normal, u_blend);
#if SHOWS_DAMAGE
  v_move = p - a_rest;
  v_damage = a_damage * u_damage_steps.xy;
  v_scratch = a_scratch * u_damage_steps.z;
  v_pose_colour = a_pose_colour;
#else
  v_uv = a_uv;
  v_colour = a_colour;
#endif
  gl_Position = u_camera * world;
}`;

export const surfaceFragment = (showsDamage) => `${HEAD}${withDamage(showsDamage)}${LIGHT}
in vec3 v_position;
in vec3 v_normal;
uniform vec3 u_eye;
uniform vec4 u_base;            // colour and opacity
uniform vec2 u_metal_rough;
uniform bool u_has_texture;
uniform int u_holes;            // 0: alpha of the picture is ignored, 1: holes, 2: clearer glass
uniform sampler2D u_texture;
uniform int u_mode;             // index into MODES
uniform float u_range;
uniform sampler2D u_scale;
uniform vec3 u_directions[6];   // OKLab
uniform vec3 u_grey;
uniform bool u_measured;       // whether this body can be damaged at all
uniform bool u_chosen;
uniform float u_floor_height;
uniform float u_size;           // of the body [m]
out vec4 o_colour;

#if SHOWS_DAMAGE
in vec3 v_move;
in vec2 v_damage;
in vec3 v_scratch;
in vec3 v_pose_colour;

vec3 linear_from_oklab(vec3 c) {
  vec3 p = vec3(c.x + 0.3963377774 * c.y + 0.2158037573 * c.z, c.x - 0.1055613458 * c.y - 0.0638541728 * c.z,
                c.x - 0.0894841775 * c.y - 1.2914855480 * c.z);
  p = p * p * p;
  return clamp(vec3(dot(p, vec3(4.0767416621, -3.3077115913, 0.2309699292)),
                    dot(p, vec3(-1.2684380046, 2.6097574011, -0.3413193965)),
                    dot(p, vec3(-0.0041960863, -0.7034186147, 1.7076147010))), 0.0, 1.0);
}

vec3 damage_colour() {
  if (!u_measured) return vec3(0.16);
  if (u_mode == 5) return v_pose_colour;
  if (u_mode == 4) {
    float l = length(v_scratch);
    if (!(l > 0.0) || !(u_range > 0.0)) return linear_from_oklab(u_grey);
    vec3 d = v_scratch / l;
    vec3 lab = vec3(0.0);
    for (int k = 0; k < 3; ++k) lab += d[k] * d[k] * u_directions[2 * k + (d[k] < 0.0 ? 1 : 0)];
    return linear_from_oklab(mix(u_grey, lab, min(1.0, l / u_range)));
  }
  float value = u_mode == 1 ? length(v_move) : u_mode == 2 ? v_damage.x : v_damage.y;
  float share = u_range > 0.0 ? clamp(value / u_range, -1.0, 1.0) : 0.0;
  return texture(u_scale, vec2(0.5 + 0.5 * share, 0.5)).rgb;
}

vec4 seen_surface(vec3 n, vec3 view, float facing, float sun, vec3 sky, float shade) {
  vec3 matte = damage_colour() * (0.62 * sky / max(0.05, dot(u_ambient[8], vec3(0.3333))) + 0.5 * sun);
  if (u_chosen) matte += 0.25 * pow(1.0 - facing, 3.0);
  return vec4(min(matte, 1.0), 1.0);
}
#else
in vec2 v_uv;
in vec4 v_colour;

vec4 seen_surface(vec3 n, vec3 view, float facing, float sun, vec3 sky, float shade) {
  vec4 base = u_base * v_colour;
  if (u_has_texture) {
    vec4 picture = texture(u_texture, v_uv);  // decoded to linear light by the card
    base.rgb *= picture.rgb;
    if (u_holes == 1 && picture.a < 0.5) discard;
    if (u_holes == 2) base.a *= picture.a;
  }
  float rough = max(u_metal_rough.y, 0.06);
  vec3 mirror = mix(vec3(0.04), base.rgb, u_metal_rough.x);
  vec3 matte = base.rgb * (1.0 - u_metal_rough.x);

  float a2 = rough * rough * rough * rough;
  vec3 h = normalize(view + u_sun);
  float nh = max(0.0, dot(n, h)), nl = max(0.0, dot(n, u_sun));
  float d = nh * nh * (a2 - 1.0) + 1.0;
  float spread = a2 / (3.14159265 * d * d);
  float k = 0.5 * rough * rough;
  float masked = 0.25 / ((nl * (1.0 - k) + k) * (facing * (1.0 - k) + k));
  vec3 fresnel = mirror + (1.0 - mirror) * pow(1.0 - max(0.0, dot(h, view)), 5.0);
  vec3 light = u_sunlight * sun * (matte / 3.14159265 + min(spread * masked, 40.0) * fresnel);

  vec3 r = reflect(-view, n);
  vec3 seen = mix(surroundings(r, mix(18.0, 4.0, rough)), ambient(r.y), smoothstep(0.25, 0.9, rough)) * mix(shade, 1.0, clamp(r.y + 0.5, 0.0, 1.0));
  vec4 fit = rough * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float bend = min(fit.x * fit.x, exp2(-9.28 * facing)) * fit.x + fit.y;
  vec2 split = vec2(-1.04, 1.04) * bend + fit.zw;
  light += matte * sky + seen * (mirror * split.x + split.y);
  if (u_chosen) light += vec3(1.0, 0.55, 0.15) * (0.05 + 0.8 * pow(1.0 - facing, 3.0));
  // Glass keeps its reflections: what it mirrors covers what is behind.
  float cover = base.a < 1.0 ? clamp(base.a + max(split.x * 0.04 + split.y, 0.0), 0.0, 1.0) : 1.0;
  return vec4(film(light), cover);
}
#endif

void main() {
  vec3 n = normalize(v_normal);
  if (!gl_FrontFacing) n = -n;
  vec3 view = normalize(u_eye - v_position);
  float facing = max(dot(n, view), 1e-3);
  float sun = max(0.0, dot(n, u_sun));
  if (sun > 0.0) sun *= sunlit(v_position, n);
  // Whatever looks down at a near floor sees its own shade there, not the sunlit floor.
  float shade = mix(0.35, 1.0, max(smoothstep(-0.6, 0.4, n.y), smoothstep(0.0, 0.8 * u_size, v_position.y - u_floor_height)));
  vec4 seen = seen_surface(n, view, facing, sun, ambient(n.y) * shade, shade);
  o_colour = vec4(shown(seen.rgb), seen.a);
}`;

export const SHADOW_VERTEX = `${HEAD}${SURFACE_INPUT}
uniform mat4 u_shadow;
out vec2 v_uv;
void main() {
  v_uv = a_uv;
  gl_Position = u_shadow * (u_pose * vec4(mix(a_from, a_to, u_blend), 1.0));
}`;

export const SHADOW_FRAGMENT = `${HEAD}
in vec2 v_uv;
uniform bool u_has_texture;
uniform int u_holes;
uniform sampler2D u_texture;
void main() {
  if (u_has_texture && u_holes == 1 && texture(u_texture, v_uv).a < 0.5) discard;
}`;

export const WIRE_VERTEX = `${HEAD}${SURFACE_INPUT}
uniform mat4 u_camera;
void main() {
  gl_Position = u_camera * (u_pose * vec4(mix(a_from, a_to, u_blend), 1.0));
}`;

export const WIRE_FRAGMENT = `${HEAD}
uniform vec4 u_ink;
out vec4 o_colour;
void main() { o_colour = u_ink; }`;

export const FLOOR_VERTEX = `${HEAD}
uniform mat4 u_camera;
uniform vec3 u_eye;
uniform float u_height;
uniform float u_extent;
out vec3 v_position;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  v_position = vec3(u_eye.x + corner.x * u_extent, u_height, u_eye.z + corner.y * u_extent);
  gl_Position = u_camera * vec4(v_position, 1.0);
}`;

export const FLOOR_FRAGMENT = `${HEAD}${LIGHT}
in vec3 v_position;
uniform vec3 u_eye;
uniform vec3 u_colour;
uniform float u_spacing;        // of the grid [m]
uniform float u_haze;           // at which 63 % of the floor has faded [m]
out vec4 o_colour;

float grid(vec2 p, float spacing) {
  vec2 q = p / spacing;
  vec2 width = fwidth(q);
  vec2 line = smoothstep(width * 1.5, vec2(0.0), abs(fract(q - 0.5) - 0.5)) * (1.0 - smoothstep(0.15, 0.5, width));
  return max(line.x, line.y);
}

void main() {
  vec3 up = vec3(0.0, 1.0, 0.0);
  float sun = u_sun.y > 0.0 ? u_sun.y * sunlit(v_position, up) : 0.0;
  vec3 colour = u_colour * (1.0 - 0.13 * grid(v_position.xz, u_spacing) - 0.13 * grid(v_position.xz, 10.0 * u_spacing));
  vec3 light = colour * (u_sunlight * sun / 3.14159265 + ambient(1.0));
  vec3 way = v_position - u_eye;
  float far = length(way) / u_haze;
  o_colour = vec4(shown(film(mix(light, horizon(way), 1.0 - exp(-far * far)))), 1.0);
}`;

export const SKY_VERTEX = `${HEAD}
uniform vec3 u_right;
uniform vec3 u_up;
uniform vec3 u_ahead;
out vec3 v_direction;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  v_direction = u_ahead + corner.x * u_right + corner.y * u_up;
  gl_Position = vec4(corner, 1.0, 1.0);
}`;

export const SKY_FRAGMENT = `${HEAD}${LIGHT}
in vec3 v_direction;
out vec4 o_colour;
void main() { o_colour = vec4(shown(film(surroundings(normalize(v_direction), 18.0))), 1.0); }`;
