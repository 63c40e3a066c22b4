/** Acts of the Event router screen: they call, report the result, and load everything again. */
import { ACT_WHY } from '../../copy/acts.ts';
import type { Refused } from '../../components/use-refused.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';

export interface RouterActs {
  /** Why no act is possible now. */
  readonly away: string | undefined;
  isPending(id: string): boolean;
  /** Runs `work` and shows the text that it returns. A refusal stands in the form that it is given, else in a notification. */
  run(id: string, work: () => Promise<string | undefined>, form?: Pick<Refused, 'run'>): void;
  /** Asks a question, then runs the work as `run` does. */
  ask(
    question: { readonly title: string; readonly text: string },
    id: string,
    work: () => Promise<string | undefined>,
  ): void;
}

/** The acts of this window. */
export function useRouterActs(): RouterActs {
  const { acting, commands, eventRouter } = useConsole();
  const away = useAway(ACT_WHY.away);
  const pending = useSelected(commands.store, (state) => state.pending);
  const run: RouterActs['run'] = (id, work, form = acting) => {
    void form.run(`eventRouter.${id}`, async () => {
      try {
        return await work();
      } finally {
        eventRouter.onChange();
      }
    });
  };
  return {
    away,
    isPending: (id) => pending.has(`eventRouter.${id}`),
    run,
    ask: ({ title, text }, id, work) =>
      commands.open({
        kind: 'confirm',
        question: { title, text, yes: title, danger: true, run: () => run(id, work) },
      }),
  };
}
