/** The filter that was probably meant, as a button that applies it. */
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { LIST } from '../../copy/messages.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { useMembers } from '../../state/store.ts';
import css from './MessageList.module.css';
import { useMeantByAll } from './use-meant.ts';

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

/**
 * A line above a list from which its filter leaves nothing out, if another filter was probably meant: `NOT processed` is a text that no payload
 * has. The region is there before its text, so that the text is read out.
 */
export function NothingLeftOut(): ReactElement {
  const { messages } = useConsole();
  const { total, filter, isOpening, groupBy } = useMembers(
    messages.store,
    'total',
    'filter',
    'isOpening',
    'groupBy',
  );
  const asked = useParam('f') ?? '';
  const isList = total > 0 && !isOpening && groupBy === '' && asked === filter;
  const meant = useMeantByAll(isList ? filter : '');
  return (
    <p className={css.meant} role="status">
      {meant !== undefined && (
        <>
          {LIST.nothingLeftOut} <MeantFilter meant={meant} />
        </>
      )}
    </p>
  );
}
