#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the experiment of a paper, and writes its page and its plots.

usage: run_experiment.py NAME --tool SGPU-SIM [OPTION...]

A folder NAME has published.toml (sim_experiment.py describes it), page.md, and two modules:
   measure  add_options(parser), measure(e), and if it is a part of its own, measure_sensitivity
            (e, measured); its text is the help
   page     rows(e, measured), the table for the terminal; write(e, measured)

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
            # The page is whole without it; it takes longer than all else.
            module.measure_sensitivity(e, measured)
            page.write(e, measured)
    except OSError as error:
        die(f'{error.filename}: {error.strerror}')
    print(f'\n{e.cycles / 1e6:,.1f} million cycles simulated')


if __name__ == '__main__':
    main()
