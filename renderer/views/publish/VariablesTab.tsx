/** Variables: the user's own, the built-in ones, and the data with them. */
import type { ReactElement } from 'react';
import type { PublishParams } from '../../../core/contract/publish.ts';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { RefusedForm } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { VARIABLES } from '../../copy/saved.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import type { Pair } from '../../state/publish-drafts.ts';
import { firstMistake, pairMistakes } from './pair-mistakes.ts';
import { Pairs } from './Pairs.tsx';
import { ResolvedData } from './RequestPreview.tsx';
import css from './SingleForm.module.css';

/** The saved variables as rows. Their ids are below 0, because those of added rows count up from 1. */
function savedPairs(variables: Readonly<Record<string, string>> = {}): readonly Pair[] {
  return Object.entries(variables).map(([key, value], n) => ({ id: -1 - n, key, value }));
}

/**
 * The panel.
 * @param request request of the form, with variables
 */
export function VariablesTab({ request }: { readonly request: PublishParams }): ReactElement {
  const { call, drafts, saved } = useConsole();
  const refused = useRefused();
  const away = useAway(ACT_WHY.away);
  const { value } = useResource(saved.requests);
  const [edited, changeEdited] = useLeftState<readonly Pair[] | undefined>('variables', undefined);
  const pairs = edited ?? savedPairs(value?.variables);

  const mistakes = pairMistakes(pairs);

  function edit(next: readonly Pair[]): void {
    refused.clear();
    changeEdited(() => next);
  }

  function store(): void {
    void refused.run('requests.variables', async () => {
      const named = pairs.filter(({ key }) => key !== '');
      await call('requests.variables', {
        variables: Object.fromEntries(named.map(({ key, value: text }) => [key, text])),
      });
      await saved.requests.refresh();
      // What was typed before the host answered is still to be saved.
      changeEdited((now) => (now === pairs ? undefined : now));
      return VARIABLES.stored;
    });
  }

  return (
    <div className={css.panel}>
      <h3>{VARIABLES.own}</h3>
      <RefusedForm refused={refused} className={css.whole}>
        <Pairs pairs={pairs} add={VARIABLES.add} nextId={drafts.nextId} mistakes={mistakes} onChange={edit} />
      </RefusedForm>
      {edited !== undefined && (
        <Button kind="primary" off={away ?? firstMistake(mistakes)} pending={refused.pending} onClick={store}>
          {VARIABLES.store}
        </Button>
      )}
      <h3>{VARIABLES.preview}</h3>
      <ResolvedData request={request} variables={value?.variables} />
      <h3>{VARIABLES.help}</h3>
      <p className={css.muted}>{VARIABLES.escape}</p>
      <DataTable
        dense
        label={VARIABLES.help}
        columns={[VARIABLES.word, VARIABLES.meaning]}
        rows={VARIABLES.rows.map(([word, meaning]) => ({
          id: word,
          cells: [<code key="w">{word}</code>, meaning],
        }))}
      />
    </div>
  );
}
