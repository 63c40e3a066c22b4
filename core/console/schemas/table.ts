/** One runtime schema per method of the contract; test/console/schemas.test.ts proves that they say what the contract says. */
import type { TSchema } from 'typebox';
import type { Method } from '../../contract/console.ts';
import { EVENT_ROUTER } from './event-router.ts';
import { MESSAGES } from './messages.ts';
import { RECORDINGS } from './recordings.ts';
import { SAVED } from './saved.ts';
import { SETUP } from './setup.ts';
import { WATCHING } from './monitoring.ts';

export const SCHEMAS = {
  ...MESSAGES,
  ...SAVED,
  ...SETUP,
  ...WATCHING,
  ...EVENT_ROUTER,
  ...RECORDINGS,
} satisfies Readonly<Record<Method, TSchema>>;
