/** The list without a match for its filter, with advice. */
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { Empty } from '../../components/States.tsx';
import { LIST } from '../../copy/messages.ts';
import { fill } from '../../copy/fill.ts';
import { meantFilter } from '../../format/filter-words.ts';
import { clockSeconds } from '../../format/clock-time.ts';
import { hereOf } from '../../format/since-here.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './MessageList.module.css';

/** Shows the text and its buttons. */
export function NoMatch(): ReactElement {
  const console = useConsole();
  const appId = useSelected(console.ui, (state) => state.appId);
  const filter = useParam('f') ?? '';
  const meant = meantFilter(filter);
  const here = hereOf(filter);
  return (
    <Empty
      title={here === undefined ? LIST.noneByFilter : fill(LIST.noneSince, { time: clockSeconds(here) })}
    >
      {meant !== undefined && (
        <p>
          {LIST.didYouMean}{' '}
          <Button onClick={() => console.navigation.change({ f: meant })}>
            <code>{meant}</code>
          </Button>
          ?
        </p>
      )}
      <div className={css.actions}>
        {filter !== '' && (
          <Button onClick={() => console.navigation.change({ f: undefined })}>{LIST.clearFilter}</Button>
        )}
        {appId !== '' && (
          <Button onClick={() => console.ui.setState({ appId: '' })}>{LIST.searchAllApps}</Button>
        )}
      </div>
    </Empty>
  );
}
