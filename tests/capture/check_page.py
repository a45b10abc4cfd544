#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `sgpu inspect`: checks its data, which is JSON, and loads the page
in headless Chromium.  Its script must run without an error and list each draw,
and all pictures must be decodable.  Without Chromium, the test is skipped after
the check of the data.

usage: check_page.py SGPU-CAP FILE.sgcap OUT.html [DRAW=FRAGMENTS...]

DRAW counts from 0.  Its number of fragments may differ by 1.5 %.
"""

import base64
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile

from PIL import Image

SKIPPED = 77


def array(page, name):
    begin = page.index(f'const {name} = [') + len(f'const {name} = ')
    return json.loads(page[begin:page.index('];\n', begin) + 1])


def page_items(tool, capture, out, *options):
    subprocess.run([tool, 'inspect', *options, '-o', out, capture], check=True)
    with open(out, encoding='utf-8') as f:
        return array(f.read(), 'items')


def decoded(url):
    data = io.BytesIO(base64.b64decode(url.partition(',')[2]))
    return Image.open(data).convert('RGBA')


def check_targets(tool, capture, items, pictures):
    """The target after each draw, as the page composes it, must be the picture of
    `replay --until-draw`."""
    with tempfile.TemporaryDirectory() as folder:
        last = max(i['draw'] for i in items if 'draw' in i)
        subprocess.run([tool, 'replay', '--until-draw', str(last), '--png', folder, capture],
                       check=True, stdout=subprocess.DEVNULL)
        targets, patched = {}, 0
        for number, item in enumerate(items):
            if 'whole' in item:
                targets[number] = decoded(pictures[item['whole']])
            elif 'base' in item:
                targets[number] = targets.pop(item['base'])
                if 'patch' in item:
                    picture, x, y = item['patch']
                    targets[number].alpha_composite(decoded(pictures[picture]), (x, y))
                    patched += 1
            if 'draw' not in item:
                continue
            wanted = Image.open(f'{folder}/draw-{item["draw"]:06}.png').convert('RGB')
            if wanted.tobytes() != targets[number].convert('RGB').tobytes():
                sys.exit(f'draw {item["draw"]}: its target differs')
    print(f'{patched} targets are patches of others')


def shown(chromium, page, budget):
    """The attributes of the page's body after `budget` milliseconds of virtual time."""
    with tempfile.TemporaryDirectory() as profile:
        dom = subprocess.run(
            [chromium, '--headless=new', '--no-sandbox', '--disable-gpu',
             '--disable-dev-shm-usage', '--dump-dom',
             f'--user-data-dir={profile}', f'--virtual-time-budget={budget}', f'file://{page}'],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, encoding='utf-8').stdout
    return re.search(r'<body([^>]*)>', dom).group(1)


def main():
    tool, capture, out = sys.argv[1:4]
    subprocess.run([tool, 'inspect', '-o', out, capture], check=True)
    with open(out, encoding='utf-8') as f:
        page = f.read()
    if re.search(r'(src|href)="?(http|//)', page):
        sys.exit('the page needs the network')

    items, texts, pictures = (array(page, n) for n in ('items', 'texts', 'pictures'))
    maps = array(page, 'maps')
    draws = [i for i in items if 'draw' in i]
    if not draws or not maps:
        sys.exit('no draws or no maps')
    for item in draws:
        if item['counters'].get('draws') != 1:
            sys.exit(f'draw {item["draw"]}: its counters are not those of one draw')
    for item in items:
        if item['picture'] >= len(pictures) or any(s >= len(texts) for s in item['state']):
            sys.exit(f'{item["name"]}: an index is out of range')
    if not any(d['fragments'] > 0 and d['primitives'] > 0 for d in draws):
        sys.exit('no draw has a fragment')
    if any(d['picture'] >= 0 and 'fragments' not in d for d in draws):
        sys.exit('a draw with a target has no maps')
    for wanted in sys.argv[4:]:
        number, fragments = (int(n) for n in wanted.split('='))
        found = draws[number]['fragments']
        if abs(found - fragments) > 0.015 * fragments:
            sys.exit(f'draw {number} has {found} fragments instead of {fragments}')
    for url in pictures:
        if not base64.b64decode(url.partition(',')[2]).startswith(b'\x89PNG'):
            sys.exit('a picture is not a PNG file')

    check_targets(tool, capture, items, pictures)
    part = page_items(tool, capture, out, '--draws', f'1-{len(draws) - 1}')
    if [i['draw'] for i in part if 'draw' in i] != [i['draw'] for i in draws[1:]]:
        sys.exit('--draws shows other draws')
    subprocess.run([tool, 'inspect', '-o', out, capture], check=True)

    chromium = shutil.which('chromium')
    if not chromium:
        print(f'{len(items)} items, {len(pictures)} pictures; there is no '
              'Chromium to show the page')
        sys.exit(SKIPPED)
    last = max(n for n, item in enumerate(items) if 'draw' in item)
    composed = f'data-composed="{last}"'
    # Virtual time does not wait for the threads that decode pictures.  They may need a
    # longer budget.
    for budget in 10000, 100000, 1000000:
        body = shown(chromium, out, budget)
        if 'data-error' in body:
            sys.exit(f'the script ends with an error: {body}')
        if composed in body:
            break
    if composed not in body:
        sys.exit(f'the target of the last draw is not shown: {body}')
    if f'data-items="{len(items)}"' not in body or 'data-broken="0"' not in body:
        sys.exit(f'not all items or pictures are shown: {body}')
    print(f'{len(items)} items, {len(pictures)} pictures, seen by Chromium')


if __name__ == '__main__':
    main()
