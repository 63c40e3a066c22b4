/** Says of an answer that no call can get it, with the button that ends that. */
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { ACTS, ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { MOCK } from '../../copy/mock-app.ts';
import { firstPubsub } from '../../format/component.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { subscribeMock } from '../../state/subscribe-mock.ts';
import css from './MockApp.module.css';

export interface SilentTopicProps {
  readonly appId: string;
  readonly topic: string;
}

/** The sentence and the button; without a pub/sub component the sentence alone. */
export function SilentTopic({ appId, topic }: SilentTopicProps): ReactElement {
  const console = useConsole();
  const { acting, commands, topology } = console;
  const away = useAway(ACT_WHY.away);
  const pending = useSelected(commands.store, (state) => state.pending.has('subscribe'));
  const { value: components } = useResource(topology.components);
  const pubsubname = firstPubsub(components?.items ?? [], appId)?.name;
  return (
    <span className={css.silent}>
      {fill(MOCK.silent, { topic: visibleShort(topic) })}
      {pubsubname !== undefined && (
        <Button
          off={away}
          pending={pending}
          onClick={() =>
            void acting.run('subscribe', async () => {
              await subscribeMock(console, { appId, pubsubname, topic });
              return fill(MOCK.subscribed, { topic: visibleShort(topic), pubsub: pubsubname });
            })
          }
        >
          {ACTS.subscribe}
        </Button>
      )}
    </span>
  );
}
