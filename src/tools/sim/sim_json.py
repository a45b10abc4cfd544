# SPDX-License-Identifier: MIT
"""Reads the JSON output of `sgpu sim --json`; docs/timing.md has the schema."""

import json
import sys

VERSION = 1
ENGINE = 'sgpu-sim'     # JSON format for chip.model=engine
CHIP = 'sgpu-sim-chip'  # JSON format for chip.model=g80


def die(text):
    sys.exit(f'sgpu: {text}')


def load(path, formats=(ENGINE,)):
    """Returns the JSON object in a file.  If the file has another format, exits with a message."""
    try:
        with open(path, encoding='utf-8') as f:
            data = json.load(f)
    except OSError as error:
        die(f'{path}: {error.strerror}')
    except ValueError as error:
        die(f'{path}: {error}')
    if not isinstance(data, dict) or data.get('format') not in (ENGINE, CHIP):
        die(f'{path}: it is not of sgpu sim --json')
    if data['format'] not in formats:
        die(f"{path}: chip.model={'engine' if data['format'] == ENGINE else 'g80'} does not "
            'have this')
    if data['version'] != VERSION:
        die(f"{path}: version {data['version']}, expected {VERSION}")
    return data


def name_of(point):
    """Returns the keys, without sections, and values that a sweep changes, or '' without a
    sweep."""
    return ', '.join(f"{key.split('.')[1]} {value}" for key, value in point['changes'].items())


def runs(data):
    """Yields (point, properties of the frame, results of the frame) for each frame of each
    point."""
    for point in data['points']:
        for facts, result in zip(data['frames'], point['frames'], strict=True):
            yield point, facts, result


def shrink(values, limit):
    """Adds up adjacent values, such that at most `limit` sums remain.  Returns the sums, and the
    number of values in each sum.
    """
    step = max(1, -(-len(values) // limit))
    return [sum(values[i:i + step]) for i in range(0, len(values), step)], step
