/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback of the whole device. Random sequences of draws record vertices, draw the
 * recorded vertices, record these again, are paused, overflow and are counted. Memory must be that
 * of the model, with all thread counts and policies.
 */
#include "../../unit.h"
#include "model.h"
#include "scene.h"

#define BUFFER_SIZE (96 * 1024)
#define VERTICES 3000
#define VERTEX_WORDS (SCENE_INPUTS * 4)
#define QUERY_NUMBERS 12

static const uint8_t output_register[MODEL_OUTPUTS] = {
   SGPU_VO_HPOS,     SGPU_VO_GEN0,     SGPU_VO_GEN0 + 1, SGPU_VO_GEN0 + 2,
   SGPU_VO_GEN0 + 3, SGPU_VO_GEN0 + 4, SGPU_VO_GEN0 + 5,
};

struct run {
   struct scene s;
   struct model m;
   struct sgpu_bo *bo[MODEL_BUFFERS], *counters, *queries, *copy;
   uint8_t *data[MODEL_BUFFERS], *copied; /* the model's copies of the buffers */
   uint64_t counter[MODEL_BUFFERS];
   unsigned from[MODEL_BUFFERS]; /* offset at which each target begins, in bytes */
   bool paused;
   unsigned num_queries;
   bool counting;
   uint64_t want[64][3];
};

static uint32_t
below(struct run *r, uint32_t n)
{
   return scene_below(&r->s, n);
}

static uint64_t
counter_address(const struct run *r, unsigned buffer)
{
   return sgpu_bo_address(r->counters) + 8 * buffer;
}

static void
add_element(struct run *r, unsigned output, unsigned first, unsigned components, unsigned buffer,
            unsigned offset)
{
   r->m.element[r->m.num_elements++] = (struct model_element){ output, first, components, buffer,
                                                               offset };
}

/* Chooses elements with several buffers, gaps and unused components. */
static void
any_elements(struct run *r)
{
   const unsigned buffers = 1 + below(r, MODEL_BUFFERS);

   r->m.num_elements = 0;
   for (unsigned b = 0; b < buffers; b++) {
      unsigned at = below(r, 3) ? 0 : below(r, 4);
      for (unsigned i = below(r, 4); i > 0; i--) {
         const unsigned first = below(r, 4), components = 1 + below(r, 4 - first);
         add_element(r, below(r, MODEL_OUTPUTS), first, components, b, at);
         at += components + (below(r, 3) ? 0 : below(r, 5));
      }
      r->m.buffer[b].stride = at + (below(r, 3) ? 0 : below(r, 4));
   }
}

/* Chooses elements that record whole vertices, which can be drawn again. */
static void
whole_vertices(struct run *r, unsigned buffer)
{
   r->m.num_elements = 0;
   for (unsigned i = 0; i < SCENE_INPUTS; i++)
      add_element(r, i, 0, 4, buffer, 4 * i);
   r->m.buffer[buffer].stride = VERTEX_WORDS;
}

static void
bind(struct run *r, unsigned buffer, unsigned from, unsigned size)
{
   struct model_buffer *b = &r->m.buffer[buffer];

   b->bound = true;
   b->data = r->data[buffer] + from;
   b->size = size;
   b->counter = &r->counter[buffer];
   r->from[buffer] = from;
}

static void
bind_any(struct run *r)
{
   for (unsigned b = 0; b < MODEL_BUFFERS; b++) {
      const unsigned from = below(r, 3) ? 0 : 4 * below(r, BUFFER_SIZE / 8);
      bind(r, b, from, below(r, 3) ? BUFFER_SIZE - from : 1 + below(r, BUFFER_SIZE - from));
      r->m.buffer[b].bound = below(r, 8) != 0;
   }
}

static void
set_counter(struct run *r, unsigned buffer, uint32_t value)
{
   r->counter[buffer] = value;
   SCENE_EMIT(&r->s, FILL_BUFFER, cfg) {
      cfg.destination = counter_address(r, buffer);
      cfg.size = cfg.pattern_size = 8;
      cfg.pattern_0 = value;
   }
}

static void
emit_streams(struct run *r)
{
   struct scene *s = &r->s;
   const unsigned n = r->m.num_elements;
   uint32_t *p = scene_get(s, SGPU_XFB_OUTPUTS_length(n));

   sgpu_pack(p, XFB_OUTPUTS, cfg) {
      cfg.tail_count = n;
      cfg.stride_0 = r->m.buffer[0].stride;
      cfg.stride_1 = r->m.buffer[1].stride;
      cfg.stride_2 = r->m.buffer[2].stride;
      cfg.stride_3 = r->m.buffer[3].stride;
   }
   for (unsigned i = 0; i < n; i++) {
      const struct model_element *e = &r->m.element[i];
      sgpu_pack(SGPU_XFB_OUTPUTS_tail(p, i), XFB_OUTPUT, cfg) {
         cfg.output = output_register[e->output];
         cfg.first = e->first;
         cfg.components = e->components;
         cfg.buffer = e->buffer;
         cfg.offset = e->offset;
      }
   }

   const unsigned buffers = r->paused ? 0 : MODEL_BUFFERS;
   p = scene_get(s, SGPU_XFB_BUFFERS_length(buffers));
   sgpu_pack(p, XFB_BUFFERS, cfg)
      cfg.tail_count = buffers;
   for (unsigned b = 0; b < buffers; b++) {
      sgpu_pack(SGPU_XFB_BUFFERS_tail(p, b), XFB_BUFFER, cfg) {
         cfg.address = sgpu_bo_address(r->bo[b]) + r->from[b];
         cfg.counter = r->m.buffer[b].bound ? counter_address(r, b) : 0;
         cfg.size = r->m.buffer[b].size;
      }
   }
}

/* Returns the outputs of the vertex program for a vertex in `memory`. */
static struct model_vertex
shade(const uint8_t *memory, uint32_t index, uint32_t instance)
{
   const struct model_vertex nothing = { .o = { [0] = { 0 } } };
   struct model_vertex v = nothing;

   memcpy(v.o, memory + (size_t)index * VERTEX_WORDS * 4, VERTEX_WORDS * 4);
   v.o[4][0] = index;
   v.o[4][1] = instance;
   for (unsigned i = 4; i < MODEL_OUTPUTS; i++)
      v.o[i][3] = 0x3f800000;
   return v;
}

/* Draws on the device and the model, with vertices of `memory`, or of the scene if that is NULL. */
static void
draw(struct run *r, const struct SGPU_DRAW *packet, const uint8_t *memory)
{
   struct model m = r->m;
   const uint8_t *vertices = memory ? memory : (const uint8_t *)r->s.vertices;
   struct model_vertex *v = malloc((packet->count + 1) * sizeof(*v));

   m.flatshade_first = r->s.st.rast.flatshade_first;
   m.generated = m.needed = m.written = 0;
   for (unsigned b = 0; b < MODEL_BUFFERS; b++)
      m.buffer[b].bound &= !r->paused;
   for (unsigned instance = 0; instance < packet->instances; instance++) {
      unsigned n = 0;
      for (unsigned i = 0; i <= packet->count; i++) {
         uint32_t index = packet->first + i;
         if (packet->index_size && i < packet->count)
            index = r->s.indices[packet->first + i];
         if (i == packet->count ||
             (packet->restart && packet->index_size && index == packet->restart_index)) {
            model_strip(&m, packet->primitive, v, n);
            n = 0;
         } else {
            v[n++] = shade(vertices, index + (packet->index_size ? packet->index_bias : 0),
                           instance);
         }
      }
   }
   if (r->counting) {
      r->want[r->num_queries][0] += m.generated;
      r->want[r->num_queries][1] += m.needed;
      r->want[r->num_queries][2] += m.written;
   }
   free(v);
}

static void
any_state(struct run *r)
{
   struct SGPU_RASTERIZER *rast = &r->s.st.rast;

   rast->flatshade_first = below(r, 2);
   rast->discard = below(r, 2);
   rast->poly_smooth = !below(r, 4);
   rast->line_stipple = !below(r, 4);
   rast->stipple_pattern = 0xf0f0;
   rast->fill_front = below(r, 3) ? SGPU_FILL_SOLID : SGPU_FILL_LINE;
   rast->clip_planes = below(r, 4) ? 0 : 3;
   r->paused = !below(r, 6);
}

static void
any_draw(struct run *r)
{
   const bool indexed = below(r, 2), long_one = !below(r, 4);
   struct SGPU_DRAW packet = {
      .primitive = below(r, SGPU_PRIMITIVE_PATCHES),
      .first = below(r, 50),
      .count = long_one ? 1000 + below(r, VERTICES - 1100) : below(r, 40),
      .instances = below(r, 4) ? 1 : 1 + below(r, 3),
   };

   any_state(r);
   if (indexed) {
      packet.index_size = SGPU_INDEX_SIZE_U32;
      packet.restart = below(r, 2);
      packet.restart_index = 7;
      packet.index_bias = below(r, 20);
      packet.index_address = sgpu_bo_address(r->s.index_bo);
      packet.index_bytes = 4 * 64 * 1024;
   }
   emit_streams(r);
   scene_draw_packet(&r->s, &packet);
   draw(r, &packet, NULL);
}

/* Records vertices in one buffer, draws these while it records to another buffer, and so on. */
static void
chain(struct run *r)
{
   const struct SGPU_VERTEX_BUFFER scenes = r->s.st.buffer[0];
   unsigned from = below(r, MODEL_BUFFERS);
   const unsigned size = VERTEX_WORDS * 4;
   struct SGPU_DRAW packet = {
      .primitive = below(r, 2) ? SGPU_PRIMITIVE_TRIANGLES : SGPU_PRIMITIVE_TRIANGLE_STRIP,
      .first = below(r, 50),
      .count = 3 + below(r, 300),
      .instances = 1,
   };

   for (unsigned step = 0; step < 1 + below(r, 5); step++) {
      const unsigned to = (from + 1 + below(r, MODEL_BUFFERS - 1)) % MODEL_BUFFERS;

      any_state(r);
      r->paused = false;
      for (unsigned b = 0; b < MODEL_BUFFERS; b++)
         r->m.buffer[b].bound = false;
      whole_vertices(r, to);
      bind(r, to, 0, BUFFER_SIZE);
      set_counter(r, to, 0);
      emit_streams(r);
      if (step) {
         packet.first = 0;
         packet.count = ~0u;
         packet.count_address = counter_address(r, from);
         packet.count_stride = VERTEX_WORDS;
         packet.instances = 1 + !below(r, 3);
         r->s.st.buffer[0] = (struct SGPU_VERTEX_BUFFER){
            .address = sgpu_bo_address(r->bo[from]),
            .size = BUFFER_SIZE,
            .stride = size,
         };
      }
      scene_draw_packet(&r->s, &packet);
      if (step)
         packet.count = r->counter[from] / size;
      draw(r, &packet, step ? r->data[from] : NULL);
      from = to;
   }
   r->s.st.buffer[0] = scenes;
   bind_any(r);
   any_elements(r);
}

static void
copy(struct run *r)
{
   const unsigned b = below(r, MODEL_BUFFERS), at = below(r, BUFFER_SIZE);
   const unsigned size = 1 + below(r, BUFFER_SIZE - at);

   scene_copy_buffer(&r->s, sgpu_bo_address(r->copy) + at, sgpu_bo_address(r->bo[b]) + at, size);
   memcpy(r->copied + at, r->data[b] + at, size);
}

static void
query(struct run *r)
{
   if (!r->counting) {
      scene_begin_query(&r->s, SGPU_QUERY_TYPE_XFB_STATISTICS, 0);
      r->counting = true;
      return;
   }
   scene_end_query(&r->s, SGPU_QUERY_TYPE_XFB_STATISTICS, 0,
                   sgpu_bo_address(r->queries) + r->num_queries * QUERY_NUMBERS * 8);
   r->num_queries++;
   r->counting = false;
}

static void
begin(struct run *r, struct sgpu_device *dev, uint64_t seed)
{
   struct scene *s = &r->s;

   memset(r, 0, sizeof(*r));
   scene_begin(s, dev);
   s->random ^= seed * 0x9e3779b97f4a7c15ull;
   s->st.vs = scene_program(s, "!!SGVP1.0\n"
                               "MOV o[HPOS], v[0]; MOV o[GEN0], v[1]; MOV o[GEN1], v[2];\n"
                               "MOV o[GEN2], v[3]; MOV o[GEN3].x, s[VERTEX_ID].x;\n"
                               "MOV o[GEN3].y, s[INSTANCE_ID].x;\nEND\n");
   for (unsigned i = 0; i < VERTICES; i++)
      scene_random_vertex(s);
   for (unsigned i = 0; i < 64 * 1024; i++)
      s->indices[i] = below(r, 30) ? below(r, VERTICES - 100) : 7;

   r->counters = scene_bo(s, 4096);
   r->queries = scene_bo(s, 64 * QUERY_NUMBERS * 8);
   r->copy = scene_bo(s, BUFFER_SIZE);
   r->copied = calloc(1, BUFFER_SIZE);
   for (unsigned b = 0; b < MODEL_BUFFERS; b++) {
      r->bo[b] = scene_bo(s, BUFFER_SIZE);
      r->data[b] = malloc(BUFFER_SIZE);
      memset(sgpu_bo_map(r->bo[b]), 0xc0 + b, BUFFER_SIZE);
      memset(r->data[b], 0xc0 + b, BUFFER_SIZE);
   }
   any_elements(r);
   bind_any(r);
}

static void
same(const void *got, const void *want, size_t size, const char *what, unsigned number)
{
   const uint8_t *g = got, *w = want;
   for (size_t i = 0; i < size; i++) {
      if (g[i] != w[i])
         fail_msg("%s %u: byte %zu is %02x, should be %02x", what, number, i, g[i], w[i]);
   }
}

static void
end(struct run *r)
{
   if (r->counting)
      query(r);
   scene_wait(&r->s, r->counters);

   for (unsigned b = 0; b < MODEL_BUFFERS; b++) {
      same(sgpu_bo_map(r->bo[b]), r->data[b], BUFFER_SIZE, "buffer", b);
      assert_int_equal(((uint64_t *)sgpu_bo_map(r->counters))[b], r->counter[b]);
      free(r->data[b]);
   }
   same(sgpu_bo_map(r->copy), r->copied, BUFFER_SIZE, "copy of", 0);
   const uint64_t *numbers = sgpu_bo_map(r->queries);
   for (unsigned q = 0; q < r->num_queries; q++) {
      for (unsigned i = 0; i < QUERY_NUMBERS; i++)
         assert_int_equal(numbers[q * QUERY_NUMBERS + i], i < 3 ? r->want[q][i] : 0);
   }
   free(r->copied);
   scene_end(&r->s, NULL);
}

/* Frees the data of a sequence without a check of its results. */
static void
drop(struct run *r)
{
   scene_end(&r->s, NULL);
   for (unsigned b = 0; b < MODEL_BUFFERS; b++)
      free(r->data[b]);
   free(r->copied);
   free(r);
}

static void
random_run(struct sgpu_device *dev, uint64_t seed)
{
   struct run *r = malloc(sizeof(*r));

   begin(r, dev, seed);
   for (unsigned i = 0; i < 50; i++) {
      switch (below(r, 12)) {
      case 0:
         any_elements(r);
         break;
      case 1:
         bind_any(r);
         break;
      case 2:
         set_counter(r, below(r, MODEL_BUFFERS), below(r, 3) ? 0 : 4 * below(r, BUFFER_SIZE));
         break;
      case 3:
         chain(r);
         break;
      case 4:
         copy(r);
         break;
      case 5:
         if (r->num_queries < 60)
            query(r);
         break;
      case 6:
         scene_submit(&r->s);
         break;
      default:
         any_draw(r);
         break;
      }
   }
   end(r);
   free(r);
}

static void
runs(void **state)
{
   scene_each_way(SEEDS, random_run);
}

/* A draw of recorded vertices whose number is above the watchdog's limit. */
static void
watchdog(void **state)
{
   struct sgpu_device *dev = scene_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct run *r = malloc(sizeof(*r));
   struct sgpu_queue_error error;

   begin(r, dev, 1);
   ((uint64_t *)sgpu_bo_map(r->counters))[0] = UINT64_MAX;
   scene_draw_packet(&r->s, &(struct SGPU_DRAW){
                               .primitive = SGPU_PRIMITIVE_POINTS,
                               .instances = 1,
                               .count_address = counter_address(r, 0),
                               .count_stride = 1,
                            });
   scene_wait(&r->s, r->counters);
   assert_true(sgpu_queue_take_error(r->s.queue, &error));
   assert_non_null(strstr(error.message, "Count Address"));
   drop(r);
   sgpu_device_destroy(dev);
}

/* Packets that the device refuses. */
static void
refusals(void **state)
{
   static const struct {
      const char *text;
      struct SGPU_XFB_OUTPUT element;
      uint64_t counter, address; /* offsets in the buffer, in bytes */
      uint32_t size;
   } cases[] = {
      { "an element without components", { .components = 0 }, 8, 0, 64 },
      { "components beyond the fourth", { .first = 2, .components = 3 }, 8, 0, 64 },
      { "inside the buffer's stride", { .components = 2, .offset = 7 }, 8, 0, 64 },
      { "a buffer of two vertex streams", { .components = 1, .vertex_stream = 1 }, 8, 0, 64 },
      { "a counter is not", { .components = 1 }, 4, 0, 64 },
      { "a counter is not", { .components = 1 }, 1 << 30, 0, 64 },
      { "not in a buffer", { .components = 1 }, 8, 2, 64 },
      { "not in a buffer", { .components = 1 }, 8, 0, 1 << 30 },
   };
   struct sgpu_device *dev = scene_device(1, SGPU_DISPATCH_OOO_SPLIT, 0);

   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct run *r = malloc(sizeof(*r));
      struct sgpu_queue_error error;
      begin(r, dev, 1);
      uint32_t *p = scene_get(&r->s, SGPU_XFB_OUTPUTS_length(2));
      sgpu_pack(p, XFB_OUTPUTS, cfg) {
         cfg.tail_count = 2;
         cfg.stride_0 = 8;
      }
      const struct SGPU_XFB_OUTPUT one = { .components = 1 };
      SGPU_XFB_OUTPUT_pack(SGPU_XFB_OUTPUTS_tail(p, 0), &one);
      SGPU_XFB_OUTPUT_pack(SGPU_XFB_OUTPUTS_tail(p, 1), &cases[i].element);
      p = scene_get(&r->s, SGPU_XFB_BUFFERS_length(1));
      sgpu_pack(p, XFB_BUFFERS, cfg)
         cfg.tail_count = 1;
      sgpu_pack(SGPU_XFB_BUFFERS_tail(p, 0), XFB_BUFFER, cfg) {
         cfg.address = sgpu_bo_address(r->bo[0]) + cases[i].address;
         cfg.counter = sgpu_bo_address(r->counters) + cases[i].counter;
         cfg.size = cases[i].size;
      }
      scene_wait(&r->s, r->counters);
      assert_true(sgpu_queue_take_error(r->s.queue, &error));
      if (!strstr(error.message, cases[i].text))
         fail_msg("case %u: %s", i, error.message);
      drop(r);
   }
   sgpu_device_destroy(dev);
}

/* Results of queries that end after their buffer are refused. */
static void
query_results(void **state)
{
   struct sgpu_device *dev = scene_device(1, SGPU_DISPATCH_OOO_SPLIT, 0);

   for (unsigned past = 0; past < 2; past++) {
      struct run *r = malloc(sizeof(*r));
      struct sgpu_queue_error error;
      begin(r, dev, 1);
      scene_begin_query(&r->s, SGPU_QUERY_TYPE_XFB_STATISTICS, 0);
      scene_end_query(&r->s, SGPU_QUERY_TYPE_XFB_STATISTICS, 0,
                      sgpu_bo_address(r->counters) + sgpu_bo_size(r->counters) - QUERY_NUMBERS * 8 +
                         past * 8);
      scene_wait(&r->s, r->counters);
      assert_int_equal(sgpu_queue_take_error(r->s.queue, &error), past);
      drop(r);
   }
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs),
      cmocka_unit_test(watchdog),
      cmocka_unit_test(refusals),
      cmocka_unit_test(query_results),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
