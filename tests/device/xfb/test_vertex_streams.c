/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback of vertex streams. Random geometry programs append vertices to vertex streams
 * 0 to 3 and end their strips, depending on bits of the primitive's and the invocation's number.
 * Memory, where each vertex stream overflows separately, and results of queries must be those of
 * the model, with all thread counts and policies.
 */
#include "../../unit.h"
#include "model.h"
#include "scene.h"

#define STREAMS 4
#define STEPS 24
#define VERTICES 2000
#define BUFFER_SIZE (64 * 1024)
#define DRAWS 6
#define QUERY_NUMBERS (3 * STREAMS)
/* Numbers of the first constants with bits, zeros and numbers of steps. */
#define BITS 40
#define ZEROS 41
#define NUMBERS 42

/* Outputs that the programs write: the position, an input of the vertex, and numbers. */
static const uint8_t output_register[] = { SGPU_VO_HPOS, SGPU_VO_GEN0, SGPU_VO_GEN0 + 3 };

struct step {
   bool cut;
   unsigned stream;
   /* condition of the step, 0: none, 1: a bit of the primitive's number, 2: of the invocation's
    * number
    */
   unsigned guard;
   unsigned bit;
};

struct run {
   struct scene s;
   struct model m;
   struct step step[STEPS];
   unsigned num_steps;
   struct sgpu_bo *bo[MODEL_BUFFERS], *counters, *queries;
   uint8_t *data[MODEL_BUFFERS];
   uint64_t counter[MODEL_BUFFERS];
   uint64_t want[DRAWS][QUERY_NUMBERS];
};

static uint32_t
below(struct run *r, uint32_t n)
{
   return scene_below(&r->s, n);
}

static void
any_program(struct run *r)
{
   static const enum sgpu_primitive outputs[] = {
      SGPU_PRIMITIVE_POINTS,
      SGPU_PRIMITIVE_LINE_STRIP,
      SGPU_PRIMITIVE_TRIANGLE_STRIP,
   };
   const unsigned streams = 1 + below(r, STREAMS);
   char text[4000];
   int n = snprintf(text, sizeof(text),
                    "!!SGGP1.0\nTEMPS 1;\n"
                    "LDV o[HPOS], va[0][0]; LDV o[GEN0], va[1][0];\n"
                    "MOV o[GEN3].x, s[PRIMITIVE_ID].x; MOV o[GEN3].y, s[INVOCATION_ID].x;\n"
                    "AND R0, s[PRIMITIVE_ID].x, c[%d]; USETP.NE P0, R0, c[%d];\n"
                    "AND R0, s[INVOCATION_ID].x, c[%d]; USETP.NE P1, R0, c[%d];\n",
                    BITS, ZEROS, BITS, ZEROS);
   unsigned emits = 0;

   r->num_steps = 1 + below(r, STEPS);
   for (unsigned i = 0; i < r->num_steps; i++) {
      struct step *step = &r->step[i];
      *step = (struct step){
         .cut = !below(r, 5),
         .stream = below(r, streams),
         .guard = below(r, 3),
         .bit = below(r, 4),
      };
      emits += !step->cut;
      n += snprintf(text + n, sizeof(text) - n, "MOV o[GEN3].z, c[%u].%c; ", NUMBERS + i / 4,
                    "xyzw"[i % 4]);
      if (step->guard)
         n += snprintf(text + n, sizeof(text) - n, "(P%u.%c) ", step->guard - 1, "xyzw"[step->bit]);
      n += snprintf(text + n, sizeof(text) - n, "%s %u;\n", step->cut ? "CUT" : "EMITV",
                    step->stream);
   }
   snprintf(text + n, sizeof(text) - n, "END\n");
   /* Some programs emit more vertices than they declare. The excess is dropped. */
   const unsigned least = emits > 2 && !below(r, 3) ? emits - 2 : emits;
   scene_geometry(&r->s, text, below(r, 2) ? SGPU_PRIMITIVE_POINTS : SGPU_PRIMITIVE_TRIANGLES,
                  outputs[below(r, 3)], least ? least : 1, 1 + below(r, 4));
}

/* Chooses elements of all vertex streams that have a buffer. Each buffer has elements of one
 * stream.
 */
static void
any_elements(struct run *r)
{
   struct scene *s = &r->s;

   r->m.num_elements = 0;
   for (unsigned b = 0; b < MODEL_BUFFERS; b++) {
      const unsigned stream = below(r, STREAMS);
      unsigned at = 0;
      for (unsigned i = below(r, 4); i > 0; i--) {
         const unsigned first = below(r, 3);
         r->m.element[r->m.num_elements++] = (struct model_element){
            .output = below(r, 3),
            .first = first,
            .components = 1 + below(r, 3 - first),
            .buffer = b,
            .offset = at,
            .stream = stream,
         };
         at += 3;
      }
      r->m.buffer[b] = (struct model_buffer){
         .bound = below(r, 5) != 0,
         .data = r->data[b],
         .counter = &r->counter[b],
         .stride = at,
         .size = below(r, 3) ? BUFFER_SIZE : 4 * (1 + below(r, BUFFER_SIZE / 4)),
      };
   }

   uint32_t *p = scene_get(s, SGPU_XFB_OUTPUTS_length(r->m.num_elements));
   sgpu_pack(p, XFB_OUTPUTS, cfg) {
      cfg.tail_count = r->m.num_elements;
      cfg.stride_0 = r->m.buffer[0].stride;
      cfg.stride_1 = r->m.buffer[1].stride;
      cfg.stride_2 = r->m.buffer[2].stride;
      cfg.stride_3 = r->m.buffer[3].stride;
   }
   for (unsigned i = 0; i < r->m.num_elements; i++) {
      const struct model_element *e = &r->m.element[i];
      sgpu_pack(SGPU_XFB_OUTPUTS_tail(p, i), XFB_OUTPUT, cfg) {
         cfg.output = output_register[e->output];
         cfg.first = e->first;
         cfg.components = e->components;
         cfg.buffer = e->buffer;
         cfg.offset = e->offset;
         cfg.vertex_stream = e->stream;
      }
   }
   p = scene_get(s, SGPU_XFB_BUFFERS_length(MODEL_BUFFERS));
   sgpu_pack(p, XFB_BUFFERS, cfg)
      cfg.tail_count = MODEL_BUFFERS;
   for (unsigned b = 0; b < MODEL_BUFFERS; b++) {
      sgpu_pack(SGPU_XFB_BUFFERS_tail(p, b), XFB_BUFFER, cfg) {
         cfg.address = sgpu_bo_address(r->bo[b]);
         cfg.counter = r->m.buffer[b].bound ? sgpu_bo_address(r->counters) + 8 * b : 0;
         cfg.size = r->m.buffer[b].size;
      }
   }
}

/* Runs one invocation of the program on the model: the strips of each vertex stream, in order. */
static void
model_run(struct run *r, uint32_t vertex, uint32_t primitive, uint32_t number, uint64_t want[])
{
   const float(*in)[4] = (const float(*)[4]) & r->s.vertices[vertex];
   struct model_vertex strip[STREAMS][STEPS];
   unsigned count[STREAMS] = { 0 }, left = r->s.st.gs.max_vertices;

   for (unsigned i = 0; i <= r->num_steps; i++) {
      const bool last = i == r->num_steps;
      const struct step *step = &r->step[i];
      const uint32_t bits = last || !step->guard ? 15 : step->guard == 1 ? primitive : number;
      if (!last && !(bits >> step->bit & 1))
         continue;
      for (unsigned k = 0; k < STREAMS; k++) {
         if (!last && k != step->stream)
            continue;
         if (last || step->cut) {
            r->m.stream = k;
            r->m.generated = r->m.needed = r->m.written = 0;
            model_strip(&r->m, r->s.st.gs.output_primitive, strip[k], count[k]);
            want[3 * k] += r->m.generated;
            want[3 * k + 1] += r->m.needed;
            want[3 * k + 2] += r->m.written;
            count[k] = 0;
         } else if (left > 0) {
            struct model_vertex *v = &strip[k][count[k]++];
            const uint32_t numbers[4] = { primitive, number, i, 0 };
            memcpy(v->o[0], in[0], 16);
            memcpy(v->o[1], in[1], 16);
            memcpy(v->o[2], numbers, 16);
            left--;
         }
      }
   }
}

static void
any_draw(struct run *r, unsigned index)
{
   const struct SGPU_SHADER *gs = &r->s.st.gs;
   struct SGPU_DRAW packet = {
      .first = below(r, 50),
      .count = below(r, below(r, 2) ? VERTICES - 50 : 40),
      .instances = 1 + below(r, 2),
      .primitive = SGPU_PRIMITIVE_POINTS,
   };

   any_program(r);
   if (gs->input_primitive == SGPU_PRIMITIVE_TRIANGLES)
      packet.primitive = SGPU_PRIMITIVE_TRIANGLES;
   r->s.st.rast.discard = below(r, 2);
   r->s.st.rast.flatshade_first = r->m.flatshade_first = below(r, 2);
   any_elements(r);
   scene_begin_query(&r->s, SGPU_QUERY_TYPE_XFB_STATISTICS, 0);
   scene_draw_packet(&r->s, &packet);
   scene_end_query(&r->s, SGPU_QUERY_TYPE_XFB_STATISTICS, 0,
                   sgpu_bo_address(r->queries) + index * QUERY_NUMBERS * 8);

   const unsigned corners = packet.primitive == SGPU_PRIMITIVE_TRIANGLES ? 3 : 1;
   for (unsigned instance = 0; instance < packet.instances; instance++) {
      for (unsigned p = 0; p < packet.count / corners; p++) {
         for (unsigned number = 0; number < gs->invocations; number++)
            model_run(r, packet.first + p * corners, p, number, r->want[index]);
      }
   }
}

static void
random_run(struct sgpu_device *dev, uint64_t seed)
{
   struct run *r = calloc(1, sizeof(*r));
   struct scene *s = &r->s;

   scene_begin(s, dev);
   s->random ^= seed * 0x9e3779b97f4a7c15ull;
   s->st.vs = scene_program(s, "!!SGVP1.0\nMOV o[HPOS], v[0]; MOV o[GEN0], v[1];\nEND\n");
   for (unsigned i = 0; i < VERTICES; i++)
      scene_random_vertex(s);
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t bit = 1u << i;
      memcpy(&s->constants[BITS][i], &bit, 4);
      memset(&s->constants[ZEROS][i], 0, 4);
   }
   for (uint32_t i = 0; i < STEPS; i++)
      memcpy(&s->constants[NUMBERS + i / 4][i % 4], &i, 4);

   r->counters = scene_bo(s, 4096);
   r->queries = scene_bo(s, sizeof(r->want));
   for (unsigned b = 0; b < MODEL_BUFFERS; b++) {
      r->bo[b] = scene_bo(s, BUFFER_SIZE);
      r->data[b] = malloc(BUFFER_SIZE);
      memset(sgpu_bo_map(r->bo[b]), 0xc0 + b, BUFFER_SIZE);
      memset(r->data[b], 0xc0 + b, BUFFER_SIZE);
   }
   for (unsigned i = 0; i < DRAWS; i++)
      any_draw(r, i);

   scene_wait(s, r->counters);
   for (unsigned b = 0; b < MODEL_BUFFERS; b++) {
      assert_int_equal(((uint64_t *)sgpu_bo_map(r->counters))[b], r->counter[b]);
      assert_memory_equal(sgpu_bo_map(r->bo[b]), r->data[b], BUFFER_SIZE);
      free(r->data[b]);
   }
   for (unsigned i = 0; i < DRAWS; i++) {
      for (unsigned k = 0; k < QUERY_NUMBERS; k++)
         assert_int_equal(((uint64_t *)sgpu_bo_map(r->queries))[i * QUERY_NUMBERS + k],
                          r->want[i][k]);
   }
   scene_end(s, NULL);
   free(r);
}

static void
runs(void **state)
{
   scene_each_way(SEEDS, random_run);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
