#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `sgpu run --require`: programs that draw on sgpu, on something else, nothing, or that crash.

usage: check_require.py SGPU REQUIRE PROGRAM STATIC

REQUIRE is sgpu-require, PROGRAM is require_program, STATIC is require_static."""

import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

OTHER, NOTHING = 121, 122
SGPU, REQUIRE, PROGRAM, STATIC = sys.argv[1:]
# Removes the variables with which a program gets sgpu.
WITHOUT = ['env', '-u', 'LIBGL_DRIVERS_PATH', '-u', 'LD_LIBRARY_PATH',
           '-u', '__EGL_VENDOR_LIBRARY_FILENAMES', '-u', '__GLX_VENDOR_LIBRARY_NAME',
           'GALLIUM_DRIVER=']
REMOVED = ('CI', 'SGPU_REQUIRE', 'WAYLAND_DISPLAY', 'DISPLAY')
failures = []


def environment(**changes):
    env = {k: v for k, v in os.environ.items() if k not in REMOVED}
    env['EGL_PLATFORM'] = 'surfaceless'
    return {k: v for k, v in {**env, **changes}.items() if v is not None}


def check(name, status, texts, *command, absent=(), options=('--require',), **changes):
    """Runs a command and compares its exit status and parts of what it prints."""
    start = time.monotonic()
    run = subprocess.run([SGPU, 'run', *options, '--', *command], env=environment(**changes),
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, errors='replace', check=False)
    print(f'{name}: status {run.returncode}, {time.monotonic() - start:.2f} s')
    problems = [f'status {run.returncode}, expected {status}'] if run.returncode != status else []
    problems += [f'no {text!r}' for text in texts if text not in run.stdout]
    problems += [f'unexpected {text!r}' for text in absent if text in run.stdout]
    if problems:
        failures.append(name)
        print(f'{name}: {"; ".join(problems)}, in:\n{run.stdout}')


def check_drawn():
    quiet = {'absent': ('sgpu: ',)}
    check('draws', 0, [], PROGRAM, 'screen', 'draw', **quiet)
    check('status of a program that draws', 5, [], 'sh', '-c', f'"{PROGRAM}" screen draw; exit 5',
          **quiet)
    check('child of a script', 0, [], 'sh', '-c', f'true; (true; "{PROGRAM}" screen draw) & wait',
          **quiet)
    check('forked child', 0, [], PROGRAM, 'fork', 'screen', 'draw', **quiet)
    check('child after the first draw', 0, [], PROGRAM, 'screen', 'draw', 'fork', 'screen', 'draw',
          **quiet)
    check('daemon', 0, [], PROGRAM, 'daemon', 'wait', 'screen', 'draw', **quiet)
    check('closed file descriptors', 0, [], PROGRAM, 'screen', 'close', 'draw', **quiet)
    check('sandbox', 0, [], PROGRAM, 'screen', 'sandbox', 'draw', **quiet)
    check('static launcher', 0, [], STATIC, PROGRAM, 'screen', 'draw', **quiet)
    check('other variables', 0, [], 'env', '-u', 'HOME', '-u', 'LANG', PROGRAM, 'screen', 'draw',
          **quiet)
    check('requirement in a requirement', 0, [], SGPU, 'run', '--require', '--', PROGRAM, 'screen',
          'draw', **quiet)
    check('nothing in an inner requirement', NOTHING, ['nothing was drawn'], SGPU, 'run',
          '--require', '--', 'true')
    if shutil.which('xvfb-run') and shutil.which('xauth'):
        # The server loads a driver, too.
        check('X server', 0, [], 'xvfb-run', '-a', PROGRAM, 'screen', 'draw', **quiet)


def check_nothing():
    check('no OpenGL', NOTHING, ['nothing was drawn', 'No process loaded libGL',
                                 'true ended with status 0', 'What to do'], 'true')
    check('status of a program that draws nothing', NOTHING, ['ended with status 3'],
          'sh', '-c', 'exit 3')
    check('only a context', NOTHING, ['initialized on sgpu', os.path.basename(PROGRAM),
                                      'What to do'], PROGRAM, 'screen')
    check('no X server', NOTHING, ['no driver was initialized', 'glxgears', 'libGL.so.1',
                                   'sgpu-doctor'], 'glxgears', DISPLAY=':9999')
    check('no such program', 127, ['cannot run'], 'nosuchprogram')
    check('a script without the right', 126, ['cannot run'], '/etc/passwd')


def check_other():
    system = [path for path in glob.glob('/usr/lib/*/dri/swrast_dri.so') +
              glob.glob('/usr/lib/*/libgallium-*.so')]
    if not system:
        print('skipped: the system has no drivers of Mesa')
        return
    parts = ['something other than sgpu', os.path.basename(PROGRAM), 'What to do', '/usr/lib']
    # Since Mesa 24.2 the loaders use the library itself.
    parts[-1] = 'libgallium-' if any('gallium' in path for path in system) else '_dri.so'
    check('another EGL', OTHER, parts, *WITHOUT, PROGRAM, 'screen', 'draw')
    check('another EGL in a child', OTHER, parts, 'sh', '-c',
          '"$0" screen draw; exec "$@"', PROGRAM, *WITHOUT, PROGRAM, 'fork', 'screen', 'draw')
    check('no environment', OTHER, parts + ['cleared its environment'], 'env', '-i', PROGRAM,
          'screen', 'draw', 'wait')
    check('status of the program', OTHER, ['ended with status 7'], *WITHOUT, PROGRAM, 'screen',
          'draw', 'nonsense')
    check_setuid()
    if shutil.which('glxinfo'):
        check('another GLX', OTHER, ['something other', 'glxinfo', 'libGLX_mesa'], *WITHOUT,
              '__GLX_VENDOR_LIBRARY_NAME=mesa', 'glxinfo', '-B', EGL_PLATFORM=None)
    with tempfile.TemporaryDirectory() as folder:
        # The driver draws, and the process has a library of another implementation by its side.
        library = os.path.join(folder, 'libEGL_other.so.0')
        shutil.copy(glob.glob('/lib/*/libm.so.6')[0], library)
        check('a vendor that does not draw', 0, [], PROGRAM, f'open={library}', 'screen', 'draw')
        for name in 'libOSMesa.so.8', 'libvk_swiftshader.so':
            library = os.path.join(folder, name)
            shutil.copy(glob.glob('/lib/*/libm.so.6')[0], library)
            check(name, OTHER, ['something other', library], PROGRAM, f'open={library}')


def check_setuid():
    """The dynamic linker ignores the variables in a setuid program."""
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid() or os.statvfs(folder).f_flag & os.ST_NOSUID:
            print('skipped: a setuid program')
            return
        os.chmod(folder, 0o755)
        program = shutil.copy(PROGRAM, folder)
        os.chown(program, 65534, -1)
        os.chmod(program, 0o4755)
        # Without this variable, which the linker leaves, the other driver draws.
        check('setuid', OTHER, ['something other', 'setuid'], 'env', '-u', 'GALLIUM_DRIVER',
              program, 'screen', 'draw', 'wait')


def check_crash():
    check('crash', 139, ['crashed: signal 11', 'before anything was drawn'], PROGRAM, 'crash')
    check('crash after the first draw', 139, ['crashed: signal 11'], PROGRAM, 'screen', 'draw',
          'crash', absent=['before anything'])
    check('killed', 137, ['ended by signal 9'], 'sh', '-c', 'kill -9 $$')
    script = 'trap "exit 4" TERM; echo; sleep 20 >/dev/null 2>&1 & wait'
    with subprocess.Popen([REQUIRE, '--', 'sh', '-c', script], env=environment(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdout.readline()
        child.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        # The process that the shell has started still runs: a second signal ends the wait.
        child.send_signal(signal.SIGTERM)
        text = child.stderr.read().decode()
        if child.wait(30) != NOTHING or 'ended with status 4' not in text:
            failures.append('signal')
            print(f'signal: status {child.returncode}, {text}')


def folders(parent):
    return sorted(os.path.basename(path) for path in glob.glob(f'{parent}/sgpu-report-*'))


def check_left_over():
    """The program ends with an sgpu-require that is killed.  Its folder stays, and the next
    sgpu-require removes it, but not the folders of others."""
    sleep = [REQUIRE, '--', 'sh', '-c', 'echo $$; exec sleep 60']
    with tempfile.TemporaryDirectory() as folder:
        env = environment(TMPDIR=folder)
        with subprocess.Popen(sleep, env=env, stdout=subprocess.PIPE) as living:
            living.stdout.readline()
            kept = folders(folder)
            with subprocess.Popen(sleep, env=env, stdout=subprocess.PIPE) as child:
                pid = int(child.stdout.readline())
                child.kill()
            for _ in range(100):
                if not os.path.exists(f'/proc/{pid}'):
                    break
                time.sleep(0.1)
            else:
                failures.append('kill')
                print('kill: the program still runs')
            left = folders(folder)

            # What only looks like such a folder, and one that another process makes just now.
            other = os.path.join(folder, 'other')
            os.mkdir(other)
            for name in 'other/report', 'other/audit.so', 'sgpu-report-afile1':
                with open(os.path.join(folder, name), 'w', encoding='utf-8'):
                    pass
            os.symlink(other, os.path.join(folder, 'sgpu-report-linked'))
            for name, age in (('sgpu-report-newone', 0), ('sgpu-report-oldone', 1000)):
                path = os.path.join(folder, name)
                os.mkdir(path)
                os.utime(path, (time.time() - age, time.time() - age))
            mine = os.path.join(folder, 'sgpu-report-filled')
            os.mkdir(mine)
            for name in 'report', 'mine':
                with open(os.path.join(mine, name), 'w', encoding='utf-8'):
                    pass
            kept += ['sgpu-report-afile1', 'sgpu-report-linked', 'sgpu-report-newone',
                     'sgpu-report-filled']
            subprocess.run([REQUIRE, '--', 'true'], env=env, stderr=subprocess.DEVNULL, check=False)
            found = folders(folder)
            living.kill()
        if len(kept) != 5 or len(left) != 2 or found != sorted(kept) or \
           sorted(os.listdir(other)) != ['audit.so', 'report'] or os.listdir(mine) != ['mine']:
            failures.append('left over')
            print(f'left over: before {left}, then {found}, expected {sorted(kept)}, '
                  f'{os.listdir(other)}, {os.listdir(mine)}')


def check_options():
    plain = {'options': ()}
    check('CI', NOTHING, ['nothing was drawn'], 'true', CI='true', **plain)
    check('CI=false', 0, [], 'true', CI='false', **plain)
    check('SGPU_REQUIRE=0', 0, [], 'true', CI='true', SGPU_REQUIRE='0', **plain)
    check('no CI', 0, [], 'true', **plain)
    check('--no-require', 0, [], 'true', options=('--no-require',), CI='true')
    check('frames', 0, ['3 frames'], 'glxgears', options=('--require', '--frames', '3'))
    check('long wait', NOTHING, ['still ran: sleep'], REQUIRE, '--wait', '0.2', '--', 'sh', '-c',
          'sleep 2 & exit 0', **plain)
    for arguments, status in ((['--help'], 0), ([], 2), (['--nonsense'], 2), (['--wait', 'x'], 2)):
        found = subprocess.run([REQUIRE, *arguments], capture_output=True, check=False).returncode
        if found != status:
            failures.append(f'{arguments}: status {found}')


check_drawn()
check_nothing()
check_other()
check_crash()
check_left_over()
check_options()
if failures:
    print('FAILED:', ', '.join(failures))
sys.exit(bool(failures))
