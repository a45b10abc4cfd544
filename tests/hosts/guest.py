# SPDX-License-Identifier: MIT
"""A virtual machine (QEMU) with Debian's kernel that sees this machine's files, read-only, and runs
a shell script.  `./sgpu setup more` unpacks the kernel into build-guest; it is not installed."""

import glob
import gzip
import json
import lzma
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
import time

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), '..', '..'))
KERNEL = os.path.join(TOP, 'build-guest')
MODULES = ['virtio_pci', '9pnet_virtio', '9p', 'vgem', 'virtio-gpu']
# The kernel prints its first line within this time, in seconds, unless KVM does not work.  Its
# loader, which runs before it, prints lines also on hosts where the kernel then hangs.
KVM_PROBE = 10
KVM_LINE = b'Linux version'

INIT = '''#!/bin/busybox sh
for file in {modules}; do /bin/busybox insmod /modules/$file 2>/dev/null; done
mount() {{ /bin/busybox mount "$@"; }}
mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=1048576,cache=loose host /host
mount -t proc proc /host/proc
mount -t sysfs sysfs /host/sys
mount -t devtmpfs dev /host/dev
mount -t tmpfs run /host/run
/bin/busybox cp /script /host/run/script
/bin/busybox stty -F /host/dev/ttyS0 -echo
/bin/busybox env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/run TMPDIR=/run \\
   /bin/busybox chroot /host /bin/sh /run/script </host/dev/ttyS0 >/host/dev/ttyS0 2>&1
/bin/busybox echo "script: status $?" >/host/dev/ttyS0
/bin/busybox poweroff -f
'''


class Missing(Exception):
    """Something that this machine lacks."""


def kernel_files():
    """Returns the kernel and the files of its modules, in the order in which they are loaded."""
    root = os.environ.get('SGPU_GUEST_KERNEL') or KERNEL
    kernels = sorted(glob.glob(os.path.join(root, 'boot', 'vmlinuz-*')))
    if not kernels:
        raise Missing(f'no kernel in {root}/boot: run ./sgpu setup more')
    version = os.path.basename(kernels[-1]).removeprefix('vmlinuz-')
    folders = glob.glob(os.path.join(root, 'lib', 'modules', version)) or glob.glob(
        os.path.join(root, 'usr', 'lib', 'modules', version))
    if not folders:
        raise Missing(f'no modules of {version} in {root}')
    return kernels[-1], module_files(folders[0])


def module_files(folder):
    """Returns the files of MODULES and of what they need, the needed ones first."""
    needs = {}
    with open(os.path.join(folder, 'modules.dep'), encoding='ascii') as file:
        for line in file:
            path, _, others = line.partition(':')
            needs[path] = others.split()
    names = {os.path.basename(path).split('.')[0].replace('-', '_'): path for path in needs}
    order = []
    for name in MODULES:
        path = names.get(name.replace('-', '_'))
        # A module that is missing here is part of the kernel.
        for each in reversed([path] + needs[path] if path else []):
            if each not in order:
                order.append(each)
    return [os.path.join(folder, path) for path in order]


def archive_entry(name, mode, data=b''):
    """Returns a file in the format of cpio's "newc"."""
    fields = [0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
    head = b'070701' + b''.join(b'%08x' % field for field in fields) + name.encode() + b'\0'
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def initial_files(modules, script):
    """Returns the guest's initial file system: busybox, the modules, and the script."""
    busybox = shutil.which('busybox')
    if not busybox:
        raise Missing('no busybox: run ./sgpu setup more')
    parts = [archive_entry(name, stat.S_IFDIR | 0o755)
             for name in ('bin', 'modules', 'host', 'proc')]
    with open(busybox, 'rb') as file:
        parts.append(archive_entry('bin/busybox', stat.S_IFREG | 0o755, file.read()))
    names = []
    for path in modules:
        with open(path, 'rb') as file:
            data = file.read()
        name = os.path.basename(path)
        if name.endswith('.xz'):
            name, data = name.removesuffix('.xz'), lzma.decompress(data)
        names.append(name)
        parts.append(archive_entry('modules/' + name, stat.S_IFREG | 0o644, data))
    init = INIT.format(modules=' '.join(names))
    parts.append(archive_entry('init', stat.S_IFREG | 0o755, init.encode()))
    parts.append(archive_entry('script', stat.S_IFREG | 0o644, script.encode()))
    parts.append(archive_entry('TRAILER!!!', 0))
    return gzip.compress(b''.join(parts), 1)


def connect(path, process):
    """Returns a connection to a socket of QEMU, once there is one."""
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
            return connection
        except OSError:
            connection.close()
            if process.poll() is not None:
                raise Missing(f'QEMU does not start: status {process.returncode}') from None
            time.sleep(0.05)


class Guest:
    """A running virtual machine.  Its script's lines are read with wait_for.  `root` is the folder
    of the system that it sees.  If `echo` is a file, it gets the lines; otherwise the last ones are
    part of an error's text."""

    def __init__(self, script, accelerator='auto', memory='1024', echo=None, root='/'):
        qemu = shutil.which('qemu-system-x86_64')
        if not qemu:
            raise Missing('no qemu-system-x86_64: run ./sgpu setup more')
        kernel, modules = kernel_files()
        self.folder = tempfile.mkdtemp()
        self.echo = echo
        with open(os.path.join(self.folder, 'initrd'), 'wb') as file:
            file.write(initial_files(modules, script))
        self.command = [
            qemu, '-m', memory, '-smp', '2', '-display', 'none', '-nodefaults', '-no-reboot',
            '-kernel', kernel, '-initrd', os.path.join(self.folder, 'initrd'),
            '-append', 'console=ttyS0 earlyprintk=ttyS0 loglevel=4 panic=-1 rdinit=/init',
            '-chardev', f'socket,id=serial,path={self.folder}/serial,server=on,wait=off',
            '-serial', 'chardev:serial', '-qmp', f'unix:{self.folder}/qmp,server=on,wait=off',
            '-device', 'virtio-gpu-pci,xres=1024,yres=768',
            '-virtfs', f'local,path={root},mount_tag=host,security_model=none,readonly=on,'
                       'multidevs=remap']
        self.process, self.buffer, self.last = None, b'', []
        try:
            self.accelerator = self.start(accelerator)
        except BaseException:
            self.end()
            raise

    def start(self, accelerator):
        """Starts QEMU, with KVM if it works: where this machine is itself a virtual machine, it may
        be there and not work.  Returns the accelerator that is used."""
        if accelerator != 'tcg' and os.access('/dev/kvm', os.R_OK | os.W_OK):
            # Some hosts of virtual machines refuse this register.
            self.launch('-accel', 'kvm', '-cpu', 'host,-arch-capabilities')
            if self.prints(KVM_LINE, KVM_PROBE):
                return 'kvm'
            self.stop()
        if accelerator == 'kvm':
            raise Missing('KVM does not work on this machine')
        # QEMU 7.2 reads a wrong address for AVX2's gathers without a base register.
        self.launch('-accel', 'tcg,thread=multi', '-cpu', 'max,-avx2')
        self.buffer = b''
        return 'tcg'

    def prints(self, text, seconds):
        """Returns whether the console has this text within this time."""
        end = time.monotonic() + seconds
        self.buffer = b''
        while text not in self.buffer:
            self.serial.settimeout(max(end - time.monotonic(), 0.001))
            try:
                data = self.serial.recv(65536)
            except TimeoutError:
                return False
            if not data:
                return False
            self.buffer += data
        return True

    def launch(self, *options):
        for name in ('serial', 'qmp'):
            if os.path.exists(os.path.join(self.folder, name)):
                os.remove(os.path.join(self.folder, name))
        with open(os.path.join(self.folder, 'log'), 'wb') as log:
            self.process = subprocess.Popen(self.command + list(options), stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL)
        try:
            self.serial = connect(os.path.join(self.folder, 'serial'), self.process)
            self.qmp = connect(os.path.join(self.folder, 'qmp'), self.process).makefile('rw')
        except Missing as error:
            with open(os.path.join(self.folder, 'log'), encoding='utf-8') as log:
                raise Missing(f'{error}: {log.read().strip()}') from None
        self.qmp.readline()
        self.ask('qmp_capabilities')

    def ask(self, command, **arguments):
        """Runs a command of QEMU's monitor."""
        json.dump({'execute': command, 'arguments': arguments}, self.qmp)
        self.qmp.flush()
        while True:
            answer = json.loads(self.qmp.readline())
            if 'error' in answer:
                raise RuntimeError(f'QEMU: {command}: {answer["error"]["desc"]}')
            if 'return' in answer:
                return

    def lines(self, seconds):
        """Yields the lines of the guest's console until it ends."""
        end = time.monotonic() + seconds
        while True:
            while b'\n' in self.buffer:
                line, _, self.buffer = self.buffer.partition(b'\n')
                text = line.decode(errors='replace').strip('\r')
                self.last = self.last[-60:] + [text]
                if self.echo:
                    print('guest:', text, file=self.echo, flush=True)
                yield text
            self.serial.settimeout(max(end - time.monotonic(), 0.001))
            try:
                data = self.serial.recv(65536)
            except TimeoutError:
                raise self.error(f'the guest did not answer for {seconds} seconds') from None
            if not data:
                return
            self.buffer += data

    def wait_for(self, text, seconds):
        """Waits for a line that is this text.  Returns the lines before it."""
        seen = []
        for line in self.lines(seconds):
            if line == text:
                return seen
            if line.startswith('script: status '):
                raise self.error(f'the guest\'s script ended before "{text}", with {line[8:]}')
            seen.append(line)
        raise self.error(f'the guest ended before "{text}"')

    def error(self, text):
        """Returns an exception with the last lines of the console, if it was not shown."""
        return RuntimeError('\n'.join([text] + ([] if self.echo else self.last)))

    def wait_end(self, seconds):
        """Waits for the end of the script, and returns its status and its lines."""
        seen, status = [], None
        for line in self.lines(seconds):
            seen.append(line)
            if line.startswith('script: status '):
                status = int(line.split()[2])
        return status, seen

    def answer(self, text=''):
        """Sends a line to the script's standard input."""
        self.serial.sendall(text.encode() + b'\n')

    def picture(self, path):
        """Writes what the screen of the machine shows, as PNG or PPM."""
        self.ask('screendump', filename=os.path.abspath(path),
                 format=os.path.splitext(path)[1].removeprefix('.'))

    def pixels(self):
        """Returns every 7th pixel of the screen, as tuples."""
        path = os.path.join(self.folder, 'screen.ppm')
        self.picture(path)
        with open(path, 'rb') as file:
            data = file.read()
        size = re.match(rb'P6\s+(\d+)\s+(\d+)\s+255\s', data)
        data = data[size.end():]
        return list(zip(data[::21], data[1::21], data[2::21]))

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait()

    def end(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
