/* SPDX-License-Identifier: MIT */
/*
 * The device as the winsys calls it: the functions of sgpu_device.h, and calls
 * that inform a capture.  With SGPU_CAPTURE they go through the capture layer;
 * without it they test a variable that never changes and call the device.
 */
#ifndef SGPU_LAYER_H
#define SGPU_LAYER_H

#include <errno.h>

#include "device/sgpu_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Set by sgpu_layer_device_create. */
extern bool sgpu_layer_on;

int sgpu_layer_device_create(const struct sgpu_device_params *params, struct sgpu_device **out);
void sgpu_layer_device_destroy(struct sgpu_device *dev);

int sgpu_capture_bo_create(struct sgpu_device *dev, uint64_t size, const char *label,
                           struct sgpu_bo **out);
void sgpu_capture_bo_destroy(struct sgpu_bo *bo);
void sgpu_capture_bo_reuse(struct sgpu_bo *bo, const char *label, bool device_only,
                           uint64_t zeroed);
void sgpu_capture_bo_race(struct sgpu_bo *bo, uint64_t offset, uint64_t size, bool begin);
int sgpu_capture_queue_create(struct sgpu_device *dev, struct sgpu_queue **out);
void sgpu_capture_queue_destroy(struct sgpu_queue *queue);
int sgpu_capture_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit,
                              uint64_t *seqno);
int sgpu_capture_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns);
uint64_t sgpu_capture_queue_completed(struct sgpu_queue *queue);
int sgpu_capture_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns);
bool sgpu_capture_bo_busy(struct sgpu_bo *bo);

/* A picture that goes to the window system. */
struct sgpu_presentation {
   struct sgpu_bo *bo; /* idle, linear */
   uint64_t offset;    /* bytes to the first pixel */
   uint32_t pitch;     /* bytes per row */
   uint32_t x, y;      /* position of the part in the whole picture, pixels */
   uint32_t width, height;
   uint32_t pixel_bytes;
   uint32_t format; /* enum sgpu_format */
};
void sgpu_capture_present(const struct sgpu_presentation *p);

static inline int
sgpu_layer_bo_create(struct sgpu_device *dev, uint64_t size, const char *label,
                     struct sgpu_bo **out)
{
   return sgpu_layer_on ? sgpu_capture_bo_create(dev, size, label, out)
                        : sgpu_bo_create(dev, size, label, out);
}

/* -ENOTSUP with SGPU_CAPTURE: the layer would not see other writers of shared
 * memory.
 */
static inline int
sgpu_layer_bo_create_shared(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                            struct sgpu_bo **out)
{
   return sgpu_layer_on ? -ENOTSUP : sgpu_bo_create_shared(dev, memory, size, label, out);
}

static inline int
sgpu_layer_bo_create_user(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                          struct sgpu_bo **out)
{
   return sgpu_layer_on ? -ENOTSUP : sgpu_bo_create_user(dev, memory, size, label, out);
}

static inline void
sgpu_layer_bo_destroy(struct sgpu_bo *bo)
{
   if (sgpu_layer_on)
      sgpu_capture_bo_destroy(bo);
   else
      sgpu_bo_destroy(bo);
}

/* An idle buffer gets another use.  Called before the CPU writes it.  device_only:
 * the CPU sets the first `zeroed` bytes to zero now and does not access the memory
 * otherwise.
 */
static inline void
sgpu_layer_bo_reuse(struct sgpu_bo *bo, const char *label, bool device_only, uint64_t zeroed)
{
   if (sgpu_layer_on)
      sgpu_capture_bo_reuse(bo, label, device_only, zeroed);
}

/* Between the calls with `begin` and !begin the CPU may write these bytes without
 * waiting for submissions that write the same buffer.
 */
static inline void
sgpu_layer_bo_race(struct sgpu_bo *bo, uint64_t offset, uint64_t size, bool begin)
{
   if (sgpu_layer_on)
      sgpu_capture_bo_race(bo, offset, size, begin);
}

static inline int
sgpu_layer_queue_create(struct sgpu_device *dev, struct sgpu_queue **out)
{
   return sgpu_layer_on ? sgpu_capture_queue_create(dev, out) : sgpu_queue_create(dev, out);
}

static inline void
sgpu_layer_queue_destroy(struct sgpu_queue *queue)
{
   if (sgpu_layer_on)
      sgpu_capture_queue_destroy(queue);
   else
      sgpu_queue_destroy(queue);
}

static inline int
sgpu_layer_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit, uint64_t *seqno)
{
   return sgpu_layer_on ? sgpu_capture_queue_submit(queue, submit, seqno)
                        : sgpu_queue_submit(queue, submit, seqno);
}

static inline int
sgpu_layer_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns)
{
   return sgpu_layer_on ? sgpu_capture_queue_wait(queue, seqno, timeout_ns)
                        : sgpu_queue_wait(queue, seqno, timeout_ns);
}

static inline uint64_t
sgpu_layer_queue_completed(struct sgpu_queue *queue)
{
   return sgpu_layer_on ? sgpu_capture_queue_completed(queue) : sgpu_queue_completed(queue);
}

static inline int
sgpu_layer_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns)
{
   return sgpu_layer_on ? sgpu_capture_bo_wait(bo, timeout_ns) : sgpu_bo_wait(bo, timeout_ns);
}

static inline bool
sgpu_layer_bo_busy(struct sgpu_bo *bo)
{
   return sgpu_layer_on ? sgpu_capture_bo_busy(bo) : sgpu_bo_busy(bo);
}

/* Ends a frame. */
static inline void
sgpu_layer_present(const struct sgpu_presentation *p)
{
   if (sgpu_layer_on)
      sgpu_capture_present(p);
}

#ifdef __cplusplus
}
#endif
#endif
