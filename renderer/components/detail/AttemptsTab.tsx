/** One card per attempt, newest first and open: the request, the answer, and why it had its effect. */
import { useMemo, useState, type ReactElement } from 'react';
import type {
  Attempt,
  Delivery,
  MessageDetail,
  RecordedBody,
  RetryPolicyNow,
  Transition,
} from '../../../core/contract/message.ts';
import { Button } from '../Button.tsx';
import { Chip } from '../Chip.tsx';
import { later } from '../later.tsx';
import { Empty } from '../States.tsx';
import { ATTEMPTS, POLICY } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { beganBy, outcomeOf } from '../../format/cause.ts';
import { changedBodies } from '../../format/changed-bodies.ts';
import { count, duration } from '../../format/quantity.ts';
import { tellingTransition } from '../../format/calls.ts';
import { ALL_DELIVERIES } from '../../keys/subjects.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { AttemptCard } from './AttemptCard.tsx';
import css from './AttemptsTab.module.css';
import { CauseLine } from './CauseLine.tsx';
import { Calls } from './Calls.tsx';

const ChangedLines = later(async () => (await import('./ChangedLines.tsx')).ChangedLines);

export interface DeliveryTabProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery | undefined;
}

/** All attempts of the chosen delivery, or of all, and the end of a delivery without an attempt. */
export function AttemptsTab({ message, delivery }: DeliveryTabProps): ReactElement {
  const isAll = useParam('d') === ALL_DELIVERIES;
  const { readOnly } = useConsole();
  if (delivery === undefined)
    return <Empty title={readOnly === undefined ? withoutDelivery(message) : ATTEMPTS.noDeliveryEver} />;
  if (!isAll || message.deliveries.length < 2)
    return <OneDelivery key={delivery.deliveryId} message={message} delivery={delivery} />;
  return (
    <>
      {message.deliveries.map((each) => (
        <section key={each.deliveryId} className={css.one} aria-label={each.appId}>
          <h3 className={css.which}>
            {`${each.appId} ${each.route.path}`.trim()} <Chip kind={each.state} />
          </h3>
          <OneDelivery message={message} delivery={each} isOneOfSeveral />
        </section>
      ))}
    </>
  );
}

/** Text for a message without deliveries. */
function withoutDelivery({ stage }: MessageDetail): string {
  return stage === 'waiting' || stage === 'held' ? ATTEMPTS.noDeliveryYet : ATTEMPTS.noDeliveryEver;
}

/** Wait before an attempt: "waited 2 s (policy constant 2 s)" */
function waitText(attempt: Attempt, before: Attempt | undefined, began: Transition | undefined): string {
  const t = duration(attempt.waitedMs ?? 0);
  const planned = before?.nextWait;
  // An attempt that a person or a restart began did not wait for the policy.
  if (planned === undefined || began?.rule !== 'policy.retry') return fill(ATTEMPTS.waited, { t });
  return fill(ATTEMPTS.waitedBy, {
    t,
    policy: ATTEMPTS.policies[planned.policy],
    planned: duration(planned.ms),
  });
}

/** The policy in words: "Retry policy now: 2 attempts, 200 ms between them. From the defaults." */
export function policyText(policy: RetryPolicyNow): string {
  const { maxAttempts, firstDelayMs, factor, maxDelayMs, from, file, line } = policy;
  const waits =
    maxAttempts === 1
      ? ''
      : fill(factor === 1 ? POLICY.constant : POLICY.growing, {
          wait: duration(firstDelayMs),
          factor,
          longest: duration(maxDelayMs),
        });
  const attempts = maxAttempts === 0 ? POLICY.noLimit : fill(POLICY.attempts, { n: count(maxAttempts) });
  const source =
    file === undefined
      ? POLICY.from[from]
      : fill(line === undefined ? POLICY.inFile : POLICY.atLine, { file, line });
  return fill(POLICY.line, { attempts, waits, statuses: statusesText(policy), from: source });
}

/** The statuses that a policy tries again: "; of the statuses it tries only 429, 500-599 again" */
function statusesText({ statuses }: RetryPolicyNow): string {
  if (statuses === undefined) return '';
  if (statuses.length === 0) return POLICY.noStatus;
  const ranges = statuses.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
  return fill(POLICY.onlyStatuses, { ranges: ranges.join(', ') });
}

/** Number of cards that are drawn at once. */
const PAGE = 50;

interface OneDeliveryProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery;
  /** True if other deliveries are shown too, so that the head may show another one's cause. */
  readonly isOneOfSeveral?: boolean;
}

function OneDelivery({ message, delivery, isOneOfSeveral = false }: OneDeliveryProps): ReactElement {
  const [most, setMost] = useState(PAGE);
  const newestFirst = delivery.attempts.toReversed();
  const newest = newestFirst[0];
  const last = tellingTransition(delivery);
  const isFromAttempt = newest !== undefined && last === outcomeOf(delivery, newest);
  return (
    <div className={css.tab}>
      {isOneOfSeveral && last !== undefined && !isFromAttempt && last.to !== 'attempting' && (
        <p className={css.last}>
          <CauseLine transition={last} delivery={delivery} message={message} />
        </p>
      )}
      {delivery.changed !== undefined && (
        <details className={css.changed} open>
          <summary>{ATTEMPTS.changed}</summary>
          <ChangedBody published={message.wire} edited={delivery.changed} />
        </details>
      )}
      <Calls message={message} delivery={delivery} />
      <ol className={css.list} aria-label={ATTEMPTS.list}>
        {newestFirst.slice(0, most).map((attempt, index) => (
          <li key={attempt.attemptId}>
            <AttemptCard attempt={attempt} delivery={delivery} message={message} startsOpen={index === 0} />
            {attempt.waitedMs !== undefined && index < newestFirst.length - 1 && (
              <p className={css.wait}>
                {waitText(attempt, newestFirst[index + 1], beganBy(delivery, attempt))}
              </p>
            )}
          </li>
        ))}
      </ol>
      {newestFirst.length > most && (
        <Button onClick={() => setMost(most + PAGE)}>
          {fill(ATTEMPTS.older, { n: count(newestFirst.length - most) })}
        </Button>
      )}
      {/* Below the attempts: the answer to the newest one is to be in sight. */}
      {delivery.policy !== undefined && <p className={css.none}>{policyText(delivery.policy)}</p>}
    </div>
  );
}

interface ChangedBodyProps {
  readonly published: RecordedBody;
  readonly edited: RecordedBody;
}

/** The lines that a person changed, as far as both texts are known. */
export function ChangedBody({ published, edited }: ChangedBodyProps): ReactElement {
  const { before, after, comparedLength } = useMemo(
    () => changedBodies(published, edited),
    [published, edited],
  );
  return (
    <>
      {comparedLength !== undefined && (
        <p className={css.part}>{fill(ATTEMPTS.changedPart, { n: count(comparedLength) })}</p>
      )}
      <ChangedLines before={before} after={after} />
    </>
  );
}
