/** `ask`: a person answers, through the console. */
import type { Answering } from './answering.ts';

/** The request waits until someone answers or the caller goes away. */
export function ask({ incoming, reply, ports }: Answering<'ask'>): void {
  reply.note('waits for a person');
  reply.onClosed(ports.pending.wait(incoming, reply));
}
