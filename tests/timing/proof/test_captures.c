/* SPDX-License-Identifier: MIT */
/*
 * Tests the proof by the picture on a capture.  In program order, and with the schedules of
 * engines, the trace must produce the device's memory contents.  Without dependences, it must not.
 *
 *    sgt_memory_test_captures [--frames N] [--time] FILE.sgcap [KIND...]
 *
 * KIND: RAW, WAW, WAR, conflict.  The capture has dependences of this kind, and an engine that
 * ignores them must be detected.  --time: prints the speed of verification.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cap_player.h"
#include "engine99/sgt_engine.h"
#include "proof/sgt_shadow.h"
#include "trace/sgt_store.h"
#include "util/macros.h"

struct range {
   struct cap_player player;
   struct sgt_store *store;
   struct sgpu_shadow_image *image;
   struct sgt_trace *trace;
   struct sgt_audit_plan *plan;
};

static void
die(const char *what)
{
   fprintf(stderr, "%s\n", what);
   exit(1);
}

static uint32_t
on_state(void *data, const struct sgd_state *state, const struct sgd_xfer *xfer)
{
   struct range *r = data;
   return state ? sgpu_shadow_image_add_state(r->image, state)
                : sgpu_shadow_image_add_xfer(r->image, xfer);
}

static void
begin(struct range *r)
{
   cap_player_wait(&r->player);
   if (sgpu_shadow_image_create(r->player.dev, &r->image))
      die("no image");
   for (uint64_t i = 0; i < r->player.num_objects; i++) {
      const struct cap_object *o = &r->player.objects[i];
      if (o->kind == CAP_BO && o->u.bo.bo && sgpu_shadow_image_add_buffer(r->image, o->u.bo.bo))
         die("no memory for a buffer");
   }
   sgt_store_submissions(r->store, SGT_STORE_RECORD, 0);
}

/* Returns false for buffers of streams and programs, which are not data of operations. */
static bool
is_data(const struct cap_bo *b)
{
   return strcmp(b->label, "stream") && strcmp(b->label, "shader");
}

static void
note_write(struct range *r, const struct sgcap_data *d)
{
   const struct cap_bo *b = cap_player_bo(&r->player, d->id);

   if (!b || !d->size || !is_data(b))
      return;
   const uint64_t address = b->address + d->offset;
   const uint8_t *data = (const uint8_t *)sgpu_bo_map(b->bo) + d->offset;
   sgt_store_direct(r->store,
                    &(struct sgt_direct){
                       .begin = address,
                       .end = address + d->size,
                       .bo_begin = b->address,
                       .bo_end = b->address + b->size,
                       .write = true,
                       .record = sgpu_shadow_image_add_write(r->image, address, d->size, data),
                    });
}

/* Loads the capture up to the given number of frames as one range. */
static void
load(struct range *r, const char *path, unsigned frames)
{
   struct sgpu_device_params params;
   struct sgcap_record rec;
   char error[256];
   bool good = true;

   memset(r, 0, sizeof(*r));
   sgpu_device_params_from_env(&params);
   r->store = sgt_store_create(&(struct sgt_store_params){
      .classes = SGPU_OBSERVE_VALUES,
      .state = on_state,
      .data = r,
   });
   params.observer = sgt_store_observer(r->store);
   if (!cap_player_open(&r->player, path, &params, true))
      exit(1);
   for (unsigned seen = 0; good && seen < frames && sgcap_next(r->player.reader, &rec);) {
      if (rec.type == SGCAP_BO_DESTROY && r->image) {
         const struct cap_bo *b = cap_player_bo(&r->player, rec.u.id.id);
         cap_player_wait(&r->player);
         if (b && sgpu_shadow_image_remove_buffer(r->image, b->bo))
            die("no memory for a buffer");
      }
      good = cap_player_perform(&r->player, &rec);
      switch (rec.type) {
      case SGCAP_BO_CREATE:
         if (r->image &&
             sgpu_shadow_image_add_buffer(r->image,
                                          cap_player_bo(&r->player, rec.u.bo_create.id)->bo))
            die("no memory for a buffer");
         break;
      case SGCAP_DATA:
      case SGCAP_ZERO:
         if (r->image)
            note_write(r, &rec.u.data);
         break;
      case SGCAP_SUBMIT:
         if (!r->image)
            begin(r);
         good = cap_player_submit(&r->player, &rec);
         break;
      case SGCAP_FRAME:
         sgt_store_submissions(r->store, SGT_STORE_RECORD, ++seen);
         break;
      default:
         break;
      }
   }
   cap_player_wait(&r->player);
   if (!good || (sgcap_error(r->player.reader) && !sgcap_unclosed(r->player.reader)))
      die(sgcap_error(r->player.reader));
   r->trace = sgt_store_finish(r->store, error, sizeof(error));
   if (!r->trace)
      die(error);
   if (!r->image || sgpu_shadow_image_finish(r->image))
      die("no image");
   cap_player_close(&r->player);
   sgt_store_destroy(r->store);
   r->plan = sgt_audit_plan_create(r->trace, r->image, r->trace->states);
   if (!r->plan)
      die("out of memory");
}

static void
unload(struct range *r)
{
   sgt_audit_plan_destroy(r->plan);
   sgt_trace_destroy(r->trace);
   sgpu_shadow_image_destroy(r->image);
}

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
   return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Runs the range on an engine, or in program order if params is NULL.  Returns true if the result
 * is proved.
 */
static bool
run(const struct range *r, const struct sgt_engine_params *params, bool must,
    struct sgt_engine_result *result)
{
   struct sgt_shadow_report report;
   struct sgt_shadow *shadow = sgt_shadow_create(r->plan, r->image, r->trace->states,
                                                 params ? params->breaking : SGT_BREAK_NONE);
   char error[200];

   if (!shadow)
      die("no shadow");
   if (params) {
      const struct sgt_engine_observer observer = sgt_shadow_observer(shadow);
      if (!sgt_engine_run(r->trace, params, &observer, result, error, sizeof(error)))
         die(error);
   } else {
      sgt_shadow_run_in_order(shadow);
   }
   if (!sgt_shadow_finish(shadow, &report))
      die("out of memory");
   if (must && (!report.proved || !report.values)) {
      if (params)
         printf("in order %u, split %u %ux%u, breaking %u, %u accelerators: ",
                params->order == SGT_ISSUE_ORDER_IN_ORDER, params->split, params->slice_width,
                params->slice_height, params->breaking, params->accelerators);
      else
         printf("program order: ");
      sgt_shadow_print(shadow, &report, stdout);
   }
   sgt_shadow_destroy(shadow);
   return report.proved;
}

static bool
run_engines(const struct range *r)
{
   static const struct {
      bool in_order;
      uint32_t accelerators;
      enum sgt_split split;
      uint32_t width, height;
      enum sgt_breaking breaking;
      enum sgt_select select;
   } engines[] = {
      { true, 4, SGT_SPLIT_NONE, 32, 32, SGT_BREAK_NONE, SGT_SELECT_OLDEST },
      { false, 16, SGT_SPLIT_NONE, 32, 32, SGT_BREAK_NONE, SGT_SELECT_RANDOM },
      { false, 16, SGT_SPLIT_HEIGHT, 32, 32, SGT_BREAK_NONE, SGT_SELECT_RANDOM },
      { false, 16, SGT_SPLIT_HEIGHT, 5, 7, SGT_BREAK_EXACT, SGT_SELECT_RANDOM },
      { false, 64, SGT_SPLIT_GRID, 32, 16, SGT_BREAK_EXACT, SGT_SELECT_CRITICAL },
   };
   bool good = true;

   for (unsigned i = 0; i < ARRAY_SIZE(engines); i++) {
      struct sgt_engine_params p;
      struct sgt_engine_result result;
      sgt_engine_params_init(&p);
      p.order = engines[i].in_order ? SGT_ISSUE_ORDER_IN_ORDER : SGT_ISSUE_ORDER_OUT_OF_ORDER;
      p.accelerators = engines[i].accelerators;
      p.candidates = 8 * p.accelerators;
      p.split = engines[i].split;
      p.slice_width = engines[i].width;
      p.slice_height = engines[i].height;
      p.breaking = engines[i].breaking;
      p.select = engines[i].select;
      p.split_transfers = i & 1;
      good &= run(r, &p, true, &result);
      sgt_engine_result_finish(&result);
   }
   return good;
}

/* Checks that an engine that ignores one kind of dependence is detected. */
static bool
run_mutation(const struct range *r, const char *kind)
{
   static const struct {
      const char *name;
      enum sgt_state hazard;
      enum sgt_breaking breaking;
   } kinds[] = {
      { "RAW", SGT_STATE_RAW, SGT_BREAK_NONE },
      { "WAW", SGT_STATE_WAW, SGT_BREAK_NONE },
      { "WAR", SGT_STATE_WAR, SGT_BREAK_NONE },
      { "conflict", SGT_STATE_CONFLICT, SGT_BREAK_EXACT },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
      if (strcmp(kind, kinds[i].name))
         continue;
      struct sgt_engine_params p;
      struct sgt_engine_result result;
      sgt_engine_params_init(&p);
      p.breaking = kinds[i].breaking;
      p.drop_hazard = kinds[i].hazard;
      const bool proved = run(r, &p, false, &result);
      sgt_engine_result_finish(&result);
      printf("an engine that does not see %s is %s\n", kind, proved ? "not caught" : "caught");
      return !proved;
   }
   die("no such kind of dependence");
   return false;
}

static void
print_speed(const struct range *r)
{
   struct sgt_engine_params p;
   struct sgt_engine_result result;
   char error[200];

   sgt_engine_params_init(&p);
   double time = seconds();
   if (!sgt_engine_run(r->trace, &p, NULL, &result, error, sizeof(error)))
      die(error);
   time = seconds() - time;
   printf("engine: %.2f M cycles/s, %.2f pixels a cycle\n", result.cycles / time / 1e6,
          (double)result.pixels / result.cycles);
   sgt_engine_result_finish(&result);
   time = seconds();
   run(r, &p, true, &result);
   time = seconds() - time;
   printf("verified: %.2f M cycles/s, %.3f s, %" PRIu64 " pixels\n", result.cycles / time / 1e6,
          time, result.pixels);
   sgt_engine_result_finish(&result);
}

int
main(int argc, char **argv)
{
   unsigned frames = UINT32_MAX;
   bool time = false;
   struct range r;

   for (; argc > 2 && argv[1][0] == '-'; argc--, argv++) {
      if (!strcmp(argv[1], "--time")) {
         time = true;
      } else if (!strcmp(argv[1], "--frames")) {
         frames = atoi(argv[2]);
         argc--;
         argv++;
      } else {
         die("unknown option");
      }
   }
   if (argc < 2)
      return 2;
   load(&r, argv[1], frames);
   printf("%u operations, %u items, %u blocks, %u sources\n", r.trace->num_operations,
          r.trace->num_items, r.trace->num_blocks, r.trace->num_sources);
   bool good = run(&r, NULL, true, NULL);
   good &= run_engines(&r);
   for (int i = 2; i < argc; i++)
      good &= run_mutation(&r, argv[i]);
   if (time)
      print_speed(&r);
   unload(&r);
   return good ? 0 : 1;
}
