# SPDX-License-Identifier: MIT
"""Writes docs/micro32.md from page.md, and the plots of the page."""

from micro32 import plots as pl
from micro32 import tables
from micro32.measure import FRAMES, MOST, most_like_turok3, numbers
from sim_experiment import compare, met
from sim_page import number, table

WIDEST = 64
BEST = 'grid of coverage, exact breaking'


def compared(e, measured):
    return compare(e.data['value'], numbers(measured.frames, e.data['stand_ins']))


def rows(e, measured):
    return (('value', 'published', 'ours', 'verdict'),
            [(row.text, row.published, row.ours, row.verdict) for row in compared(e, measured)])


def draw(e, frames, like, states):
    plots, stand_ins = e.plots(), e.data['stand_ins']
    pl.pictures_plot(plots, frames)
    pl.frames_plot(plots, frames)
    pl.by_program(plots, frames, stand_ins, 'figure-12', [('', 'plain')])
    pl.windows_plot(plots, frames)
    pl.time_plot(plots, like)
    pl.by_program(plots, frames, stand_ins, 'figure-16', [('', 'plain'), (' s', 'split')])
    pl.by_program(plots, frames, stand_ins, 'figure-18', [(' s', 'split'), (' s/b', 'both')])
    for name, results in states.items():
        pl.states_plot(plots, results, f'states-{name}')
    if frames[0].beyond:
        pl.wide_plot(plots, frames)
        pl.select_plot(plots, frames)
        best = tables.budgets(frames)
        pl.budget_plot(plots, {k: s for k, (s, _) in best.items()}, tables.front_of(best))


def write(e, measured):
    frames, found = measured.frames, compared(e, measured)
    like = most_like_turok3(frames, next(
        (p for p, role in e.data['stand_ins'].items() if role == 'Turok 2'), ''))
    # Rows for the plots and tables of accelerator states.
    states = {'plain': [(m.name, m.plain[MOST]) for m in frames],
              'broken': [(m.name, m.both[MOST]) for m in frames]}
    if frames[0].beyond:
        states['wide'] = [(m.name, m.beyond[BEST][WIDEST]) for m in frames]
    draw(e, frames, like, states)
    if measured.scenes:
        states['modern'] = [(m.name, m.curves['grid'][WIDEST]) for m in measured.scenes]
    values = met(found) | {
        'stand_ins': '\n'.join(f'| {theirs} | {p} | {e.data["kinds"][p]} |'
                               for p, theirs in e.data['stand_ins'].items()),
        'verdicts': table(('section', 'value', 'published', 'ours', 'verdict'),
                          [row[:-1] for row in found], text=2, last=1),
        'frames': tables.frames_table(frames),
        'parallelism': tables.parallelism_table(frames),
        'windows': tables.windows_table(frames),
        'seeds': number(max(tables.spread(m.seeds.values()) for m in frames), 1),
        'blockers_plain': tables.blockers_table(frames),
        'blockers_split': tables.blockers_table(frames, 'detail_split'),
        'blend': tables.blend_table(frames),
        'proof': tables.proof_table(frames),
        'like': like.name,
        'like_plain': number(like.plain[MOST]['tlp'], 2),
        'like_split': number(like.split[MOST]['tlp'], 2),
    }
    values |= {f'states_{name}': tables.states_table(results) for name, results in states.items()}
    if frames[0].beyond:
        best = tables.budgets(frames)
        values |= {'wide': tables.wide_table(frames), 'select': tables.select_table(frames),
                   'dram': tables.dram_table(frames), 'grids': tables.grids_table(frames),
                   'budgets': tables.budget_table(best, tables.front_of(best))}
    if measured.scenes:
        values['modern'] = tables.modern_table(measured.scenes)
    e.write(values, e.args.frames == FRAMES and not e.args.few)
