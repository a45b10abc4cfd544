#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Shows the pages webgl1.html and tests/programs/webgl2.html in browsers of Debian, and compares
# the hashes of their pictures with expected.json.
#
#    tests/web/check_web.py [--out DIR] puppeteer|playwright|firefox|headless-gl...
#    tests/web/check_web.py --measure [--rounds N]
#
# Writes a picture of each page to DIR.  npm installs the packages of package-lock.json in DIR the
# first time.  --measure prints frames per second of Chromium on sgpu, llvmpipe and SwiftShader.
# headless-gl is an npm package that must be compiled: docs/ci.md.
#
# The exit status is 77 if a program or the network is missing.

import argparse
import filecmp
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SGPU = os.path.join(TOP, 'sgpu')
WEBGL1 = os.path.join(HERE, 'webgl1.html')
WEBGL2 = os.path.join(TOP, 'tests/programs/webgl2.html')
SKIPPED = 77
NO_X, X = False, True

# Each way has a name, the driver of the browser, whether there is an X server, and arguments.
WAYS = {
    'puppeteer': [('chromium-egl', 'puppeteer', NO_X, ['--use-angle=gl-egl']),
                  ('chromium-x11', 'puppeteer', X, ['--headful'])],
    'playwright': [('playwright-egl', 'playwright', NO_X, ['--use-angle=gl-egl'])],
    'firefox': [('firefox-x11', 'firefox', X, [])],
}
# Arguments and environment for each driver of --measure.
DRIVERS = {
    'sgpu': (['--use-angle=gl-egl'], None),
    'llvmpipe': (['--use-angle=gl-egl', '--ignore-gpu-blocklist'], {'LIBGL_ALWAYS_SOFTWARE': '1'}),
    'swiftshader': (['--use-angle=swiftshader', '--enable-unsafe-swiftshader'], {}),
}


class Missing(Exception):
    """Something that the test needs is not installed."""


def program(*names):
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    raise Missing(f'there is no {names[0]}')


def install(out):
    """Installs the packages of package-lock.json in the folder, unless they are there."""
    lock = os.path.join(HERE, 'package-lock.json')
    stamp = os.path.join(out, 'node_modules', 'installed-lock.json')
    if os.path.exists(stamp) and filecmp.cmp(lock, stamp, shallow=False):
        return
    npm = program('npm')
    for name in 'package.json', 'package-lock.json':
        shutil.copy(os.path.join(HERE, name), out)
    run = subprocess.run([npm, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], cwd=out,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    if run.returncode:
        raise Missing(f'npm ci fails in {out}, is there a network?\n{run.stdout[-2000:]}')
    shutil.copy(lock, stamp)


def clean_env(home):
    """Returns the environment of this process without displays and drivers."""
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(('LIBGL_', 'GALLIUM_', '__GLX_', '__EGL_', 'LD_LIBRARY_'))
           and name not in ('DISPLAY', 'WAYLAND_DISPLAY', 'EGL_PLATFORM')}
    os.makedirs(home, mode=0o700, exist_ok=True)
    return env | {'HOME': home, 'XDG_RUNTIME_DIR': home}


def sgpu_env():
    text = subprocess.run([SGPU, 'env'], stdout=subprocess.PIPE, check=True, text=True).stdout
    return dict(re.findall(r"^export (\w+)='(.*)'$", text, re.MULTILINE))


def show(out, way, url, with_x, args, env, shot=''):
    """Shows a page.  Returns what browsers.mjs printed."""
    if way == 'firefox':
        env = env | {'FIREFOX': program('firefox-esr', 'firefox')}
    else:
        env = env | {'CHROMIUM': program('chromium', 'google-chrome')}
    command = [program('node'), os.path.join(HERE, 'browsers.mjs'), out, way, url, *args]
    if with_x:
        command = [SGPU, 'run', '--', *command]
    run = subprocess.run(command, env=env | {'SGPU_SHOT': shot}, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, text=True, check=False)
    try:
        return json.loads(run.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return {'messages': [f'program: FAIL status {run.returncode}'], 'vendor': '',
                'renderer': '', 'launch': 0, 'page': 0}


def found(messages, pattern):
    for text in messages:
        match = re.search(pattern, text)
        if match:
            return match[1]
    return None


def check_browser(name, way, with_x, args, out):
    """Shows both pages.  Returns the number of faults."""
    with open(os.path.join(HERE, 'expected.json'), encoding='utf-8') as file:
        expected = json.load(file)
    env = clean_env(os.path.join(out, f'home-{name}'))
    if not with_x:
        env |= sgpu_env()
    faults = 0
    for page, query in (WEBGL1, ''), (WEBGL2, '?frames=20'):
        title = os.path.basename(page)
        shot = os.path.join(out, f'{name}-{title.partition(".")[0]}.png')
        seen = show(out, way, f'file://{page}{query}', with_x, args, env, shot)
        messages = seen['messages']
        picture = found(messages, r'^program: picture (\w+)$')
        problems = [text for text in messages if text.startswith('program: FAIL')]
        if 'sgpu' not in f'{seen["vendor"]} {seen["renderer"]}':
            problems.append(f'the renderer is not sgpu: "{seen["renderer"]}"')
        if picture and picture != expected[title]:
            problems.append(f'the picture is {picture}, not {expected[title]}: see {shot}')
        if not picture and not problems:
            problems.append('the page does not end')
        print(f'{name}, {title}: {seen["renderer"]}, picture {picture}, start {seen["launch"]} ms, '
              f'page {seen["page"]} ms', flush=True)
        for problem in problems:
            print(f'   {problem}', flush=True)
        faults += len(problems)
    return faults


def check_headless_gl(out):
    """Draws the scene of webgl1.html in Node.js.  Returns the number of faults."""
    modules = os.environ.get('SGPU_HEADLESS_GL', '')
    if not os.path.isdir(os.path.join(modules, 'gl')):
        raise Missing('SGPU_HEADLESS_GL names no node_modules folder with the package gl')
    env = clean_env(os.path.join(out, 'home-headless-gl')) | {'NODE_PATH': modules}
    script = os.path.join(HERE, 'headless_gl.cjs')
    run = subprocess.run([SGPU, 'run', '--', program('node'), script], env=env,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                         check=False)
    with open(os.path.join(HERE, 'expected.json'), encoding='utf-8') as file:
        expected = json.load(file)['webgl1.html']
    print('headless-gl: ' + ', '.join(run.stdout.splitlines()), flush=True)
    return int(found(run.stdout.splitlines(), r'picture (\w+)$') != expected)


def measure(out, rounds, frames):
    """Prints frames per second of webgl2.html and the time until the picture is there."""
    fps = {name: [] for name in DRIVERS}
    first = {name: [] for name in DRIVERS}
    home = os.path.join(out, 'home-measure')
    for _ in range(rounds):
        for name, (args, extra) in DRIVERS.items():
            env = clean_env(home) | (sgpu_env() if extra is None else extra)
            for count, values in (frames, fps[name]), (1, first[name]):
                seen = show(out, 'puppeteer', f'file://{WEBGL2}?frames={count}', NO_X, args, env)
                speed = found(seen['messages'], r'frame \d+, (\S+) frames')
                if not speed:
                    print(f'{name}: {seen["messages"]}', flush=True)
                elif count == 1:
                    values.append(seen['launch'] + seen['page'])
                else:
                    values.append(float(speed))
    for name in DRIVERS:
        if fps[name] and first[name]:
            print(f'{name}: {statistics.median(fps[name]):.2f} frames a second '
                  f'({min(fps[name]):.2f} to {max(fps[name]):.2f}), first picture after '
                  f'{statistics.median(first[name]):.0f} ms')
    return 0


def main():
    parser = argparse.ArgumentParser(usage='check_web.py [--out DIR] WAY... | --measure')
    parser.add_argument('--out', default=os.path.join(TOP, 'build', 'web'))
    parser.add_argument('--measure', action='store_true')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--frames', type=int, default=20)
    parser.add_argument('way', nargs='*', choices=[*WAYS, 'headless-gl', []])
    args = parser.parse_args()
    if not args.way and not args.measure:
        parser.error('a way is missing')
    out = os.path.abspath(args.out)
    os.makedirs(out, exist_ok=True)
    faults = 0
    try:
        if args.measure or set(args.way) & set(WAYS):
            install(out)
        if args.measure:
            faults += measure(out, args.rounds, args.frames)
        for name in args.way:
            if name == 'headless-gl':
                faults += check_headless_gl(out)
            for way in WAYS.get(name, []):
                faults += check_browser(*way, out)
    except Missing as reason:
        print(f'skipped: {reason}')
        return SKIPPED
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
