# SPDX-License-Identifier: MIT
"""The chip of Lindholm and others (IEEE Micro, 2008): peak rates of microbenchmarks on the whole
chip, published measurements of real hardware compared with those of the model, and the sensitivity
of both to assumed parameters.

usage: sgpu sim --experiment tesla [--out DIR] [--few] [--threads N]

  --out DIR    writes DIR/tesla.md and DIR/tesla/*.svg (default: docs)
  --few        omits the sensitivity to assumed parameters
  --threads N  number of runs at once (default: number of CPUs)

Needs Debian's python3-matplotlib.
"""

from collections import namedtuple

from sim_experiment import ends, verdict

# Differences between the two sizes of a benchmark; `units` has the counters for the larger size.
Run = namedtuple('Run', 'amount cycles sm_cycles units')


def add_options(_):
    pass


class Measured:
    """All results. Numbers are in the form that numbers() returns."""

    def __init__(self):
        self.parameters = None
        self.numbers = {}       # numbers for the default parameters
        self.others = {}        # numbers for the values of [[setting]] in published.toml
        self.sensitivity = []   # list of (changes, numbers)


def rates(parameters, runs):
    """Returns the amount of work per second for each benchmark."""
    hz = parameters['chip']['core_mhz'] * 1e6
    return {name: run.amount * hz / run.cycles for name, run in runs.items() if run.cycles}


def clocks(runs):
    """Returns the SP clocks per unit of work for each benchmark."""
    return {name: 2 * run.sm_cycles / run.amount for name, run in runs.items()}


def compression(run, path):
    """Returns the compression ratio of tiles: the number of sectors before compression, divided
    by the number of sectors that were written to memory."""
    counts = run.units[f'rop-{path}']
    written = counts['written-sectors']
    return (written + counts['write-saved']) / written if written else 1


def size(found, name, footprints):
    """Returns the size of a cache in KiB: the largest footprint whose accesses are not slower."""
    largest = footprints[0]
    for kib in footprints:
        if found[f'{name}-{kib}'] > found[f'{name}-{footprints[0]}'] * 1.1:
            break
        largest = kib
    return largest


def second_size(found, name, footprints):
    """Returns the size of the next cache level in KiB, determined in the same way as in size()."""
    first = size(found, name, footprints)
    rest = [kib for kib in footprints if kib >= 2 * first]
    return size(found, name, rest) if rest else first


def numbers(data, parameters, runs):
    """Returns {name: number} for the names in published.toml whose benchmarks have been run."""
    rate, each = rates(parameters, runs), clocks(runs)
    found = {f'{name} rate': value for name, value in rate.items()}
    found |= {f'{name} clocks': value for name, value in each.items()}
    found |= {f'{name} per clock': run.amount / run.cycles for name, run in runs.items()
              if run.cycles}
    # Number of lanes that an SM executes per SP clock.
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
    for name, footprints in data['footprints'].items():
        if all(f'{name}-{kib}' in each for kib in footprints):
            found[f'{name} size'] = size(each, name, footprints)
            found[f'{name} second'] = second_size(each, name, footprints)
    if 'chase-shared-16' in each:
        found['conflict clocks'] = (each['chase-shared-16'] - each['chase-shared-1']) / 15
    return found


def runs_of(point):
    """Returns {benchmark: Run} for a point, without benchmarks that its machine can't run."""
    found = {}
    for benchmark in point['benchmarks']:
        found.setdefault(benchmark['name'], []).append(benchmark)
    return {name: Run(*(b[key] - a[key] for key in ('amount', 'cycles', 'sm_cycles')),
                      b.get('units'))
            for name, (a, b) in found.items() if 'error' not in a and 'error' not in b}


def measure(e):
    """Returns all results except for the sensitivity."""
    measured = Measured()
    data = e.run(e.data['run']['default'], what='all', quiet=False)
    measured.parameters = data['parameters']
    measured.numbers = numbers(e.data, data['parameters'], runs_of(data['points'][0]))
    settings = {'set': [f'{setting["key"]}={setting["value"]}' for setting in e.data['setting']]}
    data = e.run(settings, what='latencies of hardware', quiet=False)
    measured.others = numbers(e.data, data['parameters'], runs_of(data['points'][0]))
    return measured


def hardware(data):
    """Returns the entries of all values that were measured on hardware."""
    return [row for group in data['hardware'] for row in group['rows']]


def names(data):
    """Returns the names of the numbers that the page compares with published values."""
    return [entry['ours'] for entry in (*data['peak'], *data['other'], *hardware(data))]


def measure_sensitivity(e, measured):
    data = e.run(e.data['run']['sensitivity'], what='sensitivity', quiet=False)
    for point in data['points'][1:]:
        own = {section: dict(keys) for section, keys in data['parameters'].items()}
        for key, value in point['changes'].items():
            section, name = key.split('.')
            own[section][name] = value
        measured.sensitivity.append((point['changes'], numbers(e.data, own, runs_of(point))))


def met(data, peak, ours):
    """Returns True if a peak rate is reached but not exceeded."""
    return verdict(peak, [ours], data['share']) == 'met'


def ours_of(entry, numbers):
    """Returns the measured number for an entry, in the unit of the entry."""
    return numbers[entry['ours']] / entry.get('scale', 1)


def middle(entry):
    return sum(ends(entry)) / 2


def error(entry, ours):
    """Returns the relative error of `ours` compared to the value on hardware, or 0 if inside its
    range."""
    low, high = ends(entry)
    return ours / high - 1 if ours > high else ours / low - 1 if ours < low else 0.0
