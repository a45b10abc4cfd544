/* SPDX-License-Identifier: MIT */
/* Compilation of shaders.  A shader is compiled when Mesa finalizes its NIR, so that a compiler
 * error fails the GLSL link.  The compiled program is kept in a list until Mesa creates the shader
 * object from the same NIR.
 */
#include "sgpu_shader.h"

#include <stdio.h>

#include "util/hash_table.h"
#include "util/ralloc.h"
#include "util/u_memory.h"

#include "sgpu_screen.h"

/* MAX_WAITING: maximum number of compiled programs that have no shader object yet; MAX_KNOWN:
 * maximum number of shaders that are known to compile.
 */
#define MAX_WAITING 64
#define MAX_KNOWN 65536

/* A shader that has been compiled without errors. */
struct known {
   unsigned char sha1[20];
   struct list_head link;       /* link in sgpu_precompiled::waiting if `program` is not NULL */
   struct sgpu_shader *program; /* compiled program that has no shader object yet, or NULL */
};

struct sgpu_precompiled {
   simple_mtx_t lock;
   struct hash_table *known; /* maps SHA-1 hashes of NIR to struct known */
   struct list_head waiting; /* list of struct known with a program, oldest first */
   unsigned num_waiting;
};

static uint32_t
hash_sha1(const void *key)
{
   uint32_t hash;
   memcpy(&hash, key, sizeof(hash));
   return hash;
}

static bool
same_sha1(const void *a, const void *b)
{
   return !memcmp(a, b, 20);
}

/* Returns the compiled shader, from the disk cache if possible.  On failure, returns NULL and sets
 * *error to a message allocated with ralloc.  Leaves *error unchanged if the message can't be
 * allocated.
 */
static struct sgpu_shader *
compile(struct sgpu_screen *screen, const nir_shader *nir, const unsigned char key[20],
        unsigned debug, char **error)
{
   const struct sgpu_shader_key shader_key = {
      .legacy_mul = nir->info.use_legacy_math_rules,
   };
   unsigned char sha1[20];
   const char *text = NULL;

   if (screen->disk_cache) {
      disk_cache_compute_key(screen->disk_cache, key, 20, sha1);
      struct sgpu_shader *cached = sgpu_disk_cache_get(screen, sha1, nir->info.stage);
      if (cached)
         return cached;
   }

   void *mem_ctx = ralloc_context(NULL);
   if (!mem_ctx)
      return NULL;
   struct sgpu_shader *shader = sgpu_compile(mem_ctx, nir, &shader_key, debug, &text);
   if (shader)
      ralloc_steal(NULL, shader);
   else
      *error = ralloc_strdup(NULL, text ? text : "out of memory");
   ralloc_free(mem_ctx);

   if (shader && screen->disk_cache)
      sgpu_disk_cache_put(screen, sha1, shader);
   return shader;
}

static struct known *
find_known(struct sgpu_precompiled *p, const unsigned char sha1[20])
{
   struct hash_entry *entry = _mesa_hash_table_search(p->known, sha1);
   return entry ? entry->data : NULL;
}

/* Returns the compiled program and removes it from the list of waiting programs.  Returns NULL if
 * `known` has no program.
 */
static struct sgpu_shader *
take(struct sgpu_precompiled *p, struct known *known)
{
   struct sgpu_shader *program = known->program;
   if (program) {
      list_del(&known->link);
      known->program = NULL;
      p->num_waiting--;
   }
   return program;
}

static void
forget_all(struct sgpu_precompiled *p)
{
   list_for_each_entry_safe(struct known, known, &p->waiting, link)
      ralloc_free(take(p, known));
   hash_table_foreach(p->known, entry)
      FREE(entry->data);
   _mesa_hash_table_clear(p->known, NULL);
}

/* Adds a shader to the set of shaders that are known to compile.  Takes ownership of its program.
 */
static void
remember(struct sgpu_precompiled *p, const unsigned char sha1[20], struct sgpu_shader *program)
{
   struct known *known = find_known(p, sha1);

   if (!known) {
      if (_mesa_hash_table_num_entries(p->known) >= MAX_KNOWN)
         forget_all(p);
      known = CALLOC_STRUCT(known);
      if (known) {
         memcpy(known->sha1, sha1, 20);
         if (!_mesa_hash_table_insert(p->known, known->sha1, known)) {
            FREE(known);
            known = NULL;
         }
      }
   }
   if (!known || known->program) {
      ralloc_free(program);
      return;
   }
   if (p->num_waiting == MAX_WAITING)
      ralloc_free(take(p, list_first_entry(&p->waiting, struct known, link)));
   known->program = program;
   list_addtail(&known->link, &p->waiting);
   p->num_waiting++;
}

/* Returns true if draws may use a variant of the shader instead of the NIR that is finalized at
 * link time.  In compatibility contexts, Mesa creates variants of these stages that clamp colors.
 */
static bool
has_variants(gl_shader_stage stage)
{
   return stage == MESA_SHADER_VERTEX || stage == MESA_SHADER_TESS_CTRL ||
          stage == MESA_SHADER_TESS_EVAL || stage == MESA_SHADER_GEOMETRY;
}

/* Returns true if the shader is long, or has local arrays or scratch memory.  Other shaders are too
 * small to exceed the limits on registers and instructions.
 */
static bool
is_large(const nir_shader *nir)
{
   nir_foreach_function(function, nir) {
      unsigned instrs = 0;

      if (!function->impl)
         continue;
      nir_foreach_function_temp_variable(var, function->impl) {
         if (glsl_type_is_array(var->type))
            return true;
      }
      nir_foreach_block(block, function->impl) {
         instrs += exec_list_length(&block->instr_list);
         if (instrs > 1024)
            return true;
      }
   }
   return nir->scratch_size > 0;
}

char *
sgpu_precompile(struct sgpu_screen *screen, const nir_shader *nir)
{
   struct sgpu_precompiled *p = screen->precompiled;
   unsigned char sha1[20];
   char *error = NULL;

   /* Don't compile these shaders until Mesa creates the variant that draws use.  Most applications
    * would otherwise compile each shader twice.
    */
   if (has_variants(nir->info.stage) && !is_large(nir))
      return NULL;
   if (!sgpu_nir_sha1(nir, sha1))
      return NULL;
   simple_mtx_lock(&p->lock);
   const bool known = find_known(p, sha1);
   simple_mtx_unlock(&p->lock);
   if (known)
      return NULL;

   /* If debug output is enabled, don't keep the program.  The shader is then compiled again when
    * its shader object is created, so that the output follows the name of the object.
    */
   const unsigned printing = SGPU_COMPILER_ASM | SGPU_COMPILER_SHADERDB | SGPU_COMPILER_NIR |
                             SGPU_COMPILER_PASSES | SGPU_COMPILER_TIMES;
   struct sgpu_shader *program = compile(screen, nir, sha1, screen->compiler_debug & ~printing,
                                         &error);
   if (program && (screen->compiler_debug & printing)) {
      ralloc_free(program);
   } else if (program) {
      simple_mtx_lock(&p->lock);
      remember(p, sha1, program);
      simple_mtx_unlock(&p->lock);
   } else if (error) {
      char *text = NULL;
      if (asprintf(&text, "sgpu: the %s shader is beyond the machine's limits: %s\n",
                   _mesa_shader_stage_to_string(nir->info.stage), error) < 0)
         text = NULL;
      ralloc_free(error);
      error = text;
   }
   return error;
}

struct sgpu_shader *
sgpu_shader_compile(struct sgpu_screen *screen, const nir_shader *nir, char **error)
{
   struct sgpu_precompiled *p = screen->precompiled;
   unsigned char sha1[20];

   *error = NULL;
   if (!sgpu_nir_sha1(nir, sha1))
      return NULL;
   simple_mtx_lock(&p->lock);
   struct known *known = find_known(p, sha1);
   struct sgpu_shader *program = known ? take(p, known) : NULL;
   simple_mtx_unlock(&p->lock);
   return program ? program : compile(screen, nir, sha1, screen->compiler_debug, error);
}

bool
sgpu_precompiled_init(struct sgpu_screen *screen)
{
   struct sgpu_precompiled *p = CALLOC_STRUCT(sgpu_precompiled);

   if (!p)
      return false;
   p->known = _mesa_hash_table_create(NULL, hash_sha1, same_sha1);
   if (!p->known) {
      FREE(p);
      return false;
   }
   simple_mtx_init(&p->lock, mtx_plain);
   list_inithead(&p->waiting);
   screen->precompiled = p;
   return true;
}

void
sgpu_precompiled_fini(struct sgpu_screen *screen)
{
   struct sgpu_precompiled *p = screen->precompiled;

   if (!p)
      return;
   forget_all(p);
   _mesa_hash_table_destroy(p->known, NULL);
   simple_mtx_destroy(&p->lock);
   FREE(p);
   screen->precompiled = NULL;
}
