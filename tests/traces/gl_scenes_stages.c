/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback, geometry shaders, indirect draws.
 */
#include "gl_scenes.h"

static const char pass_colour[] = "#version 150\n"
                                  "in vec4 tint;\n"
                                  "out vec4 result;\n"
                                  "void main() { result = tint; }\n";

/*
 * Particles.  Each step drops some particles and splits others.  The last particle drawn is on top,
 * so that the picture shows their order.  In the end, the buffer is too small.
 */
static const char move[] = "#version 150\n"
                           "in vec4 state;\n" /* position, velocity */
                           "in uint seed;\n"
                           "out vec4 moved;\n"
                           "out uint number;\n"
                           "void main() {\n"
                           "   number = seed * 1664525u + 1013904223u;\n"
                           "   vec2 velocity = state.zw;\n"
                           "   if (abs(state.x + velocity.x) > 0.95) velocity.x = -velocity.x;\n"
                           "   if (abs(state.y + velocity.y) > 0.95) velocity.y = -velocity.y;\n"
                           "   moved = vec4(state.xy + velocity, velocity);\n"
                           "}\n";
static const char breed[] =
   "#version 150\n"
   "layout(points) in;\n"
   "layout(points, max_vertices = 3) out;\n"
   "in vec4 moved[];\n"
   "in uint number[];\n"
   "out vec4 next_state;\n"
   "flat out uint next_seed;\n"
   "void main() {\n"
   "   uint copies = number[0] >> 30;\n" /* 0 to 3 */
   "   for (uint i = 0u; i < copies; i++) {\n"
   "      next_state = vec4(moved[0].xy, moved[0].zw * (1.0 - 0.75 * float(i)));\n"
   "      next_seed = number[0] ^ (i * 0x9e3779b9u);\n"
   "      EmitVertex();\n"
   "      EndPrimitive();\n"
   "   }\n"
   "}\n";
static const char show[] =
   "#version 150\n"
   "in vec4 state;\n"
   "in uint seed;\n"
   "out vec4 centre;\n"
   "out vec4 shade;\n"
   "void main() {\n"
   "   centre = state;\n"
   "   shade = vec4(vec3(seed >> 8 & 255u, seed >> 16 & 255u, seed >> 24) / 255.0, 0.7);\n"
   "}\n";
static const char grow[] =
   "#version 150\n"
   "layout(points) in;\n"
   "layout(triangle_strip, max_vertices = 4) out;\n"
   "in vec4 centre[], shade[];\n"
   "out vec4 tint;\n"
   "void main() {\n"
   "   for (int i = 0; i < 4; i++) {\n"
   "      tint = shade[0] * (i == 3 ? 0.5 : 1.0);\n"
   "      gl_Position = vec4(centre[0].xy + 0.08 * (vec2(i & 1, i >> 1) - 0.5), 0.0, 1.0);\n"
   "      EmitVertex();\n"
   "   }\n"
   "}\n";

enum { PARTICLES = 1200, FIRST = 256 };

static GLuint moving, showing, states[2], seeds[2], feedbacks[2], generated, written;

static void
particle_arrays(int from)
{
   glBindBuffer(GL_ARRAY_BUFFER, states[from]);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   glBindBuffer(GL_ARRAY_BUFFER, seeds[from]);
   glVertexAttribIPointer(1, 1, GL_UNSIGNED_INT, 0, NULL);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
}

static GLuint
particle_program(const char *vertex, const char *geometry, const char *fragment, unsigned varyings)
{
   static const char *const names[] = { "next_state", "next_seed" };
   GLuint program = scene_program(vertex, geometry, fragment, varyings, names, GL_SEPARATE_ATTRIBS);

   glBindAttribLocation(program, 0, "state");
   glBindAttribLocation(program, 1, "seed");
   glLinkProgram(program);
   return program;
}

static void
make_feedback(void)
{
   static float state[PARTICLES][4];
   static GLuint seed[PARTICLES];

   for (unsigned i = 0; i < FIRST; i++) {
      seed[i] = i * 2654435761u;
      state[i][0] = (i % 16) / 8.0f - 0.9f;
      state[i][1] = (i / 16) / 8.0f - 0.9f;
      state[i][2] = ((seed[i] >> 20 & 15) - 7.5f) / 100.0f;
      state[i][3] = ((seed[i] >> 24 & 15) - 7.5f) / 100.0f;
   }
   moving = particle_program(move, breed, NULL, 2);
   showing = particle_program(show, grow, pass_colour, 0);
   glGenTransformFeedbacks(2, feedbacks);
   for (int i = 0; i < 2; i++) {
      states[i] = scene_buffer(GL_ARRAY_BUFFER, sizeof state, state);
      seeds[i] = scene_buffer(GL_ARRAY_BUFFER, sizeof seed, seed);
      glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedbacks[i]);
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, states[i]);
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 1, seeds[i]);
   }
   glGenQueries(1, &generated);
   glGenQueries(1, &written);
}

static void
draw_feedback(int frame)
{
   const int from = frame & 1, to = !from;

   glUseProgram(moving);
   particle_arrays(from);
   glEnable(GL_RASTERIZER_DISCARD);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedbacks[to]);
   glBeginQuery(GL_PRIMITIVES_GENERATED, generated);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, written);
   glBeginTransformFeedback(GL_POINTS);
   if (frame == 0) {
      /* Record in two parts. */
      glDrawArrays(GL_POINTS, 0, FIRST / 2);
      glPauseTransformFeedback();
      glDrawArrays(GL_POINTS, 0, FIRST);
      glResumeTransformFeedback();
      glDrawArrays(GL_POINTS, FIRST / 2, FIRST / 2);
   } else {
      glDrawTransformFeedback(GL_POINTS, feedbacks[from]);
   }
   glEndTransformFeedback();
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glEndQuery(GL_PRIMITIVES_GENERATED);
   scene_value("primitives generated", generated);
   scene_value("primitives written", written);
   glDisable(GL_RASTERIZER_DISCARD);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);

   glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glUseProgram(showing);
   particle_arrays(to);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   glDrawTransformFeedback(GL_POINTS, feedbacks[to]);
   glDisable(GL_BLEND);
}

/*
 * A surface of triangles with adjacency.  Its faces are drawn to the layers of an array texture,
 * different faces to each layer.  The layers are drawn to the window, with the edges between
 * front-facing and back-facing triangles.
 */
static const char wave[] =
   "#version 150\n"
   "uniform float time;\n"
   "in vec2 place;\n"
   "out vec3 at;\n"
   "void main() {\n"
   "   at = vec3(place, 0.5 * sin(place.x * 5.0 + time) * cos(place.y * 4.0));\n"
   "   gl_Position = vec4(at.x * 0.9 + 0.2 * at.z, at.y * 0.6 + at.z * 0.7, at.z, 1.0);\n"
   "}\n";
static const char layers[] =
   "#version 150\n"
   "layout(triangles_adjacency) in;\n"
   "layout(triangle_strip, max_vertices = 6) out;\n"
   "in vec3 at[];\n"
   "out vec4 tint;\n"
   "void main() {\n"
   "   vec3 normal = normalize(cross(at[2] - at[0], at[4] - at[0]));\n"
   "   for (int copy = 0; copy < 2; copy++) {\n"
   "      for (int i = 0; i < 3; i++) {\n"
   "         tint = vec4(normal * 0.5 + 0.5, 1.0) * (copy == 0 ? 1.0 : 0.6);\n"
   "         gl_Layer = (gl_PrimitiveIDIn + copy) & 3;\n"
   "         gl_PrimitiveID = gl_PrimitiveIDIn;\n"
   "         gl_Position = gl_in[2 * i].gl_Position;\n"
   "         EmitVertex();\n"
   "      }\n"
   "      EndPrimitive();\n"
   "   }\n"
   "}\n";
static const char outline[] = "#version 150\n"
                              "layout(triangles_adjacency) in;\n"
                              "layout(line_strip, max_vertices = 6) out;\n"
                              "out vec4 tint;\n"
                              "float area(int a, int b, int c) {\n"
                              "   vec2 p = gl_in[b].gl_Position.xy - gl_in[a].gl_Position.xy;\n"
                              "   vec2 q = gl_in[c].gl_Position.xy - gl_in[a].gl_Position.xy;\n"
                              "   return p.x * q.y - p.y * q.x;\n"
                              "}\n"
                              "void main() {\n"
                              "   if (area(0, 2, 4) < 0.0) return;\n"
                              "   for (int i = 0; i < 6; i += 2) {\n"
                              "      if (area(i, i + 1, (i + 2) % 6) < 0.0) continue;\n"
                              "      tint = vec4(1.0, 1.0 - 0.3 * float(i), 0.2, 1.0);\n"
                              "      gl_Position = gl_in[i].gl_Position;\n"
                              "      EmitVertex();\n"
                              "      gl_Position = gl_in[(i + 2) % 6].gl_Position;\n"
                              "      EmitVertex();\n"
                              "      EndPrimitive();\n"
                              "   }\n"
                              "}\n";
static const char corner[] = "#version 150\n"
                             "out vec3 where;\n"
                             "void main() {\n"
                             "   vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                             "   where = vec3(at, gl_InstanceID);\n"
                             "   vec2 quarter = vec2(gl_InstanceID & 1, gl_InstanceID >> 1);\n"
                             "   gl_Position = vec4(quarter - 1.0 + at, 0.0, 1.0);\n"
                             "}\n";
static const char layer[] = "#version 150\n"
                            "uniform sampler2DArray image;\n"
                            "in vec3 where;\n"
                            "out vec4 result;\n"
                            "void main() { result = texture(image, where); }\n";

enum { CELLS = 12, LAYER_WIDTH = 96, LAYER_HEIGHT = 80 };

static GLuint to_layers, to_lines, from_layers, places, elements, array_target, array_image;

static GLushort
point(int x, int y)
{
   x = x < 0 ? 0 : x > CELLS ? CELLS : x;
   y = y < 0 ? 0 : y > CELLS ? CELLS : y;
   return y * (CELLS + 1) + x;
}

static void
make_geometry(void)
{
   static float place[(CELLS + 1) * (CELLS + 1)][2];
   static GLushort element[CELLS * CELLS][2][6];

   for (int y = 0; y <= CELLS; y++) {
      for (int x = 0; x <= CELLS; x++) {
         place[point(x, y)][0] = 2.0f * x / CELLS - 1.0f;
         place[point(x, y)][1] = 2.0f * y / CELLS - 1.0f;
      }
   }
   for (int y = 0; y < CELLS; y++) {
      for (int x = 0; x < CELLS; x++) {
         const GLushort lower[6] = {
            point(x, y),         point(x + 1, y - 1), point(x + 1, y),
            point(x + 1, y + 1), point(x, y + 1),     point(x - 1, y + 1)
         };
         const GLushort upper[6] = { point(x + 1, y), point(x + 2, y), point(x + 1, y + 1),
                                     point(x, y + 2), point(x, y + 1), point(x, y) };
         memcpy(element[y * CELLS + x][0], lower, sizeof lower);
         memcpy(element[y * CELLS + x][1], upper, sizeof upper);
      }
   }
   to_layers = scene_program(wave, layers, pass_colour, 0, NULL, 0);
   to_lines = scene_program(wave, outline, pass_colour, 0, NULL, 0);
   from_layers = scene_program(corner, NULL, layer, 0, NULL, 0);
   places = scene_buffer(GL_ARRAY_BUFFER, sizeof place, place);
   elements = scene_buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof element, element);

   glGenTextures(1, &array_image);
   glBindTexture(GL_TEXTURE_2D_ARRAY, array_image);
   glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, LAYER_WIDTH, LAYER_HEIGHT, 4, 0, GL_RGBA,
                GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glGenFramebuffers(1, &array_target);
   glBindFramebuffer(GL_FRAMEBUFFER, array_target);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array_image, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void
draw_surface(GLuint program, int frame)
{
   const GLint location = glGetAttribLocation(program, "place");

   glUseProgram(program);
   glUniform1f(glGetUniformLocation(program, "time"), 0.3f * frame);
   glBindBuffer(GL_ARRAY_BUFFER, places);
   glVertexAttribPointer(location, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(location);
   glDrawElements(GL_TRIANGLES_ADJACENCY, CELLS * CELLS * 12, GL_UNSIGNED_SHORT, NULL);
   glDisableVertexAttribArray(location);
}

static void
draw_geometry(int frame)
{
   glBindFramebuffer(GL_FRAMEBUFFER, array_target);
   glViewport(0, 0, LAYER_WIDTH, LAYER_HEIGHT);
   glClearColor(0.1f, 0.2f, 0.1f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   draw_surface(to_layers, frame);

   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glViewport(0, 0, WIDTH, HEIGHT);
   glUseProgram(from_layers);
   glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 4);
   draw_surface(to_lines, frame);
}

/*
 * Indirect draws.  The CPU writes some of the parameters; a vertex shader writes the others through
 * transform feedback.
 */
static const char command[] = "#version 150\n"
                              "uniform uint frame;\n"
                              "flat out uint count;\n"
                              "void main() {\n"
                              "   uint words[4] = uint[](5u, 3u + frame % 9u, 0u, 0u);\n"
                              "   count = words[gl_VertexID];\n"
                              "}\n";
static const char placed[] = "#version 150\n"
                             "in vec2 place;\n"
                             "in vec4 instance;\n" /* position, size, colour */
                             "out vec4 tint;\n"
                             "void main() {\n"
                             "   tint = vec4(fract(instance.w * vec3(1.0, 3.0, 7.0)), 1.0);\n"
                             "   gl_Position = vec4(instance.xy + instance.z * place, 0.0, 1.0);\n"
                             "}\n";

enum { INSTANCES = 32 };

static GLuint commands, writing, placing, shapes, shape_elements, instances;

static void
make_indirect(void)
{
   /* A star of two strips with a restart index, and a square with a roof, drawn with base vertex 5.
    */
   static const float shape[][2] = {
      { 0, 1 },   { -0.3f, 0 }, { 0.3f, 0 }, { 0, -1 }, { 0.1f, -1 },
      { -1, -1 }, { 1, -1 },    { -1, 1 },   { 1, 1 },  { 0, 1.5f },
   };
   static const GLushort element[] = { 0, 1, 2, 3, 0xffff, 1, 0, 4, 0, 1, 2, 3, 4 };
   static const char *const names[] = { "count" };
   static const GLuint command_words[2][5] = { { 8, 6, 0, 0, 16 }, { 5, 7, 8, 5, 24 } };
   static float instance[INSTANCES][4];

   for (int i = 0; i < INSTANCES; i++) {
      instance[i][0] = (i % 8) * 0.25f - 0.87f;
      instance[i][1] = (i / 8) * 0.5f - 0.75f;
      instance[i][2] = 0.05f + 0.002f * i;
      instance[i][3] = i * 0.137f + 0.2f;
   }
   writing = scene_program(command, NULL, NULL, 1, names, GL_INTERLEAVED_ATTRIBS);
   placing = scene_program(placed, NULL, pass_colour, 0, NULL, 0);
   shapes = scene_buffer(GL_ARRAY_BUFFER, sizeof shape, shape);
   shape_elements = scene_buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof element, element);
   instances = scene_buffer(GL_ARRAY_BUFFER, sizeof instance, instance);
   commands = scene_buffer(GL_DRAW_INDIRECT_BUFFER, 64, NULL);
   glBufferSubData(GL_DRAW_INDIRECT_BUFFER, 16, sizeof command_words, command_words);
}

static void
draw_indirect(int frame)
{
   const GLint place = glGetAttribLocation(placing, "place");
   const GLint instance = glGetAttribLocation(placing, "instance");

   glUseProgram(writing);
   glUniform1ui(glGetUniformLocation(writing, "frame"), frame);
   glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, commands, 0, 16);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 4);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);

   glClearColor(0.1f, 0.0f, 0.2f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glUseProgram(placing);
   glBindBuffer(GL_ARRAY_BUFFER, shapes);
   glVertexAttribPointer(place, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(place);
   glBindBuffer(GL_ARRAY_BUFFER, instances);
   glVertexAttribPointer(instance, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   glVertexAttribDivisor(instance, 1);
   glEnableVertexAttribArray(instance);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, commands);
   glDrawArraysIndirect(GL_TRIANGLE_STRIP, NULL);
   glEnable(GL_PRIMITIVE_RESTART);
   glPrimitiveRestartIndex(0xffff);
   glMultiDrawElementsIndirect(GL_TRIANGLE_STRIP, GL_UNSIGNED_SHORT, (void *)16, 2, 0);
   glDisable(GL_PRIMITIVE_RESTART);
   glDisableVertexAttribArray(place);
   glDisableVertexAttribArray(instance);
}

const struct scene scene_feedback = { "feedback", 0, make_feedback, draw_feedback };
const struct scene scene_geometry = { "geometry", 0, make_geometry, draw_geometry };
const struct scene scene_indirect = { "indirect", 0, make_indirect, draw_indirect };
