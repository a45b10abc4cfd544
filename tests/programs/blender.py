# SPDX-License-Identifier: MIT
#
# Script for Blender: shows a scene in the 3D view with the shading that the argument selects
# (SOLID, RENDERED), and prints the time that the window takes to draw.

import sys
import time

import bpy
import gpu


def build():
    for area in bpy.context.window_manager.windows[0].screen.areas:
        if area.type == 'VIEW_3D':
            area.spaces.active.shading.type = sys.argv[-1]
    bpy.ops.mesh.primitive_monkey_add(location=(0, 0, 2.2))
    bpy.ops.object.shade_smooth()
    material = bpy.data.materials.new('copper')
    material.use_nodes = True
    inputs = material.node_tree.nodes['Principled BSDF'].inputs
    inputs['Base Color'].default_value = (0.8, 0.3, 0.1, 1)
    inputs['Metallic'].default_value = 0.7
    inputs['Roughness'].default_value = 0.3
    bpy.context.object.data.materials.append(material)
    bpy.ops.mesh.primitive_plane_add(size=12, location=(0, 0, -1))


def measure():
    print('program:', gpu.platform.renderer_get(), gpu.platform.version_get())
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        bpy.ops.wm.redraw_timer(type='DRAW_WIN_SWAP', iterations=1)
        start = time.monotonic()
        bpy.ops.wm.redraw_timer(type='DRAW_WIN_SWAP', iterations=4)
    print(f'program: {(time.monotonic() - start) / 4:.2f} s a frame')
    print('program: done', flush=True)


bpy.context.preferences.view.show_splash = False
bpy.app.timers.register(build, first_interval=1)
bpy.app.timers.register(measure, first_interval=6)
