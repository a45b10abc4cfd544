# SPDX-License-Identifier: MIT
"""The list of faults and the file of results."""

import fcntl
import os
import re
import tomllib

KINDS = {
    'barrier', 'cache', 'check', 'comparison', 'component', 'default', 'flag', 'flush',
    'key', 'lock', 'off-by-one', 'order', 'rounding', 'shift', 'size', 'state', 'stride',
    'wait',
}
SANITIZERS = {'asan', 'tsan'}
NUMBER = 100
FILES = ('isa', 'device', 'compiler', 'driver', 'capture', 'timing')
NEEDED = ('id', 'file', 'kind', 'what', 'old', 'new')


class ListError(Exception):
    pass


class Fault:
    def __init__(self, entry):
        for name in NEEDED:
            if not isinstance(entry.get(name), str) or (name != 'new' and not entry[name]):
                raise ListError(f'{entry.get("id", "a fault")}: no {name}')
        unknown = set(entry) - set(NEEDED) - {'sanitizer'}
        if unknown:
            raise ListError(f'{entry["id"]}: unknown {", ".join(sorted(unknown))}')
        self.id, self.file, self.kind, self.what, self.old, self.new = (
            entry[name] for name in NEEDED)
        self.sanitizer = entry.get('sanitizer')

    def problem(self, top):
        """Returns the error of the entry in this tree, or None."""
        if not re.fullmatch(r'[a-z0-9]+(-[a-z0-9]+)*', self.id):
            return 'its id has other characters than a-z, 0-9 and single hyphens'
        if self.kind not in KINDS:
            return f'unknown kind {self.kind}'
        if self.sanitizer and self.sanitizer not in SANITIZERS:
            return f'unknown sanitizer {self.sanitizer}'
        if '\n' in self.what.strip():
            return 'more than one line says what it breaks'
        if self.old == self.new:
            return 'old and new are equal'
        path = os.path.join(top, self.file)
        if not os.path.isfile(path):
            return f'no file {self.file}'
        with open(path, encoding='utf-8') as f:
            count = f.read().count(self.old)
        if count != 1:
            return f'its text occurs {count} times in {self.file}'
        return None


def read_faults(folder):
    faults = []
    for name in FILES:
        with open(os.path.join(folder, name + '.toml'), 'rb') as f:
            faults += [Fault(entry) for entry in tomllib.load(f)['fault']]
    return faults


def check(top, faults, results):
    """Returns the errors of the list and of the results, as lines."""
    lines = [f'{fault.id}: {problem}' for fault in faults if (problem := fault.problem(top))]
    ids = [fault.id for fault in faults]
    lines += [f'{name}: twice in the list' for name in sorted(set(ids)) if ids.count(name) > 1]
    if len(faults) != NUMBER:
        lines.append(f'{len(faults)} faults, not {NUMBER}')
    lines += [f'{name}: a result, but no fault' for name in results if name not in ids]
    lines += [f'{name}: not a valid result: {text}' for name, text in results.items()
              if kind_of(text) is None]
    return lines


def kind_of(text):
    """Returns 'found', 'survived' or 'no fault', or None for another text."""
    if re.match(r'found \d+ s, ', text):
        return 'found'
    if re.match(r'SURVIVED( \(needs \w+\))?$', text):
        return 'survived'
    if re.match(r'no fault: \S', text):
        return 'no fault'
    return None


HEADER = """\
# Results of tests/mutate/mutate.py: the fault, and one of
#   found SECONDS s, SUITE: TEST    the first test that failed, and the time to find it;
#                                   (timeout): it hung, (at times): it passed when run again
#   SURVIVED                        every test passes; (needs tsan): that suite has not run
#   no fault: REASON                by hand, in place of SURVIVED
"""


class Results:
    """The file of results: one line for each fault, in the order of the list.  Runs of
    several shards may write to the same file."""

    def __init__(self, path, order):
        self.path, self.order = path, order

    def read(self):
        if not os.path.exists(self.path):
            return {}
        with open(self.path, encoding='utf-8') as f:
            lines = [line.rstrip('\n') for line in f]
        pairs = [line.split(None, 1) for line in lines if line.strip() and line[0] != '#']
        return {pair[0]: pair[1].strip() if len(pair) > 1 else '' for pair in pairs}

    def change(self, texts):
        """Sets results by the ids of faults.  None removes a result."""
        folder = os.open(os.path.dirname(os.path.abspath(self.path)), os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            results = self.read() | texts
            place = {name: i for i, name in enumerate(self.order)}
            names = sorted((name for name in results if results[name] is not None),
                           key=lambda name: place.get(name, len(place)))
            width = max(map(len, self.order))
            with open(self.path + '.new', 'w', encoding='utf-8') as f:
                f.write(HEADER)
                f.writelines(f'{name:{width}}  {results[name]}\n' for name in names)
            os.replace(self.path + '.new', self.path)
        finally:
            os.close(folder)
