/* SPDX-License-Identifier: MIT */
/* The table of processes that have reported something. */
#include "require.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
allocate(size_t size)
{
   void *p = calloc(1, size);
   if (!p) {
      fprintf(stderr, "sgpu-require: out of memory\n");
      exit(STATUS_NOTHING);
   }
   return p;
}

struct process *
table_process(struct table *table, uint64_t key, pid_t pid, const char *name)
{
   struct process **bucket = &table->buckets[(uint32_t)pid % 1024];

   for (struct process *p = *bucket; p; p = p->next) {
      if (p->key == key)
         return p;
   }
   struct process *process = allocate(sizeof *process);
   process->key = key;
   process->pid = pid;
   snprintf(process->name, sizeof process->name, "%s", name);
   process->next = *bucket;
   *bucket = process;
   return process;
}

struct process *
table_pid(struct table *table, pid_t pid)
{
   for (struct process *p = table->buckets[(uint32_t)pid % 1024]; p; p = p->next) {
      if (p->pid == pid)
         return p;
   }
   return NULL;
}

void
process_add_library(struct process *process, const char *path)
{
   for (const struct library *l = process->libraries; l; l = l->next) {
      if (!strcmp(l->path, path))
         return;
   }
   const enum library_kind kind = library_kind(path);
   if (kind == LIBRARY_NONE)
      return;
   struct library *library = allocate(sizeof *library + strlen(path) + 1);
   library->kind = kind;
   strcpy(library->path, path);
   library->next = process->libraries;
   process->libraries = library;
   process->kinds |= kind;
}

static void
add_report(struct table *table, struct sgpu_report_slot *slot)
{
   /* Any process may write to the file. */
   slot->name[sizeof slot->name - 1] = slot->text[sizeof slot->text - 1] = 0;
   struct process *process = table_process(table, slot->key, slot->pid, slot->name);

   switch (slot->kind) {
   case SGPU_REPORT_SCREEN:
      process->screen = true;
      break;
   case SGPU_REPORT_DRAW:
      process->drew = true;
      break;
   case SGPU_REPORT_LIBRARY:
      process_add_library(process, slot->text);
      break;
   }
}

/* Passes a report on to the sgpu-require that this one runs below. */
static void
pass_on(struct sgpu_report_file *outer, const struct sgpu_report_slot *slot)
{
   struct sgpu_report_slot *to = sgpu_report_take(outer);

   if (!to)
      return;
   to->kind = slot->kind;
   to->key = slot->key;
   to->pid = slot->pid;
   memcpy(to->name, slot->name, sizeof to->name);
   memcpy(to->text, slot->text, sizeof to->text);
   __atomic_store_n(&to->state, SGPU_REPORT_READY, __ATOMIC_RELEASE);
}

void
table_drain(struct table *table, struct sgpu_report_file *file, struct sgpu_report_file *outer)
{
   for (unsigned i = 0; i < SGPU_REPORT_SLOTS; i++) {
      struct sgpu_report_slot *slot = &file->slots[i];

      if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) != SGPU_REPORT_READY)
         continue;
      add_report(table, slot);
      if (outer)
         pass_on(outer, slot);
      __atomic_store_n(&slot->state, SGPU_REPORT_FREE, __ATOMIC_RELEASE);
   }
   table->lost = __atomic_load_n(&file->lost, __ATOMIC_RELAXED);
}
