// Takes the preload as it ships and runs it as a sandboxed page does: one function, with a `require` that knows Electron only.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import * as standIn from './stand-in.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const BUILT = path.join(ROOT, 'dist', 'electron', 'preload', 'preload.cjs');

/** Functions that the preload gives the page. */
export interface Bridge {
  send(text: unknown): void;
  onText(take: (text: string) => void): () => void;
}

/**
 * Text of the emitted preload.cjs: in `npm test` of the one that was built.
 * @throws Error with the compiler's words
 */
export function emitPreload(): string {
  if (process.env['SIDELIGHT_PROGRAM'] !== undefined) return fs.readFileSync(BUILT, 'utf8');
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-preload-'));
  try {
    const compiler = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = [
      '--composite',
      'false',
      '--incremental',
      'false',
      '--declaration',
      'false',
      '--outDir',
      out,
    ];
    const { status, stdout } = spawnSync(
      process.execPath,
      [compiler, '-p', path.join('electron', 'preload'), ...flags],
      { cwd: ROOT, encoding: 'utf8', timeout: 60_000 },
    );
    if (status !== 0) throw new Error(`the preload does not compile:\n${stdout}`);
    return fs.readFileSync(path.join(out, 'electron', 'preload', 'preload.cjs'), 'utf8');
  } finally {
    fs.rmSync(out, { recursive: true, force: true });
  }
}

/**
 * Runs it and gives what it exposed as `window.sidelight`.
 * @throws Error when it asks for any other module
 */
export function runPreload(text: string): Bridge {
  const run = compileFunction(text, ['require', 'process', 'exports', 'module']);
  const exports = {};
  run(sandboxRequire, {}, exports, { exports });
  return bridge(standIn.exposed.get('sidelight'));
}

function sandboxRequire(name: string): unknown {
  if (name !== 'electron') throw new Error(`module not found: ${name}`);
  return { contextBridge: standIn.contextBridge, ipcRenderer: standIn.ipcRenderer };
}

function bridge(value: unknown): Bridge {
  if (!isBridge(value)) throw new Error('the preload exposed no bridge');
  return value;
}

function isBridge(value: unknown): value is Bridge {
  if (typeof value !== 'object' || value === null || !('send' in value) || !('onText' in value)) return false;
  return typeof value.send === 'function' && typeof value.onText === 'function';
}
