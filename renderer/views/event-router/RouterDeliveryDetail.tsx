/** One delivery of the embedded router: attempts made and to come, transitions, the event before and after, and what can be done. */
import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Facts } from '../../components/Facts.tsx';
import {
  ROUTER_ACTS,
  type RouterAct,
  type RouterAttempt,
  type RouterDelivery,
} from '../../../core/contract/local-router.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { TOKENS } from '../../copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { ROUTER_ACT_TITLES, ROUTER_DELIVERIES } from '../../copy/local-router.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { clockTime, duration } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known } from './Panel.tsx';
import { useRouterActs } from './use-router-acts.ts';

export interface RouterDeliveryDetailProps {
  readonly deliveryId: string;
  readonly onClose: () => void;
}

/** Everything of one delivery. */
export function RouterDeliveryDetail({ deliveryId, onClose }: RouterDeliveryDetailProps): ReactElement {
  const { eventRouter } = useConsole();
  const title = fill(ROUTER_DELIVERIES.about, { id: deliveryId });
  return (
    <section className={css.panel} aria-label={title}>
      <div className={css.head}>
        <h3>{title}</h3>
        <IconButton icon={X} label={ROUTER_DELIVERIES.close} onClick={onClose} />
      </div>
      <Known
        of={eventRouter.delivery(deliveryId)}
        loading={ROUTER_DELIVERIES.loading}
        failed={ROUTER_DELIVERIES.failed}
      >
        {({ delivery }) => delivery !== undefined && <One delivery={delivery} />}
      </Known>
    </section>
  );
}

function One({ delivery }: { readonly delivery: RouterDelivery }): ReactElement {
  return (
    <>
      <Acts delivery={delivery} />
      <h4>{ROUTER_DELIVERIES.attempts}</h4>
      {delivery.history.length === 0 && <p className={css.muted}>{ROUTER_DELIVERIES.noAttempts}</p>}
      <ol className={css.tab}>
        {delivery.history.map((attempt) => (
          <Attempt key={attempt.attemptId} attempt={attempt} />
        ))}
      </ol>
      {delivery.planned.length > 0 && (
        <>
          <h4>{ROUTER_DELIVERIES.planned}</h4>
          <ol className={css.planned}>
            {delivery.planned.map(({ number, at }) => (
              <li key={number}>{fill(ROUTER_DELIVERIES.plannedAt, { n: number, time: clockTime(at) })}</li>
            ))}
          </ol>
          <p className={css.problem}>
            {fill(ROUTER_DELIVERIES.untilTtl, { time: clockTime(delivery.expiresAt) })}
          </p>
        </>
      )}
      <h4>{ROUTER_DELIVERIES.transitions}</h4>
      <ol>
        {delivery.transitions.map(({ at, from, to, rule, note }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- transitions are only appended
          <li key={index}>
            {fill(ROUTER_DELIVERIES.transition, {
              time: clockTime(at),
              from: from === null ? ROUTER_DELIVERIES.start : CHIP_WORDS[from],
              to: CHIP_WORDS[to],
              rule,
            })}
            {note !== undefined && <span className={css.muted}> {note}</span>}
          </li>
        ))}
      </ol>
      <Text title={ROUTER_DELIVERIES.published} text={delivery.event} />
      {delivery.sent !== delivery.event && <Text title={ROUTER_DELIVERIES.sent} text={delivery.sent} />}
    </>
  );
}

function Acts({ delivery }: { readonly delivery: RouterDelivery }): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const does = (act: RouterAct): void =>
    run(`act ${act}`, async () => {
      const { refused = [] } = await call('eventRouter.act', { act, deliveryId: delivery.deliveryId });
      const [no] = refused;
      const title = ROUTER_ACT_TITLES[act];
      return no === undefined
        ? fill(ROUTER_DELIVERIES.changed, { act: title })
        : fill(ROUTER_DELIVERIES.refused, { act: title, state: no.state });
    });
  return (
    <div className={css.head}>
      <Chip kind={delivery.state} />
      {ROUTER_ACTS.map((act) => (
        <Button key={act} off={away} pending={isPending(`act ${act}`)} onClick={() => does(act)}>
          {ROUTER_ACT_TITLES[act]}
        </Button>
      ))}
    </div>
  );
}

function Attempt({ attempt }: { readonly attempt: RouterAttempt }): ReactElement {
  const { request, response, error, token } = attempt;
  const answer = response === undefined ? error?.message : String(response.status);
  return (
    <li className={css.attempt}>
      <p className={attempt.outcome === undefined && error === undefined ? undefined : css.problem}>
        <strong>{fill(ROUTER_DELIVERIES.attempt, { n: attempt.number })}</strong>{' '}
        <time dateTime={attempt.startedAt}>{clockTime(attempt.startedAt)}</time>{' '}
        {[
          answer,
          attempt.outcome,
          error?.evr,
          attempt.durationMs === undefined ? undefined : duration(attempt.durationMs),
        ]
          .filter((part) => part !== undefined)
          .join(' · ')}
        {attempt.rule !== undefined && <code> {attempt.rule}</code>}
      </p>
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
      </details>
      {response !== undefined && (
        <details>
          <summary>{ROUTER_DELIVERIES.response}</summary>
          <Facts facts={Object.entries(response.headers)} />
          <Body text={response.body} label={ROUTER_DELIVERIES.response} />
        </details>
      )}
    </li>
  );
}

function Text({ title, text }: { readonly title: string; readonly text: string }): ReactElement {
  return (
    <details>
      <summary>{title}</summary>
      <Body text={text} label={title} />
    </details>
  );
}

function Body({ text, label }: { readonly text: string; readonly label: string }): ReactElement | null {
  if (text === '') return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
    <pre tabIndex={0} aria-label={label} className={css.code}>
      {text}
    </pre>
  );
}
