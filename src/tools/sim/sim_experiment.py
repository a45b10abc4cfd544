# SPDX-License-Identifier: MIT
"""Functions for all experiments: data files, runs of the simulator, and verdicts.

The data file of an experiment, published.toml, contains the published values with their sources,
and these entries:
   options   arguments of all runs
   [axis]    lists of values for sweeps, by name; [few] replaces some of them with --few
   [run]     runs by name, each with `options`, `set` (KEY=VALUE), `machine`, and `sweep` ({KEY:
             values, or the name of an axis})
   [machine] lists of KEY=VALUE, by name
   [plot]    captions of plots, by name (see finish() and Plots in sim_svg.py)
A published value has the key `published`, with a number or a range. A measured number meets it if
it is in the range, widened by the share `about`.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
import tomllib
from collections import namedtuple

from sim_json import die
from sim_page import fill, number, span

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.abspath(os.path.join(HERE, '..', '..', '..'))

# A published value, the measured values and the verdict, formatted as text.
Row = namedtuple('Row', 'place text published ours verdict cause')


class Written(float):
    """A number from a data file. `text` has the digits as written in the file, for pages."""

    def __new__(cls, text):
        value = super().__new__(cls, text)
        value.text = text
        return value


def load(name):
    """Returns the data file of an experiment."""
    with open(os.path.join(HERE, name, 'published.toml'), 'rb') as file:
        return tomllib.load(file, parse_float=Written)


def find_captures(*folders):
    """Returns {file name: path} of the captures in these directories. Earlier directories take
    precedence."""
    found = {}
    for folder in folders:
        try:
            names = sorted(os.listdir(folder))
        except OSError as error:
            die(f'{folder}: {error.strerror}')
        for name in names:
            if name.endswith('.sgcap'):
                found.setdefault(name, os.path.join(folder, name))
    if not found:
        die(f'{", ".join(folders)}: there are no captures')
    return list(found.values())


# -- published values -------------------------------------------------------------------------

def ends(entry):
    """Returns the bounds of the published range."""
    published = entry['published']
    return published if isinstance(published, list) else (published, published)


def written(value):
    """Formats a number or range with the digits of the data file."""
    if isinstance(value, list):
        return ' to '.join(written(n) for n in value)
    return getattr(value, 'text', None) or number(value, 0)


def verdict(entry, ours, about=0):
    """Returns how many of the numbers `ours` are in the published range: 'met', 'N of M', 'not met'
    or 'not measured'. The range is widened by the fraction `about`."""
    if not ours:
        return 'not measured'
    about = entry.get('about', about)
    low, high = ends(entry)
    inside = [low * (1 - about) <= n <= high * (1 + about) for n in ours]
    if all(inside):
        return 'met'
    return f'{sum(inside)} of {len(inside)}' if any(inside) else 'not met'


def compare(entries, ours):
    """Returns a Row for each published value. `ours` maps value names to measured numbers."""
    rows = []
    for name, entry in entries.items():
        found = verdict(entry, ours[name])
        rows.append(Row(entry['place'], entry['text'], written(entry['published']),
                        span(ours[name], entry.get('digits')) if ours[name] else '', found,
                        '' if found == 'met' else entry.get('cause', '')))
    return rows


def met(rows):
    """Returns the values of {{met}} and {{published}}: the number of rows that are met, and the
    total number of rows."""
    return {'met': str(sum(row.verdict == 'met' for row in rows)), 'published': str(len(rows))}


# -- runs -------------------------------------------------------------------------------------

def by_value(points, pick=lambda point: point):
    """Returns {value of the swept key, or tuple of values: result of `pick` for the point}."""
    found = {}
    for point in points:
        values = [int(v) if str(v).isdigit() else v for v in point['changes'].values()]
        found[values[0] if len(values) == 1 else tuple(values)] = pick(point)
    return found


def axis(results, i=None):
    """Returns the values of the i-th swept key, or of the only swept key, in results of
    by_value()."""
    return list(dict.fromkeys(values if i is None else values[i] for values in results))


def cycles_of(point):
    """Returns the number of simulated cycles of a point."""
    if 'benchmarks' in point:
        return sum(benchmark.get('cycles', 0) for benchmark in point['benchmarks'])
    return point.get('cycles') or sum(frame['counters']['engine.cycles']
                                      for frame in point['frames'])


class Experiment:
    """Runs the simulator for an experiment, and writes its page.

    data: contents of the data file. args: parsed options. axes: the table [axis], updated by [few]
    with --few. total: number of runs, for the progress, or 0 if unknown. done: number of runs that
    have ended. cycles: sum of their simulated cycles.
    """

    def __init__(self, name, data, args):
        self.name = name
        self.data = data
        self.args = args
        self.axes = data.get('axis', {}) | (data.get('few', {}) if args.few else {})
        self.total = self.done = self.cycles = 0
        self.start = time.monotonic()
        self.lock = threading.Lock()

    def json(self, *arguments, quiet=True, threads=None):
        """Runs the simulator, and returns its JSON. quiet: hide the progress of the simulator."""
        command = [self.args.tool, *(['--quiet'] if quiet else []), '--json', '-', *arguments]
        threads = threads or self.args.threads
        if threads:
            command += ['--threads', str(threads)]
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE if quiet else None, text=True, check=False)
        # With --verify, exit status 1 together with results means that the picture is wrong.
        if done.returncode and not (done.returncode == 1 and '--verify' in command and done.stdout):
            die(f'{" ".join(command)}: {(done.stderr or "").strip() or "it fails"}')
        return json.loads(done.stdout)

    def tell(self, data, what):
        """Counts a finished run, prints the progress, and returns `data`, the JSON of the run."""
        with self.lock:
            self.cycles += sum(cycles_of(point) for point in data['points'])
            self.done += 1
            print(f'[{self.done}{f"/{self.total}" if self.total else ""}] {what}, '
                  f'{len(data["points"])} points, {time.monotonic() - self.start:.0f} s',
                  file=sys.stderr, flush=True)
        return data

    def run(self, run, *arguments, what, **options):
        """Runs an entry of [run] with additional arguments, and returns its JSON.

        what: name of the run, for the progress. options: keyword arguments for json().
        """
        command = [*self.data['options'], *run.get('options', ())]
        machine = self.data['machine'][run['machine']] if 'machine' in run else ()
        for value in (*machine, *run.get('set', ())):
            command += ['--set', value]
        for key, values in run.get('sweep', {}).items():
            values = self.axes[values] if isinstance(values, str) else values
            command += ['--sweep', f'{key}={",".join(str(v) for v in values)}']
        return self.tell(self.json(*command, *arguments, **options), what)

    def write(self, values, remarks=True):
        """Writes the page from page.md. `values` maps the names in braces to text."""
        text = fill(os.path.join(HERE, self.name, 'page.md'), values, remarks)
        with open(os.path.join(self.args.out, self.name + '.md'), 'w', encoding='utf-8') as file:
            file.write(text)

    def plots(self):
        """Returns a Plots object for the experiment. Needs matplotlib."""
        from sim_svg import Plots  # pylint: disable=import-outside-toplevel
        return Plots(os.path.join(self.args.out, self.name), self.data['plot'], self.axes)


def print_rows(head, rows):
    """Prints a table. All columns except for the first and last are right-aligned."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        middle = [f'{cell:>{width}}' for cell, width in zip(row[1:-1], widths[1:])]
        print('  '.join([f'{row[0]:{widths[0]}}', *middle, row[-1]]))


def parse(name, module, arguments):
    """Parses the options of `sgpu sim --experiment NAME`. The docstring of the module has the
    usage."""
    options = argparse.ArgumentParser(prog=f'sgpu sim --experiment {name}', allow_abbrev=False,
                                      usage=module.__doc__.split('usage: ')[1].split('\n\n')[0])
    options.add_argument('--tool', required=True, help=argparse.SUPPRESS)
    options.add_argument('--out', default=os.path.join(TOP, 'docs'))
    options.add_argument('--few', action='store_true')
    options.add_argument('--threads', type=int)
    module.add_options(options)
    return options.parse_args(arguments)
