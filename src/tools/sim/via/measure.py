# SPDX-License-Identifier: MIT
"""Runs the microbenchmarks of the execution unit."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

QUEUES = (1, 2, 4, 8)
LATENCIES = (1, 3, 7, 15)
FIFOS = (1, 2, 4, 8, 16)
CONST_LATENCIES = (2, 8)
CONTEXTS = (1, 2, 4)
VERSIONS = (1, 2, 4, 8)
# Minimum share of the cycles that a mechanism must save to have an effect.
SHARE = 0.01


def run(tool, sets=(), sweeps=(), sensitivity=False, captures=()):
    """Returns the points in order: (changes, {work: counters}).  With captures, the works are
    their frames."""
    command = [tool, '--quiet', '--json', '-', '--microbenchmark', 'via', *captures]
    for value in sets:
        command += ['--set', value]
    for value in sweeps:
        command += ['--sweep', value]
    if sensitivity:
        command.append('--sensitivity')
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f'sgpu: {" ".join(command)}: status {result.returncode}\n{result.stderr}')
    return [(p['changes'], {b['work']: b for b in p['benchmarks']})
            for p in json.loads(result.stdout)['points']]


def gains(claim, on, off):
    """Returns {work: ratio of the cycles without the mechanism to those with it}.  A claim may
    compare another counter.
    """
    counter = claim.get('measure', 'cycles')
    return {work: off[work][counter] / on[work][counter] for work in on}


def verdict(claim, gain):
    """Returns a verdict on whether the mechanism makes the works of the claim faster."""
    about = [gain[work] for work in claim['works']]
    if min(about) >= 1 + SHARE:
        return 'holds'
    if max(about) >= 1 + SHARE:
        return 'holds in part'
    return 'reversed' if min(about) < 1 - SHARE else 'no effect'


class Measured:
    """All results."""

    def __init__(self):
        self.claims = []        # (claim, works with it, works without it, gains)
        self.programs = []      # the same with frames of captures as works
        self.queues = {}        # {(latency, depth): works}
        self.fifos = {}         # {(latency, depth): works}
        self.contexts = {}      # {number of contexts: works}
        self.versions = {}      # {number of versions: works}
        self.sensitivity = {}   # {id of the claim: [(key=value, verdict that differs)]}
        self.assumed = 0        # number of points for the sensitivity


class Runs:
    """Runs the tool on threads.  Runs with the same arguments run only once."""

    def __init__(self, tool, threads):
        self.tool = tool
        self.pool = ThreadPoolExecutor(threads or os.cpu_count())
        self.futures = {}

    def cycles(self):
        """Returns the sum of cycles of all runs, which must have ended."""
        return sum(work['cycles'] for future in self.futures.values()
                   for _, works in future.result() for work in works.values())

    def start(self, sets=(), sweeps=(), **options):
        key = repr((list(sets), list(sweeps), options))
        if key not in self.futures:
            self.futures[key] = self.pool.submit(run, self.tool, sets, sweeps, **options)
        return self.futures[key]

    def pairs(self, claims, **options):
        """Returns (claim, run with the mechanism, run without it) for each claim, as futures."""
        return [(c, self.start(c.get('base', []), **options),
                 self.start(c.get('base', []) + c['off'], **options)) for c in claims]


def changed_verdicts(claim, base, off):
    """Returns (change, verdict) for each change of an assumed parameter."""
    without = {json.dumps(changes): works for changes, works in off}
    changed = [line.split('=')[0] for line in claim['off']]
    found = []
    for changes, works in base[1:]:
        if any(key in changed for key in changes) or json.dumps(changes) not in without:
            continue
        text = ', '.join(f'{key}={value}' for key, value in changes.items())
        found.append((text, verdict(claim, gains(claim, works, without[json.dumps(changes)]))))
    return found


def compared(futures):
    found = []
    for claim, on, off in futures:
        with_it, without = on.result()[0][1], off.result()[0][1]
        found.append((claim, with_it, without, gains(claim, with_it, without)))
    return found


def sweep(key, values):
    return f'eu.{key}={",".join(map(str, values))}'


def measure(runs, claims, captures):
    """Runs all measurements except the sensitivity.  Without captures, there are no programs."""
    measured = Measured()
    by_hand = runs.pairs(claims)
    queues = runs.start(sweeps=[sweep('fetch_latency', LATENCIES), sweep('queue', QUEUES)])
    fifos = runs.start(sweeps=[sweep('const_latency', CONST_LATENCIES), sweep('const_fifo', FIFOS)])
    contexts = runs.start(sweeps=[sweep('contexts', CONTEXTS)])
    versions = runs.start(sweeps=[sweep('versions', VERSIONS)])
    programs = runs.pairs(claims, captures=captures) if captures else []

    measured.claims = compared(by_hand)
    measured.programs = compared(programs)
    keys = [(latency, depth) for latency in LATENCIES for depth in QUEUES]
    measured.queues = {k: p[1] for k, p in zip(keys, queues.result())}
    keys = [(latency, depth) for latency in CONST_LATENCIES for depth in FIFOS]
    measured.fifos = {k: p[1] for k, p in zip(keys, fifos.result())}
    measured.contexts = {n: p[1] for n, p in zip(CONTEXTS, contexts.result())}
    measured.versions = {n: p[1] for n, p in zip(VERSIONS, versions.result())}
    return measured


def measure_sensitivity(runs, measured):
    changed = runs.pairs([claim for claim, _, _, _ in measured.claims], sensitivity=True)
    for (claim, base, off), (_, _, _, gain) in zip(changed, measured.claims):
        found = changed_verdicts(claim, base.result(), off.result())
        measured.assumed += len(found)
        measured.sensitivity[claim['id']] = [(text, v) for text, v in found
                                             if v != verdict(claim, gain)]
