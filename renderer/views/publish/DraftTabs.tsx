/** Drafts of the single form as tabs: Alt+N opens one, Alt+W closes the visible one. */
import { Plus, X } from 'lucide-react';
import { useEffect, type ReactElement } from 'react';
import { IconButton } from '../../components/Button.tsx';
import { TabBar } from '../../components/TabBar.tsx';
import { fill } from '../../copy/fill.ts';
import { DRAFTS } from '../../copy/publish.ts';
import type { Console } from '../../state/console.ts';
import { useConsole } from '../../state/context.ts';
import { EMPTY_SINGLE, MAX_TABS, type SingleDraft } from '../../state/publish-drafts.ts';
import { useSelected } from '../../state/store.ts';
import css from './PublishView.module.css';
import { SingleForm } from './SingleForm.tsx';

function isEmpty(draft: SingleDraft): boolean {
  return JSON.stringify(draft) === JSON.stringify(EMPTY_SINGLE);
}

/** Closes a draft and offers undo. */
function closeDraft({ drafts, publishRuns, toasts }: Console, id: number): void {
  publishRuns.stop(id);
  const closed = drafts.close(id);
  if (closed === undefined || isEmpty(closed)) return;
  toasts.done(DRAFTS.closed, { title: DRAFTS.undo, run: () => drafts.open(closed) });
}

function useDraftKeys(): void {
  const console = useConsole();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest('[role="dialog"]') !== null) return;
      // The key's position is compared, because with Alt a Mac writes another character.
      if (event.code === 'KeyN') console.drafts.open();
      else if (event.code === 'KeyW') closeDraft(console, console.drafts.store.getState().tab);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [console]);
}

/** The tabs, and the form of the visible one. */
export function DraftTabs(): ReactElement {
  const console = useConsole();
  const { drafts } = console;
  const { tab, tabs } = useSelected(drafts.store, (state) => state);
  useDraftKeys();
  return (
    <TabBar
      label={DRAFTS.tabs}
      value={String(tab)}
      onChange={(id) => drafts.choose(Number(id))}
      end={
        <span className={css.ends}>
          <IconButton
            icon={Plus}
            kind="quiet"
            label={DRAFTS.add}
            keys={['Alt+N']}
            off={tabs.length < MAX_TABS ? undefined : fill(DRAFTS.most, { n: MAX_TABS })}
            onClick={() => drafts.open()}
          />
          <IconButton
            icon={X}
            kind="quiet"
            label={DRAFTS.close}
            keys={['Alt+W']}
            onClick={() => closeDraft(console, tab)}
          />
        </span>
      }
      tabs={tabs.map(({ id, draft }, index) => ({
        id: String(id),
        title: draft.topic === '' ? fill(DRAFTS.unnamed, { n: index + 1 }) : draft.topic,
        panel: () => <SingleForm key={id} tab={id} />,
      }))}
    />
  );
}
