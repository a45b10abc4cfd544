/* SPDX-License-Identifier: MIT */
/*
 * Tests KHR_shader_subgroup in all stages: invocations store the set of active lanes and the results
 * of operations, before, in and after divergent control flow, and the results are compared with those
 * computed on the CPU from the values of these lanes.  Helper invocations, which store nothing, are
 * found by their pixels.
 */
#include "core.h"
#include "subgroup_model.h"

enum {
   SIDE = 16,      /* size of the target */
   PRIMITIVES = 9, /* number of triangles */
   MAX_IDS = SIDE * SIDE * PRIMITIVES,
   TIMES = 7,    /* how often an invocation may execute the operations */
   HEADER = 7,   /* words of a record before the results */
   WORDS = 400,  /* words of a record */
   AT_ONCE = 45, /* operations of a program */
};

/* The invocations that have executed the operations together. */
struct group {
   bool used;
   uint32_t mask[4];
   struct subgroup s;
};

static uint32_t records[MAX_IDS * TIMES * WORDS];
static struct group groups[MAX_IDS * TIMES];
/* IDs of the upper left pixels of a subgroup's quads, plus one, by the first ID of the subgroup. */
static uint32_t quads[MAX_IDS][MAX_SUBGROUP / 4];
static unsigned subgroup_size, helpers_found;

static const char *const extensions =
   "#extension GL_KHR_shader_subgroup_basic : require\n"
   "#extension GL_KHR_shader_subgroup_vote : require\n"
   "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
   "#extension GL_KHR_shader_subgroup_ballot : require\n"
   "#extension GL_KHR_shader_subgroup_shuffle : require\n"
   "#extension GL_KHR_shader_subgroup_shuffle_relative : require\n"
   "#extension GL_KHR_shader_subgroup_clustered : require\n"
   "#extension GL_KHR_shader_subgroup_quad : require\n";

/* Returns declarations with a function "void test(uint id)" that executes operations n to end - 1. */
static const char *
test_functions(unsigned n, unsigned end)
{
   static char buffer[65536];
   char *to = buffer;

   to += sprintf(to,
                 "%slayout(std430, binding = 0) buffer Records { uint records[]; };\n"
                 "layout(std430, binding = 1) buffer Next { uint next; };\n"
                 "uint at, whole;\n"
                 "void put(uint word) { records[at++] = word; }\n%s",
                 extensions, subgroup_functions);
   to += sprintf(to,
                 "void operate(uint id, uint time) {\n"
                 "   uint hash = scramble(id + time * 65536u);\n"
                 "   at = (id * %uu + time) * %uu;\n"
                 "   put(1u + gl_SubgroupInvocationID);\n"
                 "   put(whole);\n"
                 "   put(subgroupBroadcastFirst(id));\n"
                 "   put(subgroupBallot(true));\n",
                 TIMES, WORDS);
   for (; n < end; n++)
      to += sprintf(to, "   %s\n", subgroup_text(n));
   to += sprintf(to, "%s",
                 "}\n"
                 "void test(uint id) {\n"
                 "   uint hash = scramble(id);\n"
                 "   whole = subgroupBroadcastFirst(id);\n"
                 "   operate(id, 0u);\n"
                 "   if (hash % 3u == 0u) operate(id, 1u); else if (hash % 3u == 1u) at = 2u;\n"
                 "   for (uint i = 2u; ; i++) {\n"
                 "      if (i == 2u + hash % 5u) break;\n"
                 "      if (scramble(id + i) % 4u == 0u) continue;\n"
                 "      operate(id, i);\n"
                 "   }\n"
                 "   if (hash % 7u != 0u) operate(id, 6u);\n"
                 "}\n");
   REQUIRE(to < buffer + sizeof buffer);
   return buffer;
}

/* Enters each record in the group of invocations that it names. */
static void
find_groups(bool pixels)
{
   memset(groups, 0, sizeof groups);
   memset(quads, 0, sizeof quads);
   for (uint32_t i = 0; i < MAX_IDS * TIMES; i++) {
      const uint32_t *r = records + (size_t)i * WORDS;
      const uint32_t id = i / TIMES, time = i % TIMES;
      if (!r[0])
         continue;
      const unsigned lane = r[0] - 1;
      REQUIRE(lane < subgroup_size && r[1] < MAX_IDS && r[2] < MAX_IDS);
      struct group *g = &groups[r[2] * TIMES + time];
      if (!g->used)
         memcpy(g->mask, r + 3, sizeof g->mask);
      g->used = true;
      CHECK(!memcmp(g->mask, r + 3, sizeof g->mask), "ID %u, time %u: another ballot", id, time);
      CHECK(r[3 + lane / 32] >> lane % 32 & 1, "ID %u, time %u: lane %u is not active", id, time,
            lane);
      CHECK(!g->s.active[lane], "ID %u, time %u: lane %u twice", id, time, lane);
      g->s.active[lane] = true;
      g->s.id[lane] = id + time * 65536;
      if (pixels) {
         const uint32_t x = id % SIDE, y = id / SIDE % SIDE;
         CHECK(lane % 4 == (x & 1) + 2 * (y & 1), "pixel %u, %u: lane %u", x, y, lane);
         quads[r[1]][lane / 4] = (id & ~(SIDE + 1u)) + 1;
      }
   }
}

/* Adds the active invocations that have no record, and checks that they are helpers. */
static void
find_helpers(bool pixels)
{
   for (uint32_t i = 0; i < MAX_IDS * TIMES; i++) {
      const uint32_t *r = records + (size_t)i * WORDS;
      struct group *g = r[0] ? &groups[r[2] * TIMES + i % TIMES] : NULL;
      if (!g || g->s.size)
         continue;
      g->s.size = subgroup_size;
      for (unsigned lane = 0; lane < subgroup_size; lane++) {
         const uint32_t quad = quads[r[1]][lane / 4];
         if (!(g->mask[lane / 32] >> lane % 32 & 1) || g->s.active[lane])
            continue;
         CHECK(pixels && quad, "ID %u: lane %u is active and unknown", i / TIMES, lane);
         helpers_found++;
         g->s.active[lane] = true;
         g->s.id[lane] = quad - 1 + lane % 2 + lane / 2 % 2 * SIDE + i % TIMES * 65536;
      }
   }
}

/* Checks the results of operations n to end - 1.  Returns the number of records. */
static unsigned
check_records(const char *stage, unsigned n, unsigned end)
{
   unsigned found = 0;

   for (uint32_t i = 0; i < MAX_IDS * TIMES; i++) {
      const uint32_t *r = records + (size_t)i * WORDS;
      const uint32_t *got = r + HEADER;
      if (!r[0])
         continue;
      const struct group *g = &groups[r[2] * TIMES + i % TIMES];
      found++;
      for (unsigned k = n; k < end; k++) {
         uint32_t want[MAX_RESULT];
         bool defined;
         const unsigned words = subgroup_result(k, &g->s, r[0] - 1, want, &defined);
         CHECK(!defined || !memcmp(got, want, 4 * words),
               "%s, ID %u, time %u, lane %u of %08x: %s is %08x %08x, should be %08x %08x", stage,
               i / TIMES, i % TIMES, r[0] - 1, g->mask[0], subgroup_text(k), got[0], got[1],
               want[0], want[1]);
         got += words;
      }
      REQUIRE(got <= r + WORDS);
   }
   return found;
}

static void
draw_points(void)
{
   glEnable(GL_RASTERIZER_DISCARD);
   glDrawArrays(GL_POINTS, 0, 77);
   glDisable(GL_RASTERIZER_DISCARD);
}

static void
draw_patches(void)
{
   glEnable(GL_RASTERIZER_DISCARD);
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   glDrawArrays(GL_PATCHES, 0, 3 * 13);
   glDisable(GL_RASTERIZER_DISCARD);
}

static void
draw_triangles(void)
{
   glDrawArrays(GL_TRIANGLES, 0, 3 * PRIMITIVES);
}

static void
dispatch(void)
{
   glDispatchCompute(3, 2, 1);
}

#define COUNTED "void main() { test(atomicAdd(next, 1u)); "
#define PASS_VS "void main() { gl_Position = vec4(0); }\n"
#define PASS_TCS                                               \
   "layout(vertices = 3) out;\n"                               \
   "void main() {\n"                                           \
   "   gl_TessLevelOuter = float[](2.0, 3.0, 4.0, 1.0);\n"     \
   "   gl_TessLevelInner = float[](float(gl_PrimitiveID), 1);" \
   "}\n"
/* Triangles that differ in size and overlap. */
#define TRIANGLES_VS                                                                \
   "void main() {\n"                                                                \
   "   float t = float(gl_VertexID / 3), c = float(gl_VertexID % 3);\n"             \
   "   float angle = t * 1.3 + c * 2.1, size = 0.2 + t * t / 40.0;\n"               \
   "   gl_Position = vec4(vec2(cos(angle), sin(angle)) * size + t * 0.05, 0, 1);\n" \
   "}\n"
#define PIXEL_ID "uint(gl_FragCoord.x) + uint(gl_FragCoord.y) * 16u + uint(gl_PrimitiveID) * 256u"

struct stage {
   const char *name;
   const char *vs, *tcs, *tes, *gs, *fs, *cs; /* sources; NULL: none */
   void (*draw)(void);
};

static const struct stage stages[] = {
   { "vertex", .vs = COUNTED "gl_Position = vec4(0); }\n", .draw = draw_points },
   { "control", .vs = PASS_VS,
     .tcs = "layout(vertices = 5) out;\n" COUNTED "gl_TessLevelOuter = float[](1, 1, 1, 1);\n"
            "gl_TessLevelInner = float[](1, 1); }\n",
     .tes = "layout(triangles) in;\nvoid main() { gl_Position = vec4(0); }\n",
     .draw = draw_patches },
   { "evaluation", .vs = PASS_VS, .tcs = PASS_TCS,
     .tes = "layout(triangles) in;\n" COUNTED "gl_Position = vec4(0); }\n", .draw = draw_patches },
   { "geometry", .vs = PASS_VS,
     .gs = "layout(points, invocations = 3) in; layout(points, max_vertices = 1) out;\n" COUNTED
           "}\n",
     .draw = draw_points },
   { "fragment", .vs = TRIANGLES_VS,
     .fs = "out vec4 color;\n"
           "void main() { test(" PIXEL_ID "); color = vec4(1); }\n",
     .draw = draw_triangles },
   { "fragment with discard", .vs = TRIANGLES_VS,
     .fs = "out vec4 color;\n"
           "void main() {\n"
           "   uint id = " PIXEL_ID ";\n"
           "   if (id % 5u == 1u) discard;\n"
           "   test(id); color = vec4(1);\n"
           "}\n",
     .draw = draw_triangles },
   { "compute",
     .cs = "layout(local_size_x = 5, local_size_y = 3, local_size_z = 7) in;\n" COUNTED "}\n",
     .draw = dispatch },
   { "small compute", .cs = "layout(local_size_x = 6) in;\n" COUNTED "}\n", .draw = dispatch },
};

static void
test_stage(const struct stage *s)
{
   const GLuint buffer = core_storage(0, sizeof records, NULL);
   const bool pixels = s->fs;
   const unsigned count = subgroup_count();
   unsigned found = 0;

   for (unsigned n = 0; n < count; n += AT_ONCE) {
      const unsigned end = n + AT_ONCE < count ? n + AT_ONCE : count;
      const GLuint program = PROGRAM(.head = test_functions(n, end), .vs = s->vs, .tcs = s->tcs,
                                     .tes = s->tes, .gs = s->gs, .fs = s->fs, .cs = s->cs);
      const GLuint next = core_storage(1, 4, NULL);
      uint32_t ids;
      if (!program)
         return;
      glClearNamedBufferData(buffer, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
      s->draw();
      core_read(buffer, sizeof records, records);
      core_read(next, 4, &ids);
      REQUIRE(ids <= MAX_IDS);
      find_groups(pixels);
      find_helpers(pixels);
      found += check_records(s->name, n, end);
      for (unsigned id = 0; id < ids; id++)
         CHECK(records[(size_t)id * TIMES * WORDS], "%s: ID %u is missing", s->name, id);
      glDeleteBuffers(1, &next);
      glDeleteProgram(program);
   }
   CHECK(found, "%s", s->name);
   printf("%s: %u records\n", s->name, found);
   glDeleteBuffers(1, &buffer);
}

/* Tests the numbers of subgroups of workgroups, and subgroupBarrier(). */
static void
test_numbers(unsigned x, unsigned y, unsigned z, bool variable)
{
   const unsigned count = x * y * z, groups_run = 3;
   const char *size = variable ? "layout(local_size_variable) in;\n"
                               : text("layout(local_size_x = %u, local_size_y = %u, local_size_z = "
                                      "%u) in;\n",
                                      x, y, z);
   const GLuint program = PROGRAM(
         .head = text("%s%s", extensions,
                      variable ? "#extension GL_ARB_compute_variable_group_size : require\n" : ""),
         .cs = text("%slayout(std430, binding = 0) buffer B { uvec4 b[]; };\n"
                    "shared uint s[1024];\n"
                    "void main() {\n"
                    "   uint i = gl_LocalInvocationIndex;\n"
                    "   s[i] = i * 3u;\n"
                    "   subgroupMemoryBarrierShared(); subgroupBarrier();\n"
                    "   uint other = subgroupShuffleXor(i, 1u);\n"
                    "   bool there = subgroupBallotBitExtract(subgroupBallot(true),\n"
                    "                                         gl_SubgroupInvocationID ^ 1u);\n"
                    "   b[gl_WorkGroupID.x * %uu + i] =\n"
                    "      uvec4(gl_SubgroupID, gl_NumSubgroups, gl_SubgroupInvocationID,\n"
                    "            there ? s[other] - 3u * other : 0u);\n"
                    "}\n",
                    size, count));
   const size_t bytes = 16 * (size_t)count * groups_run;
   uint32_t(*found)[4] = malloc(bytes);
   const GLuint buffer = core_storage(0, bytes, NULL);
   const unsigned num = (count + subgroup_size - 1) / subgroup_size;

   if (variable)
      glDispatchComputeGroupSizeARB(groups_run, 1, 1, x, y, z);
   else
      glDispatchCompute(groups_run, 1, 1);
   core_read(buffer, bytes, found);
   for (unsigned g = 0; g < groups_run; g++) {
      bool seen[1024 + MAX_SUBGROUP] = { false };
      for (unsigned i = 0; i < count; i++) {
         const uint32_t *f = found[g * count + i];
         CHECK(f[0] < f[1] && f[1] >= num && f[2] < subgroup_size && f[3] == 0,
               "%ux%ux%u, invocation %u: subgroup %u of %u, lane %u, %u", x, y, z, i, f[0], f[1],
               f[2], f[3]);
         const unsigned place = f[0] * subgroup_size + f[2];
         if (place < sizeof seen) {
            CHECK(!seen[place], "%ux%ux%u: two invocations at %u", x, y, z, place);
            seen[place] = true;
         }
      }
   }
   free(found);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(program);
}

static void
test_limits(void)
{
   GLint stage_bits = 0, features = 0;
   GLboolean all_quads = GL_FALSE;

   glGetIntegerv(GL_SUBGROUP_SIZE_KHR, (GLint *)&subgroup_size);
   glGetIntegerv(GL_SUBGROUP_SUPPORTED_STAGES_KHR, &stage_bits);
   glGetIntegerv(GL_SUBGROUP_SUPPORTED_FEATURES_KHR, &features);
   glGetBooleanv(GL_SUBGROUP_QUAD_ALL_STAGES_KHR, &all_quads);
   CHECK(subgroup_size && subgroup_size <= MAX_SUBGROUP, "subgroups of %u", subgroup_size);
   CHECK(stage_bits == 0x3f, "stages 0x%x", stage_bits);
   CHECK(features == 0xff, "features 0x%x", features);
   CHECK(all_quads, "no quads in all stages");
}

int
main(void)
{
   GLuint texture;

   core_begin();
   if (!core_extension("GL_KHR_shader_subgroup"))
      return 77;
   test_limits();
   core_target(GL_RGBA8, SIDE, SIDE, &texture);
   for (unsigned i = 0; i < sizeof stages / sizeof stages[0]; i++)
      test_stage(&stages[i]);
   CHECK(helpers_found, "no helpers");
   printf("%u lanes of helpers\n", helpers_found);

   test_numbers(1, 1, 1, false);
   test_numbers(7, 1, 1, false);
   test_numbers(33, 1, 1, false);
   test_numbers(8, 8, 3, false);
   test_numbers(1, 1, 64, false);
   test_numbers(32, 32, 1, false);
   if (core_extension("GL_ARB_compute_variable_group_size")) {
      test_numbers(9, 5, 1, true);
      test_numbers(4, 4, 4, true);
   }
   return core_end("subgroups");
}
