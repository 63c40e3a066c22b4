/** The list without a match for its filter, with advice. */
import { useEffect, useState, type ReactElement } from 'react';
import type { Result } from '../../../core/contract/console.ts';
import { Button } from '../../components/Button.tsx';
import { Empty } from '../../components/States.tsx';
import { LIST } from '../../copy/messages.ts';
import { fill } from '../../copy/fill.ts';
import { hereOf, hereText } from '../../format/since-here.ts';
import { withKnownTopics } from '../../format/topic-case.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './MessageList.module.css';

/** The answer of the host about a filter; undefined: not known yet. */
function useCheck(filter: string): Result<'filter.check'> | undefined {
  const { call } = useConsole();
  const [known, setKnown] = useState<{ readonly filter: string } & Result<'filter.check'>>();
  useEffect(() => {
    let isCurrent = true;
    call('filter.check', { filter }).then(
      (check) => isCurrent && setKnown({ filter, ...check }),
      // Nothing is known without an answer, which the connection bar reports.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [call, filter]);
  return known?.filter === filter ? known : undefined;
}

export interface NoMatchProps {
  /** False: the text of the filter field cannot be read, so the list is that of the filter before. */
  readonly isFilterRead: boolean;
}

/** Shows the text and its buttons. A filter with a mistake was not applied, so nothing is said about its matches. */
export function NoMatch({ isFilterRead }: NoMatchProps): ReactElement {
  const console = useConsole();
  const appId = useSelected(console.ui, (state) => state.appId);
  const filter = useParam('f') ?? '';
  const { value: topics } = useResource(console.topology.topics);
  const { error: mistake, meant: checked } = useCheck(filter) ?? {};
  const names = (topics?.items ?? []).map(({ topic }) => topic);
  const meant = checked ?? (mistake === undefined ? withKnownTopics(filter, names) : undefined);
  // The field explains its own mistake, and a hint for the filter before would be taken for one about that.
  if (!isFilterRead && mistake === undefined) return <Empty title={LIST.noneUnread} />;
  const here = hereOf(filter);
  const none = here === undefined ? LIST.noneByFilter : fill(LIST.noneSince, { time: hereText(here) });
  return (
    <Empty title={mistake?.message ?? none}>
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
