/* SPDX-License-Identifier: MIT */
/*
 * Grids, storage buffers, images, tessellation and bindless handles of OpenGL 4.6.
 */
#include "gl_scenes.h"

#include <GL/glx.h>

static const char corner[] = "#version 460\n"
                             "out vec2 at;\n"
                             "void main() {\n"
                             "   at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                             "   gl_Position = vec4(2.0 * at - 1.0, 0.0, 1.0);\n"
                             "}\n";

/*
 * Particles.  A grid moves them and lists fast ones; the order of the list is that of the
 * invocations.  A second grid, whose size the first one has counted, adds the listed particles to
 * an image of integers.  A third grid blurs the image in shared memory.  The window shows the
 * blurred image, and the list as points.
 */
static const char advance[] =
   "#version 460\n"
   "layout(local_size_x = 64) in;\n"
   "struct particle { vec2 at, velocity; };\n"
   "layout(std430, binding = 0) buffer Particles { particle particles[]; };\n"
   "layout(std430, binding = 1) buffer List { uint groups[4]; uint draw[4]; uint list[]; };\n"
   "void main() {\n"
   "   uint i = gl_GlobalInvocationID.x;\n"
   "   particle p = particles[i];\n"
   "   p.at += p.velocity;\n"
   "   if (abs(p.at.x) > 0.95) p.velocity.x = -p.velocity.x;\n"
   "   if (abs(p.at.y) > 0.95) p.velocity.y = -p.velocity.y;\n"
   "   p.velocity *= 0.998;\n"
   "   particles[i] = p;\n"
   "   if (dot(p.velocity, p.velocity) < 0.002) return;\n"
   "   uint place = atomicAdd(draw[0], 1u);\n"
   "   list[place] = i;\n"
   "   atomicMax(groups[0], place / 32u + 1u);\n"
   "}\n";
static const char splat[] =
   "#version 460\n"
   "layout(local_size_x = 32) in;\n"
   "struct particle { vec2 at, velocity; };\n"
   "layout(std430, binding = 0) readonly buffer Particles { particle particles[]; };\n"
   "layout(std430, binding = 1) readonly buffer List { uint groups[4]; uint draw[4]; uint list[]; "
   "};\n"
   "layout(r32ui, binding = 0) uniform uimage2D heat;\n"
   "void main() {\n"
   "   uint i = gl_GlobalInvocationID.x;\n"
   "   if (i >= draw[0]) return;\n"
   "   vec2 at = particles[list[i]].at * 0.5 + 0.5;\n"
   "   ivec2 texel = ivec2(at * vec2(imageSize(heat)));\n"
   "   for (int y = -1; y <= 1; y++)\n"
   "      for (int x = -1; x <= 1; x++)\n"
   "         imageAtomicAdd(heat, texel + ivec2(x, y), uint(24 / (1 + x * x + y * y)));\n"
   "}\n";
static const char blur[] =
   "#version 460\n"
   "layout(local_size_x = 16, local_size_y = 8) in;\n"
   "layout(r32ui, binding = 0) uniform readonly uimage2D heat;\n"
   "layout(rgba8, binding = 1) uniform writeonly image2D picture;\n"
   "shared float row[8][16 + 8];\n"
   "void main() {\n"
   "   ivec2 at = ivec2(gl_GlobalInvocationID.xy), in_group = ivec2(gl_LocalInvocationID.xy);\n"
   "   for (int x = in_group.x; x < 24; x += 16)\n"
   "      row[in_group.y][x] = float(imageLoad(heat, at + ivec2(x - in_group.x - 4, 0)).x);\n"
   "   barrier();\n"
   "   float sum = 0.0;\n"
   "   for (int x = 0; x < 9; x++)\n"
   "      sum += row[in_group.y][in_group.x + x] * float(5 - abs(x - 4));\n"
   "   vec3 colour = vec3(1.0, 0.5, 0.2) * (sum / 256.0) + vec3(0.0, 0.0, 0.15);\n"
   "   imageStore(picture, at, vec4(colour, 1.0));\n"
   "}\n";
static const char show[] = "#version 460\n"
                           "layout(binding = 0) uniform sampler2D picture;\n"
                           "in vec2 at;\n"
                           "out vec4 result;\n"
                           "void main() { result = texture(picture, at); }\n";
static const char listed[] =
   "#version 460\n"
   "struct particle { vec2 at, velocity; };\n"
   "layout(std430, binding = 0) readonly buffer Particles { particle particles[]; };\n"
   "layout(std430, binding = 1) readonly buffer List { uint groups[4]; uint draw[4]; uint list[]; "
   "};\n"
   "out vec3 tint;\n"
   "void main() {\n"
   "   tint = fract(float(gl_VertexID) * vec3(0.11, 0.23, 0.37));\n"
   "   gl_PointSize = 3.0;\n"
   "   gl_Position = vec4(particles[list[gl_VertexID]].at, 0.0, 1.0);\n"
   "}\n";
static const char tinted[] = "#version 460\n"
                             "in vec3 tint;\n"
                             "out vec4 result;\n"
                             "void main() { result = vec4(tint, 1.0); }\n";

enum { PARTICLES = 512, HEAT_WIDTH = 96, HEAT_HEIGHT = 80 };

static GLuint advancing, splatting, blurring, showing, listing, particles, list, heat, picture;

static GLuint
compute_program(const char *source)
{
   return scene_program_of((const GLenum[]){ GL_COMPUTE_SHADER }, &source, 1);
}

static GLuint
draw_program(const char *vertex, const char *fragment)
{
   return scene_program(vertex, NULL, fragment, 0, NULL, 0);
}

static GLuint
new_image(GLenum format, GLsizei width, GLsizei height)
{
   GLuint texture;

   glCreateTextures(GL_TEXTURE_2D, 1, &texture);
   glTextureStorage2D(texture, 1, format, width, height);
   glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   return texture;
}

static void
make_grids(void)
{
   static float state[PARTICLES][4];
   GLuint seed = 1;

   for (unsigned i = 0; i < PARTICLES; i++) {
      for (unsigned c = 0; c < 4; c++) {
         seed = seed * 1664525 + 1013904223;
         state[i][c] = ((seed >> 16) / 32768.0f - 1.0f) * (c < 2 ? 0.9f : 0.05f);
      }
   }
   advancing = compute_program(advance);
   splatting = compute_program(splat);
   blurring = compute_program(blur);
   showing = draw_program(corner, show);
   listing = draw_program(listed, tinted);
   particles = scene_buffer(GL_SHADER_STORAGE_BUFFER, sizeof state, state);
   list = scene_buffer(GL_SHADER_STORAGE_BUFFER, 32 + PARTICLES * 4, NULL);
   heat = new_image(GL_R32UI, HEAT_WIDTH, HEAT_HEIGHT);
   picture = new_image(GL_RGBA8, HEAT_WIDTH, HEAT_HEIGHT);
}

static void
draw_grids(int frame)
{
   const GLuint empty[8] = { 0, 1, 1, 0, 0, 1, 0, 0 }, zero = 0;

   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, particles);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, list);
   glNamedBufferSubData(list, 0, sizeof empty, empty);
   glClearTexImage(heat, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
   glBindImageTexture(0, heat, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glBindImageTexture(1, picture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);

   glUseProgram(advancing);
   glDispatchCompute(PARTICLES / 64, 1, 1);
   glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
   glUseProgram(splatting);
   glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, list);
   glDispatchComputeIndirect(0);
   glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
   glUseProgram(blurring);
   glDispatchCompute(HEAT_WIDTH / 16, HEAT_HEIGHT / 8, 1);
   glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);

   glUseProgram(showing);
   glBindTextureUnit(0, picture);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glUseProgram(listing);
   glEnable(GL_PROGRAM_POINT_SIZE);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, list);
   glDrawArraysIndirect(GL_POINTS, (void *)16);
   glDisable(GL_PROGRAM_POINT_SIZE);
}

/*
 * Shaders of draws that write memory.  Triangles count their fragments in an image and in a storage
 * buffer, and record the order in which they reach a pixel.  Their vertices are counted, too.  Then
 * the window shows the counts.
 */
static const char scattered[] =
   "#version 460\n"
   "layout(std430, binding = 0) buffer Counts { uint vertices, fragments, most; };\n"
   "layout(location = 0) uniform int frame;\n"
   "flat out uint number;\n"
   "void main() {\n"
   "   atomicAdd(vertices, 1u);\n"
   "   number = uint(gl_VertexID / 3) + 1u;\n"
   "   float a = float(gl_VertexID) * 2.4 + 0.2 * float(frame);\n"
   "   gl_Position = vec4(0.9 * cos(a) * fract(a), 0.9 * sin(a * 1.7), 0.0, 1.0);\n"
   "}\n";
static const char counted[] =
   "#version 460\n"
   "layout(std430, binding = 0) buffer Counts { uint vertices, fragments, most; };\n"
   "layout(r32ui, binding = 0) uniform uimage2D count;\n"
   "layout(r32ui, binding = 1) uniform writeonly uimage2D latest;\n"
   "flat in uint number;\n"
   "void main() {\n"
   "   ivec2 at = ivec2(gl_FragCoord.xy);\n"
   "   uint before = imageAtomicAdd(count, at, 1u);\n"
   "   imageStore(latest, at, uvec4(number + 100u * before));\n"
   "   atomicAdd(fragments, 1u);\n"
   "   atomicMax(most, before + 1u);\n"
   "}\n";
static const char counts[] =
   "#version 460\n"
   "layout(std430, binding = 0) readonly buffer Counts { uint vertices, fragments, most; };\n"
   "layout(r32ui, binding = 0) uniform readonly uimage2D count;\n"
   "layout(r32ui, binding = 1) uniform readonly uimage2D latest;\n"
   "out vec4 result;\n"
   "void main() {\n"
   "   ivec2 at = ivec2(gl_FragCoord.xy);\n"
   "   if (at.y < 3) {\n"
   "      result = vec4(vec3(bool(fragments >> (at.x & 31) & 1u)), 1.0);\n"
   "      return;\n"
   "   }\n"
   "   uint n = imageLoad(count, at).x;\n"
   "   result = vec4(float(n) / float(most), fract(float(imageLoad(latest, at).x) * 0.13),\n"
   "                 0.3, 1.0) * float(min(n, 1u));\n"
   "}\n";

static GLuint scattering, counting, counters, count_image, latest_image;

static void
make_stores(void)
{
   scattering = draw_program(scattered, counted);
   counting = draw_program(corner, counts);
   counters = scene_buffer(GL_SHADER_STORAGE_BUFFER, 16, NULL);
   count_image = new_image(GL_R32UI, WIDTH, HEIGHT);
   latest_image = new_image(GL_R32UI, WIDTH, HEIGHT);
}

static void
draw_stores(int frame)
{
   const GLuint zero[4] = { 0 };

   glNamedBufferSubData(counters, 0, sizeof zero, zero);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, counters);
   glClearTexImage(count_image, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, zero);
   glClearTexImage(latest_image, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, zero);
   glBindImageTexture(0, count_image, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glBindImageTexture(1, latest_image, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glUseProgram(scattering);
   glUniform1i(0, frame);
   glDrawArrays(GL_TRIANGLES, 0, 60);
   glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
   glUseProgram(counting);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/*
 * Patches: quads with a control shader that reads levels from a storage buffer, which a grid
 * writes; triangles without a control shader, drawn as lines; and isolines, drawn as points.
 */
static const char levels[] =
   "#version 460\n"
   "layout(local_size_x = 16) in;\n"
   "layout(std430, binding = 0) writeonly buffer Levels { float level[]; };\n"
   "layout(location = 0) uniform int frame;\n"
   "void main() {\n"
   "   uint i = gl_LocalInvocationID.x;\n"
   "   level[i] = 1.0 + float((i * 5u + uint(frame)) % 16u) * 0.6;\n"
   "}\n";
static const char patch_corner[] = "#version 460\n"
                                   "out vec2 corner;\n"
                                   "void main() {\n"
                                   "   int patch_number = gl_VertexID >> 2, i = gl_VertexID & 3;\n"
                                   "   vec2 cell = vec2(patch_number & 3, patch_number >> 2);\n"
                                   "   corner = cell + vec2(i & 1, i >> 1);\n"
                                   "}\n";
static const char control[] =
   "#version 460\n"
   "layout(vertices = 4) out;\n"
   "layout(std430, binding = 0) readonly buffer Levels { float level[]; };\n"
   "in vec2 corner[];\n"
   "out vec2 place[];\n"
   "void main() {\n"
   "   place[gl_InvocationID] = corner[gl_InvocationID] * 0.5 - 1.0;\n"
   "   barrier();\n"
   "   float l = level[gl_PrimitiveID];\n"
   "   gl_TessLevelOuter[gl_InvocationID] = l + float(gl_InvocationID);\n"
   "   if (gl_InvocationID < 2)\n"
   "      gl_TessLevelInner[gl_InvocationID] = l + 8.0 * abs(place[0].x - place[3].y);\n"
   "}\n";
static const char evaluate[] =
   "#version 460\n"
   "layout(quads, fractional_odd_spacing) in;\n"
   "in vec2 place[];\n"
   "out vec3 tint;\n"
   "void main() {\n"
   "   vec2 at = mix(place[0], place[3], gl_TessCoord.xy * 0.96 + 0.02);\n"
   "   float wave = sin(at.x * 6.0) * cos(at.y * 5.0);\n"
   "   tint = vec3(gl_TessCoord.xy, 0.5 + 0.5 * wave);\n"
   "   gl_Position = vec4(at + 0.04 * vec2(wave, -wave), 0.0, 1.0);\n"
   "}\n";
static const char banded[] = "#version 460\n"
                             "in vec3 tint;\n"
                             "out vec4 result;\n"
                             "void main() { result = vec4(floor(tint * 6.0) / 6.0, 1.0); }\n";
static const char triangle[] = "#version 460\n"
                               "out vec2 corner;\n"
                               "void main() {\n"
                               "   float a = 2.0944 * float(gl_VertexID);\n"
                               "   corner = 0.8 * vec2(sin(a), cos(a));\n"
                               "}\n";
static const char evaluate_triangle[] =
   "#version 460\n"
   "layout(triangles, equal_spacing, cw) in;\n"
   "in vec2 corner[];\n"
   "out vec3 tint;\n"
   "void main() {\n"
   "   tint = vec3(1.0);\n"
   "   gl_Position = vec4(corner[0] * gl_TessCoord.x + corner[1] * gl_TessCoord.y +\n"
   "                      corner[2] * gl_TessCoord.z, 0.0, 1.0);\n"
   "}\n";
static const char evaluate_lines[] =
   "#version 460\n"
   "layout(isolines, fractional_even_spacing, point_mode) in;\n"
   "in vec2 corner[];\n"
   "out vec3 tint;\n"
   "void main() {\n"
   "   tint = vec3(1.0, 1.0, 0.0);\n"
   "   vec2 at = vec2(2.0 * gl_TessCoord.x - 1.0, gl_TessCoord.y - 0.5 + 0.2 * corner[0].y);\n"
   "   gl_Position = vec4(at * 0.9, 0.0, 1.0);\n"
   "}\n";

static GLuint levelling, quads, triangles, isolines, level_buffer;

static void
make_patches(void)
{
   const GLenum four[] = { GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                           GL_FRAGMENT_SHADER };
   const GLenum three[] = { GL_VERTEX_SHADER, GL_TESS_EVALUATION_SHADER, GL_FRAGMENT_SHADER };

   levelling = compute_program(levels);
   quads = scene_program_of(four, (const char *const[]){ patch_corner, control, evaluate, banded },
                            4);
   triangles = scene_program_of(three, (const char *const[]){ triangle, evaluate_triangle, tinted },
                                3);
   isolines = scene_program_of(three, (const char *const[]){ triangle, evaluate_lines, tinted }, 3);
   level_buffer = scene_buffer(GL_SHADER_STORAGE_BUFFER, 64, NULL);
}

static void
draw_patches(int frame)
{
   const float outer[4] = { 3, 4.5f + 0.5f * frame, 6, 2 }, inner[2] = { 5, 3 };

   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, level_buffer);
   glUseProgram(levelling);
   glUniform1i(0, frame);
   glDispatchCompute(1, 1, 1);
   glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);

   glClearColor(0.1f, 0.1f, 0.2f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glPatchParameteri(GL_PATCH_VERTICES, 4);
   glUseProgram(quads);
   glDrawArrays(GL_PATCHES, 0, 64);
   glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, outer);
   glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner);
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   glUseProgram(triangles);
   glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
   glDrawArrays(GL_PATCHES, 0, 3);
   glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
   glUseProgram(isolines);
   glPointSize(2.0f);
   glDrawArrays(GL_PATCHES, 0, 3);
}

/*
 * Bindless handles: a grid writes to images whose handles are uniforms, and one draw reads textures
 * whose handles are in a storage buffer.
 */
static const char paint[] =
   "#version 460\n"
   "#extension GL_ARB_bindless_texture : require\n"
   "layout(local_size_x = 8, local_size_y = 8) in;\n"
   "layout(rgba8, bindless_image) uniform writeonly image2D images[6];\n"
   "uniform int frame;\n"
   "void main() {\n"
   "   ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
   "   int n = int(gl_GlobalInvocationID.z);\n"
   "   vec3 colour = fract(vec3(at, at.x + at.y) * float(n + 1) * 0.04 + 0.1 * float(frame));\n"
   "   imageStore(images[n], at, vec4(colour, 1.0));\n"
   "}\n";
static const char squares[] = "#version 460\n"
                              "out vec2 at;\n"
                              "flat out int number;\n"
                              "void main() {\n"
                              "   at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                              "   number = gl_InstanceID;\n"
                              "   vec2 cell = vec2(gl_InstanceID % 3, gl_InstanceID / 3);\n"
                              "   vec2 place = (cell + 0.05 + 0.9 * at) / vec2(3.0, 2.0);\n"
                              "   gl_Position = vec4(2.0 * place - 1.0, 0.0, 1.0);\n"
                              "}\n";
static const char from_handles[] =
   "#version 460\n"
   "#extension GL_ARB_bindless_texture : require\n"
   "layout(std430, binding = 0) readonly buffer Handles { uvec2 textures[6]; };\n"
   "in vec2 at;\n"
   "flat in int number;\n"
   "out vec4 result;\n"
   "void main() { result = texture(sampler2D(textures[number]), at); }\n";

enum { SQUARES = 6, SQUARE = 16 };

static GLuint painting, sampling, handle_buffer;

static void *
function(const char *name)
{
   void (*f)(void) = glXGetProcAddress((const GLubyte *)name);
   return *(void **)&f;
}

static void
make_handles(void)
{
   PFNGLGETTEXTUREHANDLEARBPROC texture_handle = function("glGetTextureHandleARB");
   PFNGLMAKETEXTUREHANDLERESIDENTARBPROC use_texture = function("glMakeTextureHandleResidentARB");
   PFNGLGETIMAGEHANDLEARBPROC image_handle = function("glGetImageHandleARB");
   PFNGLMAKEIMAGEHANDLERESIDENTARBPROC use_image = function("glMakeImageHandleResidentARB");
   PFNGLUNIFORMHANDLEUI64VARBPROC uniform_handles = function("glUniformHandleui64vARB");
   GLuint64 textures[SQUARES], images[SQUARES];

   painting = compute_program(paint);
   sampling = draw_program(squares, from_handles);
   for (unsigned i = 0; i < SQUARES; i++) {
      const GLuint texture = new_image(GL_RGBA8, SQUARE, SQUARE);
      textures[i] = texture_handle(texture);
      images[i] = image_handle(texture, 0, GL_FALSE, 0, GL_RGBA8);
      use_texture(textures[i]);
      use_image(images[i], GL_WRITE_ONLY);
   }
   glUseProgram(painting);
   uniform_handles(glGetUniformLocation(painting, "images"), SQUARES, images);
   handle_buffer = scene_buffer(GL_SHADER_STORAGE_BUFFER, sizeof textures, textures);
}

static void
draw_handles(int frame)
{
   glUseProgram(painting);
   glUniform1i(glGetUniformLocation(painting, "frame"), frame);
   glDispatchCompute(SQUARE / 8, SQUARE / 8, SQUARES);
   glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
   glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glUseProgram(sampling);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, handle_buffer);
   glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, SQUARES);
}

const struct scene scene_grids = { "grids", 0, make_grids, draw_grids, 46 };
const struct scene scene_stores = { "stores", 0, make_stores, draw_stores, 46 };
const struct scene scene_patches = { "patches", 0, make_patches, draw_patches, 46 };
const struct scene scene_handles = { "handles", 0, make_handles, draw_handles, 46 };
