/** The menu of one row. */
import type { Act } from '../../core/contract/acts.ts';
import { foremost } from '../../core/contract/attention.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { MenuEntry, MenuGroup } from '../components/ChoiceMenu.tsx';
import { ACTS } from '../copy/acts.ts';
import { WHAT_IF } from '../copy/why.ts';
import { COMPARE_TWO } from '../copy/compare.ts';
import { fill } from '../copy/fill.ts';
import { DELETE } from '../copy/jobs.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { whyNot } from '../format/acts.ts';
import { cellTerm, filterValue } from '../format/cell-term.ts';
import type { Column } from '../format/columns.ts';
import { chipOf } from '../format/row.ts';
import { visibleShort } from '../format/visible.ts';
import { commandOf } from '../keys/commands.ts';
import { twoToCompare } from '../keys/list-commands.ts';
import { deleteMany } from '../keys/many-commands.ts';
import type { Console } from '../state/console.ts';
import { copyMenu } from './copy-menu.ts';

export { filterValue } from '../format/cell-term.ts';

/** Groups of the row's menu, with why an act does not apply. */
export function rowMenu(console: Console, row: MessageRow, column?: Column): readonly MenuGroup[] {
  const subject = { row };
  const { acting, commands, navigation } = console;
  const act = (which: Act, title: string = ACTS[which]): MenuEntry => ({
    id: which,
    title,
    off: whyNot(which, subject),
    keys: commandOf(which)?.keys,
    run: () => acting.act(which, [subject]),
  });
  const filter = (key: string, value: string | undefined, title: string): MenuEntry[] =>
    value === undefined || value === ''
      ? []
      : [
          {
            id: `filter.${key}`,
            title: fill(title, { value: visibleShort(value) }),
            run: () => navigation.change({ f: `${key}:${filterValue(value)}` }),
          },
        ];
  /** One more condition beside those that are there. */
  const narrow = (term: string): void => {
    const now = navigation.param('f') ?? '';
    navigation.change({ f: now === '' ? term : `${now.includes(' OR ') ? `(${now})` : now} ${term}` });
  };
  const exclude = (key: string, value: string | undefined, title: string): MenuEntry[] =>
    value === undefined || value === ''
      ? []
      : [
          {
            id: `exclude.${key}`,
            title: fill(title, { value: visibleShort(value) }),
            run: () => narrow(`-${key}:${filterValue(value)}`),
          },
        ];
  const first = foremost(row.deliveries);
  const kind = chipOf(row).kind;
  const isHeld = whyNot('release', subject) === undefined;
  const pair = twoToCompare(console, row.messageId);
  const own = column?.own === undefined ? null : console.messages.own.of(row.number)?.[column.own];
  const term = column && cellTerm(column, row, own ?? null);
  return [
    ...(term === undefined
      ? []
      : [
          {
            title: fill(ACTS.cell, { term: visibleShort(term) }),
            entries: [
              { id: 'filterThis', title: ACTS.filterThis, run: () => narrow(term) },
              { id: 'excludeThis', title: ACTS.excludeThis, run: () => narrow(`-${term}`) },
            ],
          },
        ]),
    {
      entries: [
        { id: 'open', title: ACTS.open, run: () => navigation.change({ m: row.messageId, d: undefined }) },
        { id: 'replay', title: ACTS.replay, keys: ['r'], run: () => void acting.replay([row]) },
        {
          id: 'editReplay',
          title: ACTS.editReplay,
          keys: ['e'],
          run: () => commands.open({ kind: 'edit-replay', messageId: row.messageId }),
        },
        ...(first === undefined
          ? []
          : [
              {
                id: 'replayHere',
                title: ACTS.replayHere,
                run: () =>
                  void acting.replay([row], { deliveryId: first.deliveryId, route: first.route ?? '' }),
              },
            ]),
      ],
    },
    {
      entries: [
        act('retry'),
        isHeld ? act('release') : act('hold'),
        ...(isHeld
          ? [
              {
                id: 'editRelease',
                title: ACTS.editRelease,
                run: () => commands.open({ kind: 'edit-release', messageId: row.messageId }),
              },
            ]
          : []),
        {
          id: 'whatIf',
          title: WHAT_IF.command,
          keys: commandOf('whatIf')?.keys,
          run: () => commands.open({ kind: 'what-if', messageId: row.messageId }),
        },
        act('cancel'),
        act('drop'),
        act('deadLetter', ACTS.moveToDeadLetter),
      ],
    },
    {
      entries: [
        {
          id: 'filterBy',
          title: ACTS.filterBy,
          entries: [
            ...filter('topic', row.topic, ACTS.filterTopic),
            ...filter('type', row.eventType, ACTS.filterType),
            ...filter('app', first?.appId, ACTS.filterApp),
            ...(kind === 'waiting' || kind === 'refused'
              ? []
              : [
                  {
                    id: 'filter.state',
                    title: fill(ACTS.filterState, { value: CHIP_WORDS[kind].toLowerCase() }),
                    run: () => navigation.change({ f: `state:${kind}` }),
                  },
                ]),
          ],
        },
        {
          id: 'exclude',
          title: ACTS.exclude,
          entries: [
            ...exclude('topic', row.topic, ACTS.filterTopic),
            ...exclude('type', row.eventType, ACTS.filterType),
            ...exclude('app', first?.appId, ACTS.filterApp),
          ],
        },
        {
          id: 'newer',
          title: ACTS.onlyNewer,
          run: () => narrow(`age:<${Math.max(1, Math.ceil((Date.now() - Date.parse(row.at)) / 1000))}s`),
        },
        {
          id: 'mockLike',
          title: ACTS.mockLike,
          run: () =>
            commands.open({
              kind: 'rule',
              topic: row.topic,
              ...(row.eventType === undefined ? {} : { eventType: row.eventType }),
              ...(first?.route === undefined ? {} : { route: first.route }),
            }),
        },
        {
          id: 'holdLike',
          title: ACTS.holdLike,
          run: () => commands.open({ kind: 'hold', filter: `topic:${filterValue(row.topic)}` }),
        },
        copyMenu(console, row.messageId, linkTo(row.messageId)),
        {
          id: 'compare',
          title: COMPARE_TWO.withSelected,
          off: pair === undefined ? COMPARE_TWO.needsTwo : undefined,
          run: () => pair && commands.open({ kind: 'compare', ...pair }),
        },
        {
          id: 'pin',
          title: row.pinned === true ? ACTS.unpin : ACTS.pin,
          keys: ['i'],
          run: () => void acting.pin(row),
        },
        {
          id: 'note',
          title: ACTS.note,
          run: () => commands.open({ kind: 'note', messageId: row.messageId }),
        },
        { id: 'delete', title: DELETE.act, run: () => deleteMany(console, [row]) },
      ],
    },
  ];
}

/** Address of the page with this message open. */
export function linkTo(messageId: string): string {
  const url = new URL(window.location.href);
  url.hash = `#/messages?m=${encodeURIComponent(messageId)}`;
  return url.href;
}
