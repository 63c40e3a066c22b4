/** The data of the message: editor, file, layout, and what is odd about it. */
import { useRef, type ReactElement } from 'react';
import type { SchemaVerdict } from '../../../core/contract/saved.ts';
import { Button } from '../../components/Button.tsx';
import { CodeBox } from '../../components/CodeBox.tsx';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import { SCHEMA } from '../../copy/saved.ts';
import { prettyJson } from '../../format/body.ts';
import { placeOfPointer } from '../../format/json-pointer.ts';
import { size } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import css from './SingleForm.module.css';
import { dataWarning } from './single-request.ts';
import { useSchemaCheck } from './use-schema-check.ts';

/** Editor and the line under it. */
export function DataPanel({ draft }: { readonly draft: SingleDraft }): ReactElement {
  const { drafts, toasts } = useConsole();
  const verdict = useSchemaCheck(draft);
  const file = useRef<HTMLInputElement>(null);
  const isJson = /json/i.test(draft.contentType);
  const warning = dataWarning(draft);
  const pretty = prettyJson(draft.data);
  const state =
    !isJson || draft.data === '' ? '' : warning === undefined ? PUBLISH.validJson : PUBLISH.notJson;
  return (
    <>
      <CodeBox
        label={PUBLISH.dataLabel}
        value={draft.data}
        language={isJson ? 'json' : /xml/i.test(draft.contentType) ? 'xml' : 'text'}
        readOnly={false}
        invalid={warning !== undefined}
        wrap
        className={css.editor}
        onChange={(data) => drafts.editSingle({ data })}
      />
      <div className={css.tools}>
        <Button
          off={pretty === undefined ? PUBLISH.notJson : undefined}
          onClick={() => pretty !== undefined && drafts.editSingle({ data: pretty })}
        >
          {PUBLISH.format}
        </Button>
        <Button onClick={() => file.current?.click()}>{PUBLISH.load}</Button>
        <input
          ref={file}
          type="file"
          hidden
          onChange={(event) => {
            event.target.files?.[0]?.text().then(
              (data) => drafts.editSingle({ data }),
              (reason: unknown) => toasts.failed(fill(PUBLISH.loadFailed, { message: String(reason) })),
            );
          }}
        />
        <span className={css.muted}>
          {[state, size(new TextEncoder().encode(draft.data).length)]
            .filter((each) => each !== '')
            .join(' · ')}
        </span>
        {warning !== undefined && <span className={css.warning}>{warning}</span>}
      </div>
      <SchemaResult verdict={verdict} data={draft.data} />
    </>
  );
}

interface SchemaResultProps {
  readonly verdict: SchemaVerdict | undefined;
  readonly data: string;
}

/** Whether the data fits the schema, and where not. */
function SchemaResult({ verdict, data }: SchemaResultProps): ReactElement {
  const { name } = verdict ?? {};
  return (
    <div role="status">
      {verdict !== undefined && name !== undefined && (
        <p className={verdict.valid ? css.good : css.bad}>
          {fill(verdict.valid ? SCHEMA.valid : SCHEMA.errors, { name })}
        </p>
      )}
      {verdict !== undefined && verdict.errors.length > 0 && (
        <ul className={css.mistakes}>
          {verdict.errors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {fill(SCHEMA.error, { ...placeOfPointer(data, path), message: `${path} ${message}`.trim() })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
