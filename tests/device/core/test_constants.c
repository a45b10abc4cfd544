/* SPDX-License-Identifier: MIT */
/*
 * Constant contexts and their versions: every way to read a bank is compared with a model, under
 * all policies. Also versions of grids that are held, and writes to lines of versions.
 */
#define _GNU_SOURCE
#include "hold.h"
#include "scene.h"

#define CONTEXTS 5
#define SPACE 1024 /* size of the part of a bank that the program reads, in bytes */
#define GRIDS 64
#define MEMORIES 6
#define MEMORY (256 * 1024)
#define PAGE SGPU_PAGE_SIZE

#define OUT_WORDS 8 /* number of words that a lane writes */
#define OUT_BYTES (256 * OUT_WORDS * 4)

/* Bytes of a bank that a grid must read. */
struct bank {
   uint32_t size; /* size of the bank in bytes, or 0 if it is unbound */
   uint8_t bytes[SPACE];
};

/* A bank or context that can change: for each line, its place in the model's copy of the memory. */
struct lines {
   uint32_t size, line; /* size of the bank and of a line, in bytes */
   const uint8_t *at[SPACE / 16];
};

struct model {
   struct scene s;
   struct sgpu_bo *memory[MEMORIES], *out;
   uint32_t taken[MEMORIES]; /* number of used bytes in each buffer */
   uint8_t copy[MEMORIES][MEMORY];
   struct SGPU_SHADER program;
   struct lines contexts[CONTEXTS], bound[2]; /* contexts; bound banks cb[0] and cb[3] */
   struct bank read[GRIDS][2];
};

/* Allocates memory of a random buffer and fills it with random bytes. Returns the place of these
 * bytes in the model's copy, and the device address in *address.
 */
static const uint8_t *
take(struct model *m, uint32_t size, uint64_t *address)
{
   const unsigned n = scene_below(&m->s, MEMORIES);
   const uint32_t at = m->taken[n];

   assert_true(at + size + 20 <= MEMORY);
   m->taken[n] = at + ((size + 3) & ~3u) + 4 * scene_below(&m->s, 5);
   for (uint32_t i = at; i < m->taken[n]; i++)
      m->copy[n][i] = scene_below(&m->s, 256);
   memcpy((uint8_t *)sgpu_bo_map(m->memory[n]) + at, m->copy[n] + at, m->taken[n] - at);
   *address = sgpu_bo_address(m->memory[n]) + at;
   return m->copy[n] + at;
}

/* Emits a fill of memory that banks use, have used or will use. */
static void
fill(struct model *m)
{
   const unsigned n = scene_below(&m->s, MEMORIES);
   const uint32_t words = m->taken[n] / 4, value = scene_random(&m->s);

   if (words < 100)
      return;
   const uint32_t at = 4 * scene_below(&m->s, words - 80), size = 4 + 4 * scene_below(&m->s, 64);
   scene_fill_buffer(&m->s, sgpu_bo_address(m->memory[n]) + at, size, value);
   for (uint32_t i = 0; i < size; i += 4)
      memcpy(m->copy[n] + at + i, &value, 4);
}

static void
set_lines(struct lines *x, uint32_t first, uint32_t count, const uint8_t *at)
{
   for (uint32_t i = 0; i < count; i++)
      x->at[first + i] = at + i * x->line;
}

static void
read_lines(const struct lines *x, struct bank *bank)
{
   bank->size = x->size;
   for (uint32_t at = 0; at < x->size; at += x->line)
      memcpy(bank->bytes + at, x->at[at / x->line],
             x->size - at < x->line ? x->size - at : x->line);
}

/* Emits a version of a random context, with up to four runs of changed lines, for one of the two
 * banks.
 */
static void
set_version(struct model *m)
{
   const unsigned context = scene_below(&m->s, CONTEXTS), bank = scene_below(&m->s, 2);
   struct lines *x = &m->contexts[context];
   struct SGPU_CONSTANT_VERSION p = {
      .stage = SGPU_STAGE_COMPUTE,
      .bank = bank ? 3 : 0,
      .context = context == CONTEXTS - 1 ? 255 : context,
      .open = !x->size || scene_below(&m->s, 6) == 0,
   };
   struct SGPU_CONSTANT_RUN runs[4];

   if (p.open) {
      p.size = 1 + scene_below(&m->s, SPACE);
      p.fine = scene_below(&m->s, 2);
      x->line = p.fine ? 16 : 64;
      x->size = p.size;
      set_lines(x, 0, (p.size + x->line - 1) / x->line, take(m, p.size, &p.address));
   }
   p.tail_count = scene_below(&m->s, 5);
   for (unsigned i = 0; i < p.tail_count; i++) {
      const uint32_t lines = (x->size + x->line - 1) / x->line, first = scene_below(&m->s, lines);
      runs[i] = (struct SGPU_CONSTANT_RUN){ first, 1 + scene_below(&m->s, lines - first), 0 };
      const uint32_t left = x->size - x->line * first, most = x->line * runs[i].lines;
      const uint32_t size = most < left ? most : left;
      set_lines(x, first, runs[i].lines, take(m, size, &runs[i].address));
   }
   uint32_t *words = scene_get(&m->s, SGPU_CONSTANT_VERSION_length(p.tail_count));
   SGPU_CONSTANT_VERSION_pack(words, &p);
   for (unsigned i = 0; i < p.tail_count; i++)
      SGPU_CONSTANT_RUN_pack(SGPU_CONSTANT_VERSION_tail(words, i), &runs[i]);
   m->bound[bank] = *x;
}

static void
set_bank(struct model *m)
{
   const unsigned bank = scene_below(&m->s, 2);
   struct lines *b = &m->bound[bank];
   uint64_t address = 0;

   b->size = scene_below(&m->s, 4) ? 1 + scene_below(&m->s, SPACE) : 0;
   b->line = 16;
   if (b->size)
      set_lines(b, 0, (b->size + 15) / 16, take(m, b->size, &address));
   SCENE_EMIT(&m->s, CONSTANTS, cfg) {
      cfg.stage = SGPU_STAGE_COMPUTE;
      cfg.bank = bank ? 3 : 0;
      cfg.size = b->size;
      cfg.address = address;
   }
}

static void
run_grid(struct model *m, unsigned n)
{
   scene_bind_buffer(&m->s, SGPU_STAGE_COMPUTE, 0, m->out, n * OUT_BYTES, OUT_BYTES);
   SGPU_SHADER_pack(scene_get(&m->s, SGPU_SHADER_LENGTH), &m->program);
   const struct SGPU_GRID grid = scene_grid_of(32, 1, 1, 8, 1, 1);
   SGPU_GRID_pack(scene_get(&m->s, SGPU_GRID_LENGTH), &grid);
   for (unsigned i = 0; i < 2; i++)
      read_lines(&m->bound[i], &m->read[n][i]);
}

static uint32_t
word_of(const struct bank *b, uint32_t word)
{
   uint32_t value = 0;

   if (4 * word + 4 <= b->size)
      memcpy(&value, b->bytes + 4 * word, 4);
   return value;
}

static void
check_grid(const struct model *m, unsigned n)
{
   const struct bank *zero = &m->read[n][0], *three = &m->read[n][1];
   const uint32_t *out = (uint32_t *)sgpu_bo_map(m->out) + n * OUT_BYTES / 4;

   for (unsigned i = 0; i < 256; i++, out += OUT_WORDS) {
      assert_int_equal(out[0], word_of(zero, i));
      assert_int_equal(out[1], word_of(three, i + 1));
      assert_int_equal(out[2], word_of(three, 7 + 2));
      assert_int_equal(out[3], word_of(zero, 4 * 7 + 1));
      for (unsigned c = 0; c < 3; c++)
         assert_int_equal(out[4 + c], word_of(zero, 4 * (i % 32 + 2) + c));
      assert_int_equal(out[7], word_of(zero, 4 * 36 + 2));
   }
}

/* Returns a program for 256 lanes. Lane i stores word i of cb[0], word i + 1 of cb[3], two words
 * that are the same for all lanes, and c[i % 32 + 2]. LDC of component n reads 4n bytes after its
 * address.
 */
static struct SGPU_SHADER
reader(struct scene *s)
{
   return scene_program(s, "!!SGCP1.0\nDEF c[60] = { 0x4, 0x20, 0, 0 };\n"
                           "IMAD R0.x, s[GROUP_ID].x, s[GROUP_SIZE].x, s[LOCAL_ID].x;\n"
                           "IMUL R1.x, R0.x, c[60].x;\nIMUL R1.y, R0.x, c[60].y;\n"
                           "LDC R2.x, cb[0][R1.x];\nLDC R2.y, cb[3][R1.x];\n"
                           "ARI A0.x, s[LOCAL_ID].x;\nLDC R2.z, cb[3][28];\n"
                           "MOV R2.w, c[7].y;\nMOV R3, c[A0.x + 2];\nMOV R3.w, c[36].z;\n"
                           "STB buf[0][R1.y], R2;\nSTB buf[0][R1.y + 16], R3;\nEND\n");
}

static void
run_random(struct sgpu_device *dev, uint64_t seed)
{
   struct model *m = calloc(1, sizeof(*m));
   assert_non_null(m);
   scene_begin(&m->s, dev);
   m->s.random ^= seed * 0x9e3779b97f4a7c15ull;
   for (unsigned i = 0; i < MEMORIES; i++)
      m->memory[i] = scene_bo(&m->s, MEMORY);
   m->out = scene_bo(&m->s, GRIDS * OUT_BYTES);
   m->program = reader(&m->s);
   memset(sgpu_bo_map(m->out), 0xff, GRIDS * OUT_BYTES);
   for (unsigned n = 0; n < GRIDS; n++) {
      for (unsigned i = scene_below(&m->s, 3); i > 0; i--) {
         if (scene_below(&m->s, 8))
            set_version(m);
         else
            set_bank(m);
      }
      for (unsigned i = scene_below(&m->s, 3); i > 0; i--)
         fill(m);
      run_grid(m, n);
      if (scene_below(&m->s, 20) == 0) {
         scene_submit(&m->s);
         memset(m->contexts, 0, sizeof(m->contexts));
         memset(m->bound, 0, sizeof(m->bound));
      }
   }
   scene_wait(&m->s, m->out);
   for (unsigned n = 0; n < GRIDS; n++)
      check_grid(m, n);
   scene_end(&m->s, NULL);
   free(m);
}

static void
test_random(void **state)
{
   for (unsigned way = 0; way < SCENE_WAYS; way++) {
      struct sgpu_device *dev = scene_way_device(way);
      for (uint64_t seed = 0; seed < 2; seed++)
         run_random(dev, 2 * way + seed);
      sgpu_device_destroy(dev);
   }
}

/* -- versions under way -------------------------------------------------------------------- */

/* Emits a version of context 9 for cb[1] of the stage. If size is not 0, it opens the context with
 * `size` bytes at the start of bo. `lines` lines, the first of which is `first`, are at offset
 * lines_at of bo.
 */
static void
version(struct scene *s, enum sgpu_stage stage, struct sgpu_bo *bo, uint32_t size, unsigned first,
        unsigned lines, uint32_t lines_at)
{
   const struct SGPU_CONSTANT_RUN run = { first, lines, sgpu_bo_address(bo) + lines_at };
   const struct SGPU_CONSTANT_VERSION p = {
      .tail_count = lines != 0,
      .stage = stage,
      .bank = 1,
      .context = 9,
      .open = size != 0,
      .size = size,
      .address = size ? sgpu_bo_address(bo) : 0,
   };
   uint32_t *words = scene_get(s, SGPU_CONSTANT_VERSION_length(p.tail_count));

   SGPU_CONSTANT_VERSION_pack(words, &p);
   if (lines)
      SGPU_CONSTANT_RUN_pack(SGPU_CONSTANT_VERSION_tail(words, 0), &run);
}

static void
small_grid(struct scene *s, const struct SGPU_SHADER *program, struct sgpu_bo *out, unsigned n)
{
   scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 0, out, 64 * n, 16);
   SGPU_SHADER_pack(scene_get(s, SGPU_SHADER_LENGTH), program);
   SCENE_EMIT(s, GRID, cfg) {
      cfg.group_size_x = cfg.group_size_y = cfg.group_size_z = 1;
      cfg.groups_x = cfg.groups_y = cfg.groups_z = 1;
   }
}

/* A held grid reads the constants of its version after grids with later versions have ended, and
 * these grids do not wait for it.
 */
static void
test_held_version(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *held = scene_bo(&s, PAGE), *bo = scene_bo(&s, PAGE), *out = scene_bo(&s, PAGE);
   const struct SGPU_SHADER late = scene_program(&s, "!!SGCP1.0\nLDB R0.x, buf[1][0];\n"
                                                     "LDC R0.x, cb[1][0];\nLDC R0.y, cb[1][60];\n"
                                                     "STB buf[0][0].xy, R0;\nEND\n");
   const struct SGPU_SHADER now = scene_program(&s, "!!SGCP1.0\nLDC R0.x, cb[1][0];\n"
                                                    "LDC R0.y, cb[1][60];\n"
                                                    "STB buf[0][0].xy, R0;\nEND\n");
   uint32_t *constants = sgpu_bo_map(bo);
   volatile uint32_t *result = sgpu_bo_map(out);

   for (unsigned i = 0; i < 4; i++)
      constants[16 * i] = 100 + i;
   scene_wait(&s, s.results[0]);
   const uint64_t stalls = counter(dev, "stall_depend"), overtakes = counter(dev, "overtakes");
   hold_begin(held);
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 1, held, 0, 4);
   version(&s, SGPU_STAGE_COMPUTE, bo, 128, 0, 0, 0);
   small_grid(&s, &late, out, 0);
   version(&s, SGPU_STAGE_COMPUTE, bo, 0, 1, 1, 128);
   small_grid(&s, &now, out, 1);
   version(&s, SGPU_STAGE_COMPUTE, bo, 0, 0, 1, 192);
   small_grid(&s, &now, out, 2);
   scene_submit(&s);
   hold_wait();
   WAIT_UNTIL(counter(dev, "overtakes") == overtakes + 2);
   assert_int_equal(result[16], 100);
   assert_int_equal(result[17], 102);
   assert_int_equal(result[32], 103);
   assert_int_equal(result[33], 102);
   assert_int_equal(counter(dev, "stall_depend"), stalls);
   hold_release();
   assert_int_equal(sgpu_bo_wait(out, UINT64_MAX), 0);
   assert_int_equal(result[0], 100);
   assert_int_equal(result[1], 101);
   hold_end();
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

/* A fill waits for a draw whose version has a line in the filled memory. It does not wait for a
 * draw whose version has replaced this line.
 */
static void
test_fill_of_line(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct scene s;
   scene_begin(&s, dev);
   scene_triangles(&s, 1, 50.0f);
   struct sgpu_bo *held = scene_bo(&s, PAGE), *bo = scene_bo(&s, PAGE);
   volatile uint32_t *words = sgpu_bo_map(bo);
   static const struct {
      uint32_t line;
      bool waits;
   } fills[] = { { 2, false }, { 20, false }, { 8, true }, { 1, true } };

   scene_wait(&s, s.results[0]);
   for (unsigned i = 0; i < 4; i++) {
      const uint64_t stalls = counter(dev, "stall_depend"), overtakes = counter(dev, "overtakes");
      const struct SGPU_DRAW packet = {
         .primitive = SGPU_PRIMITIVE_TRIANGLES,
         .index_size = SGPU_INDEX_SIZE_U32,
         .count = 3,
         .instances = 1,
         .index_address = sgpu_bo_address(held),
         .index_bytes = PAGE,
      };
      hold_begin(held);
      scene_emit_state(&s);
      /* The lines of the context are lines 0, 1, 8 and 3 of bo. */
      version(&s, SGPU_STAGE_VERTEX, bo, 4 * 64, 2, 1, 8 * 64);
      scene_draw_packet(&s, &packet);
      scene_fill_buffer(&s, sgpu_bo_address(bo) + fills[i].line * 64, 64, 1 + i);
      scene_submit(&s);
      hold_wait();
      if (fills[i].waits) {
         WAIT_UNTIL(counter(dev, "stall_depend") == stalls + 1);
         assert_int_not_equal(words[fills[i].line * 16], 1 + i);
      } else {
         WAIT_UNTIL(counter(dev, "overtakes") == overtakes + 1);
         assert_int_equal(words[fills[i].line * 16], 1 + i);
      }
      hold_release();
      assert_int_equal(sgpu_bo_wait(bo, UINT64_MAX), 0);
      assert_int_equal(words[fills[i].line * 16], 1 + i);
      hold_end();
   }
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

/* Two queues use a context with the same number, each with different constants. */
static void
test_queues(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct scene s[2];
   struct sgpu_bo *bo[2], *out[2];

   for (unsigned q = 0; q < 2; q++) {
      scene_begin(&s[q], dev);
      bo[q] = scene_bo(&s[q], PAGE);
      out[q] = scene_bo(&s[q], PAGE);
      uint32_t *constants = sgpu_bo_map(bo[q]);
      for (unsigned i = 0; i < PAGE / 64; i++)
         constants[16 * i] = 1000 * q + i;
   }
   for (unsigned n = 0; n < 8; n++) {
      for (unsigned q = 0; q < 2; q++) {
         const struct SGPU_SHADER program =
            scene_program(&s[q], "!!SGCP1.0\nLDC R0.x, cb[1][0];\nLDC R0.y, cb[1][60];\n"
                                 "STB buf[0][0].xy, R0;\nEND\n");
         version(&s[q], SGPU_STAGE_COMPUTE, bo[q], n ? 0 : 128, n % 2, 1, 64 * (2 + n));
         small_grid(&s[q], &program, out[q], n);
      }
   }
   for (unsigned q = 0; q < 2; q++) {
      const uint32_t *words = sgpu_bo_map(out[q]);
      scene_wait(&s[q], out[q]);
      for (unsigned n = 0; n < 8; n++) {
         assert_int_equal(words[16 * n + n % 2], 1000 * q + 2 + n);
         assert_int_equal(words[16 * n + 1 - n % 2], 1000 * q + (n ? 1 + n : 1));
      }
   }
   for (unsigned q = 0; q < 2; q++)
      scene_end(&s[q], NULL);
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_held_version),
      cmocka_unit_test(test_fill_of_line),
      cmocka_unit_test(test_queues),
   };
   return cmocka_run_group_tests_name("constants", tests, NULL, NULL);
}
