// The look at what a test run left behind, with something left behind on purpose.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  endProcess,
  fromProcessList,
  leftFiles,
  leftProcesses,
  RUN_VARIABLE,
} from '../../scripts/test/leftovers.ts';
import { scratchFolder, writeFiles } from './scratch.ts';

const folder = scratchFolder();

const LISTENING = `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

describe.skipIf(process.platform !== 'linux')('on Linux (/proc)', () => {
  test('a process of the run is found with its port, and no longer once it has ended', async () => {
    const run = `leftovers-${process.pid}`;
    const child = spawn(process.execPath, ['-e', LISTENING], {
      env: { ...process.env, [RUN_VARIABLE]: run },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    try {
      const [line]: unknown[] = await once(child.stdout, 'data');
      const port = Number(String(line).trim());
      expect(leftProcesses(run)).toEqual([{ pid: child.pid, command: expect.any(String), ports: [port] }]);
      expect(leftProcesses(`${run}-other`)).toEqual([]);
    } finally {
      endProcess(child.pid ?? 0);
    }
    await ended;
    expect(leftProcesses(run)).toEqual([]);
    endProcess(child.pid ?? 0);
  });
});

test('processes of a run are found in a process list by its mark', () => {
  const rows = [
    `  101 node server.js HOME=x ${RUN_VARIABLE}=this PWD=y`,
    `  102 node server.js ${RUN_VARIABLE}=other`,
    `  103 node server.js`,
    `  ${process.pid} vitest ${RUN_VARIABLE}=this`,
  ].join('\n');
  expect(fromProcessList(rows, 'this').map(({ pid }) => pid)).toEqual([101]);
});

test('files of a run are reported as left, except those that tools keep between runs', () => {
  writeFiles(folder, { 'node-compile-cache/x': '', 'sidelight-data/journal.db': '' });
  expect(leftFiles(folder)).toEqual(['sidelight-data']);
});
