/** `ask`: a person answers, through the console. */
import type { Answering } from './answering.ts';

/** The request waits until a person answers or the caller disconnects. */
export function ask({ incoming, reply, ports }: Answering<'ask'>): void {
  reply.note('waits for a person');
  reply.onClosed(ports.pending.wait(incoming, reply));
}
