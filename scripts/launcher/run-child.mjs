// Runs one program to its end and passes signals on; makes the environment for a Node.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './place.mjs';

/** Error of a program that a signal ended; the launcher ends the same way. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`ended by ${signal}`);
    this.signal = signal;
  }
}

/** This environment with `node`'s folder first on PATH, so that nested npm, npx and shebangs find the same Node. */
export function environmentFor(node, base = process.env) {
  const env = { ...base };
  const key = Object.keys(env).find((name) => name.toLowerCase() === 'path') ?? 'PATH';
  env[key] = [path.dirname(node), env[key]].filter(Boolean).join(path.delimiter);
  env.NODE = node;
  env.npm_node_execpath = node;
  return env;
}

/**
 * Runs a program to its end, passing signals on.
 * @returns its exit code
 * @throws Interrupted when a signal ended it
 */
export function run(command, args, { env, stdio }) {
  const child = spawn(command, args, { cwd: ROOT, env, stdio });
  const forwarded = ['SIGTERM', 'SIGHUP', process.platform === 'win32' ? 'SIGBREAK' : 'SIGINT'];
  // In a terminal the whole group gets Ctrl-C; passed on, it would count as a second one.
  const terminal = process.stdin.isTTY || process.stdout.isTTY;
  const listeners = forwarded.map((signal) => {
    const listener = () => void (signal === 'SIGINT' && terminal ? undefined : child.kill(signal));
    process.on(signal, listener);
    return [signal, listener];
  });
  // If npm alone is ended, its script goes on running, so the loss of the parent is watched.
  const parent = process.ppid;
  const watch = process.env.npm_lifecycle_event
    ? setInterval(() => void (process.ppid !== parent && child.kill('SIGTERM')), 500).unref()
    : undefined;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => (signal ? reject(new Interrupted(signal)) : resolve(code ?? 1)));
  }).finally(() => {
    clearInterval(watch);
    for (const [signal, listener] of listeners) process.off(signal, listener);
  });
}
