/** The Messages screen: views, filter, list and the open message. */
import { memo, useCallback, useEffect, useState, type ReactElement } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useIsNarrow } from '../../components/use-narrow.ts';
import { LIST } from '../../copy/messages.ts';
import { Boundary } from '../../components/States.tsx';
import type { Console } from '../../state/console.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { isBare } from '../../state/bare-list.ts';
import { useSelected } from '../../state/store.ts';
import { Detail } from '../../components/detail/Detail.tsx';
import { useDetailFocus } from '../../components/detail/detail-focus.ts';
import css from './MessagesView.module.css';
import { AnsweredBy } from './AnsweredBy.tsx';
import { NothingLeftOut } from './MeantFilter.tsx';
import { MessageList } from './MessageList.tsx';
import { ListFoot } from './ListFoot.tsx';
import { ListTools } from './ListTools.tsx';
import { FilterRow, type FilterRowProps } from './FilterRow.tsx';
import { RateBar } from './RateBar.tsx';
import { ViewTabs } from './ViewTabs.tsx';
import { WaitingForYou } from './WaitingForYou.tsx';
import { isOpenedAs, openKeepingPlace } from './open-view.ts';
import { useGroupBy, useWantedFilter } from './use-group-by.ts';
import { useSettling } from './use-settling.ts';
import { useTyping } from './use-typing.ts';

/** Opens the view for the address. */
function useOpenView(): void {
  const console = useConsole();
  const isOpen = useSelected(console.connection, ({ link }) => link.status === 'open');
  const wanted = useWantedFilter();
  const { groupBy } = useGroupBy();
  useEffect(() => {
    if (!isOpen || isOpenedAs(console.messages, wanted, groupBy)) return;
    void openKeepingPlace(console.messages, wanted, groupBy, console.navigation.param('m'));
  }, [console, wanted, groupBy, isOpen]);
}

/** Whether the list hides its tools, because nothing was published yet and there is no filter. */
function useIsBare(): boolean {
  const { messages } = useConsole();
  const asked = useParam('f') ?? '';
  return useSelected(messages.store, (state) => isBare(state, asked));
}

/**
 * Scrolls to a message that a link or a search opened; a loaded row does that itself.
 * @returns the function that gives up waiting for the list
 */
function showRow({ messages }: Console, messageId: string): () => void {
  const whenReady = (): boolean => {
    const { status } = messages.store.getState();
    if (status !== 'ready') return false;
    // The detail is shown alone if the message is not in the list, or the connection is lost.
    if (messages.rows.rowOf(messageId) === undefined) messages.goTo({ messageId }).catch(() => undefined);
    return true;
  };
  if (whenReady()) return () => undefined;
  const stop = messages.store.subscribe(() => {
    if (whenReady()) stop();
  });
  return stop;
}

/** The part above the list. Opening a message changes nothing of it, and drawing its menus again takes a quarter of the time that opening may take. */
const Head = memo(function Head(props: FilterRowProps): ReactElement {
  const isBare = useIsBare();
  const { readOnly } = useConsole();
  return (
    <div className={css.head}>
      <h1 className={css.title}>{LIST.title}</h1>
      <div className={css.views}>
        <ViewTabs />
      </div>
      <span className={css.space} />
      {/* The button counts the live history, and in a recording nothing waits. */}
      {readOnly === undefined && (
        <Boundary>
          <WaitingForYou />
        </Boundary>
      )}
      {!isBare && (
        <>
          <Bar {...props} />
          <Boundary>
            <RateBar />
          </Boundary>
        </>
      )}
    </div>
  );
});

/** The filter and the tools of the list. */
function Bar(props: FilterRowProps): ReactElement {
  const { isTyping, onFocus, onBlur } = useTyping();
  return (
    <div className={css.bar} data-typing={isTyping || undefined} onFocus={onFocus} onBlur={onBlur}>
      <FilterRow {...props} />
      <ListTools />
    </div>
  );
}

/** Whether the filter field has another text than the address, and what hears of each text. A new address takes the place of what was typed. */
function useTyped(): readonly [isTyped: boolean, onDraft: (text: string) => void] {
  const filter = useParam('f') ?? '';
  const [typed, setTyped] = useState({ over: filter, isOther: false });
  // The text is forgotten with its address: a person may come back to that address later.
  if (typed.over !== filter) setTyped({ over: filter, isOther: false });
  const isTyped = typed.over === filter && typed.isOther;
  const onDraft = useCallback(
    (text: string) => {
      const isOther = text.trim() !== filter;
      // Most keystrokes change nothing here, and the whole screen hangs on it.
      if (isOther !== isTyped) setTyped({ over: filter, isOther });
    },
    [filter, isTyped],
  );
  return [isTyped, onDraft];
}

/** The list with what stands around it. Opening a message draws again only what depends on its width. */
const List = memo(function List({
  isValid,
  isTyped,
}: Pick<FilterRowProps, 'isValid' | 'isTyped'>): ReactElement {
  const { readOnly } = useConsole();
  return (
    <section className={css.list} aria-label={LIST.title}>
      {readOnly === undefined && <AnsweredBy />}
      {readOnly === undefined && isValid && <NothingLeftOut />}
      <MessageList isFilterRead={isValid} isFilterTyped={isTyped} />
      <ListFoot />
    </section>
  );
});

/** The screen. */
export function MessagesView(): ReactElement {
  const console = useConsole();
  const open = useParam('m');
  const narrow = useIsNarrow();
  const side = useSelected(console.ui, ({ panelSide }) => panelSide);
  const share = useSelected(console.ui, ({ listShare }) => listShare);
  const isSettling = useSettling();
  const [isValid, onChecked] = useState(true);
  const [isTyped, onDraft] = useTyped();
  useOpenView();
  useDetailFocus(open, narrow);
  useEffect(() => {
    console.detail.open(open);
    if (open === undefined) return undefined;
    console.messages.setCurrent(open);
    const stop = showRow(console, open);
    // The message stays unread without a connection, which the connection bar reports.
    if (console.messages.rows.rowOf(open)?.unread !== false)
      console.messages.markRead({ messageId: open }).catch(() => undefined);
    return stop;
  }, [console, open]);

  const list = <List isValid={isValid} isTyped={isTyped} />;
  const detail = (
    <Boundary key={open ?? ''}>
      <Detail narrow={narrow} />
    </Boundary>
  );
  const shape = narrow ? 'single' : side;
  return (
    <div className={css.view} data-settling={isSettling || undefined}>
      {(!narrow || open === undefined) && (
        <Head isValid={isValid} isTyped={isTyped} onChecked={onChecked} onDraft={onDraft} />
      )}
      <div className={css.body}>
        {shape === 'single' && (open === undefined ? list : detail)}
        {shape !== 'single' && (
          // The list stays in its panel whether a message is open or not: a new one would lose focus and
          // position.
          <Group
            key={shape}
            orientation={shape === 'right' ? 'horizontal' : 'vertical'}
            onLayoutChanged={({ list, detail }, { isUserInteraction }) => {
              // Each opening of a message changes the layout too, and nothing is chosen by that.
              if (!isUserInteraction || list === undefined || detail === undefined) return;
              console.ui.setState({ listShare: { ...share, [shape]: list } });
            }}
          >
            <Panel id="list" minSize="20%" defaultSize={open === undefined ? '100%' : `${share[shape]}%`}>
              {list}
            </Panel>
            {open !== undefined && (
              <>
                <Separator className={css.separator} aria-label={LIST.resizePanels} />
                <Panel id="detail" minSize="20%" defaultSize={`${100 - share[shape]}%`}>
                  {detail}
                </Panel>
              </>
            )}
          </Group>
        )}
      </div>
    </div>
  );
}
