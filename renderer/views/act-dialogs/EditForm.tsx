/** Component, topic, content type, event, attributes and metadata of a message that is being edited. */
import { useMemo, useState, type ReactElement } from 'react';
import { Choice } from '../../components/Choice.tsx';
import { Field, TextArea, TextField } from '../../components/Fields.tsx';
import type { Language } from '../../components/code/editor-extensions.ts';
import { EDIT } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { CONTENT_TYPES } from '../../copy/publish.ts';
import { useConsole, useResource } from '../../state/context.ts';
import { EventEditor } from '../../components/EventEditor.tsx';
import css from './EditForm.module.css';
import { useTextFacts } from '../../components/use-text-facts.ts';
import { factsOf, type EditedMessage } from './edit-message.ts';

export interface EditFormProps {
  readonly original: EditedMessage;
  readonly value: EditedMessage;
  readonly onChange: (value: EditedMessage) => void;
  /** The host's refusal of a field, by its name in a publish. */
  readonly refusedAt: (field: string) => string | undefined;
  /** Further field beside the event: a delivery keeps its topic, a held message its component. */
  readonly target: 'component' | 'topic' | 'none';
}

/** The fields of the dialog. */
export function EditForm({ original, value, onChange, refusedAt, target }: EditFormProps): ReactElement {
  const question = useMemo(() => ({ text: value.data, kind: 'json' as const }), [value.data]);
  const reading = useTextFacts(question, true);
  const isNoJson = reading.state === 'known' && reading.facts.mistake !== undefined;
  const wantsJson = /json/i.test(value.contentType);
  // The original decides, because a change of language would replace the editor while a person types.
  const [language] = useState((): Language =>
    /^\s*[[{]/.test(original.data) || /json/i.test(original.contentType)
      ? 'json'
      : /xml/i.test(original.contentType)
        ? 'xml'
        : 'text',
  );
  return (
    <div className={css.form}>
      <div className={css.row}>
        <Target value={value} onChange={onChange} refusedAt={refusedAt} target={target} />
        <TextField
          label={EDIT.contentType}
          mono
          error={refusedAt('contentType')}
          value={value.contentType}
          suggestions={CONTENT_TYPES}
          onChange={(contentType) => onChange({ ...value, contentType })}
        />
      </div>
      <EventEditor
        original={original.data}
        value={value.data}
        language={language}
        beside={{ before: factsOf(original), after: factsOf(value) }}
        onChange={(data) => onChange({ ...value, data })}
      />
      <p role="status" className={css.warning}>
        {wantsJson && isNoJson ? (value.isRaw ? EDIT.notJsonRaw : EDIT.notJson) : ''}
      </p>
      <div className={css.row}>
        <Lines
          label={EDIT.attributes}
          value={value.attributes}
          onChange={(attributes) => onChange({ ...value, attributes })}
        />
        <Lines
          label={EDIT.metadata}
          value={value.metadata}
          onChange={(metadata) => onChange({ ...value, metadata })}
        />
      </div>
    </div>
  );
}

function Target({
  value,
  onChange,
  refusedAt,
  target,
}: Omit<EditFormProps, 'original'>): ReactElement | null {
  const { topology } = useConsole();
  const { value: topics } = useResource(topology.topics);
  const { value: components } = useResource(topology.components);
  if (target === 'none') return null;
  const names = (components?.items ?? []).filter(({ kind }) => kind === 'pubsub').map(({ name }) => name);
  const offered = names.includes(value.pubsubname) ? names : [value.pubsubname, ...names];
  const known = (topics?.items ?? []).filter(({ pubsubname }) => pubsubname === value.pubsubname);
  return (
    <>
      {target === 'component' && (
        <Field label={EDIT.pubsub} error={refusedAt('pubsubname')}>
          {({ id, describedBy, invalid }) => (
            <Choice
              id={id}
              describedBy={describedBy}
              invalid={invalid}
              label={EDIT.pubsub}
              wide
              value={value.pubsubname}
              options={offered.map((name) => ({ value: name, title: name }))}
              onChange={(pubsubname) => onChange({ ...value, pubsubname })}
            />
          )}
        </Field>
      )}
      <TextField
        label={EDIT.topic}
        mono
        error={refusedAt('topic')}
        value={value.topic}
        suggestions={known.map(({ topic }) => topic)}
        onChange={(topic) => onChange({ ...value, topic })}
      />
    </>
  );
}

interface LinesProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Field with `key: value` lines, folded at first. */
function Lines({ label, value, onChange }: LinesProps): ReactElement {
  const count = value.split('\n').filter((line) => line.trim() !== '').length;
  return (
    <details className={css.lines}>
      <summary>{fill(EDIT.folded, { label, n: count })}</summary>
      <TextArea label={label} hideLabel rows={5} value={value} hint={EDIT.linesHint} onChange={onChange} />
    </details>
  );
}
