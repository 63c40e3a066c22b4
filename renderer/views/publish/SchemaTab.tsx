/** The JSON Schema of a topic: add, change, remove, and make an example from it. */
import { FileUp, Pencil, Trash2 } from 'lucide-react';
import { useId, useRef, useState, type ReactElement } from 'react';
import type { PayloadSchema } from '../../../core/contract/saved.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { CodeBox } from '../../components/CodeBox.tsx';
import { TextField } from '../../components/Fields.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { PUBLISH } from '../../copy/publish.ts';
import { SCHEMA } from '../../copy/saved.ts';
import { exampleOf } from '../../format/example.ts';
import { clause, errorText } from '../../../core/contract/error-text.ts';
import { jsonMistake } from '../../../core/contract/json-position.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import { useSelected } from '../../state/store.ts';
import { replacedBy, useSchemaDraft, type SchemaDraft } from './schema-drafts.ts';
import page from '../page.module.css';
import css from './SingleForm.module.css';

/** Why a draft cannot be bound as it is; undefined: nothing is missing. */
function whyNotYet(topic: string, name: string, mistake: ReturnType<typeof jsonMistake>): string | undefined {
  if (topic === '') return SCHEMA.noTopic;
  if (name.trim() === '') return SCHEMA.needsName;
  return mistake === undefined ? undefined : fill(SCHEMA.notJson, { ...mistake });
}

/** The list and the editor. */
export function SchemaTab({ draft }: { readonly draft: SingleDraft }): ReactElement {
  const { acting, call, commands, saved } = useConsole();
  const pending = useSelected(commands.store, (state) => state.pending.has('schemas.set'));
  const away = useAway(ACT_WHY.away);
  const { value } = useResource(saved.schemas);
  const [edited, keepEdited, showEdited] = useSchemaDraft();
  const [refused, setRefused] = useState<string>();
  const { topic } = draft;
  const bound = (value?.items ?? []).filter((each) => each.topic === topic);
  const mistake = jsonMistake(edited.text);
  const off = away ?? whyNotYet(topic, edited.name, mistake);
  const problem = refused ?? (mistake && fill(SCHEMA.notJson, { ...mistake }));
  const problemId = useId();

  function setEdited(next: typeof edited | undefined): void {
    setRefused(undefined);
    keepEdited(next);
  }

  async function set(): Promise<string> {
    const { eventType, text } = edited;
    const schemaId = replacedBy(edited, bound);
    const name = edited.name.trim();
    await call('schemas.set', {
      name,
      topic,
      schema: JSON.parse(text),
      ...withoutUndefined({ schemaId }),
      ...(eventType === '' ? {} : { eventType }),
    });
    await saved.schemas.refresh();
    setEdited(undefined);
    return fill(SCHEMA.bound, { name, topic });
  }

  function edit({ schemaId, name, eventType = '', schema }: PayloadSchema): void {
    setRefused(undefined);
    showEdited({ schemaId, name, eventType, text: JSON.stringify(schema, null, 2) });
  }

  return (
    <div className={css.panel}>
      <p className={css.muted}>{SCHEMA.hint}</p>
      <BoundList topic={topic} schemas={bound} onEdit={edit} />
      <Names edited={edited} onEdit={setEdited} />
      <CodeBox
        label={SCHEMA.editor}
        value={edited.text}
        language="json"
        readOnly={false}
        invalid={problem !== undefined}
        describedBy={problem === undefined ? undefined : problemId}
        wrap
        className={css.schema}
        onChange={(text) => setEdited({ ...edited, text })}
      />
      <p id={problemId} role="alert" className={page.problem}>
        {problem}
      </p>
      <div className={css.line}>
        <Button
          off={off}
          pending={pending}
          once
          onClick={() => void acting.run('schemas.set', set, ({ message }) => setRefused(message))}
        >
          {fill(SCHEMA.bind, { topic })}
        </Button>
        <LoadButton
          onFailed={setRefused}
          onLoad={(text, name) => setEdited({ ...edited, name: edited.name || name, text })}
        />
      </div>
    </div>
  );
}

interface NamesProps {
  readonly edited: SchemaDraft;
  readonly onEdit: (next: SchemaDraft) => void;
}

/** Name of the schema, and the event type that it is for. */
function Names({ edited, onEdit }: NamesProps): ReactElement {
  return (
    <div className={css.beside}>
      <TextField
        label={fill(VIEWS_COMMON.required, { label: SCHEMA.name })}
        value={edited.name}
        onChange={(name) => onEdit({ ...edited, name })}
      />
      <TextField
        label={SCHEMA.eventType}
        hint={SCHEMA.eventTypeHint}
        mono
        value={edited.eventType}
        onChange={(eventType) => onEdit({ ...edited, eventType })}
      />
    </div>
  );
}

interface BoundListProps {
  readonly topic: string;
  readonly schemas: readonly PayloadSchema[];
  readonly onEdit: (schema: PayloadSchema) => void;
}

/** The schemas of the topic; each can fill the form with an example. */
function BoundList({ topic, schemas, onEdit }: BoundListProps): ReactElement {
  const { acting, call, drafts, saved } = useConsole();
  const away = useAway(ACT_WHY.away);

  function remove({ schemaId, name }: PayloadSchema): void {
    void acting.run('schemas.remove', async () => {
      saved.schemas.accept(await call('schemas.remove', { schemaId }));
      return fill(SCHEMA.removed, { name });
    });
  }

  if (schemas.length === 0) return <p>{topic === '' ? SCHEMA.noTopic : SCHEMA.none}</p>;
  return (
    <ul aria-label={SCHEMA.list}>
      {schemas.map((each) => (
        <li key={each.schemaId} className={css.line}>
          <strong>{each.name}</strong>
          {each.eventType !== undefined && <code>{each.eventType}</code>}
          <Button
            onClick={() => drafts.editSingle({ data: JSON.stringify(exampleOf(each.schema), null, 2) })}
          >
            {SCHEMA.generate}
          </Button>
          <IconButton
            icon={Pencil}
            label={fill(SCHEMA.edit, { name: each.name })}
            onClick={() => onEdit(each)}
          />
          <IconButton
            icon={Trash2}
            label={fill(SCHEMA.remove, { name: each.name })}
            off={away}
            onClick={() => remove(each)}
          />
        </li>
      ))}
    </ul>
  );
}

interface LoadButtonProps {
  /** Receives the text of the chosen file, and its name without the extension. */
  readonly onLoad: (text: string, name: string) => void;
  /** Receives why the file could not be read. */
  readonly onFailed: (why: string) => void;
}

function LoadButton({ onLoad, onFailed }: LoadButtonProps): ReactElement {
  const file = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={FileUp} onClick={() => file.current?.click()}>
        {SCHEMA.load}
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json"
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          event.target.value = '';
          chosen?.text().then(
            (text) => onLoad(text, chosen.name.replace(/\.json$/, '')),
            (reason: unknown) => onFailed(fill(PUBLISH.loadFailed, { message: clause(errorText(reason)) })),
          );
        }}
      />
    </>
  );
}
