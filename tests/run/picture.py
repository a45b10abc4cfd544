# SPDX-License-Identifier: MIT
"""Reads the pictures that `sgpu run --screenshot` writes (PNG, 8-bit RGB)."""

import struct
import zlib


def unfilter(kind, line, above):
    """Reverses the PNG filter of one line.  Pixels have three bytes."""
    for i in range(len(line)):
        left = line[i - 3] if i >= 3 else 0
        up = above[i]
        upper_left = above[i - 3] if i >= 3 else 0
        if kind == 1:
            predicted = left
        elif kind == 2:
            predicted = up
        elif kind == 3:
            predicted = (left + up) // 2
        elif kind == 4:
            estimate = left + up - upper_left
            predicted = min((left, up, upper_left),
                            key=lambda value: abs(estimate - value))
        else:
            return line
        line[i] = (line[i] + predicted) & 0xff
    return line


def read_png(path):
    """Returns the width, the height and the pixels as a list of (r, g, b)."""
    with open(path, 'rb') as file:
        data = file.read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n', f'{path} is no PNG file'
    offset, packed = 8, b''
    while offset < len(data):
        length, kind = struct.unpack_from('>I4s', data, offset)
        body = data[offset + 8:offset + 8 + length]
        offset += length + 12
        if kind == b'IHDR':
            width, height, depth, colour = struct.unpack_from('>IIBB', body)
            assert (depth, colour) == (8, 2), f'{path} is not 8-bit RGB'
        elif kind == b'IDAT':
            packed += body
    raw = zlib.decompress(packed)

    pixels = []
    above = bytearray(width * 3)
    for y in range(height):
        start = y * (width * 3 + 1)
        line = bytearray(raw[start + 1:start + 1 + width * 3])
        above = unfilter(raw[start], line, above)
        pixels += zip(above[0::3], above[1::3], above[2::3])
    return width, height, pixels
