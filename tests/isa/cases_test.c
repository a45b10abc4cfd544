/* SPDX-License-Identifier: MIT */

/*
 * Translates texts and words from files in both directions, and checks refusals.
 *
 *    cases_test CASES REFUSED-TEXTS REFUSED-WORDS
 *
 * CASES: a line `!!...` sets the stage.  Other lines have four words and a text.  The words must
 * disassemble to the text and the text must assemble to the words.  If the line begins with `~`,
 * only the latter is tested.
 *
 * REFUSED-TEXTS: a line `== LINE:COLUMN MESSAGE`, then a program that must be refused at
 * exactly this position with this message.
 *
 * REFUSED-WORDS: four words and the message.
 *
 * Lines that begin with `//` are comments.
 */

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sgpu_asm.h"
#include "sgpu_disasm.h"

static const char *cases_path, *texts_path, *words_path;
static unsigned failures, checks;

static FILE *
open_file(const char *path)
{
   FILE *fp = fopen(path, "r");
   if (!fp) {
      print_error("cannot open %s\n", path);
      fail();
   }
   failures = checks = 0;
   return fp;
}

static void
finish_file(FILE *fp, unsigned least)
{
   fclose(fp);
   assert_int_equal(failures, 0);
   assert_true(checks >= least);
}

static bool
next_line(FILE *fp, char line[512], unsigned *number)
{
   while (fgets(line, 512, fp)) {
      (*number)++;
      line[strcspn(line, "\n")] = '\0';
      if (line[0] && strncmp(line, "//", 2) != 0)
         return true;
   }
   return false;
}

/* Parses four words.  Returns the rest of the line, or NULL if it has no four words. */
static const char *
split_words(const char *line, uint32_t words[4])
{
   int at = 0;
   if (sscanf(line, "%8" SCNx32 " %8" SCNx32 " %8" SCNx32 " %8" SCNx32 " %n", &words[0], &words[1],
              &words[2], &words[3], &at) != 4)
      return NULL;
   return line + at;
}

static void
check_case(const char *place, const char *line, enum sgpu_stage stage, bool vp1)
{
   const bool one_way = line[0] == '~';
   uint32_t words[4], packed[4];
   struct sgpu_instr instr;
   struct sgpu_asm_error error;
   char out[SGPU_DISASM_MAX];

   checks++;
   const char *text = split_words(line + one_way, words);
   if (!text) {
      print_error("%s: malformed\n", place);
      failures++;
   } else if (!sgpu_asm_instr(text, strlen(text), stage, vp1, &instr, &error)) {
      print_error("%s: %u: %s\n", place, error.column, error.text);
      failures++;
   } else if (sgpu_instr_pack(&instr, packed) || memcmp(words, packed, sizeof(words)) != 0) {
      print_error("%s: assembles to %08x %08x %08x %08x\n", place, packed[0], packed[1], packed[2],
                  packed[3]);
      failures++;
   } else if (!one_way) {
      const char *refused = sgpu_instr_unpack(words, &instr);
      if (!refused)
         sgpu_disasm_instr(&instr, stage, vp1, out);
      if (refused || strcmp(out, text) != 0) {
         print_error("%s: disassembles to %s\n", place, refused ? refused : out);
         failures++;
      }
   }
}

static void
cases(void **state)
{
   (void)state;
   FILE *fp = open_file(cases_path);
   char line[512], place[600];
   unsigned number = 0;
   enum sgpu_stage stage = SGPU_STAGE_VERTEX;
   bool vp1 = false;

   while (next_line(fp, line, &number)) {
      snprintf(place, sizeof(place), "%s:%u", cases_path, number);
      if (strncmp(line, "!!", 2) == 0) {
         vp1 = strcmp(line, "!!VP1.0") == 0;
         stage = strcmp(line, "!!SGFP1.0") == 0   ? SGPU_STAGE_PIXEL
                 : strcmp(line, "!!SGGP1.0") == 0 ? SGPU_STAGE_GEOMETRY
                 : strcmp(line, "!!SGCP1.0") == 0 ? SGPU_STAGE_COMPUTE
                 : strcmp(line, "!!SGTC1.0") == 0 ? SGPU_STAGE_TESS_CTRL
                 : strcmp(line, "!!SGTE1.0") == 0 ? SGPU_STAGE_TESS_EVAL
                                                  : SGPU_STAGE_VERTEX;
         continue;
      }
      check_case(place, line, stage, vp1);
   }
   finish_file(fp, 100);
}

static void
check_refused(const char *expected, unsigned number, const char *text, size_t length)
{
   struct sgpu_program program;
   struct sgpu_asm_error error;
   char found[sizeof(error.text) + 32] = "accepted";

   checks++;
   if (sgpu_asm_program(text, length, &program, &error))
      sgpu_program_finish(&program);
   else
      snprintf(found, sizeof(found), "%u:%u %s", error.line, error.column, error.text);
   if (strcmp(found, expected) != 0) {
      print_error("%s:%u: expected %s\n   found %s\n", texts_path, number, expected, found);
      failures++;
   }
}

static void
refused_texts(void **state)
{
   (void)state;
   FILE *fp = open_file(texts_path);
   char line[512], expected[512] = "", text[8192];
   unsigned number = 0, at = 0;
   size_t length = 0;

   while (fgets(line, sizeof(line), fp)) {
      number++;
      if (strncmp(line, "//", 2) == 0)
         continue;
      if (strncmp(line, "== ", 3) != 0) {
         assert_true(length + strlen(line) < sizeof(text));
         memcpy(text + length, line, strlen(line));
         length += strlen(line);
         continue;
      }
      if (expected[0])
         check_refused(expected, at, text, length);
      line[strcspn(line, "\n")] = '\0';
      snprintf(expected, sizeof(expected), "%s", line + 3);
      at = number;
      length = 0;
   }
   check_refused(expected, at, text, length);
   finish_file(fp, 50);
}

static void
refused_words(void **state)
{
   (void)state;
   FILE *fp = open_file(words_path);
   char line[512];
   unsigned number = 0;

   while (next_line(fp, line, &number)) {
      uint32_t words[4];
      struct sgpu_instr instr;
      const char *expected = split_words(line, words);
      const char *found = expected ? sgpu_instr_unpack(words, &instr) : "malformed";
      checks++;
      if (!found || !expected || strcmp(found, expected) != 0) {
         print_error("%s:%u: found %s\n", words_path, number, found ? found : "accepted");
         failures++;
      }
   }
   finish_file(fp, 30);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(cases),
      cmocka_unit_test(refused_texts),
      cmocka_unit_test(refused_words),
   };
   if (argc != 4) {
      fprintf(stderr, "usage: %s CASES REFUSED-TEXTS REFUSED-WORDS\n", argv[0]);
      return 2;
   }
   cases_path = argv[1];
   texts_path = argv[2];
   words_path = argv[3];
   return cmocka_run_group_tests(tests, NULL, NULL);
}
