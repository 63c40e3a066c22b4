/** The Holds screen: the rules that hold, and what they hold now. */
import { Pencil, Play, Plus, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import type { HeldItem, Hold } from '../../../core/contract/hold.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Tick } from '../../components/Fields.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { ACTS, ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { HOLDS, HOLD_EDITOR } from '../../copy/holds.ts';
import { count, duration } from '../../format/quantity.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import type { Console } from '../../state/console.ts';
import { HELD_FILTER } from '../../state/holds.ts';
import page from '../page.module.css';
import { HeldGrid, releaseHeld } from './HeldGrid.tsx';
import css from './Holds.module.css';

const POINTS: Readonly<Record<Hold['at'], string>> = {
  publish: HOLDS.atPublish,
  delivery: HOLDS.atDelivery,
  response: HOLDS.atResponse,
};

/** Rules on the left, queue on the right. */
export function HoldsView(): ReactElement {
  const console = useConsole();
  const { acting, commands, holds } = console;
  const away = useAway(ACT_WHY.away);
  const { value: queue, status, failure } = useResource(holds.queue);
  const held = queue?.total ?? 0;
  const off = away ?? (held === 0 ? HOLDS.nothingHeld : undefined);
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{HOLDS.title}</h1>
        <span className={page.space} />
        <Button
          icon={Play}
          off={off}
          onClick={() => {
            const next = queue?.items[0];
            if (next !== undefined) releaseHeld(console, next);
          }}
        >
          {HOLDS.releaseNext}
        </Button>
        <Button off={off} onClick={() => releaseAll(console, queue?.items ?? [], held)}>
          {fill(HOLDS.releaseAll, { n: count(held) })}
        </Button>
        <Button off={off} onClick={() => void acting.actOnFilter('drop', HELD_FILTER)}>
          {HOLDS.dropAll}
        </Button>
        <Button icon={Plus} kind="primary" off={away} onClick={() => commands.open({ kind: 'hold' })}>
          {HOLDS.add}
        </Button>
      </div>
      <div className={css.parts}>
        <RuleList />
        <section className={css.queue} aria-label={fill(HOLDS.queueHead, { n: '' })}>
          <h2>{fill(HOLDS.queueHead, { n: count(held) })}</h2>
          {queue === undefined && status === 'failed' && (
            <Failed
              text={fill(HOLDS.failed, { message: failure?.message.replace(/\.$/, '') })}
              again={() => void holds.queue.refresh()}
            />
          )}
          {queue === undefined && status !== 'failed' && <Loading text={HOLDS.loading} />}
          {queue !== undefined && held === 0 && <p className={css.muted}>{HOLDS.empty}</p>}
          {queue !== undefined && held > 0 && <HeldGrid items={queue.items} total={queue.total} />}
        </section>
      </div>
    </div>
  );
}

/** Messages and deliveries by filter; answers, which no filter names, by their ids. */
function releaseAll(console: Console, items: readonly HeldItem[], n: number): void {
  const { acting, call, commands, holds } = console;
  const answers = items.flatMap(({ heldAt, deliveryId }) =>
    heldAt === 'response' && deliveryId !== undefined ? [deliveryId] : [],
  );
  commands.open({
    kind: 'confirm',
    question: {
      title: HOLDS.releaseAllTitle,
      text: fill(HOLDS.releaseAllText, { n: count(n) }),
      yes: ACTS.release,
      danger: false,
      run: () =>
        void acting.say('release', async () => {
          const { changed } = await call('deliveries.release', { filter: HELD_FILTER });
          const more =
            answers.length === 0 ? 0 : (await call('deliveries.release', { deliveryIds: answers })).changed;
          await holds.queue.refresh();
          return fill(HOLDS.releasedN, { n: count(changed + more) });
        }),
    },
  });
}

function RuleList(): ReactElement {
  const { holds } = useConsole();
  const { value } = useResource(holds.rules);
  const rules = value?.items ?? [];
  return (
    <section className={css.rules} aria-label={HOLDS.rules}>
      <h2>{HOLDS.rulesHead}</h2>
      {value !== undefined && rules.length === 0 && <p className={css.muted}>{HOLDS.noRules}</p>}
      <ul aria-label={HOLDS.rules} className={css.list}>
        {rules.map((hold) => (
          <Rule key={hold.holdId} hold={hold} />
        ))}
      </ul>
    </section>
  );
}

function Rule({ hold }: { readonly hold: Hold }): ReactElement {
  const { acting, call, commands, holds } = useConsole();
  const away = useAway(ACT_WHY.away);
  const name = hold.name ?? (hold.filter === '' ? HOLDS.everything : hold.filter);
  const facts = [
    POINTS[hold.at],
    hold.filter === '' ? HOLDS.everything : hold.filter,
    ...(hold.times === undefined ? [] : [fill(HOLDS.next, { n: hold.times })]),
    ...(hold.releaseAfterMs === undefined ? [] : [fill(HOLDS.after, { t: duration(hold.releaseAfterMs) })]),
    fill(HOLDS.caught, { n: count(hold.hits) }),
  ];

  function update(work: () => Promise<unknown>, done: string | undefined): void {
    void acting.say('hold', async () => {
      await work();
      await holds.rules.refresh();
      return done;
    });
  }

  return (
    <li className={css.rule}>
      <Tick
        isSwitch
        bare
        label={fill(HOLDS.enable, { name })}
        checked={hold.enabled}
        onChange={(enabled) =>
          update(() => call('holds.update', { holdId: hold.holdId, enabled }), undefined)
        }
      />
      <div className={css.about}>
        <strong>{name}</strong>
        <span className={css.muted}>{facts.join(' · ')}</span>
      </div>
      <IconButton
        icon={Pencil}
        label={HOLDS.edit}
        off={away}
        onClick={() => commands.open({ kind: 'hold', holdId: hold.holdId })}
      />
      <IconButton
        icon={Trash2}
        label={HOLDS.remove}
        off={away}
        onClick={() => update(() => call('holds.remove', { holdId: hold.holdId }), HOLD_EDITOR.removed)}
      />
    </li>
  );
}
