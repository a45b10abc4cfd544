/* SPDX-License-Identifier: MIT */
/* Adds sgpu's version to GL_VERSION, behind Mesa's: "4.6 (Core Profile) Mesa 25.0.7 (sgpu 1.0.0)".
 * Builds of Mesa's git have a suffix of this form, so programs that parse the string expect one.  The
 * linker replaces Mesa's function with this one (--wrap in meson.build; see docs/dri.md).
 */
#include <stdlib.h>
#include <string.h>

#include "main/mtypes.h"
#include "main/version.h"

#include "sgpu_version.h"

void __real__mesa_compute_version(struct gl_context *ctx);
void __wrap__mesa_compute_version(struct gl_context *ctx);

void
__wrap__mesa_compute_version(struct gl_context *ctx)
{
   static const char suffix[] = " (sgpu " SGPU_VERSION ")";

   __real__mesa_compute_version(ctx);
   /* The string may be one of an earlier call, which has the suffix. */
   if (!ctx->VersionString || strstr(ctx->VersionString, suffix))
      return;
   const size_t length = strlen(ctx->VersionString);
   char *text = realloc(ctx->VersionString, length + sizeof suffix);
   if (text) {
      memcpy(text + length, suffix, sizeof suffix);
      ctx->VersionString = text;
   }
}
