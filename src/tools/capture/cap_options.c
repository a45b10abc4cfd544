/* SPDX-License-Identifier: MIT */
/* Options and error reporting shared by all commands. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_tool.h"

bool
cap_parse_number(const char *text, uint64_t *out)
{
   char *end;

   errno = 0;
   if (*text < '0' || *text > '9')
      return false;
   *out = strtoull(text, &end, 0);
   return !*end && errno == 0;
}

bool
cap_parse_range(const char *text, struct cap_range *out)
{
   char *copy = strdup(text), *dash = copy ? strchr(copy, '-') : NULL;
   bool ok = copy != NULL;

   if (dash)
      *dash = 0;
   ok = ok && cap_parse_number(copy, &out->first);
   out->last = dash ? UINT64_MAX : out->first;
   if (ok && dash && dash[1])
      ok = cap_parse_number(dash + 1, &out->last);
   free(copy);
   return ok && out->last >= out->first;
}

static void
wrong(const char *name, const char *value, const char *expected)
{
   fprintf(stderr, "sgpu: %s %s: expected %s\n", name, value, expected);
   exit(2);
}

static int
index_of(const char *const *names, unsigned count, const char *value)
{
   for (unsigned i = 0; i < count; i++) {
      if (!strcmp(names[i], value))
         return i;
   }
   return -1;
}

bool
cap_device_option(struct sgpu_device_params *params, const char *name, const char *value)
{
   static const char *const hosts[] = { "v2", "v3", "v4" };
   uint64_t n;
   int i;

   if (!strcmp(name, "--threads")) {
      if (!cap_parse_number(value, &n) || n > 1024)
         wrong(name, value, "a number");
      params->threads = n;
   } else if (!strcmp(name, "--dispatch")) {
      if (!sgpu_dispatch_find(value, &params->dispatch))
         wrong(name, value, SGPU_DISPATCH_NAMES);
   } else if (!strcmp(name, "--exec")) {
      if (!sgpu_exec_find(value, &params->exec))
         wrong(name, value, SGPU_EXEC_NAMES);
   } else if (!strcmp(name, "--host")) {
      if ((i = index_of(hosts, 3, value)) < 0)
         wrong(name, value, "v2, v3 or v4");
      params->host = i;
   } else {
      return false;
   }
   return true;
}

int
cap_report(const struct cap_player *p, const char *path)
{
   const char *error = sgcap_error(p->reader);

   if (!error)
      return 0;
   fprintf(stderr, "sgpu: %s: %s\n", path, error);
   return sgcap_unclosed(p->reader) ? 0 : 1;
}
