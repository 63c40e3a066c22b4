/** The languages of the suite: what each needs, how its app is prepared and started, and which ways of subscribing its SDK offers. */
import path from 'node:path';

export type Way = 'http' | 'grpc' | 'stream';

export const WAYS: readonly Way[] = ['http', 'grpc', 'stream'];

export type Command = readonly [program: string, ...args: string[]];

export interface Language {
  readonly id: string;
  readonly name: string;
  /** Asked first; a program that is missing or fails means that the language is skipped. */
  readonly needs: readonly Command[];
  /** Run in the copy of the app's folder, one after the other. */
  readonly prepare: readonly Command[];
  /** Starts the app, in the same folder. */
  readonly start: Command;
  /** Ways that the SDK does not offer, and why. */
  readonly absent: Partial<Readonly<Record<Way, string>>>;
}

const NO_STREAM = 'the SDK has no streaming subscriptions';
const inFolder = (...parts: readonly string[]): string => `.${path.sep}${path.join(...parts)}`;
const isWindows = process.platform === 'win32';
const python = isWindows ? inFolder('venv', 'Scripts', 'python.exe') : inFolder('venv', 'bin', 'python');
const npm = isWindows ? 'npm.cmd' : 'npm';

export const LANGUAGES: readonly Language[] = [
  {
    id: 'python',
    name: 'Python',
    needs: [['python3', '--version']],
    prepare: [
      ['python3', '-m', 'venv', 'venv'],
      [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
    ],
    start: [python, 'app.py'],
    absent: {},
  },
  {
    id: 'go',
    name: 'Go',
    needs: [['go', 'version']],
    prepare: [['go', 'build', '-o', 'app', '.']],
    start: [inFolder('app')],
    absent: {},
  },
  {
    id: 'java',
    name: 'Java',
    needs: [
      ['javac', '--version'],
      ['mvn', '--version'],
    ],
    prepare: [['mvn', '--quiet', '--batch-mode', 'package']],
    start: ['java', '-jar', path.join('target', 'app.jar')],
    absent: {},
  },
  {
    id: 'javascript',
    name: 'JavaScript',
    needs: [[npm, '--version']],
    prepare: [[npm, 'install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error']],
    start: [process.execPath, 'app.mjs'],
    absent: { stream: NO_STREAM },
  },
  {
    id: 'rust',
    name: 'Rust',
    needs: [['cargo', '--version']],
    prepare: [['cargo', 'build', '--quiet', '--release']],
    start: [inFolder('target', 'release', 'sdk')],
    absent: { http: 'the SDK has no subscriptions over HTTP', stream: NO_STREAM },
  },
  {
    id: 'dotnet',
    name: '.NET',
    needs: [['dotnet', '--version']],
    prepare: [['dotnet', 'build', '--nologo', '--verbosity', 'quiet', '--output', 'out']],
    start: ['dotnet', path.join('out', 'sdk.dll')],
    absent: {},
  },
];
