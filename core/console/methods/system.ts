/** `system.*`, `settings.*`, `health.*`, `metrics.*`, `logs.*`. */
import { Refusal } from '../../domain/refusal.ts';
import { parseLogFilter } from '../../domain/filter/log.ts';
import type { MethodsOf } from '../caller.ts';
import { SCHEMAS } from '../schemas/table.ts';
import type { MethodDependencies } from './dependencies.ts';

type Areas = 'system' | 'settings' | 'health' | 'metrics' | 'logs';

/** Paths of the probes, as the interface names them. */
const PROBES = { healthz: '/v1.0/healthz', outbound: '/v1.0/healthz/outbound' } as const;

export function systemMethods(deps: MethodDependencies): MethodsOf<Areas> {
  const { runtime, settings, facts, url, link, components, callSidecar } = deps;
  return {
    'system.describe': () => ({
      version: facts.version,
      consoleUrl: url(),
      profile: facts.profile,
      apps: runtime.apps(),
      components: runtime.components(),
      methods: Object.keys(SCHEMAS).toSorted(),
      banners: facts.banners(),
      ephemeral: facts.ephemeral,
      ...(facts.reveal === undefined ? {} : { canReveal: true }),
      start: runtime.began,
      ...(facts.dataDir === undefined ? {} : { dataDir: facts.dataDir }),
      ...(components.folder === undefined ? {} : { folder: components.folder }),
    }),
    'system.link': () => ({ url: link() }),
    'settings.get': () => ({ items: settings.items() }),
    'settings.set': ({ key, value }) => {
      settings.set(key, value);
      return { items: settings.items() };
    },
    'health.get': ({ appId }) => runtime.health(appId),
    'health.call': ({ appId, probe }) => callSidecar(runtime.health(appId).appId, PROBES[probe]),
    'health.simulate': ({ appId, healthy }) => runtime.simulateHealth(appId, healthy),
    'metrics.get': ({ rangeSeconds }) => runtime.metrics(rangeSeconds),
    'logs.list': (query) => {
      const parsed = query.filter === undefined ? undefined : parseLogFilter(query.filter);
      if (parsed === undefined || parsed.ok) return runtime.logs(query);
      const { message, expected, ...place } = parsed.error;
      throw new Refusal('FILTER_SYNTAX', { reason: message }, { field: 'filter', expected, data: place });
    },
  };
}
