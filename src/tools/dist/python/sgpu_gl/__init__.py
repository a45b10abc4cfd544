# SPDX-License-Identifier: MIT
"""OpenGL without a GPU: makes the programs and libraries of this process draw on sgpu.

Import it before anything that loads an OpenGL library:

    import sgpu_gl
    from OpenGL import EGL          # or glfw, moderngl, pyrender, ...

`python -m sgpu_gl PROGRAM [ARGUMENT...]` runs any program, with an X server if it needs one."""

import ctypes
import os
import shlex
import subprocess
import warnings

__all__ = ['environment', 'folder', 'main', 'osmesa']

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sgpu')
_run = os.path.join(folder, 'bin', 'sgpu-run')
_libraries = os.path.join(folder, 'lib', 'sgpu')
_own = dict(os.environ)  # before this module changes it


def environment():
    """Returns the variables with which programs run on sgpu, as a dictionary."""
    text = subprocess.run(['/bin/sh', _run, '--env'], check=True, capture_output=True,
                          text=True).stdout
    words = shlex.split(text)
    return dict(word.split('=', 1) for word in words if word != 'export')


def osmesa():
    """Loads libOSMesa into this process, so that it is found by its name, and returns its path.
    PyOpenGL then takes it, unless a platform was chosen before sgpu_gl was imported."""
    path = os.path.join(_libraries, 'libOSMesa.so.8')
    ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    if 'PYOPENGL_PLATFORM' not in _own:
        os.environ['PYOPENGL_PLATFORM'] = 'osmesa'
    return path


def _load(paths):
    """Loads libraries, each after those that it needs.  Later, the dynamic linker finds them by
    their names, since it does not read LD_LIBRARY_PATH again."""
    errors = {}
    while paths:
        left = []
        for path in paths:
            try:
                ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL)
            except OSError as error:
                errors[path] = error
                left.append(path)
        if len(left) == len(paths):
            raise ImportError('sgpu_gl: ' + '; '.join(str(errors[path]) for path in left))
        paths = left


def _loaded_already():
    """Returns names of OpenGL libraries that this process has loaded."""
    try:
        with open('/proc/self/maps', encoding='utf-8', errors='replace') as file:
            names = {os.path.basename(line.split()[-1]) for line in file if '/' in line}
    except OSError:
        return []
    return sorted(name for name in names
                  if name.startswith(('libGL.so', 'libEGL.so', 'libGLX', 'libEGL_', 'libGLdispatch')))


def _activate():
    loaded = _loaded_already()
    if loaded:
        warnings.warn(f'sgpu_gl was imported after {", ".join(loaded)}, so that OpenGL may be that of '
                      'another driver: import sgpu_gl first', ImportWarning, stacklevel=3)
    variables = environment()
    os.environ.update(variables)
    if not any(os.environ.get(name) for name in ('DISPLAY', 'WAYLAND_DISPLAY', 'EGL_PLATFORM')):
        os.environ['EGL_PLATFORM'] = 'surfaceless'
        os.environ.setdefault('PYOPENGL_PLATFORM', 'egl')

    if variables.get('__GLX_VENDOR_LIBRARY_NAME') != 'sgpu':
        return  # the system's loaders read LIBGL_DRIVERS_PATH
    fallback = os.path.join(_libraries, 'fallback') + os.sep
    _load([os.path.join(place, os.path.basename(place))
           for place in variables['LD_LIBRARY_PATH'].split(':') if place.startswith(fallback)])
    vendor = os.path.join(_libraries, 'glvnd')
    _load([os.path.join(_libraries, 'libgallium_sgpu.so'), os.path.join(vendor, 'libgbm.so.1'),
           os.path.join(vendor, 'libEGL_sgpu.so.0'), os.path.join(vendor, 'libGLX_sgpu.so.0')])


def main(arguments=None):
    """Runs a program on sgpu, in place of this process.  It gets the variables that this process had
    before the import, since sgpu-run starts an X server unless EGL_PLATFORM is set."""
    import sys
    os.execve('/bin/sh', ['sh', _run, *(sys.argv[1:] if arguments is None else arguments)], _own)


if os.environ.get('SGPU_GL') != 'off':
    _activate()
