# SPDX-License-Identifier: MIT
"""The experiment of Wolfe and Noonburg (MICRO-32, 1999): sixteen frames, the figures of the paper,
and the values in its text compared with measured values.

usage: sgpu sim --experiment micro32 [--frames DIR] [--modern DIR] [--out DIR] [--few]
                                     [--threads N]

  --frames DIR   captures of one frame each, NAME1.sgcap and so on
                 (default: tests/frames/micro32)
  --modern DIR   captures of other scenes, for the additional experiments
                 (default: tests/frames/modern)
  --out DIR      writes DIR/micro32.md and DIR/micro32/*.svg (default: docs)
  --few          few points, and no additional experiments
  --threads N    number of points to simulate at once (default: number of CPUs)

Needs Debian's python3-matplotlib.
"""

import os
import re
import subprocess
import tempfile
from collections import namedtuple

from sim_experiment import TOP, axis, by_value, find_captures
from sim_json import die

FRAMES = os.path.join(TOP, 'tests', 'frames', 'micro32')
# Number of accelerators in the paper's machine.
MOST = 16

# All results: the frames, and scenes of newer programs, both as lists of Frame.
Measured = namedtuple('Measured', 'frames scenes')


def add_options(parser):
    parser.add_argument('--frames', default=FRAMES)
    parser.add_argument('--modern', default=os.path.join(TOP, 'tests/frames/modern'))


class Frame:
    """A capture of one frame, and its results.

    A result is the JSON object of the frame (docs/timing.md), with the parameters of its point. A
    run with a sweep has {values: result}; other runs have a single result.
    """

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path).removesuffix('.sgcap')
        self.program = re.sub(r'\d+$', '', self.name)
        self.facts = self.picture = None
        self.windows = self.plain = self.split = self.both = self.exact = self.alone = None
        self.seeds = self.detail_plain = self.detail_split = self.proof = None
        self.beyond = {}  # results of runs that are not in the paper
        self.curves = {}  # results of the runs for a scene

    def run(self, e, runs):
        """Runs entries of the data file. Returns {run name: results}."""
        found = {}
        for name, run in runs.items():
            data = e.run(run, self.path, what=f'{self.name}: {name}')
            if len(data['frames']) != 1:
                die(f'{self.path} has {len(data["frames"])} frames, expected one')
            self.facts = data['frames'][0]
            points = by_value(data['points'], result_of)
            found[name] = points if 'sweep' in run else points[()]
        return found

    def run_all(self, e):
        """Performs the runs for Figures 11 to 18, and the runs that are not in the paper."""
        found = self.run(e, e.data['run'])
        self.proof = found.pop('proof_plain'), found.pop('proof_split')
        vars(self).update(found)
        self.plain = {count: result for (window, count), result in self.windows.items()
                      if window == max(axis(self.windows, 0))}
        for rule, result in (pair for proof in self.proof for pair in proof.items()):
            if any(result['verify']['violations'].values()):
                die(f'{self.name}: breaking.rule={rule}: the audit finds broken dependences')
        if not e.args.few:
            self.beyond = self.run(e, e.data['beyond'])
        self.picture = picture(e.args.tool, self.path)


def result_of(point):
    return dict(point['frames'][0], parameters=point['parameters'],
                accelerators=point['accelerators'], candidates=point['candidates'])


def picture(tool, path):
    """Returns the picture of the frame as the bytes of a PNG file, or None if sgpu-cap is
    missing."""
    player = os.path.join(os.path.dirname(tool), '..', 'capture', 'sgpu-cap')
    if not os.path.exists(player):
        return None
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([player, 'replay', '--png', folder, path], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, sorted(os.listdir(folder))[-1]), 'rb') as file:
            return file.read()


def measure(e):
    few, order = e.args.few, list(e.data['stand_ins'])
    frames = [Frame(path) for path in find_captures(e.args.frames)]
    frames.sort(key=lambda f: (order.index(f.program) if f.program in order else len(order),
                               f.name))
    modern = find_captures(e.args.modern) if os.path.isdir(e.args.modern) and not few else []
    scenes = [Frame(path) for path in modern]
    e.total = (len(frames) * (len(e.data['run']) + (0 if few else len(e.data['beyond']))) +
               len(scenes) * len(e.data['modern']))
    for frame in frames:
        frame.run_all(e)
    for scene in scenes:
        scene.curves = scene.run(e, e.data['modern'])
    return Measured(frames, scenes)


def weighted(results):
    """Returns the parallelism over several frames, weighted by cycles as in section 4.4."""
    return sum(r['work'] for r in results) / max(1, sum(r['cycles'] for r in results))


def gain(after, before):
    """Returns the gain in parallelism in percent."""
    return 100 * (after['tlp'] / before['tlp'] - 1)


def serial_time(detail):
    """Returns the longest time in cycles during which at most 1.5 accelerators are busy in each
    interval.
    """
    over = detail['over_time']
    longest = length = 0
    for i, busy in enumerate(over['states']['busy']):
        cycles = min(over['interval'], detail['cycles'] - i * over['interval'])
        length = length + cycles if busy <= 1.5 * cycles else 0
        longest = max(longest, length)
    return longest


def most_like_turok3(measured, program):
    """Returns the frame of the program that gains most from splitting."""
    frames = [m for m in measured if m.program == program] or measured
    return max(frames, key=lambda m: gain(m.split[MOST], m.plain[MOST]))


def programs(measured, roles):
    """Returns {program in the paper: frames of the programs that represent it}."""
    return {role: [m for m in measured if roles.get(m.program) == role]
            for role in roles.values()}


def numbers(measured, roles):
    """Returns {name of a published value: list of measured numbers}."""
    of = programs(measured, roles)
    turok = of.get('Turok 2') or measured
    like = most_like_turok3(measured, turok[0].program)
    plain = [m.plain[MOST] for m in measured]
    over = {name: [gain(m.both[MOST], m.split[MOST]) for m in of.get(name, [])]
            for name in ('FIFA 99', 'MotoRacer 2', 'Shogo', 'Turok 2')}
    means = {name: sum(g) / len(g) for name, g in over.items() if g}
    alone = [gain(m.alone[MOST], m.plain[MOST]) for m in measured]
    between = []
    if len(means) == 4:
        low, high = sorted((means['Shogo'], means['MotoRacer 2']))
        between = [low <= means['Turok 2'] <= high]
    return {
        'triangles': [m.facts['triangles'] for m in measured],
        'depth_complexity': [m.facts['depth_complexity'] for m in measured],
        'mpixels': [m.facts['pixels'] / 1e6 for m in measured],
        'tlp_mean': [weighted(plain)],
        'tlp': [r['tlp'] for r in plain],
        'speedup': [m.plain[1]['cycles'] / m.plain[MOST]['cycles'] for m in measured],
        'issue_rate': [r['slices']['slices'] / r['cycles'] for r in plain],
        'turok_plain': [like.plain[MOST]['tlp']],
        'turok_split': [like.split[MOST]['tlp']],
        'turok_gain': [like.split[MOST]['tlp'] / like.plain[MOST]['tlp']],
        'turok_serial': [serial_time(like.detail_plain) / 1e3],
        'turok_large': [worst_draw(like.detail_plain) / 1e3],
        'turok_split_gain': [max(gain(m.split[MOST], m.plain[MOST]) for m in turok)],
        'use_racing': [100 * m.both[MOST]['utilisation'] for m in of.get('MotoRacer 2', [])],
        'break_shooter': over['Shogo'],
        'break_sports': over['FIFA 99'],
        'break_turok_between': between,
        'alone_sports': [gain(m.alone[MOST], m.plain[MOST]) for m in of.get('FIFA 99', [])],
        'alone_most': [max(alone)],
        'speedup_most': [max(m.plain[1]['cycles'] / m.both[MOST]['cycles'] for m in measured)],
    }


def worst_draw(detail):
    """Returns the number of pixels in the draw that causes the most idle cycles."""
    draw = max(detail['operations'], key=lambda op: op['blocks'])
    accelerator = detail['parameters']['accelerator']
    return draw['busy'] - draw['slices'] * (accelerator['setup'] + accelerator['depth'])
