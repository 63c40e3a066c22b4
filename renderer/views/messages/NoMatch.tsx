/** The list without a match for its filter, with advice. */
import { useRef, type ReactElement, type ReactNode } from 'react';
import { Button } from '../../components/Button.tsx';
import { Empty } from '../../components/States.tsx';
import { LIST, VIEWS } from '../../copy/messages.ts';
import { fill } from '../../copy/fill.ts';
import { isExpression } from '../../format/filter-words.ts';
import { count } from '../../format/quantity.ts';
import { hereOf, hereText } from '../../format/since-here.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { MeantFilter } from './MeantFilter.tsx';
import css from './MessageList.module.css';
import { useCovered } from './use-covered.ts';
import { useMeant, useOffered } from './use-meant.ts';

export interface NoMatchProps {
  /** False: the text of the filter field cannot be read, so the list is that of the filter before. */
  readonly isFilterRead: boolean;
  /** True: the field has another text than the address, which is not applied. */
  readonly isFilterTyped: boolean;
  /** Mistake for which the host refused the filter; undefined: the filter was applied. */
  readonly refused?: string | undefined;
}

/** Whether the list is that of the view "Held", of all apps: its tab counts held answers too, whose deliveries are attempting. */
function useIsHeldView(filter: string): boolean {
  const { ui, readOnly } = useConsole();
  const isOfAllApps = useSelected(ui, ({ appId }) => appId === '');
  return isOfAllApps && readOnly === undefined && VIEWS.find((view) => view.filter === filter)?.id === 'held';
}

interface NoneHeldProps {
  /** The text where no answer is held either. */
  readonly none: string;
  readonly children: ReactNode;
}

/** The view "Held" without a message: the held answers, and the way to them. */
function NoneHeld({ none, children }: NoneHeldProps): ReactElement {
  const { holds, navigation } = useConsole();
  const { value } = useResource(holds.queue);
  const answers = value?.items.filter(({ heldAt }) => heldAt === 'response').length ?? 0;
  if (answers === 0) return <Empty title={none}>{children}</Empty>;
  return (
    <Empty title={fill(LIST.heldAnswers, { n: count(answers) })}>
      <Button onClick={() => navigation.go('/holds')}>{LIST.openHolds}</Button>
    </Empty>
  );
}

/**
 * Text of a list in which no message matches.
 * @param isStill true: the list is sorted or paused, so that it has nothing that changed since the marker was set
 */
function noneText(filter: string, isStill: boolean): string {
  const here = hereOf(filter);
  if (here === undefined) return LIST.noneByFilter;
  return fill(isStill ? LIST.noneStill : LIST.noneSince, { time: hereText(here) });
}

/** Shows the text and its buttons. A filter with a mistake was not applied, so nothing is said about its matches. */
export function NoMatch({ isFilterRead, isFilterTyped, refused }: NoMatchProps): ReactElement {
  const console = useConsole();
  const appId = useSelected(console.ui, (state) => state.appId);
  const filter = useParam('f') ?? '';
  const check = useMeant(filter);
  const error = check?.error;
  const meant = useOffered(filter, check);
  const part = useRef<HTMLDivElement>(null);
  const coveredPx = useCovered(part, isFilterRead);
  const isHeldView = useIsHeldView(filter);
  const isStill = useSelected(console.messages.store, ({ paused }) => paused);
  // The refusal comes before the answer about the filter, which may name the mistake better.
  const mistake = error?.message ?? refused;
  // The field explains its own mistake, and what is said of the filter before would be taken for that of this one.
  if (!isFilterRead && (isFilterTyped || mistake === undefined))
    return (
      <div ref={part} style={{ paddingBlockStart: coveredPx }}>
        <Empty title={LIST.noneUnread} />
      </div>
    );
  const ways = (
    <>
      {isExpression(filter) && <p>{LIST.noExpressions}</p>}
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
    </>
  );
  const none = noneText(filter, isStill && console.readOnly === undefined);
  return (
    <div ref={part} style={{ paddingBlockStart: coveredPx }}>
      {isHeldView ? <NoneHeld none={none}>{ways}</NoneHeld> : <Empty title={mistake ?? none}>{ways}</Empty>}
    </div>
  );
}
