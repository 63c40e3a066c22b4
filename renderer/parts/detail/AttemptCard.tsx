/** One attempt: head with the answer and what it led to, request and response side by side. */
import { ChevronDown, ChevronRight, Copy } from 'lucide-react';
import { useId, useState, type ReactElement } from 'react';
import type { Attempt, Delivery, MessageDetail, RecordedBody } from '../../../core/contract/message.ts';
import { Button } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { ATTEMPTS } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { statusLine } from '../../copy/http-status.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { bodyOf } from '../../format/body.ts';
import { statusWord, outcomeOf } from '../../format/cause.ts';
import { receivedCurl } from '../../format/curl.ts';
import { answerText } from '../../format/row.ts';
import { clockTime, duration, utcTime } from '../../format/quantity.ts';
import { visible } from '../../format/visible.ts';
import { DataViewer } from '../../parts/DataViewer.tsx';
import { useConsole } from '../../state/context.ts';
import css from './AttemptCard.module.css';
import { CauseLine } from './CauseLine.tsx';
import { WhatIf } from './WhatIf.tsx';

export interface AttemptCardProps {
  readonly attempt: Attempt;
  readonly delivery: Delivery;
  readonly message: MessageDetail;
  readonly startsOpen: boolean;
}

function answerOf(attempt: Attempt): string {
  const { response, error, bulk } = attempt;
  if (response === undefined && error === undefined) return ATTEMPTS.running;
  if (response === undefined) return ATTEMPTS.noAnswer;
  const word = statusWord(response.body, bulk?.entryId);
  return answerText({ status: response.status, ...(word === undefined ? {} : { word }) });
}

/** A card that opens and closes. */
export function AttemptCard({ attempt, delivery, message, startsOpen }: AttemptCardProps): ReactElement {
  const [open, setOpen] = useState(startsOpen);
  const id = useId();
  const outcome = outcomeOf(delivery, attempt);
  const answer = answerOf(attempt);
  const next = outcome?.to ?? 'attempting';
  const name = fill(ATTEMPTS.name, { n: attempt.number, answer, state: CHIP_WORDS[next] });
  return (
    <article aria-label={name} className={css.card}>
      <div className={css.head}>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          className={css.toggle}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown aria-hidden size={14} /> : <ChevronRight aria-hidden size={14} />}
          <span className={css.number}>{attempt.number}</span>
          <span className={css.time} title={utcTime(attempt.startedAt)}>
            {clockTime(attempt.startedAt)}
          </span>
          <span className={css.took}>
            {attempt.durationMs === undefined ? ATTEMPTS.running : duration(attempt.durationMs)}
          </span>
          <span className={css.answer} data-good={attempt.response?.status === 200 || undefined}>
            {answer}
          </span>
          <span aria-hidden>→</span>
          <Chip kind={next} />
        </button>
        {outcome !== undefined && (
          <p className={css.why}>
            <CauseLine transition={outcome} delivery={delivery} message={message} />
          </p>
        )}
      </div>
      {open && (
        <div id={id} className={css.body}>
          <Exchange attempt={attempt} />
          {(attempt.response !== undefined || attempt.error !== undefined) && <WhatIf attempt={attempt} />}
        </div>
      )}
    </article>
  );
}

function Exchange({ attempt }: { readonly attempt: Attempt }): ReactElement {
  const { acting } = useConsole();
  const { request, response, error, timing, answeredBy, bulk } = attempt;
  return (
    <>
      {bulk !== undefined && (
        <p className={css.facts}>{fill(ATTEMPTS.batch, { n: bulk.batchSize, entryId: bulk.entryId })}</p>
      )}
      <div className={css.sides}>
        <section aria-label={ATTEMPTS.request} className={css.side}>
          <h4 className={css.sideHead}>{ATTEMPTS.request}</h4>
          <p className={css.first}>
            {request.method} {request.url}
          </p>
          <Headers headers={request.headers} />
          <Payload body={request} headers={request.headers} label={ATTEMPTS.requestBody} />
        </section>
        <section aria-label={ATTEMPTS.response} className={css.side}>
          <h4 className={css.sideHead}>{ATTEMPTS.response}</h4>
          {response === undefined ? (
            <p className={css.first}>
              {error === undefined
                ? ATTEMPTS.stillRunning
                : fill(ATTEMPTS.noResponse, { error: error.message })}
            </p>
          ) : (
            <>
              <p className={css.first}>{statusLine(response.status)}</p>
              <Headers headers={response.headers} />
              <Payload body={response} headers={response.headers} label={ATTEMPTS.responseBody} />
            </>
          )}
        </section>
      </div>
      <div className={css.foot}>
        {timing !== undefined && (
          <span className={css.facts}>
            {fill(ATTEMPTS.timing, {
              connect: duration(timing.connectMs),
              send: duration(timing.sendMs),
              wait: duration(timing.waitMs),
              read: duration(timing.readMs),
            })}
          </span>
        )}
        {answeredBy !== undefined && (
          <span className={css.pill}>
            {fill(ATTEMPTS.answeredBy, { name: answeredBy.name ?? answeredBy.ruleId })}
          </span>
        )}
        <Button icon={Copy} kind="quiet" onClick={() => void acting.copy(receivedCurl(attempt))}>
          {ATTEMPTS.copyCurl}
        </Button>
      </div>
    </>
  );
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }): ReactElement | null {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <dl className={css.headers} aria-label={ATTEMPTS.headers}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{visible(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface PayloadProps {
  readonly body: RecordedBody;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
}

function Payload({ body, headers, label }: PayloadProps): ReactElement | null {
  if (body.body === '') return null;
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return (
    <DataViewer
      body={bodyOf(body)}
      contentType={type?.[1] ?? ''}
      label={label}
      truncated={body.bodyTruncated}
      inline
    />
  );
}
