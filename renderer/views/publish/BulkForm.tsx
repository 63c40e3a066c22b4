/** The form for many messages in one request. */
import { FileUp, ListOrdered, Plus } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { ChoiceMenu } from '../../components/ChoiceMenu.tsx';
import { TextField, Tick } from '../../components/Fields.tsx';
import { Hint } from '../../components/Hint.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { BULK, PUBLISH } from '../../copy/publish.ts';
import {
  entryBytes,
  entryMistakes,
  MOST_ENTRIES,
  readEntries,
  type ReadEntry,
} from '../../format/entries.ts';
import { count, size } from '../../format/quantity.ts';
import { useAway, useConsole } from '../../state/context.ts';
import type { BulkDraft, EntryDraft } from '../../state/publish-drafts.ts';
import { useSelected } from '../../state/store.ts';
import css from './BulkForm.module.css';
import { BulkGrid } from './BulkGrid.tsx';
import { BulkResult } from './BulkResult.tsx';
import { GenerateDialog } from './GenerateDialog.tsx';
import { MappingDialog } from './MappingDialog.tsx';
import { PasteDialog } from './PasteDialog.tsx';
import { Target, useTarget } from './Target.tsx';
import { useBulkPublish } from './use-bulk-publish.ts';
import { useEntryFile } from './use-entry-file.ts';

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
  const [generates, setGenerates] = useState(false);
  const [checked, setChecked] = useState<ReadonlySet<number>>(NONE);
  const checkedNow = entries.filter(({ id }) => checked.has(id));
  const isAllChecked = checkedNow.length === entries.length;
  const imported = useEntryFile(add);
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

  const bytes = entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
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
        <Button icon={FileUp} pending={imported.reading} onClick={() => file.current?.click()}>
          {BULK.importFile}
        </Button>
        <input
          ref={file}
          type="file"
          hidden
          accept=".csv,.json,.ndjson,.jsonl,.txt"
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            event.target.value = '';
            if (chosen !== undefined) void imported.open(chosen);
          }}
        />
        <Button onClick={() => setGenerates(true)}>{BULK.generate}</Button>
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
          <>
            <Button onClick={() => setChecked(isAllChecked ? NONE : new Set(entries.map(({ id }) => id)))}>
              {isAllChecked ? BULK.uncheckAll : BULK.checkAll}
            </Button>
            {checkedNow.length > 0 && (
              <Button
                onClick={() => {
                  drafts.editBulk({ entries: entries.filter(({ id }) => !checked.has(id)) });
                  setChecked(NONE);
                }}
              >
                {fill(BULK.removeChecked, { n: count(checkedNow.length) })}
              </Button>
            )}
            <ChoiceMenu
              title={BULK.tests}
              groups={[
                {
                  entries: [
                    { id: 'twice', title: BULK.testTwice, run: () => void publish(draft, doubled(entries)) },
                    {
                      id: 'pubsub',
                      title: BULK.testPubsub,
                      run: () =>
                        void publish({ ...draft, pubsubname: `${draft.pubsubname}-unknown` }, entries),
                    },
                  ],
                },
              ]}
            />
            <Button kind="quiet" onClick={() => drafts.editBulk({ entries: [] })}>
              {BULK.clear}
            </Button>
          </>
        )}
        <span className={css.facts}>
          {fill(entries.length === 1 ? BULK.countedOne : BULK.counted, { n: count(entries.length) })} ·{' '}
          {size(bytes)}
        </span>
      </div>
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
      <div className={css.bar}>
        <p role="status" className={css.warning}>
          {warningsOf(mistakes.twice.size, mistakes.withoutId, mistakes.notJson)}
        </p>
        <Button type="submit" kind="primary" off={away ?? blocked} pending={pending} keys={['Mod+Enter']}>
          {fill(entries.length === 1 ? BULK.publishOne : BULK.publish, { n: count(entries.length) })}
        </Button>
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
      {generates && <GenerateDialog onEntries={add} onClose={() => setGenerates(false)} />}
      {imported.table !== undefined && (
        <MappingDialog table={imported.table} onEntries={add} onClose={imported.close} />
      )}
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

const NONE: ReadonlySet<number> = new Set();

function without(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(set);
  next.delete(id);
  return next;
}

/** The entries with the first one once more, under the same id. */
function doubled(entries: readonly EntryDraft[]): readonly EntryDraft[] {
  const [first] = entries;
  return first === undefined ? entries : [...entries, first];
}
