#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests GLX's loader with wrong replies of the X server: a proxy in between changes the replies.

usage: check_glx_replies.py          with DISPLAY, in the environment of `sgpu env`
       check_glx_replies.py client   the program that is run for each wrong reply"""

import ctypes
import os
import select
import socket
import struct
import subprocess
import sys
import threading

QUERY_EXTENSION = 98
GET_DRAWABLE_ATTRIBUTES = 29
BAD_ALLOC = 11
SOCKETS = '/tmp/.X11-unix/X'


class Stream:
    """Received bytes of one direction, from which whole messages are taken."""

    def __init__(self):
        self.data = b''

    def take(self, count):
        if len(self.data) < count:
            return None
        taken, self.data = self.data[:count], self.data[count:]
        return taken


class Liar:
    """One connection through the proxy.  `lie` is the wrong reply: 'attributes' (more attributes
    than the reply has room for) or 'shm' (an error for a request for the extension)."""

    def __init__(self, client, server, lie):
        self.client, self.server, self.lie = client, server, lie
        self.sequence = 0
        self.glx = None
        self.asked = {}
        self.requests, self.replies = Stream(), Stream()
        self.set_up = [False, False]

    def forward_requests(self):
        if not self.set_up[0]:
            if len(self.requests.data) < 12:
                return
            names = struct.unpack_from('<HH', self.requests.data, 6)
            message = self.requests.take(12 + sum((n + 3) & ~3 for n in names))
            if message is None:
                return
            self.set_up[0] = True
            self.server.sendall(message)
        while len(self.requests.data) >= 8:
            opcode, minor, words = struct.unpack_from('<BBH', self.requests.data)
            if words == 0:
                words, = struct.unpack_from('<I', self.requests.data, 4)
            message = self.requests.take(words * 4)
            if message is None:
                return
            self.note(opcode, minor, message)
            self.server.sendall(message)
        if len(self.requests.data) == 4 and self.requests.data[2:4] == b'\1\0':
            message = self.requests.take(4)
            self.note(message[0], message[1], message)
            self.server.sendall(message)

    def note(self, opcode, minor, message):
        self.sequence = (self.sequence + 1) & 0xffff
        if opcode == QUERY_EXTENSION:
            length, = struct.unpack_from('<H', message, 4)
            self.asked[self.sequence] = message[8:8 + length]
        elif opcode == self.glx and minor == GET_DRAWABLE_ATTRIBUTES:
            self.asked[self.sequence] = 'attributes'

    def forward_replies(self):
        if not self.set_up[1]:
            if len(self.replies.data) < 8:
                return
            words, = struct.unpack_from('<H', self.replies.data, 6)
            message = self.replies.take(8 + words * 4)
            if message is None:
                return
            self.set_up[1] = True
            self.client.sendall(message)
        while len(self.replies.data) >= 32:
            kind = self.replies.data[0] & 0x7f
            words = struct.unpack_from('<I', self.replies.data, 4)[0] if kind in (1, 35) else 0
            message = self.replies.take(32 + words * 4)
            if message is None:
                return
            self.client.sendall(self.changed(message) if kind == 1 else message)

    def changed(self, message):
        sequence, = struct.unpack_from('<H', message, 2)
        asked = self.asked.pop(sequence, None)
        if asked == b'GLX':
            self.glx = message[9]
        if asked == b'MIT-SHM' and self.lie == 'shm':
            return struct.pack('<BBHIHB21x', 0, BAD_ALLOC, sequence, 0, 0, QUERY_EXTENSION)
        if asked == 'attributes' and self.lie == 'attributes':
            return message[:8] + struct.pack('<I', 0x7fffffff) + message[12:]
        return message

    def run(self):
        while True:
            for end in select.select([self.client, self.server], [], [])[0]:
                data = end.recv(1 << 16)
                if not data:
                    self.client.close()
                    self.server.close()
                    return
                if end is self.client:
                    self.requests.data += data
                    self.forward_requests()
                else:
                    self.replies.data += data
                    self.forward_replies()


def free_display():
    """Returns a socket that listens like an X server, and its display number."""
    for number in range(2000 + os.getpid() % 10000, 65536):
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(SOCKETS + str(number))
        except OSError:
            continue
        listener.listen()
        return listener, number
    raise SystemExit('no display is free')


def serve(listener, display, lie):
    while True:
        client, _ = listener.accept()
        server = socket.socket(socket.AF_UNIX)
        server.connect(SOCKETS + display.partition(':')[2].partition('.')[0])
        threading.Thread(target=Liar(client, server, lie).run, daemon=True).start()


def client():
    """Queries an attribute that no drawable has, and one that every drawable has."""
    gl, x11 = ctypes.CDLL('libGL.so.1'), ctypes.CDLL('libX11.so.6')
    pointer = ctypes.c_void_p
    x11.XOpenDisplay.restype = pointer
    gl.glXChooseFBConfig.restype = ctypes.POINTER(pointer)
    gl.glXChooseFBConfig.argtypes = [pointer, ctypes.c_int, pointer, pointer]
    gl.glXCreatePbuffer.restype = ctypes.c_ulong
    gl.glXCreatePbuffer.argtypes = [pointer, pointer, pointer]
    gl.glXQueryDrawable.argtypes = [pointer, ctypes.c_ulong, ctypes.c_int, pointer]
    display = x11.XOpenDisplay(None)
    if not display:
        sys.exit('no display')
    count = ctypes.c_int()
    # GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT
    wanted = (ctypes.c_int * 3)(0x8010, 4, 0)
    configs = gl.glXChooseFBConfig(display, 0, wanted, ctypes.byref(count))
    # GLX_PBUFFER_WIDTH, GLX_PBUFFER_HEIGHT
    size = (ctypes.c_int * 5)(0x8041, 64, 0x8040, 32, 0)
    pbuffer = gl.glXCreatePbuffer(display, configs[0], size)
    value = ctypes.c_uint(77)
    gl.glXQueryDrawable(display, pbuffer, 0x7ffe, ctypes.byref(value))
    gl.glXQueryDrawable(display, pbuffer, 0x801d, ctypes.byref(value))
    sys.exit(value.value != 64)


def main():
    if sys.argv[1:] == ['client']:
        client()
    failed = 0
    for lie in ['nothing', 'attributes', 'shm']:
        listener, number = free_display()
        try:
            threading.Thread(target=serve, args=(listener, os.environ['DISPLAY'], lie),
                             daemon=True).start()
            status = subprocess.run([sys.executable, __file__, 'client'], timeout=60,
                                    env=os.environ | {'DISPLAY': f':{number}'}).returncode
        finally:
            os.unlink(SOCKETS + str(number))
        if status:
            print(f'a server that lies about {lie}: the program ended with {status}')
            failed += 1
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
