/** One runtime schema per method of the contract; test/console/schemas.test.ts proves that they say what the contract says. */
import type { TSchema } from 'typebox';
import type { Method } from '../../contract/console.ts';
import { MESSAGES } from './messages.ts';
import { SETUP } from './setup.ts';
import { WATCHING } from './watching.ts';

export const SCHEMAS = { ...MESSAGES, ...SETUP, ...WATCHING } satisfies Readonly<Record<Method, TSchema>>;
