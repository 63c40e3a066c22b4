/** Checks across the apps of one file: values that must differ, and dependencies. */
import { firstOf } from '../../contract/list-text.ts';
import { isThisMachine } from '../ports.ts';
import { nearest } from '../../domain/filter/mistakes.ts';
import type { NamedApp } from './app-plan.ts';
import { NAMES } from './fields.ts';
import { mistakeAt } from './file-mistake.ts';
import type { Mistakes } from './file-mistake.ts';
import type { Position } from './yaml-tree.ts';

/**
 * Checks the apps with each other. Each mistake is one of the mistakes.
 * @param apps those whose id is known, whatever mistakes they have
 * @param areAll true: there are no others, on which one of these may depend
 */
export function checkApps(
  file: string,
  apps: readonly NamedApp[],
  areAll: boolean,
  mistakes: Pick<Mistakes, 'add'>,
): void {
  const add = (at: Position | undefined, reason: string): void => mistakes.add(mistakeAt(file, at, reason));
  checkIds(apps, add);
  checkPorts(apps, add);
  if (areAll) checkDependencies(apps, add);
  checkCircle(apps, add);
}

type Add = (at: Position | undefined, reason: string) => void;

function checkIds(apps: readonly NamedApp[], add: Add): void {
  const first = new Map<string, NamedApp>();
  for (const app of apps) {
    const other = first.get(app.appId);
    if (other === undefined) first.set(app.appId, app);
    else {
      const { line } = other.positions.app;
      add(app.positions.app, `the app id "${app.appId}" is given twice: the app at line ${line} has it`);
    }
  }
}

interface UsedPort {
  readonly port: number;
  /** Host that has it; "" = this machine. */
  readonly host: string;
  readonly what: string;
  readonly at: Position;
}

/** Checks that no two listeners of one machine have one port, whichever program opens it. */
function checkPorts(apps: readonly NamedApp[], add: Add): void {
  const used: UsedPort[] = [];
  for (const app of apps) {
    const appHost = isThisMachine(app.host) ? '' : app.host;
    const ports: readonly [number | undefined, string, string, Position | undefined][] = [
      [app.appPort, appHost, 'appPort', app.positions.appPort],
      [app.sidecarPort, '', NAMES.sidecarPort, app.positions.sidecarPort],
      [app.grpcPort, '', NAMES.grpcPort, app.positions.grpcPort],
    ];
    for (const [port, host, key, at] of ports) {
      if (port === undefined || at === undefined) continue;
      const other = used.find((one) => one.port === port && one.host === host);
      if (other === undefined) used.push({ port, host, what: `${key} of app ${app.appId}`, at });
      else {
        const where = `it is the ${other.what} (line ${other.at.line})`;
        add(at, `${key} ${port} of app ${app.appId} is not available: ${where}`);
      }
    }
  }
}

/** Checks that there is each app on which one depends. Of many mistakes the first ones are told, with a hint. */
function checkDependencies(apps: readonly NamedApp[], add: Add): void {
  const known = new Set(apps.map(({ appId }) => appId));
  const ids = [...known];
  const missing = apps.flatMap(({ appId, dependsOn, positions }) =>
    dependsOn.flatMap((one, i) =>
      known.has(one.appId) ? [] : [{ appId, on: one.appId, at: positions.dependsOn[i] }],
    ),
  );
  for (const { appId, on, at } of missing.slice(0, MAX_HINTS)) {
    const meant = nearest(on, ids);
    const hint =
      meant === undefined ? `; the apps are ${firstOf(ids, MAX_NAMED)}` : `; did you mean ${meant}?`;
    add(at, `app ${appId} depends on "${on}", which is not an app of this file${hint}`);
  }
  const more = missing.length - MAX_HINTS;
  if (more > 0) add(missing[MAX_HINTS]?.at, `${more} more apps of dependsOn are not in this file either`);
}

/** Checks that the apps can be started one after another; of several circles the first is a mistake. */
function checkCircle(apps: readonly NamedApp[], add: Add): void {
  const circle = circleOf(apps);
  if (circle === undefined) return;
  const [first = ''] = circle;
  const at = apps.find((app) => app.appId === first)?.positions.dependsOn[0];
  add(at, `dependsOn goes in a circle: ${[...circle, first].join(' -> ')}`);
}

/** Maximum number of apps that one sentence names. */
const MAX_NAMED = 10;

/** Missing apps that are told one by one: for each of them all ids are looked at. */
const MAX_HINTS = 100;

/** The ids of the first cycle, each once; undefined: there is none. */
function circleOf(apps: readonly NamedApp[]): readonly string[] | undefined {
  const done = new Set<string>();
  const byId = new Map(apps.toReversed().map((app) => [app.appId, app]));
  const visit = (appId: string, path: readonly string[]): readonly string[] | undefined => {
    const at = path.indexOf(appId);
    if (at >= 0) return path.slice(at);
    if (done.has(appId)) return undefined;
    done.add(appId);
    for (const next of byId.get(appId)?.dependsOn ?? []) {
      const found = visit(next.appId, [...path, appId]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const { appId } of apps) {
    const found = visit(appId, []);
    if (found !== undefined) return found;
  }
  return undefined;
}
