/* SPDX-License-Identifier: MIT */
/* Looks at the processes below this one, for those that the audit library cannot see: programs that
 * have cleared their environment, setuid programs, and C libraries without LD_AUDIT.  Their memory
 * maps name their libraries.
 */
#include "require.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_PROCESSES 4096

struct found {
   pid_t pid;
   char name[SGPU_REPORT_NAME];
   uint64_t start; /* changes when another process gets the ID, and with an exec */
};

/* Reads /proc/PID/stat.  Returns the parent's ID, or -1. */
static pid_t
read_stat(struct found *found)
{
   char path[64], text[1024];

   snprintf(path, sizeof path, "/proc/%d/stat", (int)found->pid);
   FILE *file = fopen(path, "re");
   if (!file)
      return -1;
   const size_t length = fread(text, 1, sizeof text - 1, file);
   fclose(file);
   text[length] = 0;

   /* The name is in parentheses and may contain any character. */
   char *open = strchr(text, '('), *close = strrchr(text, ')');
   if (!open || !close || close < open || !close[1])
      return -1;
   snprintf(found->name, sizeof found->name, "%.*s", (int)(close - open - 1), open + 1);
   pid_t parent = -1;
   char state = 0;
   unsigned field = 3;
   found->start = 0;
   for (char *word = strtok(close + 1, " "); word; word = strtok(NULL, " "), field++) {
      if (field == 3)
         state = *word;
      if (field == 4)
         parent = atoi(word);
      if (field == 22 || field == 28) /* start time, start of the stack */
         found->start = found->start * 0x9e3779b97f4a7c15ull + strtoull(word, NULL, 10);
   }
   return state == 'Z' || state == 'X' ? -1 : parent;
}

/* Adds the children of a process by the lists of its threads.  Returns false if the kernel has no
 * such lists.
 */
static bool
add_children(pid_t pid, struct found *list, unsigned *count)
{
   char path[300];
   bool ok = false;

   snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
   DIR *threads = opendir(path);
   if (!threads)
      return pid != getpid();
   for (struct dirent *entry; (entry = readdir(threads));) {
      if (!isdigit((unsigned char)entry->d_name[0]))
         continue;
      snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, entry->d_name);
      FILE *file = fopen(path, "re");
      if (!file)
         continue;
      ok = true;
      for (int child; *count < MAX_PROCESSES && fscanf(file, "%d", &child) == 1;) {
         list[*count].pid = child;
         if (read_stat(&list[*count]) >= 0)
            (*count)++;
      }
      fclose(file);
   }
   closedir(threads);
   return ok || pid != getpid();
}

/* The same by the parents of all processes. */
static void
add_by_parents(struct found *list, unsigned *count)
{
   static struct found all[MAX_PROCESSES];
   static pid_t parents[MAX_PROCESSES];
   unsigned number = 0;
   DIR *processes = opendir("/proc");

   if (!processes)
      return;
   for (struct dirent *entry; number < MAX_PROCESSES && (entry = readdir(processes));) {
      if (!isdigit((unsigned char)entry->d_name[0]))
         continue;
      all[number].pid = atoi(entry->d_name);
      parents[number] = read_stat(&all[number]);
      number += parents[number] >= 0;
   }
   closedir(processes);
   for (unsigned i = 0; i < number; i++) {
      if (parents[i] == getpid())
         list[(*count)++] = all[i];
   }
   for (unsigned done = 0; done < *count; done++) {
      for (unsigned i = 0; i < number && *count < MAX_PROCESSES; i++) {
         if (parents[i] == list[done].pid)
            list[(*count)++] = all[i];
      }
   }
}

static unsigned
find_processes(struct found *list)
{
   unsigned count = 0;

   if (add_children(getpid(), list, &count)) {
      for (unsigned done = 0; done < count; done++)
         add_children(list[done].pid, list, &count);
   } else {
      add_by_parents(list, &count);
   }
   return count;
}

/* Reads the memory map of a process, whose lines name the libraries.  The caller must free the text.
 */
static char *
read_map(pid_t pid)
{
   char path[64], *text = NULL;
   size_t size = 0;

   snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
   FILE *file = fopen(path, "re");
   if (!file)
      return NULL;
   if (getdelim(&text, &size, 0, file) < 0) {
      free(text);
      text = NULL;
   }
   fclose(file);
   return text;
}

/* Adds the libraries of the memory map, unless the audit library is among them.  Returns true if it
 * is.
 */
static bool
look_at(struct table *table, const struct found *found, const char *audit)
{
   char *map = read_map(found->pid);
   struct process *process = NULL;

   if (!map || strstr(map, audit)) {
      free(map);
      return map != NULL;
   }
   for (char *line = strtok(map, "\n"); line; line = strtok(NULL, "\n")) {
      const char *name = strchr(line, '/');

      if (!name || library_kind(name) == LIBRARY_NONE)
         continue;
      if (!process)
         process = table_pid(table, found->pid);
      if (!process)
         process = table_process(table, found->start << 32 | (uint32_t)found->pid, found->pid,
                                 found->name);
      process->unaudited = true;
      process_add_library(process, name);
   }
   free(map);
   return false;
}

void
walk(struct table *table, const char *audit)
{
   static struct found list[MAX_PROCESSES];
   /* Processes that are known to be audited, by ID. */
   static struct found audited[1024];
   const unsigned count = find_processes(list);

   for (unsigned i = 0; i < count; i++) {
      struct found *known = &audited[(unsigned)list[i].pid % 1024];

      if (known->pid == list[i].pid && known->start == list[i].start)
         continue;
      if (look_at(table, &list[i], audit))
         *known = list[i];
   }
}

unsigned
walk_count(char *names, size_t size)
{
   static struct found list[MAX_PROCESSES];
   const unsigned count = find_processes(list);
   size_t length = 0;

   *names = 0;
   for (unsigned i = 0; i < count && i < 4 && length < size; i++)
      length += snprintf(names + length, size - length, "%s%s (%d)", i ? ", " : "", list[i].name,
                         (int)list[i].pid);
   return count;
}
