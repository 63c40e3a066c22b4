/** What the list shows before anything was published: addresses, sample traffic, a command to copy. */
import { Copy, Send } from 'lucide-react';
import { Link } from 'wouter';
import { lazy, Suspense, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { FIRST_RUN } from '../../copy/messages.ts';
import { Tick } from '../../components/Fields.tsx';
import { commandOf } from '../../keys/commands.ts';
import { sendSamples } from '../../keys/frame-commands.ts';
import { shellQuote } from '../../format/curl.ts';
import type { AppRow } from '../../../core/contract/subscription.ts';
import { PROFILES } from '../../../core/contract/profile.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './FirstRun.module.css';

const AppSnippets = lazy(async () => ({ default: (await import('./AppSnippets.tsx')).AppSnippets }));

const BODY = '{"orderId":1,"total":120}';

function curlFor(sidecar: string, pubsubname: string, topic: string): string {
  return [
    `curl -g -X POST ${shellQuote(`${sidecar}/v1.0/publish/${pubsubname}/${topic}`)} \\`,
    `  -H 'Content-Type: application/json' -d ${shellQuote(BODY)}`,
  ].join('\n');
}

function whereOf({ mock, app }: Pick<AppRow, 'mock' | 'app'>): string {
  if (mock) return FIRST_RUN.where;
  return app === undefined ? FIRST_RUN.whereNone : FIRST_RUN.whereReal;
}

/** The empty list. */
export function FirstRun(): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const system = useSelected(console.connection, (state) => state.system);
  const hidden = useSelected(console.ui, ({ firstRunHidden }) => firstRunHidden);
  const pending = useSelected(console.commands.store, (state) => state.pending.has('samples'));
  const { value: subscriptions } = useResource(console.topology.subscriptions);
  const app = system?.apps[0];
  const first = subscriptions?.items[0];
  const pubsub =
    first?.pubsubname ?? system?.components.find(({ kind }) => kind === 'pubsub')?.name ?? 'pubsub';
  const curl = app === undefined ? '' : curlFor(app.sidecar, pubsub, first?.topic ?? 'orders');
  const profile = PROFILES[system?.profile ?? 'sidecar'];
  return (
    <div className={css.page}>
      <h2 className={css.title}>{FIRST_RUN.title}</h2>
      {app !== undefined && (
        <p className={css.where}>{fill(whereOf(app), { sidecar: app.sidecar, app: app.app })}</p>
      )}
      <div className={css.actions}>
        <Button
          kind="primary"
          icon={Send}
          off={away}
          pending={pending}
          onClick={() => void sendSamples(console)}
        >
          {FIRST_RUN.send}
        </Button>
        <Button onClick={() => commandOf('publish')?.run(console)}>{FIRST_RUN.open}</Button>
      </div>
      {curl !== '' && !hidden && (
        <>
          <div className={css.part}>
            <h3 className={css.head}>{FIRST_RUN.shell}</h3>
            <Button icon={Copy} onClick={() => void console.acting.copy(curl)}>
              {FIRST_RUN.copy}
            </Button>
            <pre className={css.code} aria-label={FIRST_RUN.curlLabel} tabIndex={0}>
              {curl}
            </pre>
          </div>
          <div className={css.part}>
            <h3 className={css.head}>{FIRST_RUN.own}</h3>
            <ol className={css.steps}>
              <li>{FIRST_RUN.step1}</li>
              <li>
                <Link href="/settings?s=apps">{FIRST_RUN.settings}</Link>
              </li>
              <li>{fill(FIRST_RUN.step3, { method: 'GET', path: profile.discoveryPath })}</li>
            </ol>
            <Suspense fallback={null}>
              <AppSnippets discovery={profile.discoveryPath} pubsub={pubsub} />
            </Suspense>
          </div>
          <Tick
            label={FIRST_RUN.hide}
            checked={hidden}
            onChange={(firstRunHidden) => console.ui.setState({ firstRunHidden })}
          />
        </>
      )}
    </div>
  );
}
