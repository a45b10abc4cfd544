/* SPDX-License-Identifier: MIT */
/*
 * Device parameters: their defaults, the environment variables that set them, the number of CPUs,
 * and the instruction set of the host.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/core/sgd_params.h"
#include "sgpu_paths.h"
#include "util/macros.h"
#include "util/u_cpu_detect.h"

#define SGD_MAX_THREADS 256
#define SGD_DEFAULT_ENGINES 64
#define SGD_MAX_TIMEOUT 1000000 /* maximum of SGPU_TIMEOUT, in seconds */
/* Default for the maximum number of instructions per warp. These take a few seconds on the host. */
#define SGD_DEFAULT_WATCHDOG (UINT64_C(1) << 26)
/* Default for the maximum number of vertices per draw. These take a minute or two on the host. */
#define SGD_DEFAULT_WATCHDOG_VERTICES (UINT64_C(1) << 32)

/* Returns the number of CPUs that the process's control group may use, rounded up, or 0 if it has
 * no CPU quota. Reads cgroup v2 if it exists, and v1 otherwise.
 */
static unsigned
quota_cpus(void)
{
   long long quota = -1, period = -1;
   FILE *f = fopen("/sys/fs/cgroup/cpu.max", "re");
   if (f) {
      if (fscanf(f, "%lld %lld", &quota, &period) != 2)
         quota = -1;
      fclose(f);
   } else if ((f = fopen("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "re"))) {
      if (fscanf(f, "%lld", &quota) != 1)
         quota = -1;
      fclose(f);
      f = fopen("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "re");
      if (f) {
         if (fscanf(f, "%lld", &period) != 1)
            period = -1;
         fclose(f);
      }
   }
   return quota > 0 && period > 0 ? (quota + period - 1) / period : 0;
}

static unsigned
count_cpus(void)
{
   cpu_set_t set;
   unsigned cpus = 1;

   if (sched_getaffinity(0, sizeof(set), &set) == 0)
      cpus = CPU_COUNT(&set);
   const unsigned quota = quota_cpus();
   return quota ? MIN2(cpus, quota) : cpus;
}

void
sgd_params_complete(struct sgpu_device_params *params)
{
   if (!params->threads)
      params->threads = count_cpus();
   params->threads = MIN2(params->threads, SGD_MAX_THREADS);
   if (!params->engines)
      params->engines = SGD_DEFAULT_ENGINES;
   if (!params->watchdog_instructions)
      params->watchdog_instructions = SGD_DEFAULT_WATCHDOG;
   if (!params->watchdog_vertices)
      params->watchdog_vertices = SGD_DEFAULT_WATCHDOG_VERTICES;
}

/* Detects the processor before there are other threads. Mesa reads an option for it under a lock,
 * which stays locked in the child of a fork meanwhile.
 */
static __attribute__((constructor)) void
detect_host(void)
{
   /* The compiler drops a call whose result has no use. */
   static volatile int count;
   count = util_get_cpu_caps()->nr_cpus;
}

enum sgpu_host_level
sgd_host_level(enum sgpu_host_level wanted)
{
   enum sgpu_host_level has = SGPU_HOST_BASELINE;
#ifdef SGD_LEVEL_V3
   const struct util_cpu_caps_t *caps = util_get_cpu_caps();
   if (caps->has_avx2 && caps->has_f16c)
      has = SGPU_HOST_V3;
#endif
#ifdef SGD_LEVEL_V4
   if (has == SGPU_HOST_V3 && caps->has_avx512f && caps->has_avx512bw && caps->has_avx512dq &&
       caps->has_avx512vl && caps->has_avx512cd)
      has = SGPU_HOST_V4;
#endif
   return MIN2(wanted, has);
}

const struct sgd_arch_ops *
sgd_host_ops(enum sgpu_host_level level)
{
   switch (level) {
#ifdef SGD_LEVEL_V4
   case SGPU_HOST_V4:
      return &sgd_arch_ops_v4;
#endif
#ifdef SGD_LEVEL_V3
   case SGPU_HOST_V3:
      return &sgd_arch_ops_v3;
#endif
   default:
      return &sgd_arch_ops_v2;
   }
}

static bool
number(const char *name, const char *text, uint64_t max, uint64_t *out)
{
   char *end;
   const unsigned long long value = strtoull(text, &end, 0);
   if (!*text || *end || value > max) {
      fprintf(stderr, "sgpu: %s=%s: expected a number from 0 to %llu\n", name, text,
              (unsigned long long)max);
      return false;
   }
   *out = value;
   return true;
}

/* Disables the path with this name (enum sgpu_path). Returns false if there is no such path. */
static bool
turn_off(struct sgpu_device_params *params, const char *name)
{
   for (unsigned i = 0; i < SGPU_PATHS; i++) {
      if (!strcmp(name, sgpu_paths[i].name)) {
         params->no_paths |= 1u << i;
         return true;
      }
   }
   fprintf(stderr, "sgpu: SGPU_DEBUG=nopath=%s: expected one of", name);
   for (unsigned i = 0; i < SGPU_PATHS; i++)
      fprintf(stderr, " %s", sgpu_paths[i].name);
   fputc('\n', stderr);
   return false;
}

static bool
debug_option(struct sgpu_device_params *params, const char *option)
{
   if (!strcmp(option, "cmd")) {
      params->print_commands = true;
   } else if (!strcmp(option, "plan")) {
      params->print_plans = true;
   } else if (!strcmp(option, "jit")) {
      params->print_translations = true;
   } else if (!strcmp(option, "perfmap")) {
      params->perf_map = true;
   } else if (!strcmp(option, "poison")) {
      params->poison = true;
   } else if (!strncmp(option, "nopath=", 7)) {
      return turn_off(params, option + 7);
   } else if (!strcmp(option, "unordered")) {
      params->unordered = true;
   } else if (!strncmp(option, "shuffle=", 8)) {
      return number("SGPU_DEBUG=shuffle", option + 8, UINT64_MAX, &params->shuffle_seed);
   } else if (!strncmp(option, "trace=", 6)) {
      if (!option[6] || strlen(option + 6) >= sizeof(params->trace)) {
         fprintf(stderr, "sgpu: SGPU_DEBUG=%s: expected a file name of 1 to %zu bytes\n", option,
                 sizeof(params->trace) - 1);
         return false;
      }
      strcpy(params->trace, option + 6);
   } else if (!strncmp(option, "profile=", 8)) {
      if (!option[8] || strlen(option + 8) >= sizeof(params->profile)) {
         fprintf(stderr, "sgpu: SGPU_DEBUG=%s: expected a folder's name of 1 to %zu bytes\n",
                 option, sizeof(params->profile) - 1);
         return false;
      }
      strcpy(params->profile, option + 8);
   } else if (!strncmp(option, "host=", 5)) {
      if (!strcmp(option + 5, "v2"))
         params->host = SGPU_HOST_BASELINE;
      else if (!strcmp(option + 5, "v3"))
         params->host = SGPU_HOST_V3;
      else if (!strcmp(option + 5, "v4"))
         params->host = SGPU_HOST_V4;
      else {
         fprintf(stderr, "sgpu: SGPU_DEBUG=%s: expected v2, v3 or v4\n", option);
         return false;
      }
   }
   /* Ignore unknown options here, since the driver parses the same variable for its options. */
   return true;
}

static const char *const policies[SGPU_DISPATCH_POLICIES] = {
   [SGPU_DISPATCH_INORDER] = "inorder",
   [SGPU_DISPATCH_OOO] = "ooo",
   [SGPU_DISPATCH_OOO_SPLIT] = "ooo+split",
   [SGPU_DISPATCH_OOO_SPLIT_BREAK] = "ooo+split+break",
};

const char *
sgpu_dispatch_name(enum sgpu_dispatch_policy policy)
{
   return policies[policy];
}

bool
sgpu_dispatch_find(const char *name, enum sgpu_dispatch_policy *policy)
{
   for (unsigned i = 0; i < SGPU_DISPATCH_POLICIES; i++) {
      if (!strcmp(name, policies[i])) {
         *policy = i;
         return true;
      }
   }
   return false;
}

bool
sgpu_exec_find(const char *name, enum sgpu_exec *exec)
{
   static const char *const names[] = {
      [SGPU_EXEC_INTERP] = "interp",
      [SGPU_EXEC_JIT] = "jit",
      [SGPU_EXEC_AUTO] = "auto",
   };
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      if (!strcmp(name, names[i])) {
         *exec = i;
         return true;
      }
   }
   return false;
}

bool
sgpu_device_params_from_env(struct sgpu_device_params *params)
{
   bool ok = true;

   memset(params, 0, sizeof(*params));
   params->dispatch = SGPU_DISPATCH_OOO_SPLIT_BREAK;
   params->host = SGPU_HOST_BEST;
   params->exec = SGPU_EXEC_AUTO;

   const char *threads = secure_getenv("SGPU_THREADS");
   uint64_t value;
   if (threads) {
      if (number("SGPU_THREADS", threads, SGD_MAX_THREADS, &value))
         params->threads = value;
      else
         ok = false;
   }

   const char *dispatch = secure_getenv("SGPU_DISPATCH");
   if (dispatch && !sgpu_dispatch_find(dispatch, &params->dispatch)) {
      fprintf(stderr, "sgpu: SGPU_DISPATCH=%s: expected " SGPU_DISPATCH_NAMES "\n", dispatch);
      ok = false;
   }

   const char *exec = secure_getenv("SGPU_EXEC");
   if (exec && !sgpu_exec_find(exec, &params->exec)) {
      fprintf(stderr, "sgpu: SGPU_EXEC=%s: expected " SGPU_EXEC_NAMES "\n", exec);
      ok = false;
   }

   const char *timeout = secure_getenv("SGPU_TIMEOUT");
   if (timeout) {
      if (number("SGPU_TIMEOUT", timeout, SGD_MAX_TIMEOUT, &value))
         params->budget_ns = value ? value * 1000000000u : UINT64_MAX;
      else
         ok = false;
   }

   const char *debug = secure_getenv("SGPU_DEBUG");
   if (debug) {
      char *list = strdup(debug), *save = NULL;
      for (char *option = list ? strtok_r(list, ", ", &save) : NULL; option;
           option = strtok_r(NULL, ", ", &save))
         ok &= debug_option(params, option);
      free(list);
   }
   return ok;
}
