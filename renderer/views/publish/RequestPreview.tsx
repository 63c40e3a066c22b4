/**
 * The request that would be sent: its line, and when opened its headers and data with variables filled in.
 */
import { useEffect, useState, type ReactElement } from 'react';
import type { PublishParams } from '../../../core/contract/publish.ts';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import { SAVED, VARIABLES } from '../../copy/saved.ts';
import { asText } from '../../format/curl.ts';
import { size } from '../../format/quantity.ts';
import { useConsole, useOpenings, useResource } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { asFailure } from '../../state/resource.ts';
import { previewOf, templateOf } from './single-request.ts';
import css from './SingleForm.module.css';

/** One line that opens. */
export function RequestPreview({ draft }: { readonly draft: SingleDraft }): ReactElement {
  const { saved } = useConsole();
  const { value } = useResource(saved.requests);
  const [isOpen, setIsOpen] = useState(false);
  // The request is made only when it is shown, because long data is read for it.
  const request = isOpen ? templateOf(draft) : undefined;
  return (
    <details className={css.preview} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <span className={css.muted}>{PUBLISH.preview}</span> <code>{previewOf(draft)}</code>
      </summary>
      {request !== undefined && (
        <>
          <pre className={css.body} aria-label={PUBLISH.previewHeaders} tabIndex={0}>
            {`Content-Type: ${request.contentType ?? PUBLISH.noContentTypeHint}`}
          </pre>
          {draft.file === undefined ? (
            <ResolvedData request={request} variables={value?.variables} plain />
          ) : (
            <p>{fill(PUBLISH.fileFacts, { name: draft.file.name, size: size(draft.file.bytes) })}</p>
          )}
        </>
      )}
    </details>
  );
}

interface PreviewProps {
  readonly request: PublishParams;
  /** Variables, whose change updates the preview. */
  readonly variables: unknown;
  /** True: data without variables is shown too. */
  readonly plain?: boolean;
}

const REST_MS = 250;

/** The data with variables filled in; an unknown variable is named with its position. */
export function ResolvedData({ request, variables, plain = false }: PreviewProps): ReactElement {
  const { call } = useConsole();
  const openings = useOpenings();
  const [shown, setShown] = useState<{ readonly ok: boolean; readonly text: string }>();
  const asked = JSON.stringify(request);
  const hasAny = asked.includes('{{');
  useEffect(() => {
    if (!hasAny) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      const now: PublishParams = JSON.parse(asked);
      call('requests.resolve', { request: now }).then(
        (answer) => isCurrent && setShown({ ok: true, text: asText(answer.request.data) }),
        (reason: unknown) => isCurrent && setShown({ ok: false, text: withPosition(asFailure(reason), now) }),
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [asked, call, hasAny, openings, variables]);
  if (!hasAny && plain) {
    return (
      <pre className={css.body} aria-label={VARIABLES.previewLabel} tabIndex={0}>
        {asText(request.data)}
      </pre>
    );
  }
  if (!hasAny) return <p className={css.muted}>{VARIABLES.none}</p>;
  if (shown === undefined) return <p className={css.muted}>{SAVED.loading}</p>;
  if (!shown.ok) {
    return (
      <p role="alert" className={css.bad}>
        {shown.text}
      </p>
    );
  }
  return (
    <pre className={css.body} aria-label={VARIABLES.previewLabel} tabIndex={0}>
      {shown.text}
    </pre>
  );
}

/**
 * Text of a mistake with its position in the data, or its field: "Line 1, column 7: {{usid}} is unknown …".
 */
function withPosition(failure: RpcFailure, request: PublishParams): string {
  const { field, position } = failure.data;
  if (typeof position !== 'number' || typeof field !== 'string') return failure.message;
  if (field !== 'request.data') {
    return fill(PUBLISH.inField, { field: field.replace('request.', ''), message: failure.message });
  }
  const before = asText(request.data).slice(0, position).split('\n');
  const at = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return fill(PUBLISH.jsonAt, { ...at, message: failure.message });
}
