/** `npm run audit` with an npm that answers as a registry may: none, explained or not, no answer. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const SCRIPT = path.join(import.meta.dirname, '..', '..', 'scripts', 'audit.mjs');
const FOUND = {
  vulnerabilities: {
    leaf: {
      name: 'leaf',
      nodes: ['node_modules/leaf'],
      effects: ['branch'],
      via: [
        {
          source: 1,
          title: 'Leaf falls',
          severity: 'high',
          range: '<2',
          url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
        },
      ],
    },
    branch: { name: 'branch', nodes: ['node_modules/branch'], effects: [], via: ['leaf'] },
  },
};

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-audit-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function audit(answer: string): { readonly status: number | null; readonly said: string } {
  return auditWith(`process.stdout.write(${JSON.stringify(answer)});`);
}

/** @param program of the npm */
function auditWith(program: string): { readonly status: number | null; readonly said: string } {
  const npm = path.join(folder, 'npm-cli.js');
  fs.writeFileSync(npm, program);
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], {
    env: { ...process.env, npm_execpath: npm },
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

test('without findings the audit ends with 0', () => {
  const { status, said } = audit('{"vulnerabilities":{}}');
  expect(said).toContain('0 known weaknesses of what ships, 0 not explained.');
  expect(status).toBe(0);
});

test('an unexplained finding ends the audit with 1 and names the packages that bring it in', () => {
  const { status, said } = audit(JSON.stringify(FOUND));
  expect(status).toBe(1);
  expect(said).toContain('high GHSA-aaaa-bbbb-cccc leaf <2: Leaf falls');
  expect(said).toContain('comes in at node_modules/leaf; brought by branch');
  expect(said).toContain('NOT EXPLAINED');
});

test.each([
  ['an error in JSON', '{"message":"405 Method Not Allowed","statusCode":405}', '405 Method Not Allowed'],
  ['a page', '<html>proxy</html>', '<html>proxy</html>'],
  ['nothing', '', 'it said nothing'],
])('a registry that answers with %s ends the audit with 2, because nothing is known', (_, answer, reason) => {
  const { status, said } = audit(answer);
  expect(status).toBe(2);
  expect(said).toContain(reason);
  expect(said).toContain('neither good nor bad');
});

test('more output of npm than can be read ends the audit with 2', () => {
  const { status, said } = auditWith(`process.stdout.write('x'.repeat(65 * 1024 * 1024));`);
  expect(said).toContain('npm audit could not be run');
  expect(said).toContain('neither good nor bad');
  expect(status).toBe(2);
});
