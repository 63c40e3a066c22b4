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

function checkDependencies(apps: readonly NamedApp[], add: Add): void {
  const ids = [...new Set(apps.map(({ appId }) => appId))];
  for (const { appId, dependsOn, positions } of apps)
    for (const [i, dependency] of dependsOn.entries()) {
      if (ids.includes(dependency.appId)) continue;
      const meant = nearest(dependency.appId, ids);
      const hint =
        meant === undefined ? `; the apps are ${firstOf(ids, MAX_NAMED)}` : `; did you mean ${meant}?`;
      const reason = `app ${appId} depends on "${dependency.appId}", which is no app of this file${hint}`;
      add(positions.dependsOn[i], reason);
    }
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

/** The ids of the first cycle, each once; undefined: there is none. */
function circleOf(apps: readonly NamedApp[]): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (appId: string, path: readonly string[]): readonly string[] | undefined => {
    const at = path.indexOf(appId);
    if (at >= 0) return path.slice(at);
    if (done.has(appId)) return undefined;
    done.add(appId);
    for (const next of apps.find((app) => app.appId === appId)?.dependsOn ?? []) {
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
