/* SPDX-License-Identifier: MIT */
/* Tests that text from untrusted sources becomes printable. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sgpu_printable.h"

static void
check(const char *text, const char *expected)
{
   char out[256], *put = NULL;
   size_t size = 0;

   assert_string_equal(sgpu_printable(out, sizeof out, text), expected);
   FILE *fp = open_memstream(&put, &size);
   sgpu_printable_put(fp, text, SIZE_MAX);
   fclose(fp);
   assert_string_equal(put, expected);
   free(put);
}

static void
test_texts(void **state)
{
   (void)state;
   check("", "");
   check("vertices #1 <a&b> \\", "vertices #1 <a&b> \\");
   check("\303\244 \342\202\254 \360\237\230\200", "\303\244 \342\202\254 \360\237\230\200");
   check("\033[31m\r\n\t\a\177", "\\x1b[31m\\x0d\\x0a\\x09\\x07\\x7f");
   /* C1 control characters, as a character and as a byte. */
   check("\302\2331m \2331m", "\\xc2\\x9b1m \\x9b1m");
   check("\302\240", "\302\240");
   /* Overlong encodings, a surrogate, a code beyond the last one, and a truncated sequence. */
   check("\300\200\340\200\200", "\\xc0\\x80\\xe0\\x80\\x80");
   check("\355\240\200 \364\220\200\200", "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
   check("\342\202", "\\xe2\\x82");
   /* Directional formatting, line separators and tags. */
   check("\342\200\256x\342\200\250", "\\xe2\\x80\\xaex\\xe2\\x80\\xa8");
   check("\363\240\201\201", "\\xf3\\xa0\\x81\\x81");
}

static void
test_room(void **state)
{
   char out[6];

   (void)state;
   assert_string_equal(sgpu_printable(out, sizeof out, "abcdefgh"), "abcde");
   assert_string_equal(sgpu_printable(out, sizeof out, "a\033\033"), "a\\x1b");
   assert_string_equal(sgpu_printable(out, sizeof out, "abc\033d"), "abc");
   assert_string_equal(sgpu_printable(out, sizeof out, "abcd\342\202\254"), "abcd");
   assert_string_equal(sgpu_printable(out, 1, "a"), "");
}

static void
test_length(void **state)
{
   char *put = NULL;
   size_t size = 0;

   (void)state;
   FILE *fp = open_memstream(&put, &size);
   sgpu_printable_put(fp, "abc\342\202\254", 5);
   fclose(fp);
   assert_string_equal(put, "abc\\xe2\\x82");
   free(put);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_room),
      cmocka_unit_test(test_length),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
