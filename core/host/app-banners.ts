/** Shows problems of an app's connection as banners. */
import {
  listMistakes,
  listMistakeText,
  NOW_SUBSCRIBED,
  SILENT_APP,
  UNUSABLE_SUBSCRIPTION,
} from '../contract/discovery-text.ts';
import type { SystemDescription } from '../contract/reports.ts';
import type { AppRow, Problem } from '../contract/subscription.ts';
import { CONNECTING_CODES } from '../runtime/apps/connection-mistakes.ts';

type Banner = SystemDescription['banners'][number];
type App = Pick<AppRow, 'appId' | 'problems'> & Partial<Pick<AppRow, 'discovery'>>;

const SHOWN: ReadonlySet<string> = new Set(CONNECTING_CODES);

/** When a corrected list counts. */
const ASKS_AGAIN = 'Sidelight asks again when the app restarts, or when you choose "Discover again".';

/** Problems that another discovery ends once they are mended. */
const ENDED_BY_DISCOVERY: ReadonlySet<string | undefined> = new Set([
  'discovery-failed',
  'missing-list',
  UNUSABLE_SUBSCRIPTION,
]);

/**
 * Makes the present banners, one for each app and kind of problem. A banner that was dismissed appears again
 * when the problem returns.
 */
export function appBanners(apps: () => readonly App[]): () => readonly Banner[] {
  /** Id of each present banner, by what its problem is about. */
  let ids: ReadonlyMap<string, string> = new Map();
  let began = 0;
  return () => {
    const before = ids;
    const problems = new Map<string, { readonly appId: string; readonly problem: Problem }>();
    // Instances of one app have the same problems.
    for (const app of apps())
      for (const problem of shownOf(app))
        problems.set(subjectOf(app.appId, problem), { appId: app.appId, problem });
    // Each occurrence has its own id, so that dismissing one does not hide the next.
    ids = new Map([...problems.keys()].map((subject) => [subject, before.get(subject) ?? `app-${++began}`]));
    return [...problems].map(([subject, { appId, problem }]): Banner => ({
      id: ids.get(subject) ?? subject,
      text: problem.ofList === true ? `${problem.message} ${ASKS_AGAIN}` : problem.message,
      level: problem.severity === 'error' ? 'error' : 'warn',
      appId,
      ...(problem.filter === undefined ? {} : { filter: problem.filter }),
      ...helpFor(problem),
      ...rerouteOf(problem),
    }));
  };
}

/** Problems of an app that have a banner. All subscriptions that cannot be used have one banner together. */
function shownOf(app: App): readonly Problem[] {
  const text = listMistakeText(app);
  const rest = app.problems.filter((problem) => isShown(problem) && problem.code !== UNUSABLE_SUBSCRIPTION);
  if (text === undefined) return rest;
  const isError = listMistakes(app.problems).some(({ severity }) => severity === 'error');
  const list: Problem = {
    code: UNUSABLE_SUBSCRIPTION,
    message: `${text} ${ASKS_AGAIN}`,
    severity: isError ? 'error' : 'warning',
  };
  return [...rest, list];
}

/** What stays the same while a problem lasts: the text of one about routes has a number that grows. */
function subjectOf(appId: string, { code, message, filter }: Problem): string {
  // Topics come and go in the filter of one banner.
  if (code === NOW_SUBSCRIBED || code === SILENT_APP) return `${code} of ${appId}`;
  if (filter !== undefined) return `${code} ${filter}`;
  // Without a filter the one about missing routes is about all further ones.
  return code === 'missing-route' || code === UNUSABLE_SUBSCRIPTION ? `${code} of ${appId}` : message;
}

/** What ends a problem: another discovery, or a replay of its messages. */
function helpFor({ code, ofList }: Problem): Pick<Banner, 'help'> {
  if (code === NOW_SUBSCRIBED) return { help: 'replay' };
  return ENDED_BY_DISCOVERY.has(code) || ofList === true ? { help: 'discovery' } : {};
}

/** What a banner sends again. A route that is still missing would only drop it once more. */
function rerouteOf({ code, deliveries }: Problem): Pick<Banner, 'reroute'> {
  if (deliveries === undefined || (code !== 'mended-route' && code !== 'old-route')) return {};
  return { reroute: { code, ...deliveries } };
}

function isShown({ code }: Problem): boolean {
  return code !== undefined && SHOWN.has(code);
}
