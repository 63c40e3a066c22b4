/** The list without a match for its filter, with advice. */
import { useRef, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { Empty } from '../../components/States.tsx';
import { LIST } from '../../copy/messages.ts';
import { fill } from '../../copy/fill.ts';
import { hereOf, hereText } from '../../format/since-here.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { MeantFilter } from './MeantFilter.tsx';
import css from './MessageList.module.css';
import { useCovered } from './use-covered.ts';
import { useMeant } from './use-meant.ts';

export interface NoMatchProps {
  /** False: the text of the filter field cannot be read, so the list is that of the filter before. */
  readonly isFilterRead: boolean;
  /** True: the field has another text than the address, which is not applied. */
  readonly isFilterTyped: boolean;
  /** Mistake for which the host refused the filter; undefined: the filter was applied. */
  readonly refused?: string | undefined;
}

/** Shows the text and its buttons. A filter with a mistake was not applied, so nothing is said about its matches. */
export function NoMatch({ isFilterRead, isFilterTyped, refused }: NoMatchProps): ReactElement {
  const console = useConsole();
  const appId = useSelected(console.ui, (state) => state.appId);
  const filter = useParam('f') ?? '';
  const { error, meant } = useMeant(filter) ?? {};
  const part = useRef<HTMLDivElement>(null);
  const coveredPx = useCovered(part, isFilterRead);
  // The refusal comes before the answer about the filter, which may name the mistake better.
  const mistake = error?.message ?? refused;
  // The field explains its own mistake, and what is said of the filter before would be taken for that of this one.
  if (!isFilterRead && (isFilterTyped || mistake === undefined))
    return (
      <div ref={part} style={{ paddingBlockStart: coveredPx }}>
        <Empty title={LIST.noneUnread} />
      </div>
    );
  const here = hereOf(filter);
  const none = here === undefined ? LIST.noneByFilter : fill(LIST.noneSince, { time: hereText(here) });
  return (
    <div ref={part} style={{ paddingBlockStart: coveredPx }}>
      <Empty title={mistake ?? none}>
        {meant !== undefined && (
          <p>
            <MeantFilter meant={meant} />
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
    </div>
  );
}
