/** The filter that was probably meant, as a button that applies it. */
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { LIST } from '../../copy/messages.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { useMembers } from '../../state/store.ts';
import css from './MessageList.module.css';
import { useMeant, useMeantByAll, useMeantStatus } from './use-meant.ts';

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
 * A line above a list from which its filter leaves nothing out, if another filter was probably meant: `NOT processed` is
 * a text that no payload has. It also stands above the messages that have a text such as `404` somewhere, if answers had
 * this status. The region is there before its text, so that the text is read out.
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
  const applied = isList ? filter : '';
  const other = useMeant(applied)?.meant;
  const meant = useMeantByAll(applied, other);
  const status = useMeantStatus(applied, other);
  return (
    <p className={css.meant} role="status">
      {meant !== undefined && (
        <>
          {LIST.nothingLeftOut} <MeantFilter meant={meant} />
        </>
      )}
      {meant === undefined && status !== undefined && (
        <>
          {fill(LIST.foundAsText, { text: filter.trim() })} <MeantFilter meant={status} />
        </>
      )}
    </p>
  );
}
