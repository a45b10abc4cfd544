/* SPDX-License-Identifier: MIT */
/* sgpu-missing finds libraries that the system lacks, and that an installation of sgpu has.
 *
 * usage: sgpu-missing FOLDER
 *
 * FOLDER contains a folder for each library, with the library's name.  Prints those whose library
 * the dynamic linker does not find elsewhere, in the order of their names, each with a colon before
 * it.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
not_hidden(const struct dirent *entry)
{
   return entry->d_name[0] != '.';
}

int
main(int argc, char **argv)
{
   struct dirent **entries;
   const char *path = getenv("LD_LIBRARY_PATH");

   if (argc != 2) {
      fputs("usage: sgpu-missing FOLDER\n", stderr);
      return 2;
   }
   /* An earlier call of sgpu-run may have added the folder. */
   if (path && strstr(path, argv[1])) {
      unsetenv("LD_LIBRARY_PATH");
      execv("/proc/self/exe", argv);
   }
   int count = scandir(argv[1], &entries, not_hidden, alphasort);
   if (count < 0) {
      perror(argv[1]);
      return 1;
   }
   for (int i = 0; i < count; i++) {
      if (!dlopen(entries[i]->d_name, RTLD_LAZY | RTLD_LOCAL))
         printf(":%s/%s", argv[1], entries[i]->d_name);
   }
   return 0;
}
