/* SPDX-License-Identifier: MIT */
/*
 * Shader core: loads from constant banks and the vertices of primitives. Also calls the texture
 * unit, the image unit and the interpolation of inputs at other positions.
 *
 * Byte addresses are (source + offset) modulo 2^32, rounded down to a multiple of 4. Component n is
 * the word at address + 4 * n. Each word is bounds-checked separately: out-of-bounds loads return
 * 0, and out-of-bounds stores are dropped.
 */
#include "shader/interp/sgd_exec.h"
#include "shader/interp/sgd_rows.h"
#include "common/sgd_observe.h"
#include "shader/interp/sgd_shader_observe.h"
#include "texture/unit/sgd_tex_unit.h"
#include "util/macros.h"

static const struct sgd_bank *
find_bank(const struct sgd_warp *w, int64_t unit)
{
   static const struct sgd_bank none;
   return unit >= 0 && unit < SGD_MAX_BANKS ? &w->env->banks[unit] : &none;
}

/* Sets to[c] to the destination of component c, or to `unused`. */
static void
rows_of(const struct sgd_ins *i, uint8_t *dst, uint32_t *unused, uint32_t *to[4])
{
   for (unsigned c = 0; c < 4; c++)
      to[c] = unused;
   for (unsigned n = 0; n < i->num_comps; n++)
      to[i->dcomp[n]] = sgd_lanes(dst, i->comp[n].d);
}

/* Loads constants from byte at[l] of a bank without lines on, of which `bytes` bytes are read.
 * Returns false if some of them are out of bounds.
 */
static bool
load_contiguous(const struct sgd_bank *bank, const struct sgd_ins *i, const uint32_t *at,
                unsigned bytes, uint8_t *dst)
{
   const uint64_t last = sgd_largest_word(at);
   if (last + bytes > bank->size)
      return false;
   if (bytes > 4 && last + 16 <= bank->size) {
      uint32_t *all[4];
      _Alignas(64) uint32_t unused[SGD_WARP];
      rows_of(i, dst, unused, all);
      sgd_rows_load_all_at(bank->ptr, at, all);
      return true;
   }
   for (unsigned n = 0; n < i->num_comps; n++)
      sgd_words_load_at(bank->ptr + 4 * i->dcomp[n], at, sgd_lanes(dst, i->comp[n].d));
   return true;
}

void
sgd_load_const(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst, uint32_t mask)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   _Alignas(64) uint32_t at[SGD_WARP];
   sgd_load_addresses(w, i, at);

   const unsigned first = (unsigned)__builtin_ctz(mask);
   if (!instr->urel && sgd_same_words(at, mask, first)) {
      const struct sgd_bank *bank = find_bank(w, instr->unit);
      for (unsigned n = 0; n < i->num_comps; n++) {
         uint32_t *d = sgd_lanes(dst, i->comp[n].d);
         const uint32_t value = sgd_bank_word(bank, (uint64_t)at[first] + 4u * i->dcomp[n]);
         SGD_EACH_LANE(l) {
            d[l] = value;
         }
      }
      return;
   }

   unsigned bytes = 0;
   for (unsigned n = 0; n < i->num_comps; n++)
      bytes = MAX2(bytes, 4u * (i->dcomp[n] + 1u));
   const struct sgd_bank *bank = find_bank(w, instr->unit);
   if (!instr->urel && !bank->line_log2) {
      SGD_EACH_LANE(l) {
         at[l] = sgd_select(mask & sgd_lane_bit[l], at[l], at[first]);
      }
      if (load_contiguous(bank, i, at, bytes, dst))
         return;
   }

   const int32_t *rel = instr->urel ? sgd_addr(w, instr->urelcomp) : NULL;
   struct sgd_rows rows;
   for (unsigned l = 0; l < SGD_WARP; l++)
      sgd_row_set(&rows, l, rel ? find_bank(w, (int64_t)instr->unit + rel[l]) : bank, at[l], bytes);
   if (bytes == 16) {
      uint32_t *all[4];
      _Alignas(64) uint32_t unused[SGD_WARP];
      rows_of(i, dst, unused, all);
      sgd_rows_load_all(&rows, all);
      return;
   }
   for (unsigned n = 0; n < i->num_comps; n++)
      sgd_rows_load(&rows, i->dcomp[n], sgd_lanes(dst, i->comp[n].d));
}

void
sgd_load_vertex(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const struct sgd_stage_io *io = w->worker->stage_io;
   const uint32_t *base = instr->src[0].file == SGPU_FILE_NONE ? NULL
                                                               : sgd_lanes(w->file, i->comp[0].a);
   const int32_t *rel = instr->urel ? sgd_addr(w, instr->urelcomp) : NULL;

   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t vertex = (base ? base[l] : 0) + instr->offset;
      const int64_t input = (int64_t)instr->unit + (rel ? rel[l] : 0);
      uint32_t value[4] = { 0, 0, 0, 0 };

      if (io && w->running >> l & 1 && vertex < io->num_vertices && input >= 0 &&
          input < io->num_inputs)
         memcpy(value, io->vertices + io->vertex[vertex][l] * io->stride + 16 * input, 16);
      /* The result can overwrite the address register. This is safe, because it affects only lanes
       * that have been processed.
       */
      for (unsigned n = 0; n < i->num_comps; n++)
         sgd_lanes(dst, i->comp[n].d)[l] = value[i->dcomp[n]];
   }
}

void
sgd_load_target(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst)
{
   const struct sgd_pixel_io *io = w->worker->pixel_io;
   struct sgd_vec value;

   if (io)
      io->fetch(io, sgd_instr(w, i)->unit, &value);
   else
      memset(&value, 0, sizeof(value));
   for (unsigned n = 0; n < i->num_comps; n++)
      memcpy(sgd_lanes(dst, i->comp[n].d), value.c[i->dcomp[n]], sizeof(value.c[0]));
}

/* Interpolates input v[index] at the positions that the instruction selects. Returns 0 if the input
 * doesn't exist.
 */
static void
interpolate(const struct sgd_warp *w, const struct sgd_ins *i, int64_t index, const uint32_t *x,
            const uint32_t *y, struct sgd_vec *out)
{
   const struct sgd_pixel_io *io = w->worker->pixel_io;

   if (index < 0 || index >= SGPU_INPUT_SIZE)
      memset(out, 0, sizeof(*out));
   else if (io)
      io->interpolate(io, sgd_instr(w, i)->opcode, (unsigned)index, i->target, x, y, out);
   else
      *out = w->in[index];
}

void
sgd_run_interpolation(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const struct sgpu_src *src = &instr->src[0];
   uint8_t *m = w->file;
   const bool direct = !(w->keep & ~mask) && !(i->flags & SGD_INS_REL_DST);
   uint8_t *dst = direct ? m : sgd_result_base(w, i);
   const uint32_t and_mask = src->abs ? 0x7fffffffu : ~0u;
   const uint32_t xor_mask = src->neg ? 0x80000000u : 0u;
   struct sgd_vec value;

   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   const uint32_t *x = sgd_lanes(m, i->comp[0].a), *y = sgd_lanes(m, i->comp[0].b);

   if (!src->rel) {
      interpolate(w, i, src->index, x, y, &value);
   } else {
      /* Process the lanes with the same index together. */
      const int32_t *rel = sgd_addr(w, src->relcomp);
      for (uint32_t left = mask; left;) {
         const int32_t index = rel[__builtin_ctz(left)];
         struct sgd_vec part;

         interpolate(w, i, (int64_t)src->index + index, x, y, &part);
         for (unsigned l = 0; l < SGD_WARP; l++) {
            if (!(left >> l & 1) || rel[l] != index)
               continue;
            for (unsigned c = 0; c < 4; c++)
               value.c[c][l] = part.c[c][l];
            left &= ~(1u << l);
         }
      }
   }

   /* The positions have been read, so the result may overwrite them from here on. */
   for (unsigned n = 0; n < i->num_comps; n++) {
      const uint32_t *from = value.c[sgpu_swizzle_get(src->swizzle, i->dcomp[n])];
      uint32_t *to = sgd_lanes(dst, i->comp[n].d);
      SGD_EACH_LANE(l) {
         to[l] = (from[l] & and_mask) ^ xor_mask;
      }
   }
   if (i->flags & SGD_INS_SAT)
      sgd_saturate(i, dst);
   if (!direct)
      sgd_merge(w, i, mask);
}

/* Executes a texture operation for the lanes in `mask`, which all use the same texture and sampler.
 */
static ALWAYS_INLINE void
texture(struct sgd_warp *w, const struct sgd_tex_op *op, int64_t unit, int64_t sampler,
        const struct sgd_source *src0, const struct sgd_source *src1, uint32_t mask,
        struct sgd_vec *dst)
{
   static const struct sgd_sampler no_sampler;
   const struct sgd_env *env = w->env;
   const bool has_texture = unit >= 0 && unit < SGD_MAX_TEXTURES && env->textures;
   const bool has_sampler = sampler >= 0 && sampler < SGD_MAX_SAMPLERS && env->samplers;
   const struct sgd_texture *t = has_texture ? env->textures[unit] : NULL;
   const struct sgd_sampler *s = has_sampler ? &env->samplers[sampler] : &no_sampler;
   if (unlikely(unit >= SGD_MAX_TEXTURES) && env->handles &&
       unit - SGD_MAX_TEXTURES < env->handles->count) {
      t = env->handles->handle[unit - SGD_MAX_TEXTURES].texture;
      s = &env->handles->handle[unit - SGD_MAX_TEXTURES].sampler;
   }
   sgd_texture_op(w->worker, t, s, op, src0, src1, mask, dst);
}

/* Replaces a source by a copy in which absent lanes are zero. */
static void
hide_absent(struct sgd_warp *w, const struct sgd_ins *i, struct sgd_source *src, unsigned s,
            uint32_t absent)
{
   struct sgd_vec *to = sgd_operand(w, s);
   const uint32_t zero = sgd_absent_value(w, i, s);
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t *from = src->c[c];
      SGD_EACH_LANE(l) {
         to->c[c][l] = sgd_select(absent & sgd_lane_bit[l], zero, from[l]);
      }
      src->c[c] = to->c[c];
   }
}

/* Copies the lanes of a source, and makes the source point to the copy. */
static void
keep_source(struct sgd_source *src, struct sgd_vec *copy)
{
   for (unsigned c = 0; c < 4; c++)
      src->c[c] = memcpy(copy->c[c], src->c[c], sizeof(copy->c[c]));
}

/* Executes a texture operation whose texture and sampler are relative to an address register. Lanes
 * with the same index are processed together. The sources are copied first, because the first
 * result can overwrite them.
 */
static ATTRIBUTE_NOINLINE void
relative_textures(struct sgd_warp *w, const struct sgd_tex_op *op, const int32_t *rel,
                  const struct sgd_source *from0, const struct sgd_source *from1, uint32_t mask,
                  struct sgd_vec *dst)
{
   struct sgd_source src0 = *from0, src1 = *from1;
   struct sgd_vec copy0, copy1;
   keep_source(&src0, &copy0);
   keep_source(&src1, &copy1);
   for (uint32_t left = mask; left;) {
      const int32_t value = rel[__builtin_ctz(left)];
      const uint32_t same = sgd_same_lanes(rel, left);
      left &= ~same;
      texture(w, op, (int64_t)op->unit + value, (int64_t)op->sampler + value, &src0, &src1, same,
              dst);
   }
}

/* Executes any texture operation. */
static __attribute__((noinline)) void
run_any_texture(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const struct sgd_tex_op *op = &sgd_decoded(w)->tex[i->target];
   uint8_t *m = w->file;
   const bool rel_dst = i->flags & SGD_INS_REL_DST;
   struct sgd_vec *dst = rel_dst ? &w->worker->core->result
                                 : (struct sgd_vec *)sgd_lanes(m, i->reg);

   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   struct sgd_source src0, src1;
   for (unsigned c = 0; c < 4; c++) {
      src0.c[c] = sgd_lanes(m, i->comp[c].a);
      src1.c[c] = sgd_lanes(m, i->comp[c].b);
   }
   if (unlikely(w->running != ~0u) && (i->flags & SGD_INS_QUAD)) {
      const uint32_t absent = sgd_absent_lanes(w);
      if (absent) {
         hide_absent(w, i, &src0, 0, absent);
         hide_absent(w, i, &src1, 1, absent);
      }
   }

   if (likely(!op->relative))
      texture(w, op, op->unit, op->sampler, &src0, &src1, mask, dst);
   else
      relative_textures(w, op, sgd_addr(w, sgd_instr(w, i)->urelcomp), &src0, &src1, mask, dst);
   if (rel_dst)
      sgd_merge(w, i, mask);
}

/* Fast path for texture operations whose texture and sampler are not relative, and whose sources
 * are registers without modifiers.
 */
static ALWAYS_INLINE void
run_texture(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const struct sgd_tex_op *op = &sgd_decoded(w)->tex[i->target];
   const struct sgd_env *env = w->env;
   uint8_t *m = w->file;

   if (unlikely(i->flags & (SGD_INS_REL_DST | SGD_INS_LOAD) || !op->direct || !env->textures ||
                !env->samplers ||
                (w->running != ~0u && i->flags & SGD_INS_QUAD && sgd_absent_lanes(w)))) {
      run_any_texture(w, i, mask);
      return;
   }
   struct sgd_source src0, src1;
   for (unsigned c = 0; c < 4; c++)
      src0.c[c] = sgd_lanes(m, i->comp[c].a);
   if (op->src1) {
      for (unsigned c = 0; c < 4; c++)
         src1.c[c] = sgd_lanes(m, i->comp[c].b);
   }
   sgd_texture_op(w->worker, env->textures[op->unit], &env->samplers[op->sampler], op, &src0,
                  op->src1 ? &src1 : &src0, mask, (struct sgd_vec *)sgd_lanes(m, i->reg));
}

void
sgd_run_texture(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   run_texture(w, i, mask);
}

ATTRIBUTE_NOINLINE void
sgd_count_texture(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const struct sgd_tex_op *op = &sgd_decoded(w)->tex[i->target];
   const struct sgd_env *env = w->env;
   const bool known = op->direct && !op->relative && env->textures && env->samplers;

   w->worker->position.texture(w->worker, i, known ? env->textures[op->unit] : NULL,
                               known ? &env->samplers[op->sampler] : NULL, op, mask);
}

static ATTRIBUTE_NOINLINE void
native_texture(struct sgd_warp *w, const struct sgd_ins *i)
{
   const uint32_t mask = sgd_guarded_lanes(w, i);
   w->worker->counters[SGPU_COUNTER_TEXTURE_OPS]++;
   if (likely(mask))
      run_texture(w, i, mask);
}

static ATTRIBUTE_NOINLINE void
counted_texture(struct sgd_warp *w, const struct sgd_ins *i)
{
   sgd_count_texture(w, i, w->exec);
   native_texture(w, i);
}

void
sgd_native_texture(struct sgd_warp *w, const struct sgd_ins *i)
{
   const struct sgd_tex_op *op = &sgd_decoded(w)->tex[i->target];
   const struct sgd_env *env = w->env;
   w->worker->position.ins = i;
   if (unlikely(sgd_position_counts(&w->worker->position))) {
      counted_texture(w, i);
      return;
   }
   bool quick = op->quick;
   if (SGD_OBSERVED_LEVEL)
      quick = false;
   /* All calls are the last statements of their path, so that they are jumps. */
   if (likely(quick && w->exec == ~0u && env->textures && env->samplers)) {
      const struct sgd_texture *texture = env->textures[op->unit];
      const struct sgd_sampler *sampler = &env->samplers[op->sampler];
      if (likely(sgd_texture_is_direct(texture, sampler, op))) {
         uint8_t *m = w->file;
         w->worker->counters[SGPU_COUNTER_TEXTURE_OPS]++;
         sgd_texture_direct(texture, sampler, op, sgd_lanes(m, i->comp[0].a),
                            sgd_lanes(m, i->comp[1].a), (struct sgd_vec *)sgd_lanes(m, i->reg));
         return;
      }
   }
   native_texture(w, i);
}

static const struct sgd_texture *
image(const struct sgd_warp *w, int64_t unit)
{
   const struct sgd_env *env = w->env;
   if (unit >= SGD_MAX_IMAGES && env->handles && unit - SGD_MAX_IMAGES < env->handles->count)
      return env->handles->handle[unit - SGD_MAX_IMAGES].image;
   return unit >= 0 && unit < SGD_MAX_IMAGES && env->images ? env->images[unit] : NULL;
}

void
sgd_run_image(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   struct sgd_image_op op = {
      .op = instr->opcode,
      .target = instr->tex_target,
      .aop = instr->aop,
      .mask = i->mask,
      .alone = w->worker->alone,
   };
   if (SGD_OBSERVED_LEVEL)
      op.worker = w->worker;
   uint8_t *m = w->file;
   const bool rel_dst = i->flags & SGD_INS_REL_DST;
   struct sgd_vec *dst = rel_dst ? &w->worker->core->result
                                 : (struct sgd_vec *)sgd_lanes(m, i->reg);

   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   const struct sgd_vec *coord = (const struct sgd_vec *)sgd_lanes(m, i->comp[0].a);
   const struct sgd_vec *data = (const struct sgd_vec *)sgd_lanes(m, i->comp[0].b);

   if (!instr->urel) {
      sgd_image_access(image(w, instr->unit), &op, coord, data, mask, w->live, dst);
   } else {
      /* Process the lanes with the same index together, as in relative_textures(). */
      const int32_t *rel = sgd_addr(w, instr->urelcomp);
      struct sgd_vec copy0, copy1;
      if (dst == coord)
         coord = memcpy(&copy0, coord, sizeof(copy0));
      if (dst == data)
         data = memcpy(&copy1, data, sizeof(copy1));
      for (uint32_t left = mask; left;) {
         const int32_t value = rel[__builtin_ctz(left)];
         const uint32_t same = sgd_same_lanes(rel, left);
         left &= ~same;
         sgd_image_access(image(w, (int64_t)instr->unit + value), &op, coord, data, same, w->live,
                          dst);
      }
   }
   if (rel_dst && i->num_comps)
      sgd_merge(w, i, mask);
}
