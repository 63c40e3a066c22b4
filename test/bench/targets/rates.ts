/** Targets 1, 3 and 4: contenders in turn under one load, and what ours makes of it beside each of them. */
import { median } from '../stats.ts';
import { startForwarder, startOurs, startReference } from './contenders.ts';
import type { Reference } from './contenders.ts';
import type { Figure } from './figures.ts';
import { measureSides } from './sides.ts';
import type { Measured } from './sides.ts';

export interface TargetOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** Script of the product. */
  readonly entry: string;
  readonly references: readonly Reference[];
  /** Shorter where the length is no part of the target. */
  readonly isQuick: boolean;
}

const AGAINST_REFERENCE: readonly (readonly [publishers: number, atLeast: number])[] = [
  [1, 1.5],
  [8, 2],
  [64, 3],
];
const OF_FORWARDER = 0.6;
const FAIR = 0.95;

/** Rows 1, 3 and 4. */
export async function measureRates(options: TargetOptions): Promise<readonly Figure[]> {
  const { entry, references } = options;
  const starts = {
    forwarder: startForwarder,
    ours: (appPort: number) => startOurs(appPort, entry),
    ...Object.fromEntries(
      references.map((reference) => [
        reference.version,
        (appPort: number) => startReference(reference, appPort),
      ]),
    ),
  };
  const publishers = AGAINST_REFERENCE.map(([count]) => count);
  return figuresOf(await measureSides(starts, { ...options, publishers }), references);
}

function figuresOf(measured: Measured, references: readonly Reference[]): readonly Figure[] {
  const detail = (name: string, publishers: number): string =>
    `${measured.said('ours', publishers)} against ${measured.said(name, publishers)}`;
  return [
    {
      id: '1',
      title: 'delivered during a flood of what was accepted, 64',
      value: median(measured.flows('ours', 64).map(({ during }) => during)),
      target: { atLeast: FAIR },
      detail: measured.said('ours', 64),
    },
    {
      id: '3',
      title: 'processed/s in memory against the bare forwarder, 64',
      value: measured.ratio('ours', 'forwarder', 64),
      target: { atLeast: OF_FORWARDER },
      detail: detail('forwarder', 64),
    },
    ...references.flatMap(({ version }) =>
      AGAINST_REFERENCE.map(([publishers, atLeast]) => ({
        id: `4.${publishers}`,
        title: `processed/s in memory against ${version}, ${publishers}`,
        value: measured.ratio('ours', version, publishers),
        target: { atLeast },
        detail: detail(version, publishers),
      })),
    ),
  ];
}
