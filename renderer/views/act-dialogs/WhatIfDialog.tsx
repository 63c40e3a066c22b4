/**
 * Every answer that the interface knows, and the state to which each would lead, for one message; nothing is
 * sent.
 */
import { useEffect, useState, type ReactElement } from 'react';
import { Chip } from '../../components/Chip.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { chosenDelivery } from '../../format/chosen-delivery.ts';
import { targetOf } from '../../components/detail/HeadFacts.tsx';
import { fill } from '../../copy/fill.ts';
import { WHAT_IF } from '../../copy/what-if.ts';
import { whyNoDelivery } from '../../format/act-targets.ts';
import { rowOfDetail } from '../../keys/subjects.ts';
import {
  askWhatIf,
  leadsTo,
  protocolOf,
  questionsFor,
  sentenceOf,
  type Explained,
} from '../../components/detail/what-if.ts';
import type { Attempt, Delivery } from '../../../core/contract/message.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { useConsole, useOpenings, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { useMessage } from './use-message.ts';

export interface WhatIfDialogProps {
  readonly messageId: string;
  readonly deliveryId?: string | undefined;
  /** Recording of the message; undefined: the live history. */
  readonly recordingId?: string | undefined;
}

/** The table for the delivery's kind: single, or an entry of a batch. */
export function WhatIfDialog({ messageId, deliveryId, recordingId }: WhatIfDialogProps): ReactElement {
  const { commands } = useConsole();
  const { message, failure } = useMessage(messageId, false, recordingId);
  // The dialog asks about the delivery that the open message and its row show.
  const delivery = message && chosenDelivery(message, deliveryId);
  return (
    <Overlay title={WHAT_IF.title} wide onClose={commands.close}>
      <p>{WHAT_IF.intro}</p>
      {message !== undefined && delivery !== undefined && message.deliveries.length > 1 && (
        <p>
          {fill(WHAT_IF.of, {
            n: message.deliveries.indexOf(delivery) + 1,
            total: message.deliveries.length,
            to: targetOf(delivery),
          })}
        </p>
      )}
      {failure !== undefined && <Unanswered message={failure.message} />}
      {failure === undefined && message === undefined && <Loading text={WHAT_IF.loading} rows={8} />}
      {message !== undefined && delivery === undefined && (
        <Empty title={whyNoDelivery(WHAT_IF.none, rowOfDetail(message))} />
      )}
      {delivery !== undefined && <Answers delivery={delivery} />}
    </Overlay>
  );
}

function Unanswered({ message }: { readonly message: string }): ReactElement {
  return <Failed text={fill(WHAT_IF.failed, { message: clause(message) })} />;
}

/** The attempt of the question: the newest one, or the next if the delivery waits for it. */
function attemptAsked({ state, attempts }: Delivery): Attempt | undefined {
  return state === 'queued' || state === 'held' || state === 'retrying' ? undefined : attempts.at(-1);
}

function Answers({ delivery }: { readonly delivery: Delivery }): ReactElement {
  const { call, topology } = useConsole();
  const subscriptions = useResource(topology.subscriptions);
  const bulk = delivery.attempts.at(-1)?.bulk;
  const openings = useOpenings();
  const [told, setTold] = useState<readonly Explained[]>();
  const [failure, setFailure] = useState<string>();
  const entryId = bulk?.entryId;
  const protocol = protocolOf(delivery);
  useEffect(() => {
    let isCurrent = true;
    Promise.all(questionsFor(bulk, protocol).map((question) => askWhatIf(call, question, bulk))).then(
      (all) => {
        if (!isCurrent) return;
        setTold(all);
        setFailure(undefined);
      },
      (reason: unknown) => isCurrent && setFailure(asFailure(reason).message),
    );
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the entry names the batch
  }, [call, entryId, protocol, openings]);
  const { value: known } = subscriptions;
  const missing = failure ?? (known === undefined ? subscriptions.failure?.message : undefined);
  if (missing !== undefined) return <Unanswered message={missing} />;
  // A delivery ends on the dead-letter topic of its subscription, so an answer leads nowhere that is known without it.
  if (told === undefined || known === undefined) return <Loading text={WHAT_IF.loading} rows={8} />;
  return (
    <DataTable
      label={WHAT_IF.table}
      columns={[WHAT_IF.answer, WHAT_IF.state, WHAT_IF.why]}
      rows={told.map((each) => {
        const lead = leadsTo(each, {
          delivery,
          attempt: attemptAsked(delivery),
          subscriptions: known.items,
        });
        return {
          id: each.question.id,
          cells: [
            each.question.title,
            <Chip key="state" kind={lead.state} />,
            <span key="why">
              {sentenceOf(each, bulk, lead, delivery.attempts.at(-1)?.tap !== undefined)}{' '}
              <code>{each.verdict.rule}</code> {lead.usedUp !== undefined && <code>{lead.usedUp.rule}</code>}
            </span>,
          ],
        };
      })}
    />
  );
}
