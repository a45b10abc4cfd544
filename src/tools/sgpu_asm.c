/* SPDX-License-Identifier: MIT */

/* sgpu asm: assembles a program and writes it to a file that sgpu disasm and the ISA library can
 * read.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "sgpu_asm.h"
#include "sgpu_tool_file.h"
#include "sgpu_version.h"

static void
usage(FILE *fp)
{
   fputs("usage: sgpu asm [-o OUT] [--stats] FILE\n"
         "\n"
         "Assembles FILE (- for the standard input), whose first line names the stage\n"
         "and the profile: !!VP1.0, !!SGVP1.0 (vertex), !!SGGP1.0 (geometry), !!SGFP1.0\n"
         "(pixel) or !!SGCP1.0 (compute).\n"
         "docs/isa.md describes the language. Errors are printed as FILE:LINE:COLUMN: MESSAGE.\n"
         "\n"
         "  -o, --output OUT  write the program to OUT; without it FILE is only checked\n"
         "  -s, --stats       print the program's use of resources\n"
         "  -h, --help        print this text\n"
         "  -V, --version     print the version\n",
         fp);
}

static void
print_stats(const struct sgpu_program *p)
{
   printf("%s %s instructions=%u temps=%u constants=%u literals=%u loops=%u stack=%u scratch=%u\n",
          sgpu_stage_name(p->stage), p->vp1 ? "vp1" : "full", p->num_instrs, p->num_temps,
          p->info.num_constants, p->num_literals, p->info.num_loops, p->info.max_stack_depth,
          p->scratch_size);
}

int
main(int argc, char **argv)
{
   static const struct option options[] = {
      { "output", required_argument, NULL, 'o' },
      { "stats", no_argument, NULL, 's' },
      { "help", no_argument, NULL, 'h' },
      { "version", no_argument, NULL, 'V' },
      { 0 },
   };
   const char *output = NULL;
   bool stats = false;
   int c;
   while ((c = getopt_long(argc, argv, "o:shV", options, NULL)) != -1) {
      switch (c) {
      case 'o':
         output = optarg;
         break;
      case 's':
         stats = true;
         break;
      case 'h':
         usage(stdout);
         return 0;
      case 'V':
         puts("sgpu-asm " SGPU_VERSION);
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

   const char *input = argv[optind];
   size_t size;
   char *text = sgpu_tool_read(input, &size);
   if (!text)
      return 1;

   struct sgpu_program program;
   struct sgpu_asm_error error;
   const bool ok = sgpu_asm_program(text, size, &program, &error);
   free(text);
   if (!ok) {
      fprintf(stderr, "%s:%u:%u: %s\n", input, error.line, error.column, error.text);
      return 1;
   }

   if (stats)
      print_stats(&program);
   int status = 0;
   if (output) {
      void *data = sgpu_program_serialize(&program, &size);
      if (!data) {
         fprintf(stderr, "sgpu asm: out of memory\n");
         status = 1;
      } else if (!sgpu_tool_write(output, data, size)) {
         status = 1;
      }
      free(data);
   }
   sgpu_program_finish(&program);
   return status;
}
