/** `ask`: a person answers, by way of the ask desk. */
import type { Answering } from './answering.ts';

/** The request waits at the desk until someone answers or the caller goes away. */
export function ask({ incoming, reply, ports }: Answering<'ask'>): void {
  reply.note('waits for a person');
  reply.onClosed(ports.desk.wait(incoming, reply));
}
