# SPDX-License-Identifier: MIT
"""Parameters of the texture units and the ROPs of a unified chip (Lindholm 2008)."""

from params_base import ASSUMED, EXTERNAL, IN_CHIP, PAPER, Section, Struct, key, link, powers

ATTILA = 'ATTILA, bGPU.ini'
GPGPU_SIM = 'GPGPU-Sim, QuadroFX5600'
GTX_200 = 'GeForce GTX 200 technical brief: six partitions blend 12 pixels a clock'

STRUCTS = [
    Struct('chip.tex', 'sgt_tex_params', 'A texture unit.', checked=True),
    Struct('chip.rop', 'sgt_rop_params', 'A raster operations processor.', members=[
        link('partitions', 'xbar.partitions', 'ROPs that share the tiles of a fast clear'),
    ]),
]


def g80(*row, **names):
    return key(*row, IN_CHIP, 'g80', **names)


SECTIONS = [
    Section('texture', 'The texture unit of a texture/processor cluster.', [
        g80('addresses', 'threads/cycle', 4, (1, 64), PAPER, 'Texture unit',
            'Address generators. Each gives the places of as many samples as there are filters '
            'for it.'),
        g80('filters', 'samples/cycle', 8, (1, 64), PAPER, 'Texture unit', 'Bilinear filters.'),
        g80('texel_bytes', 'bytes', 4, (1, 32), ASSUMED,
            'texels of 64 bits take two filters of 32, those of 128 bits four',
            'Texel that a filter takes in a cycle.'),
        g80('lookups', 'lines/cycle', 4, (1, 64), ASSUMED, 'one for each address generator',
            'Lines that the tags look up for a quad in a cycle.'),
        g80('line_bytes', 'bytes', 128, powers(64, 1024), EXTERNAL, GPGPU_SIM,
            'Line of the cache; a power of 2.'),
        g80('sets', 'sets', 8, powers(1, 65536), EXTERNAL, GPGPU_SIM,
            'Sets of the cache; a power of 2.'),
        g80('ways', 'lines', 5, (1, 64), EXTERNAL, GPGPU_SIM, 'Lines of a set.'),
        g80('fifo', 'quads', 128, (1, 4096), EXTERNAL, GPGPU_SIM,
            'Latency FIFO: quads between tags and filters.'),
        g80('fills', 'lines', 128, (1, 4096), EXTERNAL, GPGPU_SIM,
            'Lines that are on their way, or there and not yet used.'),
        g80('memory_queue', 'requests', 16, (1, 4096), ASSUMED, 'eight lines',
            'Requests of 64 bytes that wait for the port to memory; at least one line.'),
        g80('latency', 'cycles', 64, (1, 4096), ASSUMED, 'deeply pipelined (Texture unit)',
            'From the filters to the response.'),
    ], at='chip.tex'),
    Section('rop', 'The raster operations processor of a memory partition: a path for depth and '
            'stencil, and one for colours.', [
        g80('pixels', 'pixels/cycle', 4, (1, 64), PAPER, 'Raster operations processor',
            'Pixels in a cycle of each path.'),
        g80('depth_pixels', 'pixels/cycle', 8, (1, 64), PAPER, 'Raster operations processor',
            'Pixels in a cycle of draws that write no colour.'),
        g80('blend_pixels', 'pixels/cycle', 2, (1, 64), EXTERNAL, GTX_200,
            'Pixels in a cycle that are blended.'),
        g80('pixel_bytes', 'bytes', 4, (1, 32), ASSUMED, 'the paths are 32 bits wide a pixel',
            'Pixel that has these rates; one twice as wide has half of them.'),
        g80('queue', 'requests', 16, (1, 4096), ASSUMED, 'two warps of 8 quads',
            'Requests of a path ahead of its tags.'),
        g80('waiting', 'requests', 64, (1, 4096), ASSUMED, 'hides 256 cycles of memory',
            'Requests of a path that wait for their data.'),
        g80('latency', 'cycles', 16, (1, 4096), ASSUMED, 'no figure',
            'From the last quad of a request until it is written.'),
        g80('cache_sets', 'sets', 16, powers(1, 4096), EXTERNAL, ATTILA,
            'Sets of tiles of 256 bytes of each of the two caches; a power of 2.'),
        g80('cache_ways', 'tiles', 4, (1, 64), EXTERNAL, ATTILA, 'Tiles of a set.'),
        g80('mshrs', 'tiles', 32, (1, 4096), ASSUMED, 'half of a cache',
            'Tiles of a cache that are on their way.'),
        g80('memory_queue', 'requests', 64, (16, 4096), ASSUMED, 'eight tiles in and out',
            'Requests of 64 bytes that wait for the port to memory.'),
        g80('compression', '', 1, bool, PAPER, 'Raster operations processor',
            'Tiles of depth and colour are compressed up to 8:1. The rule is assumed.'),
        g80('decompress', 'cycles', 8, (0, 4096), EXTERNAL, ATTILA,
            'From the last data of a compressed tile until it can be used.'),
        g80('fast_clear', '', 1, bool, EXTERNAL, ATTILA,
            'Clears of whole tiled surfaces change the states of tiles alone.'),
        g80('clear_tiles', 'tiles/cycle', 1024, (1, 1048576), EXTERNAL, ATTILA,
            'Tiles that a fast clear clears in a cycle.'),
    ], at='chip.rop'),
]
