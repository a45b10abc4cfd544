#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that sgpu replay, decode, diff and reduce agree with each other about captures.

usage: check_tools.py SGPU-CAP FOLDER-OF-CAPTURES
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOOL, CAPTURES = sys.argv[1:3]
SCRATCH = tempfile.mkdtemp()
FAILURES = []


def run(status, *arguments):
    """Runs a command and checks its exit status.  Returns stdout and stderr."""
    done = subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, encoding='utf-8', errors='replace')
    if done.returncode != status:
        FAILURES.append(arguments)
        print(f'{arguments}: status {done.returncode}, expected {status}:\n{done.stdout[-2000:]}')
    return done.stdout


def expect(good, text):
    if not good:
        FAILURES.append(text)
        print(text)


def scratch(name):
    return os.path.join(SCRATCH, name)


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def check_decode(capture):
    """Checks that text and JSON have the same packets.  Returns the number of draws."""
    text = run(0, 'decode', capture)
    names = re.findall(r'^[0-9a-f]{6}: ([A-Z ]+)$', text, re.M)
    records = json.loads(run(0, 'decode', '--json', capture))
    packets = [p for r in records if r['record'] == 'SUBMIT' for p in r['packets']]
    expect([n for n in names if n != 'END'] == [p['packet'] for p in packets],
           f'{capture}: JSON has other packets than the text')
    for kind in ('draw', 'grid'):
        numbers = [p[kind] for p in packets if kind in p]
        expect(numbers == list(range(len(numbers))), f'{capture}: {kind}s are not numbered in JSON')
    expect(text.count('(grid ') == names.count('GRID') == len(numbers), f'{capture}: grids')
    assembly = ''.join(p['assembly'] for p in packets if 'assembly' in p)
    expect(re.findall(r'^ *(!!SG.*|END)$', text, re.M) ==
           re.findall(r'^ *(!!SG.*|END)$', assembly, re.M), f'{capture}: JSON has other programs')
    contents = [(r['size'], r['hash']) for r in records if r['record'] == 'DATA']
    expect([(int(a), b) for a, b in re.findall(r'^DATA .* (\d+) bytes ([0-9a-f]{16})$', text,
                                              re.M)] == contents and contents,
           f'{capture}: JSON has other contents')
    draws = names.count('DRAW') + names.count('DRAW INDIRECT')
    expect(text.count('(draw ') == draws and f'(draw {draws - 1})' in text,
           f'{capture}: draws are not numbered')
    expect(re.search(r'!!SG[VF]P1\.0', text), f'{capture}: no program')
    unknown = re.findall(r'Address: 0x(?!0+$)[0-9a-f]+$', text, re.M)
    expect(not unknown, f'{capture}: {len(unknown)} addresses that are nothing')
    return draws


def check_reduce(capture, first, draw):
    """Compares the target after the chosen draws, by reduce and by replay --until-draw."""
    small, pictures = scratch('reduced.sgcap'), scratch('pictures')
    out = run(0, 'reduce', '--draws', f'{first}-{draw}', '-o', small, capture)
    hash_ = re.search(r'hash ([0-9a-f]{16})', out)
    replayed = run(0, 'replay', '--hash', '--threads', '1', '--dispatch', 'inorder',
                   '--png', pictures, small)
    expect(hash_ and hash_.group(1) in replayed, f'{capture}: the reduced one has another hash')
    run(0, 'replay', '--until-draw', str(draw), '--png', pictures, capture)
    frames = [n for n in os.listdir(pictures) if n.startswith('frame-')]
    one = read(os.path.join(pictures, f'draw-{draw:06}.png'))
    expect(len(frames) == 1 and read(os.path.join(pictures, frames[0])) == one,
           f'{capture}: draw {draw} looks otherwise in the one from {first} on')
    names = re.findall(r'^[0-9a-f]{6}: DRAW(?: INDIRECT)?$', run(0, 'decode', small), re.M)
    expect(len(names) == draw - first + 1, f'{capture}: {len(names)} draws in the reduced one')
    expect('are equal' in run(0, 'diff', small, small), 'a capture differs from itself')
    os.unlink(small)
    shutil.rmtree(pictures)


def check_diff(capture, draws):
    """Compares two captures, one of which has one more draw, and two equal captures."""
    first, second = scratch('a.sgcap'), scratch('b.sgcap')
    run(0, 'reduce', '--draws', f'0-{draws - 2}', '-o', first, capture)
    run(0, 'reduce', '--draws', f'0-{draws - 1}', '-o', second, capture)
    out = run(1, 'diff', '--threads', '1', first, second)
    expect(re.search(r'submission 0, packet \d+ differs:\n.*a\.sgcap:\n   no more packets\n'
                     r'.*b\.sgcap:\n   [A-Z]', out), f'{capture}: diff does not name the packet')
    expect(re.search(r'picture of frame \d+ differs\n   first at pixel \d+,\d+', out),
           f'{capture}: diff does not name the pixel')
    shutil.copy(first, second)
    out = run(0, 'diff', first, second)
    expect('submissions are equal' in out and '1 pictures are equal' in out,
           f'{capture}: diff of equal ones:\n{out}')
    os.unlink(first)
    os.unlink(second)


def check_damage(capture):
    whole, broken = read(capture), scratch('broken.sgcap')
    for data, text in ((whole[:len(whole) // 2], 'offset'),
                       (whole[:300] + b'\x55' + whole[301:], 'offset'),
                       (whole[:8] + b'\x09' + whole[9:], 'offset'), (b'', 'not a capture')):
        with open(broken, 'wb') as f:
            f.write(data)
        for command in ('replay', 'decode', 'inspect', 'reduce'):
            extra = {'inspect': ['-o', scratch('x.html')],
                     'reduce': ['--draws', '999999', '-o', scratch('x.sgcap')]}.get(command, [])
            expect(text in run(1, command, *extra, broken), f'{command}: no {text}')
    os.unlink(broken)


def check_replay(capture, draws):
    out = run(0, 'replay', '--draws', f'0-{draws // 2}', '--hash', capture)
    expect('differs' not in out and '0 of 0' in out, 'hashes of some draws are compared')
    out = run(0, 'replay', '--counters', capture)
    counters = dict(re.findall(r'^(\w+) +(\d+) ', out, re.M))
    expect(counters['draws'] == str(draws), 'the counter of draws')
    expect(int(counters['operations']) >= draws and int(counters['entries']) > 0, 'counters')
    out = run(0, 'replay', '--loop', '3', capture)
    expect(len(re.findall('^loop', out, re.M)) == 3 and 'median' in out, f'loop:\n{out}')
    frame = int(re.search(r'^frame (\d+)', run(0, 'replay', '--hash', capture)).group(1))
    expect(' 1 pictures' in run(0, 'replay', '--frames', str(frame), capture), 'frames')
    expect('has frames from' in run(1, 'replay', '--frames', str(frame + 99), capture), 'frames')
    expect('no such frame' in run(1, 'replay', '--frames', '0-1', capture), 'frames')
    for option in ('--draws', '--until-draw'):
        expect(f'the file has {draws}' in run(1, 'replay', option, str(draws), capture), option)
    expect('/dev/null' in run(2, 'replay', '--png', '/dev/null/x', capture), 'folder')
    expect('Not a directory' in run(1, 'replay', '--png', '/dev/null', capture), 'picture')
    folder = scratch('limited')
    for limited in (('replay', '--png', folder, capture),
                    ('inspect', '-o', os.devnull, '--raw', folder,
                     os.path.join(CAPTURES, 'grids.sgcap'))):
        out = run(1, *limited, '--max-disk', '0')
        expect(out.count('more than 0 MiB would be written; --max-disk') == 1, f'{limited}: {out}')
        expect(not os.listdir(folder), f'{limited}: files beyond the limit')
    expect('--max-disk x' in run(2, 'replay', '--max-disk', 'x', capture), 'number of MiB')
    with open('/dev/full', 'wb') as full:
        done = subprocess.run([TOOL, 'decode', capture], stdout=full, stderr=subprocess.PIPE,
                              check=False)
        expect(done.returncode == 1 and b'No space' in done.stderr, 'decode to a full disk')
    out = run(0, 'replay', '--memory', capture)
    expect(len(re.findall(r'^\w+#\d+ \d+ bytes [0-9a-f]{16}$', out, re.M)) > 4, 'memory')
    expect('only 0 grids' in run(1, 'reduce', '--grids', '0', '-o', scratch('x.sgcap'), capture),
           'reduce without a grid')
    copy = scratch('copy.sgcap')
    run(0, 'replay', '--write', copy, capture)
    expect(run(0, 'decode', copy) == run(0, 'decode', capture), 'the written capture is another')
    expect(' 0 of ' in run(0, 'replay', copy), 'hashes of the written capture')
    expect('File exists' in run(2, 'replay', '--write', copy, capture), 'an old file')
    expect('--loop' in run(2, 'replay', '--loop', '2', '--write', copy, capture), 'part')
    run(2, 'replay', '--nonsense', capture)
    run(2, 'replay', '--dispatch', 'nonsense', capture)
    run(1, 'replay', '/nonexistent.sgcap')


def main():
    for name in ('gears', 'desktop', 'shadow', 'indirect', 'grids', 'stores', 'patches', 'handles'):
        capture = os.path.join(CAPTURES, name + '.sgcap')
        draws = check_decode(capture)
        for draw in {0, draws // 2, draws - 1}:
            check_reduce(capture, draw, draw)
    # Queries that begin before the draws and end between them, for an indirect draw.
    capture = os.path.join(CAPTURES, 'carried.sgcap')
    draws = check_decode(capture)
    for first in (0, 1, 3, 5, 9):
        for last in {2, 10, draws - 1}:
            if first <= last:
                check_reduce(capture, first, last)
    capture = os.path.join(CAPTURES, 'gears.sgcap')
    draws = check_decode(capture)
    check_diff(os.path.join(CAPTURES, 'es2gears.sgcap'), 3)
    check_damage(capture)
    check_replay(capture, draws)
    if FAILURES:
        sys.exit(f'{len(FAILURES)} failures')
    print('ok')


if __name__ == '__main__':
    try:
        main()
    finally:
        shutil.rmtree(SCRATCH)
