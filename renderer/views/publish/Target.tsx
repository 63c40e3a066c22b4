/** The target of a publish: component, topic, and the app whose sidecar takes it. */
import type { ReactElement } from 'react';
import { nearest } from '../../../core/contract/nearest.ts';
import { Choice } from '../../components/Choice.tsx';
import { Field, TextField } from '../../components/Fields.tsx';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import { oncePerId } from '../../format/apps.ts';
import { firstPubsub, pubsubsOf } from '../../format/component.ts';
import { count } from '../../format/quantity.ts';
import { useConsole, useResource } from '../../state/context.ts';
import css from './SingleForm.module.css';

export interface TargetValue {
  readonly pubsubname: string;
  readonly topic: string;
  readonly appId: string;
}

export interface TargetProps {
  readonly value: TargetValue;
  /** Mistake of one of the fields, after a try. */
  readonly errorOf?: (field: 'pubsub' | 'topic') => string | undefined;
  readonly onChange: (change: Partial<TargetValue>) => void;
}

/** The component and app that are used if none is chosen. */
export function useTarget(value: TargetValue): TargetValue {
  const { topology } = useConsole();
  const { value: components } = useResource(topology.components);
  const { value: apps } = useResource(topology.apps);
  const appId = value.appId || (apps?.items[0]?.appId ?? '');
  const pubsub = firstPubsub(components?.items ?? [], appId);
  return { ...value, pubsubname: value.pubsubname || (pubsub?.name ?? ''), appId };
}

/** Says that a topic has no subscription, with the one that was probably meant. A number is never a slip: `orders1` and `orders2` are two names. */
function nobodyTakes(
  topic: string,
  known: readonly { readonly topic: string; readonly subscriptions: number }[],
): string {
  const digits = /\d/g;
  const taken = known.flatMap((each) =>
    each.subscriptions > 0 && each.topic.replace(digits, '') !== topic.replace(digits, '') ? each.topic : [],
  );
  const meant = nearest(topic, taken);
  return meant === undefined ? PUBLISH.noSubscription : fill(PUBLISH.noSubscriptionNear, { topic: meant });
}

/** Three fields in a row. */
export function Target({ value, errorOf, onChange }: TargetProps): ReactElement {
  const { topology } = useConsole();
  const { value: components } = useResource(topology.components);
  const { value: topics } = useResource(topology.topics);
  const { value: apps } = useResource(topology.apps);
  const items = components?.items ?? [];
  const own = pubsubsOf(items, value.appId || undefined);
  // What was chosen before stays to be seen, although the sidecar of this app refuses it.
  const pubsubs = pubsubsOf(items).filter((item) => own.includes(item) || item.name === value.pubsubname);
  const known = (topics?.items ?? []).filter(({ pubsubname }) => pubsubname === value.pubsubname);
  const chosen = known.find(({ topic }) => topic === value.topic);
  const subscribed = known
    .toSorted((a, b) => b.subscriptions - a.subscriptions)
    .map(({ subscriptions: n, topic }) => ({
      value: topic,
      note: fill(PUBLISH.topicCount, { n: count(n) }),
    }));
  const hint =
    value.topic === '' || topics === undefined
      ? undefined
      : chosen === undefined || chosen.subscriptions === 0
        ? nobodyTakes(value.topic, known)
        : fill(PUBLISH.subscribedBy, { apps: chosen.apps.join(', ') });
  return (
    <div className={css.target}>
      <Field label={PUBLISH.pubsub} error={errorOf?.('pubsub')}>
        {({ id, describedBy, invalid }) => (
          <Choice
            id={id}
            describedBy={describedBy}
            invalid={invalid}
            label={PUBLISH.pubsub}
            wide
            value={value.pubsubname}
            options={pubsubs.map(({ name, type }) => ({
              value: name,
              title: name,
              note: <code>{type}</code>,
            }))}
            onChange={(pubsubname) => onChange({ pubsubname })}
          />
        )}
      </Field>
      <TextField
        label={PUBLISH.topic}
        mono
        required
        value={value.topic}
        suggestions={subscribed}
        hint={hint}
        error={errorOf?.('topic')}
        onChange={(topic) => onChange({ topic })}
      />
      <Field label={PUBLISH.via} hint={PUBLISH.viaHint}>
        {({ id }) => (
          <Choice
            id={id}
            label={PUBLISH.via}
            wide
            value={value.appId}
            options={oncePerId(apps?.items ?? []).map(({ appId }) => ({ value: appId, title: appId }))}
            onChange={(appId) => onChange({ appId })}
          />
        )}
      </Field>
    </div>
  );
}
