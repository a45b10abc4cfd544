/* SPDX-License-Identifier: MIT */
/*
 * Multisampling: a framebuffer object with several samples of colour, depth and stencil that a blit
 * resolves; a texture whose samples a shader fetches, one for each quarter of a pixel's square; and
 * the window, with one or several samples.
 */
#include "gl_scenes.h"

static const char spin[] =
   "#version 150\n"
   "uniform float turn;\n"
   "uniform vec4 place;\n"
   "centroid out vec2 at;\n"
   "flat out vec3 colour;\n"
   "void main() {\n"
   "   float blade = float(gl_VertexID / 3), corner = float(gl_VertexID % 3);\n"
   "   float angle = blade * 0.6981317 + turn + (corner - 1.0) * 0.2;\n"
   "   float far = corner == 1.0 ? 0.05 : 1.0;\n"
   "   at = vec2(far, corner * 0.5);\n"
   "   colour = 0.5 + 0.5 * cos(vec3(0.0, 2.0, 4.0) + blade);\n"
   "   gl_Position = vec4(place.xy + place.zw * far * vec2(cos(angle), sin(angle)),\n"
   "                      0.3 * cos(angle * 3.0), 1.0);\n"
   "}\n";
static const char paint[] = "#version 150\n"
                            "centroid in vec2 at;\n"
                            "flat in vec3 colour;\n"
                            "out vec4 result;\n"
                            "void main() {\n"
                            "   result = vec4(colour * (0.4 + 0.6 * at.x), at.y);\n"
                            "}\n";
static const char square[] =
   "#version 150\n"
   "uniform vec4 place;\n"
   "out vec2 at;\n"
   "void main() {\n"
   "   at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
   "   gl_Position = vec4(place.xy + place.zw * (at * 2.0 - 1.0), 0.0, 1.0);\n"
   "}\n";
static const char fetch[] =
   "#version 150\n"
   "uniform sampler2DMS image;\n"
   "in vec2 at;\n"
   "out vec4 result;\n"
   "void main() {\n"
   "   vec2 texel = at * vec2(textureSize(image));\n"
   "   vec2 part = step(0.5, fract(texel));\n"
   "   result = texelFetch(image, ivec2(texel), int(part.x + 2.0 * part.y));\n"
   "}\n";

enum { SIDE = 64 };

static GLuint spinning, fetching, framebuffers[2], texture;
static int offscreen_samples;

static void
make(void)
{
   GLuint renderbuffers[2];

   spinning = scene_program(spin, NULL, paint, 0, NULL, 0);
   fetching = scene_program(square, NULL, fetch, 0, NULL, 0);
   glGenFramebuffers(2, framebuffers);

   glGenRenderbuffers(2, renderbuffers);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffers[0]);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, offscreen_samples, GL_RGBA8, SIDE, SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                             renderbuffers[0]);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffers[1]);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, offscreen_samples, GL_DEPTH24_STENCIL8, SIDE,
                                    SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                             renderbuffers[1]);

   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[1]);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
   glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, offscreen_samples, GL_RGBA16F, SIDE, SIDE,
                           GL_TRUE);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, texture,
                          0);
}

static void
make_four(void)
{
   offscreen_samples = 4;
   make();
}

static void
make_eight(void)
{
   offscreen_samples = 8;
   make();
}

/* Draws blades that turn around a position, in units of the viewport. */
static void
blades(float turn, float x, float y, float width, float height)
{
   glUseProgram(spinning);
   glUniform1f(glGetUniformLocation(spinning, "turn"), turn);
   glUniform4f(glGetUniformLocation(spinning, "place"), x, y, width, height);
   glDrawArrays(GL_TRIANGLES, 0, 27);
}

static void
draw(int frame)
{
   const float turn = 0.1f * frame;

   /* Draw blades that intersect.  The second ones are drawn only where the stencil buffer has no
    * blade yet.
    */
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glViewport(0, 0, SIDE, SIDE);
   glClearColor(0.1f, 0.1f, 0.3f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   blades(turn, 0.0f, 0.0f, 0.9f, 0.9f);
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_EQUAL, 0, 255);
   glStencilOp(GL_KEEP, GL_INCR, GL_INCR);
   blades(-turn, -0.4f, -0.3f, 0.8f, 0.6f);
   glDisable(GL_STENCIL_TEST);
   glDisable(GL_DEPTH_TEST);

   /* Draw with alpha to coverage and a mask without the second sample. */
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[1]);
   glClearColor(0.2f, 0.0f, 0.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
   glEnable(GL_SAMPLE_MASK);
   glSampleMaski(0, ~2u);
   blades(turn, 0.0f, 0.0f, 0.9f, 0.9f);
   glDisable(GL_SAMPLE_MASK);
   glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);

   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glViewport(0, 0, WIDTH, HEIGHT);
   glClearColor(0.0f, 0.2f, 0.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   blades(turn, 0.35f, 0.0f, 0.6f, 0.9f);

   glUseProgram(fetching);
   glUniform4f(glGetUniformLocation(fetching, "place"), -0.5f, -0.5f, 0.4f, 0.4f);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* The blit resolves to a window with one sample, and copies the samples to a window with as many
 * samples.
 */
static void
draw_all(int frame)
{
   draw(frame);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
   glBlitFramebuffer(0, 0, SIDE, SIDE, 10, 85, 10 + SIDE, 85 + SIDE, GL_COLOR_BUFFER_BIT,
                     GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

const struct scene scene_samples = { "samples", 0, make_four, draw_all };
const struct scene scene_window = { "window", 4, make_four, draw_all };
const struct scene scene_samples8 = { "samples8", 0, make_eight, draw_all };
