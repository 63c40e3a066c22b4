/** Every tool, in the order in which agents list them. */
import type { Tool } from '../tool.ts';
import { answer, drop, hold, release, retry } from './deliveries.ts';
import { logs } from './logs.ts';
import { explainMessage, listMessages, waitForTool } from './messages.ts';
import { setMockAnswers } from './mock-app.ts';
import { publish, publishBulk, replay } from './publishing.ts';
import { runScenario } from './scenario.ts';
import { explainRoute, explainVerdict, topology } from './topology.ts';

export const TOOLS: readonly Tool[] = [
  listMessages,
  explainMessage,
  publish,
  publishBulk,
  replay,
  retry,
  drop,
  hold,
  release,
  answer,
  setMockAnswers,
  waitForTool,
  topology,
  explainRoute,
  explainVerdict,
  runScenario,
  logs,
];
