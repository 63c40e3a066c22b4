/**
 * Payloads that are too long to come with their message. They are read in parts, so that no answer of the host is so long that reading it
 * stops the page.
 */
import type { Delivery, MessageDetail, PayloadPart } from '../../core/contract/message.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import type { LongPayload } from '../format/long-payload.ts';

/** Bytes of a message from which its payload is read apart. */
export const APART_BYTES = 256 * 1024;
/** Payloads that are kept: of the open message, and of one that it is compared with. */
const KEPT = 2;
/** How often a payload is begun again because it was edited meanwhile. */
const MAX_TURNS = 5;

/** A message and where it is. */
export interface PayloadOf {
  readonly message: MessageDetail;
  /** The payload as a person edited it for this delivery; absent: as it was published. */
  readonly delivery?: Delivery | undefined;
  readonly recordingId?: string | undefined;
}

export interface ReadHow {
  readonly signal?: AbortSignal | undefined;
  /** Called with the share that was read, from 0 to 1. */
  readonly onShare?: ((share: number) => void) | undefined;
}

export interface Payloads {
  /** The payload, if it was read lately. */
  known(of: PayloadOf): LongPayload | undefined;
  /** Reads the payload. Rejects as calls do, and when it is aborted. */
  read(of: PayloadOf, how?: ReadHow): Promise<LongPayload>;
}

/** Changes whenever the payload may have changed: only a hold at publish lets somebody edit it, and releasing it changes stage or hold. */
export function contentKey({ messageId, sizeBytes, stage, heldBy }: MessageDetail): string {
  return [messageId, sizeBytes, stage ?? '', heldBy ?? ''].join('\n');
}

/** Changes whenever the edited payload of a delivery may have changed: only its release from a hold lets somebody edit it. */
export function editedKey({ deliveryId, transitions }: Delivery): string {
  const released = transitions.findLast(({ rule }) => rule === 'user.release');
  return [deliveryId, released?.sequence ?? ''].join('\n');
}

/** Makes the reader of one window. */
export function createPayloads({ call }: Pick<RpcClient, 'call'>): Payloads {
  const kept = new Map<string, LongPayload>();

  function keyOf({ message, delivery, recordingId }: PayloadOf): string {
    const edited = delivery === undefined ? '' : editedKey(delivery);
    return `${recordingId ?? ''}\n${edited}\n${contentKey(message)}`;
  }

  function keep(key: string, payload: LongPayload): void {
    kept.delete(key);
    kept.set(key, payload);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  }

  /** Undefined: its size changed while it was read. */
  async function readOnce(
    { message: { messageId }, delivery, recordingId }: PayloadOf,
    { signal, onShare }: ReadHow,
  ): Promise<LongPayload | undefined> {
    const texts: string[] = [];
    let first: PayloadPart | undefined;
    for (let from: number | undefined = 0; from !== undefined;) {
      const part: PayloadPart = await call('messages.payload', {
        messageId,
        from,
        ...withoutUndefined({ deliveryId: delivery?.deliveryId, recordingId }),
      });
      signal?.throwIfAborted();
      first ??= part;
      if (part.size !== first.size || part.kind !== first.kind) return undefined;
      texts.push(part.text);
      onShare?.((part.next ?? part.size) / Math.max(1, part.size));
      from = part.next;
    }
    const { kind = 'none', contentType } = first ?? {};
    return { kind, text: texts.join(''), ...withoutUndefined({ contentType }) };
  }

  return {
    known: (of) => kept.get(keyOf(of)),
    async read(of, how = {}) {
      const key = keyOf(of);
      const before = kept.get(key);
      if (before !== undefined) return before;
      for (let turn = 0; turn < MAX_TURNS; turn += 1) {
        const payload = await readOnce(of, how);
        if (payload === undefined) continue;
        keep(key, payload);
        return payload;
      }
      throw new Error('The payload changes all the time.');
    },
  };
}
