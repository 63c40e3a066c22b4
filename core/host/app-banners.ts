/** Shows problems of an app's connection as banners. */
import type { SystemDescription } from '../contract/reports.ts';
import type { AppRow, Problem } from '../contract/subscription.ts';
import { CONNECTING_CODES } from '../runtime/apps/connection-mistakes.ts';

type Banner = SystemDescription['banners'][number];

const SHOWN: ReadonlySet<string> = new Set(CONNECTING_CODES);

/**
 * Makes the present banners, one for each app and kind of problem. A banner that was dismissed appears again
 * when the problem returns.
 */
export function appBanners(
  apps: () => readonly Pick<AppRow, 'appId' | 'problems'>[],
): () => readonly Banner[] {
  let shown: readonly Banner[] = [];
  let began = 0;
  return () => {
    const before = shown;
    const problems = apps().flatMap((app) => app.problems.filter(isShown));
    // Instances of one app have the same problems.
    const each = problems.filter(
      ({ message }, i) => problems.findIndex((one) => one.message === message) === i,
    );
    // Each occurrence has its own id, so that dismissing one does not hide the next.
    shown = each.map(
      ({ message, severity }): Banner =>
        before.find(({ text }) => text === message) ?? {
          id: `app-${++began}`,
          text: message,
          level: severity === 'error' ? 'error' : 'warn',
        },
    );
    return shown;
  };
}

function isShown({ code }: Problem): boolean {
  return code !== undefined && SHOWN.has(code);
}
