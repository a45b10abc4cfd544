#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grids and memory that programs write, in sgpu inspect and reduce.

For each capture, the contents that `inspect --raw` writes must differ in as many words as
the page reports.  `reduce --grids` must make a capture whose picture has the same words,
also on other devices.  For captures of scenes of tests/traces/gl_scenes_compute.c, the
results of their programs are checked, too.

usage: check_grids.py SGPU-CAP FOLDER-OF-CAPTURES
"""

import glob
import os
import re
import struct
import subprocess
import sys
import tempfile

from PIL import Image

from check_page import page_items

DEVICES = [('1', 'inorder'), ('4', 'ooo+split+break')]


def words(data):
    return struct.unpack(f'<{len(data) // 4}I', data[:len(data) // 4 * 4])


def contents(folder, number, text, when):
    """The contents of a binding before or after an item, or as it read them; or None."""
    unit = re.match(r'([A-Z ]+), (\w+)\[(\d+)\]', text)
    name = (f'{unit[1].lower().replace(" ", "-")}-{unit[2]}{unit[3]}' if unit else
            'handle' + re.search(r'handle (\d+)', text)[1])
    path = f'{folder}/{number:04}-{name}-{when}.bin'
    if not os.path.exists(path):
        return None
    with open(path, 'rb') as f:
        return f.read()


def written(folder, number, item):
    """The words that the item writes; each binding begins at a multiple of 4 words."""
    data = b''
    for binding in item['memory']:
        before = contents(folder, number, binding['text'], 'before')
        after = contents(folder, number, binding['text'], 'after')
        if 'changed' not in binding:
            assert before is None and contents(folder, number, binding['text'], 'read'), binding
            continue
        changed = sum(a != b for a, b in zip(words(before), words(after), strict=True))
        assert changed == binding['changed'], (binding, changed)
        data += after + bytes(-len(after) % 16)
    return data


def check_reduce(tool, capture, folder, grid, data):
    small, pictures = f'{folder}/small.sgcap', f'{folder}/pictures'
    subprocess.run([tool, 'reduce', '--force', '--grids', str(grid), '-o', small, capture],
                   check=True, stdout=subprocess.DEVNULL)
    for threads, policy in DEVICES:
        subprocess.run([tool, 'replay', '--png', pictures, '--threads', threads, '--dispatch',
                        policy, small], check=True, stdout=subprocess.DEVNULL)
    path, = glob.glob(f'{pictures}/*.png')
    with Image.open(path) as picture:
        rgb = picture.convert('RGB').tobytes()
    os.unlink(path)
    wanted = b''.join(data[i:i + 3] for i in range(0, len(data), 4))
    assert rgb[:len(wanted)] == wanted and not any(rgb[len(wanted):]), f'{capture}: grid {grid}'
    text = subprocess.run([tool, 'decode', small], check=True, stdout=subprocess.PIPE,
                          encoding='utf-8').stdout
    assert len(re.findall('^[0-9a-f]{6}: GRID$', text, re.M)) == 1, f'{capture}: grid {grid}'
    assert 'DRAW' not in re.findall('^[0-9a-f]{6}: ([A-Z]+)', text, re.M)


def binding_of(item, name):
    return next(b['text'] for b in item['memory'] if b['text'].startswith(name))


def check_scene(name, items, folder):
    grids = [(n, i) for n, i in enumerate(items) if 'grid' in i]
    draws = [(n, i) for n, i in enumerate(items) if 'draw' in i]
    if name == 'grids':
        assert [i['group'] for _, i in grids] == [[64, 1, 1], [32, 1, 1], [16, 8, 1]]
        assert [i['indirect'] for _, i in grids] == [False, True, False]
        assert grids[0][1]['groups'] == [8, 1, 1] and grids[2][1]['groups'] == [6, 10, 1]
        # The list that the first grid writes, in the order of its invocations.
        number, item = grids[0]
        listed = words(contents(folder, number, binding_of(item, 'COMPUTE, buf[1]'), 'after'))
        count = listed[4]
        assert list(listed[:4]) == [(count + 31) // 32, 1, 1, 0] == grids[1][1]['groups'] + [0]
        assert 100 < count < 512 and list(listed[8:8 + count]) == sorted(set(listed[8:8 + count]))
        # The numbers that the second grid adds to the image of 96x80 texels, for each entry.
        number, item = grids[1]
        heat = words(contents(folder, number, binding_of(item, 'COMPUTE, img[0]'), 'after'))
        particles = contents(folder, number, binding_of(item, 'COMPUTE, buf[0]'), 'read')
        total = 0
        for i in listed[8:8 + count]:
            x, y = struct.unpack_from('<2f', particles, i * 16)
            x, y = int((x * 0.5 + 0.5) * 96), int((y * 0.5 + 0.5) * 80)
            total += sum(24 // (1 + a * a + b * b) for a in (-1, 0, 1) for b in (-1, 0, 1)
                         if 0 <= x + a < 96 and 0 <= y + b < 80)
        assert sum(heat) == total, (sum(heat), total)
        assert 'memory' in draws[1][1]
    if name == 'stores':
        # The vertex program counts its invocations, so it must not have run for the page's maps.
        number, item = draws[0]
        assert 'fragments' not in item
        counts = contents(folder, number, binding_of(item, 'PIXEL, buf[0]'), 'after')
        vertices, fragments, most, _ = words(counts.ljust(16, b'\0'))
        image = words(contents(folder, number, binding_of(item, 'PIXEL, img[0]'), 'after'))
        assert (vertices, fragments, most) == (60, sum(image), max(image)), (vertices, fragments)
        latest = words(contents(folder, number, binding_of(item, 'PIXEL, img[1]'), 'after'))
        assert all((n == 0) == (v == 0) and (n == 0 or v // 100 == n - 1)
                   for n, v in zip(image, latest, strict=True))
        assert 'changed' not in draws[1][1]['memory'][0]
    if name == 'patches':
        number, item = grids[0]
        levels = struct.unpack('<16f', contents(folder, number, item['memory'][0]['text'],
                                                'after'))
        assert [round((v - 1) / 0.6) for v in levels] == [(i * 5 + 3) % 16 for i in range(16)]
        assert binding_of(draws[0][1], 'TESS CTRL, buf[0]')
    if name == 'handles':
        assert [b['text'].split(':')[0] for b in grids[0][1]['memory']] == \
            [f'image of handle {n}' for n in
             sorted(int(re.search(r'handle (\d+)', b['text'])[1]) for b in grids[0][1]['memory'])]
        assert len(grids[0][1]['memory']) == 6 and len(draws[0][1]['textures']) >= 6
    return len(grids)


def main(tool, captures):
    for name in ('grids', 'stores', 'patches', 'handles'):
        capture = os.path.join(captures, name + '.sgcap')
        with tempfile.TemporaryDirectory() as folder:
            items = page_items(tool, capture, f'{folder}/page.html', '--raw', folder)
            count = 0
            for number, item in enumerate(items):
                if 'memory' in item:
                    data = written(folder, number, item)
                if 'grid' in item:
                    assert item['grid'] == count and data
                    check_reduce(tool, capture, folder, count, data)
                    count += 1
            assert check_scene(name, items, folder) == count
            print(f'{name}: {len(items)} items, {count} grids')


if __name__ == '__main__':
    main(*sys.argv[1:])
