#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `sgpu inspect` in headless Chromium: its script runs without an
error, lists each draw, and all of its pictures can be decoded.  Without
Chromium: its data alone, as JSON.

usage: check_page.py SGPU-CAP FILE.sgcap OUT.html [DRAW=FRAGMENTS...]

DRAW counts from 0; of its fragments 1.5 % more or less may be there.
"""

import base64
import json
import re
import shutil
import subprocess
import sys
import tempfile


def array(page, name):
    begin = page.index(f'const {name} = [') + len(f'const {name} = ')
    return json.loads(page[begin:page.index('];\n', begin) + 1])


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
    for item in items:
        if item['picture'] >= len(pictures) or any(s >= len(texts) for s in item['state']):
            sys.exit(f'{item["name"]}: an index beyond the end')
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
            sys.exit('a picture is no PNG')

    chromium = shutil.which('chromium')
    if not chromium:
        print(f'{len(items)} items, {len(pictures)} pictures; no chromium')
        return
    with tempfile.TemporaryDirectory() as profile:
        dom = subprocess.run(
            [chromium, '--headless=new', '--no-sandbox', '--disable-gpu',
             '--disable-dev-shm-usage', '--dump-dom',
             f'--user-data-dir={profile}', '--virtual-time-budget=10000', f'file://{out}'],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, encoding='utf-8').stdout
    body = re.search(r'<body([^>]*)>', dom).group(1)
    if 'data-error' in body:
        sys.exit(f'the script ends with an error: {body}')
    if f'data-items="{len(items)}"' not in body or 'data-broken="0"' not in body:
        sys.exit(f'not all is there: {body}')
    print(f'{len(items)} items, {len(pictures)} pictures, seen by Chromium')


if __name__ == '__main__':
    main()
