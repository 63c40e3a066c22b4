/** Head, acts and tabs of the open message. */
import { memo, type ReactElement } from 'react';
import { foremost } from '../../../core/contract/attention.ts';
import type { Delivery, MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { DETAIL, TABS } from '../../copy/detail.ts';
import { PANEL } from '../../copy/detail-panel.ts';
import { chosenDelivery } from '../../format/chosen-delivery.ts';
import { rowOfDetail } from '../../keys/subjects.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { contentKey } from '../../state/payloads.ts';
import { later } from '../later.tsx';
import { Boundary, Loading } from '../States.tsx';
import { TabBar, type TabDefinition } from '../TabBar.tsx';
import { AttemptsTab } from './AttemptsTab.tsx';
import { DataTab } from './DataTab.tsx';
import css from './Detail.module.css';
import { DetailHead, type DetailHeadProps } from './DetailHead.tsx';
import { NotesTab } from './NotesTab.tsx';

const COMING = <Loading text={PANEL.loading} rows={0} />;
const EnvelopeTab = later(async () => (await import('./EnvelopeTab.tsx')).EnvelopeTab, COMING);
const RouteTab = later(async () => (await import('./RouteTab.tsx')).RouteTab, COMING);
const TimelineTab = later(async () => (await import('./TimelineTab.tsx')).TimelineTab, COMING);

/** Files of the tabs that are not open at first. */
export const FETCH_TABS = [EnvelopeTab.fetch, RouteTab.fetch, TimelineTab.fetch];

const TAB_IDS = ['data', 'envelope', 'attempts', 'route', 'timeline', 'notes'] as const;

/** The tabs of a message; the address has the open one. */
function DetailTabs({ tabs }: { readonly tabs: readonly TabDefinition[] }): ReactElement {
  const { navigation } = useConsole();
  const tab = useParam('t') ?? 'data';
  return (
    <div className={css.tabs}>
      <TabBar
        label={DETAIL.tabs}
        tabs={tabs}
        value={tabs.some(({ id }) => id === tab) ? tab : 'data'}
        onChange={(t) => navigation.change({ t }, { replace: true })}
      />
    </div>
  );
}

/** The tabs while the message loads. */
function comingTabs(row: MessageRow): readonly TabDefinition[] {
  const attempts = foremost(row.deliveries)?.attempts ?? 0;
  return TAB_IDS.map((id) => ({
    id,
    title: TABS[id],
    ...(id === 'attempts' ? { amount: attempts } : {}),
    panel: () => COMING,
  }));
}

function tabsOf(
  message: MessageDetail,
  delivery: Delivery | undefined,
  gone: string | undefined,
): readonly TabDefinition[] {
  return [
    {
      id: 'data',
      title: TABS.data,
      // Reading a long payload and filling its editor again takes longer than anybody waits for a tab.
      keptFor: message.payloadApart === true ? contentKey(message) : undefined,
      panel: () => <DataTab message={message} delivery={delivery} />,
    },
    {
      id: 'envelope',
      title: TABS.envelope,
      panel: () => (
        <Boundary>
          <EnvelopeTab message={message} />
        </Boundary>
      ),
    },
    {
      id: 'attempts',
      title: TABS.attempts,
      amount: delivery?.attempts.length ?? 0,
      panel: () => <AttemptsTab message={message} delivery={delivery} />,
    },
    {
      id: 'route',
      title: TABS.route,
      panel: () => (
        <Boundary>
          <RouteTab message={message} delivery={delivery} />
        </Boundary>
      ),
    },
    {
      id: 'timeline',
      title: TABS.timeline,
      panel: () => (
        <Boundary>
          <TimelineTab message={message} delivery={delivery} />
        </Boundary>
      ),
    },
    {
      id: 'notes',
      title: TABS.notes,
      panel: () => <NotesTab key={message.messageId} message={message} gone={gone} />,
    },
  ];
}

interface OpenMessageProps extends Pick<DetailHeadProps, 'message' | 'narrow' | 'gone'> {
  /** The row of a message that is still loading. */
  readonly row: MessageRow | undefined;
}

/** Content of the panel. It is drawn again for a new answer of the host, not for each step of the request. */
export const OpenMessage = memo(function OpenMessage({
  message,
  row,
  narrow,
  gone,
}: OpenMessageProps): ReactElement | null {
  const chosen = useParam('d');
  const delivery = message && chosenDelivery(message, chosen);
  const shown = message === undefined ? row : rowOfDetail(message);
  if (shown === undefined) return null;
  return (
    <>
      <DetailHead row={shown} message={message} delivery={delivery} narrow={narrow} gone={gone} />
      <DetailTabs tabs={message === undefined ? comingTabs(shown) : tabsOf(message, delivery, gone)} />
    </>
  );
});
