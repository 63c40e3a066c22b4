/** Methods for the processes that a run of apps has started: state, output and restart. */
import { filter, limit, name } from '../bounds.ts';
import { logEntry } from '../event.ts';
import { actAtOnce, query } from '../method.ts';
import { list, Literal, members, none, Num, oneOf, Optional, page, Text, whole } from '../schema.ts';
import type { Static } from '../schema.ts';

const PROCESS_STATES = ['waiting', 'starting', 'running', 'exited', 'failed'] as const;

export const processRow = members({
  appId: Text(),
  /** Program and arguments. */
  command: list(Text()),
  /** Process id, while the process lives. */
  pid: Optional(Num()),
  state: oneOf(PROCESS_STATES),
  /** Why the process waits, or how the last one ended. */
  reason: Optional(Text()),
  /** Status of the last end; a signal counts as 128 and its number. */
  exitCode: Optional(Num()),
  /** Time of the last start. */
  startedAt: Optional(Text()),
  /** Starts after the first one. */
  restarts: Num(),
  /** Present: the run ends when this process ends by itself. It goes on when a person stops the process. */
  endsRun: Optional(Literal(true)),
});
export type ProcessRow = Static<typeof processRow>;

const one = members({ appId: name });

export const PROCESSES = {
  'processes.list': query({
    does: 'lists the processes that Sidelight started: the command of `sidelight run`, or those of a run of several apps in the order of the file. An app without a command has no process',
    params: none,
    result: whole(processRow),
  }),
  'processes.restart': actAtOnce({
    does: 'ends the process, by force after 5 s, and starts it again; deliveries to the app wait until it answers and use up no attempt',
    params: one,
    result: processRow,
  }),
  'processes.stop': actAtOnce({
    does: 'ends the process and all that it started; deliveries to the app wait until something answers at its address again',
    params: one,
    result: processRow,
  }),
  'processes.start': actAtOnce({
    does: 'starts a process that does not run, even if it would otherwise wait for another app',
    params: one,
    result: processRow,
  }),
  'processes.logs': query({
    does: 'lists the output of processes, newest first; without `appId` that of all',
    params: members({
      appId: Optional(name),
      filter: Optional(filter),
      cursor: Optional(Text({ maxLength: 1000 })),
      limit: Optional(limit),
    }),
    result: page(logEntry),
  }),
};
