// The checks that need no running product: format, lint, types, unused code. `npm run check` runs all of them, `npm test` those
// that show what the product would do wrong, and those that take few seconds.
import { checkCommits } from './commits.ts';
import { ROOT, runTool, seconds } from './tools.ts';

export interface Gate {
  readonly name: string;
  readonly tool: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Environment for tools written in Go, which would collect garbage several times in their few seconds. */
const SELDOM_COLLECTED = { GOGC: '400' };

/** The gate of the types. Tests wait for it, because a build uses the files that it writes. */
export const TYPES: Gate = {
  name: 'types',
  tool: 'typescript/tsc',
  // More checkers would repeat each other's work, and other gates use the idle core.
  args: ['-b', '--checkers', '1'],
  env: SELDOM_COLLECTED,
};

const FORMAT: Gate = { name: 'format', tool: 'oxfmt', args: ['--check'] };

/**
 * Gates of `npm test` beside the types. With types the linter takes twelve times as long, and shows no fault of the product that types and
 * tests do not.
 */
export const BRIEF_GATES: readonly Gate[] = [
  FORMAT,
  { name: 'lint', tool: 'oxlint', args: ['--deny-warnings'], env: SELDOM_COLLECTED },
];

export const GATES: readonly Gate[] = [
  TYPES,
  FORMAT,
  { name: 'lint', tool: 'oxlint', args: ['--type-aware', '--deny-warnings'], env: SELDOM_COLLECTED },
  { name: 'unused', tool: 'knip', args: ['--no-progress'] },
];

export const ARCHITECTURE: Gate = {
  name: 'architecture',
  tool: 'vitest',
  args: ['run', '--project', 'unit', 'test/architecture'],
};

const GATE_LIMIT_MS = 600_000;

/** Runs one gate and prints a line with its duration, and the tool's output if it failed. True = passed. */
async function runGate(gate: Gate): Promise<boolean> {
  const from = performance.now();
  const { tool, args, env = {} } = gate;
  const { code, output } = await runTool(tool, args, { env, output: 'capture', limitMs: GATE_LIMIT_MS });
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${gate.name.padEnd(13)} ${seconds(from)}`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}

/** Checks the commit subjects and prints a line like the other gates. True = passed. */
export function runCommits(): boolean {
  const from = performance.now();
  const { complaints, note } = checkCommits(ROOT);
  const passed = complaints.length === 0;
  const remark = note === undefined ? '' : ` (${note})`;
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${'commits'.padEnd(13)} ${seconds(from)}${remark}`);
  for (const complaint of complaints) console.log(complaint);
  return passed;
}

/**
 * Runs gates at the same time, because each leaves a core idle for a part of its time. True for each that
 * passed.
 */
export function runGates(gates: readonly Gate[]): Promise<boolean[]> {
  return Promise.all(gates.map((gate) => runGate(gate)));
}
