/** Lines of the message list: a group in each of its states, and messages below it. */
import type { CSSProperties, ReactElement } from 'react';
import type { MessageRow, RowState } from '../../core/contract/message.ts';
import type { GroupRow } from '../../core/contract/view.ts';
import { gridTemplate, shownColumns } from '../../renderer/format/columns.ts';
import { GroupLine } from '../../renderer/views/messages/GroupLine.tsx';
import { ListRow } from '../../renderer/views/messages/ListRow.tsx';
import { Specimen } from './Specimen.tsx';

const ROW_PX = 28;
const AT = '2026-03-01T12:00:00.000Z';
const COLUMNS = shownColumns({ chosen: ['time', 'topic', 'type', 'state'], listPx: 0, severalApps: false });

function group(value: string, worst: RowState, more: Partial<GroupRow> = {}): GroupRow {
  const states = { [worst]: 2, processed: 10 };
  return {
    groupId: value,
    value,
    messages: 12,
    worst,
    states,
    firstAt: AT,
    lastAt: AT,
    isOpen: false,
    ...more,
  };
}

const GROUPS: readonly GroupRow[] = [
  group('orders', 'parked', { isOpen: true }),
  group('refunds', 'retrying', { lastAt: '2026-03-01T12:04:09.000Z' }),
  group('x'.repeat(200), 'dead-lettered'),
  group('audit', 'processed', { messages: 1, states: { processed: 1 } }),
];

function message(number: number): MessageRow {
  return {
    messageId: `m${number}`,
    number,
    at: AT,
    appId: 'shop',
    pubsubname: 'pubsub',
    topic: 'orders',
    contentType: 'application/json',
    eventType: 'com.example.order.created',
    source: 'http',
    raw: false,
    sizeBytes: 120,
    deliveries: [],
  };
}

/**
 * All lines.
 * @param theme tells the two columns of the gallery apart
 */
export function Lists({ theme }: { readonly theme: string }): ReactElement {
  const lines = [GROUPS.slice(0, 1), [message(1), message(2)], GROUPS.slice(1)].flat();
  const style: CSSProperties & Readonly<Record<'--columns' | '--row', string>> = {
    position: 'relative',
    // A row that is wider than the list is scrolled to, as on the screen.
    overflow: 'auto',
    blockSize: lines.length * ROW_PX,
    containerName: 'list',
    containerType: 'inline-size',
    '--columns': gridTemplate(COLUMNS, { set: {}, longest: { topic: 6, type: 25 } }, 1200),
    '--row': `${ROW_PX}px`,
  };
  return (
    <Specimen title="Lines of the message list">
      <div role="treegrid" tabIndex={0} aria-label={`Lines, ${theme}`} className="wide" style={style}>
        {lines.map((line, index) =>
          'groupId' in line ? (
            <GroupLine
              key={line.groupId}
              group={line}
              groupBy="topic"
              index={index}
              top={index * ROW_PX}
              span={COLUMNS.length + 2}
              isCurrent={line.value === 'refunds'}
            />
          ) : (
            <ListRow
              key={line.messageId}
              row={line}
              index={index}
              top={index * ROW_PX}
              columns={COLUMNS}
              canSelect
              isCurrent={false}
              isSelected={line.number === 2}
              isOpen={line.number === 1}
              isUnread={line.number === 1}
              isFirstNew={false}
              someSelected
              own={undefined}
              needles={[]}
              texts={[]}
              isAsked={false}
              isChild
            />
          ),
        )}
      </div>
    </Specimen>
  );
}
