/** Apps as lists of ids: several instances of one app are one app there. */
import type { AppProbe, AppRow } from '../../core/contract/subscription.ts';
import { fill } from '../copy/fill.ts';
import { HEALTH } from '../copy/health.ts';

/** The first row of each id, in their order; its probe is that of a healthy instance where there is one. */
export function oncePerId(apps: readonly AppRow[]): readonly AppRow[] {
  return apps
    .filter(({ appId }, index) => apps.findIndex((other) => other.appId === appId) === index)
    .map((app) => {
      const same = apps.filter(({ appId }) => appId === app.appId);
      const well = same.map(({ appHealth }) => appHealth).find((probe) => probe?.healthy === true);
      return well === undefined ? app : { ...app, appHealth: well };
    });
}

/** What came of the last probe, in words. */
export function lastProbe({ status, error, failures }: AppProbe): string {
  const answer =
    error === undefined
      ? status === undefined
        ? HEALTH.notProbed
        : fill(HEALTH.probeAnswered, { status })
      : fill(HEALTH.probeFailed, { error: error.replace(/\.$/, '') });
  if (failures === 0) return answer;
  return fill(HEALTH.inARow, { answer, n: failures });
}

/** For a cell: "Not healthy · 500". */
export function probeWord(probe: AppProbe | undefined): string {
  if (probe === undefined) return HEALTH.notChecked;
  const word = probe.healthy ? HEALTH.healthy : HEALTH.notHealthy;
  return probe.status === undefined ? word : fill(HEALTH.verdict, { word, status: probe.status });
}
