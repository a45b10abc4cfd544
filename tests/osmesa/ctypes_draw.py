#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws with libOSMesa through ctypes: in this process, and in forked workers of multiprocessing.
All pictures must be the same.

usage: ctypes_draw.py LIBRARY [PICTURE.ppm]"""

import ctypes
import hashlib
import multiprocessing
import sys

SIZE = 128
WORKERS = 8
GL_UNSIGNED_BYTE, GL_RGBA = 0x1401, 0x1908


def load(library):
    gl = ctypes.CDLL(library)
    gl.OSMesaCreateContext.restype = ctypes.c_void_p
    gl.OSMesaCreateContext.argtypes = [ctypes.c_uint, ctypes.c_void_p]
    gl.OSMesaMakeCurrent.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint,
                                     ctypes.c_int, ctypes.c_int]
    gl.OSMesaDestroyContext.argtypes = [ctypes.c_void_p]
    gl.glGetString.restype = ctypes.c_char_p
    for name in 'glClearColor', 'glColor3f', 'glVertex2f', 'glRotatef':
        getattr(gl, name).argtypes = [ctypes.c_float] * {'glColor3f': 3, 'glVertex2f': 2}.get(name, 4)
    return gl


def draw(gl, rounds=3):
    """Returns the renderer and the pixels of a triangle."""
    context = gl.OSMesaCreateContext(GL_RGBA, None)
    pixels = (ctypes.c_ubyte * (SIZE * SIZE * 4))()
    if not context or not gl.OSMesaMakeCurrent(context, pixels, GL_UNSIGNED_BYTE, SIZE, SIZE):
        raise RuntimeError('no context')
    for _ in range(rounds):
        gl.glClearColor(0.1, 0.1, 0.2, 1)
        gl.glClear(0x4000)
        gl.glBegin(4)
        for angle, color in enumerate([(1, 0, 0), (0, 1, 0), (0, 0, 1)]):
            gl.glColor3f(*color)
            gl.glVertex2f([-0.8, 0.8, 0][angle], [-0.7, -0.5, 0.9][angle])
        gl.glEnd()
        gl.glFinish()
    renderer = gl.glGetString(0x1F01).decode()
    gl.OSMesaDestroyContext(context)
    return renderer, bytes(pixels)


def work(library):
    return hashlib.sha256(draw(load(library))[1]).hexdigest()


def main(library, picture=None):
    context = multiprocessing.get_context('fork')
    with context.Pool(WORKERS) as pool:
        before = pool.map(work, [library] * WORKERS, 1)
    renderer, pixels = draw(load(library))
    own = hashlib.sha256(pixels).hexdigest()
    with context.Pool(WORKERS) as pool:
        after = pool.map(work, [library] * WORKERS * 4, 1)
    print(renderer, own)
    if picture:
        rows = [pixels[y * SIZE * 4:(y + 1) * SIZE * 4] for y in reversed(range(SIZE))]
        rgb = b''.join(row[i:i + 3] for row in rows for i in range(0, SIZE * 4, 4))
        with open(picture, 'wb') as file:
            file.write(b'P6 %d %d 255\n' % (SIZE, SIZE) + rgb)
    if len(set(pixels)) < 20 or {own} != set(before + after):
        print('different pictures', set(before + after))
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
