/** The side from the app to the real sidecar: reports publishes, and lists all other calls. */
import type { Profile } from '../contract/profile.ts';
import { cutText } from '../domain/codec.ts';
import type { ObservedPublish, PublishEnd } from '../ports/tap.ts';
import type { DeferredReports } from './deferred-reports.ts';
import type { Exchange, NoReply, Side } from './exchange.ts';
import { headerRecord } from './head.ts';
import type { RequestHead } from './head.ts';
import type { OtherCalls } from './other-calls.ts';
import { passThrough, unreadBody } from './pass-through.ts';
import type { UnreadBody } from './pass-through.ts';
import type { TapDependencies } from './dependencies.ts';
import type { Replays } from './replays.ts';
import type { LoopGuard } from './loop-guard.ts';
import { publishHead } from './known-requests.ts';
import type { PublishHead } from './known-requests.ts';

/** Said of a publish that is listed among the other calls for its names. */
const TOO_LONG: UnreadBody = {
  came: () => undefined,
  endless: () => undefined,
  note: () => 'Its topic or its content type is too long for a message.',
};

/** Maximum number of characters that are kept of the sidecar's answer to a refused publish. */
const MAX_REASON_LENGTH = 300;

export interface SidecarSideDependencies extends Pick<TapDependencies, 'observer'> {
  readonly profile: () => Profile;
  readonly appId: string;
  readonly others: OtherCalls;
  readonly reports: DeferredReports;
  readonly onPublish: () => void;
  readonly onUnreachable: (reason: string) => void;
  readonly onRefused: (reason: string) => void;
  readonly replays: Replays;
  readonly loopGuard: LoopGuard;
}

export class SidecarSide implements Side {
  readonly #dependencies: SidecarSideDependencies;
  /** The head that was read last: requests of one connection often have the same one. */
  #last:
    | { readonly head: RequestHead; readonly profile: Profile; readonly publish: PublishHead | undefined }
    | undefined;

  constructor(dependencies: SidecarSideDependencies) {
    this.#dependencies = dependencies;
  }

  begin(head: RequestHead, from: string, mayStop: boolean): Exchange {
    const { reports, others, profile, loopGuard } = this.#dependencies;
    const to = { to: 'sidecar', reports, others } as const;
    // The server answers a request that has gone on, so the tap must not answer it too.
    if (mayStop && loopGuard.stops(head)) return stopped(loopGuard.answer);
    const publish = this.#publishHead(head, profile());
    if (publish === undefined) return passThrough(to, head);
    if (publish.isTooLong) return passThrough(to, head, TOO_LONG);
    // Every whole body of a publish is read.
    return this.#publish(head, publish, from, passThrough(to, head, unreadBody('')));
  }

  #publishHead(head: RequestHead, profile: Profile): PublishHead | undefined {
    if (this.#last?.head !== head || this.#last.profile !== profile)
      this.#last = { head, profile, publish: publishHead(head, profile) };
    return this.#last.publish;
  }

  letsPass(from: string): boolean {
    const { replays, loopGuard } = this.#dependencies;
    return !loopGuard.isFound && replays.from(from) === undefined;
  }

  refused(_head: RequestHead, reason: string): void {
    this.#dependencies.onRefused(reason);
  }

  unreachable(reason: string): void {
    this.#dependencies.onUnreachable(reason);
  }

  #publish(head: RequestHead, { target, more }: PublishHead, from: string, other: Exchange): Exchange {
    const { observer, appId, onPublish, replays, profile, reports } = this.#dependencies;
    let isRead = false;
    let observed: ObservedPublish | undefined;
    return {
      ...other,
      readsRequest: true,
      readsResponse: true,
      requested: (body) => {
        if (body === undefined) return other.requested(body);
        isRead = true;
        onPublish();
        const replay = replays.from(from);
        const at = reports.moment();
        reports.defer(() => {
          observed = observer.published({
            appId,
            at,
            profile: profile(),
            protocol: 'http',
            ...target,
            body,
            ...more,
            ...(replay === undefined ? {} : { replayOf: replay.replayOf }),
            caller: { address: from, headers: headerRecord(head) },
          });
          replay?.became(observed.messageIds[0]);
        }, body.length);
        // A replay needs the id of its new message when the sidecar's answer comes.
        if (replay !== undefined) reports.flush();
        return undefined;
      },
      responded: (answer, body) => {
        if (!isRead) return other.responded(answer, body);
        const isTaken = answer.status >= 200 && answer.status < 300;
        const text = cutText(body?.toString('utf8') ?? '', MAX_REASON_LENGTH).trim();
        const reason = `${answer.status} ${text}`.trim();
        reports.defer(() => observed?.ended(isTaken ? { kind: 'accepted' } : { kind: 'refused', reason }));
        return undefined;
      },
      lost: (why) => {
        replays.from(from)?.lost(`the sidecar did not answer: ${why.message}`);
        if (isRead) reports.defer(() => observed?.ended(withoutAnswer(why)));
        else other.lost(why);
      },
    };
  }
}

const NO_ANSWER_OF_SIDECAR: Partial<Readonly<Record<NoReply['by'], string>>> = {
  client: 'the app closed its connection',
  both: 'the app ended its side of the connection, and the sidecar then closed its own without an answer',
};

/** How a publish ended that got no answer. */
export function withoutAnswer({ by, message }: NoReply): PublishEnd {
  if (by === 'before') return { kind: 'unreached', reason: message };
  return { kind: 'unanswered', reason: NO_ANSWER_OF_SIDECAR[by] ?? message };
}

/** A call that gets an answer of the tap and goes nowhere. */
function stopped(answer: Buffer): Exchange {
  return {
    stopsRequest: true,
    stopsResponse: false,
    readsRequest: false,
    readsResponse: false,
    requested: () => Promise.resolve({ kind: 'answer', bytes: answer }),
    responded: () => undefined,
    lost: () => undefined,
  };
}
