/** The filter that was probably meant, as a button that applies it. */
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { LIST } from '../../copy/messages.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import css from './MessageList.module.css';
import { useMeant } from './use-meant.ts';

/** "Did you mean", and the filter. */
export function MeantFilter({ meant }: { readonly meant: string }): ReactElement {
  const { navigation } = useConsole();
  return (
    <>
      {LIST.didYouMean}{' '}
      <Button onClick={() => navigation.change({ f: meant })}>
        <code>{meant}</code>
      </Button>
      ?
    </>
  );
}

/** A line above a list from which its filter leaves nothing out, if another filter was probably meant: `NOT processed` is a text that no payload has. */
export function NothingLeftOut(): ReactElement | null {
  const { connection, messages } = useConsole();
  const { total, filter, progress, isOpening, groupBy } = useMembers(
    messages.store,
    'total',
    'filter',
    'progress',
    'isOpening',
    'groupBy',
  );
  const kept = useSelected(connection, ({ runtime }) => runtime?.kept);
  const asked = useParam('f') ?? '';
  const isAll = total > 0 && total === kept && progress === undefined && !isOpening && groupBy === '';
  const meant = useMeant(isAll && asked === filter ? filter : '')?.meant;
  if (meant === undefined) return null;
  return (
    <p className={css.sampled} role="status">
      {LIST.nothingLeftOut} <MeantFilter meant={meant} />
    </p>
  );
}
