/** Shows components that could not be started, or have lost their server: while one is away, its messages go nowhere. */
import type { SystemDescription } from '../contract/reports.ts';
import type { ComponentRow } from '../contract/subscription.ts';

type Banners = SystemDescription['banners'];
type Row = Pick<
  ComponentRow,
  'name' | 'type' | 'kind' | 'state' | 'reason' | 'nextStartAt' | 'ignoreErrors' | 'lost'
>;

/** Maximum number of components that are named. */
const MAX_NAMED = 3;

/** A banner of the components that failed, and one of those that have lost their server, of the kinds that are served here. */
export function componentBanners(components: readonly Row[]): Banners {
  const served = components.filter(({ kind }) => kind !== 'other');
  return [
    ...bannerOf(
      'components',
      oneText,
      severalText,
      served.filter(({ state }) => state === 'failed'),
    ),
    // A server that is there again at the first try was not away for anybody.
    ...bannerOf(
      'lost',
      lostText,
      severalLostText,
      served.filter(({ lost }) => (lost?.tries ?? 0) > 0),
    ),
  ];
}

function bannerOf(
  id: string,
  one: (row: Row) => string,
  several: (names: readonly string[]) => string,
  rows: readonly Row[],
): Banners {
  const [first] = rows;
  if (first === undefined) return [];
  // Two files that give one name have a row each, and the same reason, which names both files.
  const names = [...new Set(rows.map(({ name }) => name))];
  return [
    {
      // One that fails later is news, although the banner of the others was dismissed.
      id: `${id}-${names.join(' ')}`,
      text: names.length === 1 ? one(first) : several(names),
      level: rows.every(({ ignoreErrors }) => ignoreErrors) ? 'warn' : 'error',
    },
  ];
}

function named({ name, type }: Row): string {
  return `Component ${name}${type === '' ? '' : ` (${type})`}`;
}

function oneText(row: Row): string {
  const { reason = 'it failed', nextStartAt } = row;
  const again = nextStartAt === undefined ? '' : ' Sidelight tries again.';
  return `${named(row)} does not work: ${reason.replace(/\.?$/, '.')}${again} The Components screen says more.`;
}

function severalText(names: readonly string[]): string {
  return `${names.length} components do not work: ${firstOf(names)}. The Components screen says why.`;
}

const MEANWHILE = 'Publishes are refused and deliveries wait. Sidelight tries again.';

function lostText(row: Row): string {
  const reason = row.lost?.reason ?? 'the connection was closed';
  return `${named(row)} has lost its server: ${reason.replace(/\.?$/, '.')} ${MEANWHILE}`;
}

function severalLostText(names: readonly string[]): string {
  return `${names.length} components have lost their servers: ${firstOf(names)}. ${MEANWHILE}`;
}

function firstOf(names: readonly string[]): string {
  const left = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
