/** Replays of observed messages: the tap publishes them to the real sidecar, through its own port like any other publish. */
import { addressPart } from '../contract/address-part.ts';
import { request } from 'node:http';
import { cutText } from '../domain/codec.ts';
import type { TapPublish } from '../ports/tap.ts';
import type { Target } from './relay.ts';

const MAX_MS = 30_000;
/** Maximum number of characters of the sidecar's answer that an error message quotes. */
const MAX_REASON_LENGTH = 300;

interface Replay {
  readonly replayOf: string;
  /** Called with the id of the new message once the tap has recorded it; undefined: it was not recorded. A report that fails calls nothing. */
  readonly became: (messageId: string | undefined) => void;
  /** Called with the reason if the sidecar gives no answer. */
  readonly lost: (reason: string) => void;
}

export class Replays {
  /** Replays that are being published, by the local address of their connection. */
  readonly #underWay = new Map<string, Replay>();

  /** The replay that comes from this address; undefined: a client's own publish. */
  from(address: string): Replay | undefined {
    return this.#underWay.get(address);
  }

  /**
   * Resolves with the id of the new message. Rejects with what the sidecar said, or if the tap did not record what the sidecar took.
   * @param to the tap's own port for the app
   */
  send(
    { host, port }: Target,
    publish: TapPublish,
    headers: Readonly<Record<string, string>>,
  ): Promise<string> {
    const query = Object.entries(publish.metadata).map(
      ([name, value]) => `metadata.${addressPart(name)}=${addressPart(value)}`,
    );
    const topic = publish.topic.split('/').map(addressPart).join('/');
    const path = `/v1.0/publish/${addressPart(publish.pubsubname)}/${topic}${query.length === 0 ? '' : `?${query.join('&')}`}`;
    const body = Buffer.from(publish.body);
    return new Promise((resolve, reject) => {
      let address = '';
      let messageId: string | undefined;
      let reason: string | undefined;
      const call = request({
        host,
        port,
        method: 'POST',
        path,
        agent: false,
        timeout: MAX_MS,
        headers: { ...headers, 'content-type': publish.contentType, 'content-length': body.length },
      });
      call.on('timeout', () => call.destroy(new Error('the sidecar did not answer within 30 seconds')));
      call.on('close', () => {
        this.#underWay.delete(address);
        // Node reports an answer that breaks off as an event of the response, not as an error of the request.
        reject(new Error('the sidecar closed the connection before its answer was complete'));
      });
      // The connection to the tap is only cut; the tap knows why the sidecar did not answer.
      call.on('error', (error) => reject(reason === undefined ? error : new Error(reason)));
      call.on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          const text = cutText(Buffer.concat(parts).toString('utf8'), MAX_REASON_LENGTH);
          if (status < 200 || status >= 300)
            reject(new Error(`the sidecar answered ${status} ${text}`.trim()));
          else if (messageId === undefined)
            reject(new Error('the sidecar accepted it, but the new message is not recorded'));
          else resolve(messageId);
        });
      });
      call.on('socket', (socket) => {
        socket.on('connect', () => {
          address = `${socket.localAddress ?? ''}:${socket.localPort ?? ''}`;
          const { replayOf } = publish;
          this.#underWay.set(address, {
            replayOf,
            became: (id) => (messageId = id),
            lost: (why) => (reason = why),
          });
          call.end(body);
        });
      });
    });
  }
}
