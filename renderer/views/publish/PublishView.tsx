/** The Publish screen: one message, or many in one request. */
import { useEffect, type ReactElement } from 'react';
import { whyNotRead } from '../../format/why-not-read.ts';
import { TabBar } from '../../components/TabBar.tsx';
import { Button } from '../../components/Button.tsx';
import { ElsewhereNote } from '../../components/ChangedElsewhere.tsx';
import { Empty, Failed } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { DRAFTS, PUBLISH } from '../../copy/publish.ts';
import { SAVED } from '../../copy/saved.ts';
import { COMPONENTS } from '../../copy/topics.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import type { Obstacle } from '../../state/drafts-beside.ts';
import { MAX_TABS } from '../../state/publish-drafts.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { BulkForm } from './BulkForm.tsx';
import { SavedTab } from './SavedTab.tsx';
import { DraftTabs } from './DraftTabs.tsx';
import css from './PublishView.module.css';
import { RequestSide } from './RequestSide.tsx';
import { useShortcuts } from './use-shortcuts.ts';

/** Tabs "Single", "Bulk" and "Saved"; without a component nothing can be published. */
export function PublishView(): ReactElement {
  const { navigation, saved, topology } = useConsole();
  const asked = useParam('t');
  const tab = asked === 'bulk' || asked === 'saved' ? asked : 'single';
  const { value: kept } = useResource(saved.requests);
  useShortcuts(kept?.items);
  // A script may have saved or published something since, without an event.
  useEffect(() => saved.requests.invalidate(), [saved]);
  const { value, status, failure } = useResource(topology.components);
  const isUnknown = value === undefined && status === 'failed';
  const { value: apps } = useResource(topology.apps);
  // A run that only watches other sidecars accepts no publish.
  const isNobodys = apps?.items.length === 0;
  const hasPubsub = value === undefined || value.items.some(({ kind }) => kind === 'pubsub');
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{PUBLISH.title}</h1>
        <OtherDrafts />
        <NotKept />
      </div>
      {isUnknown ? (
        <Failed
          text={fill(COMPONENTS.failed, { message: whyNotRead(failure) })}
          again={() => void topology.components.refresh()}
        />
      ) : isNobodys ? (
        <Empty title={PUBLISH.noSidecar}>
          <p className={page.muted}>{PUBLISH.noSidecarHint}</p>
        </Empty>
      ) : hasPubsub ? (
        <TabBar
          label={PUBLISH.tabs}
          value={tab}
          onChange={(t) => navigation.change({ t: t === 'single' ? undefined : t })}
          tabs={[
            {
              id: 'single',
              title: PUBLISH.single,
              panel: () => (
                <div className={css.sides}>
                  <RequestSide />
                  <div className={css.main}>
                    <DraftTabs />
                  </div>
                </div>
              ),
            },
            { id: 'bulk', title: PUBLISH.bulk, panel: () => <BulkForm /> },
            { id: 'saved', title: SAVED.tab, amount: kept?.items.length, panel: () => <SavedTab /> },
          ]}
        />
      ) : (
        <Empty title={PUBLISH.empty}>
          <Button onClick={() => navigation.go('/components')}>{PUBLISH.openComponents}</Button>
        </Empty>
      )}
    </div>
  );
}

function noteOf(obstacle: Obstacle | undefined): string {
  if (obstacle === undefined) return DRAFTS.elsewhere;
  return obstacle.kind === 'bulk'
    ? DRAFTS.twoBulkLists
    : fill(DRAFTS.tooManyTogether, { most: MAX_TABS, n: obstacle.over });
}

/** Says that the drafts are kept nowhere. */
function NotKept(): ReactElement | null {
  const { drafts } = useConsole();
  const isTooLong = useSelected(drafts.store, (state) => state.isTooLong);
  const isRefused = useSelected(drafts.store, (state) => state.isRefused);
  const text = isTooLong ? DRAFTS.tooLong : isRefused ? DRAFTS.refused : undefined;
  // The region exists before it has a text, so that the change is read out.
  return (
    <p role="status" className={text === undefined ? undefined : css.warning}>
      {text}
    </p>
  );
}

/** Says that another window has saved other drafts, and lets the person choose. */
function OtherDrafts(): ReactElement | null {
  const { drafts } = useConsole();
  const elsewhere = useSelected(drafts.store, (state) => state.elsewhere);
  if (elsewhere === undefined) return null;
  return (
    <ElsewhereNote
      text={noteOf(elsewhere.obstacle)}
      takeTitle={DRAFTS.takeOthers}
      take={drafts.takeOthers}
      keep={drafts.keepOwn}
      fieldOf={(head) => head.parentElement?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')}
    />
  );
}
