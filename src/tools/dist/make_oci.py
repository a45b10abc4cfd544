#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes an OCI image of a tarball of sgpu: an archive of an image layout, as podman, buildah, skopeo and
docker load it.  The image contains /opt/sgpu, over the files of a folder with a system, if one is
given.  Needs no container program and no root.

usage: make_oci.py --version V --arch ARCH [--root FOLDER] --output FILE TARBALL"""

import argparse
import gzip
import hashlib
import io
import json
import os
import stat
import sys
import tarfile
import time

ARCHITECTURES = {'x86_64': 'amd64', 'aarch64': 'arm64'}
LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip'
MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
CONFIG = 'application/vnd.oci.image.config.v1+json'
# Files of a system that belong to the machine, not to the image.
LEFT_OUT = ('dev/', 'proc/', 'sys/', 'run/', 'tmp/', 'var/cache/apt/', 'var/lib/apt/lists/',
            'var/log/', 'etc/resolv.conf')
EMPTY = ('dev', 'proc', 'sys', 'run', 'tmp', 'var/cache/apt', 'var/lib/apt/lists', 'var/log')


def digest(data):
    return 'sha256:' + hashlib.sha256(data).hexdigest()


class Layout:
    """The blobs of an image."""

    def __init__(self):
        self.blobs = {}

    def add(self, data, kind):
        self.blobs[digest(data)] = data
        return {'mediaType': kind, 'digest': digest(data), 'size': len(data)}

    def add_json(self, value, kind):
        return self.add(json.dumps(value, sort_keys=True).encode(), kind)

    def write(self, path, index, date):
        files = {'oci-layout': json.dumps({'imageLayoutVersion': '1.0.0'}).encode(),
                 'index.json': json.dumps(index, sort_keys=True).encode()}
        files |= {'blobs/' + name.replace(':', '/'): data for name, data in self.blobs.items()}
        with tarfile.open(path + '.part', 'w', format=tarfile.USTAR_FORMAT) as archive:
            for name, data in sorted(files.items()):
                info = tarfile.TarInfo(name)
                info.size, info.mtime, info.mode = len(data), date, 0o644
                archive.addfile(info, io.BytesIO(data))
        os.replace(path + '.part', path)


def layer(fill, date):
    """Returns a layer, compressed, and the digest of its tar file."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode='w', format=tarfile.GNU_FORMAT) as archive:
        fill(archive, date)
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode='wb', mtime=0, compresslevel=9, filename='') as file:
        file.write(raw.getvalue())
    return packed.getvalue(), digest(raw.getvalue())


def add_folder(archive, name, date):
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.mtime = tarfile.DIRTYPE, 0o755, date
    archive.addfile(info)


def sgpu_layer(tarball):
    def fill(archive, date):
        add_folder(archive, 'opt', date)
        with tarfile.open(tarball) as source:
            for member in source.getmembers():
                inner = member.name.split('/', 1)[1:]
                member.name = '/'.join(['opt/sgpu', *inner])
                archive.addfile(member, source.extractfile(member) if member.isfile() else None)
    return fill


def root_layer(root):
    def fill(archive, _):
        def keep(info):
            if info.name + '/' in LEFT_OUT and info.name in EMPTY:
                return info
            if info.name.startswith(LEFT_OUT) or stat.S_ISSOCK(info.mode):
                return None
            info.uname = info.gname = ''
            return info
        for name in sorted(os.listdir(root)):
            archive.add(os.path.join(root, name), name, filter=keep)
    return fill


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0])
    for name in ('version', 'arch', 'output'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--root', help='folder of a system, made by debootstrap')
    parser.add_argument('tarball')
    options = parser.parse_args()
    if options.arch not in ARCHITECTURES:
        sys.exit(f"no architecture '{options.arch}'")
    date = int(os.environ['SOURCE_DATE_EPOCH'])

    layout, layers, diffs = Layout(), [], []
    fills = [root_layer(options.root)] if options.root else []
    for fill in [*fills, sgpu_layer(options.tarball)]:
        data, diff = layer(fill, date)
        layers.append(layout.add(data, LAYER))
        diffs.append(diff)
    labels = {'org.opencontainers.image.title': 'sgpu',
              'org.opencontainers.image.version': options.version,
              'org.opencontainers.image.licenses': 'MIT'}
    config = layout.add_json({
        'architecture': ARCHITECTURES[options.arch], 'os': 'linux',
        'created': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(date)),
        'config': {
            'Env': ['PATH=/opt/sgpu/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
            'Entrypoint': ['/opt/sgpu/bin/sgpu-run'],
            'Labels': labels,
        },
        'rootfs': {'type': 'layers', 'diff_ids': diffs},
        'history': [{'created_by': 'sgpu dist oci'} for _ in diffs],
    }, CONFIG)
    manifest = layout.add_json({'schemaVersion': 2, 'mediaType': MANIFEST, 'config': config,
                                'layers': layers, 'annotations': labels}, MANIFEST)
    manifest['annotations'] = {'org.opencontainers.image.ref.name': 'sgpu:' + options.version}
    layout.write(options.output, {'schemaVersion': 2, 'manifests': [manifest]}, date)
    print(options.output)


if __name__ == '__main__':
    main()
