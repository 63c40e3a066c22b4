/** `system.*`, `settings.*`, `health.*`, `metrics.*`, `logs.*`. */
import { METHODS } from '../../contract/console.ts';
import type { SYSTEM } from '../../contract/methods/system.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { Refusal } from '../../domain/refusal.ts';
import { parseLogFilter } from '../../domain/filter/log.ts';
import type { MethodsOf } from '../caller.ts';
import type { MethodDependencies } from './dependencies.ts';

/** Paths of the probes, as the interface names them. */
const PROBES = { healthz: '/v1.0/healthz', outbound: '/v1.0/healthz/outbound' } as const;

export function systemMethods(deps: MethodDependencies): MethodsOf<typeof SYSTEM> {
  const { runtime, settings, facts, url, link, revoke, components, callSidecar } = deps;
  return {
    'system.describe': () => ({
      version: facts.version,
      consoleUrl: url(),
      profile: facts.profile,
      apps: runtime.topology.apps(),
      components: runtime.topology.components(),
      methods: Object.keys(METHODS).toSorted(),
      banners: facts.banners(),
      ephemeral: facts.ephemeral,
      ...(facts.reveal === undefined ? {} : { canReveal: true }),
      start: runtime.resources.began,
      ...withoutUndefined({ dataDir: facts.dataDir, folder: components.folder }),
    }),
    'system.link': () => ({ url: link() }),
    'system.revoke': () => revoke(),
    'settings.get': () => ({ items: settings.items() }),
    'settings.set': ({ key, value }) => {
      settings.set(key, value);
      return { items: settings.items() };
    },
    'health.get': ({ appId }) => runtime.health.of(appId),
    'health.call': ({ appId, probe }) => callSidecar(runtime.health.of(appId).appId, PROBES[probe]),
    'health.simulate': ({ appId, healthy }) => runtime.simulation.health(appId, healthy),
    'metrics.get': ({ rangeSeconds }) => runtime.figures.metrics(rangeSeconds),
    'logs.list': (query) => {
      const parsed = query.filter === undefined ? undefined : parseLogFilter(query.filter);
      if (parsed === undefined || parsed.ok) return runtime.log.page(query);
      const { message, expected, ...place } = parsed.error;
      throw new Refusal('FILTER_SYNTAX', { reason: message }, { field: 'filter', expected, data: place });
    },
  };
}
