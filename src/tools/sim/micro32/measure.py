# SPDX-License-Identifier: MIT
"""The measurements of the experiment: the runs, and numbers computed from their results."""

from collections import namedtuple

from runs import die

# numbers of accelerators in Figures 12 to 18
COUNTS = (1, 2, 3, 4, 6, 8, 10, 12, 14, 16)
WINDOWS = (1, 2, 4, 8)
SEEDS = (1, 2, 3, 4, 5)
MOST = 16

PLAIN = ()
SPLIT = ('fetch.split=height',)
BREAK = ('breaking.rule=paper',)
EXACT = ('breaking.rule=exact',)
GRID = ('fetch.split=grid',)
# the best configuration: a grid over the boxes of the coverage, exact breaking
BEST = (*GRID, 'fetch.aligned=yes', 'fetch.box=coverage', *EXACT)

# values beyond the paper
WIDE = (16, 32, 64)
POLICIES = ('random', 'oldest', 'critical')
GRIDS = (16, 32, 64)
BUDGETS = (4, 8, 16, 32, 64)
CANDIDATES = (4, 8, 16, 32, 64, 128, 256, 512)

# Results of a frame.  Curves are {accelerators: result}.
Measured = namedtuple('Measured', 'frame facts plain windows split both exact alone seeds '
                      'detail_plain detail_split proof beyond pictures')


def sweep(key, values):
    return f'{key}={",".join(str(v) for v in values)}'


def by_count(points):
    return {changes['issue.accelerators']: result for changes, result in points}


def measure(sim, frame, few):
    """Runs the points of Figures 11 to 18 for a frame."""
    counts = (1, MOST) if few else COUNTS
    windows = (1, 8) if few else WINDOWS
    accelerators = sweep('issue.accelerators', counts)
    points, facts = sim.run(frame, 'no splitting, windows', PLAIN,
                            (sweep('issue.window', windows), accelerators))
    of_window = {w: by_count([p for p in points if p[0]['issue.window'] == w]) for w in windows}

    def curve(what, sets):
        return by_count(sim.run(frame, what, sets, (accelerators,))[0])

    split = curve('splitting', SPLIT)
    both = curve('splitting, breaking', SPLIT + BREAK)
    exact = curve('splitting, exact breaking', SPLIT + EXACT)
    alone = curve('breaking alone', BREAK)
    seeds = [r for _, r in sim.run(frame, 'seeds', PLAIN,
                                   (sweep('run.seed', SEEDS[:2] if few else SEEDS),))[0]]
    detail_plain = sim.run(frame, 'over time', PLAIN, detail=True)[0][0][1]
    detail_split = sim.run(frame, 'over time, splitting', SPLIT, detail=True)[0][0][1]
    rules = sweep('breaking.rule', ('none', 'paper', 'exact'))
    proof = [{c['breaking.rule']: r for c, r in sim.run(frame, what, sets, (rules,),
                                                        verify=True)[0]}
             for what, sets in (('pictures', PLAIN), ('pictures, splitting', SPLIT))]
    for results in proof:
        for rule, result in results.items():
            if any(result['verify']['violations'].values()):
                die(f'{frame.name}: breaking.rule={rule}: the audit finds broken dependences')
    return Measured(frame, facts, of_window[max(windows)], of_window, split, both, exact, alone,
                    seeds, detail_plain, detail_split, proof, {}, [])


# number of calls of sim.run() in measure()
RUNS = 10


def measure_beyond(sim, frame):
    """Runs points beyond the paper.  Returns {name: {key: result}}."""
    beyond = {}
    wide = sweep('issue.accelerators', WIDE)

    def curve(name, sets):
        beyond[name] = by_count(sim.run(frame, name, sets, (wide,))[0])

    curve('plain', PLAIN)
    curve('height', SPLIT)
    curve('height, exact breaking', SPLIT + EXACT)
    curve('grid', GRID)
    curve('grid, exact breaking', GRID + EXACT)
    curve('grid of coverage, exact breaking', BEST)
    for name, sets in (('height', SPLIT + EXACT), ('grid', BEST)):
        points, _ = sim.run(frame, f'selection, {name}', sets,
                            (sweep('issue.select', POLICIES), wide))
        beyond[f'select {name}'] = {(c['issue.select'], c['issue.accelerators']): r
                                    for c, r in points}
    points, _ = sim.run(frame, 'in order', (*SPLIT, 'issue.order=in-order'), (wide,))
    beyond['in order'] = by_count(points)
    points, _ = sim.run(frame, 'DRAM', SPLIT + EXACT,
                        (sweep('memory.model', ('perfect', 'dram')), sweep('dram.channels',
                                                                           (4, 16, 64))))
    beyond['dram'] = {(c['memory.model'], c['dram.channels']): r for c, r in points}
    points, _ = sim.run(frame, 'slices of a grid', BEST,
                        (sweep('fetch.slice_width', GRIDS), sweep('fetch.slice_height', GRIDS)))
    beyond['grids'] = {(c['fetch.slice_width'], c['fetch.slice_height']): r for c, r in points}
    for name, sets in (('height', SPLIT + EXACT), ('grid', BEST)):
        points, _ = sim.run(frame, f'budgets, {name}', (*sets, 'issue.select=critical'),
                            (sweep('issue.accelerators', BUDGETS),
                             sweep('issue.candidates', CANDIDATES)))
        beyond[f'budget {name}'] = {(c['issue.accelerators'], c['issue.candidates']): r
                                    for c, r in points}
    return beyond


# number of calls of sim.run() in measure_beyond()
RUNS_BEYOND = 13


def weighted(results):
    """Returns the parallelism of several frames, weighted by cycles as in section 4.4."""
    return sum(r['work'] for r in results) / max(1, sum(r['cycles'] for r in results))


def gain(after, before):
    """Returns the gain in parallelism in percent, which the paper compares."""
    return 100 * (after['tlp'] / before['tlp'] - 1)


def serial_time(detail):
    """Returns the longest time in cycles in which at most 1.5 accelerators are busy in each
    interval.
    """
    over = detail['over_time']
    longest = length = 0
    for i, busy in enumerate(over['states']['busy']):
        cycles = min(over['interval'], detail['cycles'] - i * over['interval'])
        length = length + cycles if busy <= 1.5 * cycles else 0
        longest = max(longest, length)
    return longest


def most_like_turok3(measured, program):
    """Returns the frame of the program with the largest gain by splitting."""
    frames = [m for m in measured if m.frame.program == program] or measured
    return max(frames, key=lambda m: gain(m.split[MOST], m.plain[MOST]))


def programs(measured, roles):
    """Returns {program of the paper: frames of the program that stands for it}."""
    return {role: [m for m in measured if roles.get(m.frame.program) == role]
            for role in roles.values()}


def numbers(measured, roles):
    """Returns the lists of numbers that `ours` names in published.toml."""
    of = programs(measured, roles)
    turok = of.get('Turok 2') or measured
    like = most_like_turok3(measured, turok[0].frame.program)
    plain = [m.plain[MOST] for m in measured]
    over = {name: [gain(m.both[MOST], m.split[MOST]) for m in of.get(name, [])]
            for name in ('FIFA 99', 'MotoRacer 2', 'Shogo', 'Turok 2')}
    means = {name: sum(g) / len(g) for name, g in over.items() if g}
    alone = [gain(m.alone[MOST], m.plain[MOST]) for m in measured]
    between = []
    if len(means) == 4:
        low, high = sorted((means['Shogo'], means['MotoRacer 2']))
        between = [int(low <= means['Turok 2'] <= high)]
    return {
        'triangles': [m.facts['triangles'] for m in measured],
        'depth_complexity': [m.facts['depth_complexity'] for m in measured],
        'mpixels': [m.facts['pixels'] / 1e6 for m in measured],
        'tlp_mean': [weighted(plain)],
        'tlp': [r['tlp'] for r in plain],
        'speedup': [m.plain[1]['cycles'] / m.plain[MOST]['cycles'] for m in measured],
        'issue_rate': [r['slices']['slices'] / r['cycles'] for r in plain],
        'turok_plain': [like.plain[MOST]['tlp']],
        'turok_split': [like.split[MOST]['tlp']],
        'turok_gain': [like.split[MOST]['tlp'] / like.plain[MOST]['tlp']],
        'turok_serial': [serial_time(like.detail_plain) / 1e3],
        'turok_large': [worst_draw(like.detail_plain) / 1e3],
        'turok_split_gain': [max(gain(m.split[MOST], m.plain[MOST]) for m in turok)],
        'use_racing': [100 * m.both[MOST]['utilisation'] for m in of.get('MotoRacer 2', [])],
        'break_shooter': over['Shogo'],
        'break_sports': over['FIFA 99'],
        'break_turok_between': between,
        'alone_sports': [gain(m.alone[MOST], m.plain[MOST]) for m in of.get('FIFA 99', [])],
        'alone_most': [max(alone)],
        'speedup_most': [max(m.plain[1]['cycles'] / m.both[MOST]['cycles'] for m in measured)],
    }


def worst_draw(detail):
    """Returns the number of pixels of the draw that most idle cycles wait for."""
    draw = max(detail['operations'], key=lambda op: op['blocks'])
    accelerator = detail['parameters']['accelerator']
    return draw['busy'] - draw['slices'] * (accelerator['setup'] + accelerator['depth'])


def verdict(value, ours):
    """Returns 'met', 'N of M', 'not met' or 'not measured'."""
    if not ours:
        return 'not measured'
    about = value.get('about', 0)
    low, high = value['low'] * (1 - about), value['high'] * (1 + about)
    inside = [low <= n <= high for n in ours]
    if all(inside):
        return 'met'
    return f'{sum(inside)} of {len(inside)}' if any(inside) else 'not met'


# Numbers of accelerators for scenes of later programs, and number of runs.
MODERN_COUNTS = (1, 16, 64)
RUNS_MODERN = 5
FOUR = ('issue.rate=4', 'fetch.rate=4')


def measure_modern(sim, frame):
    """Returns the facts of the frame, and {name: {accelerators: result}}."""
    counts = sweep('issue.accelerators', MODERN_COUNTS)
    curves = {}
    for name, sets in (('none', PLAIN), ('s', SPLIT), ('s/b exact', SPLIT + EXACT),
                       ('grid', (*BEST, 'issue.select=critical')),
                       ('grid, 4 a cycle', (*BEST, *FOUR, 'issue.select=critical'))):
        points, facts = sim.run(frame, name, sets, (counts,))
        curves[name] = by_count(points)
    return facts, curves
