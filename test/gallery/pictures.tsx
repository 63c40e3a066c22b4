/** Charts, the graph, trees and lists that a screen is built around, and the newest small parts. */
import { useState, type ReactElement } from 'react';
import type { SubscriptionRow, TopicRow } from '../../core/contract/subscription.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { Chart } from '../../renderer/components/chart/Chart.tsx';
import { Facts } from '../../renderer/components/Facts.tsx';
import { diffLines } from '../../renderer/format/diff.ts';
import { PastList } from '../../renderer/frame/Bell.tsx';
import { commandOf } from '../../renderer/keys/commands.ts';
import { DiffLines } from '../../renderer/components/DiffLines.tsx';
import { ComponentList } from '../../renderer/views/components/ComponentList.tsx';
import { TestMessages } from '../../renderer/views/recordings/TestMessages.tsx';
import { KeyField } from '../../renderer/views/settings/KeyField.tsx';
import { graphOf } from '../../renderer/views/topics/graph-model.ts';
import { GraphCanvas } from '../../renderer/views/topics/GraphCanvas.tsx';
import { SubscriptionGrid } from '../../renderer/views/topics/SubscriptionGrid.tsx';
import { deliveryIn, rowNamed } from '../renderer/samples.ts';
import { Specimen } from './Specimen.tsx';
import { componentRow } from '../support/component-row.ts';

const nothing = (): void => undefined;
const AT = Array.from({ length: 30 }, (_, index) => 1_772_375_528 + index);

function subscription(change: Partial<SubscriptionRow>): SubscriptionRow {
  return {
    appId: 'app',
    pubsubname: 'pubsub',
    topic: 'orders',
    source: 'programmatic',
    rules: [{ match: 'event.type == "order.created"', path: '/created' }],
    defaultPath: '/orders',
    metadata: {},
    rawPayload: false,
    state: 'active',
    counts: {},
    ...change,
  };
}

function topic(name: string, change: Partial<TopicRow> = {}): TopicRow {
  return {
    pubsubname: 'pubsub',
    topic: name,
    apps: ['app'],
    subscriptions: 1,
    published: 12,
    counts: {},
    rate: 12,
    perSecond: [],
    bulk: false,
    ...change,
  };
}

const SUBSCRIPTIONS = [
  subscription({ counts: { parked: 1 }, deadLetterTopic: 'orders-dead' }),
  subscription({ topic: 'refunds', bulk: { maxMessagesCount: 100, maxAwaitDurationMs: 1000 }, rules: [] }),
  subscription({ topic: 'x'.repeat(120), state: 'invalid', reason: 'rule 1 cannot be read' }),
];
const GRAPH = graphOf({
  topics: [topic('orders'), topic('refunds', { rate: 0 }), topic('audit', { apps: [], subscriptions: 0 })],
  subscriptions: SUBSCRIPTIONS.slice(0, 2),
  apps: [{ appId: 'app', app: 'http://127.0.0.1:6001', channel: 'answering', mock: true }],
  components: [],
});
const COMPONENTS = [
  componentRow('pubsub', { subscriptions: 1 }),
  componentRow('slow', { subscriptions: 1, state: 'initialising' }),
  componentRow('my-router', {
    subscriptions: 1,
    type: 'bindings.cloud.eventrouter',
    kind: 'binding',
    state: 'failed',
    problems: [{ message: 'handshakePort must be passed as a quoted string' }],
  }),
];
const MESSAGES: readonly MessageRow[] = [
  rowNamed('m1', { deliveries: [deliveryIn('processed'), deliveryIn('dropped')] }),
  rowNamed('m2', { topic: 'refunds', deliveries: [deliveryIn('parked', { deliveryId: 'd3' })] }),
  rowNamed('m3', { topic: 'audit' }),
];

/** All of them. */
export function Pictures({ theme }: { readonly theme: string }): ReactElement {
  const pin = commandOf('pin');
  const publish = commandOf('addHold');
  return (
    <>
      <Specimen title="Chart">
        <div className="wide">
          <Chart
            title={`Messages, ${theme}`}
            unit="per second"
            at={AT}
            cursorGroup={theme}
            themeKey={theme}
            formatValue={String}
            series={[
              { id: 'a', title: 'Published', values: AT.map((_, n) => n % 7), colour: '--accent', dash: [] },
              {
                id: 'b',
                title: 'Parked',
                values: AT.map((_, n) => (n < 10 ? null : n % 4)),
                colour: '--state-parked',
                dash: [6, 3],
              },
            ]}
          />
        </div>
        <div className="wide">
          <Chart
            title={`Empty, ${theme}`}
            unit="ms"
            at={[]}
            cursorGroup={theme}
            themeKey={theme}
            formatValue={String}
            series={[]}
          />
        </div>
      </Specimen>
      <Graphs theme={theme} />
      <Specimen title="Tree grid">
        <div className="wide">
          <SubscriptionGrid rows={SUBSCRIPTIONS} />
        </div>
      </Specimen>
      <Components />
      <Specimen title="Keys of commands">
        {pin !== undefined && <KeyField command={pin} />}
        {publish !== undefined && <KeyField command={publish} />}
      </Specimen>
      <Wizard />
      <Small />
    </>
  );
}

function Graphs({ theme }: { readonly theme: string }): ReactElement {
  const [chosen, setChosen] = useState<string>();
  return (
    <Specimen title="Graph">
      <div className="wide" style={{ blockSize: '320px', display: 'grid' }} data-theme-part={theme}>
        <GraphCanvas graph={GRAPH} chosen={chosen} onChoose={setChosen} />
      </div>
    </Specimen>
  );
}

function Components(): ReactElement {
  const [chosen, setChosen] = useState(COMPONENTS[0]);
  return (
    <Specimen title="List box">
      <div className="wide">
        <ComponentList
          items={COMPONENTS}
          shown={COMPONENTS}
          chosen={chosen}
          appIds={undefined}
          onChoose={setChosen}
        />
      </div>
    </Specimen>
  );
}

function Wizard(): ReactElement {
  return (
    <Specimen title="Messages of a test">
      <div className="wide">
        <TestMessages
          rows={MESSAGES}
          left={new Set(['m2'])}
          repeats={new Map(MESSAGES.map(({ messageId }) => [messageId, undefined]))}
          onLeave={nothing}
          expected={{ dlv_processed: 'dropped' }}
          onExpect={nothing}
        />
      </div>
    </Specimen>
  );
}

function Small(): ReactElement {
  return (
    <Specimen title="Notifications, facts, changed lines">
      <div className="wide">
        <PastList past={[]} />
      </div>
      <div className="wide">
        <PastList
          past={[
            { id: 1, kind: 'done', at: 1_772_375_528_000, text: 'Dropped.' },
            { id: 2, kind: 'failed', at: 1_772_375_527_000, text: 'The app already has it.' },
          ]}
        />
      </div>
      <div className="wide">
        <Facts
          facts={[
            ['Type', 'pubsub.in-memory'],
            ['Address', <code key="a">http://127.0.0.1:6001</code>],
          ]}
        />
      </div>
      <div className="wide">
        <DiffLines lines={diffLines('one\ntwo\nthree', 'one\n2\nthree')} />
      </div>
    </Specimen>
  );
}
