/* SPDX-License-Identifier: MIT */
/* Finds the version of a GLX loader.  From Mesa 23.1 to 24.1, loaders take a driver only if it has the
 * loader's own version string, which the extension DRI_Mesa contains.  EGL and GBM of these versions
 * also read structures of Gallium, in the layout of their own version, so they get no version.
 */
#include "old_version.h"

#include <ctype.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/macros.h"

struct search {
   uintptr_t address;
   const char *found;
   bool several;
};

/* Returns whether a string has the form of a version of Mesa: three numbers and dots, and a suffix of
 * the distribution.
 */
static bool
is_version(const char *text)
{
   for (unsigned i = 0; i < 3; i++) {
      if (!isdigit((unsigned char)*text) || (i && text[-1] != '.'))
         return false;
      while (isdigit((unsigned char)*text))
         text++;
      text += i < 2 && *text == '.';
   }
   return !*text || strchr("-+~ (", *text);
}

/* Looks for versions among the constant strings of the library that contains the address. */
static int
search_library(struct dl_phdr_info *info, size_t size, void *data)
{
   struct search *search = data;
   bool here = false;

   for (unsigned i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
      here |= segment->p_type == PT_LOAD &&
              search->address - (info->dlpi_addr + segment->p_vaddr) < segment->p_memsz;
   }
   if (!strstr(info->dlpi_name, "/libGLX_"))
      return here;
   for (unsigned i = 0; here && i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
      if (segment->p_type != PT_LOAD || (segment->p_flags & (PF_R | PF_W | PF_X)) != PF_R)
         continue;
      const char *begin = (const char *)(info->dlpi_addr + segment->p_vaddr);
      const char *end = begin + segment->p_filesz;
      while (begin < end) {
         const size_t length = strnlen(begin, end - begin);
         if (length < (size_t)(end - begin) && is_version(begin)) {
            search->several |= search->found && strcmp(search->found, begin);
            search->found = begin;
         }
         begin += length + 1;
      }
   }
   return here;
}

const char *
old_version_of(const void *address)
{
   struct search search = { .address = (uintptr_t)address };

   dl_iterate_phdr(search_library, &search);
   return search.several ? NULL : search.found;
}
