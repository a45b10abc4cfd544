/* SPDX-License-Identifier: MIT */
/* Looks up shaders by address for error messages. */
#include "sgpu_shader.h"

#include <stdio.h>

#include "sgpu_screen.h"

void
sgpu_shader_describe(struct sgpu_screen *screen, uint64_t address, char *out, size_t size)
{
   simple_mtx_lock(&screen->shaders_lock);
   list_for_each_entry(struct sgpu_shader_state, state, &screen->shaders, link) {
      if (state->code && state->code->address == address)
         snprintf(out, size, "%s shader %u (%s)", sgpu_stages[state->stage].name, state->id,
                  state->name);
   }
   simple_mtx_unlock(&screen->shaders_lock);
}
