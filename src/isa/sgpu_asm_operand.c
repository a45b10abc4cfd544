/* SPDX-License-Identifier: MIT */

/* Assembler of operands: registers, swizzles, masks, textures, images and memory. */

#include <string.h>

#include "sgpu_asm_parse.h"

static int
component(char c)
{
   switch (c) {
   case 'x':
      return 0;
   case 'y':
      return 1;
   case 'z':
      return 2;
   case 'w':
      return 3;
   default:
      return -1;
   }
}

static int
find_name(struct sgpu_word word, const char *const *names, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (names[i] && sgpu_word_is(word, names[i]))
         return (int)i;
   }
   return -1;
}

/* Finds a register by its name in brackets. Returns its index, or -1 if the name is unknown. */
static int
find_register(const struct sgpu_parser *p, unsigned file, struct sgpu_word word)
{
   switch (file) {
   case SGPU_FILE_INPUT:
      return p->stage == SGPU_STAGE_VERTEX ? find_name(word, sgpu_vp1_input_names, SGPU_VP1_INPUTS)
                                           : -1;
   case SGPU_FILE_OUTPUT:
      if (sgpu_stage_makes_vertices(p->stage))
         return find_name(word, sgpu_vs_output_names, SGPU_NUM_VS_OUTPUTS);
      return p->stage == SGPU_STAGE_PIXEL
                ? find_name(word, sgpu_ps_output_names, SGPU_NUM_PS_OUTPUTS)
                : -1;
   case SGPU_FILE_SYS:
      return find_name(word, sgpu_sysval_names, SGPU_NUM_SYSVALS);
   default:
      return -1;
   }
}

struct index {
   bool rel;
   uint8_t comp;
   int value;
};

/* Parses a register index inside brackets: a name in the register file, or a number. */
static bool
parse_index_value(struct sgpu_parser *p, unsigned file, unsigned max, int *value)
{
   const struct sgpu_word word = sgpu_parse_peek_word(p);
   const int found = find_register(p, file, word);
   uint32_t number;
   if (found >= 0) {
      sgpu_parse_word(p);
      *value = found;
      return true;
   }
   if (!sgpu_parse_uint(p, max, "an index", &number))
      return false;
   *value = (int)number;
   return true;
}

/* Parses an index in brackets: [3], [HPOS], [A0.x], [A0.x + 3] or [A0.x - 3]. */
static bool
parse_index(struct sgpu_parser *p, unsigned file, unsigned size, struct index *index)
{
   memset(index, 0, sizeof(*index));
   if (!sgpu_parse_expect(p, '['))
      return false;
   if (!sgpu_word_is(sgpu_parse_peek_word(p), "A0"))
      return parse_index_value(p, file, size - 1, &index->value) && sgpu_parse_expect(p, ']');

   sgpu_parse_word(p);
   index->rel = true;
   if (!sgpu_parse_component(p, &index->comp))
      return false;
   if (sgpu_parse_accept(p, '+')) {
      if (!parse_index_value(p, file, size - 1, &index->value))
         return false;
   } else if (sgpu_parse_accept(p, '-')) {
      /* Allow 512 for -512, the lowest value of the source's field. */
      if (!parse_index_value(p, SGPU_FILE_NONE, 512, &index->value))
         return false;
      index->value = -index->value;
   }
   return sgpu_parse_expect(p, ']');
}

/* Parses a register that consists of a letter and a number, e.g. R5, A0 or P3. */
static bool
parse_numbered(struct sgpu_parser *p, struct sgpu_word word, unsigned size, unsigned *number)
{
   unsigned n = 0;
   if (word.length < 2 || word.length > 4)
      return sgpu_parse_fail(p, word.text, "'%.*s' is not a register",
                             (int)(word.length > 40 ? 40 : word.length), word.text);
   for (size_t i = 1; i < word.length; i++) {
      if (word.text[i] < '0' || word.text[i] > '9')
         return sgpu_parse_fail(p, word.text, "'%.*s' is not a register", (int)word.length,
                                word.text);
      n = n * 10 + (unsigned)(word.text[i] - '0');
   }
   if (n >= size)
      return sgpu_parse_fail(p, word.text, "%.*s is beyond %c%u", (int)word.length, word.text,
                             word.text[0], size - 1);
   *number = n;
   return true;
}

bool
sgpu_parse_mask(struct sgpu_parser *p, uint8_t *mask)
{
   *mask = SGPU_MASK_XYZW;
   if (!sgpu_parse_accept(p, '.'))
      return !p->failed;

   const struct sgpu_word word = sgpu_parse_word(p);
   int last = -1;
   *mask = 0;
   for (size_t i = 0; i < word.length; i++) {
      const int c = component(word.text[i]);
      if (c <= last)
         return sgpu_parse_fail(p, word.text, "a write mask has some of x, y, z, w, in that order");
      *mask |= 1u << c;
      last = c;
   }
   return word.length ? !p->failed : sgpu_parse_fail(p, p->at, "expected a write mask");
}

bool
sgpu_parse_dst(struct sgpu_parser *p, struct sgpu_dst *dst)
{
   const struct sgpu_word word = sgpu_parse_word(p);
   unsigned number = 0;
   struct index index = { 0 };
   memset(dst, 0, sizeof(*dst));

   if (sgpu_word_is(word, "o")) {
      dst->file = SGPU_FILE_OUTPUT;
      if (!parse_index(p, dst->file, SGPU_OUTPUT_SIZE, &index))
         return false;
   } else if (sgpu_word_is(word, "R")) {
      dst->file = SGPU_FILE_TEMP;
      if (!parse_index(p, dst->file, SGPU_TEMP_SIZE, &index))
         return false;
      if (!index.rel)
         return sgpu_parse_fail(p, word.text, "R[...] is for relative addressing; write R%d",
                                index.value);
   } else if (word.length && word.text[0] == 'R') {
      dst->file = SGPU_FILE_TEMP;
      if (!parse_numbered(p, word, SGPU_TEMP_SIZE, &number))
         return false;
   } else if (word.length && word.text[0] == 'A') {
      dst->file = SGPU_FILE_ADDR;
      if (!parse_numbered(p, word, SGPU_ADDR_SIZE, &number))
         return false;
   } else if (word.length && word.text[0] == 'P') {
      dst->file = SGPU_FILE_PRED;
      if (!parse_numbered(p, word, SGPU_PRED_SIZE, &number))
         return false;
   } else {
      return sgpu_parse_fail(p, word.text, "expected a destination: R, o, A0 or P");
   }

   if (index.value < 0)
      return sgpu_parse_fail(p, word.text, "a destination's offset is not negative");
   dst->rel = index.rel;
   dst->relcomp = index.comp;
   dst->index = (uint8_t)((unsigned)index.value + number);
   return sgpu_parse_mask(p, &dst->mask);
}

/* Parses a swizzle. A single component .x means .xxxx. An absent swizzle means .xyzw. */
static bool
parse_swizzle(struct sgpu_parser *p, uint8_t *swizzle)
{
   *swizzle = SGPU_SWIZZLE_XYZW;
   if (!sgpu_parse_accept(p, '.'))
      return !p->failed;

   const struct sgpu_word word = sgpu_parse_word(p);
   unsigned s = 0;
   for (size_t i = 0; i < word.length && i < 4; i++) {
      const int c = component(word.text[i]);
      if (c < 0)
         return sgpu_parse_fail(p, word.text, "a swizzle has components x, y, z, w");
      s |= (unsigned)c << (2 * i);
   }
   if (word.length == 1)
      s = sgpu_swizzle_replicate(s);
   else if (word.length != 4)
      return sgpu_parse_fail(p, word.length ? word.text : p->at,
                             "a swizzle has one or four components");
   *swizzle = (uint8_t)s;
   return !p->failed;
}

static bool
parse_register(struct sgpu_parser *p, struct sgpu_src *src)
{
   static const struct {
      const char *name;
      uint8_t file;
      uint16_t size;
   } files[] = {
      { "R", SGPU_FILE_TEMP, SGPU_TEMP_SIZE },
      { "v", SGPU_FILE_INPUT, SGPU_INPUT_SIZE },
      { "c", SGPU_FILE_CONST, SGPU_CONST_SIZE },
      { "s", SGPU_FILE_SYS, SGPU_NUM_SYSVALS },
   };
   const struct sgpu_word word = sgpu_parse_word(p);
   unsigned number = 0;

   for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
      if (!sgpu_word_is(word, files[i].name))
         continue;
      struct index index;
      src->file = files[i].file;
      if (!parse_index(p, src->file, files[i].size, &index))
         return false;
      if (src->file == SGPU_FILE_TEMP && !index.rel)
         return sgpu_parse_fail(p, word.text, "R[...] is for relative addressing; write R%d",
                                index.value);
      src->rel = index.rel;
      src->relcomp = index.comp;
      src->index = (int16_t)index.value;
      return true;
   }

   if (word.length && word.text[0] == 'R') {
      src->file = SGPU_FILE_TEMP;
      if (!parse_numbered(p, word, SGPU_TEMP_SIZE, &number))
         return false;
   } else if (word.length && word.text[0] == 'A') {
      src->file = SGPU_FILE_ADDR;
      if (!parse_numbered(p, word, SGPU_ADDR_SIZE, &number))
         return false;
   } else {
      return sgpu_parse_fail(p, word.text, "expected a source: R, v, c, s or A0");
   }
   src->index = (int16_t)number;
   return true;
}

bool
sgpu_parse_src(struct sgpu_parser *p, struct sgpu_src *src)
{
   memset(src, 0, sizeof(*src));
   src->neg = sgpu_parse_accept(p, '-');
   src->abs = sgpu_parse_accept(p, '|');
   if (!parse_register(p, src) || !parse_swizzle(p, &src->swizzle))
      return false;
   return !src->abs || sgpu_parse_expect(p, '|');
}

/* Parses the name and index of a resource, e.g. `tex[3]`, `smp[2]`, `cb[1]`, `va[1]` or `vo[HPOS]`.
 */
static bool
parse_resource(struct sgpu_parser *p, const char *name, unsigned size, struct index *index)
{
   const bool output = strcmp(name, "vo") == 0;
   const struct sgpu_word word = sgpu_parse_word(p);
   if (!sgpu_word_is(word, name))
      return sgpu_parse_fail(p, word.text, "expected %s[...]", name);
   if (!parse_index(p, output ? SGPU_FILE_OUTPUT : SGPU_FILE_NONE, size, index))
      return false;
   if (index->value < 0)
      return sgpu_parse_fail(p, word.text, "a resource's offset is not negative");
   return true;
}

static bool
parse_target(struct sgpu_parser *p, struct sgpu_instr *instr)
{
   struct sgpu_word word = sgpu_parse_word(p);
   const char *at = word.text;
   if (word.length > 6 && memcmp(word.text, "SHADOW", 6) == 0) {
      instr->shadow = true;
      word.text += 6;
      word.length -= 6;
   }
   for (unsigned i = 0; i < SGPU_NUM_TEX_TARGETS; i++) {
      if (sgpu_word_is(word, sgpu_tex_target_infos[i].name)) {
         instr->tex_target = (uint8_t)i;
         return !p->failed;
      }
   }
   return sgpu_parse_fail(p, at, "expected a texture target, such as 2D or SHADOW2D");
}

/* Parses texel offsets, e.g. (1, 0, -1). The number of components depends on the target. */
static bool
parse_offsets(struct sgpu_parser *p, struct sgpu_instr *instr)
{
   const char *at = p->at;
   unsigned n = 0;
   do {
      const bool negative = sgpu_parse_accept(p, '-');
      uint32_t value;
      if (!sgpu_parse_uint(p, negative ? 8 : 7, "a texel offset", &value))
         return false;
      if (n < 3)
         instr->off[n] = (int8_t)(negative ? -(int)value : (int)value);
      n++;
   } while (sgpu_parse_accept(p, ','));

   const unsigned takes = sgpu_tex_target_infos[instr->tex_target].offsets;
   if (n != takes)
      return sgpu_parse_fail(p, at, "the texture target takes %u texel offsets, not %u", takes, n);
   return sgpu_parse_expect(p, ')');
}

bool
sgpu_parse_tex(struct sgpu_parser *p, struct sgpu_instr *instr)
{
   const struct sgpu_tex_op_info *op = sgpu_tex_op_info(instr->opcode);
   struct index tex, smp;
   if (!parse_resource(p, "tex", SGPU_MAX_TEXTURES, &tex))
      return false;
   instr->unit = (uint8_t)tex.value;
   instr->urel = tex.rel;
   instr->urelcomp = tex.comp;
   if (instr->opcode == SGPU_OP_TG4 && sgpu_parse_peek(p, '.') &&
       !sgpu_parse_component(p, &instr->gcomp))
      return false;

   if (op->sampler) {
      if (!sgpu_parse_expect(p, ','))
         return false;
      sgpu_parse_skip(p);
      const char *at = p->at;
      if (!parse_resource(p, "smp", SGPU_MAX_SAMPLERS, &smp))
         return false;
      if (smp.rel != tex.rel || smp.comp != tex.comp)
         return sgpu_parse_fail(p, at, "the sampler is relative to the same A0 as the texture");
      instr->sampler = (uint8_t)smp.value;
   }

   if (!sgpu_parse_expect(p, ',') || !parse_target(p, instr))
      return false;
   if (sgpu_parse_accept(p, ',') && (!sgpu_parse_expect(p, '(') || !parse_offsets(p, instr)))
      return false;

   /* A second source of TG4 contains texel offsets unless it is a reference value. */
   instr->oreg = instr->opcode == SGPU_OP_TG4 && instr->src[1].file != SGPU_FILE_NONE &&
                 !(instr->shadow && instr->tex_target == SGPU_TEX_TARGET_CUBE_ARRAY);
   return !p->failed;
}

/* Parses a resource whose index is stored in instr->unit. */
static bool
parse_unit(struct sgpu_parser *p, const char *name, unsigned size, struct sgpu_instr *instr)
{
   struct index index;
   if (!parse_resource(p, name, size, &index))
      return false;
   instr->unit = (uint8_t)index.value;
   instr->urel = index.rel;
   instr->urelcomp = index.comp;
   return true;
}

bool
sgpu_parse_image(struct sgpu_parser *p, struct sgpu_instr *instr)
{
   if (!parse_unit(p, "img", SGPU_MAX_IMAGES, instr) || !sgpu_parse_expect(p, ','))
      return false;
   sgpu_parse_skip(p);
   const char *at = p->at;
   if (!parse_target(p, instr))
      return false;
   return !instr->shadow || sgpu_parse_fail(p, at, "the operation does not compare");
}

bool
sgpu_parse_mem(struct sgpu_parser *p, struct sgpu_instr *instr)
{
   const bool patch = instr->opcode == SGPU_OP_LDP || instr->opcode == SGPU_OP_STP;
   const struct sgpu_mem_info *place = sgpu_mem_info(instr->opcode);
   if (place->units) {
      if (!parse_unit(p, place->name, place->units, instr))
         return false;
   } else {
      const struct sgpu_word word = sgpu_parse_word(p);
      if (!sgpu_word_is(word, place->name))
         return sgpu_parse_fail(p, word.text, "expected %s[...]", place->name);
   }

   /* SZB has no address operand. */
   if (sgpu_opcode_info(instr->opcode)->num_srcs == 0)
      return !p->failed;
   if (!sgpu_parse_expect(p, '['))
      return false;
   const struct sgpu_word word = sgpu_parse_peek_word(p);
   const int level = patch ? find_name(word, sgpu_patch_output_names, SGPU_NUM_PATCH_NAMES) : -1;
   if (level >= 0) {
      sgpu_parse_word(p);
      instr->offset = (uint32_t)level;
      return sgpu_parse_expect(p, ']');
   }
   const bool number = word.length && word.text[0] >= '0' && word.text[0] <= '9';
   if (!number && !sgpu_parse_src(p, &instr->src[0]))
      return false;
   if (number || sgpu_parse_accept(p, '+')) {
      if (!sgpu_parse_uint(p, sgpu_max_offset(instr->opcode), "an offset", &instr->offset))
         return false;
   }
   return sgpu_parse_expect(p, ']');
}
