/* SPDX-License-Identifier: MIT */

/* Assembler of whole programs: header, declarations, labels, statements and END. */

#include <stdlib.h>
#include <string.h>

#include "sgpu_asm_parse.h"
#include "sgpu_text.h"

/* A definition or use of a label. */
struct label {
   struct sgpu_word word;
   uint32_t instr;
};

struct labels {
   struct label *list;
   uint32_t count, capacity;
};

struct assembler {
   struct sgpu_parser p;
   struct sgpu_program *program;
   uint32_t instr_room, literal_room;
   const char **places; /* for each instruction, pointer to its text */
   uint32_t place_room;
   struct labels defined, used;
};

/* Grows an array if it is full. Returns false on allocation failure. */
static bool
grow(struct assembler *a, void **list, uint32_t count, uint32_t *capacity, size_t size)
{
   if (count < *capacity)
      return true;
   const uint32_t more = *capacity ? *capacity * 2 : 16;
   void *bigger = realloc(*list, more * size);
   if (!bigger)
      return sgpu_parse_fail(&a->p, a->p.at, "out of memory");
   *list = bigger;
   *capacity = more;
   return true;
}

static bool
add_label(struct assembler *a, struct labels *labels, struct sgpu_word word)
{
   if (!grow(a, (void **)&labels->list, labels->count, &labels->capacity, sizeof(*labels->list)))
      return false;
   labels->list[labels->count++] = (struct label){ word, a->program->num_instrs };
   return true;
}

static int
compare_labels(const void *a, const void *b)
{
   const struct sgpu_word *x = &((const struct label *)a)->word;
   const struct sgpu_word *y = &((const struct label *)b)->word;
   if (x->length != y->length)
      return x->length < y->length ? -1 : 1;
   return memcmp(x->text, y->text, x->length);
}

static int
limited(size_t length)
{
   return length > 40 ? 40 : (int)length;
}

/* Resolves the labels that branches use as targets. */
static bool
resolve_labels(struct assembler *a)
{
   struct labels *defined = &a->defined;
   if (defined->count)
      qsort(defined->list, defined->count, sizeof(*defined->list), compare_labels);
   for (uint32_t i = 1; i < defined->count; i++) {
      const struct sgpu_word *x = &defined->list[i - 1].word, *y = &defined->list[i].word;
      if (compare_labels(&defined->list[i - 1], &defined->list[i]) == 0)
         return sgpu_parse_fail(&a->p, x->text > y->text ? x->text : y->text,
                                "label %.*s is there already", limited(y->length), y->text);
   }

   for (uint32_t i = 0; i < a->used.count; i++) {
      const struct label *use = &a->used.list[i];
      const struct label *found = defined->count ? bsearch(use, defined->list, defined->count,
                                                           sizeof(*use), compare_labels)
                                                 : NULL;
      if (!found)
         return sgpu_parse_fail(&a->p, use->word.text, "no such label: %.*s",
                                limited(use->word.length), use->word.text);
      struct sgpu_instr instr;
      const char *error = sgpu_instr_unpack(a->program->instrs[use->instr], &instr);
      if (!error) {
         instr.target = found->instr;
         error = sgpu_instr_pack(&instr, a->program->instrs[use->instr]);
      }
      if (error)
         return sgpu_parse_fail(&a->p, use->word.text, "%s", error);
   }
   return true;
}

/* Parses a literal, e.g. { 1.0, 0.5, 0x3f800000, -2 }. */
static bool
parse_literal(struct sgpu_parser *p, uint32_t value[4])
{
   if (!sgpu_parse_expect(p, '{'))
      return false;
   for (unsigned c = 0; c < 4; c++) {
      if (c > 0 && !sgpu_parse_expect(p, ','))
         return false;
      const bool negative = sgpu_parse_accept(p, '-');
      sgpu_parse_skip(p);
      const bool hex = p->end - p->at > 1 && p->at[0] == '0' && (p->at[1] | 32) == 'x';
      const int n = sgpu_number_parse(p->at, (size_t)(p->end - p->at), &value[c]);
      if (n <= 0 || (hex && negative))
         return sgpu_parse_fail(p, p->at, "expected a number: a decimal or 0x and bits");
      p->at += n;
      value[c] ^= negative ? 0x80000000u : 0;
   }
   return sgpu_parse_expect(p, '}');
}

/* Parses a definition, e.g. DEF c[12] = { ... };. */
static bool
parse_def(struct assembler *a)
{
   struct sgpu_parser *p = &a->p;
   struct sgpu_program *program = a->program;
   const struct sgpu_word word = sgpu_parse_word(p);
   uint32_t index, value[4];

   if (!sgpu_word_is(word, "c"))
      return sgpu_parse_fail(p, word.text, "expected c[...]");
   if (!sgpu_parse_expect(p, '[') || !sgpu_parse_uint(p, SGPU_CONST_SIZE - 1, "an index", &index) ||
       !sgpu_parse_expect(p, ']') || !sgpu_parse_expect(p, '=') || !parse_literal(p, value) ||
       !sgpu_parse_expect(p, ';'))
      return false;

   if (program->num_literals == 0)
      program->literal_base = index;
   if (index != program->literal_base + program->num_literals)
      return sgpu_parse_fail(p, word.text, "literals are in order without gaps: c[%u] is next",
                             program->literal_base + program->num_literals);
   if (!grow(a, (void **)&program->literals, program->num_literals, &a->literal_room,
             sizeof(*program->literals)))
      return false;
   memcpy(program->literals[program->num_literals++], value, sizeof(value));
   return true;
}

/* Parses a DEF, TEMPS or SCRATCH declaration. Sets *is to true if the statement is a declaration.
 */
static bool
parse_declaration(struct assembler *a, struct sgpu_word word, bool *is)
{
   struct sgpu_parser *p = &a->p;
   struct sgpu_program *program = a->program;
   const bool temps = sgpu_word_is(word, "TEMPS"), scratch = sgpu_word_is(word, "SCRATCH");

   *is = temps || scratch || sgpu_word_is(word, "DEF");
   if (!*is)
      return true;
   sgpu_parse_word(p);
   if (!temps && !scratch)
      return parse_def(a);

   uint32_t *value = temps ? &program->num_temps : &program->scratch_size;
   if (p->vp1)
      return sgpu_parse_fail(p, word.text, "vp1: only literals are declared");
   if (*value)
      return sgpu_parse_fail(p, word.text, "declared twice");
   if (!sgpu_parse_uint(p, temps ? SGPU_TEMP_SIZE : SGPU_MAX_SCRATCH,
                        temps ? "a number of temporaries" : "a size in bytes", value))
      return false;
   if (*value == 0)
      return sgpu_parse_fail(p, word.text, "a declaration of nothing");
   return sgpu_parse_expect(p, ';');
}

static bool
parse_statement(struct assembler *a)
{
   struct sgpu_parser *p = &a->p;
   struct sgpu_program *program = a->program;
   const struct sgpu_word word = sgpu_parse_peek_word(p);
   const char *start = p->at;

   if (word.length) {
      bool is_declaration;
      sgpu_parse_word(p);
      if (sgpu_parse_accept(p, ':')) {
         if (p->vp1)
            return sgpu_parse_fail(p, word.text, "vp1: no labels");
         if (word.text[0] >= '0' && word.text[0] <= '9')
            return sgpu_parse_fail(p, word.text, "a label does not begin with a digit");
         return add_label(a, &a->defined, word);
      }
      p->at = start;
      if (!parse_declaration(a, word, &is_declaration))
         return false;
      if (is_declaration)
         return true;
   }

   struct sgpu_instr instr;
   struct sgpu_word label;
   if (!sgpu_parse_instr(p, &instr, &label))
      return false;
   if (label.length && !add_label(a, &a->used, label))
      return false;
   if (program->num_instrs >= SGPU_MAX_INSTRUCTIONS)
      return sgpu_parse_fail(p, start, "too many instructions");
   if (!grow(a, (void **)&program->instrs, program->num_instrs, &a->instr_room,
             sizeof(*program->instrs)) ||
       !grow(a, (void **)&a->places, program->num_instrs, &a->place_room, sizeof(*a->places)))
      return false;
   const char *error = sgpu_instr_pack(&instr, program->instrs[program->num_instrs]);
   if (error)
      return sgpu_parse_fail(p, start, "%s", error);
   a->places[program->num_instrs++] = start;
   return true;
}

/* Parses the header, which specifies the stage and profile. */
static bool
parse_header(struct assembler *a)
{
   struct sgpu_parser *p = &a->p;
   sgpu_parse_skip(p);
   const char *start = p->at;
   size_t length = 0;
   while (start + length < p->end && start[length] > ' ' && start[length] != '#')
      length++;
   for (unsigned i = 0; i < SGPU_NUM_TEXT_HEADERS; i++) {
      const struct sgpu_text_header *header = &sgpu_text_headers[i];
      if (strlen(header->text) == length && memcmp(start, header->text, length) == 0) {
         p->at += length;
         p->stage = a->program->stage = header->stage;
         p->vp1 = a->program->vp1 = header->vp1;
         return true;
      }
   }
   return sgpu_parse_fail(p, start, "expected !!VP1.0, !!SGVP1.0, !!SGFP1.0 or !!SGCP1.0");
}

static bool
parse_program(struct assembler *a)
{
   struct sgpu_parser *p = &a->p;
   if (!parse_header(a))
      return false;

   const char *end;
   for (;;) {
      const struct sgpu_word word = sgpu_parse_peek_word(p);
      end = p->at;
      if (p->at == p->end)
         return sgpu_parse_fail(p, p->at, "the program does not end with END");
      if (sgpu_word_is(word, "END")) {
         sgpu_parse_word(p);
         break;
      }
      if (!parse_statement(a))
         return false;
   }
   sgpu_parse_skip(p);
   if (p->at != p->end)
      return sgpu_parse_fail(p, p->at, "text after END");
   if (!resolve_labels(a))
      return false;

   uint32_t where;
   const char *error = sgpu_program_gather(a->program, &where);
   if (!error)
      return true;
   return sgpu_parse_fail(p, where < a->program->num_instrs ? a->places[where] : end, "%s", error);
}

bool
sgpu_asm_program(const char *text, size_t length, struct sgpu_program *program,
                 struct sgpu_asm_error *error)
{
   struct assembler a = {
      .p = { .text = text, .end = text + length, .at = text, .error = error },
      .program = program,
   };
   memset(program, 0, sizeof(*program));
   const bool ok = parse_program(&a);
   if (!ok)
      sgpu_program_finish(program);
   free(a.places);
   free(a.defined.list);
   free(a.used.list);
   return ok;
}
