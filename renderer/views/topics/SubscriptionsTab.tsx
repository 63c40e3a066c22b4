/** Every subscription as the runtime settled it, with its rules; and how discovery went. */
import { ChevronDown, ChevronRight, RotateCw } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { SubscriptionRow } from '../../../core/contract/subscription.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { fill } from '../../copy/fill.ts';
import { SUBSCRIPTIONS } from '../../copy/topics.ts';
import { duration } from '../../format/quantity.ts';
import { oncePerId } from '../../format/apps.ts';
import { discoveryWords } from '../../format/discovery.ts';
import { commandOf } from '../../keys/commands.ts';
import { ProblemList } from '../../parts/ProblemList.tsx';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';

/** Discovery, problems, table. */
export function SubscriptionsTab(): ReactElement {
  const console = useConsole();
  const { topology, commands } = console;
  const away = useAway(ACT_WHY.away);
  const { status, value, failure } = useResource(topology.subscriptions);
  const { value: apps } = useResource(topology.apps);
  const pending = useSelected(commands.store, (state) => state.pending.has('discover'));
  if (value === undefined) {
    if (status !== 'failed') return <Loading text={SUBSCRIPTIONS.loading} />;
    return (
      <Failed
        text={fill(SUBSCRIPTIONS.failed, { message: failure?.message.replace(/\.$/, '') })}
        again={() => void topology.subscriptions.refresh()}
      />
    );
  }
  const problems = [...value.problems, ...oncePerId(apps?.items ?? []).flatMap((app) => app.problems)];
  return (
    <div className={page.body}>
      <div className={page.stack}>
        <div className={page.bar}>
          <Button
            icon={RotateCw}
            off={away}
            pending={pending}
            onClick={() => commandOf('discover')?.run(console)}
          >
            {SUBSCRIPTIONS.discover}
          </Button>
          <ul>
            {value.discovery.map((each) => (
              <li key={each.appId} className={each.state === 'failed' ? page.problem : page.muted}>
                {each.appId}: {discoveryWords(each)}
              </li>
            ))}
          </ul>
        </div>
        <ProblemList problems={problems} label={SUBSCRIPTIONS.problems} />
        {value.items.length === 0 ? (
          <Empty title={SUBSCRIPTIONS.empty} />
        ) : (
          <Table subscriptions={value.items} />
        )}
      </div>
    </div>
  );
}

function rawWord(rawPayload: boolean | null): string {
  if (rawPayload === null) return SUBSCRIPTIONS.rawUnreadable;
  return rawPayload ? VIEWS_COMMON.yes : VIEWS_COMMON.no;
}

function Table({ subscriptions }: { readonly subscriptions: readonly SubscriptionRow[] }): ReactElement {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { columns } = SUBSCRIPTIONS;
  const toggle = (id: string): void => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <DataTable
      label={SUBSCRIPTIONS.table}
      columns={[
        columns.app,
        columns.component,
        columns.topic,
        columns.source,
        columns.rules,
        columns.default,
        columns.raw,
        columns.bulk,
        columns.deadLetter,
        columns.state,
      ]}
      rows={subscriptions.map((each, index) => {
        const id = `${each.appId} ${each.pubsubname} ${each.topic} ${index}`;
        const state = SUBSCRIPTIONS.states[each.state];
        return {
          id,
          isBad: each.state !== 'active',
          cells: [
            <span key="app" className={page.line}>
              <IconButton
                icon={open.has(id) ? ChevronDown : ChevronRight}
                label={fill(SUBSCRIPTIONS.showRules, { topic: each.topic })}
                aria-expanded={open.has(id)}
                onClick={() => toggle(id)}
              />
              {each.appId}
            </span>,
            each.pubsubname,
            <strong key="topic">
              <bdi>{each.topic}</bdi>
            </strong>,
            each.file ?? SUBSCRIPTIONS.sources[each.source],
            each.rules.length,
            <code key="default">{each.defaultPath ?? VIEWS_COMMON.dash}</code>,
            rawWord(each.rawPayload),
            each.bulk === undefined
              ? VIEWS_COMMON.no
              : fill(SUBSCRIPTIONS.bulkOf, {
                  n: each.bulk.maxMessagesCount,
                  t: duration(each.bulk.maxAwaitDurationMs),
                }),
            each.deadLetterTopic ?? VIEWS_COMMON.dash,
            each.reason === undefined ? state : fill(SUBSCRIPTIONS.reason, { state, reason: each.reason }),
          ],
          below: open.has(id) ? <Rules subscription={each} /> : undefined,
        };
      })}
    />
  );
}

function Rules({ subscription }: { readonly subscription: SubscriptionRow }): ReactElement {
  const { rules, defaultPath, topic } = subscription;
  return (
    <ol aria-label={fill(SUBSCRIPTIONS.ruleList, { topic })} className={page.mono}>
      {rules.map(({ match, path }, index) => (
        <li key={`${match} ${path}`}>
          {index + 1}{' '}
          {fill(SUBSCRIPTIONS.ruleTo, { match: match === '' ? SUBSCRIPTIONS.always : match, path })}
        </li>
      ))}
      <li>
        {SUBSCRIPTIONS.columns.default} → {defaultPath ?? VIEWS_COMMON.dash}
      </li>
    </ol>
  );
}
