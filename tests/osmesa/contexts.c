/* SPDX-License-Identifier: MIT */
/*
 * Several contexts in one thread and in several threads, with shared objects, and contexts that
 * are destroyed while they are current, also in other threads.
 */
#include <pthread.h>
#include <semaphore.h>

#include "osmesa_test.h"

#define SIZE 32
#define THREADS 6
#define ROUNDS 40

static uint32_t memory[THREADS][SIZE * SIZE];

/* The picture of one context does not appear in another's memory. */
static void
test_switches(void)
{
   OSMesaContext one = test_context(memory[0], SIZE, SIZE);

   test_clear(255, 0, 0);
   OSMesaContext two = test_context(memory[1], SIZE, SIZE);
   test_clear(0, 255, 0);
   CHECK(memory[0][0] == test_rgb(255, 0, 0) && memory[1][0] == test_rgb(0, 255, 0), "0x%x 0x%x",
         memory[0][0], memory[1][0]);

   /* The switch writes what was drawn. */
   glClearColor(0, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   test_bind(one, memory[0], GL_UNSIGNED_BYTE, SIZE, SIZE);
   CHECK(memory[1][0] == test_rgb(0, 0, 255), "0x%x", memory[1][0]);
   glBegin(GL_POINTS);
   glVertex2f(3, 3);
   glEnd();
   glFinish();
   CHECK(memory[0][0] == test_rgb(255, 0, 0), "0x%x", memory[0][0]);

   /* The destruction of another context leaves this one and its memory. */
   glClearColor(1, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   OSMesaDestroyContext(two);
   CHECK(OSMesaGetCurrentContext() == one && memory[0][0] == test_rgb(255, 0, 0), "0x%x",
         memory[0][0]);
   glFinish();
   CHECK(memory[0][0] == test_rgb(255, 255, 0), "0x%x", memory[0][0]);
   OSMesaDestroyContext(one);
}

/* Objects of one context in another, which outlives the first one. */
static void
test_sharing(void)
{
   OSMesaContext one = test_context(memory[0], SIZE, SIZE);
   OSMesaContext two = OSMesaCreateContext(OSMESA_BGRA, one);
   const uint8_t texel[] = { 10, 20, 30, 255 };
   GLuint texture;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glNewList(7, GL_COMPILE);
   glRectf(-1, -1, 1, 1);
   glEndList();
   glFinish();
   OSMesaDestroyContext(one);
   test_bind(two, memory[1], GL_UNSIGNED_BYTE, SIZE, SIZE);
   CHECK(glIsTexture(texture) && glIsList(7), "not shared");
   glEnable(GL_TEXTURE_2D);
   glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
   glBindTexture(GL_TEXTURE_2D, texture);
   glCallList(7);
   glFinish();
   CHECK(memory[1][5] == test_rgb(30, 20, 10), "0x%x", memory[1][5]);
   OSMesaDestroyContext(two);
}

static OSMesaContext shared;
static GLuint shared_buffer;

/* Creates contexts that share the buffer, draws, and destroys them. */
static void *
run_thread(void *data)
{
   const unsigned number = *(const unsigned *)data;
   uint32_t *pixels = memory[number];

   for (unsigned i = 0; i < ROUNDS; i++) {
      OSMesaContext context = OSMesaCreateContext(OSMESA_RGBA, i % 2 ? shared : NULL);
      const unsigned size = 1 + (i * 7 + number) % SIZE;
      uint32_t value = 0;

      CHECK(!i || !OSMesaGetCurrentContext(), "the context of another thread");
      test_bind(context, pixels, GL_UNSIGNED_BYTE, size, size);
      if (i % 2) {
         glBindBuffer(GL_ARRAY_BUFFER, shared_buffer);
         glGetBufferSubData(GL_ARRAY_BUFFER, 0, 4, &value);
         CHECK(value == 0x1234567, "0x%x", value);
      }
      test_clear(number, i, 7);
      CHECK(pixels[0] == test_rgb(number, i, 7) && pixels[size * size - 1] == pixels[0],
            "thread %u, round %u: 0x%x", number, i, pixels[0]);
      if (i % 3 == 0)
         OSMesaMakeCurrent(NULL, NULL, 0, 0, 0);
      CHECK(OSMesaGetCurrentContext() == (i % 3 ? context : NULL), "thread %u", number);
      OSMesaDestroyContext(context);
   }
   return NULL;
}

static void
test_threads(void)
{
   const uint32_t value = 0x1234567;
   unsigned numbers[THREADS];
   pthread_t threads[THREADS];
   uint32_t pixel;

   shared = test_context(&pixel, 1, 1);
   glGenBuffers(1, &shared_buffer);
   glBindBuffer(GL_ARRAY_BUFFER, shared_buffer);
   glBufferData(GL_ARRAY_BUFFER, 4, &value, GL_STATIC_DRAW);
   glFinish();
   for (unsigned i = 0; i < THREADS; i++) {
      numbers[i] = i;
      REQUIRE(!pthread_create(&threads[i], NULL, run_thread, &numbers[i]));
   }
   for (unsigned i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
   CHECK(OSMesaGetCurrentContext() == shared, "another context");
   OSMesaDestroyContext(shared);
}

static OSMesaContext moving;
static sem_t bound, destroyed;

/* Leaves the context current when it ends, after the main thread has destroyed it. */
static void *
keep_current(void *data)
{
   test_bind(moving, memory[0], GL_UNSIGNED_BYTE, SIZE, SIZE);
   test_clear(1, 2, 3);
   sem_post(&bound);
   sem_wait(&destroyed);
   test_clear(4, 5, 6);
   CHECK(memory[0][0] == test_rgb(4, 5, 6), "0x%x", memory[0][0]);
   if (data)
      OSMesaMakeCurrent(NULL, NULL, 0, 0, 0);
   return NULL;
}

/* A context that ends with its thread, or that is current in another one. */
static void
test_other_thread(void)
{
   for (int release = 0; release < 2; release++) {
      pthread_t thread;
      GLint width, height, bytes;
      void *buffer;

      moving = OSMesaCreateContext(OSMESA_RGBA, NULL);
      REQUIRE(!pthread_create(&thread, NULL, keep_current, release ? memory : NULL));
      sem_wait(&bound);
      CHECK(!OSMesaGetDepthBuffer(moving, &width, &height, &bytes, &buffer), "of another thread");
      OSMesaDestroyContext(moving);
      sem_post(&destroyed);
      pthread_join(thread, NULL);
   }

   /* A context whose thread has ended can be used by another one. */
   pthread_t thread;
   moving = OSMesaCreateContext(OSMESA_RGBA, NULL);
   sem_post(&destroyed);
   REQUIRE(!pthread_create(&thread, NULL, keep_current, NULL));
   pthread_join(thread, NULL);
   test_bind(moving, memory[1], GL_UNSIGNED_BYTE, SIZE, SIZE);
   test_clear(7, 8, 9);
   CHECK(memory[1][0] == test_rgb(7, 8, 9), "0x%x", memory[1][0]);
   OSMesaDestroyContext(moving);
}

int
main(void)
{
   sem_init(&bound, 0, 0);
   sem_init(&destroyed, 0, 0);
   test_switches();
   test_sharing();
   test_threads();
   test_other_thread();
   return fails != 0;
}
