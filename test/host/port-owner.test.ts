/** The owner of a port in use: named if the system's tables show it, nothing otherwise. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { portOwner, portsOf } from '../../core/host/port-owner.ts';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (port: string, state: string, inode: number): string =>
  `   0: 0100007F:${port} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1\n`;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sidelight-proc-'));
  await mkdir(join(root, 'net'));
  // 3500 is 0DAC: one that listens, one that only talks.
  await writeFile(join(root, 'net', 'tcp'), HEAD + line('0DAC', '0A', 77) + line('0DAD', '01', 78));
  await writeFile(join(root, 'net', 'tcp6'), HEAD);
  for (const [pid, name, inode] of [
    ['12', 'other', 11],
    ['34', 'node', 77],
    ['56', 'talker', 78],
  ] as const) {
    await mkdir(join(root, pid, 'fd'), { recursive: true });
    await writeFile(join(root, pid, 'cmdline'), `${name} --token=secret\0--token\0secret\0`);
    await writeFile(join(root, pid, 'comm'), `${name} --token=s\n`);
    await symlink(`/usr/bin/${name}`, join(root, pid, 'exe'));
    await symlink(`socket:[${inode}]`, join(root, pid, 'fd', '3'));
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('the owner of a port is the listening process', () => {
  expect(portOwner(3500, root)).toBe('node, pid 34');
});

test('the owner has only its name, without control characters', async () => {
  await rm(join(root, '34', 'exe'));
  await symlink('/opt/no\u001b[2J\u202ede (deleted)', join(root, '34', 'exe'));
  expect(portOwner(3500, root)).toBe('no[2Jde, pid 34');
});

test('a connection, a free port, an unreadable process and another system have no owner', async () => {
  expect(portOwner(3501, root)).toBeUndefined();
  expect(portOwner(3502, root)).toBeUndefined();
  await rm(join(root, '34', 'fd'), { recursive: true });
  expect(portOwner(3500, root)).toBeUndefined();
  expect(portOwner(3500, join(root, 'none'))).toBeUndefined();
});

test('the ports of a process are those on which it listens', () => {
  expect(portsOf([34, 56], root)).toEqual([3500]);
  expect(portsOf([56], root)).toEqual([]);
  expect(portsOf([34], join(root, 'missing'))).toEqual([]);
});
