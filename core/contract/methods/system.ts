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
    does: 'what runs: version, `consoleUrl` (`/rpc` is under it), profile, apps, components, methods, banners; `start`: what the journal held and what was taken up again',
    params: none,
    result: systemDescription,
  }),
  'system.link': actAtOnce({
    does: 'a one-time address that opens the console',
    params: none,
    result: members({
      url: Text(),
    }),
  }),
  'system.revoke': actAtOnce({
    does: 'ends the keys of all pages and all unused links: every page in a browser is closed with 4401 and needs a new link. `{pages}` is how many were open. The token stays good until Sidelight stops; with a data folder the next start prints another',
    params: none,
    result: members({
      pages: Num(),
    }),
  }),
  'logs.list': query({
    does: 'log lines, newest first',
    params: members({
      level: Optional(oneOf(['debug', 'info', 'warn', 'error'])),
      filter: Optional(filter),
      cursor: Optional(Text({ maxLength: 1000 })),
      limit: Optional(limit),
    }),
    result: page(logEntry),
  }),
  'metrics.get': query({
    does: "counters and rates per topic and state, calls' durations per topic; with a range also `history`: at most 120 points of rates, durations and open deliveries",
    params: members({ rangeSeconds: Optional(Integer({ minimum: 1, maximum: 3600 })) }),
    result: metricsReport,
  }),
  'health.get': query({
    does: 'both probes with the parts that decide, and their last 50 changes',
    params: app,
    result: healthReport,
  }),
  'health.call': query({
    does: 'calls the probe over HTTP: its status, headers and body',
    params: members({ appId: Optional(name), probe: oneOf(['healthz', 'outbound']) }),
    result: probeAnswer,
  }),
  'health.simulate': actAtOnce({
    does: 'makes the probes say something else; `null` ends it',
    params: members({ appId: Optional(name), healthy: Union([Bool(), Null()]) }),
    result: healthReport,
  }),
  'settings.get': query({
    does: 'every setting with its value and origin',
    params: none,
    result: members({
      items: list(settingItem),
    }),
  }),
  'settings.set': act({
    does: 'changes one; `null` goes back to the next source',
    params: members({ key: name, value: Unknown() }),
    result: members({
      items: list(settingItem),
    }),
  }),
};
