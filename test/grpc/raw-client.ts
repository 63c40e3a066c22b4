/** A client of one sidecar that is closed at the end of a test. */
import { onTestFinished } from 'vitest';
import { openClient } from '../support/grpc-client.ts';
import type { RawClient } from '../support/grpc-client.ts';

export { SERVICE } from '../support/grpc-client.ts';
export type { RawClient } from '../support/grpc-client.ts';

/** @param address `127.0.0.1:50001` */
export async function clientOf(address: string): Promise<RawClient> {
  const client = await openClient(address);
  onTestFinished(() => client.close());
  return client;
}
