# SPDX-License-Identifier: MIT
"""The claims of US 8,564,604: compares the execution unit with and without each mechanism.

usage: sgpu sim --experiment via [--captures DIR] [--out DIR] [--few] [--threads N]

  --captures DIR captures of programs (default: tests/captures)
  --out DIR      writes DIR/via.md and DIR/via/*.svg (default: docs)
  --few          omits captures and the sensitivity to assumed parameters
  --threads N    number of runs at once (default: number of CPUs)

Needs Debian's python3-matplotlib.
"""

import os
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

from sim_experiment import TOP, by_value

# A claim with its id and results. The results {work: counters} are with (`on`) and without (`off`)
# the mechanism. `gains` is the result of gains().
Compared = namedtuple('Compared', 'id claim on off gains')


def add_options(parser):
    parser.add_argument('--captures', default=os.path.join(TOP, 'tests/captures'))


class Measured:
    """All results. A sweep is {values: works}, and works are {name: counters}."""

    def __init__(self, runs):
        self.runs = runs
        self.claims = []       # list of Compared
        self.programs = []     # list of Compared, with frames of captures as works
        self.sweeps = {}       # {name of a run in the data file: sweep}
        self.sensitivity = {}  # {claim id: [(key=value, verdict)]} for verdicts that differ
        self.assumed = 0       # number of points in the sensitivity run


class Runs:
    """Runs the simulator on threads. Identical runs are executed only once."""

    def __init__(self, e):
        self.e = e
        self.pool = ThreadPoolExecutor(e.args.threads or os.cpu_count())
        self.futures = {}

    def start(self, what, run, *arguments):
        """Starts a run. Returns a future for its points."""
        key = repr((run, arguments))
        if key not in self.futures:
            self.futures[key] = self.pool.submit(
                lambda: self.e.run(run, *arguments, what=what, threads=1)['points'])
        return self.futures[key]

    def pairs(self, *arguments):
        """Starts the runs for all claims. Returns [(id, claim, future with, future without the
        mechanism)]."""
        return [(name, c, self.start(name, {'set': c.get('base', [])}, *arguments),
                 self.start(f'{name}, off', {'set': c.get('base', []) + c['off']}, *arguments))
                for name, c in self.e.data['claim'].items()]


def works(point):
    return {b['work']: b for b in point['benchmarks']}


def gains(claim, on, off):
    """Returns {work: gain}, where the gain is cycles without the mechanism divided by cycles with
    it. A claim may compare a different counter instead of cycles."""
    counter = claim.get('measure', 'cycles')
    return {work: off[work][counter] / on[work][counter] for work in on}


def holds(claim, gain, share):
    """Returns a verdict: whether all or some of the claim's works have gains above 1 + share."""
    about = [gain[work] for work in claim['works']]
    if min(about) >= 1 + share:
        return 'holds'
    if max(about) >= 1 + share:
        return 'holds in part'
    return 'reversed' if min(about) < 1 - share else 'no effect'


def compared(futures):
    found = []
    for name, claim, *both in futures:
        on, off = (works(future.result()[0]) for future in both)
        found.append(Compared(name, claim, on, off, gains(claim, on, off)))
    return found


def measure(e):
    """Returns all results except for the sensitivity. With --few, doesn't run captures."""
    runs = Runs(e)
    measured = Measured(runs)
    by_hand = runs.pairs()
    sweeps = {name: runs.start(name, run) for name, run in e.data['run'].items()}
    captures = [os.path.join(e.args.captures, name + '.sgcap') for name in e.data['programs']]
    programs = [] if e.args.few else runs.pairs(*captures)
    measured.claims = compared(by_hand)
    measured.programs = compared(programs)
    measured.sweeps = {name: by_value(future.result(), works) for name, future in sweeps.items()}
    return measured


def changed_verdicts(claim, base, off, share):
    """Returns [(key=value, verdict)] for the changes of assumed parameters."""
    without = {repr(point['changes']): works(point) for point in off}
    changed = [line.split('=')[0] for line in claim['off']]
    found = []
    for point in base[1:]:
        changes = point['changes']
        if any(key in changed for key in changes) or repr(changes) not in without:
            continue
        text = ', '.join(f'{key}={value}' for key, value in changes.items())
        gain = gains(claim, works(point), without[repr(changes)])
        found.append((text, holds(claim, gain, share)))
    return found


def measure_sensitivity(e, measured):
    share = e.data['share']
    futures = measured.runs.pairs('--sensitivity')
    for (name, claim, on, off), default in zip(futures, measured.claims):
        found = changed_verdicts(claim, on.result(), off.result(), share)
        measured.assumed += len(found)
        measured.sensitivity[name] = [(text, v) for text, v in found
                                      if v != holds(claim, default.gains, share)]
