/** The data of the message: editor, file, formatting, and oddities. */
import { useId, useMemo, useRef, type ReactElement } from 'react';
import type { SchemaVerdict } from '../../../core/contract/saved.ts';
import { Button } from '../../components/Button.tsx';
import { CodeBox } from '../../components/CodeBox.tsx';
import { Progress } from '../../components/Progress.tsx';
import { Problem } from '../../components/RefusedForm.tsx';
import type { Mark } from '../../components/code/CodeMirror.tsx';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import { SCHEMA } from '../../copy/saved.ts';
import { exampleOf } from '../../format/example.ts';
import type { JsonMistake } from '../../../core/contract/json-position.ts';
import { clause, errorText } from '../../../core/contract/error-text.ts';
import { positionOfPointer } from '../../format/json-pointer.ts';
import { size } from '../../format/quantity.ts';
import { readText } from '../../format/text-facts.ts';
import { LONG_TEXT } from '../../components/use-text-facts.ts';
import { useConsole, useResource } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import css from './SingleForm.module.css';
import { readDataFile } from './read-data-file.ts';
import { nothingSent } from './single-request.ts';
import type { DataCheck } from './use-data-check.ts';
import { useFileMistake } from './use-file-mistake.ts';
import { useSchemaCheck } from './use-schema-check.ts';

export interface DataPanelProps {
  readonly draft: SingleDraft;
  readonly check: DataCheck;
}

/** The editor and the line under it. */
export function DataPanel({ draft, check }: DataPanelProps): ReactElement {
  const { drafts, saved } = useConsole();
  const { isJson: readsAsJson, mistake, reading } = check;
  const verdict = useSchemaCheck(draft, readsAsJson);
  const isJson = /json/i.test(draft.contentType);
  const isXml = /xml/i.test(draft.contentType);
  const warning = mistake === undefined ? undefined : fill(PUBLISH.jsonAt, { ...mistake });
  const { value: schemas } = useResource(saved.schemas);
  const bound = schemas?.items.filter(({ topic }) => topic === draft.topic) ?? [];
  const generating =
    bound.find(({ eventType }) => eventType !== undefined && eventType === draft.attributes.type) ?? bound[0];
  const marks = useMemo(() => marksOf(mistake, verdict, draft.data), [mistake, verdict, draft.data]);
  const bytes = useMemo(() => new TextEncoder().encode(draft.data).length, [draft.data]);
  const state =
    draft.data === ''
      ? PUBLISH.nothing[nothingSent(draft)]
      : reading.state === 'known'
        ? kindText(draft, mistake)
        : '';

  const layOut = useLayOut();
  const warningId = useId();
  if (draft.file !== undefined) {
    return (
      <div className={css.tools}>
        <p>{fill(PUBLISH.fileFacts, { name: draft.file.name, size: size(draft.file.bytes) })}</p>
        <Button onClick={() => drafts.editSingle({ file: undefined })}>{PUBLISH.removeFile}</Button>
      </div>
    );
  }
  return (
    <>
      <CodeBox
        label={PUBLISH.dataLabel}
        value={draft.data}
        language={isJson ? 'json' : isXml ? 'xml' : 'text'}
        readOnly={false}
        invalid={warning !== undefined}
        describedBy={warning === undefined ? undefined : warningId}
        marks={marks}
        wrap
        className={css.editor}
        onChange={(data) => drafts.editSingle({ data })}
      />
      <div className={css.tools}>
        <Button off={whyNotLaidOut(draft.data, readsAsJson, mistake)} onClick={() => void layOut(draft.data)}>
          {PUBLISH.format}
        </Button>
        {generating !== undefined && (
          <Button
            onClick={() => drafts.editSingle({ data: JSON.stringify(exampleOf(generating.schema), null, 2) })}
          >
            {PUBLISH.generate}
          </Button>
        )}
        <LoadButton data={draft.data} />
        <span className={css.muted}>{[state, size(bytes)].filter((each) => each !== '').join(' · ')}</span>
        {reading.state === 'reading' && (
          <Progress
            text={PUBLISH.checking}
            share={reading.share === 0 ? undefined : reading.share}
            onStop={reading.stop}
          />
        )}
        {reading.state === 'unknown' && <Button onClick={reading.again}>{PUBLISH.check}</Button>}
        {warning !== undefined && (
          <span id={warningId} className={css.warning}>
            {warning}
          </span>
        )}
      </div>
      <SchemaResult verdict={verdict} data={draft.data} />
    </>
  );
}

/** Whether the data has the form of its content type; empty: unknown. */
function kindText({ contentType }: SingleDraft, mistake: JsonMistake | undefined): string {
  if (/json/i.test(contentType)) return mistake === undefined ? PUBLISH.validJson : PUBLISH.notJson;
  if (/xml/i.test(contentType)) return mistake === undefined ? PUBLISH.validXml : PUBLISH.notXml;
  return '';
}

/** Formats JSON; a long text is read in a worker. */
function useLayOut(): (data: string) => Promise<void> {
  const { drafts, toasts } = useConsole();
  return async (data) => {
    const asked = { text: data, kind: 'json', lays: true } as const;
    try {
      const { laidOut } =
        data.length <= LONG_TEXT
          ? readText(asked)
          : await import('../../client/read-text.ts').then(({ readLongText }) => readLongText(asked, {}));
      if (laidOut === undefined) toasts.failed(PUBLISH.notJson);
      // A text that was edited meanwhile stays.
      else if (drafts.store.getState().single.data === data) drafts.editSingle({ data: laidOut });
    } catch (reason) {
      toasts.failed(errorText(reason));
    }
  };
}

/** Button that uses a file as the data. */
function LoadButton({ data }: { readonly data: string }): ReactElement {
  const { drafts } = useConsole();
  const [problem, setProblem] = useFileMistake(data, () => drafts.store.getState().single.data);
  const file = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => file.current?.click()}>{PUBLISH.load}</Button>
      <input
        ref={file}
        type="file"
        hidden
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          event.target.value = '';
          if (chosen === undefined) return;
          setProblem(undefined);
          readDataFile(chosen).then(drafts.editSingle, (reason: unknown) =>
            setProblem(fill(PUBLISH.loadFailed, { message: clause(errorText(reason)) })),
          );
        }}
      />
      <Problem text={problem} />
    </>
  );
}

/** Why a text cannot be formatted; a long text is judged only after it is read. */
function whyNotLaidOut(data: string, isJson: boolean, mistake: JsonMistake | undefined): string | undefined {
  if (isJson || data.length > LONG_TEXT) return undefined;
  return mistake === undefined && data.includes('{{') ? PUBLISH.variablesStay : PUBLISH.notJson;
}

function marksOf(
  mistake: JsonMistake | undefined,
  verdict: SchemaVerdict | undefined,
  data: string,
): readonly Mark[] {
  if (mistake !== undefined) return [mistake];
  return (verdict?.errors ?? []).map(({ path, message }) => ({ ...positionOfPointer(data, path), message }));
}

interface SchemaResultProps {
  readonly verdict: SchemaVerdict | undefined;
  readonly data: string;
}

/** Whether the data is valid by the schema, with its mistakes. */
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
              {fill(SCHEMA.error, { ...positionOfPointer(data, path), message: `${path} ${message}`.trim() })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
