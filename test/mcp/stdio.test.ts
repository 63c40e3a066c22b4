/** `sidelight mcp` as a process: the protocol alone on stdout, an instance of its own where none runs, and one that goes away. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wholeProduct } from '../event-router/whole-product.ts';
import { PROGRAM } from '../support/program.ts';
import { agentOver, firstOf } from './agent.ts';
import type { Agent } from './agent.ts';

const LIMIT_MS = 60_000;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sidelight-mcp-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const environment = (): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ),
  XDG_DATA_HOME: home,
  HOME: home,
  LOCALAPPDATA: home,
});

interface Started {
  readonly agent: Agent;
  readonly errors: readonly Error[];
  readonly stderr: () => string;
}

async function start(...flags: readonly string[]): Promise<Started> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...flags],
    env: environment(),
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (data: Buffer) => (said += data.toString()));
  const agent = await agentOver(transport);
  const errors: Error[] = [];
  agent.client.onerror = (error) => errors.push(error);
  return { agent, errors, stderr: () => said };
}

test(
  "without a running instance the first tool starts an ephemeral one, which ends with the agent's server",
  async () => {
    const { agent, errors, stderr } = await start();
    expect((await agent.client.listTools()).tools).toHaveLength(17);
    expect(stderr()).toBe('');
    const published = await agent.call('publish', { topic: 'orders', data: { n: 1 } });
    expect(published).toMatchObject({ isError: false });
    const { text } = await agent.call('topology');
    for (const port of [3500, 3580, 6001, 50_001]) expect(text).not.toMatch(new RegExp(`:${port}\\b`));
    expect(stderr()).toMatch(
      /^sidelight: no instance is running, so one that keeps nothing was started\. Its console \(this link works once\): http/,
    );
    expect(readdirSync(home, { recursive: true }).join(' ')).toMatch(/ephemeral.\d+\.json/);
    expect(errors).toEqual([]);
    await agent.close();
    expect(readdirSync(home, { recursive: true }).join(' ')).not.toMatch(/\.json/);
  },
  LIMIT_MS,
);

test(
  'a running instance logs acts as done by an agent, and once it has ended a call says so',
  async () => {
    const whole = await wholeProduct();
    const { rpc, token } = whole.product.ready;
    const { agent, errors } = await start('--rpc', rpc, '--token', token);
    await agent.call('hold', { filter: 'topic:orders' });
    await agent.call('publish', { topic: 'orders', data: { n: 1 } });
    const { items } = await whole.rpc('logs.list', { level: 'info', filter: '"by an agent"' });
    expect(items.map(({ text }) => text)).toEqual([
      'messages.publish by an agent: topic "orders", pubsubname "pubsub"',
      'holds.add by an agent: filter "topic:orders", at "delivery"',
    ]);
    const { messageId } = (await whole.rpc('messages.list', {})).items[0] ?? { messageId: '' };
    expect(firstOf(await agent.call('list_messages'), 'messageId')).toBe(messageId);
    await whole.stop();
    const after = await agent.call('list_messages');
    expect(after.isError).toBe(true);
    expect(after.text).toMatch(/nothing answers at|went away/);
    expect(errors).toEqual([]);
    await agent.close();
  },
  LIMIT_MS,
);

test(
  'a bad flag ends the command with 2, and stdout stays empty',
  async () => {
    const child = spawn(process.execPath, [PROGRAM, 'mcp', '--tokn', 'x'], { env: environment() });
    let [out, err] = ['', ''];
    child.stdout.on('data', (data) => (out += String(data)));
    child.stderr.on('data', (data) => (err += String(data)));
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('unknown flag --tokn, did you mean --token?');
  },
  LIMIT_MS,
);
