/* SPDX-License-Identifier: MIT */
/* Loaders up to Mesa 24.1 have the entry points of GL in the system's libglapi.so.0, which jump
 * through a table of the current thread.  The layout of tables differs between versions, so the new
 * context's table can't be used.  Instead, one table in the system's layout holds the entry points of
 * libgallium_sgpu, which jump through the new table.  So a call costs one more indirect jump.
 *
 * Where no libglapi.so.0 is loaded, no call goes through it: X servers use libglvnd.
 */
#include "old_dispatch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "glapi/glapi.h"
#include "util/macros.h"
#include "util/u_call_once.h"
#include "util/u_memory.h"

struct mapi_stub {
   size_t name_offset;
   int slot;
};

/* Defines public_string_pool and public_stubs: the names of all functions, with their aliases. */
#define MAPI_TMP_PUBLIC_STUBS
#include "mapi_tmp.h"

/* The table stays valid for threads that exit with a current context. */
static _glapi_proc table[8192];
static void (*set_dispatch)(void *table);
static void (*set_context)(void *context);
static bool usable = true;

/* Puts the entry point of each function into its slot.  A function that the system's libglapi doesn't
 * know gets one of its spare slots, as drivers of old Mesas did it, so that the entry points that
 * programs look up jump there.
 */
static void
fill(int size, int (*offset_of)(const char *name),
     int (*add)(const char *const *names, const char *signature))
{
   for (unsigned i = 0; i < ARRAY_SIZE(public_stubs); i++) {
      char name[128];

      /* Names in the pool lack the "gl". */
      if ((unsigned)snprintf(name, sizeof name, "gl%s",
                             public_string_pool + public_stubs[i].name_offset) >= sizeof name)
         continue;
      int slot = offset_of(name);
      if (slot < 0)
         slot = add((const char *const[]){ name, NULL }, "");
      if (slot >= 0 && slot < size)
         table[slot] = _mesa_glapi_get_proc_address(name);
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
   int (*offset_of)(const char *) = (int (*)(const char *))dlsym(lib, "_glapi_get_proc_offset");
   int (*add)(const char *const *,
              const char *) = (int (*)(const char *const *,
                                       const char *))dlsym(lib, "_glapi_add_dispatch");
   set_dispatch = (void (*)(void *))dlsym(lib, "_glapi_set_dispatch");
   set_context = (void (*)(void *))dlsym(lib, "_glapi_set_context");
   usable = false;
   if (table_size && new_nop_table && offset_of && add && set_dispatch && set_context) {
      const unsigned size = table_size();
      /* For functions that are gone: does nothing but warn. */
      void *nops = size <= ARRAY_SIZE(table) ? new_nop_table(size) : NULL;

      if (nops) {
         memcpy(table, nops, size * sizeof(table[0]));
         free(nops);
         fill(size, offset_of, add);
         usable = true;
      }
   }
   if (!usable)
      fprintf(stderr, "sgpu: libglapi.so.0 of this system has an unknown interface\n");
   dlclose(lib);
}

void
old_dispatch_prepare(void)
{
   static util_once_flag once = UTIL_ONCE_FLAG_INIT;

   util_call_once(&once, make_table);
}

bool
old_dispatch_follow(void)
{
   if (usable && set_dispatch) {
      void *context = _mesa_glapi_get_context();

      set_context(context);
      set_dispatch(context ? table : NULL);
   }
   return usable;
}
