/* SPDX-License-Identifier: MIT */
/*
 * Cache lines that an observer gets for loads, stores and atomics at the ends of lines: those with
 * an accessed byte, and no others.
 */
#include "../../unit.h"
#include "scene.h"
#include "sgpu_observer.h"

#define MAX_ACCESSES 16

struct access {
   enum sgpu_access kind;
   unsigned num;
   uint64_t line[16]; /* device addresses of the lines, in any order */
};

static struct access accesses[MAX_ACCESSES];
static unsigned num_accesses;

static void
take_chunk(void *data, const struct sgpu_chunk *chunk)
{
   const struct sgpu_event_head *head;

   for (uint64_t at = 0; chunk->kind == SGPU_CHUNK_WARPS_GROUPS && at < chunk->num_words;
        at += head->words) {
      head = (const struct sgpu_event_head *)(chunk->words + at);
      const struct sgpu_event_access *e = (const struct sgpu_event_access *)head;
      if (head->type != SGPU_EVENT_ACCESS)
         continue;
      const uint32_t *words = (const uint32_t *)(e + 1);
      struct access *a = &accesses[num_accesses++];
      assert_true(num_accesses <= MAX_ACCESSES);
      a->kind = e->kind;
      a->num = (head->words - sizeof(*e) / 4) / 2;
      assert_true(a->num <= sizeof(a->line) / sizeof(a->line[0]));
      for (unsigned i = 0; i < a->num; i++) {
         const uint64_t line = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
         assert_int_equal(line >> 61, 0); /* quad 0 */
         a->line[i] = line << 6;
      }
   }
}

/* A workgroup of one quad, whose lanes access a buffer. */
static void
lines(void **state)
{
   static const struct {
      enum sgpu_access kind;
      unsigned num; /* number of accessed lines, the first ones of the buffer */
   } expected[] = {
      { SGPU_ACCESS_LOAD, 4 },   { SGPU_ACCESS_LOAD, 5 },  { SGPU_ACCESS_LOAD, 1 },
      { SGPU_ACCESS_ATOMIC, 1 }, { SGPU_ACCESS_STORE, 4 }, { SGPU_ACCESS_STORE, 5 },
   };
   const unsigned count = sizeof(expected) / sizeof(expected[0]);
   const struct sgpu_observer observer = { .work = true, .chunk = take_chunk };
   static struct scene s;
   struct sgpu_device_params params;

   sgpu_device_params_from_env(&params);
   params.threads = 1;
   params.observer = &observer;
   struct sgpu_device *dev = scene_device_of(&params);
   scene_metadata = false;
   scene_begin(&s, dev);
   /* Lane n has 64 * n in R0.x. */
   const struct SGPU_SHADER program =
      scene_program(&s, "!!SGCP1.0\nDEF c[64] = { 0x40, 0, 0, 0 };\n"
                        "IMUL R0.x, s[LOCAL_ID].x, c[64].x;\n"
                        "LDB R1.x, buf[0][R0.x + 60];\n"  /* the last word of a line */
                        "LDB R1.xy, buf[0][R0.x + 60];\n" /* and the first word of the next one */
                        "LDB R2, buf[0][48];\n"           /* the last four words of a line */
                        "ATB.ADD _, buf[0][60], R0;\n"
                        "STB buf[0][R0.x + 48], R2;\n"
                        "STB buf[0][R0.x + 52], R2;\nEND\n");
   const struct SGPU_GRID grid = scene_grid_of(4, 1, 1, 1, 1, 1);
   struct sgpu_bo *bo = scene_bo(&s, 4096);
   const uint64_t base = sgpu_bo_address(bo);
   assert_int_equal(base % 64, 0);
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 0, 4096);
   scene_grid(&s, &program, &grid);
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);

   assert_int_equal(num_accesses, count);
   for (unsigned i = 0; i < count; i++) {
      const struct access *a = &accesses[i];
      uint32_t seen = 0;
      assert_int_equal(a->kind, expected[i].kind);
      assert_int_equal(a->num, expected[i].num);
      for (unsigned n = 0; n < a->num; n++) {
         assert_true(a->line[n] >= base && a->line[n] - base < 64 * 32);
         seen |= 1u << (a->line[n] - base) / 64;
      }
      assert_int_equal(seen, (1u << expected[i].num) - 1);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
