/** Publishes a draft once or many times and keeps the answers. */
import { useRef, useState } from 'react';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import { templateOf } from './single-request.ts';

/** What came back: for one publish its answer, for many how often each status came. */
export interface PublishAnswerState {
  readonly status: number | undefined;
  readonly failure: RpcFailure | undefined;
  readonly messageId: string | undefined;
  readonly tookMs: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface PublishRun {
  readonly send: (
    draft: SingleDraft,
    how: { readonly times: number; readonly everyMs: number },
  ) => Promise<void>;
  readonly stop: () => void;
  readonly answer: PublishAnswerState | undefined;
  readonly running: { readonly done: number; readonly of: number } | undefined;
}

/** The status that the HTTP route would have answered; undefined where no answer came. */
export function statusOf(failure: RpcFailure): number | undefined {
  const { status } = failure.data;
  return typeof status === 'number' ? status : undefined;
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** State and acts of the publish button. */
export function usePublish(): PublishRun {
  const { call, acting, saved, ui } = useConsole();
  const [answer, setAnswer] = useState<PublishAnswerState>();
  const [running, setRunning] = useState<PublishRun['running']>();
  const stopped = useRef(false);

  async function once(draft: SingleDraft): Promise<Omit<PublishAnswerState, 'counts'>> {
    const began = performance.now();
    try {
      const { messageId } = await call('requests.run', { request: templateOf(draft) });
      return { status: 204, failure: undefined, messageId, tookMs: performance.now() - began };
    } catch (reason) {
      const failure = asFailure(reason);
      return { status: statusOf(failure), failure, messageId: undefined, tookMs: performance.now() - began };
    }
  }

  async function send(
    draft: SingleDraft,
    how: { readonly times: number; readonly everyMs: number },
  ): Promise<void> {
    stopped.current = false;
    const counts: Record<string, number> = {};
    for (let done = 0; done < how.times && !stopped.current; done += 1) {
      setRunning({ done, of: how.times });
      const last = await once(draft);
      const name = String(last.status ?? last.failure?.code);
      counts[name] = (counts[name] ?? 0) + 1;
      setAnswer({ ...last, counts: { ...counts } });
      if (last.messageId !== undefined && how.times === 1 && ui.getState().jumpAfterPublish) {
        acting.show(last.messageId);
      }
      if (how.everyMs > 0 && done + 1 < how.times) await rest(how.everyMs);
    }
    setRunning(undefined);
    saved.requests.invalidate();
  }

  return {
    send,
    stop() {
      stopped.current = true;
    },
    answer,
    running,
  };
}
