/** Breakpoints in the embedded router's queue: which events wait there for a person. */
import { Plus, X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { SubscriptionFilter } from '../../../core/contract/event-router/wire.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { TextField } from '../../components/Fields.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { RefusedForm } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { fill } from '../../copy/fill.ts';
import { BREAKPOINTS, ROUTER_DELIVERIES } from './copy/local-router.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';
import { useRouterActs } from './use-router-acts.ts';

/** The list, and a form for a new one. */
export function BreakpointsPanel(): ReactElement {
  const { eventRouter } = useConsole();
  return (
    <Panel title={BREAKPOINTS.title}>
      <p className={css.muted}>{BREAKPOINTS.hint}</p>
      <Known of={eventRouter.breakpoints} loading={ROUTER_DELIVERIES.loading} failed={BREAKPOINTS.failed}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={css.muted}>{BREAKPOINTS.none}</p>
          ) : (
            <ul aria-label={BREAKPOINTS.title}>
              {items.map((each) => (
                <One key={each.breakpointId} id={each.breakpointId} filter={each.filter} />
              ))}
            </ul>
          )
        }
      </Known>
      <AddForm />
    </Panel>
  );
}

/** The filter in words if this form made it; else as JSON. */
function wordsOf(filter: SubscriptionFilter): string {
  const { includedEventTypes = [], subjectBeginsWith, advancedFilters, subjectEndsWith } = filter;
  if (advancedFilters !== undefined || subjectEndsWith !== undefined) return JSON.stringify(filter);
  const types = includedEventTypes.length === 0 ? BREAKPOINTS.anyType : includedEventTypes.join(', ');
  return subjectBeginsWith === undefined
    ? fill(BREAKPOINTS.types, { types })
    : fill(BREAKPOINTS.typesAndSubject, { types, subject: subjectBeginsWith });
}

function One({ id, filter }: { readonly id: string; readonly filter: SubscriptionFilter }): ReactElement {
  const { call } = useConsole();
  const { away, run } = useRouterActs();
  const name = wordsOf(filter);
  return (
    <li className={css.check}>
      <bdi>{name}</bdi>
      <IconButton
        icon={X}
        label={fill(BREAKPOINTS.remove, { name })}
        off={away}
        onClick={() =>
          run('breakpoint', async () => {
            await call('eventRouter.breakpoints', { remove: id });
            return BREAKPOINTS.removed;
          })
        }
      />
    </li>
  );
}

function AddForm(): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const [types, changeTypes] = useLeftState('types of a breakpoint', '');
  const [subject, changeSubject] = useLeftState('subject of a breakpoint', '');
  const refused = useRefused(['add.includedEventTypes', 'add.subjectBeginsWith']);
  const add = async (): Promise<string> => {
    const wanted = types.split(/[\s,]+/).filter((type) => type !== '');
    await call('eventRouter.breakpoints', {
      add: {
        ...(wanted.length === 0 ? {} : { includedEventTypes: wanted }),
        ...(subject === '' ? {} : { subjectBeginsWith: subject }),
      },
    });
    changeTypes((now) => (now === types ? '' : now));
    changeSubject((now) => (now === subject ? '' : now));
    return BREAKPOINTS.added;
  };
  return (
    <RefusedForm refused={refused} className={css.fields}>
      <TextField
        label={BREAKPOINTS.typeField}
        error={refused.at('add.includedEventTypes')}
        placeholder={BREAKPOINTS.anyType}
        value={types}
        onChange={(next) => changeTypes(() => next)}
      />
      <TextField
        label={BREAKPOINTS.subjectField}
        error={refused.at('add.subjectBeginsWith')}
        value={subject}
        onChange={(next) => changeSubject(() => next)}
      />
      <Button
        icon={Plus}
        off={away}
        pending={isPending('breakpoint')}
        onClick={() => run('breakpoint', add, refused)}
      >
        {BREAKPOINTS.add}
      </Button>
    </RefusedForm>
  );
}
