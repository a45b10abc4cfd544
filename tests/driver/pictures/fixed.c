/* SPDX-License-Identifier: MIT */
/*
 * Scenes of fixed function.  Coordinates are small rational numbers, so that the scenes need no
 * function of the host's libm.
 */
#include "picture.h"

/* Draws a surface z = f(x, y) over [-1, 1]^2, with normals of length 1 only after GL_NORMALIZE. */
static void
hills(void)
{
   const int n = 12;

   for (int j = 0; j < n; j++) {
      glBegin(GL_TRIANGLE_STRIP);
      for (int i = 0; i <= n; i++) {
         for (int k = 0; k < 2; k++) {
            const float x = (float)i / n * 2 - 1, y = (float)(j + k) / n * 2 - 1;
            glNormal3f(3 * x * x - 1, 2 * y, 2);
            glTexCoord2f(x * 2, y * 2);
            glColor4f(x * 0.5f + 0.5f, y * 0.5f + 0.5f, 0.3f, 0.75f);
            glVertex3f(x, y, (x - x * x * x - y * y) * 0.5f);
         }
      }
      glEnd();
   }
}

static void
view(float angle)
{
   glMatrixMode(GL_PROJECTION);
   glLoadIdentity();
   glFrustum(-0.6, 0.6, -0.4, 0.4, 1, 8);
   glMatrixMode(GL_MODELVIEW);
   glLoadIdentity();
   glTranslatef(0, 0.1f, -2.5f);
   glRotatef(-50, 1, 0, 0);
   glRotatef(angle, 0.3f, 0.2f, 1);
   glScalef(1.1f, 0.9f, 1.3f);
}

static void
light(void)
{
   static const float position[] = { 1, 2, 3, 1 }, direction[] = { -1, -2, -3 },
                      ambient[] = { 0.1f, 0.2f, 0.3f, 1 }, specular[] = { 1, 0.9f, 0.8f, 1 };

   picture_target(GL_RGBA8, GL_DEPTH24_STENCIL8, 0);
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_NORMALIZE);
   glEnable(GL_LIGHTING);
   glEnable(GL_COLOR_MATERIAL);
   glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
   glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);
   glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, specular);
   glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 11.5f);
   for (int spot = 0; spot < 2; spot++) {
      glEnable(GL_LIGHT0 + spot);
      glLightfv(GL_LIGHT0 + spot, GL_AMBIENT, ambient);
      glLightfv(GL_LIGHT0 + spot, GL_SPECULAR, specular);
      glLightf(GL_LIGHT0 + spot, GL_LINEAR_ATTENUATION, 0.2f);
      view(30 + 100 * spot);
      glLightfv(GL_LIGHT0 + spot, GL_POSITION, position);
      glLightfv(GL_LIGHT0 + spot, GL_SPOT_DIRECTION, direction);
      glLightf(GL_LIGHT0 + spot, GL_SPOT_CUTOFF, spot ? 20 : 180);
      glLightf(GL_LIGHT0 + spot, GL_SPOT_EXPONENT, 3);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      view(77.7f);
      hills();
      picture_add_pixels(GL_UNSIGNED_BYTE, 1);
   }
}

static void
fog(void)
{
   static const GLenum modes[] = { GL_LINEAR, GL_EXP, GL_EXP2 };
   static const float color[] = { 0.6f, 0.7f, 0.8f, 1 };

   picture_target(GL_RGBA16F, GL_DEPTH_COMPONENT32F, 0);
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_FOG);
   glFogfv(GL_FOG_COLOR, color);
   glFogf(GL_FOG_START, 1.5f);
   glFogf(GL_FOG_END, 3.5f);
   glFogf(GL_FOG_DENSITY, 0.37f);
   for (int i = 0; i < 3; i++) {
      glFogi(GL_FOG_MODE, modes[i]);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      view(123.4f + i);
      hills();
      picture_add_pixels(GL_HALF_FLOAT, 2);
   }
}

static void
texgen(void)
{
   static const float plane[5] = { 0.7f, -0.3f, 0.2f, 0.1f, 0.4f };
   uint8_t texels[16][16][4];
   GLuint texture;

   for (int y = 0; y < 16; y++)
      for (int x = 0; x < 16; x++)
         for (int c = 0; c < 4; c++)
            texels[y][x][c] = picture_noise(x + 16 * c, y);
   picture_target(GL_RGBA8, GL_DEPTH_COMPONENT16, 0);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glEnable(GL_TEXTURE_2D);
   glEnable(GL_DEPTH_TEST);
   for (int i = 0; i < 3; i++) {
      static const GLenum modes[] = { GL_SPHERE_MAP, GL_EYE_LINEAR, GL_OBJECT_LINEAR };
      view(i * 111.1f);
      glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, modes[i]);
      glTexGeni(GL_T, GL_TEXTURE_GEN_MODE, modes[i]);
      if (i) {
         glTexGenfv(GL_S, i == 1 ? GL_EYE_PLANE : GL_OBJECT_PLANE, plane);
         glTexGenfv(GL_T, i == 1 ? GL_EYE_PLANE : GL_OBJECT_PLANE, plane + 1);
      }
      glEnable(GL_TEXTURE_GEN_S);
      glEnable(GL_TEXTURE_GEN_T);
      glMatrixMode(GL_TEXTURE);
      glLoadIdentity();
      glRotatef(20, 0, 0, 1);
      glScalef(2, 3, 1);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      hills();
      picture_add_pixels(GL_UNSIGNED_BYTE, 1);
   }
}

/* Evaluators, clip planes and display lists, which Mesa computes on the CPU. */
static void
evaluators(void)
{
   static const double plane[] = { 0.3, 0.8, -0.2, 0.35 };
   float points[4][4][3];

   for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
         points[i][j][0] = i / 1.5f - 1;
         points[i][j][1] = j / 1.5f - 1;
         points[i][j][2] = picture_noise(i, j) / 200.0f - 0.7f;
      }
   picture_target(GL_RGBA8, GL_DEPTH24_STENCIL8, 0);
   view(15.5f);
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_LIGHTING);
   glEnable(GL_LIGHT0);
   glEnable(GL_AUTO_NORMAL);
   glEnable(GL_NORMALIZE);
   glEnable(GL_CLIP_PLANE0);
   glClipPlane(GL_CLIP_PLANE0, plane);
   glMap2f(GL_MAP2_VERTEX_3, 0, 1, 12, 4, 0, 1, 3, 4, points[0][0]);
   glEnable(GL_MAP2_VERTEX_3);
   glMapGrid2f(9, 0, 1, 7, 0, 1);
   const GLuint list = glGenLists(1);
   glNewList(list, GL_COMPILE);
   glEvalMesh2(GL_FILL, 0, 9, 0, 7);
   glRotatef(33.3f, 0, 0, 1);
   glEvalMesh2(GL_LINE, 0, 9, 0, 7);
   glEndList();
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glCallList(list);
   glCallList(list);
   picture_add_pixels(GL_UNSIGNED_BYTE, 1);
}

static void
smooth(void)
{
   static const float attenuation[] = { 0.1f, 0.2f, 0.05f };
   static const GLenum modes[] = { GL_LINE, GL_POINT, GL_FILL };

   picture_target(GL_RGBA8, 0, 0);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   glEnable(GL_LINE_SMOOTH);
   glEnable(GL_POINT_SMOOTH);
   glEnable(GL_POLYGON_SMOOTH);
   glEnable(GL_LINE_STIPPLE);
   glLineStipple(2, 0x3a5f);
   glLineWidth(2.5f);
   glPointSize(5.25f);
   glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, attenuation);
   for (int i = 0; i < 3; i++) {
      view(200.2f + 10 * i);
      glPolygonMode(GL_FRONT_AND_BACK, modes[i]);
      glClear(GL_COLOR_BUFFER_BIT);
      hills();
      picture_add_pixels(GL_UNSIGNED_BYTE, 1);
   }
}

static void
depths(void)
{
   static const GLenum formats[] = { GL_DEPTH_COMPONENT16, GL_DEPTH24_STENCIL8,
                                     GL_DEPTH_COMPONENT32F };
   static float depth[HEIGHT * WIDTH];
   static uint32_t bits[HEIGHT * WIDTH];

   for (int i = 0; i < 3; i++) {
      picture_target(GL_RGBA8, formats[i], 0);
      glEnable(GL_DEPTH_TEST);
      glEnable(GL_POLYGON_OFFSET_FILL);
      glPolygonOffset(1.25f, 3);
      glDepthRange(0.1, 0.8);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      view(45.6f);
      hills();
      glReadPixels(0, 0, WIDTH, HEIGHT, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
      picture_add(depth, sizeof depth);
      glReadPixels(0, 0, WIDTH, HEIGHT, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, bits);
      picture_add(bits, sizeof bits);
   }
}

/* Programs of GL_ARB_vertex_program and GL_ARB_fragment_program. */
static void
assembly(void)
{
   static const char vertex[] = "!!ARBvp1.0\n"
                                "TEMP t; PARAM half = { 0.5, 0.25, 2, 7 };\n"
                                "MOV t, vertex.position;\n"
                                "MOV result.position, t;\n"
                                "MAD result.texcoord[0], t, half.x, half.x;\n"
                                "EXP t, t.x; LOG t.w, half.w;\n"
                                "MUL result.color, t, half;\n"
                                "END\n";
   static const char fragment[] =
      "!!ARBfp1.0\n"
      "TEMP t, u; PARAM k = { 1.7, 0.3, 5.5, 20 };\n"
      "SIN t.x, fragment.texcoord[0].x; COS t.y, fragment.texcoord[0].y;\n"
      "ADD u, fragment.texcoord[0], k.y;\n"
      "LG2 t.z, u.x; EX2 t.w, u.y; POW u.z, u.x, k.z;\n"
      "RSQ u.w, u.y; RCP u.y, u.x;\n"
      "LIT u, u; XPD u.xyz, u, t; LRP t, k.y, t, u;\n"
      "MUL result.color, t, fragment.color;\n"
      "END\n";
   GLuint programs[2];

   picture_target(GL_RGBA32F, 0, 0);
   glGenProgramsARB(2, programs);
   glBindProgramARB(GL_VERTEX_PROGRAM_ARB, programs[0]);
   glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof vertex - 1,
                      vertex);
   glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, programs[1]);
   glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof fragment - 1,
                      fragment);
   glEnable(GL_VERTEX_PROGRAM_ARB);
   glEnable(GL_FRAGMENT_PROGRAM_ARB);
   picture_rectangle();
   picture_add_pixels(GL_FLOAT, 4);
}

const struct picture_scene picture_fixed[] = {
   { "light", light },       { "fog", fog },
   { "texgen", texgen },     { "evaluators", evaluators },
   { "smooth", smooth },     { "depths", depths },
   { "assembly", assembly }, { NULL },
};
