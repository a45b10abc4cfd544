#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs gl_scenes with several numbers of threads, with each dispatch policy and with a shuffling
scheduler.  Its pictures and the values of its queries must not change, and the values must match
the drawn primitives.

usage: check_scenes.py SGPU GL_SCENES"""

import math
import os
import re
import subprocess
import sys

FRAMES = 6
SCENES = ['samples', 'samples8', 'window', 'feedback', 'geometry', 'queries', 'carried',
          'indirect', 'grids', 'stores', 'patches', 'handles']
SETTINGS = [
    {'SGPU_THREADS': '1', 'SGPU_DISPATCH': 'inorder'},
    {'SGPU_THREADS': '2', 'SGPU_DISPATCH': 'ooo'},
    {'SGPU_THREADS': '4', 'SGPU_DISPATCH': 'ooo+split+break'},
    {'SGPU_THREADS': '4', 'SGPU_DEBUG': 'shuffle=1'},
]
# Buffers of gl_scenes_stages.c have space for 1200 particles.  The seeds determine how many
# particles each one becomes in the next step.
ROOM = 1200


def particles(frames):
    """Yields (primitives generated, primitives written) of each frame."""
    seeds = [i * 2654435761 & 0xffffffff for i in range(256)]
    for frame in range(frames):
        numbers = [(seed * 1664525 + 1013904223) & 0xffffffff for seed in seeds]
        copies = [number >> 30 for number in numbers]
        seeds = [number ^ (i * 0x9e3779b9 & 0xffffffff)
                 for number, count in zip(numbers, copies) for i in range(count)]
        # In the first frame, all particles are drawn once more while feedback is paused.
        yield len(seeds) * (2 if frame == 0 else 1), min(len(seeds), ROOM)
        seeds = seeds[:ROOM]


def pixels(x, y, half):
    """Returns the window's pixels whose centres lie in a square of the scene `queries`.  No edge
    passes through a centre."""
    def cells(middle, size):
        return range(max(0, math.ceil((middle - half + 1) * size / 2 - 0.5)),
                     min(size, math.ceil((middle + half + 1) * size / 2 - 0.5)))
    return {(i, j) for i in cells(x, 200) for j in cells(y, 160)}


def samples(frame):
    """Yields the values of a frame's queries: one for each box, and one for all that is drawn."""
    hidden = pixels(0.3 * (frame % 4) - 0.4, 0.1, 0.5)
    drawn = 0
    for i in range(24):
        place = (i % 6) * 0.35 - 0.9, (i // 6) * 0.5 - 0.75
        seen = len(pixels(*place, 0.12) - hidden)
        drawn += len(pixels(*place, 0.15)) if seen else 0
        yield seen if i & 1 else int(seen > 0)
    yield drawn


def main(sgpu, program):
    bad = 0
    for scene in SCENES:
        outputs = [subprocess.run([sgpu, 'run', '--', program, scene, str(FRAMES)],
                                  env=dict(os.environ, **setting), check=True,
                                  stdout=subprocess.PIPE, encoding='utf-8').stdout
                   for setting in SETTINGS]
        assert outputs[0].count('frame') == FRAMES, outputs[0]
        for output, setting in zip(outputs, SETTINGS):
            if output != outputs[0]:
                print(f'{scene} with {setting}:\n{output}instead of\n{outputs[0]}')
                bad = 1
        # Each frame of a scene must be different.
        assert len(set(re.findall('^frame.* (.*)', outputs[0], re.M))) == FRAMES or \
            scene == 'queries', outputs[0]
        if scene == 'queries':
            found = [int(value) for value in re.findall('samples (.*)', outputs[0])]
            wanted = [value for frame in range(FRAMES) for value in samples(frame)]
            assert found == wanted, (found, wanted)
        if scene == 'carried':
            # two primitives per square, at the end of the previous frame and at the start of the
            # next one
            found = [int(value) for value in re.findall('primitives (.*)', outputs[0])]
            assert found == [2 * ((frame - 1) % 4 + 1 + frame % 3 + 2)
                             for frame in range(1, FRAMES)], found
        if scene == 'feedback':
            found = re.findall(r'generated (\d+)\n.*written (\d+)', outputs[0])
            wanted = [(str(a), str(b)) for a, b in particles(FRAMES)]
            assert found == wanted, (found, wanted)
            assert int(found[-1][0]) > ROOM
        print(f'{scene}: the same with {len(SETTINGS)} settings')
    return bad


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
