/** The form for many messages in one request. */
import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { MAX_FRAME_BYTES } from '../../../core/contract/rpc.ts';
import { Button } from '../../components/Button.tsx';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { Hint } from '../../components/Hint.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { BULK, CONTENT_TYPES, PUBLISH } from '../../copy/publish.ts';
import { entryBytes, entryMistakes, type EntryMistakes } from '../../format/entries.ts';
import { count, size } from '../../format/quantity.ts';
import { useAway, useConsole } from '../../state/context.ts';
import type { BulkDraft } from '../../state/publish-drafts.ts';
import { useSelected } from '../../state/store.ts';
import css from './BulkForm.module.css';
import { BulkGrid } from './BulkGrid.tsx';
import { BulkResult } from './BulkResult.tsx';
import { BulkTools } from './BulkTools.tsx';
import { isWithin } from './SingleForm.tsx';
import { Target, useTarget } from './Target.tsx';
import { useBulkPublish } from './use-bulk-publish.ts';

/** Bytes of an entry beside its event: names, id, content type, escapes. */
const ENTRY_BYTES = 100;

/** Target, entries, answer. */
export function BulkForm(): ReactElement {
  const { drafts } = useConsole();
  const stored = useSelected(drafts.store, (state) => state.bulk);
  const draft: BulkDraft = { ...stored, ...useTarget(stored) };
  const { entries } = draft;
  const away = useAway(ACT_WHY.away);
  const { publish, answer, pending } = useBulkPublish();
  const [tried, setTried] = useState(false);
  const [checked, setChecked] = useState<ReadonlySet<number>>(new Set());
  const mistakes = entryMistakes(entries);
  const bytes = entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
  const blocked = whyBlocked(draft, mistakes, bytes);

  function run(): void {
    setTried(true);
    if (away === undefined && blocked === undefined && !pending) void publish(draft, entries);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isWithin(event)) return;
    event.preventDefault();
    run();
  }

  return (
    <form
      aria-label={BULK.form}
      className={css.form}
      onKeyDownCapture={onKey}
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <Target
        value={draft}
        errorOf={(field) => (tried ? targetMistake(draft, field) : undefined)}
        onChange={drafts.editBulk}
      />
      <Options draft={draft} bytes={bytes} />
      <BulkTools draft={draft} checked={checked} onChecked={setChecked} publish={publish} />
      {entries.length === 0 ? (
        <p className={css.empty}>{BULK.empty}</p>
      ) : (
        <BulkGrid
          entries={entries}
          twice={mistakes.twice}
          answer={answer}
          checked={checked}
          onCheck={(id, isOn) => setChecked(isOn ? new Set([...checked, id]) : without(checked, id))}
        />
      )}
      <div className={css.foot}>
        <div className={css.bar}>
          <Button type="submit" kind="primary" off={away ?? blocked} pending={pending} keys={['Mod+Enter']}>
            {fill(BULK.publish, { n: count(entries.length) })}
          </Button>
          <p role="status" className={css.warning}>
            {describeMistakes(mistakes, tried ? blocked : undefined)}
          </p>
        </div>
        <BulkResult
          answer={answer}
          onRetry={(ids) =>
            void publish(
              draft,
              entries.filter(({ entryId }) => ids.has(entryId)),
            )
          }
          onKeep={(ids) => drafts.editBulk({ entries: entries.filter(({ entryId }) => ids.has(entryId)) })}
        />
      </div>
    </form>
  );
}

interface OptionsProps {
  readonly draft: BulkDraft;
  /** Size of all entries. */
  readonly bytes: number;
}

/** Options of the whole request, and its size. */
function Options({ draft, bytes }: OptionsProps): ReactElement {
  const { drafts } = useConsole();
  const { entries } = draft;
  return (
    <div className={css.bar}>
      <TextField
        label={BULK.maxBytes}
        inputMode="numeric"
        value={draft.maxBulkPubBytes}
        error={isMaxBytes(draft.maxBulkPubBytes) ? undefined : BULK.badMaxBytes}
        onChange={(maxBulkPubBytes) => drafts.editBulk({ maxBulkPubBytes })}
      />
      <TextField
        label={BULK.defaultType}
        mono
        value={draft.contentType}
        suggestions={CONTENT_TYPES}
        onChange={(contentType) => drafts.editBulk({ contentType })}
      />
      {entries.some(({ contentType }) => contentType !== draft.contentType) && (
        <Button
          onClick={() =>
            drafts.editBulk({
              entries: entries.map((entry) => ({ ...entry, contentType: draft.contentType })),
            })
          }
        >
          {BULK.typeForAll}
        </Button>
      )}
      <span className={css.inLine}>
        <Checkbox
          label={BULK.rawPayload}
          checked={draft.rawPayload}
          onChange={(rawPayload) => drafts.editBulk({ rawPayload })}
        />
        <span className={css.facts}>
          {fill(BULK.counted, { n: count(entries.length) })} · {size(bytes)}
        </span>
        <Hint text={BULK.alphaWhy}>
          <span tabIndex={0} className={css.badge}>
            {BULK.alpha}
          </span>
        </Hint>
      </span>
    </div>
  );
}

/** Mistakes and oddities of the entries; after a try to publish, first the mistake that prevented it. */
function describeMistakes(mistakes: EntryMistakes, blocked: string | undefined): string {
  const odd = warningsOf(mistakes);
  return blocked === undefined || odd.includes(blocked) ? odd : `${blocked} ${odd}`.trim();
}

function isMaxBytes(text: string): boolean {
  return text === '' || /^[1-9]\d*$/.test(text);
}

function targetMistake({ pubsubname, topic }: BulkDraft, field: 'pubsub' | 'topic'): string | undefined {
  if (field === 'pubsub') return pubsubname === '' ? PUBLISH.noPubsub : undefined;
  return topic === '' ? PUBLISH.noTopic : undefined;
}

function whyBlocked(draft: BulkDraft, mistakes: EntryMistakes, bytes: number): string | undefined {
  const { entries } = draft;
  if (entries.length === 0) return BULK.empty;
  const target = targetMistake(draft, 'pubsub') ?? targetMistake(draft, 'topic');
  if (target !== undefined) return target;
  if (!isMaxBytes(draft.maxBulkPubBytes)) return BULK.badMaxBytes;
  const whole = bytes + entries.length * ENTRY_BYTES;
  if (whole > MAX_FRAME_BYTES) {
    return fill(BULK.tooLarge, { size: size(whole), most: size(MAX_FRAME_BYTES) });
  }
  const hasBadIds = mistakes.twice.size + mistakes.withoutId > 0;
  return hasBadIds ? warningsOf({ ...mistakes, notJson: 0, lacking: 0 }) : undefined;
}

function warningsOf({ lacking, notJson, twice, withoutId }: EntryMistakes): string {
  return [
    twice.size === 0 ? '' : fill(BULK.twice, { n: twice.size }),
    withoutId === 0 ? '' : fill(BULK.noId, { n: withoutId }),
    notJson === 0 ? '' : fill(BULK.notJson, { n: notJson }),
    lacking === 0 ? '' : fill(BULK.lacking, { n: lacking }),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function without(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(set);
  next.delete(id);
  return next;
}
