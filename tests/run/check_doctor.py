#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `sgpu doctor`: each trap is laid, and its finding is looked for.

usage: check_doctor.py SGPU DOCTOR STATIC"""

import contextlib
import glob
import json
import os
import resource
import shutil
import stat
import subprocess
import sys
import tempfile

SGPU, DOCTOR, STATIC = sys.argv[1:]
REMOVED = ('CI', 'DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'GALLIUM_DRIVER', 'EGL_PLATFORM',
           'LIBGL_DRIVERS_PATH', 'LIBGL_ALWAYS_SOFTWARE', 'LD_LIBRARY_PATH')
failures = []


def run(*arguments, command=(DOCTOR, '--here'), before=None, **changes):
    env = {k: v for k, v in os.environ.items() if k not in REMOVED} | changes
    return subprocess.run([*command, *arguments], env=env, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, preexec_fn=before, check=False)


def check(found, ids, *arguments, absent=(), text=(), ways='none', **options):
    """Runs the doctor and looks for findings by their IDs, and for parts of their texts."""
    result = run('--json', *(['--ways', ways] if ways else []), *arguments, **options)
    try:
        report = json.loads(result.stdout)
    except json.JSONDecodeError as error:
        failures.append(f'{found}: {error}: {result.stdout} {result.stderr}')
        return {}
    findings = {item['id']: item for item in report['findings']}
    for name in ids:
        if name not in findings:
            failures.append(f'{found}: no finding {name} among {sorted(findings)}')
    for name in absent:
        if name in findings:
            failures.append(f'{found}: unexpected finding {findings[name]}')
    every = ' '.join(item['text'] + ' ' + item['todo'] for item in report['findings'])
    for part in text:
        if part not in every:
            failures.append(f'{found}: no {part!r} in {every}')
    for item in report['findings']:
        if not item['text'] or not item['todo']:
            failures.append(f'{found}: an empty text in {item}')
    if result.returncode != (not report['draws_on_sgpu']):
        failures.append(f'{found}: status {result.returncode}')
    print(f'{found}: {", ".join(findings)}')
    return report


def write(folder, files):
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)


def check_whole():
    """The whole command, and a program that gets sgpu."""
    result = run(command=(SGPU, 'doctor'))
    if result.returncode or 'draws on sgpu, started by `sgpu run`: ' not in result.stdout:
        failures.append(f'whole: status {result.returncode}: {result.stdout} {result.stderr}')
    print(result.stdout)
    report = check('JSON', ['display-unset'], command=(SGPU, 'doctor'), absent=['driver-missing'],
                   ways='')
    for way in 'egl-surfaceless', 'egl-device':
        if not report or not report['run'][way]['sgpu'] or report['here'][way]['sgpu']:
            failures.append(f'{way}: {report}')
    if shutil.which('Xvfb') and report and not (report['run']['glx']['sgpu'] and
                                                report['run']['egl-x11']['sgpu']):
        failures.append(f'X11: {report["run"]}')
    result = run('--json', command=(SGPU, 'run', '--', DOCTOR, '--here'),
                 EGL_PLATFORM='surfaceless')
    if result.returncode or not json.loads(result.stdout)['here']['egl-default']['sgpu']:
        failures.append(f'inside of sgpu run: {result.stdout}')
    for arguments, status in ((['--help'], 0), (['--nonsense'], 2), (['--set', 'X'], 2)):
        if run(*arguments).returncode != status:
            failures.append(f'status of {arguments}')


def check_display(folder):
    check('DISPLAY without a server', ['display-dead'], DISPLAY=':9999')
    check('DISPLAY without a number', ['display-dead'], DISPLAY='nonsense')
    check('no DISPLAY', ['display-unset', 'runtime-dir-unset'], text=['EGL_PLATFORM=surfaceless'])
    check('EGL on X11 without DISPLAY', ['egl-platform'], EGL_PLATFORM='x11')
    check('unknown platform', ['egl-platform'], EGL_PLATFORM='nonsense')
    check('Wayland without a folder', ['runtime-dir'], WAYLAND_DISPLAY='wayland-0')
    check('dead compositor', ['wayland-dead'], WAYLAND_DISPLAY='wayland-0', XDG_RUNTIME_DIR=folder)
    check('missing XDG_RUNTIME_DIR', ['runtime-dir-missing'],
          XDG_RUNTIME_DIR=os.path.join(folder, 'missing'))
    check('no Xvfb', ['xvfb-missing'], command=(DOCTOR,), PATH=folder)
    if shutil.which('Xvfb'):
        with x_server(folder) as display:
            check('another cookie', ['display-refused'], DISPLAY=display,
                  XAUTHORITY='/dev/null', ways='glx,egl-x11')


@contextlib.contextmanager
def x_server(folder):
    cookie = os.path.join(folder, 'cookie')
    with open(cookie, 'wb') as file:
        file.write(b'\xff\xff\0\0\0\0\0\x12MIT-MAGIC-COOKIE-1\0\x10' + os.urandom(16))
    read, end = os.pipe()
    with subprocess.Popen(['Xvfb', '-displayfd', str(end), '-nolisten', 'tcp', '-auth', cookie],
                          pass_fds=[end], stderr=subprocess.DEVNULL) as server:
        os.close(end)
        with os.fdopen(read) as pipe:
            yield ':' + pipe.readline().strip()
        server.terminate()


def check_variables(folder):
    if loader('libEGL_mesa.so.0'):
        check('nothing selects sgpu', ['not-selected'], ways='egl-surfaceless')
    check('GALLIUM_DRIVER', ['env-gallium-driver'], GALLIUM_DRIVER='llvmpipe')
    check('LIBGL_ALWAYS_SOFTWARE', ['env-always-software'], LIBGL_ALWAYS_SOFTWARE='0')
    check('MESA_LOADER_DRIVER_OVERRIDE', ['env-loader-override'],
          MESA_LOADER_DRIVER_OVERRIDE='zink')
    check('LIBGL_ALWAYS_INDIRECT', ['env-indirect'], LIBGL_ALWAYS_INDIRECT='1')
    check('GLX vendor', ['env-glx-vendor'], __GLX_VENDOR_LIBRARY_NAME='nvidia')
    check('version', ['env-version'], MESA_GL_VERSION_OVERRIDE='3.0')
    check('GBM', ['env-gbm'], GBM_BACKEND='nvidia-drm')
    check('Python', ['env-python'], MUJOCO_GL='egl')
    check('VirtualGL', ['preload-gl'], LD_PRELOAD=os.path.join(folder, 'libvglfaker.so'))
    check('LD_PRELOAD', ['preload-missing'], LD_PRELOAD=os.path.join(folder, 'missing.so'))
    check('sgpu refuses', ['env-gallium-driver'], command=(SGPU, 'run', '--', 'env',
          'GALLIUM_DRIVER=llvmpipe', DOCTOR, '--here'), EGL_PLATFORM='surfaceless',
          ways='egl-default')


def vendor(library):
    return json.dumps({'file_format_version': '1.0.0', 'ICD': {'library_path': library}})


def check_vendors(folder):
    missing = os.path.join(folder, 'missing.json')
    check('missing vendor file', ['vendor-file'], __EGL_VENDOR_LIBRARY_FILENAMES=missing)
    write(folder, {'empty/x': '', 'bad.json': '{}', 'lib.json': vendor('libEGL_missing.so.0')})
    check('vendor file without a library', ['vendor-file'],
          __EGL_VENDOR_LIBRARY_FILENAMES=os.path.join(folder, 'bad.json'))
    check('vendor library that is missing', ['vendor-library'],
          __EGL_VENDOR_LIBRARY_FILENAMES=os.path.join(folder, 'lib.json'))
    library = os.path.join(folder, 'libEGL_crash.so.0')
    if shutil.which('cc'):
        write(folder, {'crash.c': '__attribute__((constructor)) void f(void) { __builtin_trap(); }',
                       'crash.json': vendor(library)})
        subprocess.run(['cc', '-shared', '-fPIC', '-o', library,
                        os.path.join(folder, 'crash.c')], check=True)
        check('vendor library that crashes', ['crash'], ways='egl-surfaceless',
              __EGL_VENDOR_LIBRARY_FILENAMES=os.path.join(folder, 'crash.json'))
    check('no vendor files', ['vendor-none'],
          __EGL_VENDOR_LIBRARY_DIRS=os.path.join(folder, 'empty'))

    # A vendor library of sgpu without its driver, and with one that lacks its symbols.
    targets = os.path.join(os.environ['SGPU_BUILD'], 'src/gallium/targets')
    copy = os.path.join(folder, 'copy/glvnd/libEGL_sgpu.so.0')
    os.makedirs(os.path.dirname(copy))
    subprocess.run(['cp', os.path.join(targets, 'glvnd/libEGL_sgpu.so.0'), copy], check=True)
    write(folder, {'copy.json': vendor(copy)})
    found = subprocess.run(['readelf', '-d', copy], capture_output=True, text=True, check=False)
    # The build folder's library names the folder of the driver, the installed one does not.
    if targets not in found.stdout:
        check('driver without its other half', ['driver-build'],
              __EGL_VENDOR_LIBRARY_FILENAMES=os.path.join(folder, 'copy.json'))
    other = os.path.join(folder, 'copy/glvnd/libgallium_sgpu.so')
    shutil.copy(glob.glob('/lib/*/libm.so.6')[0], other)
    check('driver of another build', ['driver-build'],
          LD_LIBRARY_PATH=os.path.dirname(other),
          __EGL_VENDOR_LIBRARY_FILENAMES=os.path.join(folder, 'copy.json'))


def loader(name):
    found = glob.glob(f'/usr/lib/*/{name}')
    return os.path.realpath(found[0]) if found else None


def check_loaders(folder):
    for place, finding in (('conda/lib', 'loader-conda'), ('nix/store/x-libglvnd/lib', 'loader-nix'),
                           ('other/lib', 'loader-other')):
        path = os.path.join(folder, place)
        os.makedirs(path)
        for name in 'libGL.so.1', 'libEGL.so.1', 'libGLX.so.0', 'libGLdispatch.so.0':
            shutil.copy(loader(name), os.path.join(path, name))
        check(place, [finding, 'library-path'], LD_LIBRARY_PATH=path, text=[path])
    path = os.path.join(folder, 'old/lib')
    os.makedirs(path)
    shutil.copy(glob.glob('/lib/*/libm.so.6')[0], os.path.join(path, 'libGL.so.1'))
    check('not libglvnd', ['loader-not-glvnd'], LD_LIBRARY_PATH=path)
    path = os.path.join(folder, 'broken/lib')
    write(path, {'libGL.so.1': 'nonsense'})
    check('broken loader', ['loader-broken'], LD_LIBRARY_PATH=path)


def check_host(folder):
    def root(name, files):
        path = os.path.join(folder, name)
        write(path, {'proc/cpuinfo': 'processor : 0\nflags : fpu ssse3 sse4_1 sse4_2 popcnt\n',
                     'proc/self/status': 'Name:\tx\nSeccomp:\t2\n', 'dev/shm/x': ''} | files)
        return '--root', path

    check('plain host', ['dri-missing'], *root('plain', {}),
          absent=['threads', 'cpu', 'memory-group', 'memory-overcommit', 'seccomp'])
    check('few threads', ['threads', 'seccomp'],
          *root('threads', {'sys/fs/cgroup/pids.max': '9\n', 'sys/fs/cgroup/pids.current': '5\n'}))
    check('many threads', [], *root('unlimited', {'sys/fs/cgroup/pids.max': 'max\n',
                                                  'sys/fs/cgroup/pids.current': '5\n'}),
          absent=['threads'])
    check('little memory', ['memory-group'],
          *root('memory', {'sys/fs/cgroup/memory.max': str(100 << 20)}))
    check('overcommit', ['memory-overcommit'],
          *root('overcommit', {'proc/sys/vm/overcommit_memory': '2\n'}))
    check('address space', ['memory-space'],
          before=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29)))
    if os.uname().machine == 'x86_64':
        check('old processor', ['cpu'], *root('cpu', {'proc/cpuinfo': 'processor : 0\nflags : fpu sse2\n'}),
              text=['x86-64-v2'])
    check('no /proc', ['proc-missing'], '--root', os.path.join(folder, 'empty-root'))
    check('no /dev/shm', ['shm-missing'], '--root', os.path.join(folder, 'empty-root'))
    where = root('node', {'dev/dri/renderD128': ''})
    os.chmod(os.path.join(where[1], 'dev/dri/renderD128'), 0)
    if os.geteuid():
        check('node without rights', ['dri-permission'], *where, text=['sgpu does not need it'])
    for system, word in (('fedora', 'dnf'), ('arch', 'pacman'), ('debian', 'apt-get')):
        where = root(system, {'etc/os-release': f'NAME=x\nID={system}\n'})
        check(system, ['xvfb-missing'], *where, command=(DOCTOR,), text=[word], PATH=folder)
    if not subprocess.run(['unshare', '-rm', 'true'], check=False,
                          stderr=subprocess.DEVNULL).returncode:
        place = os.path.join(folder, 'noexec')
        write(place, {'x': ''})
        write(folder, {'m.json': vendor(os.path.join(place, 'libm.so'))})
        check('noexec', ['noexec', 'shm-small'], command=(
            'unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o noexec,size=4m t "$TMPDIR" && '
            'mount -t tmpfs -o size=1m t /dev/shm && cp /lib/*/libm.so.6 "$TMPDIR/libm.so" && '
            'exec "$@"', 'sh', DOCTOR, '--here'), TMPDIR=place,
              text=['cannot be mapped'],
              __EGL_VENDOR_LIBRARY_FILENAMES=os.path.join(folder, 'm.json'))
    else:
        print('skipped: a folder with noexec (no namespaces)')


def check_programs(folder):
    with open(shutil.which('true'), 'rb') as file:
        program = bytearray(file.read())

    def made(name, change):
        text = bytearray(program)
        change(text)
        path = os.path.join(folder, name)
        with open(path, 'wb') as out:
            out.write(text)
        os.chmod(path, 0o755)
        return path

    def linker(name):
        def change(text):
            start = text.index(b'/lib/ld-' if b'/lib/ld-' in text else b'/lib64/ld-')
            text[start:start + len(name) + 1] = name + b'\0'
        return change

    check('missing program', ['program-missing'], 'nosuchprogram')
    check('Nix', ['program-nix'], made('nix', linker(b'/nix/store/x/ld.so')))
    check('musl', ['program-musl'], made('musl', linker(b'/lib/ld-musl-x.so')))
    check('no linker', ['program-linker'], made('linker', linker(b'/lib/ld-none')))
    check('32 bits', ['program-32'], made('bits', lambda t: t.__setitem__(4, 1)))
    check('another machine', ['program-machine'], made('machine', lambda t: t.__setitem__(18, 8)))
    check('short file', ['program-other'], made('short', lambda t: t.__delitem__(slice(9, None))))
    path = made('setuid', lambda text: None)
    os.chmod(path, 0o755 | stat.S_ISUID)
    check('setuid', ['program-setuid'], path)
    check('static', ['program-static'], STATIC)
    os.makedirs(os.path.join(folder, 'conda/bin'), exist_ok=True)
    check('conda', ['program-conda'], made('conda/bin/python', lambda text: None))
    # The files end anywhere.
    for size in range(0, len(program), len(program) // 10):
        check(f'{size} bytes', [], made('part', lambda t, s=size: t.__delitem__(slice(s, None))))


with tempfile.TemporaryDirectory() as top:
    check_whole()
    for part in (check_display, check_variables, check_vendors, check_loaders, check_host,
                 check_programs):
        place = os.path.join(top, part.__name__)
        os.makedirs(place)
        part(place)
for failure in failures:
    print('FAILED:', failure)
sys.exit(bool(failures))
