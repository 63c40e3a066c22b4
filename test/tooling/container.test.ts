// The files for containers agree with the command line, the standard ports and each other.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readCommandLine } from '../../core/host/options.ts';
import { ROOT } from '../architecture/graph.ts';

const dockerfile = fs.readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');
const compose: {
  readonly services: Readonly<
    Record<
      'sidelight' | 'app',
      {
        readonly command: readonly string[];
        readonly ports?: readonly string[];
        readonly environment: Readonly<Record<string, string>>;
      }
    >
  >;
  readonly configs: { readonly app: { readonly content: string } };
} = parse(fs.readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8'));

function optionsOf(argv: readonly string[]) {
  const asked = readCommandLine(argv, {});
  if (asked.kind !== 'start') throw new Error('nothing is started');
  return asked.options;
}

test('the image starts headless, and listens beyond its container', () => {
  const [, words = ''] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  const argv: readonly string[] = JSON.parse(words);
  expect(optionsOf(argv)).toMatchObject({ mode: 'headless', sidecarHost: '0.0.0.0', consoleHost: '0.0.0.0' });
  expect(dockerfile).toMatch(/^ENTRYPOINT \["sidelight"\]$/m);
  expect(dockerfile).toMatch(/^EXPOSE 3500 3580 50001$/m);
});

test('the image does not contain files built or installed here', () => {
  const left = fs.readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n');
  for (const name of ['node_modules', 'dist', '.git']) expect(left).toContain(name);
});

test('the services reach each other, and only this machine reaches the ports', () => {
  const { sidelight, app } = compose.services;
  expect(optionsOf(sidelight.command)).toMatchObject({
    mode: 'headless',
    sidecarHost: '0.0.0.0',
    consoleHost: '0.0.0.0',
    consoleAllowedHosts: ['sidelight'],
    apps: [{ appId: 'app', url: 'http://app:8080' }],
  });
  expect(sidelight.ports).toEqual(['127.0.0.1:3500:3500', '127.0.0.1:3580:3580']);
  // Sidecars beyond their container start only with a token; the composer refuses to start without one.
  expect(sidelight.environment['SIDECAR_API_TOKEN']).toMatch(/^\$\{SIDECAR_API_TOKEN:\?/);
  expect(app.environment).toEqual({ SIDECAR_API_TOKEN: '${SIDECAR_API_TOKEN}' });
  expect(app.command).toEqual(['node', '/app.mjs']);
  expect(compose.configs.app.content).toContain('.listen(8080)');
});
