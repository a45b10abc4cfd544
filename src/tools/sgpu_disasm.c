/* SPDX-License-Identifier: MIT */

/*
 * sgpu disasm: prints a program that sgpu asm has written.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "sgpu_disasm.h"
#include "sgpu_tool_file.h"
#include "sgpu_version.h"

static void
usage(FILE *fp)
{
   fputs("usage: sgpu disasm [--words] FILE\n"
         "\n"
         "Prints the program in FILE (- for the standard input), as sgpu asm reads it.\n"
         "\n"
         "  -w, --words    each instruction's four words in a comment before it\n"
         "  -h, --help     print this text\n"
         "  -V, --version  print the version\n",
         fp);
}

static void
print_words(const struct sgpu_program *p)
{
   for (uint32_t i = 0; i < p->num_instrs; i++) {
      const uint32_t *w = p->instrs[i];
      struct sgpu_instr instr;
      char text[SGPU_DISASM_MAX];
      /* This can't fail, because sgpu_program_deserialize() has checked the instructions. */
      if (sgpu_instr_unpack(w, &instr))
         continue;
      sgpu_disasm_instr(&instr, p->stage, p->vp1, text);
      printf("# %5u  %08x %08x %08x %08x  %s\n", i, w[0], w[1], w[2], w[3], text);
   }
}

int
main(int argc, char **argv)
{
   static const struct option options[] = {
      { "words", no_argument, NULL, 'w' },
      { "help", no_argument, NULL, 'h' },
      { "version", no_argument, NULL, 'V' },
      { 0 },
   };
   bool words = false;
   int c;
   while ((c = getopt_long(argc, argv, "whV", options, NULL)) != -1) {
      switch (c) {
      case 'w':
         words = true;
         break;
      case 'h':
         usage(stdout);
         return 0;
      case 'V':
         puts("sgpu-disasm " SGPU_VERSION);
         return 0;
      default:
         usage(stderr);
         return 2;
      }
   }
   if (argc - optind != 1) {
      usage(stderr);
      return 2;
   }

   size_t size;
   void *data = sgpu_tool_read(argv[optind], &size);
   if (!data)
      return 1;
   struct sgpu_program program;
   const char *error = sgpu_program_deserialize(data, size, &program);
   free(data);
   if (error) {
      fprintf(stderr, "%s: %s\n", argv[optind], error);
      return 1;
   }
   if (words)
      print_words(&program);
   sgpu_disasm_print(stdout, &program);
   sgpu_program_finish(&program);
   return fflush(stdout) ? 1 : 0;
}
