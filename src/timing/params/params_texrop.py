# SPDX-License-Identifier: MIT
"""Parameters of the texture units and the ROPs of a unified chip (Lindholm 2008)."""

from params_base import ASSUMED, EXTERNAL, IN_CHIP, PAPER, Section, Struct, key, link, powers

ATTILA = 'ATTILA, bGPU.ini'
GPGPU_SIM = 'GPGPU-Sim, QuadroFX5600'
GTX_200 = 'GeForce GTX 200 technical brief: six partitions blend 12 pixels a clock'

STRUCTS = [
    Struct('chip.tex', 'sgt_tex_params', 'A texture unit.', checked=True),
    Struct('chip.rop', 'sgt_rop_params', 'A raster operations processor.', members=[
        link('partitions', 'xbar.partitions',
             'number of ROPs that share the tiles of a fast clear'),
    ]),
]


def g80(*row, **names):
    return key(*row, IN_CHIP, 'g80', **names)


SECTIONS = [
    Section('texture', 'The texture unit of a texture/processor cluster.', [
        g80('addresses', 'threads/cycle', 4, (1, 64), PAPER, 'Texture unit',
            'Number of address generators. Each of them generates texture.filters / '
            'texture.addresses sample addresses in a cycle.'),
        g80('filters', 'samples/cycle', 8, (1, 64), PAPER, 'Texture unit',
            'Number of bilinear filters.'),
        g80('texel_bytes', 'bytes', 4, (1, 32), ASSUMED,
            'texels of 64 bits take two filters of 32, those of 128 bits four',
            'Size of the texel that a filter handles in a cycle. Larger texels take more filters.'),
        g80('lookups', 'lines/cycle', 4, (1, 64), ASSUMED, 'one for each address generator',
            'Number of lines that the tags look up for a quad in a cycle.'),
        g80('line_bytes', 'bytes', 128, powers(64, 1024), EXTERNAL, GPGPU_SIM,
            'Size of a line of the cache, a power of 2.'),
        g80('sets', 'sets', 8, powers(1, 65536), EXTERNAL, GPGPU_SIM,
            'Number of sets of the cache, a power of 2.'),
        g80('ways', 'lines', 5, (1, 64), EXTERNAL, GPGPU_SIM, 'Number of lines in a set.'),
        g80('fifo', 'quads', 128, (1, 4096), EXTERNAL, GPGPU_SIM,
            'Number of quads in the latency FIFO between tags and filters.'),
        g80('fills', 'lines', 128, (1, 4096), EXTERNAL, GPGPU_SIM,
            'Maximum number of lines that are being fetched, or have arrived and are not used '
            'yet.'),
        g80('memory_queue', 'requests', 16, (1, 4096), ASSUMED, 'eight lines',
            'Number of requests (64 bytes) that wait for the port to memory, which must be at '
            'least one line.'),
        g80('latency', 'cycles', 64, (1, 4096), ASSUMED, 'deeply pipelined (Texture unit)',
            'Time from the filters to the response.'),
    ], at='chip.tex'),
    Section('rop', 'The raster operations processor of a memory partition, with a path for depth '
                   'and stencil and a path for colours.', [
        g80('pixels', 'pixels/cycle', 4, (1, 64), PAPER, 'Raster operations processor',
            'Number of pixels that each path handles in a cycle.'),
        g80('depth_pixels', 'pixels/cycle', 8, (1, 64), PAPER, 'Raster operations processor',
            'Number of pixels in a cycle for draws that write no colour.'),
        g80('blend_pixels', 'pixels/cycle', 2, (1, 64), EXTERNAL, GTX_200,
            'Number of blended pixels in a cycle.'),
        g80('pixel_bytes', 'bytes', 4, (1, 32), ASSUMED, 'the paths are 32 bits wide a pixel',
            'Size of a pixel that has these rates. A pixel of twice the size has half of the '
            'rate.'),
        g80('queue', 'requests', 16, (1, 4096), ASSUMED, 'two warps of 8 quads',
            'Number of requests that wait for the tags of a path.'),
        g80('waiting', 'requests', 64, (1, 4096), ASSUMED, 'hides 256 cycles of memory',
            'Number of requests of a path that wait for their data.'),
        g80('latency', 'cycles', 16, (1, 4096), ASSUMED, 'no figure',
            'Time from the last quad of a request until it is written.'),
        g80('cache_sets', 'sets', 16, powers(1, 4096), EXTERNAL, ATTILA,
            'Number of sets of each of the two caches, a power of 2. They contain tiles of 256 '
            'bytes.'),
        g80('cache_ways', 'tiles', 4, (1, 64), EXTERNAL, ATTILA, 'Number of tiles in a set.'),
        g80('mshrs', 'tiles', 32, (1, 4096), ASSUMED, 'half of a cache',
            'Maximum number of tiles of a cache that are being fetched.'),
        g80('memory_queue', 'requests', 64, (16, 4096), ASSUMED, 'eight tiles in and out',
            'Number of requests (64 bytes) that wait for the port to memory.'),
        g80('compression', '', 1, bool, PAPER, 'Raster operations processor',
            'Tiles of depth and colour are compressed up to 8:1. The rule is assumed.'),
        g80('decompress', 'cycles', 8, (0, 4096), EXTERNAL, ATTILA,
            'Time from the last data of a compressed tile until it can be used.'),
        g80('fast_clear', '', 1, bool, EXTERNAL, ATTILA,
            'Clears of whole tiled surfaces only change the states of tiles.'),
        g80('clear_tiles', 'tiles/cycle', 1024, (1, 1048576), EXTERNAL, ATTILA,
            'Number of tiles that a fast clear handles in a cycle.'),
    ], at='chip.rop'),
]
