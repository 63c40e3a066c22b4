/** `sidelight mcp` where several instances run: it says which there are and how to choose, and the choice works. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { defaultDataDir } from '../../core/host/data-dir.ts';
import { openRunningFile } from '../../core/host/running-file.ts';
import { wholeProduct } from '../event-router/whole-product.ts';
import { PROGRAM } from '../support/program.ts';
import { agentOver } from './agent.ts';

/** Status and output of a refused start. */
async function ended(
  env: Record<string, string>,
): Promise<{ readonly status: unknown; readonly out: string; readonly err: string }> {
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data) => (out += String(data)));
  child.stderr.on('data', (data) => (err += String(data)));
  const status = await new Promise((resolve) => child.once('close', resolve));
  return { status, out, err };
}

test('with several instances the command ends with 2, stderr lists them with the flag that chooses each, and that flag works', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sidelight-several-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_DATA_HOME: home, LOCALAPPDATA: home };
  const whole = await wholeProduct();
  onTestFinished(() => whole.stop());
  const standard = defaultDataDir(env, process.platform) ?? '';
  const folders = [standard, join(standard, 'run-shop')];
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    const log = { write: () => undefined };
    const file = openRunningFile({ folder, env, version: '1', at: whole.product.ready, log });
    onTestFinished(() => file.remove());
  }
  const { status, out, err } = await ended(env);
  expect([status, out]).toEqual([2, '']);
  expect(err).toMatch(/^sidelight: several instances run; choose one:\n/);
  const listed = [...err.matchAll(/^ {2}pid \d+, .*: --data-dir (.+)$/gm)].map(([, folder = '']) => folder);
  expect(listed).toEqual(folders);
  const args = [PROGRAM, 'mcp', '--data-dir', listed[1] ?? ''];
  const agent = await agentOver(new StdioClientTransport({ command: process.execPath, args, env }));
  expect(await agent.call('topology')).toMatchObject({ isError: false });
  await agent.close();
}, 60_000);
