#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws frames without a window, through ctypes and EGL: the program of check_golden.py.  With
--osmesa, draws through a libOSMesa.so instead, to the program's own memory.  With --glx, draws to
a window, and the mode is present.

usage: scene.py MODE [--osmesa LIBRARY | --glx] [--frames N] [--shift PIXELS] [--tint X]
                [--size WxH] [--end crash|fail|wait] [--workers N]

MODE says how a frame ends: read (glReadPixels), texture (glGetTexImage), float, integer and depth
(other pixels), finish (glFinish), end (nothing: the program ends), nothing (no drawing at all).
time and random are like read, with a picture that depends on the clock or on random numbers.
"""

import argparse
import ctypes
import os
import random
import signal
import sys
import time

PLATFORM_SURFACELESS, OPENGL_API = 0x31DD, 0x30A2
FRAMEBUFFER, TEXTURE_2D, TRIANGLES, RGBA = 0x8D40, 0x0DE1, 4, 0x1908
RGBA_INTEGER, UNSIGNED_BYTE, FLOAT, INT, DEPTH = 0x8D99, 0x1401, 0x1406, 0x1404, 0x1902
FORMATS = {'float': (0x8814, RGBA, FLOAT), 'integer': (0x8D82, RGBA_INTEGER, INT)}


# Returns the address of a function of GL: eglGetProcAddress or OSMesaGetProcAddress.
ADDRESS = []


def gl(name, *arguments):
    """Calls a function of GL.  Numbers with a fraction point are floats."""
    address = ADDRESS[0](name.encode())
    types = [ctypes.c_float if isinstance(a, float) else ctypes.c_int if isinstance(a, int)
             else ctypes.c_void_p for a in arguments]
    ctypes.CFUNCTYPE(None, *types)(address)(*arguments)


def begin_osmesa(path, width, height):
    library = ctypes.CDLL(path)
    library.OSMesaGetProcAddress.restype = library.OSMesaCreateContextExt.restype = ctypes.c_void_p
    ADDRESS.append(library.OSMesaGetProcAddress)
    context = ctypes.c_void_p(library.OSMesaCreateContextExt(RGBA, 24, 0, 0, None))
    memory = ctypes.create_string_buffer(4 * width * height)
    assert library.OSMesaMakeCurrent(context, memory, UNSIGNED_BYTE, width, height)
    gl('glViewport', 0, 0, width, height)
    return memory


class VisualInfo(ctypes.Structure):
    _fields_ = [('visual', ctypes.c_void_p), ('id', ctypes.c_ulong), ('screen', ctypes.c_int),
                ('depth', ctypes.c_int)]


class WindowAttributes(ctypes.Structure):
    """XSetWindowAttributes."""
    _fields_ = [('before', ctypes.c_ulong * 3), ('border', ctypes.c_ulong),
                ('integers', ctypes.c_int * 3), ('planes', ctypes.c_ulong * 2),
                ('under', ctypes.c_int), ('masks', ctypes.c_long * 2), ('override', ctypes.c_int),
                ('colormap', ctypes.c_ulong), ('cursor', ctypes.c_ulong)]


def begin_glx(width, height):
    """Makes a window.  Returns a function that presents the picture."""
    X11, GLX = ctypes.CDLL('libX11.so.6'), ctypes.CDLL('libGL.so.1')  # pylint: disable=invalid-name
    for function in (X11.XOpenDisplay, GLX.glXGetProcAddress, GLX.glXCreateContext):
        function.restype = ctypes.c_void_p
    for function in (X11.XDefaultRootWindow, X11.XCreateWindow, X11.XCreateColormap):
        function.restype = ctypes.c_ulong
    GLX.glXChooseVisual.restype = ctypes.POINTER(VisualInfo)
    ADDRESS.append(GLX.glXGetProcAddress)
    display = ctypes.c_void_p(X11.XOpenDisplay(None))
    visual = GLX.glXChooseVisual(display, 0, (ctypes.c_int * 5)(4, 5, 12, 24, 0))
    root = ctypes.c_ulong(X11.XDefaultRootWindow(display))
    attributes = WindowAttributes()
    attributes.colormap = X11.XCreateColormap(display, root,
                                              ctypes.c_void_p(visual.contents.visual), 0)
    window = ctypes.c_ulong(X11.XCreateWindow(
        display, root, 0, 0, width, height, 0, visual.contents.depth, 1,
        ctypes.c_void_p(visual.contents.visual), ctypes.c_ulong(1 << 3 | 1 << 13),
        ctypes.byref(attributes)))
    X11.XMapWindow(display, window)
    context = ctypes.c_void_p(GLX.glXCreateContext(display, visual, None, 1))
    assert GLX.glXMakeCurrent(display, window, context)
    gl('glViewport', 0, 0, width, height)
    return lambda: GLX.glXSwapBuffers(display, window)


def begin(width, height, mode):
    EGL = ctypes.CDLL('libEGL.so.1')  # pylint: disable=invalid-name
    for function in (EGL.eglGetProcAddress, EGL.eglGetPlatformDisplay, EGL.eglCreateContext):
        function.restype = ctypes.c_void_p
    ADDRESS.append(EGL.eglGetProcAddress)
    display = ctypes.c_void_p(EGL.eglGetPlatformDisplay(PLATFORM_SURFACELESS, None, None))
    assert EGL.eglInitialize(display, None, None), 'no EGL'
    assert EGL.eglBindAPI(OPENGL_API)
    config, count = ctypes.c_void_p(), ctypes.c_int()
    attributes = (ctypes.c_int * 5)(0x3040, 8, 0x3033, 1, 0x3038)
    assert EGL.eglChooseConfig(display, attributes, ctypes.byref(config), 1, ctypes.byref(count))
    context = ctypes.c_void_p(EGL.eglCreateContext(display, config, None, None))
    assert context and EGL.eglMakeCurrent(display, None, None, context)
    names = (ctypes.c_uint * 3)()
    gl('glGenTextures', 2, ctypes.cast(names, ctypes.c_void_p))
    for i, (inner, outer, kind) in enumerate((FORMATS.get(mode, (0x8058, RGBA, UNSIGNED_BYTE)),
                                              (0x81A6, DEPTH, FLOAT))):
        gl('glBindTexture', TEXTURE_2D, names[i])
        gl('glTexImage2D', TEXTURE_2D, 0, inner, width, height, 0, outer, kind, None)
        gl('glTexParameteri', TEXTURE_2D, 0x2801, 0x2600)
    gl('glGenFramebuffers', 1, ctypes.cast(ctypes.byref(names, 8), ctypes.c_void_p))
    gl('glBindFramebuffer', FRAMEBUFFER, names[2])
    gl('glFramebufferTexture2D', FRAMEBUFFER, 0x8CE0, TEXTURE_2D, names[0], 0)
    gl('glFramebufferTexture2D', FRAMEBUFFER, 0x8D00, TEXTURE_2D, names[1], 0)
    gl('glBindTexture', TEXTURE_2D, names[0])
    gl('glViewport', 0, 0, width, height)


def draw(number, shift, tint, width):
    move = 2.0 * shift / width + 0.05 * number
    gl('glEnable', 0x0B71)
    gl('glClearColor', 0.1 + tint, 0.2, 0.4, 1.0)
    gl('glClear', 0x4100)
    gl('glBegin', TRIANGLES)
    for x, y, r, g, b in ((-0.8, -0.8, 1.0, 0.2, 0.0), (0.4, -0.6, 0.1, 0.9, 0.2),
                          (-0.1, 0.8, 0.3, 0.4, 1.0)):
        gl('glColor3f', r, g, b)
        gl('glVertex3f', x + move, y, 0.25 * x)
    gl('glEnd')


def end_frame(mode, width, height):
    pixels = ctypes.create_string_buffer(16 * width * height)
    to = ctypes.cast(pixels, ctypes.c_void_p)
    if mode == 'finish':
        gl('glFinish')
    elif mode == 'texture':
        gl('glGetTexImage', TEXTURE_2D, 0, RGBA, UNSIGNED_BYTE, to)
    elif mode == 'depth':
        gl('glReadPixels', 0, 0, width, height, DEPTH, FLOAT, to)
    elif mode != 'end':
        outer, kind = FORMATS.get(mode, (0, RGBA, UNSIGNED_BYTE))[1:]
        gl('glReadPixels', 0, 0, width, height, outer, kind, to)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('mode')
    parser.add_argument('--osmesa')
    parser.add_argument('--glx', action='store_true')
    parser.add_argument('--frames', type=int, default=3)
    parser.add_argument('--shift', type=float, default=0)
    parser.add_argument('--tint', type=float, default=0)
    parser.add_argument('--size', default='120x90')
    parser.add_argument('--workers', type=int, default=0)
    parser.add_argument('--end', choices=('crash', 'fail', 'wait'))
    args = parser.parse_args()
    width, height = map(int, args.size.split('x'))
    for worker in range(1, args.workers):
        if os.fork() == 0:
            args.shift += 5 * worker
            args.workers = 0
            break
    present = None
    if args.glx:
        present = begin_glx(width, height)
    elif args.osmesa:
        memory = begin_osmesa(args.osmesa, width, height)
    else:
        begin(width, height, args.mode)
    for number in range(args.frames if args.mode != 'nothing' else 0):
        shift = args.shift
        if args.mode == 'time':
            shift = time.time() % 1 * 30
        elif args.mode == 'random':
            shift = random.SystemRandom().random() * 30
        draw(number, shift, args.tint, width)
        if present:
            present()
        else:
            end_frame(args.mode, width, height)
    for _ in range(1, args.workers):
        os.wait()
    if args.osmesa:
        assert any(memory.raw), 'nothing was drawn to the memory'
    if args.end == 'crash':
        os.kill(os.getpid(), signal.SIGSEGV)
    if args.end == 'wait':
        time.sleep(1000)
    return 3 if args.end == 'fail' else 0


sys.exit(main())
