#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the files of `sgpu golden`: pictures, differences, manifests, pages.  Needs no driver."""

import os
import random
import resource
import struct
import sys
import tempfile
import time
import xml.dom.minidom
import zlib

import golden_test  # pylint: disable=unused-import
import golden_files
import golden_report
from golden_files import GoldenError, Manifest, frame_of
from golden_picture import Difference, Picture, PictureError, read_frame, read_png


def noise(width, height, alpha=False):
    return Picture(width, height, random.randbytes(3 * width * height),
                   random.randbytes(width * height) if alpha else None)


def filtered_png(width, height, size, data, kinds):
    """Returns a PNG file whose rows have these filters, made byte by byte."""
    pitch, above, rows = width * size, bytes(width * size), b''
    for y in range(height):
        line, kind = data[y * pitch:(y + 1) * pitch], kinds[y % len(kinds)]
        row = []
        for i, value in enumerate(line):
            left, up = line[i - size] if i >= size else 0, above[i]
            corner = above[i - size] if i >= size else 0
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda v, guess=guess: abs(guess - v))
            row.append((value - (0, left, up, (left + up) // 2, paeth)[kind]) & 255)
        rows += bytes([kind]) + bytes(row)
        above = line

    def chunk(kind, body):
        return (struct.pack('>I', len(body)) + kind + body +
                struct.pack('>I', zlib.crc32(kind + body)))
    colour = {1: 0, 2: 4, 3: 2, 4: 6}[size]
    return (b'\x89PNG\r\n\x1a\n' +
            chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, colour, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def check_pictures():
    """PNG files: written and read, all filters, each byte damaged, cut off."""
    for width, height, alpha in ((1, 1, False), (7, 5, True), (64, 3, False)):
        one = noise(width, height, alpha)
        two = read_png(one.png())
        assert (two.rgb, two.alpha, two.hash) == (one.rgb, one.alpha, one.hash)
        assert (one.rest_hash == '-') == (not alpha)
    for size in (1, 2, 3, 4):
        data = random.randbytes(13 * 10 * size)
        for kinds in ((0,), (1,), (2,), (3,), (4,), (4, 1, 3, 0, 2)):
            picture = read_png(filtered_png(13, 10, size, data, kinds))
            colours = data if size in (1, 3) else b''.join(
                data[i:i + size - 1] for i in range(0, len(data), size))
            if size in (1, 2):
                colours = b''.join(bytes([v]) * 3 for v in colours)
            assert picture.rgb == colours, (size, kinds)
    good = noise(5, 4).png()
    for i in range(len(good)):
        for bad in (good[:i], good[:i] + bytes([good[i] ^ 4]) + good[i + 1:]):
            try:
                read_png(bad)
            except PictureError:
                continue
            raise AssertionError(f'damage at byte {i} is not found')


def frame_file(pixels, body, width, height, rows='top', alpha=0):
    return (f'sgpu-frame 1\nkind read\nsurface 0\nnumber 3\nsize {width} {height}\n'
            f'pixels {pixels}\nalpha {alpha}\nrows {rows}\n\n').encode() + body


def check_frames():
    """Files of the driver: order of rows, alpha, floats, integers."""
    body = bytes(range(24))
    top = read_frame(frame_file('rgba8', body, 2, 3))[1]
    bottom = read_frame(frame_file('rgba8', body[16:] + body[8:16] + body[:8], 2, 3, 'bottom'))[1]
    assert top.rgb == bottom.rgb == bytes(v for v in body if v % 4 != 3) and top.alpha is None
    assert read_frame(frame_file('rgba8', body, 2, 3, alpha=1))[1].alpha == body[3::4]
    values = [0.0, 1.0, 0.5, 1.0, float('nan'), -3.0, 7.0, 1.0]
    picture = read_frame(frame_file('rgba32f', struct.pack('<8f', *values), 2, 1))[1]
    assert picture.rgb == bytes([0, 255, 128, 0, 0, 255]) and picture.rest_hash != '-'
    picture = read_frame(frame_file('rgba32i', struct.pack('<4i', -5, 70, 300, 0), 1, 1))[1]
    assert picture.rgb == bytes([0, 70, 255])
    assert read_frame(frame_file('r8', b'\x05', 1, 1))[1].rgb == b'\x05\x05\x05'
    for bad in (b'', b'sgpu-frame 2\n\n', frame_file('rgba8', body[1:], 2, 3)):
        try:
            read_frame(bad)
        except PictureError:
            continue
        raise AssertionError('a damaged frame is read')


def check_differences():
    """Differences against a comparison byte by byte, and the time for a large picture."""
    for alpha in (False, True):
        one, two = noise(23, 17, alpha), noise(23, 17, alpha)
        found = Difference(one, two)
        size, a = one.interleaved()
        b = two.interleaved()[1]
        assert found.bytes == bytes(abs(x - y) for x, y in zip(a, b))
        assert found.largest == max(found.bytes)
        assert found.count == sum(any(found.bytes[i:i + size])
                                  for i in range(0, len(a), size))
    data = bytearray(3 * 40 * 30)
    one = Picture(40, 30, bytes(data))
    data[3 * (40 * 7 + 11) + 1], data[3 * (40 * 20 + 5)] = 3, 1
    found = Difference(one, Picture(40, 30, bytes(data)))
    assert (found.count, found.largest) == (2, 3)
    assert (found.box(), found.first()) == ((5, 7, 7, 14), (11, 7))
    shown = found.picture().rgb
    assert shown[3 * (40 * 7 + 11) + 1] == 255 and shown[3 * (40 * 20 + 5)] >= 64
    assert Difference(one, one).box() == (0, 0, 0, 0)

    one, two = noise(1920, 1080), noise(1920, 1080)
    start = time.process_time()
    again = read_png(one.png())
    Difference(again, two).picture().png()
    seconds = time.process_time() - start
    print(f'1920x1080: written, read, compared and shown in {seconds:.2f} s')
    assert seconds < 15, 'too slow'


def expect(function, *arguments):
    """Returns the text of the error that a function raises."""
    try:
        function(*arguments)
    except GoldenError as error:
        return str(error)
    raise AssertionError('no error')


def make(folder, count=3):
    manifest, pictures = Manifest(), [noise(6, 4, True) for _ in range(count)]
    manifest.version, manifest.command = '1.2.3', ['a program', '-x', "it's"]
    manifest.options, manifest.environment = {'frames': '0-2'}, ['A=b c']
    manifest.frames = [frame_of(str(i), picture) for i, picture in enumerate(pictures)]
    golden_files.write_golden(folder, manifest, pictures, None)
    return manifest


def check_manifests(folder):
    """Manifests: written and read, each line missing or damaged; pictures that do not fit."""
    golden = os.path.join(folder, 'golden')
    path = os.path.join(golden, 'golden.txt')
    wrote, read = make(golden), golden_files.read_manifest(golden)
    assert read.text() == wrote.text() and read.command == ['a program', '-x', "it's"]
    with open(path, encoding='utf-8') as file:
        lines = file.read().splitlines(True)
    for i, line in enumerate(lines):
        if line.startswith(('#', 'sgpu', 'format', 'option', 'environment')):
            continue
        for bad in ('', line[:-9] + '\n', 'other\n', line + line):
            with open(path, 'w', encoding='utf-8') as file:
                file.write(''.join(lines[:i] + [bad] + lines[i + 1:]))
            if bad and line.startswith('command'):
                continue
            assert 'damaged' in expect(golden_files.read_manifest, golden), (line, bad)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(''.join(lines))
    picture = os.path.join(golden, 'frame-1.png')
    with open(picture, 'rb') as file:
        good = file.read()
    for bad, text in ((good[:-20], 'cut off'), (b'x' * 50, 'not a PNG'),
                      (noise(6, 4, True).png(), 'does not have the pixels')):
        with open(picture, 'wb') as file:
            file.write(bad)
        assert text in expect(golden_files.read_golden, golden, read.frames[1])
    os.unlink(picture)
    assert 'cannot be read' in expect(golden_files.read_golden, golden, read.frames[1])
    assert 'golden record' in expect(golden_files.read_manifest, os.path.join(folder, 'no'))


def check_writing(folder):
    """A full disk and a folder that cannot be written leave what was there."""
    golden = os.path.join(folder, 'kept')
    before = make(golden).text()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40, limits[1]))
    try:
        assert 'cannot be written' in expect(make, golden)
        assert 'cannot be written' in expect(golden_files.write_whole,
                                             os.path.join(folder, 'page.html'), b'x' * 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert golden_files.read_manifest(golden).text() == before
    assert sorted(os.listdir(folder)) == ['golden', 'kept'], os.listdir(folder)
    assert 'cannot be written' in expect(make, '/proc/golden')
    # Former pictures are kept, and something else of that name stays.
    after = make(golden).text()
    assert golden_files.read_manifest(golden + '.old').text() == before
    os.unlink(os.path.join(golden + '.old', 'golden.txt'))
    assert 'move it away' in expect(make, golden)
    assert golden_files.read_manifest(golden).text() == after


def check_reports():
    """Pages and JUnit files with names and texts that need quotes."""
    report = golden_report.Report('dir/<a> & "b"', ['pro<gram>', '--x="&'])
    one, two = noise(8, 6), noise(8, 6)
    report.results = [
        golden_report.Result('0', 'same', 'the same'),
        golden_report.Result('1', 'differs', 'a < b & c', one, two, Difference(one, two)),
        golden_report.Result('2', 'missing', 'no frame', one),
        golden_report.Result('3', 'more', 'a frame', None, two),
    ]
    report.first_draw = 'draw 3: <x> \x1b[31m'
    report.warnings = ['version & "version"']
    page = golden_report.page(report)
    assert '<a>' not in page and 'a &lt; b &amp; c' in page and page.count('<img ') == 7
    suite = xml.dom.minidom.parseString(golden_report.junit(report)).documentElement
    assert [suite.getAttribute(name) for name in ('tests', 'failures', 'errors')] == ['4', '3', '0']
    report.results, report.error = [], 'ended by SIGSEGV\x00'
    suite = xml.dom.minidom.parseString(golden_report.junit(report)).documentElement
    assert len(suite.getElementsByTagName('error')) == 1


def main():
    random.seed(1)
    check_pictures()
    check_frames()
    check_differences()
    with tempfile.TemporaryDirectory() as folder:
        check_manifests(folder)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'golden'))
        check_writing(folder)
    check_reports()


sys.exit(main())
