/** One act for every delivery of the filter, if there are several. */
import type { ReactElement } from 'react';
import type { RouterAct } from '../../../core/contract/event-router/local-router.ts';
import { ROUTER_ACTS, ROUTER_ACT_FROM } from '../../../core/contract/event-router/words.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { ROUTER_ACT_TITLES, ROUTER_DELIVERIES } from './copy/local-router.ts';
import { count } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import type { RouterListing } from './state.ts';
import css from './EventRouter.module.css';
import { useRouterActs } from './use-router-acts.ts';

/** Buttons, shown only if a state is chosen, because the effect on a mixture cannot be seen. */
export function BulkActs({
  listing,
  total,
}: {
  readonly listing: RouterListing;
  readonly total: number;
}): ReactElement | null {
  const { call } = useConsole();
  const { away, ask, isPending } = useRouterActs();
  const [state] = listing.states ?? [];
  if (state === undefined || total < 2) return null;
  const possible = ROUTER_ACTS.filter((act) => ROUTER_ACT_FROM[act].includes(state));
  const does = (act: RouterAct): void => {
    const title = fill(ROUTER_DELIVERIES.all, { act: ROUTER_ACT_TITLES[act], n: count(total) });
    const { text } = listing;
    ask({ title, text: fill(ROUTER_DELIVERIES.allQuestion, { n: count(total) }) }, `all ${act}`, async () => {
      const matching = { states: [state], ...withoutUndefined({ text }) };
      const { changed } = await call('eventRouter.act', { act, matching });
      return fill(ROUTER_DELIVERIES.allDone, { act: ROUTER_ACT_TITLES[act], n: count(changed) });
    });
  };
  return (
    <div role="group" aria-label={ROUTER_DELIVERIES.bulk} className={css.head}>
      {possible.map((act) => (
        <Button key={act} off={away} pending={isPending(`all ${act}`)} onClick={() => does(act)}>
          {fill(ROUTER_DELIVERIES.all, { act: ROUTER_ACT_TITLES[act], n: count(total) })}
        </Button>
      ))}
    </div>
  );
}
