/* SPDX-License-Identifier: MIT */
/*
 * Translator: converts a program's instructions to the nodes of its regions.
 */
#ifndef SGD_REGIONS_H
#define SGD_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shader/translate/sgd_ir.h"
#include "shader/translate/sgd_liveness.h"
#include "common/sgd_shader.h"

/* A part of a program that has its own machine code. */
struct sgd_region {
   /* `first` is the index of the region's first instruction. See struct sgd_native for the others.
    */
   uint32_t first, next, length, span;
   size_t full, masked; /* code offsets of the normal function and of the masked function */
   size_t loop;         /* code offset of a sgd_loop_fn, or 0 if the region is no loop */
   bool jump, quad;
   bool operands;     /* see struct sgd_native */
   bool uniform;      /* set if the functions use the argument `lane` */
   uint32_t textures; /* see struct sgd_native */
};

/* A register component or word of scratch memory whose current value is a node, and no longer in the
 * register file or scratch memory.
 */
struct sgd_touched {
   uint32_t offset;
   uint32_t live; /* bit of the component in the sets of live components (see sgd_is_live()) */
};

/* The offsets of register components are multiples of this number of bytes. */
#define SGD_FILE_PLACE 64

/* Words of scratch memory that regions access like registers. They follow the register file. */
#define SGD_REGION_SCRATCH 1024
#define SGD_SCRATCH_WORD sizeof(uint32_t[SGD_WARP])
#define SGD_REGION_PLACES ((SGD_FILE_SIZE + SGD_REGION_SCRATCH * SGD_SCRATCH_WORD) / SGD_FILE_PLACE)

/* A program, and the nodes of the region that is currently built. */
struct sgd_regions {
   const struct sgd_shader *shader;
   uint32_t num_instrs;
   const struct sgd_decoded *decoded;
   struct sgd_lookup_forms lookups; /* lookups that regions include; none unless changed */
   bool avx512;                     /* set if code can have vectors of 16 lanes */
   /* register file offset of constant c[n], or 0 if it has none */
   uint32_t const_offset[SGPU_CONST_SIZE];
   /* components that are live before each instruction, or NULL if all must be assumed live */
   struct sgd_live *live;
   int32_t *points; /* see sgd_find_points() */
   /* components that can differ between lanes before each instruction, or NULL if all must be
    * assumed to differ; and the element for the first instruction of the region
    */
   struct sgd_live *differing;
   const struct sgd_live *differ;
   /* set for each instruction to which other instructions can jump */
   bool *target;
   struct sgd_ir ir;
   /* node with the current value at each offset of the register file and the scratch memory behind
    * it, or SGD_IR_NONE if it is unchanged
    */
   uint16_t value[SGD_REGION_PLACES];
   /* node with the current value of each predicate, or SGD_IR_NONE if it is unchanged */
   uint16_t pred[16];
   struct sgd_touched touched[SGD_IR_MAX_STORES];
   uint32_t num_touched;
   bool quad;
};

/* Returns false if an allocation fails. sgd_regions_finish() must be called in both cases. */
bool sgd_regions_init(struct sgd_regions *rs, const struct sgd_shader *shader);
void sgd_regions_finish(struct sgd_regions *rs);

/* Builds the region that starts at instruction `first`, and optimizes its nodes in rs->ir. No code
 * is emitted. The length of the returned region is 0 if no region can start there.
 */
struct sgd_region sgd_regions_gather(struct sgd_regions *rs, uint32_t first);

/* A texture operation that is machine code. */
struct sgd_texel_lookup {
   uint32_t at;   /* register file offset of its struct sgd_lookup */
   uint32_t form; /* enum sgd_lookup_form */
   enum sgd_lookup_kind kind;
   bool wide; /* set if code can have vectors of 16 lanes */
   int8_t offset[2];
   uint8_t gather_comp;
};

/* Returns component c of the result at the coordinates x and y. */
uint16_t sgd_regions_texel(struct sgd_ir *ir, const struct sgd_texel_lookup *l, uint16_t x,
                           uint16_t y, unsigned c);

/* Returns true if the region that was built last is the body of a loop that lanes leave at a BRK
 * behind it, and nothing else. Sets *invert if they leave where the predicate is false.
 */
bool sgd_regions_loop(const struct sgd_regions *rs, const struct sgd_region *r, bool *invert);

#endif
