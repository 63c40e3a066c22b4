/** A folder with scenario files for one test, and the command that runs them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { testCommand } from '../../core/host/test-command.ts';

export interface ScenarioFolder {
  readonly folder: string;
  /** Writes NAME.scenario.yaml; gives its path. */
  file(name: string, text: string): string;
  /** Exit status and stdout, in which the folder is called FOLDER. */
  run(
    argv: readonly string[],
    signal?: AbortSignal,
    env?: NodeJS.ProcessEnv,
  ): Promise<{ status: number; out: string }>;
}

/** Removed at the end of the test. */
export function folderOfFiles(): ScenarioFolder {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-test-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    file: (name, text) => {
      const path = join(folder, `${name}.scenario.yaml`);
      writeFileSync(path, text);
      return path;
    },
    run: async (argv, signal = new AbortController().signal, env = process.env) => {
      let out = '';
      const status = await testCommand(argv, { out: (text) => void (out += text), env, signal });
      return { status, out: out.replaceAll(folder, 'FOLDER') };
    },
  };
}

/** A file whose second step cannot become true. */
export const FAILS = `name: is dropped
mock:
  - { match: { topic: orders }, answer: { kind: respond, status: 404 } }
steps:
  - publish: { topic: orders, data: { orderId: 1 } }
  - expect: topic:orders
    state: processed
    within: 30s
  - settle:
`;
