/* SPDX-License-Identifier: MIT */
/* Parses the environment variable SGPU_CAPTURE. */
#include "sgcap_options.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
parse_number(const char *text, uint64_t *out, const char **end)
{
   char *stop;

   if (*text < '0' || *text > '9')
      return false;
   errno = 0;
   *out = strtoull(text, &stop, 10);
   *end = stop;
   return errno == 0;
}

static bool
parse_frames(const char *text, struct sgcap_options *out)
{
   const char *end;

   if (!strcmp(text, "all"))
      return true;
   if (!parse_number(text, &out->first, &end))
      return false;
   if (!*end) {
      out->last = out->first;
      return true;
   }
   if (*end != '-')
      return false;
   out->last = UINT64_MAX;
   if (end[1] && (!parse_number(end + 1, &out->last, &end) || *end))
      return false;
   return out->last >= out->first;
}

static bool
parse_signal(const char *text, int *out)
{
   static const struct {
      const char *name;
      int number;
   } signals[] = {
      { "HUP", SIGHUP },     { "INT", SIGINT },   { "USR1", SIGUSR1 }, { "USR2", SIGUSR2 },
      { "WINCH", SIGWINCH }, { "CONT", SIGCONT }, { "URG", SIGURG },   { "IO", SIGIO },
   };
   const char *end;
   uint64_t number;

   if (!strncmp(text, "SIG", 3))
      text += 3;
   for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
      if (!strcmp(text, signals[i].name)) {
         *out = signals[i].number;
         return true;
      }
   }
   if (!parse_number(text, &number, &end) || *end || number == 0 || number > 64)
      return false;
   *out = (int)number;
   return true;
}

static bool
parse_option(const char *name, const char *value, struct sgcap_options *out)
{
   const char *end;
   uint64_t number;

   if (!strcmp(name, "frames"))
      return parse_frames(value, out);
   if (!strcmp(name, "trigger")) {
      if (!*value || strlen(value) >= sizeof out->trigger)
         return false;
      strcpy(out->trigger, value);
      return true;
   }
   if (!strcmp(name, "signal"))
      return parse_signal(value, &out->signal);
   if (!strcmp(name, "count"))
      return parse_number(value, &out->count, &end) && !*end && out->count > 0;
   if (!strcmp(name, "level")) {
      if (!parse_number(value, &number, &end) || *end || number < 1 || number > 19)
         return false;
      out->level = (int)number;
      return true;
   }
   if (!strcmp(name, "then")) {
      out->quit = true;
      return !strcmp(value, "quit");
   }
   if (!strcmp(name, "compare")) {
      out->compare_all = true;
      return !strcmp(value, "all");
   }
   return false;
}

static const struct {
   const char *name, *expected;
} options[] = {
   { "frames", "A, A-, A-B or all, with A no more than B" },
   { "trigger", "the name of a file" },
   { "signal", "HUP, INT, USR1, USR2, WINCH, CONT, URG, IO or a number up to 64" },
   { "count", "a positive number" },
   { "level", "1 to 19" },
   { "then", "quit" },
   { "compare", "all" },
};
#define NUM_OPTIONS (sizeof options / sizeof *options)

bool
sgcap_options_parse(const char *text, struct sgcap_options *out, char *error, size_t error_size)
{
   unsigned given = 0;

   *out = (struct sgcap_options){ .last = UINT64_MAX, .count = 1, .level = 3 };

   size_t n = strcspn(text, ",");
   if (n == 0 || n >= sizeof out->path) {
      snprintf(error, error_size,
               "expected FILE[,OPTION=VALUE...], with a file of at most %zu "
               "bytes",
               sizeof out->path - 1);
      return false;
   }
   memcpy(out->path, text, n);
   text += n;

   while (*text == ',') {
      char item[1200];
      n = strcspn(++text, ",");
      snprintf(item, sizeof item, "%.*s", (int)n, text);
      text += n;
      char *value = strchr(item, '=');
      if (value)
         *value++ = 0;

      unsigned i = 0;
      while (i < NUM_OPTIONS && strcmp(options[i].name, item))
         i++;
      if (i == NUM_OPTIONS) {
         snprintf(error, error_size,
                  "unknown option \"%s\": the options are frames, trigger, "
                  "signal, count, level, then, compare",
                  item);
         return false;
      }
      if (!value || n >= sizeof item || !parse_option(item, value, out)) {
         snprintf(error, error_size, "%s=%s: expected %s", item, value ? value : "",
                  options[i].expected);
         return false;
      }
      given |= 1u << i;
   }
   const bool triggered = out->trigger[0] || out->signal;
   if (triggered ? given & 1u << 0 : given & 1u << 3) {
      snprintf(error, error_size, "%s",
               triggered ? "frames= excludes trigger= and signal=; count= is the number of frames"
                         : "count= needs trigger= or signal=; frames= selects frames by number");
      return false;
   }
   return true;
}
