/** What a person must know of how an app was connected: its problems of that kind, as banners. */
import type { SystemDescription } from '../contract/reports.ts';
import type { AppRow, Problem } from '../contract/subscription.ts';
import { CONNECTING_CODES } from '../runtime/apps/connecting.ts';

type Banner = SystemDescription['banners'][number];

const SHOWN: ReadonlySet<string> = new Set(CONNECTING_CODES);

/** One for each app and kind of problem, as of this moment. */
export function appBanners(apps: readonly Pick<AppRow, 'appId' | 'problems'>[]): readonly Banner[] {
  const banners = apps.flatMap(({ appId, problems }) =>
    problems.filter(isShown).map(({ code, message, severity }): Banner => ({
      id: `app-${appId}-${code}`,
      text: message,
      level: severity === 'error' ? 'error' : 'warn',
    })),
  );
  // Instances of one app have the same problems.
  return banners.filter(({ id }, i) => banners.findIndex((other) => other.id === id) === i);
}

function isShown({ code }: Problem): boolean {
  return code !== undefined && SHOWN.has(code);
}
