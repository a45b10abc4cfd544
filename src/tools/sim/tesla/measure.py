# SPDX-License-Identifier: MIT
"""Runs the microbenchmarks of the Tesla chip, and makes numbers of them."""

import json
import subprocess
import sys
from collections import namedtuple

# A peak is met if the rate is within this of it, and a number changes if it does by more.
SHARE = 0.01
# Footprints that sizes of caches are found with, in KiB.
FOOTPRINTS = {'texture': (1, 2, 4, 5, 6, 7, 8, 16, 32, 64, 128, 192, 256, 384),
              'constant': (1, 2, 4, 8, 9, 10, 12, 16, 24, 32),
              'code': (1, 2, 4, 5, 6, 8, 16, 32)}

# What a benchmark did beyond its smaller size, and the counters of its larger one.
Run = namedtuple('Run', 'amount cycles sm_cycles units')


def die(text):
    sys.exit(f'sgpu: {text}')


class Simulator:
    """Runs the tool, which tells its progress."""

    def __init__(self, tool, threads):
        self.command = [tool, '--microbenchmark', 'tesla', '--json', '-']
        if threads:
            self.command += ['--threads', str(threads)]
        self.cycles = 0

    def run(self, *arguments):
        """The parameters, and the points in their order: (changes, {benchmark: Run}).  A benchmark
        that a point's machine cannot run is missing."""
        command = [*self.command, *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            die(f'{" ".join(command)}: status {done.returncode}')
        data = json.loads(done.stdout)
        points = []
        for point in data['points']:
            found = {}
            for benchmark in point['benchmarks']:
                self.cycles += benchmark.get('cycles', 0)
                found.setdefault(benchmark['name'], []).append(benchmark)
            points.append((point['changes'], {
                name: Run(*(b[key] - a[key] for key in ('amount', 'cycles', 'sm_cycles')),
                          b.get('units'))
                for name, (a, b) in found.items() if 'error' not in a and 'error' not in b}))
        return data['parameters'], points


class Measured:
    """All results."""

    def __init__(self):
        self.parameters = None
        self.runs = {}          # benchmark -> Run
        self.numbers = {}       # what published.toml names
        self.others = {}        # numbers with the values of published.toml's [[value]]
        self.sensitivity = []   # (changes, numbers)


def rates(parameters, runs):
    """Amounts a second, by benchmark."""
    hz = parameters['chip']['core_mhz'] * 1e6
    return {name: run.amount * hz / run.cycles for name, run in runs.items() if run.cycles}


def clocks(runs):
    """SP clocks of a unit of the amount, by benchmark."""
    return {name: 2 * run.sm_cycles / run.amount for name, run in runs.items()}


def compression(run, path):
    """Sectors of tiles that were written back over those that went to memory."""
    counts = run.units[f'rop-{path}']
    written = counts['written-sectors']
    return (written + counts['write-saved']) / written if written else 1


def size(found, name):
    """The largest footprint of a cache: at it an access takes as long as at the smallest."""
    footprints = [kib for kib in FOOTPRINTS[name] if f'{name}-{kib}' in found]
    least = found[f'{name}-{footprints[0]}']
    largest = footprints[0]
    for kib in footprints:
        if found[f'{name}-{kib}'] > least * 1.1:
            break
        largest = kib
    return largest


def second_size(found, name):
    """The same of the cache behind it."""
    first = size(found, name)
    rest = [kib for kib in FOOTPRINTS[name] if kib >= 2 * first]
    if not rest:
        return first
    base, largest = found[f'{name}-{rest[0]}'], rest[0]
    for kib in rest:
        if found[f'{name}-{kib}'] > base * 1.1:
            break
        largest = kib
    return largest


def numbers(parameters, runs):
    """{name: number} of all that published.toml can name, as far as it was run."""
    rate, each = rates(parameters, runs), clocks(runs)
    found = {f'{name} rate': value for name, value in rate.items()}
    found |= {f'{name} clocks': value for name, value in each.items()}
    found |= {f'{name} per clock': run.amount / run.cycles for name, run in runs.items()
              if run.cycles}
    # Lanes of a SM in an SP clock.
    found |= {f'{name} lanes': 1 / value for name, value in each.items()
              if name.startswith('throughput-')}

    def ratio(name, a, b):
        if a in rate and b in rate:
            found[name] = rate[a] / rate[b]

    ratio('double depth', 'depth', 'color')
    if 'aniso' in rate and 'bilinear' in rate:
        found['aniso speed'] = rate['aniso'] / 2 / rate['bilinear']
    ratio('fp16 speed', 'bilinear16', 'bilinear')
    ratio('blend speed', 'blend', 'color')
    ratio('conflicts', 'chase-shared-1', 'chase-shared-16')
    for path in 'depth', 'color':
        if 'samples' in runs and runs['samples'].units:
            found[f'{path} compression'] = compression(runs['samples'], path)
    for name, footprints in FOOTPRINTS.items():
        if all(f'{name}-{kib}' in each for kib in footprints):
            found[f'{name} size'] = size(each, name)
            found[f'{name} second'] = second_size(each, name)
    if 'chase-shared-16' in each:
        found['conflict clocks'] = (each['chase-shared-16'] - each['chase-shared-1']) / 15
    return found


def measure(sim, published):
    """All but the sensitivity."""
    measured = Measured()
    measured.parameters, points = sim.run()
    measured.runs = points[0][1]
    measured.numbers = numbers(measured.parameters, measured.runs)
    sets = [part for value in published['value']
            for part in ('--set', f'{value["key"]}={value["value"]}')]
    parameters, points = sim.run(*sets)
    measured.others = numbers(parameters, points[0][1])
    return measured


def names(published):
    """The numbers that the page has a conclusion about."""
    return [p['ours'] for p in (*published['peak'], *published['other'], *published['hardware'])
            if 'ours' in p]


def measure_sensitivity(sim, published, measured):
    parameters, points = sim.run('--sensitivity')
    for changes, runs in points[1:]:
        own = {section: dict(keys) for section, keys in parameters.items()}
        for key, value in changes.items():
            section, name = key.split('.')
            own[section][name] = value
        measured.sensitivity.append((changes, numbers(own, runs)))


def met(peak, ours):
    """Whether a peak is reached; it is also not exceeded."""
    return abs(ours / peak['published'] - 1) <= peak.get('about', SHARE)


def ends(entry):
    """Of the range that was measured on hardware."""
    published = entry['published']
    return published if isinstance(published, list) else (published, published)


def middle(entry):
    return sum(ends(entry)) / 2


def error(entry, ours):
    """Relative, of a number that was measured on hardware; 0 within its range."""
    low, high = ends(entry)
    return ours / high - 1 if ours > high else ours / low - 1 if ours < low else 0.0
