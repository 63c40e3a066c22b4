/** The output side: publishes one event to the topic's endpoint with a key. */
import { errorText } from '../../contract/error-text.ts';
import type { EventPublisher, Secret } from './router-client.ts';
import { RouterTrouble } from '../rules/trouble.ts';
import type { TrustedClient } from './trusted-client.ts';

const TIMEOUT_MS = 30_000;
/** Bytes of an answer that an error quotes. */
const QUOTED_BYTES = 4 * 1024;

/** Makes a publisher. The event is sent unchanged: it is not wrapped or completed, and not repeated. */
export function createPublisher(client: TrustedClient, version: string): EventPublisher {
  return {
    async publish(endpoint, key, body, signal) {
      const { status, text } = await client.call(
        {
          url: endpoint.href,
          method: 'POST',
          headers: {
            'content-type': 'application/cloudevents+json',
            'aeg-sas-key': key.reveal(),
            'user-agent': `sidelight/${version}`,
          },
          body,
          timeoutMs: TIMEOUT_MS,
          maxBytes: QUOTED_BYTES,
          onTooLarge: 'cut',
          signal,
        },
        'EVR-NET-10',
      );
      return { status, body: withoutKey(text, key) };
    },
  };
}

/** The sidecar's error for an answer; undefined: it was accepted. Only 200 means that. */
export function refusalOfAnswer(status: number, body: string): string | undefined {
  return status === 200 ? undefined : `invalid status code (${status}) - response: ${body}`;
}

/** The sidecar's error for a failed request. */
export function requestTrouble(error: unknown): string {
  const cause = errorText(error);
  return `request error: ${cause}${error instanceof RouterTrouble ? ` (${error.code})` : ''}`;
}

function withoutKey(text: string, key: Secret): string {
  const secret = key.reveal();
  return secret === '' ? text : text.replaceAll(secret, '***');
}
