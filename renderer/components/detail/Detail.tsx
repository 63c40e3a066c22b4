/** The panel of the open message. What it shows of the message comes after the first load. */
import type { ReactElement } from 'react';
import { PANEL } from '../../copy/detail-panel.ts';
import { fill } from '../../copy/fill.ts';
import { titleOf } from '../../format/message-title.ts';
import { count } from '../../format/quantity.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { ANCHORS } from '../../keys/anchors.ts';
import { useConsole, useParam } from '../../state/context.ts';
import type { DetailState } from '../../state/detail.ts';
import { useSelected } from '../../state/store.ts';
import { Button } from '../Button.tsx';
import { later } from '../later.tsx';
import { Boundary, Empty, Failed, Loading } from '../States.tsx';
import { BackToList } from './BackToList.tsx';
import css from './Detail.module.css';

const OpenMessage = later(
  async () => (await import('./OpenMessage.tsx')).OpenMessage,
  // The file may be slow; a window of one column needs the way back meanwhile.
  ({ narrow }) => (
    <>
      <WayBack narrow={narrow} />
      <Loading text={PANEL.loading} />
    </>
  ),
);

/** Fetches what the panel shows at first. */
export const fetchOpenMessage = OpenMessage.fetch;

/** Fetches the tabs of an open message that are not open at first. */
export async function fetchTabs(): Promise<void> {
  const { FETCH_TABS } = await import('./OpenMessage.tsx');
  await Promise.all(FETCH_TABS.map((fetchTab) => fetchTab()));
}

/** The panel in each of its states. */
export function Detail({ narrow }: { readonly narrow: boolean }): ReactElement {
  const console = useConsole();
  const { status, failure, messageId, endedBy, ...shown } = useSelected(
    console.detail.store,
    (state) => state,
  );
  const limit = useSelected(console.connection, ({ runtime }) => runtime?.limit);
  const asked = useParam('m');
  // A message that was loaded before is drawn with the first frame, and updated by the answer.
  const value = asked === undefined || asked === messageId ? shown.value : console.detail.kept(asked);
  const message = value !== undefined && value.messageId === (asked ?? messageId) ? value : undefined;
  // The first frame shows the row of the list; the message itself is loading.
  const isComing = message === undefined && (status === 'loading' || messageId !== asked);
  const row = isComing && asked !== undefined ? console.messages.rows.rowOf(asked) : undefined;
  const known = message ?? row;
  if (known === undefined) {
    return (
      <section className={css.panel} id={ANCHORS.detail} tabIndex={-1} aria-label={PANEL.empty}>
        <WayBack narrow={narrow} />
        {status === 'loading' && <Loading text={PANEL.loading} />}
        {status === 'idle' && <NothingOpen />}
        {status === 'gone' && <Empty title={goneText(endedBy, limit)}>{!narrow && <CloseButton />}</Empty>}
        {status === 'failed' && (
          <Failed
            text={fill(PANEL.failed, { message: whyNotRead(failure) })}
            again={console.detail.refresh}
          />
        )}
      </section>
    );
  }
  return (
    <section
      className={css.panel}
      id={ANCHORS.detail}
      tabIndex={-1}
      aria-label={titleOf(known)}
      aria-busy={isComing || undefined}
      data-keys="messages"
    >
      {/* Within the section: the focus and the way back stay when the file of the message fails. */}
      <Boundary
        around={(said) => (
          <>
            <WayBack narrow={narrow} />
            {said}
          </>
        )}
      >
        <OpenMessage
          message={message}
          row={row}
          narrow={narrow}
          gone={message !== undefined && status === 'gone' ? goneText(endedBy, limit) : undefined}
        />
      </Boundary>
    </section>
  );
}

/** Button back to the list above what has no head of its own, where the message replaces the list. */
function WayBack({ narrow }: { readonly narrow: boolean }): ReactElement | null {
  if (!narrow) return null;
  return (
    <div className={css.back}>
      <BackToList />
    </div>
  );
}

function goneText(endedBy: DetailState['endedBy'], limit: number | undefined): string {
  if (endedBy === 'removed') return PANEL.gone.removed;
  if (endedBy === undefined || limit === undefined) return PANEL.gone.unknown;
  return fill(PANEL.gone.limit, { limit: count(limit) });
}

function CloseButton(): ReactElement {
  const { navigation } = useConsole();
  return (
    <Button onClick={() => navigation.change({ m: undefined, d: undefined, t: undefined })}>
      {PANEL.close}
    </Button>
  );
}

function NothingOpen(): ReactElement {
  return (
    <Empty title={PANEL.empty}>
      <ul>
        {PANEL.emptyHints.map(({ keys, says }) => (
          <li key={keys}>
            <kbd>{keys}</kbd> {says}
          </li>
        ))}
      </ul>
    </Empty>
  );
}
