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
# A mechanism matters where it saves at least this share of the cycles.
SHARE = 0.01


def run(tool, sets=(), sweeps=(), sensitivity=False):
    """Points in their order: (changes, {work: counters})."""
    command = [tool, '--quiet', '--json', '-', '--microbenchmark', 'via']
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
    """work -> cycles, or what the claim compares, without the mechanism over those with it."""
    counter = claim.get('measure', 'cycles')
    return {work: off[work][counter] / on[work][counter] for work in on}


def verdict(claim, gain):
    """Whether the works that the claim is about are faster with the mechanism."""
    about = [gain[work] for work in claim['works']]
    if min(about) >= 1 + SHARE:
        return 'holds'
    if max(about) >= 1 + SHARE:
        return 'holds in part'
    return 'reversed' if min(about) < 1 - SHARE else 'no effect'


class Measured:
    """All results."""

    def __init__(self):
        self.claims = []        # (claim, with it, without it, gains)
        self.queues = {}        # (latency, depth) -> works
        self.fifos = {}         # (latency, depth) -> works
        self.contexts = {}      # number -> works
        self.versions = {}
        self.sensitivity = {}   # id of the claim -> [(key=value, verdict)] that differ
        self.assumed = 0        # points of it
        self.cycles = 0


def sensitivity(tool, claim):
    """The verdict at each change of an assumed parameter."""
    base = run(tool, claim.get('base', []), sensitivity=True)
    off = run(tool, claim.get('base', []) + claim['off'], sensitivity=True)
    without = {json.dumps(changes): works for changes, works in off}
    changed = [line.split('=')[0] for line in claim['off']]
    found = []
    for changes, works in base[1:]:
        if any(key in changed for key in changes) or json.dumps(changes) not in without:
            continue
        text = ', '.join(f'{key}={value}' for key, value in changes.items())
        found.append((text, verdict(claim, gains(claim, works, without[json.dumps(changes)]))))
    return found


def measure(tool, claims, few, threads):
    measured = Measured()
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        on = [pool.submit(run, tool, c.get('base', [])) for c in claims]
        off = [pool.submit(run, tool, c.get('base', []) + c['off']) for c in claims]
        queues = pool.submit(run, tool, (), (
            f'eu.fetch_latency={",".join(map(str, LATENCIES))}',
            f'eu.queue={",".join(map(str, QUEUES))}'))
        fifos = pool.submit(run, tool, (), (
            f'eu.const_latency={",".join(map(str, CONST_LATENCIES))}',
            f'eu.const_fifo={",".join(map(str, FIFOS))}'))
        contexts = pool.submit(run, tool, (), (f'eu.contexts={",".join(map(str, CONTEXTS))}',))
        versions = pool.submit(run, tool, (), (f'eu.versions={",".join(map(str, VERSIONS))}',))
        changed = [] if few else [pool.submit(sensitivity, tool, c) for c in claims]
        for claim, a, b in zip(claims, on, off):
            with_it, without = a.result()[0][1], b.result()[0][1]
            measured.claims.append((claim, with_it, without, gains(claim, with_it, without)))
        keys = [(latency, depth) for latency in LATENCIES for depth in QUEUES]
        measured.queues = {k: p[1] for k, p in zip(keys, queues.result())}
        keys = [(latency, depth) for latency in CONST_LATENCIES for depth in FIFOS]
        measured.fifos = {k: p[1] for k, p in zip(keys, fifos.result())}
        measured.contexts = {n: p[1] for n, p in zip(CONTEXTS, contexts.result())}
        measured.versions = {n: p[1] for n, p in zip(VERSIONS, versions.result())}
        for claim, future in zip(claims, changed):
            found = future.result()
            usual = verdict(claim, measured.claims[claims.index(claim)][3])
            measured.assumed += len(found)
            measured.sensitivity[claim['id']] = [(text, v) for text, v in found if v != usual]
    everything = [works for claim in measured.claims for works in claim[1:3]]
    for table in (measured.queues, measured.fifos, measured.contexts, measured.versions):
        everything += table.values()
    measured.cycles = sum(work['cycles'] for works in everything for work in works.values())
    return measured
