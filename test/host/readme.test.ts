/** The first minutes as the README tells them: its app gets what is published, and the mock app fails and recovers as it says. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { retryDelayMs } from '../../core/contract/retry-delay.ts';
import { SIDECAR_SETTINGS } from '../../core/domain/settings.ts';
import { PRESETS } from '../../core/mock-app/presets.ts';
import { freePort } from '../support/free-port.ts';
import { folderWith } from './multi-run/plan-of.ts';
import { PATIENCE_MS, sidelight, until } from './multi-run/run-stand.ts';

vi.setConfig({ testTimeout: PATIENCE_MS });

const README = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
const [APP = '', PUBLISH = ''] = [...README.matchAll(/```js\n([\s\S]*?)\n\s*```/g)].map(([, text]) => text);
const CURL =
  /curl -X POST http:\/\/127\.0\.0\.1:3500(?<route>\S+) \\\n\s+-H '(?<header>[^:]+): (?<value>[^']+)' -d '(?<body>[^']+)'/;

test.each([
  { profile: 'sidecar', discovery: '/sidecar/subscribe' },
  { profile: 'dapr', discovery: '/dapr/subscribe' },
])('the app of the README gets two messages in profile $profile', async ({ profile, discovery }) => {
  expect(README).toContain(`\`GET ${discovery}\``);
  const port = await freePort();
  const flags = ['--ephemeral', '--sidecar-port', '0', '--console-port', '0', '--grpc-port', 'off'];
  const one = sidelight([
    '--headless',
    '--profile',
    profile,
    '--app-url',
    `http://127.0.0.1:${port}`,
    ...flags,
  ]);
  const sidecar = (await one.ready).apps[0]?.sidecar ?? '';
  const text = `${APP}\n${PUBLISH}`
    .replace('/sidecar/subscribe', discovery)
    .replace('8080', String(port))
    .replace('http://127.0.0.1:3500', sidecar);
  const folder = folderWith({ 'app.mjs': text });
  const app = spawn(process.execPath, ['app.mjs'], { cwd: folder, stdio: 'inherit' });
  onTestFinished(() => void app.kill());
  const { route = '', header = '', value = '', body = '' } = CURL.exec(README)?.groups ?? {};
  const answer = await fetch(`${sidecar}${route}`, { method: 'POST', headers: { [header]: value }, body });
  expect(answer.status).toBe(204);
  const filter = 'topic:orders state:processed';
  await until(async () => {
    const found = await one.call('messages.list', { filter });
    return found !== null && typeof found === 'object' && 'total' in found && found.total === 2;
  });
});

test('the presets that the README names exist, and the waits of its ten attempts are as long as it says', () => {
  const named = [...README.matchAll(/the preset \*([^*]+)\*/g)].map(([, title]) => title);
  expect(named).toHaveLength(2);
  expect(PRESETS.map(({ title }) => title)).toEqual(expect.arrayContaining(named));
  const policy = SIDECAR_SETTINGS['delivery.retry'].default;
  expect(policy.maxAttempts).toBe(10);
  const waits = Array.from({ length: policy.maxAttempts - 1 }, (_, i) => retryDelayMs(policy, i + 1));
  expect(Math.round(waits.reduce((sum, wait) => sum + wait) / 1000)).toBe(7);
  expect(README).toContain('after ten attempts, some seven seconds later');
});
