/** Checks of a case's messages that only the console's RPC can make. */
import assert from 'node:assert/strict';
import type { ConsoleRpc, Context } from './case.ts';
import { accepted, listOf, objectOf } from './checks.ts';
import type { Json } from './checks.ts';

/** The console; a case that uses it has `needsConsole`. */
export const consoleOf = (context: Context): ConsoleRpc => context.console ?? assert.fail('no console');

/** Rows of the messages of a topic of the case, oldest first. */
export const rowsOf = async (context: Context, name?: string): Promise<readonly Json[]> => {
  const filter = `topic:${context.topic(name)}`;
  const { items } = await consoleOf(context).call('messages.list', { filter, order: 'oldest', limit: 200 });
  return listOf(items).map(objectOf);
};

/** The deliveries of a row. */
export const deliveriesOf = (row: Json): readonly Json[] => listOf(row['deliveries']).map(objectOf);

/** The row of the case's one message, once its first delivery is in `state`. */
export const untilState = async (context: Context, state: string, name?: string): Promise<Json> => {
  const rows = await context.poll(
    async () => rowsOf(context, name),
    ([row]) => row !== undefined && deliveriesOf(row)[0]?.['state'] === state,
    `state ${state}`,
  );
  return rows[0] ?? assert.fail('no row');
};

/** The app lets a call hang, and a person cuts it. */
export const cutByHand = async (context: Context): Promise<void> => {
  context.app.script(context.path(), 'hang', { status: 200 });
  accepted(await context.sidecar.publish(context.topic(), 'hi'));
  await context.arrive();
  const row = await untilState(context, 'attempting');
  const { deliveryId } = objectOf(listOf(row['deliveries'])[0]);
  await consoleOf(context).call('deliveries.cancelAttempt', { deliveryId });
};

/** The component list names each of these. */
export const namedInComponents = async (context: Context, names: readonly string[]): Promise<void> => {
  const text = JSON.stringify(await consoleOf(context).call('components.list', {}));
  for (const name of names) assert.ok(text.includes(name), name);
};

/** The first delivery of a message, whole. */
export const deliveryOf = async (context: Context, row: Json | undefined): Promise<Json> => {
  const detail = await consoleOf(context).call('messages.get', { messageId: row?.['messageId'] });
  return objectOf(listOf(detail['deliveries'])[0]);
};

/** Rules of a delivery's transitions, oldest first. */
export const rulesOf = (delivery: Json): readonly unknown[] =>
  listOf(delivery['transitions']).map((one) => objectOf(one)['rule']);

/** Attempts of a delivery, oldest first. */
export const attemptsOf = (delivery: Json): readonly Json[] => listOf(delivery['attempts']).map(objectOf);
