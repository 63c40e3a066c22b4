/**
 * One delivery of the embedded router: past and planned attempts, transitions, the event before and after,
 * and its acts.
 */
import { MessageSquare, X } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { RouterAct, RouterDelivery } from '../../../core/contract/event-router/local-router.ts';
import { ROUTER_ACTS, ROUTER_ACT_FROM } from '../../../core/contract/event-router/words.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { fill } from '../../copy/fill.ts';
import { ROUTER_ACT_TITLES, ROUTER_DELIVERIES } from './copy/local-router.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { diffLines } from '../../format/diff.ts';
import { jsonMistake } from '../../../core/contract/json-position.ts';
import { clockTime } from '../../format/clock-time.ts';
import { DiffLines } from '../../components/DiffLines.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { Problem } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { EventEditor } from '../../components/EventEditor.tsx';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known } from './Panel.tsx';
import { Body, RouterAttempts } from './RouterAttempts.tsx';
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
  const { navigation } = useConsole();
  return (
    <>
      <Acts delivery={delivery} />
      <h4>{ROUTER_DELIVERIES.attempts}</h4>
      {delivery.history.length === 0 ? (
        <p className={css.muted}>{ROUTER_DELIVERIES.noAttempts}</p>
      ) : (
        <div className={css.head}>
          <Button
            icon={MessageSquare}
            onClick={() => navigation.go('/messages', { f: `origin:binding id:"${delivery.eventId}"` })}
          >
            {ROUTER_DELIVERIES.messages}
          </Button>
          <span className={css.muted}>{ROUTER_DELIVERIES.messagesHint}</span>
        </div>
      )}
      <RouterAttempts delivery={delivery} />
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
          <li key={index} className={css.wrapped}>
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
      {delivery.sent !== delivery.event && (
        <details>
          <summary>{ROUTER_DELIVERIES.sent}</summary>
          <DiffLines lines={diffLines(pretty(delivery.event), pretty(delivery.sent))} />
        </details>
      )}
    </>
  );
}

function Acts({ delivery }: { readonly delivery: RouterDelivery }): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const { deliveryId, state } = delivery;
  const [typed, changeTyped] = useLeftState<string | undefined>(`edited event of ${deliveryId}`, undefined);
  const [isOpen, setIsOpen] = useState(typed !== undefined);
  const original = pretty(delivery.event);
  const edited = isOpen ? (typed ?? original) : undefined;
  const does = (act: RouterAct): void =>
    run(`act ${act}`, async () => {
      await call('eventRouter.act', { act, deliveryId });
      return fill(ROUTER_DELIVERIES.changed, { act: ROUTER_ACT_TITLES[act] });
    });
  const impossible = (act: RouterAct): string | undefined =>
    ROUTER_ACT_FROM[act].includes(state)
      ? undefined
      : fill(ROUTER_DELIVERIES.refused, { act: ROUTER_ACT_TITLES[act], state: CHIP_WORDS[state] });
  const mistake = edited === undefined ? undefined : jsonMistake(edited);
  const wrong = mistake === undefined ? undefined : fill(ROUTER_DELIVERIES.notJson, { ...mistake });
  const refused = useRefused();
  const problem = wrong ?? refused.problem;
  const send = (more: { readonly event?: string }) => async (): Promise<string> => {
    await call('eventRouter.act', { act: 'replay', deliveryId, ...more });
    if (more.event !== undefined) {
      // What was typed before the host answered is still to be sent.
      changeTyped((now) => (now === more.event ? undefined : now));
      setIsOpen(false);
    }
    return ROUTER_DELIVERIES.resent;
  };
  return (
    <>
      <div className={css.head}>
        <Chip kind={state} />
        {ROUTER_ACTS.map((act) => (
          <Button
            key={act}
            off={away ?? impossible(act)}
            pending={isPending(`act ${act}`)}
            onClick={() => does(act)}
          >
            {ROUTER_ACT_TITLES[act]}
          </Button>
        ))}
        <Button off={away} pending={isPending('resend')} onClick={() => run('resend', send({}))}>
          {ROUTER_DELIVERIES.resend}
        </Button>
        <Button aria-expanded={edited !== undefined} onClick={() => setIsOpen(!isOpen)}>
          {ROUTER_DELIVERIES.edit}
        </Button>
      </div>
      {edited !== undefined && (
        <section aria-label={ROUTER_DELIVERIES.edit} className={css.attempt}>
          <EventEditor
            original={original}
            value={edited}
            language="json"
            onChange={(next) => {
              refused.clear();
              changeTyped(() => (next === original ? undefined : next));
            }}
          />
          <Problem text={problem} />
          <div className={css.head}>
            <Button
              kind="primary"
              off={away ?? wrong}
              pending={isPending('resend')}
              onClick={() => run('resend', send({ event: edited }), refused)}
            >
              {ROUTER_DELIVERIES.sendEdited}
            </Button>
            <span className={css.muted}>{ROUTER_DELIVERIES.editHint}</span>
          </div>
        </section>
      )}
    </>
  );
}

/** Indents a text if it is JSON. */
function pretty(text: string): string {
  return jsonMistake(text) === undefined ? JSON.stringify(JSON.parse(text), null, 2) : text;
}

function Text({ title, text }: { readonly title: string; readonly text: string }): ReactElement {
  return (
    <details>
      <summary>{title}</summary>
      <Body text={text} label={title} />
    </details>
  );
}
