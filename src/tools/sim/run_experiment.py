#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the experiment of a paper, and writes its page and its plots.

usage: run_experiment.py NAME --tool SGPU-SIM [OPTION...]

The folder NAME contains published.toml (see sim_experiment.py), page.md, and two modules:
   measure  add_options(parser); measure(e), which returns the results; optionally,
            measure_sensitivity(e, measured), which adds to them. Its docstring has the usage.
   page     rows(e, measured), which returns the table for the terminal; write(e, measured)

Needs Debian's python3-matplotlib.
"""

import importlib
import sys

import sim_experiment as experiment
from sim_json import die

EXPERIMENTS = 'micro32', 'nv20', 'tesla', 'via'


def main():
    name, *arguments = sys.argv[1:] or ('',)
    if name not in EXPERIMENTS:
        die(f'sim: --experiment {name}: there is no such experiment; there are '
            f'{", ".join(EXPERIMENTS)}')
    module = importlib.import_module(f'{name}.measure')
    e = experiment.Experiment(name, experiment.load(name),
                              experiment.parse(name, module, arguments))
    measured = module.measure(e)
    page = importlib.import_module(f'{name}.page')
    experiment.print_rows(*page.rows(e, measured))
    try:
        page.write(e, measured)
        if hasattr(module, 'measure_sensitivity') and not e.args.few:
            # Write the page now, since the following part takes the longest.
            module.measure_sensitivity(e, measured)
            page.write(e, measured)
    except OSError as error:
        die(f'{error.filename}: {error.strerror}')
    print(f'\n{e.cycles / 1e6:,.1f} million cycles simulated')


if __name__ == '__main__':
    main()
