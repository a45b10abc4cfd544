/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: parameter files of timing models, and SGPU_TIMING. A text is either refused with a
 * message without control characters, or gives a configuration. A configuration must read back the
 * text that it writes. It must give the parameters of every model, or a message.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "sgcap_hash.h"
#include "chip/sgt_chip.h"
#include "chip/sgt_chip_front.h"
#include "config/sgt_config.h"
#include "engine99/sgt_engine.h"
#include "chip_eu/sgt_eu.h"
#include "live/sgt_live.h"
#include "nv20/sgt_nv20.h"
#include "sim.h"
#include "sim_options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
bool fuzz_tested(void);

/* maximum resident memory for chips with any parameters, in KB. AddressSanitizer delays the reuse
 * of memory.
 */
#ifdef __SANITIZE_ADDRESS__
#define RESIDENT_KILOBYTES (16l << 20)
#else
#define RESIDENT_KILOBYTES (4l << 20)
#endif

static unsigned long runs, accepted, chips, engines;

/* Frames of $FUZZ_CAPTURE. Chips run the first one. */
static struct sim_frames frames;

bool
fuzz_tested(void)
{
   printf("fuzz_parameters: %lu files, %lu accepted, %lu chips, %lu engines\n", runs, accepted,
          chips, engines);
   struct rusage usage;
   getrusage(RUSAGE_SELF, &usage);
   printf("at most %ld KB\n", usage.ru_maxrss);
   return usage.ru_maxrss < RESIDENT_KILOBYTES && accepted > 0 && chips > 0 && engines > 0;
}

static void
check_message(const char *error)
{
   assert(error[0]);
   for (const char *c = error; *c; c++)
      assert((unsigned char)*c >= ' ' && *c != 0x7f);
}

/* Runs a frame on a chip with these parameters. */
static void
run_chip(const struct sgt_chip_params *params)
{
   char error[512] = "";

   if (!frames.count)
      return;
   struct sgt_chip *chip = sgt_chip_create(params, frames.frames[0].trace, frames.frames[0].work,
                                           error, sizeof error);
   if (!chip)
      check_message(error);
   sgt_chip_destroy(chip);
}

static void
derive(const struct sgt_config *c)
{
   struct sgt_engine_params engine;
   struct sgt_nv20_params nv20;
   struct sgt_chip_params chip;
   char error[512] = "";

   if (!sgt_config_engine(c, &engine, error, sizeof error))
      check_message(error);
   else
      engines++;
   if (!sgt_eu_params_check(&c->chip.eu, error, sizeof error))
      check_message(error);
   if (!sgt_config_nv20(c, &nv20, error, sizeof error))
      check_message(error);
   if (!sgt_config_chip(c, &chip, error, sizeof error)) {
      check_message(error);
   } else {
      chips++;
      run_chip(&chip);
   }
}

/* Checks that the configuration reads back the text that it writes. */
static void
check_same(const struct sgt_config *c)
{
   struct sgt_config again;
   char *text = NULL, error[512] = "";
   size_t size = 0;
   FILE *fp = open_memstream(&text, &size);

   assert(fp);
   sgt_config_write(c, fp);
   fclose(fp);
   sgt_config_init(&again);
   const bool ok = sgt_config_parse(&again, text, "again", error, sizeof error);
   assert(ok);
   (void)ok;
   for (unsigned key = 0; key < SGT_NUM_KEYS; key++)
      assert(sgt_config_get(c, key) == sgt_config_get(&again, key));
   free(text);
}

/* Sets a few keys, which the input chooses, to an end of their range or a value in between. */
static void
change(struct sgt_config *c, const uint8_t *data, size_t size)
{
   uint64_t random = XXH64(data, size, 0);

   for (unsigned n = 1 + random % 4; n > 0; n--) {
      random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
      const struct sgt_key_info *k = &sgt_keys[(random >> 33) % SGT_NUM_KEYS];
      const uint64_t range = k->high - k->low, part = random >> 8 & 0xffff;
      uint64_t value = k->low + (range == UINT64_MAX ? random : part % (range + 1));
      if ((random >> 24 & 3) < 2)
         value = random >> 24 & 1 ? k->low : k->high;
      /* The text is needed for choices and flags, which have separate ranges. */
      char text[64], name[128], assignment[256], error[512] = "";
      snprintf(name, sizeof name, "%s.%s", k->section, k->name);
      sgt_config_print_value((enum sgt_key)(k - sgt_keys), value, text, sizeof text);
      snprintf(assignment, sizeof assignment, "%s=%s", name, text);
      if (!sgt_config_set(c, assignment, error, sizeof error))
         check_message(error);
   }
}

static void
load(void)
{
   struct sim_options o = { .threads = 1, .last_frame = UINT64_MAX };
   char error[512] = "";
   const char *path = getenv("FUZZ_CAPTURE");

   sgt_config_init(&o.config);
   if (path && (!sgt_config_load(&o.config, "g80", error, sizeof error) ||
                !sim_replay_load(&frames, &o, path)))
      abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct sgt_config c;
   char error[512] = "", *text = malloc(size + 1);

   assert(text);
   if (!runs++)
      load();
   memcpy(text, data, size);
   text[size] = 0;
   sgt_config_init(&c);
   if (sgt_config_parse(&c, text, "file", error, sizeof error)) {
      accepted++;
      check_same(&c);
      derive(&c);
      change(&c, data, size);
      check_same(&c);
      derive(&c);
   } else {
      check_message(error);
   }
   /* Also use the text as SGPU_TIMING and for --set. */
   if (runs % 8 == 0) {
      struct sgt_live *live = strstr(text, "log=") ? NULL
                                                   : sgt_live_create(text, error, sizeof error);
      sgt_live_destroy(live);
   }
   if (!sgt_config_set(&c, text, error, sizeof error))
      assert(error[0]);
   free(text);
   return 0;
}
