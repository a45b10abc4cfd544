/* SPDX-License-Identifier: MIT */
#ifndef FUZZ_RECORDS_H
#define FUZZ_RECORDS_H

#include <stddef.h>
#include <stdint.h>

/* Returns a capture of DEVICE, PACKETS and these records, allocated with malloc. Its checksums and
 * headers are valid, so that the code after these checks is reached.
 */
uint8_t *fuzz_wrap_records(const uint8_t *data, size_t size, size_t *out_size);

#endif
