# SPDX-License-Identifier: MIT
"""Statistics of the engines of 1999 and 2001: the results of a run."""

from stats_base import Stats, count, histogram, log2, member, nested, parts, total

ACCELERATORS, FETCH, ISSUE = '"accelerators"', '"fetch"', '"issue"'
BUFFER, CORE, VERTEX = '"attribute-buffer"', '"core"', '"vertex"'

CHANNELS = ['writes', 'filled', 'inputs-free', 'done', 'outputs-free', 'vertices']
OPCODES = ['ARL', 'MOV', 'MUL', 'ADD', 'MAD', 'DP3', 'DP4', 'DST', 'MIN', 'MAX', 'SLT', 'SGE',
           'RCP', 'RSQ', 'EXP', 'LOG', 'LIT', 'other']


def channel(i, name):
    """Rows of a channel, whose counts are in an array of structures."""
    at = f'&t->channels[{i}]'
    return [
        count(name, 'messages', 'Messages that were sent.', unit='"channels"', values=f'{at}.messages'),
        count(f'{name}-most', 'messages', 'Maximum number of messages in flight.', unit='"channels"',
              values=f'{at}.most'),
        count(f'{name}-residence', 'cycles', 'Cycles from sending to taking, summed.',
              unit='"channels"', values=f'{at}.residence'),
    ]


def times(name, text):
    """Rows of the cycles that vertices take for a section of the pipeline."""
    return [
        log2(name, 'vertices', text, '64', unit=VERTEX, member=f'{name}_time'),
        count(f'{name}-cycles', 'cycles', 'Cycles of the previous statistic, summed.', unit=VERTEX,
              member=f'{name}_sum'),
    ]


TABLES = [
    Stats('sgt_engine_result', 'engine99/sgt_engine.h', 'A run of the engine of 1999.', [
        count('cycles', 'cycles', 'Cycles until the last slice has retired.'),
        count('work', 'cycles',
              'Accelerator cycles with a slice; work / cycles is the parallelism.'),
        parts('states', 'cycles', 'State of each accelerator in each cycle.', 'sgt_state_names',
              't->cycles * t->accelerators', unit=ACCELERATORS, size='SGT_STATES'),
        parts('states', 'cycles', 'State of the fetch unit in each cycle.',
              'sgt_fetch_state_names', 't->cycles', unit=FETCH, member='fetch',
              size='SGT_FETCH_STATES'),
        parts('states', 'cycles', 'State of the issue unit in each cycle.',
              'sgt_issue_state_names', 't->cycles', unit=ISSUE, member='issue',
              size='SGT_ISSUE_STATES'),
        count('items', 'items', 'Primitives and transfers that entered.', unit=FETCH),
        count('dropped-items', 'items', 'Items without pixels that did not enter.', unit=FETCH),
        count('split-items', 'items', 'Items with more than one slice.', unit=FETCH),
        count('slices', 'slices', 'Slices that entered.', unit=FETCH),
        count('pixels', 'pixels', 'Pixels drawn or transferred.', unit=ACCELERATORS),
        count('spans', 'spans', 'Rows of slices with pixels.', unit=ACCELERATORS),
        count('longest', 'cycles', 'Cycles of the longest slice.', unit=ACCELERATORS,
              member='work_longest'),
        # Pairs of an entering slice and an earlier one, each with the first kind that holds.
        count('raw', 'pairs', 'Slices that read data that an earlier slice in the unit writes.',
              unit=ISSUE),
        count('waw', 'pairs', 'Slices that write data that an earlier slice in the unit writes.',
              unit=ISSUE),
        count('war', 'pairs', 'Slices that write data that an earlier slice in the unit reads.',
              unit=ISSUE),
        count('conflicts', 'pairs',
              'Slices that overlap an earlier slice in the unit and may run in any order.', unit=ISSUE),
        count('overtakes', 'slices', 'Slices that issued before an older candidate.', unit=ISSUE),
        count('wait', 'cycles', 'Cycles from entry to issue, summed over slices.', unit=ISSUE),
        histogram('busy-cycles', 'cycles', 'Cycles by number of busy accelerators.', None,
                  unit=ACCELERATORS, values='t->busy_cycles', num='t->accelerators + 1'),
        histogram('candidate-cycles', 'cycles', 'Cycles by number of candidates.', None, unit=ISSUE,
                  values='t->candidate_cycles', num='t->candidates + 1'),
        log2('slice-cycles', 'slices', 'Slices by number of busy cycles.', '64', unit=ACCELERATORS),
        log2('slice-wait', 'slices', 'Slices by number of cycles from entry to issue.', '64', unit=ISSUE),
        nested('dram', 'sgt_dram_stats', 'statistics of the DRAM; 0 with perfect memory', when='t->dram.clocks'),
        member('uint32_t accelerators, candidates, destinations, sources', 'numbers of accelerators, candidate buffers, destination stations and source stations'),
        member('uint32_t max_candidates, max_stations', 'maximum numbers of candidates and of used destination stations'),
        member('uint64_t *busy_cycles', '[accelerators + 1]: number of cycles with i busy accelerators'),
        member('uint64_t *candidate_cycles', '[candidates + 1]: number of cycles with i candidates'),
        member('uint32_t interval', 'length of an interval of the time series, in cycles'),
        member('uint32_t intervals', 'number of intervals; the last may be shorter'),
        member('uint64_t *series', '[intervals][SGT_STATES]: accelerator cycles by state'),
        member('uint32_t num_operations', 'number of operations of the trace'),
        member('struct sgt_engine_operation *operations', 'results of each operation of the trace'),
    ], unit='"engine"', includes=['stats/sgt_dram_stats.h']),
    Stats('sgt_nv20_result', 'nv20/sgt_nv20.h', 'A run of the vertex engine of 2001.', [
        count('cycles', 'cycles', 'Cycles until the next stage has finished the last vertex.'),
        count('vertices', 'vertices', 'Vertices of the stream.'),
        count('base-vertices', 'vertices', 'Vertices with programs of the base profile.'),
        count('programs', 'programs', 'Programs of the stream.'),
        parts('states', 'cycles', 'State of the host in each cycle.', 'sgt_nv20_host_names',
              't->cycles', unit='"host"', member='host', size='SGT_HOST_STATES'),
        parts('writes', 'cycles', 'State of the input side of the attribute buffer.', 'sgt_vab_write_names',
              't->cycles', unit=BUFFER, member='vab_write', size='SGT_VAB_WRITE_STATES'),
        parts('drains', 'cycles', 'State of the output side of the attribute buffer.', 'sgt_vab_drain_names',
              't->cycles', unit=BUFFER, member='vab_drain', size='SGT_VAB_DRAIN_STATES'),
        parts('states', 'cycles', 'State of the issue slot in each cycle.', 'sgt_vcore_names',
              't->cycles', unit=CORE, member='core', size='SGT_VCORE_STATES'),
        parts('states', 'cycles', 'State of the output in each cycle.', 'sgt_vout_names',
              't->cycles', unit='"output"', member='out', size='SGT_VOUT_STATES'),
        parts('states', 'cycles', 'State of the stage after the engine in each cycle.',
              'sgt_vnext_names', 't->cycles', unit='"next"', member='next',
              size='SGT_VNEXT_STATES'),
        count('attributes', 'writes', 'Writes that entered.', unit=BUFFER, member='writes'),
        count('moved', 'attributes', 'Attributes that were moved to input buffers.', unit=BUFFER),
        count('pushed', 'attributes', 'Attributes that a write moved out of turn.', unit=BUFFER),
        count('rewrites', 'writes',
              'Writes of an attribute that the same vertex had already written.', unit=BUFFER),
        count('instructions', 'instructions', 'Instructions that issued.', unit=CORE),
        count('flushes', 'vertices', 'Vertices that waited for the core to be empty.', unit=CORE),
        count('vectors', 'vectors', 'Vectors that were sent.', unit='"output"',
              member='outputs'),
        histogram('active', 'cycles', 'Cycles by the number of threads with a vertex.',
                  'SGT_NV20_MAX_THREADS + 1', unit=CORE, num='t->params.threads + 1'),
        histogram('issued', 'instructions', 'Instructions by thread.', 'SGT_NV20_MAX_THREADS',
                  unit=CORE, num='t->params.threads'),
        histogram('full', 'cycles', 'Cycles by the number of input buffers that are not free.',
                  'SGT_NV20_MAX_BUFFERS + 1', unit=BUFFER, num='t->params.input_buffers + 1'),
        histogram('buffers', 'vertices', 'Vertices by input buffer.', 'SGT_NV20_MAX_BUFFERS',
                  unit=BUFFER, num='t->params.input_buffers'),
        histogram('dirty', 'vertices', 'Vertices by the number of attributes that were moved.',
                  'SGT_VERTEX_ATTRIBUTES + 1', unit=BUFFER),
        histogram('moves', 'attributes', 'Moves by attribute.', 'SGT_VERTEX_ATTRIBUTES',
                  unit=BUFFER, member='attributes'),
        histogram('reserved', 'cycles', 'Cycles by the number of output buffers that are not free.',
                  'SGT_NV20_MAX_BUFFERS + 1', unit=CORE, num='t->params.output_buffers + 1'),
        *times('fill', 'Vertices by cycles from the write of attribute 0 to the last move.'),
        *times('wait', 'Vertices by cycles from the last move to the start of a thread.'),
        *times('run', 'Vertices by cycles from the start of a thread to the last result.'),
        *times('out', 'Vertices by cycles from the last result to the next stage.'),
        log2('life', 'vertices',
             'Vertices by cycles from the write of attribute 0 to the next stage.', '64',
             unit=VERTEX, member='life_time'),
        parts('classes', 'instructions', 'Instructions by class.', 'sgt_vertex_class_names',
              't->instructions', unit=CORE, size='SGT_VERTEX_CLASSES'),
        parts('opcodes', 'instructions', 'Instructions by operation.', OPCODES,
              't->instructions', unit=CORE, size='SGT_VERTEX_OPCODES + 1'),
        *[row for i, name in enumerate(CHANNELS) for row in channel(i, name)],
        member('struct sgt_nv20_channel_result channels[6]',
               'results of the event-driven model; the reference has no channels'),
        total('calls', 'number of calls of units, in the event-driven model'),
        member('struct sgt_nv20_params params', 'parameters of the run'),
    ], unit='"engine"', includes=['params/sgt_nv20_params.h']),
]
