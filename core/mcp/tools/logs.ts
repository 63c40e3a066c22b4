/** The tool that reads the log. */
import { counted } from '../../contract/count-text.ts';
import { extend, Integer, Optional } from '../../contract/schema.ts';
import { MAX_ROWS, USUAL_ROWS } from '../rows.ts';
import { PAYLOAD_BYTES } from '../foreign-text.ts';
import { paramsOf, tool } from '../tool.ts';
import { filterText } from './messages.ts';

export const logs = tool({
  name: 'logs',
  title: 'Read the log',
  does: 'Lines of the log, newest first, with those of the apps\' processes: from a level up, or those that match a filter. What agents did is marked "by an agent".',
  params: extend(paramsOf('logs.list'), {
    filter: Optional(filterText),
    limit: Optional(Integer({ minimum: 1, maximum: MAX_ROWS })),
  }),
  hints: { reads: true },
  run: async ({ limit = USUAL_ROWS, ...params }, context) => {
    const { items, nextCursor } = await (await context.rpc()).call('logs.list', { ...params, limit });
    return {
      text: `${counted(items.length, 'line')}, the newest first.`,
      outside: { lines: items.map((line) => ({ ...line, text: line.text.slice(0, PAYLOAD_BYTES) })) },
      more: nextCursor === null ? undefined : `the same arguments with cursor ${JSON.stringify(nextCursor)}.`,
    };
  },
});
