/** The form for many messages in one request. */
import { FileUp, ListOrdered, Plus } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/Button.tsx';
import { TextField, Tick } from '../../components/Fields.tsx';
import { Hint } from '../../components/Hint.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { BULK, PUBLISH } from '../../copy/publish.ts';
import { entryMistakes, MOST_ENTRIES, readEntries, type ReadEntry } from '../../format/entries.ts';
import { count, size } from '../../format/quantity.ts';
import { useAway, useConsole } from '../../state/context.ts';
import type { BulkDraft } from '../../state/publish-drafts.ts';
import { useSelected } from '../../state/store.ts';
import css from './BulkForm.module.css';
import { BulkGrid } from './BulkGrid.tsx';
import { PasteDialog } from './PasteDialog.tsx';
import { Target, useTarget } from './Target.tsx';
import { useBulkPublish, type BulkAnswer } from './use-bulk-publish.ts';

/** Target, entries, answer. */
export function BulkForm(): ReactElement {
  const { drafts, toasts } = useConsole();
  const stored = useSelected(drafts.store, (state) => state.bulk);
  const draft: BulkDraft = { ...stored, ...useTarget(stored) };
  const { entries } = draft;
  const away = useAway(ACT_WHY.away);
  const [pastes, setPastes] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const { publish, answer, pending } = useBulkPublish();
  const mistakes = entryMistakes(entries);
  const blocked = whyBlocked(draft, mistakes.twice.size, mistakes.withoutId);

  function add(more: readonly ReadEntry[]): void {
    const room = MOST_ENTRIES - entries.length;
    if (more.length > room) toasts.failed(BULK.tooMany);
    const used = new Set(entries.map(({ entryId }) => entryId));
    let next = entries.length;
    const made = more.slice(0, room).map((entry) => {
      let { entryId } = entry;
      while (entryId === '' || (entry.entryId === '' && used.has(entryId))) {
        next += 1;
        entryId = String(next);
      }
      used.add(entryId);
      return { ...entry, entryId, id: drafts.nextId() };
    });
    drafts.editBulk({ entries: [...entries, ...made] });
  }

  function addText(text: string): boolean {
    const read = readEntries(text);
    if (!read.ok) {
      toasts.failed(fill(BULK.lineBad, { line: read.line }));
      return false;
    }
    add(read.entries);
    return true;
  }

  function run(): void {
    if (away === undefined && blocked === undefined && !pending) void publish(draft, entries);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  }

  const bytes = entries.reduce((sum, { event }) => sum + new TextEncoder().encode(event).length, 0);
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
      <Target value={draft} onChange={drafts.editBulk} />
      <div className={css.bar}>
        <Tick
          label={BULK.rawPayload}
          checked={draft.rawPayload}
          onChange={(rawPayload) => drafts.editBulk({ rawPayload })}
        />
        <TextField
          label={BULK.maxBytes}
          inputMode="numeric"
          value={draft.maxBulkPubBytes}
          onChange={(maxBulkPubBytes) => drafts.editBulk({ maxBulkPubBytes })}
        />
        <Hint text={BULK.alphaWhy}>
          <span tabIndex={0} className={css.badge}>
            {BULK.alpha}
          </span>
        </Hint>
      </div>
      <div className={css.bar}>
        <Button
          icon={Plus}
          onClick={() => add([{ entryId: '', contentType: 'application/json', event: '' }])}
        >
          {BULK.add}
        </Button>
        <Button onClick={() => setPastes(true)}>{BULK.paste}</Button>
        <Button icon={FileUp} onClick={() => file.current?.click()}>
          {BULK.importFile}
        </Button>
        <input
          ref={file}
          type="file"
          hidden
          accept=".json,.ndjson,.jsonl,.txt"
          onChange={(event) => {
            event.target.files?.[0]?.text().then(addText, (reason: unknown) => {
              toasts.failed(fill(PUBLISH.loadFailed, { message: String(reason) }));
            });
          }}
        />
        <Button
          icon={ListOrdered}
          off={entries.length === 0 ? BULK.empty : undefined}
          onClick={() =>
            drafts.editBulk({
              entries: entries.map((entry, index) => ({ ...entry, entryId: String(index + 1) })),
            })
          }
        >
          {BULK.renumber}
        </Button>
        {entries.length > 0 && (
          <Button kind="quiet" onClick={() => drafts.editBulk({ entries: [] })}>
            {BULK.clear}
          </Button>
        )}
        <span className={css.facts}>
          {fill(entries.length === 1 ? BULK.countedOne : BULK.counted, { n: count(entries.length) })} ·{' '}
          {size(bytes)}
        </span>
      </div>
      {entries.length === 0 ? (
        <p className={css.empty}>{BULK.empty}</p>
      ) : (
        <BulkGrid entries={entries} twice={mistakes.twice} answer={answer} />
      )}
      <div className={css.bar}>
        <p role="status" className={css.warning}>
          {warningsOf(mistakes.twice.size, mistakes.withoutId, mistakes.notJson)}
        </p>
        <Button type="submit" kind="primary" off={away ?? blocked} pending={pending} keys={['Mod+Enter']}>
          {fill(entries.length === 1 ? BULK.publishOne : BULK.publish, { n: count(entries.length) })}
        </Button>
      </div>
      <Answer
        answer={answer}
        onRetry={(ids) =>
          void publish(
            draft,
            entries.filter(({ entryId }) => ids.has(entryId)),
          )
        }
        onKeep={(ids) => drafts.editBulk({ entries: entries.filter(({ entryId }) => ids.has(entryId)) })}
      />
      {pastes && <PasteDialog onText={addText} onClose={() => setPastes(false)} />}
    </form>
  );
}

function whyBlocked(draft: BulkDraft, twice: number, withoutId: number): string | undefined {
  if (draft.entries.length === 0) return BULK.empty;
  if (draft.pubsubname === '') return PUBLISH.noPubsub;
  if (draft.topic === '') return PUBLISH.noTopic;
  return twice + withoutId > 0 ? warningsOf(twice, withoutId, 0) : undefined;
}

function warningsOf(twice: number, withoutId: number, notJson: number): string {
  return [
    twice === 0 ? '' : fill(twice === 1 ? BULK.twiceOne : BULK.twice, { n: twice }),
    withoutId === 0 ? '' : fill(BULK.noId, { n: withoutId }),
    notJson === 0 ? '' : fill(notJson === 1 ? BULK.notJsonOne : BULK.notJson, { n: notJson }),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

interface AnswerProps {
  readonly answer: BulkAnswer | undefined;
  readonly onRetry: (ids: ReadonlySet<string>) => void;
  readonly onKeep: (ids: ReadonlySet<string>) => void;
}

function Answer({ answer, onRetry, onKeep }: AnswerProps): ReactElement {
  const failed = new Set(answer?.failed.keys());
  return (
    <div className={css.bar}>
      <p role="status" className={answer?.failure === undefined && failed.size === 0 ? css.good : css.bad}>
        {answer === undefined ? '' : sentenceOf(answer)}
      </p>
      {failed.size > 0 && (
        <>
          <Button onClick={() => onRetry(failed)}>{fill(BULK.retryFailed, { n: failed.size })}</Button>
          <Button onClick={() => onKeep(failed)}>{BULK.keepFailed}</Button>
        </>
      )}
      {answer?.batchId !== undefined && (
        <Link href={`/messages?f=${encodeURIComponent(`batch:${answer.batchId}`)}`}>{BULK.showMessages}</Link>
      )}
    </div>
  );
}

function sentenceOf({ failure, failed, sent }: BulkAnswer): string {
  if (failure?.code === 'ERR_PUBSUB_NOT_FOUND') return BULK.noSuchPubsub;
  if (failure?.code === 'ERR_PUBSUB_FORBIDDEN') return PUBLISH.forbidden;
  if (failure !== undefined) return failure.message;
  if (failed.size === 0) return fill(BULK.allOf, { n: count(sent) });
  return fill(BULK.answerFailed, {
    status: 500,
    code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    failed: count(failed.size),
    n: count(sent),
  });
}
