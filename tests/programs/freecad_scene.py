# SPDX-License-Identifier: MIT
#
# Script for FreeCAD: shows solids, one of which is a difference and one translucent, and prints
# the time per frame.

import time

import FreeCAD
import FreeCADGui as Gui
import Part  # pylint: disable=unused-import  # registers the types of solids
from PySide2 import QtCore


def build():
    doc = FreeCAD.newDocument('solids')

    def add(kind, color, place, **sizes):
        solid = doc.addObject('Part::' + kind, kind)
        for key, value in sizes.items():
            setattr(solid, key, value)
        solid.Placement.Base = FreeCAD.Vector(*place)
        solid.ViewObject.ShapeColor = color
        return solid

    box = add('Box', (0.2, 0.5, 0.9), (0, 0, 0), Length=40, Width=30, Height=20)
    hole = add('Cylinder', (0.2, 0.5, 0.9), (20, 15, -5), Radius=8, Height=40)
    cut = doc.addObject('Part::Cut', 'Cut')
    cut.Base, cut.Tool = box, hole
    add('Torus', (0.9, 0.3, 0.1), (20, 15, 24), Radius1=12, Radius2=3)
    add('Sphere', (0.2, 0.8, 0.3), (55, 15, 8), Radius=8).ViewObject.Transparency = 50
    doc.recompute()
    cut.ViewObject.ShapeColor = (0.2, 0.5, 0.9)
    view = Gui.ActiveDocument.ActiveView
    view.setAnimationEnabled(False)
    view.viewIsometric()
    view.fitAll()
    QtCore.QTimer.singleShot(4000, measure)


def measure():
    start = time.monotonic()
    for _ in range(20):
        Gui.ActiveDocument.ActiveView.redraw()
        Gui.updateGui()
    print(f'program: {(time.monotonic() - start) / 20:.3f} s a frame')
    print('program: done', flush=True)


QtCore.QTimer.singleShot(3000, build)
