/** The event subscription as its router has it and as the component needs it, and a test of its filter. */
import { useState, type ReactElement } from 'react';
import { Facts } from '../../components/Facts.tsx';
import type { EventRouterComponent } from '../../../core/contract/event-router/components.ts';
import type { SubscriptionReport } from '../../../core/contract/event-router/methods.ts';
import { Button } from '../../components/Button.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { RefusedForm } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { INPUT, OUTPUT, STORED } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { jsonMistake } from '../../../core/contract/json-position.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { useConsole } from '../../state/context.ts';
import { ChangeSubscription } from './ChangeSubscription.tsx';
import css from './EventRouter.module.css';
import { JsonBox } from './JsonBox.tsx';
import { Known, Panel } from './Panel.tsx';
import { useRouterActs } from './use-router-acts.ts';

/** The component's subscription. */
export function StoredPanel({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { call, eventRouter } = useConsole();
  const { away, isPending, run } = useRouterActs();
  return (
    <Panel
      title={STORED.title}
      acts={
        <Button
          off={away}
          pending={isPending('put')}
          onClick={() =>
            run('put', async () => {
              await call('eventRouter.subscriptions', { component: component.name, act: 'put' });
              return STORED.putDone;
            })
          }
        >
          {STORED.put}
        </Button>
      }
    >
      <Known of={eventRouter.subscriptions} loading={STORED.loading} failed={STORED.failed}>
        {({ items }) => {
          const mine = items.filter((each) => each.component === component.name);
          return mine.length === 0 ? (
            <p className={css.muted}>{STORED.none}</p>
          ) : (
            mine.map((each) => <One key={`${each.scope} ${each.name}`} report={each} />)
          );
        }}
      </Known>
    </Panel>
  );
}

/** A member of the destination; destinations other than webhooks have no known members. */
function destinationMember(report: SubscriptionReport, name: string): string {
  const members: object = report.record?.properties.destination?.properties ?? {};
  const found = Object.entries(members).find(([key]) => key === name);
  const value: unknown = found?.[1];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : VIEWS_COMMON.dash;
}

/** Names with their values; a secret value is not shown. */
function attributesOf(report: SubscriptionReport): string {
  const members: object = report.record?.properties.destination?.properties ?? {};
  const found = Object.entries(members).find(([key]) => key === 'deliveryAttributeMappings');
  const list: readonly unknown[] = Array.isArray(found?.[1]) ? found[1] : [];
  return list.length === 0 ? VIEWS_COMMON.none : list.map((each) => JSON.stringify(each)).join(', ');
}

function deadLetterOf(report: SubscriptionReport): string {
  const destination = report.record?.properties.deadLetterDestination ?? undefined;
  const { topic, blobContainerName } = destination?.properties ?? {};
  return topic ?? blobContainerName ?? VIEWS_COMMON.none;
}

function factsOf(report: SubscriptionReport): readonly (readonly [string, string])[] {
  const properties = report.record?.properties;
  const filter = properties?.filter;
  const hasFilter =
    filter !== undefined &&
    Object.entries(filter).some(
      ([name, value]) =>
        !['isSubjectCaseSensitive', 'enableAdvancedFilteringOnArrays'].includes(name) &&
        value !== '' &&
        !(Array.isArray(value) && value.length === 0),
    );
  return [
    [STORED.name, report.name],
    [STORED.scope, report.scope],
    [STORED.scopeKind, report.router?.scopeKind ?? VIEWS_COMMON.dash],
    [STORED.state, report.state ?? VIEWS_COMMON.dash],
    [STORED.endpoint, destinationMember(report, 'endpointBaseUrl')],
    [STORED.schema, report.schema ?? VIEWS_COMMON.dash],
    [
      STORED.retry,
      fill(STORED.retryOf, {
        n: properties?.retryPolicy?.maxDeliveryAttempts,
        t: properties?.retryPolicy?.eventTimeToLiveInMinutes,
      }),
    ],
    [
      STORED.batching,
      fill(STORED.batchingOf, {
        n: destinationMember(report, 'maxEventsPerBatch'),
        size: destinationMember(report, 'preferredBatchSizeInKilobytes'),
      }),
    ],
    [STORED.filter, hasFilter ? JSON.stringify(filter) : STORED.everything],
    [STORED.labels, properties?.labels?.join(', ') || VIEWS_COMMON.none],
    [STORED.attributes, attributesOf(report)],
    [STORED.deadLetter, deadLetterOf(report)],
  ];
}

function One({ report }: { readonly report: SubscriptionReport }): ReactElement {
  return (
    <div className={css.tab}>
      <p className={css.muted}>{STORED.roles[report.role]}</p>
      {report.error !== undefined && (
        <p className={css.problem}>
          {report.code !== undefined && <code>{report.code} </code>}
          {report.error}
        </p>
      )}
      {report.record === undefined ? (
        <p className={css.muted}>{STORED.none}</p>
      ) : (
        <>
          <Facts facts={factsOf(report)} />
          {report.role === 'current' && <Differences report={report} />}
          <details>
            <summary>{STORED.record}</summary>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus */}
            <pre tabIndex={0} aria-label={STORED.record} className={css.code}>
              {JSON.stringify(report.record, null, 2)}
            </pre>
          </details>
          <FilterTrial report={report} />
          {report.role === 'current' && <ChangeSubscription report={report} />}
        </>
      )}
    </div>
  );
}

function Differences({ report }: { readonly report: SubscriptionReport }): ReactElement {
  if (report.differences.length === 0) return <p className={css.muted}>{STORED.same}</p>;
  return (
    <DataTable
      dense
      label={STORED.differs}
      columns={[INPUT.field, STORED.stored, STORED.wanted]}
      rows={report.differences.map((each) => ({
        id: each.field,
        isBad: true,
        cells: [<code key="field">{each.field}</code>, each.stored, each.wanted],
      }))}
    />
  );
}

const SAMPLE = '{\n  "type": "com.example.created",\n  "subject": "/blue/1",\n  "data": {}\n}';

function FilterTrial({ report }: { readonly report: SubscriptionReport }): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const [event, changeEvent] = useLeftState(
    `event for the filter of ${report.name} on ${report.scope}`,
    SAMPLE,
  );
  const [said, setSaid] = useState('');
  const mistake = jsonMistake(event);
  const wrong = mistake === undefined ? undefined : fill(OUTPUT.notJson, { ...mistake });
  const { component } = report;
  const refused = useRefused(['event']);
  const test = async (): Promise<undefined> => {
    const { matches, because } = await call('eventRouter.subscriptions', {
      ...withoutUndefined({ component }),
      act: 'test',
      scope: report.scope,
      name: report.name,
      event: JSON.parse(event) as unknown,
    });
    setSaid(matches === true ? STORED.matches : fill(STORED.matchesNot, { because }));
    return undefined;
  };
  // What was typed before is in sight when a person comes back.
  const [startsOpen] = useState(event !== SAMPLE);
  return (
    <details open={startsOpen}>
      <summary>{STORED.tryFilter}</summary>
      <div className={css.tab}>
        <RefusedForm refused={refused}>
          <JsonBox
            label={STORED.tryEvent}
            value={event}
            wrong={wrong ?? refused.at('event')}
            onChange={(text) => changeEvent(() => text)}
          />
        </RefusedForm>
        <div className={css.head}>
          <Button off={away ?? wrong} pending={isPending('test')} onClick={() => run('test', test, refused)}>
            {STORED.try}
          </Button>
          <span role="status">{said}</span>
        </div>
      </div>
    </details>
  );
}
