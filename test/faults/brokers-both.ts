/** A broker that keeps nothing and is started again: together with Sidelight, or before anybody subscribed. */
import { dataOf } from '../support/broker-instance.ts';
import type { Instance, InstanceOptions } from '../support/broker-instance.ts';

export interface Both {
  readonly topic: string;
  start(options: Omit<InstanceOptions, 'topic'>): Promise<Instance>;
  /** The server is killed, and comes back empty. */
  restart(whileAway?: () => Promise<void>): Promise<void>;
}

export const MESSAGES = Array.from({ length: 6 }, (_, n) => ({ n }));

/** Messages of an app that subscribes after the server died with the first message. */
export async function subscribesLater({ topic, start, restart }: Both): Promise<unknown[]> {
  const instance = await start({ prepare: (app) => (app.subscriptions = []), evenFailed: true });
  try {
    await instance.publish({ n: 1 });
    const isLost = (): boolean => instance.runtime.topology.components()[0]?.lost !== undefined;
    await restart(() => instance.when(isLost));
    await instance.when(() => !isLost());
    const app = instance.app();
    app.subscriptions = [{ pubsubname: 'pubsub', topic, route: '/later' }];
    await instance.runtime.rediscovery.ask('app');
    await instance.ended(1);
    return dataOf(app);
  } finally {
    await instance.stop();
  }
}

/** Messages of the app after a restart, in order; it had one of them, unanswered, before both ended. */
export async function bothAnew({ start, restart }: Both): Promise<unknown[]> {
  const first = await start({ prepare: (app) => (app.answerWith = () => 'hang') });
  try {
    for (const data of MESSAGES) await first.publish(data);
    await first.when(() => first.app().open.length === 1);
  } finally {
    await first.stop();
  }
  await restart();
  const second = await start({ journal: first.journal.reopened() });
  try {
    await second.ended(MESSAGES.length);
    return inOrder(dataOf(second.app()));
  } finally {
    await second.stop();
  }
}

/** Messages of two apps after a restart, where one subscribes only after the other has received everything. */
export async function bothAnewForTwo({ start, restart }: Both): Promise<unknown[][]> {
  const apps = ['soon', 'late'];
  const first = await start({ apps, prepare: (app) => (app.answerWith = () => 'hang') });
  try {
    for (const data of MESSAGES) await first.publish(data);
    await first.when(() => apps.every((appId) => first.app(appId).open.length === 1));
  } finally {
    await first.stop();
  }
  await restart();
  const second = await start({
    apps,
    journal: first.journal.reopened(),
    prepare: (app, appId) => (app.isOpen = appId === 'soon'),
    evenFailed: true,
  });
  try {
    const has = (appId: string): Promise<void> =>
      second.when(() => second.app(appId).calls.length === MESSAGES.length);
    await has('soon');
    second.app('late').isOpen = true;
    await has('late');
    await second.ended(apps.length * MESSAGES.length);
    return apps.map((appId) => inOrder(dataOf(second.app(appId))));
  } finally {
    await second.stop();
  }
}

function inOrder(all: readonly unknown[]): unknown[] {
  return all.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
}
