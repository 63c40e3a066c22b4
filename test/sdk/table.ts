/** The table that the suite prints: one line for each language, way and sidecar. */
import { CELLS, NOT_OFFERED, OK } from './cells.ts';
import type { Cell, CellName } from './cells.ts';
import type { Way } from './languages.ts';

export interface Line {
  readonly language: string;
  readonly way?: Way;
  readonly target: string;
  readonly isGood: boolean;
  readonly cells?: Readonly<Record<CellName, Cell>>;
  /** In place of cells: why there are none. */
  readonly note?: string;
}

const WAY_NAMES: Readonly<Record<Way, string>> = { http: 'HTTP', grpc: 'gRPC callback', stream: 'stream' };

/** Markdown; below it what went wrong, in words. */
export function tableOf(lines: readonly Line[]): string {
  const head = ['SDK', 'subscribes by', 'sidecar', ...CELLS];
  const rows = lines.map((line) => [
    line.language,
    line.way === undefined ? '' : WAY_NAMES[line.way],
    line.target,
    ...(line.cells === undefined ? [line.note ?? ''] : CELLS.map((name) => shown(line.cells?.[name] ?? ''))),
  ]);
  const details = lines.flatMap(({ language, way, target, cells = {} }) =>
    Object.entries(cells)
      .filter(([, cell]) => cell !== OK && cell !== NOT_OFFERED)
      .map(([name, cell]) => `- ${language}, ${way ?? ''}, ${target}, ${name}: ${cell}`),
  );
  const markdown = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return [...markdown, ...(details.length === 0 ? [] : ['', ...details])].join('\n');
}

function shown(cell: Cell): string {
  return cell === OK || cell === NOT_OFFERED ? cell : 'FAILED';
}
