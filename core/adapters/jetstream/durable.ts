/** The durable consumer of a group on a topic: creates a missing one, updates an existing one to the settings. */
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import type { ConsumerConfig, ConsumerInfo, StoredMsg } from '@nats-io/jetstream';
import { isAnswer, STREAM_NOT_FOUND } from './connection.ts';
import type { JetStream } from './connection.ts';
import type { JetStreamSettings, Start } from './settings.ts';
import { MADE_BY } from './streams.ts';

export interface DurableNames {
  readonly stream: string;
  readonly topic: string;
  readonly consumer: string;
}

const CONSUMER_NOT_FOUND = 10_014;
const MESSAGE_NOT_FOUND = 10_037;
const NANOS_PER_MS = 1_000_000;
const PRACTICALLY_NEVER = 1_000_000_000;

/** The settings of a consumer that can be changed later. */
type Changeable = Pick<ConsumerConfig, 'ack_wait' | 'max_deliver' | 'max_ack_pending'> & {
  readonly backoff?: number[];
};

/**
 * Finds or creates the durable consumer. Rejects with the server's error, or with the reason why a consumer of that name cannot be used.
 * @returns `made`: true if the consumer was missing
 */
export async function durableConsumer(
  { manager }: JetStream,
  names: DurableNames,
  settings: JetStreamSettings,
): Promise<{ readonly info: ConsumerInfo; readonly made: boolean }> {
  const { stream, topic, consumer } = names;
  const wanted = changeable(settings);
  const there = await infoOf(manager.consumers, stream, consumer);
  if (there === undefined) {
    const info = await manager.consumers.add(stream, {
      durable_name: consumer,
      description: MADE_BY,
      filter_subject: topic,
      ack_policy: AckPolicy.Explicit,
      ...startOf(settings.start),
      ...wanted,
    });
    return { info, made: true };
  }
  const { config } = there;
  if (config.filter_subject !== topic || config.deliver_subject !== undefined)
    throw new Error(
      `the consumer ${consumer} of ${stream} exists already, for ${config.filter_subject ?? 'every subject'}${
        config.deliver_subject === undefined ? '' : ' and pushed'
      }; give another durableName`,
    );
  if (isSame(config, wanted)) return { info: there, made: false };
  return { info: await manager.consumers.update(stream, consumer, { ...config, ...wanted }), made: false };
}

/** Message with that number; undefined: the message or its stream does not exist. Rejects with any other error of the server. */
export async function messageAt(
  manager: JetStream['manager'],
  stream: string,
  seq: number,
): Promise<StoredMsg | undefined> {
  try {
    return (await manager.streams.getMessage(stream, { seq })) ?? undefined;
  } catch (error) {
    if (isAnswer(error) && (error.code === STREAM_NOT_FOUND || error.code === MESSAGE_NOT_FOUND))
      return undefined;
    throw error;
  }
}

/** True if the error says that stream or consumer do not exist. */
export function isMissing(error: unknown): boolean {
  if (isAnswer(error)) return error.code === CONSUMER_NOT_FOUND || error.code === STREAM_NOT_FOUND;
  return (
    error instanceof Error &&
    /consumer deleted|consumer not found|stream not found|no responders/i.test(error.message)
  );
}

async function infoOf(
  consumers: JetStream['manager']['consumers'],
  stream: string,
  consumer: string,
): Promise<ConsumerInfo | undefined> {
  try {
    return await consumers.info(stream, consumer);
  } catch (error) {
    if (isAnswer(error) && error.code === CONSUMER_NOT_FOUND) return undefined;
    throw error;
  }
}

function changeable(settings: JetStreamSettings): Changeable {
  const { ackWaitMs, backOffMs, maxDeliver, maxAckPending } = settings;
  return {
    // With a backoff list the server uses its first wait as ack_wait.
    ack_wait: (backOffMs[0] ?? ackWaitMs) * NANOS_PER_MS,
    // Servers before 2.10 refuse "no limit" together with a backoff list.
    max_deliver: maxDeliver ?? (backOffMs.length === 0 ? -1 : PRACTICALLY_NEVER),
    max_ack_pending: maxAckPending,
    ...(backOffMs.length === 0 ? {} : { backoff: backOffMs.map((ms) => ms * NANOS_PER_MS) }),
  };
}

function isSame(there: ConsumerConfig, wanted: Changeable): boolean {
  return (
    there.ack_wait === wanted.ack_wait &&
    there.max_deliver === wanted.max_deliver &&
    there.max_ack_pending === wanted.max_ack_pending &&
    JSON.stringify(there.backoff ?? []) === JSON.stringify(wanted.backoff ?? [])
  );
}

function startOf(start: Start): Partial<ConsumerConfig> {
  if (start.policy === 'sequence')
    return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start.sequence };
  if (start.policy === 'time') return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: start.time };
  const policies = { all: DeliverPolicy.All, last: DeliverPolicy.Last, new: DeliverPolicy.New } as const;
  return { deliver_policy: policies[start.policy] };
}
