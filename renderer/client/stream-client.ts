/** Keeps the console's copy of the event stream complete: accept rule, gaps, resets, acknowledgements. */
import type { Batch, ConsoleEvent, Snapshot, StreamScope } from '../../core/contract/console.ts';
import type { Link } from './link.ts';
import type { RpcClient } from './rpc-client.ts';

export interface StreamTakers {
  /** Receives events in order, each once. */
  readonly events: (events: readonly ConsoleEvent[]) => void;
  /** Receives the new start; everything known before is void. */
  readonly reset: (snapshot: Snapshot, epoch: string) => void;
  /** Called when the stream could not be opened; it is tried again. */
  readonly failed: (reason: unknown) => void;
}

export interface StreamClient {
  readonly position: () => { readonly epoch: string | undefined; readonly sequence: number };
  close(): void;
}

/** Result of the accept rule for a batch. */
export type Acceptance = 'apply' | 'skip' | 'gap';

/**
 * The accept rule: another epoch or a hole is a gap, a batch without new events is skipped, any other is
 * applied.
 */
export function judgeBatch(
  at: { readonly epoch: string | undefined; readonly sequence: number },
  batch: { readonly epoch: string; readonly from: number; readonly to: number },
): Acceptance {
  if (batch.epoch !== at.epoch || batch.from > at.sequence + 1) return 'gap';
  return batch.to <= at.sequence ? 'skip' : 'apply';
}

const RETRY_MS = 1000;

/**
 * Opens the stream whenever the link is open, and keeps it without gaps until `close`.
 * @param scope `opened`: only events of messages that were opened; the rows of the list come with its view
 */
export function createStreamClient(
  rpc: RpcClient,
  link: Link,
  takers: StreamTakers,
  scope: StreamScope = 'opened',
): StreamClient {
  let epoch: string | undefined;
  let sequence = 0;
  /** Number of the current `stream.open`; answers to older ones are void. */
  let round = 0;
  let opening = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  function open(): void {
    if (closed || link.state().status !== 'open') return;
    clearTimeout(again);
    round += 1;
    const mine = round;
    opening = true;
    const since = epoch === undefined ? {} : { epoch, since: sequence };
    rpc.call('stream.open', { ...since, scope }).then(
      (start) => {
        if (mine !== round || closed) return;
        opening = false;
        epoch = start.epoch;
        if (start.snapshot === undefined) {
          const missed = (start.missed ?? []).filter((event) => event.sequence > sequence);
          sequence = start.sequence;
          if (missed.length > 0) takers.events(missed);
        } else {
          sequence = start.sequence;
          takers.reset(start.snapshot, start.epoch);
        }
      },
      (reason: unknown) => {
        if (mine !== round || closed) return;
        opening = false;
        takers.failed(reason);
        again = setTimeout(open, RETRY_MS);
      },
    );
  }

  function take(batch: Batch): void {
    acknowledge(batch.to);
    const judged = judgeBatch({ epoch, sequence }, batch);
    if (judged === 'gap') {
      if (!opening) open();
    } else if (judged === 'apply') {
      const fresh = batch.events.filter((event) => event.sequence > sequence);
      sequence = batch.to;
      takers.events(fresh);
    }
  }

  function acknowledge(upTo: number): void {
    // A lost acknowledgement means that the link or the stream is closed, and the next open settles both. An
    // answer would cost one more frame.
    rpc.notify('stream.ack', { sequence: upTo });
  }

  const stops = [
    rpc.on('stream.batch', take),
    rpc.on('stream.reset', () => {
      open();
    }),
    link.onState((state) => {
      if (state.status === 'open') open();
      if (state.status === 'lost') opening = false;
    }),
  ];
  open();

  return {
    position: () => ({ epoch, sequence }),
    close() {
      closed = true;
      clearTimeout(again);
      for (const stop of stops) stop();
    },
  };
}
