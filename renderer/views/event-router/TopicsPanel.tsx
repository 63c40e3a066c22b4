/** Topics of the embedded router: keys, accepted and refused events. */
import { Copy } from 'lucide-react';
import type { ReactElement } from 'react';
import type { EventRouterComponent } from '../../../core/contract/event-router/components.ts';
import type { RouterTopic } from '../../../core/contract/event-router/local-router.ts';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { ROUTER_TOPICS } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { curlOf } from './curl.ts';
import { sampleText } from './samples.ts';
import { clockSeconds } from '../../format/clock-time.ts';
import { count } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';
import { useRouterActs } from './use-router-acts.ts';

/** A table of topics, with keys and last rejections below each. */
export function TopicsPanel({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { eventRouter } = useConsole();
  const { columns } = ROUTER_TOPICS;
  return (
    <Panel title={ROUTER_TOPICS.title}>
      <Known of={eventRouter.topics} loading={ROUTER_TOPICS.loading} failed={ROUTER_TOPICS.failed}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={css.muted}>{ROUTER_TOPICS.none}</p>
          ) : (
            <DataTable
              dense
              label={ROUTER_TOPICS.title}
              columns={[columns.name, columns.schema, columns.accepted, columns.rejected, columns.state]}
              numeric={[2, 3]}
              rows={items.map((topic) => ({
                id: topic.resourceId,
                cells: [
                  <strong key="name">{topic.name}</strong>,
                  topic.inputSchema,
                  count(topic.accepted),
                  count(topic.rejected),
                  <State key="state" topic={topic} component={component} />,
                ],
                below: (
                  <div className={css.tab}>
                    <div>
                      {topic.endpoints.map((endpoint) => (
                        <p key={endpoint} className={css.value}>
                          {endpoint}
                        </p>
                      ))}
                      <CopyCurl topic={topic} />
                    </div>
                    <Keys topic={topic} component={component} />
                    {topic.rejections.length > 0 && <Rejections topic={topic} />}
                  </div>
                ),
              }))}
            />
          )
        }
      </Known>
    </Panel>
  );
}

interface OneProps {
  readonly topic: RouterTopic;
  readonly component: EventRouterComponent;
}

function Keys({ topic, component }: OneProps): ReactElement {
  const { acting, call } = useConsole();
  const { away, ask, isPending, run } = useRouterActs();
  return (
    <ul>
      {(['key1', 'key2'] as const).map((key) => (
        <li key={key} className={css.head}>
          <span>{fill(ROUTER_TOPICS.keyHint, { name: key, hint: topic.keyHints[key] })}</span>
          <Button
            kind="quiet"
            off={away}
            onClick={() =>
              run('reveal', async () => {
                const { value } = await call('eventRouter.reveal', { topic: topic.name, keyName: key });
                await acting.copy(value);
                return undefined;
              })
            }
          >
            {fill(ROUTER_TOPICS.copyKey, { key })}
          </Button>
          <Button
            kind="quiet"
            off={away}
            onClick={() =>
              run('sas', async () => {
                const { value } = await call('eventRouter.reveal', {
                  topic: topic.name,
                  keyName: key,
                  sas: true,
                });
                await acting.copy(value);
                return ROUTER_TOPICS.sasCopied;
              })
            }
          >
            {ROUTER_TOPICS.copySas}
          </Button>
          <Button
            kind="quiet"
            off={away}
            pending={isPending(`regenerate ${key}`)}
            onClick={() =>
              ask(
                {
                  title: fill(ROUTER_TOPICS.regenerate, { key }),
                  text: fill(ROUTER_TOPICS.regenerateQuestion, { key, topic: topic.name }),
                },
                `regenerate ${key}`,
                async () => {
                  await call('eventRouter.topics', {
                    component: component.name,
                    topic: topic.name,
                    act: 'regenerate-key',
                    keyName: key,
                  });
                  return fill(ROUTER_TOPICS.regenerated, { key, topic: topic.name });
                },
              )
            }
          >
            {fill(ROUTER_TOPICS.regenerate, { key })}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** A command that publishes a sample; the person fills in the key. */
function sampleCall(topic: RouterTopic): string {
  const isCloud = topic.inputSchema === 'CloudEventSchemaV1_0';
  const event = {
    id: '1',
    subject: '/sample/1',
    eventType: 'com.example.created',
    eventTime: new Date().toISOString(),
    dataVersion: '1.0',
    data: { orderId: 1 },
  };
  return curlOf({
    method: 'POST',
    url: topic.endpoints[0] ?? '',
    headers: {
      'content-type': isCloud ? 'application/cloudevents+json' : 'application/json',
      'aeg-sas-key': '***',
    },
    body: isCloud ? sampleText(1) : JSON.stringify([event]),
  });
}

function CopyCurl({ topic }: { readonly topic: RouterTopic }): ReactElement {
  const { acting } = useConsole();
  return (
    <Button kind="quiet" icon={Copy} onClick={() => void acting.copy(sampleCall(topic))}>
      {ROUTER_TOPICS.copyCurl}
    </Button>
  );
}

function State({ topic, component }: OneProps): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const act = topic.disabled ? 'enable' : 'disable';
  return (
    <span className={css.check}>
      <span className={topic.disabled ? css.problem : undefined}>
        {topic.disabled ? ROUTER_TOPICS.disabled : ROUTER_TOPICS.enabled}
      </span>
      <Button
        kind="quiet"
        off={away}
        pending={isPending(act)}
        onClick={() =>
          run(act, async () => {
            await call('eventRouter.topics', { component: component.name, topic: topic.name, act });
            return undefined;
          })
        }
      >
        {ROUTER_TOPICS[act]}
      </Button>
    </span>
  );
}

function Rejections({ topic }: { readonly topic: RouterTopic }): ReactElement {
  return (
    <details>
      <summary>{ROUTER_TOPICS.rejections}</summary>
      <ul>
        {topic.rejections.map(({ at, status, reason, index: inEvent }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- several may come in one millisecond
          <li key={`${at} ${index}`} className={css.problem}>
            {fill(ROUTER_TOPICS.rejection, { time: clockSeconds(at), status, reason })}
            {inEvent !== undefined && ` · ${fill(ROUTER_TOPICS.inEvent, { n: inEvent })}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
