/** The path that an event of some type would take, without publishing anything. */
import { useEffect, useState, type ReactElement } from 'react';
import type { RouteExplanation } from '../../../core/contract/console.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { Choice } from '../../components/Choice.tsx';
import { TextField } from '../../components/Fields.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { ROUTE } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { ROUTE_TESTER } from '../../copy/topics.ts';
import { routeSentence } from '../../components/detail/RouteTab.tsx';
import { useConsole, useOpenings, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import page from '../page.module.css';
import css from './Subscriptions.module.css';

const REST_MS = 150;

type RoutesResult = { readonly failure: string } | { readonly explained: readonly RouteExplanation[] };

/** Loads the routes after a pause in typing; undefined without a topic. */
function useRoutes(pubsubname: string, topic: string, type: string): RoutesResult | undefined {
  const { call } = useConsole();
  const openings = useOpenings();
  const [told, setTold] = useState<RoutesResult>();
  useEffect(() => {
    let isCurrent = true;
    if (topic === '' || pubsubname === '') {
      setTold(undefined);
      return undefined;
    }
    const timer = setTimeout(() => {
      const event = { specversion: '1.0', id: '1', source: ROUTE_TESTER.source, type };
      call('routes.explain', { pubsubname, topic, event }).then(
        ({ subscriptions }) => isCurrent && setTold({ explained: subscriptions }),
        (reason: unknown) => isCurrent && setTold({ failure: asFailure(reason).message }),
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [call, openings, pubsubname, topic, type]);
  return told;
}

/** Three fields, and a sentence for each subscription. */
export function RouteTester(): ReactElement {
  const { topology } = useConsole();
  const { value } = useResource(topology.components);
  // Valid components come first, because an invalid file is not what a person wants to try.
  const pubsubs = (value?.items ?? [])
    .filter(({ kind }) => kind === 'pubsub')
    .toSorted((a, b) => Number(b.state === 'ready') - Number(a.state === 'ready'))
    .map(({ name }) => name);
  const [chosen, changeChosen] = useLeftState('component of a tried event', '');
  const [topic, changeTopic] = useLeftState('topic of a tried event', '');
  const [type, changeType] = useLeftState('type of a tried event', '');
  const { value: subscribed } = useResource(topology.subscriptions);
  // The component of the topic's subscription is used until one is chosen.
  const own = subscribed?.items.find((row) => row.topic === topic.trim())?.pubsubname;
  const pubsubname = pubsubs.includes(chosen) ? chosen : (own ?? pubsubs[0] ?? '');
  const result = useRoutes(pubsubname, topic.trim(), type.trim());
  return (
    <section aria-label={ROUTE_TESTER.title} className={page.box}>
      <h2>{ROUTE_TESTER.title}</h2>
      <p className={page.muted}>{ROUTE_TESTER.hint}</p>
      <div className={css.tester}>
        <div className={css.labelled}>
          <span aria-hidden>{ROUTE_TESTER.component}</span>
          <Choice
            wide
            label={ROUTE_TESTER.component}
            value={pubsubname}
            options={[...new Set(pubsubs)].map((name) => ({ value: name, title: name }))}
            onChange={(next) => changeChosen(() => next)}
          />
        </div>
        <TextField
          mono
          label={ROUTE_TESTER.topic}
          value={topic}
          onChange={(next) => changeTopic(() => next)}
        />
        <TextField mono label={ROUTE_TESTER.type} value={type} onChange={(next) => changeType(() => next)} />
      </div>
      <div role="status">{result === undefined ? '' : <Answer result={result} topic={topic.trim()} />}</div>
    </section>
  );
}

function Answer({ result, topic }: { readonly result: RoutesResult; readonly topic: string }): ReactElement {
  if ('failure' in result)
    return <p className={page.problem}>{fill(ROUTE.failed, { message: clause(result.failure) })}</p>;
  if (result.explained.length === 0) return <p>{fill(ROUTE_TESTER.none, { topic })}</p>;
  return (
    <ul>
      {result.explained.map((each) => (
        <li key={`${each.appId} ${each.source} ${each.topic}`}>
          <bdi>{each.appId}</bdi>: {routeSentence(each)}
        </li>
      ))}
    </ul>
  );
}
