#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a triangle by EGL, without X, through ctypes alone, and prints the renderer and the hash of
the picture.  With the argument `sgpu_gl` it imports that module first; `workers` draws in 8 processes
of multiprocessing, too."""

import ctypes
import hashlib
import multiprocessing
import sys

if 'sgpu_gl' in sys.argv:
    import sgpu_gl  # noqa: F401

SIZE = 64


def draw():
    """Returns the renderer's name and the hash of the picture."""
    egl = ctypes.CDLL('libEGL.so.1')
    gl = ctypes.CDLL('libGL.so.1')
    for function in (egl.eglGetDisplay, egl.eglCreateContext, egl.eglCreatePbufferSurface):
        function.restype = ctypes.c_void_p
    pointer = ctypes.c_void_p
    display = pointer(egl.eglGetDisplay(None))
    assert egl.eglInitialize(display, None, None), hex(egl.eglGetError())
    assert egl.eglBindAPI(0x30A2)  # OpenGL
    config, count = pointer(), ctypes.c_int()
    wanted = (ctypes.c_int * 5)(0x3033, 1, 0x3040, 8, 0x3038)  # pbuffers, OpenGL
    assert egl.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
    assert count.value == 1
    sizes = (ctypes.c_int * 5)(0x3057, SIZE, 0x3056, SIZE, 0x3038)
    surface = pointer(egl.eglCreatePbufferSurface(display, config, sizes))
    context = pointer(egl.eglCreateContext(display, config, None, None))
    assert egl.eglMakeCurrent(display, surface, surface, context), hex(egl.eglGetError())

    gl.glGetString.restype = ctypes.c_char_p
    renderer = gl.glGetString(0x1F01).decode()
    real = ctypes.c_float
    gl.glClearColor(real(0.2), real(0.4), real(0.6), real(1))
    gl.glClear(0x4000)
    gl.glBegin(4)
    for red, green, blue, x, y in ((1, 0, 0, -0.9, -0.9), (0, 1, 0, 0.9, -0.8), (0, 0, 1, 0, 0.9)):
        gl.glColor3f(real(red), real(green), real(blue))
        gl.glVertex2f(real(x), real(y))
    gl.glEnd()
    pixels = ctypes.create_string_buffer(SIZE * SIZE * 4)
    gl.glReadPixels(0, 0, SIZE, SIZE, 0x1908, 0x1401, pixels)
    assert gl.glGetError() == 0
    egl.eglMakeCurrent(display, None, None, None)
    egl.eglTerminate(display)
    return renderer, hashlib.sha256(pixels.raw).hexdigest()[:16]


def work(_):
    return draw()


def main():
    renderer, picture = draw()
    print(renderer, picture)
    if 'workers' in sys.argv:
        with multiprocessing.get_context('fork').Pool(8) as pool:
            results = pool.map(work, range(24), chunksize=1)
        assert set(results) == {(renderer, picture)}, results
        print('8 workers: the same')


if __name__ == '__main__':
    main()
