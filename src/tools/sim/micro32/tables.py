# SPDX-License-Identifier: MIT
"""Markdown tables of the experiment."""

from micro32.measure import MOST, gain, weighted
from sim_experiment import axis
from sim_page import number, table


def frames_table(measured):
    return table(('frame', 'draws', 'triangles', 'lines, points', 'Mpixel', 'depth complexity',
                  'pixels of the largest slice'),
                 [(m.name, m.facts['draws'], number(m.facts['triangles'], 0),
                   number(m.facts['lines'] + m.facts['points'], 0),
                   number(m.facts['pixels'] / 1e6, 2), number(m.facts['depth_complexity'], 2),
                   number(m.detail_plain['slices']['longest'], 0)) for m in measured])


def proof_table(measured):
    """Returns the number of pixels that differ from the functional frame, for each rule of
    breaking."""
    rows = []
    for m in measured:
        row = [m.name, number(m.proof[0]['none']['verify']['fragments'], 0)]
        for rule in ('none', 'exact', 'paper'):
            row += [number(proof[rule]['verify']['wrong_pixels'], 0) for proof in m.proof]
        rows.append(row)
    return table(('frame', 'fragments', 'none', 's', 'b exact', 's/b exact', 'b paper',
                  's/b paper'), rows)


def parallelism_table(measured):
    """Returns the values in Figures 12, 16 and 18 for 16 accelerators."""
    rows = []
    for m in measured:
        plain, split, both = m.plain[MOST], m.split[MOST], m.both[MOST]
        exact, alone = m.exact[MOST], m.alone[MOST]
        rows.append((m.name, number(plain['tlp'], 2), number(split['tlp'], 2),
                     number(both['tlp'], 2), number(exact['tlp'], 2),
                     number(gain(split, plain), 0), number(gain(both, split), 1),
                     number(gain(alone, plain), 1),
                     number(m.plain[1]['cycles'] / both['cycles'], 1)))
    results = [[getattr(m, name)[MOST] for m in measured]
               for name in ('plain', 'split', 'both', 'exact')]
    rows.append(('all, by cycles', *(number(weighted(r), 2) for r in results), '', '', '', ''))
    return table(('frame', 'none', 's', 's/b', 's/b exact', 's, gain %', 's/b over s, %',
                  'b over none, %', 'speedup of s/b'), rows)


def windows_table(measured):
    """Returns the values in Figure 13."""
    windows, counts = (axis(measured[0].windows, i) for i in (0, 1))
    return table(('candidates', *counts),
                 [(f'{w} x', *(number(weighted([m.windows[w, n] for m in measured]), 2)
                               for n in counts)) for w in windows])


def spread(results):
    """Returns the range of the parallelism, in percent of its mean."""
    values = [r['tlp'] for r in results]
    return 100 * (max(values) - min(values)) * len(values) / sum(values)


def states_table(rows):
    """Returns the fractions of the accelerators' cycles by state. `rows` contains tuples (label,
    result)."""
    names = [s for s in rows[0][1]['states']
             if any(r['states'][s] for _, r in rows)]
    return table(('', *names),
                 [(label, *(number(100 * r['states'][s] / max(1, sum(r['states'].values())), 1)
                            for s in names)) for label, r in rows])


def blockers_table(measured, detail='detail_plain'):
    """Returns, for each frame, the draw that causes the most idle cycles of accelerators."""
    rows = []
    for m in measured:
        result = getattr(m, detail)
        idle = result['cycles'] * result['accelerators'] - result['work']
        ops = [op for op in result['operations'] if op['slices']]
        op = max(ops, key=lambda o: o['blocks'])
        ranked = sorted((o['blocks'] for o in ops), reverse=True)
        rows.append((m.name, op.get('draw', ''), op['items'],
                     number(op['busy'] / op['slices'], 0), 'yes' if op['blends'] else 'no',
                     number(100 * op['blocks'] / max(1, idle), 0),
                     number(100 * sum(ranked[:5]) / max(1, idle), 0),
                     number(100 * sum(o['blocks'] for o in ops if o['blends']) / max(1, idle),
                            0)))
    return table(('frame', 'draw', 'triangles', 'cycles of each', 'blends', '% of idle cycles',
                  'the five worst', 'all that blend'), rows)


def blend_table(measured):
    """Returns the fractions of triangles and work that use blending, which breaking can't
    reorder."""
    rows = []
    for m in measured:
        ops = [op for op in m.detail_plain['operations'] if op['slices']]
        triangles = sum(op['items'] for op in ops)
        busy = sum(op['busy'] for op in ops)
        rows.append((m.name,
                     number(100 * sum(o['items'] for o in ops if o['blends'])
                            / max(1, triangles), 0),
                     number(100 * sum(o['busy'] for o in ops if o['blends']) / max(1, busy), 0),
                     number(busy / max(1, triangles), 0)))
    return table(('frame', 'triangles that blend, %', 'work that blends, %',
                  'cycles of a triangle'), rows)


def wide_names(measured):
    """Returns the names of the additional runs that sweep only the number of accelerators."""
    return [n for n, v in measured[0].beyond.items() if all(isinstance(k, int) for k in v)]


def wide_table(measured):
    wide = axis(measured[0].beyond['plain'])
    return table(('', *(f'{n} accelerators' for n in wide)),
                 [(name, *(number(weighted([m.beyond[name][n] for m in measured]), 2)
                           for n in wide)) for name in wide_names(measured)])


def speedup_of(measured, pick):
    """Returns the speedup over one accelerator without splitting, as the geometric mean over
    frames.
    """
    product = 1.0
    for m in measured:
        product *= m.plain[1]['cycles'] / pick(m)['cycles']
    return product ** (1 / len(measured))


def select_table(measured):
    policies, wide = (axis(measured[0].beyond['select grid'], i) for i in (0, 1))
    rows = [(f'{kind}, {policy}', *(number(speedup_of(
        measured, lambda m, key=(policy, n), kind=kind: m.beyond[f'select {kind}'][key]), 2)
        for n in wide)) for kind in ('height', 'grid') for policy in policies]
    rows.append(('height, in order', *(number(speedup_of(
        measured, lambda m, n=n: m.beyond['in order'][n]), 2) for n in wide)))
    return table(('slices, selection', *(f'{n} accelerators' for n in wide)), rows)


def dram_table(measured):
    keys = list(measured[0].beyond['dram'])
    rows = []
    for model, channels in keys:
        if model == 'perfect' and channels != keys[0][1]:
            continue
        results = [m.beyond['dram'][model, channels] for m in measured]
        busy = sum(r['work'] for r in results)
        hits = [sum(r.get('dram', {}).get(k, 0) for r in results)
                for k in ('row_hits', 'row_empty', 'row_misses')]
        rows.append(('perfect' if model == 'perfect' else f'{channels} channels',
                     number(speedup_of(measured, lambda m, k=(model, channels):
                                       m.beyond['dram'][k]), 2),
                     number(100 * sum(r['states']['memory'] for r in results) / busy, 1),
                     number(100 * hits[0] / sum(hits), 1) if sum(hits) else ''))
    return table(('memory', 'speedup', 'work that waits for memory, %', 'row hits, %'), rows)


def grids_table(measured):
    widths, heights = (axis(measured[0].beyond['grids'], i) for i in (0, 1))
    return table(('width \\ height', *heights),
                 [(w, *(number(speedup_of(measured, lambda m, k=(w, h): m.beyond['grids'][k]), 2)
                        for h in heights)) for w in widths])


def budgets(measured):
    """Returns {(accelerators, candidates): (speedup, slices)}, with the better kind of slices."""
    return {k: max((speedup_of(measured, lambda m, s=s, k=k: m.beyond[f'budget {s}'][k]), s)
                   for s in ('height', 'grid'))
            for k in measured[0].beyond['budget grid']}


def front_of(best, margin=1.01):
    """Returns the budgets whose speedup is at least `margin` times that of each smaller budget."""
    return [k for k, (s, _) in best.items()
            if not any(o != k and o[0] <= k[0] and o[1] <= k[1] and s < best[o][0] * margin
                       for o in best)]


def budget_table(best, front):
    accelerators, candidates = (axis(best, i) for i in (0, 1))
    return table(('accelerators \\ candidates', *candidates),
                 [(n, *((f'**{best[n, c][0]:.2f}**' if (n, c) in front else f'{best[n, c][0]:.2f}')
                        + f' {best[n, c][1][0]}' for c in candidates)) for n in accelerators])


def modern_table(scenes):
    rows = []
    for m in scenes:
        pixels = m.facts['pixels'] / max(1, m.facts['triangles'])
        rows.append((m.name, number(m.facts['triangles'], 0), number(pixels, 1),
                     *(number(curve[n]['tlp'], 2) for curve in m.curves.values()
                       for n in axis(curve)[1:])))
    return table(('scene', 'triangles', 'pixels of each',
                  *(f'{name}, {n}' for name, curve in scenes[0].curves.items()
                    for n in axis(curve)[1:])), rows)
