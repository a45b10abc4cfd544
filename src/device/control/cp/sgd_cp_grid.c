/* SPDX-License-Identifier: MIT */
/*
 * Command processor: creates grids, and determines the regions of memory that they read and write.
 */
#include <stdlib.h>

#include "control/cp/sgd_cp_work.h"

static void
destroy(struct sgd_compute *c)
{
   sgd_texture_set_unref(c->set);
   sgd_handle_set_unref(c->handles);
   sgd_shader_unref(c->program);
   sgd_env_unref_banks(&c->env);
   free(c);
}

/* Creates the description of a compute grid. It holds references to the current program and to the
 * resources that the program can access. Returns NULL if out of memory.
 */
static struct sgd_compute *
create(struct sgd_cp *cp, const struct SGPU_GRID *packet)
{
   struct sgd_shader *program = cp->cur.shader[SGPU_STAGE_COMPUTE];
   struct sgd_texture_set *set = cp->cur.sets[SGPU_STAGE_COMPUTE];
   struct sgd_compute *c = malloc(sizeof(*c));

   if (!c)
      return NULL;
   sgd_ref(&program->refs);
   if (set)
      sgd_ref(&set->refs);
   if (cp->cur.handles)
      sgd_ref(&cp->cur.handles->refs);
   *c = (struct sgd_compute){
      .destroy = destroy,
      .program = program,
      .set = set,
      .handles = cp->cur.handles,
      .env = sgd_cp_env(&cp->cur, SGPU_STAGE_COMPUTE),
      .address = cp->cur.shader_desc[SGPU_STAGE_COMPUTE].address,
      .packet = *packet,
      .numbers = packet->indirect ? (const uint32_t *)(cp->memory->base + packet->address) : NULL,
   };
   sgd_env_ref_banks(&c->env);
   return c;
}

static void
access_grid(struct sgd_cp *cp, struct sgd_node *node, struct sgd_compute *c)
{
   if (c->numbers)
      sgd_cp_access_buffer(cp, node, c->numbers, 12, SGD_ACCESS_FRONT);
   sgd_cp_access_banks(cp, node, &c->env);
   sgd_cp_access_textures(node, c->set, SGD_ACCESS_FRONT);
   sgd_cp_access_handles(node, c->program, c->handles, SGD_ACCESS_FRONT);
   sgd_cp_access_memory(cp, node, c->program, &c->env, SGD_ACCESS_FRONT);
   if (c->program->writes_memory)
      c->ordered = sgd_cp_memory_ordered(cp, node, c->program->memory_order == SGD_MEMORY_ORDERED);
}

const char *
sgd_cp_grid(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_GRID p;
   uint64_t groups;
   const char *error = SGPU_GRID_unpack(in, &p);
   if (error)
      return error;

   if ((uint64_t)p.group_size_x * p.group_size_y * p.group_size_z > SGD_MAX_GROUP)
      return "GRID: more than 1024 invocations in a group";
   if (!cp->cur.shader[SGPU_STAGE_COMPUTE])
      return "no compute program";
   if (p.indirect) {
      if ((p.address & 3) || !sgd_bo_list_find(&cp->sub->bos, p.address, 12))
         return "GRID: Address is not in a buffer of the submission";
      if (!sgd_compute_invocations(&p))
         return NULL;
   } else {
      if (!sgd_compute_groups(&p, cp->params->watchdog_vertices, &groups))
         return "GRID: more invocations than the watchdog allows";
      if (!groups)
         return NULL;
   }

   struct sgd_node *node = sgd_node_create(cp->dispatch, SGD_NODE_GRID, cp->sub);
   if (!node)
      return "out of memory";
   node->compute = create(cp, &p);
   if (!node->compute) {
      sgd_node_destroy(node);
      return "out of memory";
   }
   access_grid(cp, node, node->compute);
   sgd_cp_attach_queries(cp, node);
   sgd_cp_condition(cp, node, p.conditional);
   return sgd_cp_add(cp, node, NULL, 0);
}
