/** Helpers to try the acts of a person: a product, messages, and the check that an act was kept. */
import type { Method } from '../../core/contract/console.ts';
import type { MessageDetail } from '../../core/contract/message.ts';
import type { Running } from './kill-product.ts';

export interface Act {
  readonly method: Method;
  /** In words, where a method is there more than once. */
  readonly how?: string;
  /** Makes what the act needs and gives its parameters. `word` is another one each time. */
  prepare(product: Running, word: string): Promise<object>;
  /**
   * True when the next process knows of it.
   * @param given its parameters
   */
  isKept(product: Running, word: string, given: Given, answer: unknown): Promise<boolean>;
}

export type Given = Readonly<Record<string, unknown>>;

export const COMPONENT = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: pubsub
spec:
  type: pubsub.in-memory
  version: v1
`;

export const none = async (): Promise<object> => ({});
export const as =
  (params: (word: string) => object) =>
  async (_: Running, word: string): Promise<object> =>
    params(word);

/** Whether what a method answers has a text in it. */
export function says(method: Method, text: (word: string) => string = (word) => word, isThere = true) {
  return async (product: Running, word: string): Promise<boolean> =>
    JSON.stringify(await product.call(method, {})).includes(text(word)) === isThere;
}

/** A message whose data is `{a: kind, word}`: the rules and holds of `setUp` know what to do with its kind. */
export async function publish(product: Running, kind: string, word: string): Promise<string> {
  const data = { a: kind, word };
  const params = { pubsubname: 'pubsub', topic: kind === 'stage' ? 'staged' : 'orders', data };
  const { messageId } = (await product.call('messages.publish', params)) as { messageId: string };
  return messageId;
}

export function messageOf(product: Running, messageId: unknown): Promise<MessageDetail> {
  return product.call('messages.get', { messageId }) as Promise<MessageDetail>;
}

export async function made(product: Running, method: Method, params: object, id: string): Promise<object> {
  const answer = (await product.call(method, params)) as Given;
  return { [id]: answer[id] };
}

export const isStaged = async (product: Running, messageId: unknown): Promise<boolean> =>
  (await messageOf(product, messageId)).stage === 'held';
export const request = (word: string): object => ({ pubsubname: 'pubsub', topic: 'unheard', data: word });
export const rule = (word: string): object => ({
  name: word,
  enabled: true,
  match: { topic: word },
  answer: { kind: 'respond', status: 200 },
});
export const hold = (word: string): object => ({ at: 'delivery', filter: `topic:${word}`, name: word });

/** Rules that `mockApp.setRules` must leave as they are, for the deliveries of the other acts. */
export const RULES = [
  { enabled: true, match: { filter: 'data.a:fails' }, answer: { kind: 'respond', status: 500 } },
  { enabled: true, match: { filter: 'data.a:hangs' }, answer: { kind: 'hang' } },
  { enabled: true, match: { filter: 'data.a:asks' }, answer: { kind: 'ask' } },
];
export const SUBSCRIBED = { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } };
