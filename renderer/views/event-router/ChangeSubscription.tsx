/** Changes filter and retries of an event subscription, or deletes it. */
import { useState, type ReactElement } from 'react';
import type { Params } from '../../../core/contract/console.ts';
import type { SubscriptionReport } from '../../../core/contract/event-router/methods.ts';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/Fields.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { RefusedForm } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { OUTPUT, STORED } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { jsonMistake } from '../../../core/contract/json-position.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { JsonBox } from './JsonBox.tsx';
import { policyMistake } from './policy-fields.ts';
import { useRouterActs } from './use-router-acts.ts';

type Change = NonNullable<Params<'eventRouter.subscriptions'>['properties']>;

interface Fields {
  readonly attempts: string;
  readonly ttl: string;
  readonly names: string;
  readonly text: string;
}

const NOTHING: Partial<Fields> = {};
const ATTEMPTS = 'properties.retryPolicy.maxDeliveryAttempts';
const TTL = 'properties.retryPolicy.eventTimeToLiveInMinutes';

/** The fields of the record. */
function fieldsOf({ record }: SubscriptionReport): Fields {
  const { retryPolicy, filter, labels } = record?.properties ?? {};
  return {
    attempts: String(retryPolicy?.maxDeliveryAttempts ?? 30),
    ttl: String(retryPolicy?.eventTimeToLiveInMinutes ?? 1440),
    names: (labels ?? []).join(', '),
    text: JSON.stringify(filter ?? {}, null, 2),
  };
}

/** A form for the record; members that it does not have stay unchanged. */
export function ChangeSubscription({ report }: { readonly report: SubscriptionReport }): ReactElement {
  const { call, eventRouter } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const { component, scope, name } = report;
  const [edited, changeEdited] = useLeftState(`change of ${name} on ${scope}`, NOTHING);
  const [startsOpen] = useState(edited !== NOTHING);
  const set = (part: Partial<Fields>): void => changeEdited((now) => ({ ...now, ...part }));
  const { attempts, ttl, names, text } = { ...fieldsOf(report), ...edited };
  const wrongAttempts = policyMistake('attempts', attempts);
  const wrongTtl = policyMistake('ttl', ttl);
  const mistake = jsonMistake(text);
  const wrong = mistake === undefined ? undefined : fill(OUTPUT.notJson, { ...mistake });
  const refused = useRefused(['properties.filter', 'properties.labels', ATTEMPTS, TTL]);
  const of = component === undefined ? {} : { component };
  const change = async (): Promise<string> => {
    // The router checks the filter; its answer names the member.
    const wanted: Change['filter'] = JSON.parse(text);
    const properties: Change = {
      retryPolicy: { maxDeliveryAttempts: Number(attempts), eventTimeToLiveInMinutes: Number(ttl) },
      labels: names.split(/\s*,\s*/).filter((each) => each !== ''),
      ...withoutUndefined({ filter: wanted }),
    };
    await call('eventRouter.subscriptions', { ...of, act: 'change', properties });
    await eventRouter.subscriptions.refresh();
    // What was typed before the host answered is still to be saved.
    changeEdited((now) => (now === edited ? NOTHING : now));
    return STORED.changed;
  };
  return (
    <details open={startsOpen}>
      <summary>{STORED.change}</summary>
      <div className={css.tab}>
        <RefusedForm refused={refused} className={css.tab}>
          <div className={css.fields}>
            <TextField
              label={STORED.attempts}
              inputMode="numeric"
              error={wrongAttempts ?? refused.at(ATTEMPTS)}
              value={attempts}
              onChange={(next) => set({ attempts: next })}
            />
            <TextField
              label={STORED.ttl}
              inputMode="numeric"
              error={wrongTtl ?? refused.at(TTL)}
              value={ttl}
              onChange={(next) => set({ ttl: next })}
            />
            <TextField
              label={STORED.labels}
              error={refused.at('properties.labels')}
              value={names}
              onChange={(next) => set({ names: next })}
            />
          </div>
          <JsonBox
            label={STORED.filterText}
            value={text}
            wrong={wrong ?? refused.at('properties.filter')}
            onChange={(next) => set({ text: next })}
          />
        </RefusedForm>
        <div className={css.head}>
          <Button
            kind="primary"
            off={away ?? wrongAttempts ?? wrongTtl ?? wrong}
            pending={isPending('change')}
            onClick={() => run('change', change, refused)}
          >
            {STORED.save}
          </Button>
          <DeleteButton report={report} />
        </div>
      </div>
    </details>
  );
}

/** Deletes the subscription, after a question. */
function DeleteButton({ report }: { readonly report: SubscriptionReport }): ReactElement {
  const { call } = useConsole();
  const { away, ask, isPending } = useRouterActs();
  const { component, scope, name } = report;
  async function remove(): Promise<string> {
    const of = withoutUndefined({ component });
    await call('eventRouter.subscriptions', { ...of, act: 'delete', scope, name });
    return STORED.deleted;
  }
  return (
    <Button
      kind="danger"
      off={away}
      pending={isPending('delete')}
      onClick={() =>
        ask({ title: STORED.delete, text: fill(STORED.deleteQuestion, { name }) }, 'delete', remove)
      }
    >
      {STORED.delete}
    </Button>
  );
}
