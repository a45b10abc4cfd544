/* SPDX-License-Identifier: MIT */
/*
 * Parses the environment variable SGPU_TIMING, which contains the options of live timing.
 */
#include "live/sgt_live_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/sgt_config.h"
#include "live/sgt_live.h"

/* Parses one of the options that follow the configuration in SGPU_TIMING. */
static bool
parse_item(struct sgt_live_options *o, struct sgt_config *config, const char *item, char *error,
           size_t error_size)
{
   if (!strcmp(item, "wait")) {
      o->wait = true;
      return true;
   }
   if (!strncmp(item, "log=", 4)) {
      const int n = snprintf(o->log, sizeof(o->log), "%s", item + 4);
      if (n > 0 && n < (int)sizeof(o->log))
         return true;
      snprintf(error, error_size, "log=: expected a file name of at most %zu bytes",
               sizeof(o->log) - 1);
      return false;
   }
   if (strchr(item, '=') && memchr(item, '.', strcspn(item, "=")))
      return sgt_config_set(config, item, error, error_size);
   snprintf(error, error_size, "\"%s\": expected SECTION.KEY=VALUE, wait or log=FILE", item);
   return false;
}

/* Parses the comma-separated list of all options. Modifies the string `items`. */
static bool
parse_items(struct sgt_live_options *o, struct sgt_config *config, char *items, char *error,
            size_t error_size)
{
   char *rest = strchr(items, ',');

   if (rest)
      *rest++ = 0;
   if (!*items) {
      snprintf(error, error_size, "expected CONFIG[,SECTION.KEY=VALUE...][,wait][,log=FILE]");
      return false;
   }
   if (!sgt_config_load(config, items, error, error_size))
      return false;
   while (rest) {
      char *item = rest;
      rest = strchr(item, ',');
      if (rest)
         *rest++ = 0;
      if (!parse_item(o, config, item, error, error_size))
         return false;
   }
   return true;
}

bool
sgt_live_options_parse(struct sgt_live_options *o, const char *text, char *error, size_t error_size)
{
   struct sgt_config config;
   char *items = strdup(text);

   *o = (struct sgt_live_options){ 0 };
   if (!items) {
      snprintf(error, error_size, "out of memory");
      return false;
   }
   sgt_config_init(&config);
   const bool ok = parse_items(o, &config, items, error, error_size);
   free(items);
   if (!ok)
      return false;
   if (config.chip.model != SGT_CHIP_MODEL_G80) {
      snprintf(error, error_size, "the configuration does not have chip.model=g80");
      return false;
   }
   return sgt_config_chip(&config, &o->chip, error, error_size);
}

void
sgt_live_help(void)
{
   fprintf(stderr,
           "SGPU_TIMING=CONFIG[,OPTION...]: timer queries, timestamps and counters (GALLIUM_HUD,\n"
           "AMD_performance_monitor) of a simulated chip.\n"
           "  CONFIG             g80, or a parameter file (a name with a dot or a slash)\n"
           "  SECTION.KEY=VALUE  a parameter (docs/timing-parameters.md)\n"
           "  wait               fences also wait for the simulated chip\n"
           "  log=FILE           a line for each segment: why it ended, cycles, time\n"
           "Counters:\n");
   for (unsigned i = 0; i < sgt_live_counters(); i++) {
      const struct sgt_live_counter *c = sgt_live_counter(i);
      fprintf(stderr, "  %-28s %-13s %s\n", c->name, c->unit, c->text);
   }
}
