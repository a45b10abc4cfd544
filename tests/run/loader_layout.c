/* SPDX-License-Identifier: MIT */
#include "loader_layout.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <GL/internal/dri_interface.h>

static const struct loader_place old[] = { LOADER_MEMBERS(LOADER_PLACE) };

int
main(void)
{
   int errors = sizeof(old) / sizeof(old[0]) != loader_new_count;

   for (unsigned i = 0; i < loader_new_count; i++) {
      if (old[i].offset != loader_new[i].offset) {
         printf("%s: %zu, not %zu\n", old[i].name, loader_new[i].offset, old[i].offset);
         errors++;
      }
   }
   return errors != 0;
}
