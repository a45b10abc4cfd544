/* SPDX-License-Identifier: MIT */
/*
 * MuJoCo's own renderer on OSMesa: a picture of a scene with shadows and reflections, with samples.
 * MuJoCo looks for libOSMesa.so at run time.
 *
 *    mujoco [PICTURE.ppm]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/osmesa.h>
#include <mujoco/mujoco.h>

#define WIDTH 640
#define HEIGHT 480

static const char model_text[] =
   "<mujoco>"
   " <visual><quality shadowsize='1024' offsamples='4'/>"
   "  <global offwidth='640' offheight='480'/></visual>"
   " <asset>"
   "  <texture name='c' type='2d' builtin='checker' rgb1='.1 .2 .3' rgb2='.5 .6 .7' width='256'"
   "   height='256'/>"
   "  <texture type='skybox' builtin='gradient' rgb1='.4 .6 .8' rgb2='0 0 0' width='64'"
   "   height='64'/>"
   "  <material name='m' texture='c' texrepeat='4 4' reflectance='.3'/>"
   " </asset>"
   " <worldbody>"
   "  <light pos='1 -1 3' dir='-.3 .3 -1' castshadow='true'/>"
   "  <geom type='plane' size='2 2 .1' material='m'/>"
   "  <body pos='0 0 1'><freejoint/><geom type='box' size='.3 .2 .1' rgba='.9 .3 .1 1'/></body>"
   "  <body pos='.6 .2 1.2'><freejoint/><geom type='sphere' size='.25' rgba='.1 .8 .2 1'/></body>"
   "  <body pos='-.6 .1 .9'><freejoint/>"
   "   <geom type='capsule' size='.1 .3' rgba='.2 .3 .9 .6'/></body>"
   " </worldbody>"
   "</mujoco>";

static mjvCamera camera;
static mjvOption option;
static mjvScene scene;
static mjrContext renderer;
static unsigned char memory[WIDTH * HEIGHT * 4], rgb[WIDTH * HEIGHT * 3];

int
main(int argc, char **argv)
{
   char error[500] = "", name[] = "/tmp/sgpu_mujoco_XXXXXX";
   const int fd = mkstemp(name);
   FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

   if (!file)
      return 1;
   fputs(model_text, file);
   fclose(file);
   mjModel *model = mj_loadXML(name, NULL, error, sizeof error);
   remove(name);
   if (!model) {
      fprintf(stderr, "%s\n", error);
      return 1;
   }
   mjData *data = mj_makeData(model);
   for (int i = 0; i < 200; i++)
      mj_step(model, data);

   OSMesaContext context = OSMesaCreateContextExt(GL_RGBA, 24, 8, 8, NULL);
   if (!context || !OSMesaMakeCurrent(context, memory, GL_UNSIGNED_BYTE, WIDTH, HEIGHT)) {
      fprintf(stderr, "no context\n");
      return 1;
   }
   mjv_defaultCamera(&camera);
   camera.distance = 3.5;
   camera.azimuth = 110;
   camera.elevation = -25;
   mjv_defaultOption(&option);
   mjv_defaultScene(&scene);
   mjr_defaultContext(&renderer);
   mjv_makeScene(model, &scene, 100);
   mjr_makeContext(model, &renderer, 100);
   mjr_setBuffer(mjFB_OFFSCREEN, &renderer);
   mjv_updateScene(model, data, &option, NULL, &camera, mjCAT_ALL, &scene);
   const mjrRect viewport = { 0, 0, WIDTH, HEIGHT };
   mjr_render(viewport, &scene, &renderer);
   mjr_readPixels(rgb, NULL, viewport, &renderer);
   const char *(*get_string)(unsigned) = (void *)OSMesaGetProcAddress("glGetString");
   printf("%s, %i samples\n", get_string(0x1f01), renderer.offSamples);
   if (argc > 1) {
      file = fopen(argv[1], "wb");
      fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
      for (int y = HEIGHT - 1; y >= 0; y--)
         fwrite(rgb + y * WIDTH * 3, 3, WIDTH, file);
      fclose(file);
   }
   /* the red box, the green ball, and the blue capsule */
   int counts[3] = { 0 };
   for (int i = 0; i < WIDTH * HEIGHT; i++) {
      for (int c = 0; c < 3; c++) {
         const int other = rgb[i * 3 + (c + 1) % 3], third = rgb[i * 3 + (c + 2) % 3];
         counts[c] += rgb[i * 3 + c] > 60 && rgb[i * 3 + c] > other * 2 &&
                      rgb[i * 3 + c] > third * 2;
      }
   }
   printf("%i red, %i green, %i blue pixels\n", counts[0], counts[1], counts[2]);
   mjr_freeContext(&renderer);
   mjv_freeScene(&scene);
   OSMesaDestroyContext(context);
   return counts[0] < 1000 || counts[1] < 1000;
}
