/* SPDX-License-Identifier: MIT */
/*
 * Tests parameter files, --set and nearest names: values, and the exact text of messages.
 */
#include <stdio.h>
#include <unistd.h>

#include "../../unit.h"
#include "config/sgt_config.h"
#include "engine99/sgt_engine.h"

static const char *scratch; /* path of a temporary file */

static void
parse(struct sgt_config *c, const char *text)
{
   char error[512] = "";

   sgt_config_init(c);
   if (!sgt_config_parse(c, text, "F.ini", error, sizeof error))
      fail_msg("%s", error);
}

static void
test_values(void **state)
{
   struct sgt_config c, defaults;

   parse(&c, "");
   sgt_config_init(&defaults);
   assert_memory_equal(&c, &defaults, sizeof c);
   assert_int_equal(c.engine.slice_height, 32);

   parse(&c, "# comment\n"
             "[ issue ]\r\n"
             "  accelerators=0x20\t; comment\n"
             "\n"
             "order = in-order # comment\n"
             "[fetch]\n"
             "split = grid\n"
             "[issue]\n"
             "select = critical");
   assert_int_equal(c.engine.accelerators, 32);
   assert_int_equal(c.engine.order, SGT_ISSUE_ORDER_IN_ORDER);
   assert_int_equal(c.engine.select, SGT_SELECT_CRITICAL);
   assert_int_equal(c.engine.split, SGT_SPLIT_GRID);
   /* Other values must not have changed. */
   for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
      if (key != SGT_KEY_ISSUE_ACCELERATORS && key != SGT_KEY_ISSUE_ORDER &&
          key != SGT_KEY_ISSUE_SELECT && key != SGT_KEY_FETCH_SPLIT)
         assert_int_equal(sgt_config_get(&c, key), sgt_keys[key].initial);
   }
}

static void
test_bad_files(void **state)
{
   static const struct {
      const char *text, *error;
   } cases[] = {
      { "[issue]\nacelerators = 4", "F.ini:2: no key issue.acelerators; the nearest is "
                                    "issue.accelerators" },
      { "\n\n[fetch]\naccelerators = 4", "F.ini:4: no key fetch.accelerators; the nearest is "
                                         "issue.accelerators" },
      { "[isue]\n", "F.ini:1: no section [isue]; the nearest is [issue]" },
      { "[issue\n", "F.ini:1: [issue: expected [section]" },
      { "rate = 1", "F.ini:1: rate: a [section] must come first" },
      { "[issue]\nrate", "F.ini:2: rate: expected key = value or [section]" },
      { "[issue]\nrate = 1\nrate = 1", "F.ini:3: issue.rate: already set in line 2" },
      { "[issue]\naccelerators = 0", "F.ini:2: issue.accelerators = 0: expected a number from 1 to "
                                     "1024" },
      { "[issue]\naccelerators = 1025", "F.ini:2: issue.accelerators = 1025: expected a number "
                                        "from 1 to 1024" },
      { "[issue]\naccelerators =", "F.ini:2: issue.accelerators = : expected a number from 1 to "
                                   "1024" },
      { "[issue]\naccelerators = -1", "F.ini:2: issue.accelerators = -1: expected a number from 1 "
                                      "to 1024" },
      { "[issue]\naccelerators = 4 cores", "F.ini:2: issue.accelerators = 4 cores: expected a "
                                           "number from 1 to 1024" },
      { "[run]\nseed = 18446744073709551616",
        "F.ini:2: run.seed = 18446744073709551616: expected a number from 0 to "
        "18446744073709551615" },
      { "[fetch]\nsplit = Height", "F.ini:2: fetch.split = Height: expected none, height or grid" },
   };

   for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
      struct sgt_config c;
      char error[512] = "";
      sgt_config_init(&c);
      assert_false(sgt_config_parse(&c, cases[i].text, "F.ini", error, sizeof error));
      assert_string_equal(error, cases[i].error);
   }

   char line[400] = "[issue]\n#", error[512];
   struct sgt_config c;
   memset(line + 9, 'x', 300);
   assert_false(sgt_config_parse(&c, line, "F.ini", error, sizeof error));
   assert_string_equal(error, "F.ini:2: the line has more than 255 characters");
}

static void
test_set(void **state)
{
   struct sgt_config c;
   char error[512];

   sgt_config_init(&c);
   assert_true(sgt_config_set(&c, "breaking.rule=exact", error, sizeof error));
   assert_int_equal(c.engine.breaking, SGT_BREAK_EXACT);
   assert_false(sgt_config_set(&c, "breaking.rule", error, sizeof error));
   assert_string_equal(error, "breaking.rule: expected SECTION.KEY=VALUE");
   assert_false(sgt_config_set(&c, "rule=exact", error, sizeof error));
   assert_string_equal(error, "no key rule; the nearest is breaking.rule");
   assert_false(sgt_config_set(&c, "breaking.rule=all", error, sizeof error));
   assert_string_equal(error, "breaking.rule = all: expected none, paper or exact");
}

static void
test_nearest(void **state)
{
   static const struct {
      const char *name, *nearest;
   } cases[] = {
      { "accelerator.setpu", "accelerator.setup" }, /* swapped neighbouring letters */
      { "fetch.slice_widht", "fetch.slice_width" },
      { "slice_high", "fetch.slice_height" },
      { "memory.modell", "memory.model" },
   };

   for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
      char text[64];
      assert_string_equal(sgt_config_nearest(cases[i].name, false, text, sizeof text),
                          cases[i].nearest);
   }
   /* Every name must be nearest to itself. */
   for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
      char name[64], text[64];
      snprintf(name, sizeof name, "%s.%s", sgt_keys[key].section, sgt_keys[key].name);
      assert_string_equal(sgt_config_nearest(name, false, text, sizeof text), name);
   }
}

/* The limits of each key are valid values, and values beyond them are refused. */
static void
test_limits(void **state)
{
   for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
      const struct sgt_key_info *k = &sgt_keys[key];
      char text[64], error[512];
      uint64_t value;
      for (uint64_t v = k->low;; v = k->high) {
         sgt_config_print_value(key, v, text, sizeof text);
         assert_true(sgt_config_read_value(key, text, &value, error, sizeof error));
         assert_int_equal(value, v);
         if (v == k->high)
            break;
      }
      if (k->kind == SGT_VALUE_INT && k->low > 0) {
         snprintf(text, sizeof text, "%llu", (unsigned long long)k->low - 1);
         assert_false(sgt_config_read_value(key, text, &value, error, sizeof error));
      }
      if (k->kind == SGT_VALUE_INT && k->high < UINT64_MAX) {
         snprintf(text, sizeof text, "%llu", (unsigned long long)k->high + 1);
         assert_false(sgt_config_read_value(key, text, &value, error, sizeof error));
      }
   }
}

/* --list-params prints a file with the same values. */
static void
test_write(void **state)
{
   struct sgt_config c, again;
   char error[512] = "", *text = NULL;
   size_t size;

   sgt_config_init(&c);
   for (unsigned key = 0; key < SGT_NUM_KEYS; key++)
      sgt_config_put(&c, key, sgt_keys[key].high);
   FILE *fp = open_memstream(&text, &size);
   sgt_config_write(&c, fp);
   fclose(fp);
   parse(&again, text);
   assert_memory_equal(&c, &again, sizeof c);
   free(text);

   fp = fopen(scratch, "w");
   sgt_config_write(&c, fp);
   fclose(fp);
   sgt_config_init(&again);
   if (!sgt_config_load(&again, scratch, error, sizeof error))
      fail_msg("%s", error);
   assert_memory_equal(&c, &again, sizeof c);
   unlink(scratch);
}

static void
test_load(void **state)
{
   struct sgt_config c;
   char error[512] = "", expected[512];
   unsigned count = 0;

   for (const struct sgt_config_file *f = sgt_config_files; f->name; f++, count++) {
      sgt_config_init(&c);
      if (!sgt_config_load(&c, f->name, error, sizeof error) ||
          !sgt_config_check(&c, error, sizeof error))
         fail_msg("%s", error);
   }
   assert_true(count >= 3);
   assert_false(sgt_config_load(&c, "micro33", error, sizeof error));
   assert_non_null(strstr(
      error,
      "no configuration micro33: there are g80, ga104, micro32-dram, micro32, modern, nv20, via-g80;"));
   assert_false(sgt_config_load(&c, "./none.ini", error, sizeof error));
   assert_string_equal(error, "./none.ini: No such file or directory");

   FILE *fp = fopen(scratch, "wb");
   fwrite("[issue]\0", 1, 8, fp);
   fclose(fp);
   assert_false(sgt_config_load(&c, scratch, error, sizeof error));
   snprintf(expected, sizeof expected, "%s: not a parameter file", scratch);
   assert_string_equal(error, expected);
   unlink(scratch);
}

static void
test_assumed(void **state)
{
   struct sgt_config c;

   sgt_config_init(&c);
   assert_true(sgt_config_assumed(&c, SGT_KEY_ACCELERATOR_SETUP));
   assert_false(sgt_config_assumed(&c, SGT_KEY_ACCELERATOR_PIXELS));
   assert_false(sgt_config_assumed(&c, SGT_KEY_FETCH_SLICE_WIDTH));
   c.engine.split = SGT_SPLIT_HEIGHT;
   assert_false(sgt_config_assumed(&c, SGT_KEY_FETCH_SLICE_WIDTH));
   c.engine.split = SGT_SPLIT_GRID;
   assert_true(sgt_config_assumed(&c, SGT_KEY_FETCH_SLICE_WIDTH));
}

/* Keys must reach the engine.  Values that do not fit together must be named. */
static void
test_engine(void **state)
{
   struct sgt_config c;
   struct sgt_engine_params p;
   char error[512];

   parse(&c, "[issue]\naccelerators = 5\nwindow = 3\norder = in-order\nselect = critical\n"
             "[fetch]\nsplit = grid\nslice_width = 16\nbox = coverage\naligned = yes\n"
             "[breaking]\nrule = paper\n[accelerator]\nsetup = 9\ncopy = 3\n"
             "[memory]\nmodel = dram\n[dram]\nt_wr = 7\nqueue = 5\n[run]\nseed = 77\n");
   assert_true(sgt_config_engine(&c, &p, error, sizeof error));
   assert_int_equal(p.accelerators, 5);
   assert_int_equal(sgt_engine_candidates(&p), 15);
   assert_int_equal(p.order, SGT_ISSUE_ORDER_IN_ORDER);
   assert_int_equal(p.select, SGT_SELECT_CRITICAL);
   assert_int_equal(p.split, SGT_SPLIT_GRID);
   assert_int_equal(p.slice_width, 16);
   assert_int_equal(p.slice_height, 32);
   assert_int_equal(p.slice_box, SGT_SLICE_BOX_COVERAGE);
   assert_true(p.slice_aligned);
   assert_int_equal(p.breaking, SGT_BREAK_PAPER);
   assert_int_equal(p.setup, 9);
   assert_int_equal(p.copy_rate, 3);
   assert_int_equal(p.memory, SGT_MEMORY_DRAM);
   assert_int_equal(p.dram.t_wr, 7);
   assert_int_equal(p.dram.queue, 5);
   assert_int_equal(p.seed, 77);
   c.engine.candidates = 9;
   assert_true(sgt_config_engine(&c, &p, error, sizeof error));
   assert_int_equal(sgt_engine_candidates(&p), 9);

   c.engine.candidates = 0;
   c.engine.accelerators = c.engine.window = 1024;
   assert_false(sgt_config_check(&c, error, sizeof error));
   assert_string_equal(error, "issue.window x issue.accelerators = 1048576 candidate buffers: "
                              "expected 8192 or less");
   parse(&c, "[memory]\nmodel = dram\n[dram]\ninterleave = 96\n");
   assert_false(sgt_config_check(&c, error, sizeof error));
   assert_non_null(strstr(error, "dram.row_bytes"));
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values), cmocka_unit_test(test_bad_files),
      cmocka_unit_test(test_set),    cmocka_unit_test(test_nearest),
      cmocka_unit_test(test_limits), cmocka_unit_test(test_write),
      cmocka_unit_test(test_load),   cmocka_unit_test(test_assumed),
   };

   scratch = argv[1];
   return cmocka_run_group_tests(tests, NULL, NULL);
}
