/* SPDX-License-Identifier: MIT */
/*
 * Tests timer queries, timestamps and counters of the simulated chip (SGPU_TIMING).  Checks
 * conditions that they must meet, and prints all values, which must be the same in every run.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 128
#define FRAMES 4
#define MAX_GROUPS 4

static GLuint program;

static void
setup(void)
{
   static const GLfloat corners[] = { -1, -1, 3, -1, -1, 3 };
   GLuint buffer;

   program = test_program("attribute vec2 place;\n"
                          "void main() { gl_Position = vec4(place, 0.0, 1.0); }\n",
                          "uniform vec4 color;\n"
                          "void main() { gl_FragColor = color * fract(gl_FragCoord.x * 0.1); }\n");
   glUseProgram(program);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
   glVertexAttribPointer(glGetAttribLocation(program, "place"), 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(glGetAttribLocation(program, "place"));
   glViewport(0, 0, SIZE, SIZE);
}

static void
draw(int times)
{
   for (int i = 0; i < times; i++) {
      glUniform4f(glGetUniformLocation(program, "color"), i * 0.1f, 0.5f, 0.25f, 1);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
}

static GLint64
simulated_now(void)
{
   GLint64 now;

   glGetInteger64v(GL_TIMESTAMP, &now);
   return now;
}

static GLuint64
result_of(GLuint query)
{
   GLuint64 value;

   glGetQueryObjectui64v(query, GL_QUERY_RESULT, &value);
   return value;
}

/* Tests queries that are read several frames later, as programs do, and that times add up. */
static void
test_queries(void)
{
   GLuint elapsed[FRAMES], stamps[FRAMES][2];

   glGenQueries(FRAMES, elapsed);
   glGenQueries(2 * FRAMES, &stamps[0][0]);
   const GLint64 begin = simulated_now();
   for (int i = 0; i < FRAMES; i++) {
      glClear(GL_COLOR_BUFFER_BIT);
      glQueryCounter(stamps[i][0], GL_TIMESTAMP);
      glBeginQuery(GL_TIME_ELAPSED, elapsed[i]);
      draw(i < 2 ? 4 : 12);
      glEndQuery(GL_TIME_ELAPSED);
      glQueryCounter(stamps[i][1], GL_TIMESTAMP);
      glFinish();
   }
   GLuint64 latest = begin;
   GLuint64 time[FRAMES];
   for (int i = 0; i < FRAMES; i++) {
      GLint available = 0;
      glGetQueryObjectiv(elapsed[i], GL_QUERY_RESULT_AVAILABLE, &available);
      CHECK(available, "frame %d: a poll waits", i);
      time[i] = result_of(elapsed[i]);
      const GLuint64 from = result_of(stamps[i][0]), to = result_of(stamps[i][1]);
      printf("frame %d: elapsed %llu from %llu to %llu\n", i, (unsigned long long)time[i],
             (unsigned long long)from, (unsigned long long)to);
      CHECK(from >= latest && to > from, "frame %d: %llu to %llu after %llu", i,
            (unsigned long long)from, (unsigned long long)to, (unsigned long long)latest);
      /* The timestamps between are operations, too, and take some time. */
      CHECK(time[i] <= to - from && time[i] + 20 >= to - from, "frame %d: %llu", i,
            (unsigned long long)time[i]);
      latest = to;
   }
   const GLint64 end = simulated_now();
   printf("time %lld to %lld\n", (long long)begin, (long long)end);
   CHECK((GLuint64)end >= latest, "%lld", (long long)end);
   CHECK(end == simulated_now(), "time passes without work");
   /* With constants at other addresses, the same work takes slightly more or less time. */
   CHECK(time[1] * 10 > time[0] * 9 && time[0] * 10 > time[1] * 9, "4 draws %llu, then %llu",
         (unsigned long long)time[0], (unsigned long long)time[1]);
   CHECK(time[2] > 2 * time[0], "12 draws %llu, 4 draws %llu", (unsigned long long)time[2],
         (unsigned long long)time[0]);
}

/* Tests that a result that is stored to a buffer equals the result that the program reads. */
static void
test_result_buffer(void)
{
   GLuint query, buffer;
   GLuint64 stored = 0;

   glGenQueries(1, &query);
   glBeginQuery(GL_TIME_ELAPSED, query);
   draw(3);
   glEndQuery(GL_TIME_ELAPSED);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, sizeof stored, NULL, GL_STREAM_READ);
   glGetQueryObjectui64v(query, GL_QUERY_RESULT, NULL);
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof stored, &stored);
   glBindBuffer(GL_QUERY_BUFFER, 0);
   const GLuint64 read = result_of(query);
   CHECK(stored && stored == read, "%llu in the buffer, %llu read", (unsigned long long)stored,
         (unsigned long long)read);
   printf("buffer: %llu\n", (unsigned long long)stored);
   /* Also end a query that is never read. */
   glBeginQuery(GL_TIME_ELAPSED, query);
   draw(1);
   glEndQuery(GL_TIME_ELAPSED);
   glDeleteQueries(1, &query);
}

/* Finds the group of the chip's counters.  Returns false if there is none. */
static bool
find_group(GLuint *group)
{
   GLuint groups[MAX_GROUPS];
   GLint num_groups = 0, at = -1;
   char name[64];

   glGetPerfMonitorGroupsAMD(&num_groups, MAX_GROUPS, groups);
   for (int i = 0; i < num_groups; i++) {
      glGetPerfMonitorGroupStringAMD(groups[i], sizeof name, NULL, name);
      at = strcmp(name, "timing") ? at : i;
   }
   *group = at < 0 ? 0 : groups[at];
   return at >= 0;
}

/* Tests a monitor that counts all counters of the group.  Only draws between begin and end are
 * counted.
 */
static void
test_counters(GLuint group)
{
   GLuint monitor, counters[64];
   GLint num = 0, size = 0, written = 0;
   char name[64];

   glGetPerfMonitorCountersAMD(group, &num, NULL, 64, counters);
   glGenPerfMonitorsAMD(1, &monitor);
   glSelectPerfMonitorCountersAMD(monitor, GL_TRUE, group, num, counters);
   draw(5); /* not counted */
   glBeginPerfMonitorAMD(monitor);
   draw(2);
   glEndPerfMonitorAMD(monitor);
   draw(7);
   glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_SIZE_AMD, sizeof size, (GLuint *)&size,
                                  NULL);
   uint8_t *data = malloc(size), *from = data;
   glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AMD, size, (GLuint *)data, &written);
   CHECK(written == size, "%d bytes of %d", written, size);
   while (from < data + written) {
      GLuint id[2];
      GLenum type;
      double value;
      memcpy(id, from, sizeof id);
      from += sizeof id;
      glGetPerfMonitorCounterStringAMD(id[0], id[1], sizeof name, NULL, name);
      glGetPerfMonitorCounterInfoAMD(id[0], id[1], GL_COUNTER_TYPE_AMD, &type);
      if (type == GL_UNSIGNED_INT64_AMD) {
         uint64_t v;
         memcpy(&v, from, sizeof v);
         from += sizeof v;
         value = v;
      } else {
         float v;
         memcpy(&v, from, sizeof v);
         from += sizeof v;
         value = v;
      }
      printf("%s %.0f\n", name, value);
      if (!strcmp(name, "sgpu-front-draws"))
         CHECK(value == 2, "%.0f draws", value);
      if (!strcmp(name, "sgpu-distribution-pixels-kept"))
         CHECK(value == 2 * SIZE * SIZE, "%.0f pixels", value);
      if (!strcmp(name, "sgpu-cycles"))
         CHECK(value > 0, "no cycles");
      if (!strcmp(name, "sgpu-sm-busy"))
         CHECK(value > 0 && value <= 100, "%.0f percent", value);
   }
   free(data);
   glDeletePerfMonitorsAMD(1, &monitor);
}

int
main(int argc, char **argv)
{
   GLuint group;

   REQUIRE(test_pbuffer(SIZE, SIZE));
   const bool timed = find_group(&group);
   CHECK(timed == (argc == 1), "the counters of the chip are there: %d", timed);
   setup();
   if (timed) {
      test_queries();
      test_result_buffer();
      test_counters(group);
   } else {
      draw(1);
      glFinish();
   }
   return test_end();
}
