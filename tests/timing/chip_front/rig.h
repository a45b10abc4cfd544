/* SPDX-License-Identifier: MIT */
/*
 * A chip's front between stand-ins: SMs that end a warp after a number of cycles, memory of a
 * fixed latency, early tests without tests, pixel outputs and transfers that take no time.
 * Traces and work by hand.
 */
#ifndef RIG_H
#define RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "chip/sgt_chip_front.h"
#include "kernel/sgt_random.h"
#include "trace/sgt_trace_builder.h"
#include "unit_rig.h"

#define RIG_TARGETS 4
#define RIG_SIZE 2048 /* pixels of a target */

struct rig;

struct rig_running {
   uint32_t warp;
   uint64_t end; /* ticks */
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

   /* Set before rig_run(). */
   struct sgt_chip_front_params params;
   uint32_t cycles;        /* of the SM clock that a warp takes */
   uint32_t random_cycles; /* plus at random fewer than these, from `seed` and the warp */
   uint64_t seed;
   uint32_t memory_cycles; /* latency */
   uint64_t shuffle;       /* 0: no */

   /* The machine. */
   struct unit_rig machine;
   struct sgt_trace *trace;
   struct sgt_chip_front front;
   struct rig_sm *sms;
   struct rig_output *outputs;
   struct sgt_unit early, transfer;
   struct unit_rig_memory memory;
   struct sgt_raster_block early_block; /* whose warps are released */
   uint32_t early_warp;                 /* the next of them */
   bool early_busy;

   /* What happened; times are ticks, UINT64_MAX: never. */
   uint64_t *started, *ended, *written; /* of each warp */
   uint32_t *sm_of;                     /* of each warp */
   uint64_t *rastered;                  /* of each item: its latest block left fine raster */
   uint64_t *transferred;               /* of each operation */
   uint32_t latest_item;
   uint64_t blocks, first_block, last_block;
   uint64_t cycles_run; /* core clock */
   struct sgt_stats stats;
};

void rig_begin(struct rig *r);
/* A program of the stage; returns its number. */
uint32_t rig_program(struct rig *r, enum sgpu_stage stage, uint32_t scalars, uint32_t inputs);
/* Begins a draw, a grid or a transfer. */
void rig_operation(struct rig *r, uint32_t group_bytes, uint32_t group_warps);
/* All further items of the operation read the target. */
void rig_reads(struct rig *r, uint32_t target);
/* Adds `num` warps to the operation; they fetch `num_lines` lines each. */
void rig_warps(struct rig *r, uint32_t program, uint32_t num, uint32_t group, uint32_t attributes,
               uint32_t num_lines);
/* A triangle over the pixels of a rectangle, at multiples of 8 and 4; returns its number. */
uint32_t rig_item(struct rig *r, uint32_t target, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                  bool zculled);
uint32_t rig_transfer(struct rig *r, enum sgt_item_kind kind, uint32_t target);
/* A pixel warp of the block of 8x4 pixels of an item. */
void rig_pixels(struct rig *r, uint32_t program, uint32_t item, uint32_t x, uint32_t y);

/* Runs until nothing is left, and checks what always holds. */
void rig_run(struct rig *r);
/* False: the work is refused, with `error`. */
bool rig_try(struct rig *r, char *error, size_t error_size);
/* The parts of rig_run() behind rig_try(): SMs and memory; the run.  Between them, the caller
 * connects early tests, pixel outputs and transfers of its own.
 */
void rig_connect_sms(struct rig *r);
void rig_go(struct rig *r);
uint64_t rig_stat(struct rig *r, const char *unit, const char *name);
void rig_end(struct rig *r);

#endif
