/* SPDX-License-Identifier: MIT */
/*
 * The precompiled header of the compiler.  Each file must still include all headers that it uses,
 * because the build for aarch64 has no precompiled headers.
 */
#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"
