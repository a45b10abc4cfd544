/* SPDX-License-Identifier: MIT */
/*
 * Precompiled header of the compiler. Files must still include all headers that they use, because
 * the aarch64 build has no precompiled headers.
 */
#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"
