/* SPDX-License-Identifier: MIT */
/*
 * Tests that there are no cracks between two patches that share an edge with the same level.  The
 * edge can be any edge of each patch, in either direction, and all other levels and corners differ.
 * The positions along the edge must be equal bit by bit (GL 4.6, 11.2.2: spacing is symmetric; ES
 * 3.2 and ARB_gpu_shader5: `precise`).
 */
#include "core.h"

enum domain { TRIANGLES, QUADS, ISOLINES, DOMAINS };
static const char *const domains[] = { "triangles", "quads", "isolines" };
static const char *const spacings[] = { "equal_spacing", "fractional_even_spacing",
                                        "fractional_odd_spacing" };

/* Edges of each domain: the index of the edge's outer level, and the indices of the corners at its
 * ends.  Isolines have one edge that another patch can share: the line v = 0.
 */
static const struct edge {
   unsigned level, from, to;
   /* Component of gl_TessCoord that is 0 on the edge; 3 or 4: u or v is 1. */
   unsigned coordinate;
} edges[DOMAINS][4] = {
   [TRIANGLES] = { { 0, 1, 2, 0 }, { 1, 2, 0, 1 }, { 2, 0, 1, 2 } },
   [QUADS] = { { 0, 0, 3, 0 }, { 1, 0, 1, 1 }, { 2, 1, 2, 3 }, { 3, 3, 2, 4 } },
   [ISOLINES] = { { 1, 0, 1, 1 } },
};
static const unsigned num_edges[DOMAINS] = { 3, 4, 1 };

struct vertex {
   float position[3], coord[3];
};

#define MAX_VERTICES (64 * 64 * 6)
static struct vertex vertices[MAX_VERTICES];
static GLuint feedback, query;

static GLuint
make_program(enum domain domain, unsigned spacing, bool points)
{
   const char *position = domain == TRIANGLES
                             ? "t.x * corner[0] + t.y * corner[1] + t.z * corner[2]"
                             : "(1.0 - t.x) * (1.0 - t.y) * corner[0] +\n"
                               "      t.x * (1.0 - t.y) * corner[1] +\n"
                               "      t.x * t.y * corner[2] + (1.0 - t.x) * t.y * corner[3]";

   return PROGRAM(.vs = "void main() { gl_Position = vec4(0); }\n",
                  .tes = text("layout(%s, %s%s) in;\n"
                              "layout(location = 0) uniform vec3 corner[4];\n"
                              "precise out vec3 position;\n"
                              "out vec3 coord;\n"
                              "void main() {\n"
                              "   vec3 t = gl_TessCoord;\n"
                              "   position = %s;\n"
                              "   coord = t;\n"
                              "}\n",
                              domains[domain], spacings[spacing], points ? ", point_mode" : "",
                              position),
                  .varyings = (const char *const[]){ "position", "coord", NULL });
}

static float
random_float(float least, float most)
{
   return least + (most - least) * (float)(core_random() % 65536) / 65536.0f;
}

static int
compare(const void *a, const void *b)
{
   return memcmp(a, b, sizeof vertices[0].position);
}

/* Draws a patch and stores the distinct positions on the edge in `out`, in sorted order.  Returns
 * their number.
 */
static unsigned
edge_of(enum domain domain, const struct edge *edge, bool points, float (*out)[3])
{
   const GLenum mode = points ? GL_POINTS : domain == ISOLINES ? GL_LINES : GL_TRIANGLES;
   GLuint written = 0;
   unsigned n = 0, distinct = 0;

   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
   glBeginTransformFeedback(mode);
   glDrawArrays(GL_PATCHES, 0, 1);
   glEndTransformFeedback();
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
   const unsigned count = written * (points ? 1 : domain == ISOLINES ? 2 : 3);
   CHECK(count && count <= MAX_VERTICES, "%u vertices", count);
   if (!count || count > MAX_VERTICES)
      return 0;
   glGetNamedBufferSubData(feedback, 0, count * sizeof vertices[0], vertices);
   for (unsigned i = 0; i < count; i++) {
      const float *c = vertices[i].coord;
      if (edge->coordinate < 3 ? c[edge->coordinate] == 0.0f : c[edge->coordinate - 3] == 1.0f)
         memcpy(out[n++], vertices[i].position, sizeof out[0]);
   }
   qsort(out, n, sizeof out[0], compare);
   for (unsigned i = 0; i < n; i++) {
      if (!i || compare(out[i], out[i - 1]))
         memmove(out[distinct++], out[i], sizeof out[0]);
   }
   return distinct;
}

static void
test(unsigned spacing, unsigned rounds)
{
   static float first[MAX_VERTICES][3], other[MAX_VERTICES][3];
   GLuint programs[DOMAINS][2];

   for (unsigned d = 0; d < DOMAINS; d++) {
      for (unsigned points = 0; points < 2; points++)
         programs[d][points] = make_program(d, spacing, points);
   }
   for (unsigned round = 0; round < rounds; round++) {
      float ends[2][3];
      unsigned count[2] = { 0 };
      /* Levels are sometimes whole numbers or slightly larger. */
      float level = random_float(0.5f, round % 2 ? 66.0f : 9.0f);
      level = round % 5 == 0 ? (float)(int)level + (round % 10 ? 0.0f : 0x1p-15f) : level;
      for (unsigned i = 0; i < 6; i++)
         ends[i / 3][i % 3] = random_float(0.125f, 100.0f);
      for (unsigned side = 0; side < 2; side++) {
         const enum domain domain = (round / 3 + side * round) % DOMAINS;
         const bool points = core_random() % 4 == 0, turn = side && core_random() % 4;
         const struct edge *edge = &edges[domain][core_random() % num_edges[domain]];
         float corner[4][3], outer[4], inner[2];

         for (unsigned i = 0; i < 12; i++)
            corner[i / 3][i % 3] = random_float(0.125f, 100.0f);
         memcpy(corner[turn ? edge->to : edge->from], ends[0], sizeof ends[0]);
         memcpy(corner[turn ? edge->from : edge->to], ends[1], sizeof ends[0]);
         for (unsigned i = 0; i < 4; i++)
            outer[i] = i == edge->level ? level : random_float(0.5f, domain == ISOLINES ? 9 : 66);
         /* The inner level must not be close to 1.  Otherwise, the inner ring would be so near the
          * edge that its points also lie on the edge.
          */
         for (unsigned i = 0; i < 2; i++)
            inner[i] = random_float(1.125f, 20.0f);
         glUseProgram(programs[domain][points]);
         glUniform3fv(0, 4, corner[0]);
         glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, outer);
         glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner);
         count[side] = edge_of(domain, edge, points, side ? other : first);
      }
      CHECK(count[0] == count[1] && !memcmp(first, other, count[0] * sizeof first[0]),
            "%s, level %a: the edge has %u and %u places, or they differ", spacings[spacing], level,
            count[0], count[1]);
   }
   for (unsigned d = 0; d < DOMAINS; d++) {
      for (unsigned points = 0; points < 2; points++)
         glDeleteProgram(programs[d][points]);
   }
}

int
main(void)
{
   GLuint texture;

   core_begin();
   core_target(GL_RGBA8, 4, 4, &texture);
   feedback = core_buffer(sizeof vertices, NULL);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, feedback);
   glGenQueries(1, &query);
   glEnable(GL_RASTERIZER_DISCARD);
   glPatchParameteri(GL_PATCH_VERTICES, 1);
   for (unsigned spacing = 0; spacing < 3; spacing++)
      test(spacing, 150);
   return core_end("cracks");
}
