# SPDX-License-Identifier: MIT
"""The chip of Lindholm and others (IEEE Micro, 2008): its peaks by microbenchmarks on the whole
chip, published measurements of real hardware beside the model's, and how far both rest on assumed
parameters.

usage: sgpu sim --experiment tesla [--out DIR] [--few] [--threads N]

  --out DIR    writes DIR/tesla.md and DIR/tesla/*.svg (default: docs)
  --few        without the sensitivity to assumed parameters
  --threads N  runs at once (default: the CPUs)

Needs Debian's python3-matplotlib.
"""

from collections import namedtuple

from sim_experiment import ends, verdict

# Differences between the two sizes of a benchmark, and the counters of its larger size.
Run = namedtuple('Run', 'amount cycles sm_cycles units')


def add_options(_):
    pass


class Measured:
    """All results."""

    def __init__(self):
        self.parameters = None
        self.numbers = {}       # what published.toml names
        self.others = {}        # numbers with the values of published.toml's [[setting]]
        self.sensitivity = []   # (changes, numbers)


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


def size(found, name, footprints):
    """The largest footprint of a cache: at it an access takes as long as at the smallest."""
    largest = footprints[0]
    for kib in footprints:
        if found[f'{name}-{kib}'] > found[f'{name}-{footprints[0]}'] * 1.1:
            break
        largest = kib
    return largest


def second_size(found, name, footprints):
    """The same of the cache behind it."""
    first = size(found, name, footprints)
    rest = [kib for kib in footprints if kib >= 2 * first]
    return size(found, name, rest) if rest else first


def numbers(data, parameters, runs):
    """{name: number} of all that published.toml can name, as far as it was run."""
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
    for name, footprints in data['footprints'].items():
        if all(f'{name}-{kib}' in each for kib in footprints):
            found[f'{name} size'] = size(each, name, footprints)
            found[f'{name} second'] = second_size(each, name, footprints)
    if 'chase-shared-16' in each:
        found['conflict clocks'] = (each['chase-shared-16'] - each['chase-shared-1']) / 15
    return found


def runs_of(point):
    """{benchmark: Run} of a point.  A benchmark that its machine cannot run is missing."""
    found = {}
    for benchmark in point['benchmarks']:
        found.setdefault(benchmark['name'], []).append(benchmark)
    return {name: Run(*(b[key] - a[key] for key in ('amount', 'cycles', 'sm_cycles')),
                      b.get('units'))
            for name, (a, b) in found.items() if 'error' not in a and 'error' not in b}


def measure(e):
    """All but the sensitivity."""
    measured = Measured()
    data = e.run(e.data['run']['default'], what='all', quiet=False)
    measured.parameters = data['parameters']
    measured.numbers = numbers(e.data, data['parameters'], runs_of(data['points'][0]))
    settings = {'set': [f'{setting["key"]}={setting["value"]}' for setting in e.data['setting']]}
    data = e.run(settings, what='latencies of hardware', quiet=False)
    measured.others = numbers(e.data, data['parameters'], runs_of(data['points'][0]))
    return measured


def hardware(data):
    """All values that were measured on hardware."""
    return [row for group in data['hardware'] for row in group['rows']]


def names(data):
    """The numbers that the page has a conclusion about."""
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
    """Whether a peak is reached; it is also not exceeded."""
    return verdict(peak, [ours], data['share']) == 'met'


def ours_of(entry, numbers):
    """The number of an entry, in its unit."""
    return numbers[entry['ours']] / entry.get('scale', 1)


def middle(entry):
    return sum(ends(entry)) / 2


def error(entry, ours):
    """Returns the relative error of a number that was measured on hardware; 0 within its range."""
    low, high = ends(entry)
    return ours / high - 1 if ours > high else ours / low - 1 if ours < low else 0.0
