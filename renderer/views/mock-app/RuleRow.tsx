/**
 * One answer of the list: on or off, conditions, answer, hits, and its position, which changes by drag, key
 * or button.
 */
import { ArrowDown, ArrowUp, GripVertical, Pencil, Trash2 } from 'lucide-react';
import { memo, useState, type KeyboardEvent, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { ResponseRule } from '../../../core/contract/mock-app.ts';
import { Breakable } from '../../components/Breakable.tsx';
import { IconButton } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Fields.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { MOCK } from '../../copy/mock-app.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { matchText, ruleAnswerText } from '../../format/answer.ts';
import { clockSeconds } from '../../format/clock-time.ts';
import { count } from '../../format/quantity.ts';
import { useAway, useConsole } from '../../state/context.ts';
import css from './MockApp.module.css';
import { SilentTopic, type SilentTopicProps } from './SilentTopic.tsx';

export interface RuleRowProps {
  readonly rule: ResponseRule;
  readonly index: number;
  readonly last: number;
  /** Number of its calls that are not answered yet. */
  readonly waiting: number;
  /** The mock app, if it does not subscribe to the topic of this answer. */
  readonly silentAt?: SilentTopicProps;
  readonly onMove: (from: number, to: number) => void;
  readonly onEnable: (rule: ResponseRule, enabled: boolean) => void;
  readonly onRemove: (rule: ResponseRule) => void;
}

/** Id of the element that gets the focus after a move. */
export function handleId(rule: ResponseRule): string {
  return `answer-handle-${rule.ruleId ?? ''}`;
}

function isSame(before: RuleRowProps, now: RuleRowProps): boolean {
  return (
    before.index === now.index &&
    before.last === now.last &&
    before.silentAt?.topic === now.silentAt?.topic &&
    before.waiting === now.waiting &&
    before.onMove === now.onMove &&
    JSON.stringify(before.rule) === JSON.stringify(now.rule)
  );
}

/**
 * A row, drawn again only when it changed: there may be five hundred, and their counts change all the time.
 */
export const RuleRow = memo(Row, isSame);

function Row({
  rule,
  index,
  last,
  waiting,
  silentAt,
  onMove,
  onEnable,
  onRemove,
}: RuleRowProps): ReactElement {
  const away = useAway(ACT_WHY.away);
  const [over, setOver] = useState<'before' | 'after'>();
  const name = rule.name ?? fill(MOCK.unnamed, { n: index + 1 });
  const hits = rule.hits ?? 0;

  function onKey(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    if (away === undefined) onMove(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
  }

  return (
    <li
      className={css.rule}
      data-off={rule.enabled ? undefined : ''}
      data-over={over}
      onKeyDown={onKey}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        const { top, height } = event.currentTarget.getBoundingClientRect();
        setOver(event.clientY < top + height / 2 ? 'before' : 'after');
      }}
      onDragLeave={() => setOver(undefined)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(undefined);
        const from = Number(event.dataTransfer.getData(DRAGGED));
        const to = over === 'after' ? index + 1 : index;
        onMove(from, from < to ? to - 1 : to);
      }}
    >
      <span className={css.place}>
        <Handle rule={rule} index={index} name={name} />
        <Checkbox
          isSwitch
          hideLabel
          label={fill(MOCK.enable, { name })}
          checked={rule.enabled}
          off={away}
          onChange={(enabled) => onEnable(rule, enabled)}
        />
      </span>
      <span className={css.name}>
        {name}
        {rule.times !== undefined && (
          <span className={css.muted}> · {fill(MOCK.times, { n: count(rule.times) })}</span>
        )}
      </span>
      <span className={css.match}>
        <Breakable text={fill(MOCK.when, { match: matchText(rule) })} />
      </span>
      <span className={css.answer}>→ {ruleAnswerText(rule.answer)}</span>
      <span
        className={css.hits}
        title={rule.lastAt === undefined ? undefined : fill(MOCK.lastAt, { time: clockSeconds(rule.lastAt) })}
      >
        {hits === 0 ? fill(MOCK.hits, { n: 0 }) : <HitsLink rule={rule} hits={hits} />}
        {waiting > 0 && ` · ${fill(MOCK.waiting, { n: count(waiting) })}`}
      </span>
      <span className={css.ends}>
        <RowActs name={name} rule={rule} index={index} last={last} onMove={onMove} onRemove={onRemove} />
      </span>
      {silentAt !== undefined && <SilentTopic {...silentAt} />}
    </li>
  );
}

interface HandleProps {
  readonly rule: ResponseRule;
  readonly index: number;
  readonly name: string;
}

/** The handle by which the row is dragged. */
function Handle({ rule, index, name }: HandleProps): ReactElement {
  const away = useAway(ACT_WHY.away);
  return (
    <span
      draggable={away === undefined}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData(DRAGGED, String(index));
        const row = event.currentTarget.closest('li');
        if (row !== null) event.dataTransfer.setDragImage(row, 20, row.clientHeight / 2);
      }}
    >
      <IconButton
        id={handleId(rule)}
        icon={GripVertical}
        label={fill(MOCK.drag, { name })}
        hintSide="left"
        off={away}
        className={css.handle}
        onClick={() => undefined}
      />
    </span>
  );
}

interface RowActsProps extends Pick<RuleRowProps, 'rule' | 'index' | 'last' | 'onMove' | 'onRemove'> {
  readonly name: string;
}

/** Buttons for up, down, edit and remove. */
function RowActs({ name, rule, index, last, onMove, onRemove }: RowActsProps): ReactElement {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  return (
    <>
      <IconButton
        icon={ArrowUp}
        label={fill(MOCK.up, { name })}
        off={away ?? (index === 0 ? MOCK.first : undefined)}
        onClick={() => onMove(index, index - 1)}
      />
      <IconButton
        icon={ArrowDown}
        label={fill(MOCK.down, { name })}
        off={away ?? (index === last ? MOCK.last : undefined)}
        onClick={() => onMove(index, index + 1)}
      />
      <IconButton
        icon={Pencil}
        label={fill(MOCK.edit, { name })}
        off={away}
        onClick={() => commands.open({ kind: 'rule', ...withoutUndefined({ ruleId: rule.ruleId }) })}
      />
      <IconButton
        icon={Trash2}
        label={fill(MOCK.remove, { name })}
        off={away}
        onClick={() => onRemove(rule)}
      />
    </>
  );
}

/** Data type of a dragged answer, so that nothing else can be dropped here. */
const DRAGGED = 'application/x-sidelight-answer';

/** Link to the messages of which this rule answered an attempt. */
function HitsLink({ rule, hits }: { readonly rule: ResponseRule; readonly hits: number }): ReactElement {
  const text = fill(MOCK.hits, { n: count(hits) });
  const filter = `answeredby:${JSON.stringify(rule.ruleId ?? '')}`;
  return <Link href={`/messages?f=${addressPart(filter)}`}>{text}</Link>;
}
