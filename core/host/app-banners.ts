/** Shows problems of an app's connection as banners. */
import type { ProcessRow } from '../contract/methods/processes.ts';
import type { SystemDescription } from '../contract/reports.ts';
import { theAppFirst } from '../contract/spoken-app.ts';
import type { AppRow, Problem } from '../contract/subscription.ts';
import { CONNECTING_CODES } from '../runtime/apps/connecting.ts';

type Banner = SystemDescription['banners'][number];

const SHOWN: ReadonlySet<string> = new Set(CONNECTING_CODES);

/** What a banner says of a process that does not live, for which nobody can listen. */
const NOT_LIVE: Readonly<Partial<Record<ProcessRow['state'], string>>> = {
  waiting: 'is not started yet',
  exited: 'is not running',
  failed: 'is not running',
};

/**
 * Makes the present banners, one for each app and kind of problem. A banner that was dismissed appears again
 * when the problem returns.
 * @param processes those that this run has started; an app may have none
 */
export function appBanners(
  apps: () => readonly Pick<AppRow, 'appId' | 'problems'>[],
  processes: () => readonly Pick<ProcessRow, 'appId' | 'state' | 'reason'>[] = () => [],
): () => readonly Banner[] {
  let shown: readonly Banner[] = [];
  let began = 0;
  return () => {
    const before = shown;
    const started = processes();
    const problems = apps().flatMap((app) => {
      const own = started.find(({ appId }) => appId === app.appId);
      return app.problems.filter(isShown).map((one) => (own === undefined ? one : ofProcess(one, own)));
    });
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

/** Where the process of the app does not live, its reason says more than a closed port. */
function ofProcess(
  problem: Problem,
  { appId, state, reason }: Pick<ProcessRow, 'appId' | 'state' | 'reason'>,
): Problem {
  const how = NOT_LIVE[state];
  if (problem.code !== 'nobody-listens' || how === undefined) return problem;
  const why = reason === undefined ? '' : `: ${reason}`;
  return { ...problem, message: `${theAppFirst(appId)} ${how}${why}. Messages wait for it.` };
}
