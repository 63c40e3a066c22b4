/** Answer and request of an attempt, side by side if there is room, with the time that each part took. */
import { Copy } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { noAnswer } from '../../../core/contract/error-text.ts';
import type { Attempt, RecordedBody } from '../../../core/contract/message.ts';
import { Button } from '../Button.tsx';
import { ATTEMPTS } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { statusLine } from '../../copy/http-status.ts';
import { batchEntryText } from '../../format/batch-entry.ts';
import { bodyOf, bodyOfText } from '../../format/body.ts';
import { counted } from '../../format/quantity.ts';
import { receivedCurl } from '../../format/repeat-request.ts';
import { isCallOverGrpc } from '../../format/grpcurl.ts';
import { DataViewer } from '../DataViewer.tsx';
import { HeaderList } from '../HeaderList.tsx';
import { useConsole } from '../../state/context.ts';
import { ObservedMark } from '../ObservedMark.tsx';
import css from './AttemptCard.module.css';
import { TimingBar } from './TimingBar.tsx';

/** Response and request; for a batch the part of this entry comes first. */
export function Exchange({ attempt }: { readonly attempt: Attempt }): ReactElement {
  const { acting } = useConsole();
  const [whole, setWhole] = useState(false);
  const { request, response, error, instead, timing, answeredBy, bulk } = attempt;
  const entryId = whole ? undefined : bulk?.entryId;
  return (
    <>
      {bulk !== undefined && (
        <p className={css.facts}>
          {fill(ATTEMPTS.batch, { n: bulk.batchSize, entryId: bulk.entryId })}{' '}
          <Button kind="quiet" aria-pressed={whole} onClick={() => setWhole(!whole)}>
            {whole ? ATTEMPTS.showEntry : ATTEMPTS.showBatch}
          </Button>
        </p>
      )}
      <div className={css.sides}>
        <section aria-label={ATTEMPTS.response} className={css.side}>
          {instead !== undefined && (
            <Answer
              title={ATTEMPTS.givenInstead}
              answer={instead}
              label={ATTEMPTS.insteadBody}
              entryId={entryId}
            />
          )}
          <Answer
            title={instead === undefined ? ATTEMPTS.response : ATTEMPTS.ownResponse}
            answer={{ response, error }}
            label={ATTEMPTS.responseBody}
            entryId={entryId}
          />
        </section>
        <section aria-label={ATTEMPTS.request} className={css.side}>
          <SideHead title={ATTEMPTS.request} first={requestLine(attempt)} headers={request.headers} />
          <Payload
            body={request}
            headers={request.headers}
            label={ATTEMPTS.requestBody}
            entry={entryId === undefined ? undefined : { list: 'entries', entryId }}
          />
        </section>
      </div>
      <div className={css.foot}>
        {attempt.tap !== undefined && <ObservedMark tap={attempt.tap} />}
        {timing !== undefined && <TimingBar timing={timing} />}
        {answeredBy !== undefined && (
          <span className={css.pill} title={answeredBy.ruleId}>
            {answeredBy.name === undefined
              ? ATTEMPTS.answeredByUnnamed
              : fill(ATTEMPTS.answeredBy, { name: answeredBy.name })}
          </span>
        )}
        {(attempt.protocol !== 'grpc' || isCallOverGrpc(attempt)) && (
          <Button icon={Copy} kind="quiet" onClick={() => void acting.copy(receivedCurl(attempt))}>
            {attempt.protocol === 'grpc' ? ATTEMPTS.copyGrpcurl : ATTEMPTS.copyCurl}
          </Button>
        )}
      </div>
    </>
  );
}

interface SideHeadProps {
  readonly title: string;
  /** Status or address. */
  readonly first: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Title, first line and folded headers in one row, so that the body is near the top. */
function SideHead({ title, first, headers }: SideHeadProps): ReactElement {
  return (
    <div className={css.sideLine}>
      <h3 className={css.sideHead}>{title}</h3>
      <p className={css.first}>{first}</p>
      <FoldedHeaders headers={headers} />
    </div>
  );
}

interface AnswerProps {
  readonly title: string;
  readonly answer: { readonly [K in 'response' | 'error']?: Attempt[K] | undefined };
  /** Accessible name of the body. */
  readonly label: string;
  /** Entry whose part is shown first, for a batch. */
  readonly entryId: string | undefined;
}

/** Status, headers and body of an answer, or why there is none. */
function Answer({ title, answer: { response, error }, label, entryId }: AnswerProps): ReactElement {
  if (response === undefined) {
    const words = error === undefined ? ATTEMPTS.stillRunning : noAnswer(error.message);
    return <SideHead title={title} first={words} headers={{}} />;
  }
  return (
    <>
      <SideHead title={title} first={codeLine(response)} headers={response.headers} />
      {response.bodyError !== undefined && (
        <p className={css.facts}>{fill(ATTEMPTS.unreadBody, { error: response.bodyError })}</p>
      )}
      <Payload
        body={response}
        headers={response.headers}
        label={label}
        entry={entryId === undefined ? undefined : { list: 'statuses', entryId }}
      />
    </>
  );
}

/** The headers, folded, because the body is what differs between attempts. */
function FoldedHeaders({
  headers,
}: {
  readonly headers: Readonly<Record<string, string>>;
}): ReactElement | null {
  const n = Object.keys(headers).length;
  if (n === 0) return null;
  return (
    <details className={css.headers}>
      <summary>{counted(n, ATTEMPTS.headerOne, ATTEMPTS.headerMany)}</summary>
      <HeaderList headers={headers} />
    </details>
  );
}

/** Request line; over gRPC the address already contains the method. */
function requestLine({ protocol, request: { method, url } }: Attempt): string {
  return protocol === 'grpc' ? `gRPC ${url}` : `${method} ${url}`;
}

function codeLine({ status, statusText }: NonNullable<Attempt['response']>): string {
  return statusText === undefined ? statusLine(status) : `${status} ${statusText}`;
}

interface PayloadProps {
  readonly body: RecordedBody;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
  /** Element of the list that belongs to this entry, if it is found. */
  readonly entry: { readonly list: 'entries' | 'statuses'; readonly entryId: string } | undefined;
}

function Payload({ body, headers, label, entry }: PayloadProps): ReactElement | null {
  if (body.body === '') return null;
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  const own = entry === undefined ? undefined : batchEntryText(body, entry.list, entry.entryId);
  return (
    <DataViewer
      key={own === undefined ? 'whole' : 'entry'}
      body={own === undefined ? bodyOf(body) : bodyOfText(own)}
      contentType={type?.[1] ?? ''}
      label={label}
      truncated={body.bodyTruncated}
      inline
    />
  );
}
