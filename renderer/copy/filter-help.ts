/** Texts of the help sheet of the filter field (F1). Meanings of the keys: core/contract/filter-keys.ts. */

export const FILTER_HELP = {
  intro: 'A filter is one or more terms. A message is listed if all of them are true.',
  writing: 'How to write it',
  columns: { text: 'You write', says: 'It means' },
  rules: [
    { text: 'topic:orders state:parked', says: 'both are true' },
    { text: 'state:parked OR state:dropped', says: 'one of them is true; OR in capitals' },
    { text: '-topic:orders', says: 'it is not true; or NOT topic:orders' },
    { text: '(status:5xx OR error:*) age:<10m', says: 'parentheses; * alone is any value' },
    { text: 'late "late fee"', says: 'text in the message; quotes keep words together' },
    { text: 'type:com.acme.*', says: '* stands for any characters' },
    { text: 'topic:orders,refunds', says: 'one of these values' },
    { text: 'attempts:>=3 size:1kb..10kb', says: 'a comparison, and a range' },
    {
      text: 'data.items[0].sku:"A 1"',
      says: 'a value in the payload, by its path; of an edited payload, as the list shows it',
    },
  ],
  examples: 'Examples',
  tries: [
    { text: 'topic:orders state:retrying data.total>100', says: 'large orders that are being retried' },
    { text: 'state:parked,dead-lettered -app:mock', says: 'what failed for good, except at the app mock' },
    { text: 'NOT is:replay lastrule:single.404', says: 'dropped after a 404, without replays' },
    { text: 'changed:>=2026-01-31T14:30:00Z', says: 'what was accepted, or changed its state, since then' },
  ],
  apply: 'Click an example to apply it.',
  keys: 'Keys',
  cells:
    'Alt and a click on a cell filters by its value; with Shift, it excludes that value. In a payload, the value under the pointer counts. Time finds what came since then, and Last call what took at least as long. The menu of a row does the same.',
} as const;
