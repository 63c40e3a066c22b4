/** Checks across the apps of one file: values that must differ, and dependencies. */
import { firstOf } from '../../contract/list-text.ts';
import { isThisMachine } from '../ports.ts';
import { nearest } from '../../domain/filter/mistakes.ts';
import type { LocatedApp } from './app-plan.ts';
import { NAMES } from './fields.ts';
import { mistakeAt } from './file-mistake.ts';
import type { Mistakes } from './file-mistake.ts';
import type { Position } from './yaml-tree.ts';

/**
 * Checks the apps; the first mistake of each kind is one of the mistakes.
 * @param apps without those that have mistakes of their own, on which others may depend
 */
export function checkApps(file: string, apps: readonly LocatedApp[], mistakes: Mistakes): void {
  const areAll = mistakes.count === 0;
  for (const check of [checkIds, checkPorts]) mistakes.attempt(() => check(file, apps));
  if (areAll) mistakes.attempt(() => checkDependencies(file, apps));
}

function checkIds(file: string, apps: readonly LocatedApp[]): void {
  for (const [i, { appId, positions }] of apps.entries()) {
    const other = apps.slice(0, i).find((one) => one.appId === appId);
    if (other === undefined) continue;
    const line = other.positions.app.line;
    throw mistakeAt(
      file,
      positions.app,
      `the app id "${appId}" is given twice: the app at line ${line} has it`,
    );
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
function checkPorts(file: string, apps: readonly LocatedApp[]): void {
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
      if (other !== undefined)
        throw mistakeAt(
          file,
          at,
          `${key} ${port} of app ${app.appId} is not available: it is the ${other.what} (line ${other.at.line})`,
        );
      used.push({ port, host, what: `${key} of app ${app.appId}`, at });
    }
  }
}

function checkDependencies(file: string, apps: readonly LocatedApp[]): void {
  const ids = apps.map(({ appId }) => appId);
  for (const { appId, dependsOn, positions } of apps)
    for (const [i, dependency] of dependsOn.entries()) {
      if (ids.includes(dependency.appId)) continue;
      const meant = nearest(dependency.appId, ids);
      const hint =
        meant === undefined ? `; the apps are ${firstOf(ids, MAX_NAMED)}` : `; did you mean ${meant}?`;
      const reason = `app ${appId} depends on "${dependency.appId}", which is no app of this file${hint}`;
      throw mistakeAt(file, positions.dependsOn[i], reason);
    }
  const circle = circleOf(apps);
  if (circle === undefined) return;
  const [first = ''] = circle;
  const at = apps.find((app) => app.appId === first)?.positions.dependsOn[0];
  throw mistakeAt(file, at, `dependsOn goes in a circle: ${[...circle, first].join(' -> ')}`);
}

/** Maximum number of apps that one sentence names. */
const MAX_NAMED = 10;

/** The ids of the first cycle, each once; undefined: there is none. */
function circleOf(apps: readonly LocatedApp[]): readonly string[] | undefined {
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
