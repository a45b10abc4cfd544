# SPDX-License-Identifier: MIT
"""Runs the microbenchmarks of the Tesla chip, and computes numbers from the results."""

import json
import subprocess
import sys
from collections import namedtuple

# Relative difference up to which a peak counts as met, and a number as unchanged.
SHARE = 0.01
# Footprints in KiB from which the sizes of caches are found.
FOOTPRINTS = {'texture': (1, 2, 4, 5, 6, 7, 8, 16, 32, 64, 128, 192, 256, 384),
              'constant': (1, 2, 4, 8, 9, 10, 12, 16, 24, 32),
              'code': (1, 2, 4, 5, 6, 8, 16, 32)}

# Differences between the two sizes of a benchmark, and the counters of its larger size.
Run = namedtuple('Run', 'amount cycles sm_cycles units')


def die(text):
    sys.exit(f'sgpu: {text}')


class Simulator:
    """Runs the tool, which prints its progress."""

    def __init__(self, tool, threads):
        self.command = [tool, '--microbenchmark', 'tesla', '--json', '-']
        if threads:
            self.command += ['--threads', str(threads)]
        self.cycles = 0

    def run(self, *arguments):
        """Returns the parameters, and the points in order: (changes, {benchmark: Run}).  Omits
        benchmarks that the machine of a point cannot run."""
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
        self.runs = {}          # {benchmark: Run}
        self.numbers = {}       # {name: number} for names in published.toml
        self.others = {}        # the same with the parameters of [[value]] in published.toml
        self.sensitivity = []   # (changes, numbers) for each changed parameter


def rates(parameters, runs):
    """Returns the amount per second of each benchmark."""
    hz = parameters['chip']['core_mhz'] * 1e6
    return {name: run.amount * hz / run.cycles for name, run in runs.items() if run.cycles}


def clocks(runs):
    """Returns the SP clocks per unit of the amount of each benchmark."""
    return {name: 2 * run.sm_cycles / run.amount for name, run in runs.items()}


def compression(run, path):
    """Returns the ratio of sectors of tiles that were written back to those written to memory."""
    counts = run.units[f'rop-{path}']
    written = counts['written-sectors']
    return (written + counts['write-saved']) / written if written else 1


def size(found, name):
    """Returns the size of a cache: the largest footprint with the access time of the smallest."""
    footprints = [kib for kib in FOOTPRINTS[name] if f'{name}-{kib}' in found]
    least = found[f'{name}-{footprints[0]}']
    largest = footprints[0]
    for kib in footprints:
        if found[f'{name}-{kib}'] > least * 1.1:
            break
        largest = kib
    return largest


def second_size(found, name):
    """Returns the size of the next cache level, found in the same way."""
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
    """Returns {name: number} for all names that published.toml can use, if their runs exist."""
    rate, each = rates(parameters, runs), clocks(runs)
    found = {f'{name} rate': value for name, value in rate.items()}
    found |= {f'{name} clocks': value for name, value in each.items()}
    found |= {f'{name} per clock': run.amount / run.cycles for name, run in runs.items()
              if run.cycles}
    # Lanes per SP clock of an SM.
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
    """Runs all measurements except the sensitivity."""
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
    """Returns the names of the numbers that the page draws conclusions from."""
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
    """Returns true if a peak is reached and not exceeded."""
    return abs(ours / peak['published'] - 1) <= peak.get('about', SHARE)


def ends(entry):
    """Returns the ends of the range that was measured on hardware."""
    published = entry['published']
    return published if isinstance(published, list) else (published, published)


def middle(entry):
    return sum(ends(entry)) / 2


def error(entry, ours):
    """Returns the relative error of a number that was measured on hardware; 0 within its range."""
    low, high = ends(entry)
    return ours / high - 1 if ours > high else ours / low - 1 if ours < low else 0.0
