/** One app that a tap observes: the addresses of it and its own sidecar, its subscriptions, its problems. */
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { TapRow } from '../../../core/contract/tap.ts';
import { AppName } from '../../components/AppName.tsx';
import { ObservedMark } from '../../components/ObservedMark.tsx';
import { ProblemList } from '../../components/ProblemList.tsx';
import { APPS } from '../../copy/apps.ts';
import { fill } from '../../copy/fill.ts';
import { TAPS } from '../../copy/taps.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { filterValue } from '../../format/cell-term.ts';
import page from '../page.module.css';
import css from './Apps.module.css';
import { Fact } from './Fact.tsx';

export function TappedCard({ tap }: { readonly tap: TapRow }): ReactElement {
  const { appId, appUrl, appAnswers, sidecarUrl, sidecarAnswers, subscriptions, problems } = tap;
  const side = (address: string, answers: boolean): string =>
    fill(answers ? TAPS.answers : TAPS.silent, { address });
  return (
    <section className={page.box} aria-label={fill(TAPS.cardOf, { app: appId })}>
      <div className={css.head}>
        <h2>
          <AppName appId={appId} />
        </h2>
        <ObservedMark tap={appId} />
      </div>
      <dl className={css.facts}>
        <Fact name={APPS.process}>{APPS.ownProcess}</Fact>
        <Fact name={APPS.sidecar}>{fill(TAPS.notOurs, { side: side(sidecarUrl, sidecarAnswers) })}</Fact>
        <Fact name={APPS.address}>{side(appUrl, appAnswers)}</Fact>
        <Fact name={APPS.subscriptions}>
          {subscriptions.length === 0 ? (
            TAPS.noneSeen
          ) : (
            <ul className={css.topics}>
              {subscriptions.map(({ topic, pubsubname }) => (
                <li key={`${pubsubname} ${topic}`}>
                  <Link href={messagesOf(topic, pubsubname)}>
                    {fill(APPS.topicOf, { topic, pubsub: pubsubname })}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Fact>
      </dl>
      <ProblemList
        problems={problems.map((message) => ({ message, severity: 'warning' as const }))}
        label={fill(TAPS.problems, { app: appId })}
      />
    </section>
  );
}

function messagesOf(topic: string, pubsubname: string): string {
  const filter = `topic:${filterValue(topic)} pubsub:${filterValue(pubsubname)} is:tapped`;
  return `/messages?f=${addressPart(filter)}`;
}
