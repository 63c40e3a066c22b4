/** The served subscriptions as fields, synchronised with their JSON. */
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { Problem, RouteRule, WireSubscription } from '../../../core/contract/subscription.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { fill } from '../../copy/fill.ts';
import { SERVED } from '../../copy/mock-app.ts';
import { firstPubsub, pubsubsOf } from '../../format/component.ts';
import { fieldProblems } from '../../format/served-problems.ts';
import { useConsole, useResource } from '../../state/context.ts';
import css from './MockApp.module.css';

export interface SubscriptionFormProps {
  /** The mock app that serves them. */
  readonly appId: string;
  readonly subscriptions: readonly WireSubscription[];
  /** Problems that the host found in them, until they are edited. */
  readonly problems: readonly Problem[];
  readonly onChange: (subscriptions: readonly WireSubscription[]) => void;
}

/** An id for each row. `known` are those of the rows that were left by the last removal. */
function rowIds(known: readonly number[], rows: number): readonly number[] {
  const next = Math.max(0, ...known) + 1;
  return Array.from({ length: rows }, (_, index) => known[index] ?? next + index);
}

/** The fields; a new subscription is added at the end. */
export function SubscriptionForm(props: SubscriptionFormProps): ReactElement {
  const { appId, subscriptions, problems, onChange } = props;
  const { topology } = useConsole();
  const { value: components } = useResource(topology.components);
  const [left, setLeft] = useState<readonly number[]>([]);
  // The text of a field stays with its row, so no row takes the place of a removed one.
  const ids = rowIds(left, subscriptions.length);
  const items = components?.items ?? [];
  const pubsubs = pubsubsOf(items, appId).map(({ name }) => name);
  const first = firstPubsub(items, appId)?.name ?? '';
  return (
    <div className={css.form}>
      {subscriptions.map((one, index) => (
        <One
          key={ids[index]}
          one={one}
          n={index + 1}
          pubsubs={pubsubs}
          errorAt={fieldProblems(problems, index + 1)}
          onChange={(next) => onChange(subscriptions.with(index, next))}
          onRemove={() => {
            setLeft(ids.toSpliced(index, 1));
            onChange(subscriptions.toSpliced(index, 1));
          }}
        />
      ))}
      <div>
        <Button
          icon={Plus}
          onClick={() =>
            onChange([...subscriptions, { pubsubname: first, topic: '', routes: { default: '/' } }])
          }
        >
          {SERVED.add}
        </Button>
      </div>
    </div>
  );
}

interface OneProps {
  readonly one: WireSubscription;
  readonly n: number;
  readonly pubsubs: readonly string[];
  /** What is wrong with a member of the JSON. */
  readonly errorAt: (member: string) => string | undefined;
  readonly onChange: (one: WireSubscription) => void;
  readonly onRemove: () => void;
}

function One({ one, n, pubsubs, errorAt, onChange, onRemove }: OneProps): ReactElement {
  const { metadata, deadLetterTopic } = one;
  const isRaw = metadata?.['rawPayload'] === 'true';
  return (
    <fieldset className={css.step}>
      <legend className={css.stepHead}>
        <span>{fill(SERVED.one, { n })}</span>
        <IconButton icon={Trash2} label={fill(SERVED.remove, { n })} onClick={onRemove} />
      </legend>
      <div className={css.two}>
        <TextField
          label={SERVED.pubsub}
          mono
          value={one.pubsubname}
          error={errorAt('pubsubname')}
          suggestions={pubsubs}
          onChange={(pubsubname) => onChange({ ...one, pubsubname })}
        />
        <TextField
          label={SERVED.topic}
          mono
          value={one.topic}
          error={errorAt('topic')}
          onChange={(topic) => onChange({ ...one, topic })}
        />
        <TextField
          label={SERVED.default}
          mono
          value={one.routes?.default ?? one.route ?? ''}
          error={errorAt('routes')}
          onChange={(path) => onChange(withDefault(one, path))}
        />
        <TextField
          label={SERVED.deadLetter}
          mono
          value={deadLetterTopic ?? ''}
          error={errorAt('deadLetterTopic')}
          onChange={(topic) =>
            onChange(without({ ...one, deadLetterTopic: topic }, 'deadLetterTopic', topic === ''))
          }
        />
      </div>
      <Rules
        rules={one.routes?.rules ?? []}
        errorAt={errorAt}
        onChange={(rules) => onChange(withRules(one, rules))}
      />
      <div className={css.two}>
        <Checkbox
          label={SERVED.raw}
          checked={isRaw}
          onChange={(isOn) => {
            const { rawPayload: _raw, ...rest } = metadata ?? {};
            const next = isOn ? { ...rest, rawPayload: 'true' } : rest;
            onChange(without({ ...one, metadata: next }, 'metadata', Object.keys(next).length === 0));
          }}
        />
        <Bulk one={one} onChange={onChange} />
      </div>
    </fieldset>
  );
}

function Bulk({ one, onChange }: Pick<OneProps, 'one' | 'onChange'>): ReactElement {
  const { bulkSubscribe } = one;
  const isOn = bulkSubscribe !== undefined && bulkSubscribe !== null && bulkSubscribe.enabled !== false;
  const set = (name: 'maxMessagesCount' | 'maxAwaitDurationMs', value: number | undefined): void => {
    const { [name]: _old, ...rest } = bulkSubscribe ?? {};
    onChange({ ...one, bulkSubscribe: value === undefined ? rest : { ...rest, [name]: value } });
  };
  return (
    <>
      <Checkbox
        label={SERVED.bulk}
        checked={isOn}
        onChange={(next) =>
          onChange(
            without({ ...one, bulkSubscribe: { ...bulkSubscribe, enabled: true } }, 'bulkSubscribe', !next),
          )
        }
      />
      {isOn && (
        <>
          <WholeNumber
            label={SERVED.maxMessages}
            value={bulkSubscribe.maxMessagesCount}
            onChange={(n) => set('maxMessagesCount', n)}
          />
          <WholeNumber
            label={SERVED.maxAwait}
            value={bulkSubscribe.maxAwaitDurationMs}
            onChange={(n) => set('maxAwaitDurationMs', n)}
          />
        </>
      )}
    </>
  );
}

interface WholeNumberProps {
  readonly label: string;
  /** The number of the JSON; undefined: it has none. */
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** A field for a number of the JSON. A text that is no number stays with its mistake, and the JSON keeps its number. */
function WholeNumber({ label, value, onChange }: WholeNumberProps): ReactElement {
  const [text, setText] = useState(String(value ?? ''));
  const [shown, setShown] = useState(value);
  const typed = text.trim();
  const isGood = typed === '' || /^\d+$/.test(typed);
  const read = typed === '' ? undefined : Number(typed);
  if (shown !== value) {
    setShown(value);
    if (!isGood || read !== value) setText(String(value ?? ''));
  }
  return (
    <TextField
      label={label}
      inputMode="numeric"
      error={isGood ? undefined : SERVED.badNumber}
      data-unread={isGood ? undefined : ''}
      value={text}
      onChange={(next) => {
        setText(next);
        const wanted = next.trim();
        if (wanted === '') onChange(undefined);
        else if (/^\d+$/.test(wanted)) onChange(Number(wanted));
      }}
    />
  );
}

interface RulesProps extends Pick<OneProps, 'errorAt'> {
  readonly rules: readonly RouteRule[];
  readonly onChange: (rules: readonly RouteRule[]) => void;
}

function Rules({ rules, errorAt, onChange }: RulesProps): ReactElement {
  const move = (from: number, to: number): void => {
    const rule = rules[from];
    if (rule !== undefined) onChange(rules.toSpliced(from, 1).toSpliced(to, 0, rule));
  };
  return (
    <>
      {rules.map((rule, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two may be alike while they are typed
        <div key={index} className={css.row}>
          <TextField
            label={fill(SERVED.match, { n: index + 1 })}
            mono
            value={rule.match ?? ''}
            error={errorAt(`routes.rules[${index}].match`)}
            onChange={(match) => onChange(rules.with(index, { ...rule, match }))}
          />
          <TextField
            label={fill(SERVED.path, { n: index + 1 })}
            mono
            value={rule.path}
            error={errorAt(`routes.rules[${index}].path`)}
            onChange={(path) => onChange(rules.with(index, { ...rule, path }))}
          />
          <span className={css.ends}>
            <IconButton
              icon={ArrowUp}
              label={fill(SERVED.ruleUp, { n: index + 1 })}
              off={index === 0 ? SERVED.first : undefined}
              onClick={() => move(index, index - 1)}
            />
            <IconButton
              icon={ArrowDown}
              label={fill(SERVED.ruleDown, { n: index + 1 })}
              off={index === rules.length - 1 ? SERVED.last : undefined}
              onClick={() => move(index, index + 1)}
            />
            <IconButton
              icon={Trash2}
              label={fill(SERVED.ruleRemove, { n: index + 1 })}
              onClick={() => onChange(rules.toSpliced(index, 1))}
            />
          </span>
        </div>
      ))}
      <div>
        <Button icon={Plus} onClick={() => onChange([...rules, { match: '', path: '/' }])}>
          {SERVED.addRule}
        </Button>
      </div>
    </>
  );
}

function withDefault({ route: _route, ...one }: WireSubscription, path: string): WireSubscription {
  const { default: _old, ...rest } = one.routes ?? {};
  return { ...one, routes: path === '' ? rest : { ...rest, default: path } };
}

function withRules({ route, ...one }: WireSubscription, rules: readonly RouteRule[]): WireSubscription {
  const { rules: _old, ...rest } = one.routes ?? (route === undefined ? {} : { default: route });
  return { ...one, routes: rules.length === 0 ? rest : { ...rest, rules } };
}

/** The subscription without a member that has no effect. */
function without(
  one: WireSubscription,
  name: 'metadata' | 'bulkSubscribe' | 'deadLetterTopic',
  isEmpty: boolean,
): WireSubscription {
  if (!isEmpty) return one;
  const { [name]: _gone, ...rest } = one;
  return { ...rest, pubsubname: one.pubsubname, topic: one.topic };
}
