/** The processes of a run with one app `shop`: what a console needs to be built. */
import type { ProcessRow } from '../../core/contract/methods/processes.ts';
import type { ProcessService } from '../../core/console/methods/dependencies.ts';
import { Refusal } from '../../core/domain/refusal.ts';

export function fakeProcesses(): ProcessService {
  let row: ProcessRow = {
    appId: 'shop',
    command: ['node', 'shop.js'],
    pid: 5,
    state: 'running',
    restarts: 0,
  };
  const change = async (appId: string, next: Partial<ProcessRow>): Promise<ProcessRow> => {
    if (appId !== row.appId) throw new Refusal('NOT_FOUND', { reason: `No ${appId}.` }, { field: 'appId' });
    row = { ...row, ...next };
    return row;
  };
  return {
    list: () => [row],
    restart: (appId) => change(appId, { restarts: row.restarts + 1 }),
    stop: (appId) => change(appId, { state: 'exited' }),
    start: (appId) => change(appId, { state: 'running' }),
    logs: ({ appId }) => ({
      items: [
        { at: '2026-03-01T00:00:00.000Z', level: 'info', part: 'app', text: 'hi', appId: appId ?? 'shop' },
      ],
      nextCursor: null,
    }),
  };
}
