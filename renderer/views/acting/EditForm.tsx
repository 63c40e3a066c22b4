/** Topic, content type, event, attributes and metadata of a message that is being changed. */
import type { ReactElement } from 'react';
import { TextArea, TextField } from '../../components/Fields.tsx';
import { EDIT } from '../../copy/acts.ts';
import { CONTENT_TYPES } from '../../copy/publish.ts';
import { useConsole, useResource } from '../../state/context.ts';
import { EventEditor } from '../../parts/EventEditor.tsx';
import css from './EditForm.module.css';
import { isJson, type EditedMessage } from './edit-message.ts';

export interface EditFormProps {
  readonly original: EditedMessage;
  readonly value: EditedMessage;
  readonly onChange: (value: EditedMessage) => void;
  /** The topic cannot change where only one delivery is concerned. */
  readonly withTopic: boolean;
}

/** The fields of the dialog. */
export function EditForm({ original, value, onChange, withTopic }: EditFormProps): ReactElement {
  const { topology } = useConsole();
  const { value: topics } = useResource(topology.topics);
  const readsAsJson = isJson(value.data);
  const wantsJson = /json/i.test(value.contentType);
  const language = readsAsJson || wantsJson ? 'json' : /xml/i.test(value.contentType) ? 'xml' : 'text';
  return (
    <div className={css.form}>
      <div className={css.row}>
        {withTopic && (
          <TextField
            label={EDIT.topic}
            mono
            value={value.topic}
            suggestions={topics?.items.map(({ topic }) => topic)}
            onChange={(topic) => onChange({ ...value, topic })}
          />
        )}
        <TextField
          label={EDIT.contentType}
          mono
          value={value.contentType}
          suggestions={CONTENT_TYPES}
          onChange={(contentType) => onChange({ ...value, contentType })}
        />
      </div>
      <EventEditor
        original={original.data}
        value={value.data}
        language={language}
        onChange={(data) => onChange({ ...value, data })}
      />
      <p role="status" className={css.warning}>
        {wantsJson && !readsAsJson ? EDIT.notJson : ''}
      </p>
      <div className={css.row}>
        <TextArea
          label={EDIT.attributes}
          rows={4}
          value={value.attributes}
          onChange={(attributes) => onChange({ ...value, attributes })}
        />
        <TextArea
          label={EDIT.metadata}
          rows={4}
          value={value.metadata}
          onChange={(metadata) => onChange({ ...value, metadata })}
        />
      </div>
    </div>
  );
}
