/** A message as a publish that makes it again; a long payload is read first. */
import type { MessageDetail } from '../../core/contract/message.ts';
import type { PublishParams } from '../../core/contract/publish.ts';
import { publishAgain } from '../format/curl.ts';
import { publishLongAgain } from '../format/long-payload.ts';
import type { Payloads } from './payloads.ts';

/** Parameters of `messages.publish`. Rejects if a long payload cannot be read. */
export async function publishAgainOf(
  { payloads }: { readonly payloads: Payloads },
  message: MessageDetail,
): Promise<PublishParams> {
  if (message.payloadApart !== true) return publishAgain(message);
  return publishLongAgain(message, await payloads.read({ message }));
}
