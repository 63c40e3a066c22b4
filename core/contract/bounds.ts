/** Bounds of the texts and numbers that people and programs send. */
import { ANSWER_STATUS, MAX_ANSWER_DELAY_MS } from './rule-bounds.ts';
import { dictionary, Integer, list, members, oneOf, Optional, Text } from './schema.ts';

/** Id that a person or a program chose. */
export const id = Text({ maxLength: 200 });
export const name = Text({ maxLength: 1000 });
export const filter = Text({ maxLength: 10_000 });
/** Highest number of a message that an act on a filter reaches; absent: every message that matches. */
export const upTo = Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const order = oneOf(['newest', 'oldest']);
export const limit = Integer({ minimum: 1, maximum: 500 });
export const texts = dictionary(Text());
/** Wait in milliseconds, at most a day. */
export const waitMs = Integer({ minimum: 0, maximum: 86_400_000 });
/** Number of an event. */
export const sequence = Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** A number of things, or the position of one among them. */
export const count = Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** HTTP status. */
export const status = Integer({ minimum: 100, maximum: 599 });
/** Status of an answer that a person, a rule or a fault gives. */
export const answerStatus = Integer(ANSWER_STATUS);
/** Wait before such an answer in milliseconds. */
export const answerDelayMs = Integer({ minimum: 0, maximum: MAX_ANSWER_DELAY_MS });
/** Parameters of a method that is about one app; absent: the first one. */
export const app = members({ appId: Optional(name) });
/** Ids of the messages that a person selected. */
export const messageIds = list(id, { minItems: 1, maxItems: 10_000 });
/** Index of a line of a view, from 0. */
export const position = Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
