/** A row of the targets, and its print. */

export interface Figure {
  /** Number of the target; a letter or a count after it tells its parts apart. */
  readonly id: string;
  readonly title: string;
  readonly value: number;
  /** Smallest (`atLeast`) or largest (`atMost`) value that is good; absent: a figure without a target. */
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  readonly unit?: string;
  /** Details of the measurement. */
  readonly detail?: string;
}

/** True when the value is as good as its target; undefined: it has none, or the system did not tell the value. */
export function isMet({ value, target }: Figure): boolean | undefined {
  if (target === undefined || Number.isNaN(value)) return undefined;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

/** One line for a terminal. */
export function lineOf(figure: Figure): string {
  const { id, title, value, target, unit = '', detail = '' } = figure;
  const wanted =
    target === undefined ? '' : 'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
  const met = isMet(figure);
  return [
    id.padEnd(6),
    title.padEnd(58),
    `${shown(value)} ${unit}`.trimEnd().padStart(10),
    wanted.padEnd(9),
    (met === undefined ? '' : met ? 'met' : 'missed').padEnd(6),
    detail,
  ]
    .join(' ')
    .trimEnd();
}

function shown(value: number): string {
  if (Number.isNaN(value)) return 'not known';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
