# SPDX-License-Identifier: MIT
"""Pictures: PNG files, the raw files of the driver, hashes and differences.

All loops over pixels are operations on whole byte strings or on large integers.
"""

import array
import hashlib
import struct
import zlib

SIGNATURE = b'\x89PNG\r\n\x1a\n'
# Largest picture that is read, in pixels; a file may claim any size.
MAX_PIXELS = 1 << 28
MAX_SIDE = 1 << 16
# Channels of a pixel by the colour type of PNG.
CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


class PictureError(Exception):
    """Raised if a file is not a picture that can be read."""


def repeated(byte, count):
    """Returns the integer whose `count` bytes all have this value."""
    return int.from_bytes(bytes([byte]) * count, 'little')


def add_bytes(a, b, low, high):
    """Adds integers byte by byte, modulo 256.  `low` has 0x7f and `high` 0x80 in each byte."""
    return ((a & low) + (b & low)) ^ ((a ^ b) & high)


def subtract_bytes(a, b, low, high):
    """Subtracts integers byte by byte, modulo 256."""
    return ((a | high) - (b & low)) ^ ((a ^ b ^ high) & high)


class Picture:
    """A picture with 8 bits per component.

    rgb: bytes of the colours, three per pixel, from the top row on.
    alpha: bytes of the alpha components, or None.
    exact: the bytes of pixels with more than 8 bits per component, or None.
    pixels: name of the type of the pixels in the driver.
    """

    def __init__(self, width, height, rgb, alpha=None, exact=None, pixels=None):
        self.width, self.height = width, height
        self.rgb, self.alpha, self.exact = rgb, alpha, exact
        self.pixels = pixels or ('rgb8' if alpha is None else 'rgba8')

    @property
    def hash(self):
        """SHA-256 of the colours with 8 bits per component."""
        return hashlib.sha256(self.rgb).hexdigest()

    @property
    def rest_hash(self):
        """SHA-256 of what the colours don't contain, or '-': alpha, or pixels of more bits."""
        rest = self.exact if self.exact is not None else self.alpha
        return '-' if rest is None else hashlib.sha256(rest).hexdigest()

    def interleaved(self):
        """Returns the number of bytes per pixel and the bytes, with alpha if there is any."""
        if self.alpha is None:
            return 3, self.rgb
        data = bytearray(4 * self.width * self.height)
        for channel in range(3):
            data[channel::4] = self.rgb[channel::3]
        data[3::4] = self.alpha
        return 4, bytes(data)

    def png(self):
        """Returns the picture as a PNG file."""
        size, data = self.interleaved()
        pitch = self.width * size
        # All rows have the filter "up": the difference from the row above.
        low, high = repeated(0x7f, len(data)), repeated(0x80, len(data))
        above = bytes(pitch) + data[:-pitch]
        filtered = subtract_bytes(int.from_bytes(data, 'little'), int.from_bytes(above, 'little'),
                                  low, high).to_bytes(len(data), 'little')
        rows = b''.join(b'\x02' + filtered[i:i + pitch] for i in range(0, len(data), pitch))

        def chunk(kind, body):
            return (struct.pack('>I', len(body)) + kind + body +
                    struct.pack('>I', zlib.crc32(kind + body)))
        header = struct.pack('>IIBBBBB', self.width, self.height, 8, 2 if size == 3 else 6, 0, 0, 0)
        return (SIGNATURE + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(rows, 6)) +
                chunk(b'IEND', b''))


def undo_left(line, size):
    """Undoes the filter "sub" of a row: adds the pixel to the left, for all pixels at once."""
    count = len(line)
    low, high = repeated(0x7f, count), repeated(0x80, count)
    mask = (1 << 8 * count) - 1
    value = int.from_bytes(line, 'little')
    shift = size
    while shift < count:
        value = add_bytes(value, (value << 8 * shift) & mask, low, high)
        shift *= 2
    return value.to_bytes(count, 'little')


def undo_average(line, above, size):
    line = bytearray(line)
    for i in range(min(size, len(line))):
        line[i] = (line[i] + above[i] // 2) & 255
    for i in range(size, len(line)):
        line[i] = (line[i] + (line[i - size] + above[i]) // 2) & 255
    return bytes(line)


def undo_paeth(line, above, size):
    line = bytearray(line)
    for channel in range(size):
        left = corner = 0
        for i in range(channel, len(line), size):
            up = above[i]
            dx, dy = up - corner, left - corner
            dz = dx + dy
            a, b, c = (dx if dx >= 0 else -dx), (dy if dy >= 0 else -dy), (dz if dz >= 0 else -dz)
            corner, left = up, (line[i] + (left if a <= b and a <= c else
                                           up if b <= c else corner)) & 255
            line[i] = left
    return bytes(line)


def undo_filters(raw, pitch, height, size):
    rows = []
    above = bytes(pitch)
    low, high = repeated(0x7f, pitch), repeated(0x80, pitch)
    for start in range(0, height * (pitch + 1), pitch + 1):
        kind, line = raw[start], raw[start + 1:start + 1 + pitch]
        if kind == 1:
            line = undo_left(line, size)
        elif kind == 2:
            line = add_bytes(int.from_bytes(line, 'little'), int.from_bytes(above, 'little'),
                             low, high).to_bytes(pitch, 'little')
        elif kind == 3:
            line = undo_average(line, above, size)
        elif kind == 4:
            line = undo_paeth(line, above, size)
        elif kind:
            raise PictureError('a row has an unknown filter')
        rows.append(line)
        above = line
    return b''.join(rows)


def read_chunks(data):
    """Returns the header and the compressed pixels of a PNG file."""
    if data[:8] != SIGNATURE:
        raise PictureError('it is not a PNG file')
    offset, header, packed = 8, None, []
    while True:
        if offset + 12 > len(data):
            raise PictureError('it is cut off')
        length, kind = struct.unpack_from('>I4s', data, offset)
        body = data[offset + 8:offset + 8 + length]
        if len(body) != length or offset + 12 + length > len(data):
            raise PictureError('it is cut off')
        if struct.unpack_from('>I', data, offset + 8 + length)[0] != zlib.crc32(kind + body):
            raise PictureError(f'its chunk {kind.decode("latin-1")!r} has a wrong checksum')
        offset += 12 + length
        if kind == b'IHDR' and length == 13:
            header = struct.unpack('>IIBBBBB', body)
        elif kind == b'IDAT':
            packed.append(body)
        elif kind == b'IEND':
            break
    if not header:
        raise PictureError('it has no header')
    return header, b''.join(packed)


def read_png(data):
    """Returns the Picture in a PNG file with 8 bits per component."""
    (width, height, depth, colour, _, _, interlace), packed = read_chunks(data)
    if depth != 8 or colour not in CHANNELS or interlace:
        raise PictureError('it has a palette, 16 bits or interlaced rows, which are not read here')
    if not 0 < width <= MAX_SIDE or not 0 < height <= MAX_SIDE or width * height > MAX_PIXELS:
        raise PictureError(f'its size is {width}x{height}')
    size = CHANNELS[colour]
    pitch = width * size
    unpack = zlib.decompressobj()
    try:
        raw = unpack.decompress(packed, height * (pitch + 1))
    except zlib.error as error:
        raise PictureError(f'its pixels cannot be unpacked: {error}') from None
    if len(raw) != height * (pitch + 1):
        raise PictureError('it has too few pixels')
    pixels = undo_filters(raw, pitch, height, size)
    if size == 3:
        return Picture(width, height, pixels)
    rgb = bytearray(3 * width * height)
    for channel in range(3):
        rgb[channel::3] = pixels[channel if size == 4 else 0::size]
    return Picture(width, height, bytes(rgb), None if size == 1 else pixels[size - 1::size])


def flip(data, pitch):
    """Returns the rows in the opposite order."""
    return b''.join(data[i:i + pitch] for i in range(len(data) - pitch, -1, -pitch))


def to_byte(value):
    """Converts a component from 0 to 1 to 8 bits.  A NaN is 0."""
    return int(value * 255 + 0.5) if 0 < value < 1 else 255 if value >= 1 else 0


# Driver's types of pixels: bytes per pixel, type code of a component, number of components.
TYPES = {'rgba8': (4, 'B', 4), 'rgba32f': (16, 'f', 4), 'rgba32i': (16, 'i', 4),
         'r32f': (4, 'f', 1), 'r8': (1, 'B', 1)}


def read_frame(data):
    """Returns the header, as a dictionary, and the Picture in a file of the driver."""
    head, gap, body = data.partition(b'\n\n')
    lines = head.decode('ascii', 'replace').split('\n')
    if not gap or lines[0] != 'sgpu-frame 1':
        raise PictureError('it is not a frame of the driver of this version')
    fields = dict(line.partition(' ')[::2] for line in lines[1:])
    width, height = map(int, fields['size'].split())
    size, code, components = TYPES[fields['pixels']]
    if len(body) != width * height * size:
        raise PictureError('it has too few pixels')
    if fields['rows'] == 'bottom':
        body = flip(body, width * size)
    return fields, make_picture(width, height, body, fields['pixels'], code, components,
                                fields['alpha'] == '1')


def make_picture(width, height, body, pixels, code, components, alpha):
    exact = None if code == 'B' else body
    data = body
    if code != 'B':
        values = array.array(code)
        values.frombytes(body)
        if code == 'i':
            data = bytes(0 if v < 0 else 255 if v > 255 else v for v in values)
        else:
            data = bytes(map(to_byte, values))
    rgb = bytearray(3 * width * height)
    for channel in range(3):
        rgb[channel::3] = data[channel::4] if components == 4 else data
    opacity = data[3::4] if components == 4 and alpha else None
    if pixels == 'rgba8':
        pixels = 'rgba8' if alpha else 'rgb8'
    return Picture(width, height, bytes(rgb), opacity, exact, pixels)


class Difference:
    """Where and how much two pictures of the same size differ."""

    def __init__(self, a, b):
        if a.alpha is None or b.alpha is None:
            self.size, one, two = 3, a.rgb, b.rgb
        else:
            (self.size, one), two = a.interleaved(), b.interleaved()[1]
        self.width, self.height = a.width, a.height
        self.bytes = absolute_difference(one, two)
        joined = 0
        for channel in range(self.size):
            joined |= int.from_bytes(self.bytes[channel::self.size], 'little')
        self.changed = joined.to_bytes(a.width * a.height, 'little')
        self.count = len(self.changed) - self.changed.count(0)
        self.largest = next((v for v in range(255, 0, -1) if bytes([v]) in self.bytes), 0)

    def box(self):
        """Returns the smallest (x, y, width, height) around all pixels that differ."""
        rows = [self.changed[i:i + self.width] for i in range(0, len(self.changed), self.width)]
        blank = bytes(self.width)
        lines = [y for y, row in enumerate(rows) if row != blank]
        if not lines:
            return 0, 0, 0, 0
        columns = 0
        for y in lines:
            columns |= int.from_bytes(rows[y], 'little')
        text = columns.to_bytes(self.width, 'little')
        left = len(text) - len(text.lstrip(b'\0'))
        return left, lines[0], len(text.rstrip(b'\0')) - left, lines[-1] - lines[0] + 1

    def first(self):
        """Returns the (x, y) of the first pixel that differs, in the order of rows."""
        index = len(self.changed) - len(self.changed.lstrip(b'\0'))
        return index % self.width, index // self.width

    def picture(self):
        """Returns a picture of the differences, so bright that the largest one is white.  Each
        pixel that differs is visible."""
        scale = 255 / max(self.largest, 1)
        table = bytes([0] + [min(255, max(96, int(v * scale))) for v in range(1, 256)])
        light = self.bytes.translate(table)
        rgb = bytearray(3 * self.width * self.height)
        for channel in range(3):
            rgb[channel::3] = light[channel::self.size]
        if self.size == 4:
            # An alpha component that differs is shown in red.
            both = int.from_bytes(rgb[0::3], 'little') | int.from_bytes(light[3::4], 'little')
            rgb[0::3] = both.to_bytes(self.width * self.height, 'little')
        return Picture(self.width, self.height, bytes(rgb))


def absolute_difference(one, two):
    """Returns |a - b| of each byte."""
    count = len(one)
    low, high = repeated(0x7f, count), repeated(0x80, count)
    ones = low | high
    a, b = int.from_bytes(one, 'little'), int.from_bytes(two, 'little')
    difference = subtract_bytes(a, b, low, high)
    less = (((a ^ ones) & b) | ((a ^ b ^ ones) & difference)) & high
    # `mask` has 0xff where a is less than b: there, the difference is negated.
    sign = less >> 7
    mask = sign * 255
    return ((difference ^ mask) + sign).to_bytes(count, 'little')
