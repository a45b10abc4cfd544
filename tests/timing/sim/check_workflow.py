#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the Snakemake workflow of src/tools/sim/workflow with captures and configurations.  Its
table must have the results of single runs.  Without snakemake, the test is skipped; in CI, that is
a failure.

usage: check_workflow.py TOOL SOURCE-FOLDER FOLDER CAPTURE..."""

import csv
import json
import os
import shutil
import subprocess
import sys

from checks import SKIPPED, fail, new_folder

CONFIGURATIONS = {
    'plain': {'config': 'micro32'},
    'sweep': {'set': {'fetch.split': 'height'}, 'sweep': {'issue.accelerators': '1,4'}},
    'chip': {'config': 'g80'},
}


def find_snakemake():
    for path in '/usr/bin/snakemake', shutil.which('snakemake'):
        if path and os.path.exists(path):
            return path
    print('there is no snakemake (package snakemake)')
    sys.exit(1 if os.environ.get('CI') else SKIPPED)


def main():
    tool, top, folder, *captures = sys.argv[1:]
    snakemake = find_snakemake()
    new_folder(folder)
    out = os.path.join(folder, 'out')
    config = {
        'out': out,
        'tool': tool,
        'captures': {os.path.basename(c)[:-len('.sgcap')]: {'file': c} for c in captures},
        'configurations': CONFIGURATIONS,
    }
    config['captures'][os.path.basename(captures[0])[:-len('.sgcap')]]['frames'] = '0-'
    path = os.path.join(folder, 'config.json')
    with open(path, 'w', encoding='utf-8') as f:
        json.dump(config, f)
    command = [snakemake, '-s', os.path.join(top, 'src/tools/sim/workflow/Snakefile'),
               '--configfile', path, '--cores', '2', '--directory', folder]
    environment = dict(os.environ, HOME=folder, XDG_CACHE_HOME=folder)
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        fail(f'status {result.returncode}\n{result.stdout}{result.stderr}')

    with open(os.path.join(out, 'table.csv'), encoding='utf-8') as f:
        rows = list(csv.DictReader(f))
    expected = []
    for capture in captures:
        name = os.path.basename(capture)[:-len('.sgcap')]
        for configuration, options in (
                ('plain', ['--config', 'micro32']),
                ('chip', ['--config', 'g80']),
                ('sweep', ['--set', 'fetch.split=height', '--set', 'issue.accelerators=1']),
                ('sweep', ['--set', 'fetch.split=height', '--set', 'issue.accelerators=4'])):
            text = subprocess.run([tool, '--json', '-', *options, capture], capture_output=True,
                                  text=True, check=True).stdout
            data = json.loads(text)
            frames = data['points'][0]['frames']
            expected += [(name, configuration, str(facts['frame']), str(r['cycles']))
                         for facts, r in zip(data.get('frames', frames), frames, strict=True)]
    told = [(row['capture'], row['configuration'], row['frame'], row['cycles']) for row in rows]
    if sorted(told) != sorted(expected):
        fail(f'the table has\n{told}\nand not\n{expected}')

    # All files exist, so a second run does nothing.
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode or 'Nothing to be done' not in result.stdout + result.stderr:
        fail(f'the second run\n{result.stdout}{result.stderr}')
    print(f'{len(rows)} rows')


if __name__ == '__main__':
    main()
