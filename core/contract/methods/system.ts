/** Methods about the product itself: status, probes and counters, log, settings. */
import { app, filter, limit, name } from '../bounds.ts';
import { logEntry } from '../event.ts';
import { act, actAtOnce, query } from '../method.ts';
import { healthReport, metricsReport, probeAnswer, systemDescription } from '../reports.ts';
import {
  Bool,
  Integer,
  list,
  members,
  none,
  Null,
  Num,
  oneOf,
  Optional,
  page,
  Text,
  Union,
  Unknown,
} from '../schema.ts';
import { settingItem } from '../settings.ts';

export const SYSTEM = {
  'system.describe': query({
    does: 'says what runs: version, `consoleUrl` (`/rpc` is under it), profile, apps, components, methods and banners. `start` says what the history held at the start, and what Sidelight continued',
    params: none,
    result: systemDescription,
  }),
  'system.link': actAtOnce({
    does: 'gives a one-time address that opens the console',
    params: none,
    result: members({
      url: Text(),
    }),
  }),
  'system.revoke': actAtOnce({
    does: 'revokes the keys of all pages and all unused links: it closes every page in a browser with 4401, and such a page needs a new link. `pages` says how many were open. The token stays valid until Sidelight stops; with a data folder the next start prints a new one',
    params: none,
    result: members({
      pages: Num(),
    }),
  }),
  'logs.list': query({
    does: 'lists log lines, newest first',
    params: members({
      level: Optional(oneOf(['debug', 'info', 'warn', 'error'])),
      filter: Optional(filter),
      cursor: Optional(Text({ maxLength: 1000 })),
      limit: Optional(limit),
    }),
    result: page(logEntry),
  }),
  'metrics.get': query({
    does: 'gives counters and rates per topic and state, and durations of calls per topic; with a range also `history`: at most 120 points of rates, durations and open deliveries',
    params: members({ rangeSeconds: Optional(Integer({ minimum: 1, maximum: 3600 })) }),
    result: metricsReport,
  }),
  'health.get': query({
    does: 'gives both health probes, the parts that decide them, and their last 50 changes',
    params: app,
    result: healthReport,
  }),
  'health.call': query({
    does: 'calls a health probe over HTTP and gives status, headers and body of its answer',
    params: members({ appId: Optional(name), probe: oneOf(['healthz', 'outbound']) }),
    result: probeAnswer,
  }),
  'health.simulate': actAtOnce({
    does: 'makes the health probes answer healthy or unhealthy, regardless of the real state; `null` ends this',
    params: members({ appId: Optional(name), healthy: Union([Bool(), Null()]) }),
    result: healthReport,
  }),
  'settings.get': query({
    does: 'lists every setting with its value and where the value comes from',
    params: none,
    result: members({
      items: list(settingItem),
    }),
  }),
  'settings.set': act({
    does: 'changes a setting; `null` removes the value, so that the next source of the setting decides',
    params: members({ key: name, value: Unknown() }),
    result: members({
      items: list(settingItem),
    }),
  }),
};
