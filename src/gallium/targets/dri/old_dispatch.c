/* SPDX-License-Identifier: MIT */
/* Loaders up to Mesa 24.1 have the entry points of GL in the system's libglapi.so.0, which jump
 * through a table of the current thread.  The layout of tables differs between versions, so the new
 * context's table can't be used.  Instead, one table in the system's layout holds the entry points of
 * libgallium_sgpu, which jump through the new table.  So a call costs one more indirect jump.
 *
 * Where no libglapi.so.0 is loaded, nobody calls through it: X servers use libglvnd.
 */
#include "old_dispatch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "glapi/glapi.h"
#include "util/macros.h"
#include "util/u_call_once.h"
#include "util/u_memory.h"

/* The table stays valid for threads that exit with a current context. */
static _glapi_proc table[8192];
static void (*set_dispatch)(void *table);
static void (*set_context)(void *context);
static bool usable = true;

/* Puts the entry point of each function that both versions know into its slot. */
static void
fill(unsigned size, const char *(*name_of)(unsigned slot))
{
   for (unsigned i = 0; i < size; i++) {
      const char *base = name_of(i);
      char name[128];

      /* Names of slots lack the "gl". */
      if (!base || (unsigned)snprintf(name, sizeof name, "gl%s", base) >= sizeof name)
         continue;
      _glapi_proc entry = _mesa_glapi_get_proc_address(name);
      if (entry)
         table[i] = entry;
   }
}

static void
make_table(void)
{
   void *lib = dlopen("libglapi.so.0", RTLD_LAZY | RTLD_NOLOAD);

   if (!lib)
      return;
   unsigned (*table_size)(void) = (unsigned (*)(void))dlsym(lib, "_glapi_get_dispatch_table_size");
   void *(*new_nop_table)(unsigned) = (void *(*)(unsigned))dlsym(lib, "_glapi_new_nop_table");
   const char *(*name_of)(unsigned) = (const char *(*)(unsigned))dlsym(lib, "_glapi_get_proc_name");
   set_dispatch = (void (*)(void *))dlsym(lib, "_glapi_set_dispatch");
   set_context = (void (*)(void *))dlsym(lib, "_glapi_set_context");
   usable = false;
   if (table_size && new_nop_table && name_of && set_dispatch && set_context) {
      const unsigned size = table_size();
      /* For functions that are gone: does nothing but warn. */
      void *nops = size <= ARRAY_SIZE(table) ? new_nop_table(size) : NULL;

      if (nops) {
         memcpy(table, nops, size * sizeof(table[0]));
         free(nops);
         fill(size, name_of);
         usable = true;
      }
   }
   if (!usable)
      fprintf(stderr, "sgpu: libglapi.so.0 of this system has an unknown interface\n");
   dlclose(lib);
}

bool
old_dispatch_follow(void)
{
   static util_once_flag once = UTIL_ONCE_FLAG_INIT;

   util_call_once(&once, make_table);
   if (usable && set_dispatch) {
      void *context = _mesa_glapi_get_context();

      set_context(context);
      set_dispatch(context ? table : NULL);
   }
   return usable;
}
