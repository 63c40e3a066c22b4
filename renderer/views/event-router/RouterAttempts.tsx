/** Attempts of one delivery: the request, the answer, and a command that repeats it. */
import { Copy } from 'lucide-react';
import type { ReactElement } from 'react';
import { EVR_CODES } from '../../../core/contract/event-router/words.ts';
import type { RouterAttempt, RouterDelivery } from '../../../core/contract/event-router/local-router.ts';
import { Button } from '../../components/Button.tsx';
import { Facts } from '../../components/Facts.tsx';
import { TOKENS } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { ROUTER_DELIVERIES } from './copy/local-router.ts';
import { curlOf } from './curl.ts';
import { clockTime } from '../../format/clock-time.ts';
import { duration } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';

/** The attempts in order, the first one first. */
export function RouterAttempts({ delivery }: { readonly delivery: RouterDelivery }): ReactElement {
  return (
    <ol className={css.tab}>
      {delivery.history.map((attempt) => (
        <Attempt key={attempt.attemptId} attempt={attempt} />
      ))}
    </ol>
  );
}

/** The result in words: the meaning of a code says more than the TLS library's text. */
function answerOf({ response, error }: RouterAttempt): string | undefined {
  if (response !== undefined) return String(response.status);
  if (error?.evr !== undefined) return `${error.evr} ${EVR_CODES[error.evr]}`;
  return error?.message;
}

function Attempt({ attempt }: { readonly attempt: RouterAttempt }): ReactElement {
  const { acting } = useConsole();
  const { request, response, error, token } = attempt;
  const isBad = attempt.outcome !== undefined || error !== undefined;
  const took = attempt.durationMs === undefined ? undefined : duration(attempt.durationMs);
  return (
    <li className={css.attempt}>
      <p className={isBad ? css.problem : undefined}>
        <strong>{fill(ROUTER_DELIVERIES.attempt, { n: attempt.number })}</strong>{' '}
        <time dateTime={attempt.startedAt}>{clockTime(attempt.startedAt)}</time>{' '}
        {[answerOf(attempt), attempt.outcome, took].filter((part) => part !== undefined).join(' · ')}
        {attempt.rule !== undefined && <code> {attempt.rule}</code>}
      </p>
      {response !== undefined && isBad && response.body !== '' && (
        <p className={css.muted}>
          <bdi className={css.value}>{response.body}</bdi>
        </p>
      )}
      <details>
        <summary>{ROUTER_DELIVERIES.request}</summary>
        <p className={css.value}>
          {request.method} {request.url}
        </p>
        <Facts facts={Object.entries(request.headers)} />
        <Body text={request.body} label={ROUTER_DELIVERIES.request} />
        {token !== undefined && (
          <Facts
            facts={[
              [TOKENS.keys, token.kid ?? ''],
              [TOKENS.audience, typeof token.aud === 'string' ? token.aud : (token.aud?.join(', ') ?? '')],
              [TOKENS.expires, token.expiresAt ?? ''],
            ]}
          />
        )}
        <Button icon={Copy} onClick={() => void acting.copy(curlOf(request))}>
          {ROUTER_DELIVERIES.copyCurl}
        </Button>
      </details>
      {response !== undefined && (
        <details>
          <summary>{ROUTER_DELIVERIES.response}</summary>
          <Facts facts={Object.entries(response.headers)} />
          <Body text={response.body} label={ROUTER_DELIVERIES.response} />
        </details>
      )}
      {error !== undefined && (
        <details>
          <summary>{ROUTER_DELIVERIES.trouble}</summary>
          <p className={css.value}>
            {error.code} {error.message}
          </p>
        </details>
      )}
    </li>
  );
}

/** A text in a scrolling frame. */
export function Body({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): ReactElement | null {
  if (text === '') return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
    <pre tabIndex={0} aria-label={label} className={css.code}>
      {text}
    </pre>
  );
}
