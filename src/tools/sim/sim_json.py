# SPDX-License-Identifier: MIT
"""Reads what `sgpu sim --json` writes; docs/timing.md has the schema."""

import json
import sys

VERSION = 1


def die(text):
    sys.exit(f'sgpu: {text}')


def load(path):
    """The file's object; ends the program with a message if it is another file."""
    try:
        with open(path, encoding='utf-8') as f:
            data = json.load(f)
    except OSError as error:
        die(f'{path}: {error.strerror}')
    except ValueError as error:
        die(f'{path}: {error}')
    if not isinstance(data, dict) or data.get('format') != 'sgpu-sim':
        die(f'{path}: it is not of sgpu sim --json')
    if data['version'] != VERSION:
        die(f"{path}: version {data['version']}, expected {VERSION}")
    return data


def name_of(point):
    """The keys that a sweep has changed, without their sections; '' for a single point."""
    return ', '.join(f"{key.split('.')[1]} {value}" for key, value in point['changes'].items())


def runs(data):
    """(point, facts of the frame, results of the frame) of every frame of every point."""
    for point in data['points']:
        for facts, result in zip(data['frames'], point['frames'], strict=True):
            yield point, facts, result
