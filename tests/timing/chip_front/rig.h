/* SPDX-License-Identifier: MIT */
/*
 * A chip's front with replacements for the other units: SMs that end a warp after a number of
 * cycles, memory with a fixed latency, early tests that test nothing, and pixel outputs and
 * transfers that take no time.  Traces and work are made by hand.
 */
#ifndef RIG_H
#define RIG_H

#include "../../unit.h"
#include "chip/sgt_chip_front.h"
#include "kernel/sgt_random.h"
#include "trace/sgt_trace_builder.h"
#include "unit_rig.h"

#define RIG_TARGETS 4
#define RIG_SIZE 2048 /* width and height of a target in pixels */

struct rig;

struct rig_running {
   uint32_t warp;
   uint64_t end; /* time in ticks */
};

struct rig_sm {
   struct sgt_unit unit;
   struct rig *rig;
   uint32_t number;
   struct rig_running running[SGT_MAX_SM_WARPS];
   uint32_t num, max_warps, registers, max_registers;
};

struct rig_output {
   struct sgt_unit unit;
   struct rig *rig;
   uint32_t tpc;
};

struct rig {
   struct sgt_trace_builder *builder;
   uint32_t targets[RIG_TARGETS];
   struct sgt_program *programs[16];
   struct sgt_warp *warps;
   struct sgt_quad *quads;
   sgt_line *lines;
   struct sgt_operation_work *work_operations;
   uint64_t room_warps, room_quads, room_lines, room_operations;
   struct sgt_work work;
   uint32_t num_items;

   /* Parameters that must be set before rig_run(). */
   struct sgt_chip_front_params params;
   uint32_t cycles; /* number of cycles of the SM clock that a warp takes */
   /* Upper limit of a random number of additional cycles, which depends on `seed` and the warp. */
   uint32_t random_cycles;
   uint64_t seed;
   uint32_t memory_cycles; /* latency of the memory */
   uint64_t shuffle;       /* seed for shuffling units, or 0 */

   /* State of the machine. */
   struct unit_rig machine;
   struct sgt_trace *trace;
   struct sgt_chip_front front;
   struct rig_sm *sms;
   struct rig_output *outputs;
   struct sgt_unit early, transfer;
   struct unit_rig_memory memory;
   struct sgt_raster_block early_block; /* block whose warps are being released */
   uint32_t early_warp;                 /* index of the next of these warps */
   bool early_busy;

   /* Results.  Times are in ticks; UINT64_MAX: never. */
   uint64_t *started, *ended, *written; /* times of each warp */
   uint32_t *sm_of;                     /* SM of each warp */
   /* Time at which the latest block of each item left fine raster. */
   uint64_t *rastered;
   uint64_t *transferred; /* time of each operation */
   uint32_t latest_item;
   uint64_t blocks, first_block, last_block;
   uint64_t cycles_run; /* cycles of the core clock */
   struct sgt_stats stats;
};

void rig_begin(struct rig *r);
/* Adds a program of the stage.  Returns its number. */
uint32_t rig_program(struct rig *r, enum sgpu_stage stage, uint32_t scalars, uint32_t inputs);
/* Begins a draw, a grid or a transfer. */
void rig_operation(struct rig *r, uint32_t group_bytes, uint32_t group_warps);
/* Begins a draw with `num` warps of a vertex program with 8 scalars and 4 inputs. */
void rig_draw(struct rig *r, uint32_t num);
/* Adds square target `number` of 4 bytes per pixel to the operation. */
void rig_target(struct rig *r, uint32_t number, uint32_t width, uint32_t flags);
/* All following items of the operation read the target. */
void rig_reads(struct rig *r, uint32_t target);
/* Adds `num` warps to the operation.  Each one fetches `num_lines` lines. */
void rig_warps(struct rig *r, uint32_t program, uint32_t num, uint32_t group, uint32_t attributes,
               uint32_t num_lines);
/* Adds a triangle that covers a rectangle of pixels, at multiples of 8 and 4.  Returns its number.
 */
uint32_t rig_item(struct rig *r, uint32_t target, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                  bool zculled);
uint32_t rig_transfer(struct rig *r, enum sgt_item_kind kind, uint32_t target);
/* Adds a pixel warp for a block of 8x4 pixels of an item. */
void rig_pixels(struct rig *r, uint32_t program, uint32_t item, uint32_t x, uint32_t y);

/* Runs until no work is left, and checks conditions that always hold. */
void rig_run(struct rig *r);
/* Returns false, with a message in `error`, if the work is refused. */
bool rig_try(struct rig *r, char *error, size_t error_size);
/* The parts of rig_run() after rig_try(): connecting SMs and memory, and the run.  In between, the
 * caller connects its early tests, pixel outputs and transfers.
 */
void rig_connect_sms(struct rig *r);
void rig_go(struct rig *r);
uint64_t rig_stat(struct rig *r, const char *unit, const char *name);
void rig_end(struct rig *r);

#endif
