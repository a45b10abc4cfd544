/* SPDX-License-Identifier: MIT */
/* The properties of formats, compared with Mesa's descriptions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "util/format/u_format.h"
#include "sgpu_formats.h"
#include "sgpu_formats_pipe.h"

static void
expect_flag(const struct sgpu_format_info *info, enum sgpu_format_flag flag, bool is)
{
   if (((info->flags & flag) != 0) != is)
      fail_msg("%s: flag %#x should be %d", info->name, flag, is);
}

/* Returns the channel of colour or depth, or of stencil in a format without these. */
static struct util_format_channel_description
main_channel(const struct util_format_description *d)
{
   if (util_format_has_depth(d))
      return d->channel[d->swizzle[0]];
   if (util_format_has_stencil(d))
      return d->channel[d->swizzle[1]];
   for (unsigned i = 0; i < d->nr_channels; i++) {
      if (d->channel[i].type != UTIL_FORMAT_TYPE_VOID)
         return d->channel[i];
   }
   return d->channel[0];
}

static void
test_facts(void **state)
{
   unsigned count = 0;

   (void)state;
   for (unsigned code = 1; code < SGPU_FORMAT_COUNT; code++) {
      const struct sgpu_format_info *info = sgpu_format_info((enum sgpu_format)code);
      if (!sgpu_format_infos[code].name) {
         assert_ptr_equal(info, sgpu_format_infos);
         assert_int_equal(sgpu_format_to_pipe((enum sgpu_format)code), PIPE_FORMAT_NONE);
         continue;
      }
      const enum pipe_format pipe = sgpu_format_to_pipe((enum sgpu_format)code);
      assert_int_not_equal(pipe, PIPE_FORMAT_NONE);
      assert_int_equal(sgpu_format_from_pipe(pipe), code);
      const struct util_format_description *d = util_format_description(pipe);
      assert_non_null(d);
      assert_memory_equal(d->name, "PIPE_FORMAT_", 12);
      assert_string_equal(d->name + 12, info->name);

      assert_int_equal(info->block_width, d->block.width);
      assert_int_equal(info->block_height, d->block.height);
      assert_int_equal(info->block_bytes * 8, d->block.bits);
      assert_int_equal(d->block.depth, 1);

      expect_flag(info, SGPU_FORMAT_FLAG_DEPTH, util_format_has_depth(d));
      expect_flag(info, SGPU_FORMAT_FLAG_STENCIL, util_format_has_stencil(d));
      expect_flag(info, SGPU_FORMAT_FLAG_COMPRESSED, util_format_is_compressed(pipe));
      expect_flag(info, SGPU_FORMAT_FLAG_SUBSAMPLED, d->layout == UTIL_FORMAT_LAYOUT_SUBSAMPLED);
      expect_flag(info, SGPU_FORMAT_FLAG_SRGB, util_format_is_srgb(pipe));
      if (d->layout == UTIL_FORMAT_LAYOUT_PLAIN) {
         const struct util_format_channel_description c = main_channel(d);
         expect_flag(info, SGPU_FORMAT_FLAG_INTEGER, c.pure_integer);
         expect_flag(info, SGPU_FORMAT_FLAG_FLOAT, c.type == UTIL_FORMAT_TYPE_FLOAT);
         expect_flag(info, SGPU_FORMAT_FLAG_NORMALIZED, c.normalized);
         expect_flag(info, SGPU_FORMAT_FLAG_SIGNED,
                     c.type == UTIL_FORMAT_TYPE_SIGNED || c.type == UTIL_FORMAT_TYPE_FIXED);
      } else {
         expect_flag(info, SGPU_FORMAT_FLAG_INTEGER, false);
         expect_flag(info, SGPU_FORMAT_FLAG_SIGNED, util_format_is_snorm(pipe));
         expect_flag(info, SGPU_FORMAT_FLAG_FLOAT, util_format_is_float(pipe));
      }
      count++;
   }
   print_message("%u formats\n", count);
}

static void
test_bounds(void **state)
{
   unsigned known = 0;

   (void)state;
   assert_int_equal(sgpu_format_to_pipe(SGPU_FORMAT_NONE), PIPE_FORMAT_NONE);
   assert_int_equal(sgpu_format_from_pipe(PIPE_FORMAT_NONE), SGPU_FORMAT_NONE);
   assert_int_equal(sgpu_format_to_pipe((enum sgpu_format)4095), PIPE_FORMAT_NONE);
   assert_int_equal(sgpu_format_to_pipe((enum sgpu_format)UINT32_MAX), PIPE_FORMAT_NONE);
   assert_int_equal(sgpu_format_from_pipe(PIPE_FORMAT_COUNT), SGPU_FORMAT_NONE);
   assert_int_equal(sgpu_format_info((enum sgpu_format)UINT32_MAX)->block_bytes, 0);
   for (unsigned p = 1; p < PIPE_FORMAT_COUNT; p++) {
      const enum sgpu_format f = sgpu_format_from_pipe((enum pipe_format)p);
      if (f == SGPU_FORMAT_NONE)
         continue;
      assert_int_equal(sgpu_format_to_pipe(f), p);
      known++;
   }
   unsigned all = 0;
   for (unsigned code = 1; code < SGPU_FORMAT_COUNT; code++)
      all += sgpu_format_infos[code].name != NULL;
   assert_int_equal(known, all);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_facts),
      cmocka_unit_test(test_bounds),
   };
   return cmocka_run_group_tests_name("formats", tests, NULL, NULL);
}
