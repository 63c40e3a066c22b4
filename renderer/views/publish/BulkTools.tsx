/** Sources of entries, and acts on many of them. */
import { FileUp, ListOrdered, Plus } from 'lucide-react';
import { useRef, useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { ChoiceMenu } from '../../components/ChoiceMenu.tsx';
import { Progress } from '../../components/Progress.tsx';
import { Problem } from '../../components/RefusedForm.tsx';
import { fill } from '../../copy/fill.ts';
import { BULK } from '../../copy/publish.ts';
import { keepFacts, MAX_ENTRIES, readEntries } from '../../format/entries.ts';
import { count } from '../../format/quantity.ts';
import { LONG_TEXT } from '../../components/use-text-facts.ts';
import { useConsole } from '../../state/context.ts';
import type { BulkDraft, EntryDraft } from '../../state/publish-drafts.ts';
import css from './BulkForm.module.css';
import { GenerateDialog } from './GenerateDialog.tsx';
import { MappingDialog } from './MappingDialog.tsx';
import { PasteDialog } from './PasteDialog.tsx';
import type { BulkPublish } from './use-bulk-publish.ts';
import { useFileMistake } from './use-file-mistake.ts';
import { useEntryFile, type AddEntries, type Taken } from './use-entry-file.ts';

export interface BulkToolsProps {
  readonly draft: BulkDraft;
  readonly checked: ReadonlySet<number>;
  readonly onChecked: (ids: ReadonlySet<number>) => void;
  readonly publish: BulkPublish['publish'];
}

/** Adds entries to the form, each with a unique id. */
function useAdd(): AddEntries {
  const { drafts, toasts } = useConsole();
  return (more, facts) => {
    // The present entries are read again, because reading a file takes time and the form may change
    // meanwhile.
    const { entries: there } = drafts.store.getState().bulk;
    const room = MAX_ENTRIES - there.length;
    if (more.length > room) toasts.failed(BULK.tooMany);
    const used = new Set(there.map(({ entryId }) => entryId));
    let next = there.length;
    const made = more.slice(0, room).map((entry, index) => {
      let { entryId } = entry;
      while (entryId === '' || (entry.entryId === '' && used.has(entryId))) {
        next += 1;
        entryId = String(next);
      }
      used.add(entryId);
      const one = { ...entry, entryId, id: drafts.nextId() };
      const known = facts?.[index];
      if (known !== undefined) keepFacts(one, known);
      return one;
    });
    drafts.editBulk({ entries: [...there, ...made] });
  };
}

/** A row of buttons, and their dialogs. */
export function BulkTools({ draft, checked, onChecked, publish }: BulkToolsProps): ReactElement {
  const { entries, contentType } = draft;
  const { drafts } = useConsole();
  const [mistake, setMistake] = useFileMistake(entries, () => drafts.store.getState().bulk.entries);
  const add = useAdd();
  const [pastes, setPastes] = useState(false);
  const [generates, setGenerates] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const imported = useEntryFile(add);
  async function addText(text: string): Promise<Taken> {
    if (text.length > LONG_TEXT) return imported.open(new File([text], BULK.pasted));
    const read = readEntries(text);
    if (!read.ok) return { isTaken: false, mistake: fill(BULK.lineBad, { line: read.line }) };
    add(read.entries);
    return { isTaken: true };
  }

  async function addFile(chosen: File): Promise<void> {
    setMistake(undefined);
    const taken = await imported.open(chosen);
    setMistake(taken.mistake);
  }

  return (
    <>
      <div className={css.bar}>
        <Button icon={Plus} onClick={() => add([{ entryId: '', contentType, event: '' }])}>
          {BULK.add}
        </Button>
        <Button off={imported.reading && BULK.readingFirst} onClick={() => setPastes(true)}>
          {BULK.paste}
        </Button>
        <Button icon={FileUp} pending={imported.reading !== undefined} onClick={() => file.current?.click()}>
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
            if (chosen !== undefined) void addFile(chosen);
          }}
        />
        <Button onClick={() => setGenerates(true)}>{BULK.generate}</Button>
        {imported.reading !== undefined && (
          <Progress
            text={fill(BULK.reading, { file: imported.reading.name })}
            share={imported.reading.share}
            onStop={imported.cancel}
          />
        )}
        {entries.length > 0 && (
          <AllEntries draft={draft} checked={checked} onChecked={onChecked} publish={publish} />
        )}
      </div>
      <Problem text={mistake} />
      {generates && <GenerateDialog onEntries={add} onClose={() => setGenerates(false)} />}
      {imported.table !== undefined && (
        <MappingDialog
          table={imported.table}
          onTake={imported.take}
          isTaking={imported.isTaking}
          onClose={imported.close}
        />
      )}
      {pastes && <PasteDialog onText={addText} onClose={() => setPastes(false)} />}
    </>
  );
}

/** Acts on all entries, or on the checked ones: quiet ones, after the loud ways to get entries. */
function AllEntries({ draft, checked, onChecked, publish }: BulkToolsProps): ReactElement {
  const { drafts, toasts } = useConsole();
  const { entries } = draft;
  const checkedNow = entries.filter(({ id }) => checked.has(id));
  const isAllChecked = checkedNow.length === entries.length;

  /** Removes entries and offers undo. */
  function leave(kept: readonly EntryDraft[]): void {
    drafts.editBulk({ entries: kept });
    onChecked(new Set());
    toasts.done(fill(BULK.cleared, { n: count(entries.length - kept.length) }), {
      title: BULK.undo,
      run: () => drafts.editBulk({ entries }),
    });
  }

  const tests = [
    { id: 'twice', title: BULK.testTwice, run: () => void publish(draft, doubled(entries)) },
    {
      id: 'pubsub',
      title: BULK.testPubsub,
      run: () => void publish({ ...draft, pubsubname: `${draft.pubsubname}-unknown` }, entries),
    },
    { id: 'type', title: BULK.testType, run: () => void publish(draft, entries, 'text/plain') },
  ];
  return (
    <>
      <Button
        kind="quiet"
        icon={ListOrdered}
        onClick={() =>
          drafts.editBulk({
            entries: entries.map((entry, index) => ({ ...entry, entryId: String(index + 1) })),
          })
        }
      >
        {BULK.renumber}
      </Button>
      <Button
        kind="quiet"
        onClick={() => onChecked(isAllChecked ? new Set() : new Set(entries.map(({ id }) => id)))}
      >
        {isAllChecked ? BULK.uncheckAll : BULK.checkAll}
      </Button>
      {checkedNow.length > 0 && (
        <Button kind="quiet" onClick={() => leave(entries.filter(({ id }) => !checked.has(id)))}>
          {fill(BULK.removeChecked, { n: count(checkedNow.length) })}
        </Button>
      )}
      <ChoiceMenu kind="quiet" title={BULK.tests} groups={[{ entries: tests }]} />
      <Button kind="quiet" onClick={() => leave([])}>
        {BULK.clear}
      </Button>
    </>
  );
}

/** The entries with the first one repeated under the same id. */
function doubled(entries: readonly EntryDraft[]): readonly EntryDraft[] {
  const [first] = entries;
  return first === undefined ? entries : [...entries, first];
}
