/** Figures against their targets, how they are printed, and the sizes of what was built. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** `most`: the figure may be so high; `least`: it must be so high. Without a target it only informs. */
  readonly target?: { readonly kind: 'most' | 'least'; readonly value: number };
}

export const most = (name: string, value: number, unit: string, target: number): Figure => ({
  name,
  value,
  unit,
  target: { kind: 'most', value: target },
});

export const least = (name: string, value: number, unit: string, target: number): Figure => ({
  name,
  value,
  unit,
  target: { kind: 'least', value: target },
});

function isMet({ value, target }: Figure): boolean {
  if (target === undefined) return true;
  return target.kind === 'most' ? value <= target.value : value >= target.value;
}

const shown = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1));

/** One line per figure. */
export function linesOf(figures: readonly Figure[]): readonly string[] {
  return figures.map((figure) => {
    const { name, value, unit, target } = figure;
    const sign = target?.kind === 'most' ? '<=' : '>=';
    const wanted = target === undefined ? '' : `${sign} ${shown(target.value)} ${unit}`;
    const verdict = target === undefined ? '' : isMet(figure) ? 'met' : 'NOT MET';
    return [
      name.padEnd(58),
      `${shown(value)} ${unit}`.padStart(16),
      wanted.padStart(18),
      verdict.padStart(9),
    ].join(' ');
  });
}

/** The value under which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

interface Chunk {
  readonly file: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  readonly css: readonly string[];
}

/** Sizes of the first load. The test of the sizes has more. */
export function sizes(root: string): readonly Figure[] {
  const note = path.join(root, 'dist', '.build', 'console-chunks.json');
  const chunks: readonly Chunk[] = JSON.parse(readFileSync(note, 'utf8'));
  const first = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ file }) => file));
  for (const file of first) {
    for (const next of chunks.find((chunk) => chunk.file === file)?.imports ?? []) first.add(next);
  }
  const styles = new Set(chunks.filter(({ file }) => first.has(file)).flatMap(({ css }) => css));
  const kb = (files: Iterable<string>): number =>
    [...files].reduce(
      (sum, file) => sum + gzipSync(readFileSync(path.join(root, 'dist', 'renderer', file))).length,
      0,
    ) / 1024;
  return [
    most('first load: script, gzipped', kb(first), 'KB', 350),
    most('first load: styles, gzipped', kb(styles), 'KB', 40),
  ];
}
