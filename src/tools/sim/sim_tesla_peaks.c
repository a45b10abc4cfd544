/* SPDX-License-Identifier: MIT */
/* Microbenchmarks of the Tesla chip: peak rates in Lindholm, Nickolls, Oberman, Montrym, "NVIDIA
 * Tesla: A Unified Graphics and Computing Architecture" (IEEE Micro, 2008), and rates that follow
 * from them.
 */
#include "sim_tesla.h"

#include <assert.h>

#include "util/macros.h"

#define SMS 16
#define WARPS 24 /* number of warps per SM */
#define WIDTH 512

#define VERTEX "!!SGVP1.0\nMOV o[HPOS], R0;\nEND\n"
#define COMPUTE "!!SGCP1.0\nTEMPS 19;\nl: "
#define LOOP "(P0.x) BRA l;\nEND\n"

/* Sixteen independent instructions.  They let a single warp keep all units busy. */
#define FREE(one, other)                                                                   \
   one(0) other(1) one(2) other(3) one(4) other(5) one(6) other(7) one(8) other(9) one(10) \
      other(11) one(12) other(13) one(14) other(15)
#define MAD(n) "MAD R" #n ".x, R16.x, R17.x, R18.x;\n"
#define MUL(n) "MUL R" #n ".x, R16.x, R17.x;\n"
/* EX2, SIN and COS are not included, since they consist of two operations each. */
#define FUNCTIONS                                                         \
   "RCP R0.x, R8.x;\nRSQ R1.x, R8.x;\nLG2 R2.x, R8.x;\nRCP R3.x, R9.x;\n" \
   "RSQ R4.x, R9.x;\nLG2 R5.x, R9.x;\n"
#define TEXTURES                                                                    \
   "TXL R0, R8, R9.x, tex[0], smp[0], 2D;\nTXL R1, R8, R9.x, tex[0], smp[0], 2D;\n" \
   "TXL R2, R8, R9.x, tex[0], smp[0], 2D;\nTXL R3, R8, R9.x, tex[0], smp[0], 2D;\n"
#define LOADS                                           \
   "LDB R0.x, buf[0][R8.x];\nLDB R1.x, buf[0][R8.x];\n" \
   "LDB R2.x, buf[0][R8.x];\nLDB R3.x, buf[0][R8.x];\n" \
   "LDB R4.x, buf[0][R8.x];\nLDB R5.x, buf[0][R8.x];\n" \
   "LDB R6.x, buf[0][R8.x];\nLDB R7.x, buf[0][R8.x];\n"
#define SHARED \
   "LDS R0.x, sh[R8.x];\nLDS R1.x, sh[R8.x];\nLDS R2.x, sh[R8.x];\nLDS R3.x, sh[R8.x];\n"

/* -- grids ----------------------------------------------------------------------------------- */

/* Fills each SM with warps that run a loop `size` times.  Returns the number of instructions that
 * all lanes execute, not counting jumps.
 */
static uint64_t
fill_sms(struct tesla_scene *s, const char *body, uint32_t times, uint32_t sms, uint32_t size,
         tesla_accesses *accesses, const void *data)
{
   const uint32_t p = tesla_program(s, COMPUTE, body, times, LOOP);

   tesla_operation(s, 0, WARPS);
   for (uint32_t i = 0; i < sms; i++)
      for (uint32_t w = 0; w < WARPS; w++)
         tesla_loop(s, p, i, size, accesses, data);
   return s->failed ? 0 : 32ull * WARPS * sms * size * (s->programs[p]->num_instrs - 1);
}

/* Adds floating-point operations on `sms` SMs.  Each MAD counts as two and each MUL as one per
 * lane.
 */
static uint64_t
flops(struct tesla_scene *s, uint32_t size, uint32_t sms)
{
   return fill_sms(s, FREE(MAD, MUL), 16, sms, size, NULL, NULL) / 2 * 3;
}

static uint64_t
mad_flops(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   return fill_sms(s, FREE(MAD, MAD), 16, SMS, size, NULL, NULL) * 2;
}

static uint64_t
functions(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   return fill_sms(s, FUNCTIONS, 12, SMS, size, NULL, NULL);
}

struct textures {
   /* samples: number of samples per lane; bytes: size of a texel in bytes */
   uint32_t samples, bytes;
};

/* Each quad reads its texels from a different cache line, and all lines are in the cache. */
static void
texture_access(const void *data, uint32_t warp, uint32_t n, struct tesla_access *a)
{
   const struct textures *t = data;

   a->access = (struct sgt_access){
      .kind = SGT_ACCESS_TEXTURE, .lanes = 32, .work = 32 * t->samples, .bytes = t->bytes
   };
   for (uint32_t q = 0; q < 8; q++)
      a->lines[a->num_lines++] = SGT_LINE(TESLA_MEMORY + q * 64, q);
}

/* Adds texture samples.  `argument` is 16 times the size of a texel in bytes, plus the number of
 * samples per lane.
 */
static uint64_t
textures(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   const struct textures t = { .samples = argument % 16, .bytes = argument / 16 };

   return fill_sms(s, TEXTURES, 4, SMS, size, texture_access, &t) * t.samples;
}

/* Number of warps that read consecutive memory.  There are few warps, so that they stay close
 * together and hit open rows of the DRAM. Each warp has eight loads in flight.
 */
#define STREAMS (4 * SMS)

static void
stream_access(const void *data, uint32_t warp, uint32_t n, struct tesla_access *a)
{
   const uint64_t address = TESLA_MEMORY + ((uint64_t)n * STREAMS + warp) * 128;

   a->access = (struct sgt_access){ .kind = SGT_ACCESS_LOAD, .lanes = 32, .bytes = 4 };
   for (uint32_t q = 0; q < 8; q++)
      a->lines[a->num_lines++] = SGT_LINE(address + q / 4 * 64, q);
}

/* Adds reads from consecutive memory.  The amount of work is in bytes. */
static uint64_t
stream(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   const uint32_t p = tesla_program(s, COMPUTE, LOADS, 2, LOOP);

   tesla_operation(s, 0, 1);
   for (uint32_t w = 0; w < STREAMS; w++)
      tesla_loop(s, p, w, size, stream_access, NULL);
   return 128ull * STREAMS * 16 * size;
}

static void
shared_access(const void *data, uint32_t warp, uint32_t n, struct tesla_access *a)
{
   a->access = (struct sgt_access){ .kind = SGT_ACCESS_SHARED, .lanes = 32, .work = 2, .bytes = 4 };
}

static uint64_t
shared(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   return fill_sms(s, SHARED, 16, SMS, size, shared_access, NULL) * 4;
}

/* -- draws ----------------------------------------------------------------------------------- */

static void
begin_draw(struct tesla_scene *s)
{
   const uint32_t vs = tesla_program(s, VERTEX, "", 0, "");

   tesla_operation(s, 0, 0);
   tesla_vertices(s, vs, 1, 4);
}

/* Adds primitives that cover no pixels and have one vertex each. */
static uint64_t
primitives(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   const uint32_t vs = tesla_program(s, VERTEX, "", 0, "");

   tesla_operation(s, 0, 0);
   for (uint32_t i = 0; i < size; i++)
      tesla_item(s, 0, 0, 0, 0, false);
   tesla_vertices(s, vs, size / 32, 0);
   return size;
}

/* Adds reads of vertex attributes, with `argument` scalars per vertex. */
static uint64_t
attributes(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   const uint32_t vs = tesla_program(s, VERTEX, "", 0, "");

   tesla_operation(s, 0, 0);
   tesla_item(s, 0, 0, 0, 0, false);
   tesla_vertices(s, vs, size, argument);
   return 32ull * size * argument;
}

/* Adds pixels that zcull drops. */
static uint64_t
zculled(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   begin_draw(s);
   tesla_target(s, 0, 1024, 1024, 4, 1,
                SGT_TARGET_DEPTH | SGT_TARGET_READ | SGT_TARGET_WRITE | SGT_TARGET_EARLY);
   for (uint32_t i = 0; i < size; i++)
      tesla_item(s, 0, 0, 1024, 1024, true);
   return (uint64_t)size * 1024 * 1024;
}

/* Adds the interpolation of input components.  The program then drops the pixels. */
static uint64_t
interpolation(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   uint32_t items[8];

   begin_draw(s);
   const uint32_t ps = tesla_program(s, "!!SGFP1.0\nTEMPS 12;\n",
                                     "MAD R0, v[0], v[1], v[2];\nMAD R1, v[3], v[4], v[5];\n"
                                     "ADD R2, v[6], v[7];\n",
                                     1, "END\n");
   for (uint32_t i = 0; i < size; i++)
      items[i] = tesla_item(s, 0, 0, WIDTH, WIDTH / 2, false);
   tesla_pixels(s, ps, items, size, WIDTH, WIDTH / 2, false);
   return (uint64_t)size * WIDTH * WIDTH / 2 * 32;
}

enum fill {
   FILL_COLOR = 1,
   FILL_DEPTH = 2,
   FILL_BLEND = 4,
   FILL_CLEARED = 8,  /* the depth target is fast cleared before the draw */
   FILL_LATE = 16,    /* the depth test runs after the pixel program */
   FILL_WIDE = 32,    /* the color target has 64-bit pixels */
   FILL_SAMPLES = 64, /* the targets have eight samples */
   FILL_FRESH = 128,  /* the rectangles don't overlap */
};

/* Adds rectangles of samples that are as wide as the target.  `argument` is a mask of enum fill. */
static uint64_t
fill(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   const uint32_t bytes = argument & FILL_WIDE ? 8 : 4, samples = argument & FILL_SAMPLES ? 8 : 1;
   const uint32_t rows = argument & FILL_SAMPLES ? WIDTH / 8 : WIDTH / 2;
   const uint32_t down = argument & FILL_FRESH ? rows : 0, height = rows + 3 * down;
   uint32_t items[4], ps = 0;

   assert(size <= ARRAY_SIZE(items));
   if (argument & FILL_CLEARED)
      tesla_clear(s, 0, WIDTH, height, 4, samples, true);
   begin_draw(s);
   if (argument & FILL_DEPTH)
      tesla_target(s, 0, WIDTH, height, 4, samples,
                   SGT_TARGET_DEPTH | SGT_TARGET_READ | SGT_TARGET_WRITE |
                      (argument & FILL_LATE ? 0 : SGT_TARGET_EARLY));
   if (argument & FILL_COLOR) {
      ps = tesla_program(s, "!!SGFP1.0\nMOV o[COLR0], R0;\nEND\n", "", 0, "");
      tesla_target(s, 1, WIDTH, height, bytes, samples,
                   SGT_TARGET_WRITE |
                      (argument & FILL_BLEND ? SGT_TARGET_READ | SGT_TARGET_BLEND : 0));
   }
   for (uint32_t i = 0; i < size; i++)
      items[i] = tesla_item(s, 0, i * down, WIDTH, rows, false);
   if (argument & FILL_COLOR)
      tesla_pixels(s, ps, items, size, WIDTH, rows, true);
   return (uint64_t)size * WIDTH * rows * samples;
}

const struct tesla_benchmark tesla_peaks[] = {
   { "flops-sm", "flops", flops, { 2, 4 }, 1 },
   { "flops", "flops", flops, { 2, 4 }, SMS },
   { "mad", "flops", mad_flops, { 2, 4 } },
   { "functions", "results", functions, { 2, 4 } },
   { "interpolation", "components", interpolation, { 1, 2 }, .set = "sm.prologue=linear" },
   { "perspective", "components", interpolation, { 1, 2 } },
   { "bilinear", "samples", textures, { 2, 4 }, 4 * 16 + 1 },
   { "aniso", "samples", textures, { 2, 4 }, 4 * 16 + 2 },
   { "bilinear16", "samples", textures, { 2, 4 }, 8 * 16 + 1 },
   { "bilinear32", "samples", textures, { 2, 4 }, 16 * 16 + 1 },
   { "primitives", "primitives", primitives, { 1024, 3072 } },
   { "attributes", "scalars", attributes, { 128, 384 }, 8 },
   { "zcull", "pixels", zculled, { 1, 2 } },
   { "color", "pixels", fill, { 1, 2 }, FILL_COLOR },
   { "color64", "pixels", fill, { 1, 2 }, FILL_COLOR | FILL_WIDE },
   { "blend", "pixels", fill, { 1, 2 }, FILL_COLOR | FILL_BLEND },
   { "depth", "pixels", fill, { 1, 3 }, FILL_DEPTH | FILL_CLEARED },
   { "depth-raw", "pixels", fill, { 1, 3 }, FILL_DEPTH | FILL_FRESH },
   { "both", "pixels", fill, { 1, 3 }, FILL_COLOR | FILL_DEPTH | FILL_CLEARED },
   { "late", "pixels", fill, { 1, 3 }, FILL_COLOR | FILL_DEPTH | FILL_CLEARED | FILL_LATE },
   { "samples", "samples", fill, { 1, 2 }, FILL_COLOR | FILL_DEPTH | FILL_CLEARED | FILL_SAMPLES },
   { "pins", "bytes", stream, { 8, 24 }, 0, .set = "gddr.t_refi=0" },
   { "loads", "bytes", stream, { 8, 24 }, 0 },
   { "shared", "bytes", shared, { 2, 4 } },
};
const unsigned tesla_num_peaks = ARRAY_SIZE(tesla_peaks);
