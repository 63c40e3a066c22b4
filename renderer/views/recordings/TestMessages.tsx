/** The first two steps of making a test: the messages, and the expected end state of each delivery. */
import type { ReactElement } from 'react';
import type { DeliveryState } from '../../../core/contract/delivery.ts';
import type { DeliveryRow, MessageRow } from '../../../core/contract/message.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Checkbox } from '../../components/Fields.tsx';
import { payloadVersion } from '../../format/preview.ts';
import { PreviewLine } from '../../components/PreviewLine.tsx';
import { fill } from '../../copy/fill.ts';
import { TEST_WIZARD } from '../../copy/recordings.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { clockTime, utcTime } from '../../format/clock-time.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { chipOf } from '../../format/row.ts';
import page from '../page.module.css';
import css from './Recordings.module.css';
import { END_STATES, type Repeats } from './test-messages.ts';

export interface TestMessagesProps {
  readonly rows: readonly MessageRow[];
  readonly left: ReadonlySet<string>;
  /** Which messages a test can repeat, as far as it is known. */
  readonly repeats: Repeats;
  readonly onLeave: (messageId: string, isLeft: boolean) => void;
  readonly expected: Readonly<Record<string, DeliveryState>>;
  readonly onExpect: (deliveryId: string, state: DeliveryState) => void;
}

/** A row per message: included or not, time and facts, and the expected states. */
export function TestMessages(props: TestMessagesProps): ReactElement {
  const { rows, left, repeats, onLeave, expected, onExpect } = props;
  const { columns } = TEST_WIZARD;
  return (
    <DataTable
      dense
      label={TEST_WIZARD.table}
      whole={[1]}
      folded={[1, 3]}
      columns={[
        <span key="in" className="visually-hidden">
          {columns.taken}
        </span>,
        columns.time,
        columns.message,
        columns.preview,
        columns.expected,
      ]}
      rows={rows.map((row) => {
        const reason = repeats.get(row.messageId);
        const isLeft = reason !== undefined || left.has(row.messageId);
        const name = { topic: visibleShort(row.topic), time: clockTime(row.at) };
        return {
          id: row.messageId,
          cells: [
            <Checkbox
              key="in"
              hideLabel
              label={fill(TEST_WIZARD.take, name)}
              checked={!isLeft}
              off={reason === undefined ? undefined : fill(TEST_WIZARD.noRepeat, { reason })}
              onChange={(isTaken) => onLeave(row.messageId, !isTaken)}
            />,
            <code key="time" title={utcTime(row.at)}>
              {clockTime(row.at)}
            </code>,
            <span key="message">
              <strong>
                <bdi>{visibleShort(row.topic)}</bdi>
              </strong>{' '}
              <bdi className={page.muted}>{visibleShort(row.eventType ?? '')}</bdi>
            </span>,
            <span key="preview" className={css.preview}>
              <PreviewLine number={row.number} version={payloadVersion(row)} />
            </span>,
            <Expected
              key="expected"
              row={row}
              isLeft={isLeft}
              reason={reason}
              isKnown={repeats.has(row.messageId)}
              expected={expected}
              onExpect={onExpect}
            />,
          ],
        };
      })}
    />
  );
}

interface ExpectedProps extends Pick<TestMessagesProps, 'expected' | 'onExpect'> {
  readonly row: MessageRow;
  readonly isLeft: boolean;
  readonly reason: string | undefined;
  /** Whether the host has said if a test can repeat the message. */
  readonly isKnown: boolean;
}

function Expected({ row, isLeft, reason, isKnown, expected, onExpect }: ExpectedProps): ReactElement {
  if (reason !== undefined)
    return <span className={page.muted}>{fill(TEST_WIZARD.noRepeat, { reason })}</span>;
  if (row.stage !== undefined)
    return <span className={page.muted}>{fill(TEST_WIZARD.notEnded, { state: chipOf(row).name })}</span>;
  if (row.deliveries.length === 0) return <Chip kind={chipOf(row).kind} apps={row.waitingFor} />;
  if (isLeft) return <span className={page.muted}>{TEST_WIZARD.left}</span>;
  if (!isKnown) return <span className={page.muted}>{TEST_WIZARD.unknown}</span>;
  return (
    <span className={page.bar}>
      {row.deliveries.map((delivery) => {
        const { deliveryId, appId, state } = delivery;
        if (!isEndState(state))
          return (
            <span key={deliveryId} className={page.muted}>
              {fill(TEST_WIZARD.notEnded, { state: CHIP_WORDS[state] })}
            </span>
          );
        const name = { topic: visibleShort(row.topic), app: appId, time: clockTime(row.at) };
        return (
          <span key={deliveryId} className={css.expected}>
            {row.deliveries.length > 1 && <span aria-hidden>{appId}</span>}
            <Choice
              label={fill(TEST_WIZARD.expect, name)}
              value={expected[deliveryId] ?? state}
              options={optionsFor(delivery)}
              onChange={(next) => {
                const found = optionsFor(delivery).find(({ value }) => value === next);
                if (found !== undefined) onExpect(deliveryId, found.value);
              }}
            />
          </span>
        );
      })}
    </span>
  );
}

function isEndState(state: DeliveryState): boolean {
  return END_STATES.some((each) => each === state);
}

function optionsFor({
  state,
}: DeliveryRow): readonly { readonly value: DeliveryState; readonly title: string }[] {
  return END_STATES.map((value) => ({
    value,
    title: value === state ? fill(TEST_WIZARD.asRecorded, { state: CHIP_WORDS[value] }) : CHIP_WORDS[value],
  }));
}
