# SPDX-License-Identifier: MIT
"""What `sgpu sim --json` writes of a chip (chip.model=g80); docs/chip.md has the schema."""

# Whose states say where the time of an operation goes.
CORES = 'sm'


def frames(data):
    """(point, frame) of every frame of every point."""
    for point in data['points']:
        for frame in point['frames']:
            yield point, frame


def core_mhz(frame):
    """The clock that cycles of operations are counted in: that of the host interface."""
    return frame['classes']['host']['mhz']


def states(frame, name, stack):
    """Core cycles of a unit of the class by state, in the mean over its units."""
    kind = frame['classes'][name]
    scale = core_mhz(frame) / (kind['units'] * kind['mhz'])
    return {state: cycles * scale for state, cycles in stack.get(name, {}).items()}


def work(frame, name, stack):
    """Core cycles in which a unit of the class works, likewise."""
    kind = frame['classes'][name]
    return sum(cycles for state, cycles in states(frame, name, stack).items()
               if state in kind['work'])


def busiest(frame, stack, without=()):
    """The class that works most of the time; None if none works."""
    most = max((work(frame, name, stack), name) for name in frame['classes']
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
