# SPDX-License-Identifier: MIT
"""What `sgpu sim --json` writes of a chip (chip.model=g80); docs/chip.md has the schema."""


def cores(frame):
    """The class whose states say where the time of an operation goes."""
    return 'sm' if 'sm' in frame['classes'] else 'eu'


def frames(data):
    """(point, frame) of every frame of every point."""
    for point in data['points']:
        for frame in point['frames']:
            yield point, frame


def states(name, operation):
    """Core cycles of a unit of the class by state, in the mean over its units: parts of the
    operation's cycles.
    """
    stack = operation['stack'].get(name, {})
    total = sum(stack.values())
    return {state: cycles * operation['cycles'] / total for state, cycles in stack.items()}


def work(frame, name, operation):
    """Core cycles in which a unit of the class works, likewise."""
    return sum(cycles for state, cycles in states(name, operation).items()
               if state in frame['classes'][name]['work'])


def busiest(frame, operation, without=()):
    """The class that works most of the time; None if none works."""
    most = max((work(frame, name, operation), name) for name in frame['classes']
               if name not in without)
    return most[1] if most[0] > 0 else None


def label(operation):
    """The operation for people."""
    return f"draw {operation['draw']}" if 'draw' in operation else operation['kind']


def group(state):
    """What states of cores have in common: issue, busy, wait ..."""
    return state.split('-')[0]


def need_stacks(data, path, die):
    """Ends the program if the file does not tell of operations."""
    for _, frame in frames(data):
        if frame['operations'] and not frame.get('stacks'):
            die(f'{path}: it has no stacks of draws; sgpu sim --draws writes them')
