/* SPDX-License-Identifier: MIT */
/* The shaders of sgpu-demo.  The vertex shader computes all vertices, so that they do not depend on
 * the machine's C library.
 */
#ifndef GEARS_H
#define GEARS_H

#define GEARS 3
#define GEARS_TEETH 20 /* teeth of the largest gear */
#define GEARS_VERTICES (GEARS_TEETH * 4 * 18)

/* Each gear is an instance.  The outline has four edges per tooth, and 18 vertices per edge: two
 * triangles of each of the front, the teeth's side and the hole's side.
 */
static const char gears_vertex[] =
   "#version 330 core\n"
   "const float pi = 3.14159265;\n"
   "const int teeth[3] = int[](20, 10, 10);\n"
   "const float radii[3] = float[](4.0, 2.0, 2.0), holes[3] = float[](1.0, 0.5, 1.3);\n"
   "const float widths[3] = float[](1.0, 2.0, 0.5);\n"
   "/* in teeth: a tip of the first gear is between two of the others */\n"
   "const float phases[3] = float[](-0.7, 4.8, -2.7);\n"
   "const vec2 centres[3] = vec2[](vec2(0, 0), vec2(6.1, 0), vec2(0, 6.1));\n"
   "const vec3 colours[3] = vec3[](vec3(0.9, 0.15, 0.1), vec3(0.1, 0.8, 0.25),\n"
   "                               vec3(0.25, 0.35, 1.0));\n"
   "const float starts[4] = float[](0.0, 0.4, 0.55, 0.85);\n"
   "out vec3 normal, place;\n"
   "flat out vec3 colour;\n"
   "\n"
   "vec2 direction(int point)\n"
   "{\n"
   "   float tooth = float(point / 4) + starts[point % 4] + phases[gl_InstanceID];\n"
   "   float angle = tooth * 2.0 * pi / float(teeth[gl_InstanceID]);\n"
   "   return vec2(cos(angle), sin(angle));\n"
   "}\n"
   "\n"
   "vec2 outline(int point)\n"
   "{\n"
   "   float depth = point % 4 < 2 ? -0.35 : 0.35;\n"
   "   return direction(point) * (radii[gl_InstanceID] + depth);\n"
   "}\n"
   "\n"
   "vec3 turn(vec3 v)\n"
   "{\n"
   "   const vec2 x = vec2(0.9397, 0.3420), y = vec2(0.8660, 0.5); /* 20 and 30 degrees */\n"
   "   v = vec3(y.x * v.x + y.y * v.z, v.y, y.x * v.z - y.y * v.x);\n"
   "   return vec3(v.x, x.x * v.y - x.y * v.z, x.x * v.z + x.y * v.y);\n"
   "}\n"
   "\n"
   "void main()\n"
   "{\n"
   "   int edge = gl_VertexID / 18, corner = gl_VertexID % 6, face = gl_VertexID % 18 / 6;\n"
   "   if (edge >= teeth[gl_InstanceID] * 4) {\n"
   "      gl_Position = vec4(2, 2, 2, 1);\n"
   "      normal = place = colour = vec3(0);\n"
   "      return;\n"
   "   }\n"
   "   /* corners 0 1 2, 2 1 3 of a quad: bit 0 is the end of the edge, bit 1 its other side */\n"
   "   int quad = corner < 3 ? corner : corner == 3 ? 2 : corner == 4 ? 1 : 3;\n"
   "   int point = edge + (quad & 1);\n"
   "   float z = (face > 0 && quad > 1 ? -0.5 : 0.5) * widths[gl_InstanceID];\n"
   "   vec2 inner = direction(point) * holes[gl_InstanceID];\n"
   "   vec2 along = outline(edge + 1) - outline(edge);\n"
   "   vec2 p = face == 2 || face == 0 && quad > 1 ? inner : outline(point);\n"
   "   vec3 n = face == 0 ? vec3(0, 0, 1) : face == 1 ? vec3(along.y, -along.x, 0) :\n"
   "            vec3(-inner, 0);\n"
   "   place = turn(vec3(p + centres[gl_InstanceID] - vec2(1.5, 2.0), z)) - vec3(0, 0.2, 17.5);\n"
   "   normal = turn(normalize(n));\n"
   "   colour = colours[gl_InstanceID];\n"
   "   /* near 10, far 30, 4:3 */\n"
   "   gl_Position = vec4(place.xy * vec2(1.8, 2.4), -2.0 * place.z - 30.0, -place.z);\n"
   "}\n";

static const char gears_fragment[] =
   "#version 330 core\n"
   "in vec3 normal, place;\n"
   "flat in vec3 colour;\n"
   "out vec4 pixel;\n"
   "\n"
   "void main()\n"
   "{\n"
   "   const vec3 light = vec3(0.36, 0.48, 0.8);\n"
   "   vec3 n = normalize(normal);\n"
   "   float shine = max(dot(reflect(-light, n), -normalize(place)), 0.0);\n"
   "   vec3 lit = colour * (0.25 + 0.75 * max(dot(n, light), 0.0));\n"
   "   shine *= shine;\n"
   "   shine *= shine;\n"
   "   pixel = vec4(lit + vec3(0.3 * shine * shine), 1);\n"
   "}\n";

#endif
