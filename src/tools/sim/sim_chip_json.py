# SPDX-License-Identifier: MIT
"""Functions for the JSON output of `sgpu sim` with chip.model=g80; docs/chip.md has the schema."""


def cores(frame):
    """Returns the class of units whose states explain the time of an operation."""
    return 'sm' if 'sm' in frame['classes'] else 'eu'


def frames(data):
    """Yields (point, frame) for each frame of each point."""
    for point in data['points']:
        for frame in point['frames']:
            yield point, frame


def states(name, operation):
    """Returns the core cycles in each state, averaged over the units of a class.  They add up to
    the cycles of the operation.
    """
    stack = operation['stack'].get(name, {})
    total = sum(stack.values())
    return {state: cycles * operation['cycles'] / total for state, cycles in stack.items()}


def work(frame, name, operation):
    """Returns the core cycles of work, averaged over the units of a class."""
    return sum(cycles for state, cycles in states(name, operation).items()
               if state in frame['classes'][name]['work'])


def busiest(frame, operation, without=()):
    """Returns the class of units that works for the longest time, or None if none works."""
    most = max((work(frame, name, operation), name) for name in frame['classes']
               if name not in without)
    return most[1] if most[0] > 0 else None


def label(operation):
    """Returns a name for the operation that is shown to the user."""
    return f"draw {operation['draw']}" if 'draw' in operation else operation['kind']


def group(state):
    """Returns the group of a core state: issue, busy, wait ..."""
    return state.split('-')[0]


def need_stacks(data, path, die):
    """Exits if the file contains no data about operations."""
    for _, frame in frames(data):
        if frame['operations'] and not frame.get('stacks'):
            die(f'{path}: it has no stacks of draws; sgpu sim --draws writes them')
