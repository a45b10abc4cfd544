#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a gears program on sgpu and checks its picture: three gears in their colours on black,
each at its position and with a plausible number of pixels.

usage: check_gears.py SGPU PROGRAM [ARGUMENT...]"""

import os
import subprocess
import sys
import tempfile

from picture import read_png

# minimum and maximum share of the pixels of the 300x300 window, with a margin for the rotation
SHARES = {
    'red': (0.14, 0.30),
    'green': (0.03, 0.12),
    'blue': (0.03, 0.12),
    'black': (0.50, 0.80),
}
# mean position of each gear's pixels, as fractions of the window's size
MIDDLES = {'red': (0.35, 0.65), 'green': (0.69, 0.55), 'blue': (0.32, 0.25)}


def colour_of(pixel):
    strongest = max(pixel)
    if strongest < 16:
        return 'black'
    return ('red', 'green', 'blue')[pixel.index(strongest)]


def main(sgpu, command):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'gears.png')
        subprocess.run([sgpu, 'run', '--frames', '20', '--screenshot', path,
                        '--', *command], check=True)
        width, height, pixels = read_png(path)

    assert (width, height) == (300, 300), f'the picture is {width}x{height}'
    places = {name: [] for name in SHARES}
    for i, pixel in enumerate(pixels):
        places[colour_of(pixel)].append((i % width, i // width))
    errors = 0
    for name, (low, high) in SHARES.items():
        share = len(places[name]) / len(pixels)
        print(f'{name}: {share:.3f} of the picture')
        if not low <= share <= high:
            print(f'   expected {low} to {high}')
            errors += 1
    for name, middle in MIDDLES.items():
        if not places[name]:
            continue
        found = (sum(x for x, _ in places[name]) / len(places[name]) / width,
                 sum(y for _, y in places[name]) / len(places[name]) / height)
        print(f'{name}: in the middle {found[0]:.2f}, {found[1]:.2f}')
        if max(abs(a - b) for a, b in zip(found, middle)) > 0.05:
            print(f'   expected {middle[0]}, {middle[1]}')
            errors += 1
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2:]))
