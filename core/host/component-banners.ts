/** Shows components that could not be started as one banner: while one is away, its messages go nowhere. */
import type { SystemDescription } from '../contract/reports.ts';
import type { ComponentRow } from '../contract/subscription.ts';

type Banners = SystemDescription['banners'];
type Row = Pick<ComponentRow, 'name' | 'type' | 'kind' | 'state' | 'reason' | 'nextStartAt' | 'ignoreErrors'>;

/** Maximum number of components that are named. */
const MAX_NAMED = 3;

/** The banner of the components that failed, of the kinds that are served here; [] = none did. */
export function componentBanners(components: readonly Row[]): Banners {
  const failed = components.filter(({ kind, state }) => state === 'failed' && kind !== 'other');
  const [first] = failed;
  if (first === undefined) return [];
  const names = failed.map(({ name }) => name);
  return [
    {
      // One that fails later is news, although the banner of the others was dismissed.
      id: `components-${names.join(' ')}`,
      text: failed.length === 1 ? oneText(first) : severalText(names),
      level: failed.every(({ ignoreErrors }) => ignoreErrors) ? 'warn' : 'error',
    },
  ];
}

function oneText({ name, type, reason = 'it failed', nextStartAt }: Row): string {
  const again = nextStartAt === undefined ? '' : ' Sidelight tries again.';
  return `Component ${name}${type === '' ? '' : ` (${type})`} does not work: ${reason.replace(/\.?$/, '.')}${again} The Components screen says more.`;
}

function severalText(names: readonly string[]): string {
  const left = names.length - MAX_NAMED;
  const named = names.slice(0, MAX_NAMED).join(', ');
  const more = left > 0 ? ` and ${left} more` : '';
  return `${names.length} components do not work: ${named}${more}. The Components screen says why.`;
}
