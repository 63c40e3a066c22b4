/** Strips below the top bar: no connection, banners of the host, everything is held, jobs that run. */
import { CircleAlert, Info, Pause, PlugZap, X, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { addressPart } from '../../core/contract/address-part.ts';
import type { SystemDescription } from '../../core/contract/reports.ts';
import { Button, IconButton } from '../components/Button.tsx';
import { LEVEL_ICONS } from '../components/level-icons.ts';
import { DiscoverAgain } from '../components/DiscoverAgain.tsx';
import { ReplayThem } from '../components/ReplayThem.tsx';
import { RerouteThem } from '../components/RerouteThem.tsx';
import { WholeFlags } from '../components/WholeFlags.tsx';
import { useKeptFocus } from '../components/kept-focus.ts';
import { isLineCut, useCut } from '../components/use-cut.ts';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { count } from '../format/quantity.ts';
import { commandOf } from '../keys/commands.ts';
import { holdAllOf } from '../keys/frame-commands.ts';
import { useConsole, useResource } from '../state/context.ts';
import { presentBanners } from '../state/connection.ts';
import { useSelected } from '../state/store.ts';
import { JobStrips } from './JobStrip.tsx';
import { endReloadedNote } from './reloaded-note.ts';
import css from './Strips.module.css';
import { useStillStrips } from './use-still-strips.ts';

/** All strips that apply now. */
export function Strips(): ReactElement {
  const { ref, onClickCapture } = useStillStrips();
  useKeptFocus(ref);
  return (
    // Keys act on the buttons and links inside.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div ref={ref} className={css.strips} onClickCapture={onClickCapture}>
      <ConnectionStrip />
      <SystemStrips />
      <HoldStrip />
      <JobStrips />
    </div>
  );
}

interface StripProps {
  readonly icon: LucideIcon;
  readonly level: 'info' | 'warn' | 'error';
  readonly children: ReactNode;
  readonly end?: ReactNode;
  /** True: its text is cut at the end of one line, and its links stand behind. */
  readonly isShort?: boolean;
}

function Strip({ icon: Icon, level, children, end, isShort = false }: StripProps): ReactElement {
  return (
    <div className={css.strip} data-strip data-level={level} data-short={isShort || undefined}>
      <Icon aria-hidden size={14} className={css.icon} />
      <span className={css.text}>{children}</span>
      {end}
    </div>
  );
}

/**
 * Strip of the connection. Its live region exists before it has a text, because screen readers announce only
 * changes in a known region.
 */
export function ConnectionStrip(): ReactElement {
  const console = useConsole();
  const { link, wasOpen, reloaded, streamFailure } = useSelected(console.connection, (state) => state);
  const isAway = link.status !== 'open' && (wasOpen || link.attempt > 0);
  const screen = useSelected(console.navigation.store, ({ path }) => path);
  // Only Messages shows the list: elsewhere the note waits until somebody is there.
  const isNoted = !isAway && reloaded && screen === '/messages';
  useEffect(() => (isNoted ? endReloadedNote(console.connection) : undefined), [console, isNoted]);
  return (
    <div role="status">
      {isAway && (
        <Strip
          icon={PlugZap}
          level="error"
          end={<Button onClick={() => console.link.tryNow()}>{FRAME.tryNow}</Button>}
        >
          {link.status === 'lost' && link.reason === 'UNAUTHORIZED'
            ? FRAME.lostNoKey
            : fill(FRAME.lost, { n: link.attempt })}
        </Strip>
      )}
      {!isAway && streamFailure !== undefined && (
        <Strip icon={CircleAlert} level="error">
          {fill(FRAME.streamFailed, { message: streamFailure })}
        </Strip>
      )}
      {isNoted && (
        <Strip
          icon={Info}
          level="info"
          end={
            <IconButton
              icon={X}
              label={FRAME.dismiss}
              onClick={() => console.connection.setState({ reloaded: false })}
            />
          }
        >
          {FRAME.reloaded}
        </Strip>
      )}
    </div>
  );
}

/** Maximum number of banners that are shown at once, so that the screen keeps its room. */
const MAX_BANNERS = 2;

type Banner = SystemDescription['banners'][number];

/** Whether the text of one of the short strips is cut at its end. */
function isOneCut(strips: HTMLElement): boolean {
  return [...strips.querySelectorAll<HTMLElement>(`.${css.said}`)].some(isLineCut);
}

/** The banners of the host in its order, the worst first. Of several each takes one line until a person asks for all. */
export function SystemStrips(): ReactElement {
  const { connection } = useConsole();
  const banners = useSelected(connection, presentBanners);
  const dismissed = useSelected(connection, ({ dismissedBanners }) => dismissedBanners);
  const [showsAll, setShowsAll] = useState(false);
  const strips = useRef<HTMLDivElement>(null);
  const standing = (banners ?? []).filter(({ id }) => !dismissed.includes(id));
  const isSeveral = standing.length > 1;
  const isShort = isSeveral && !showsAll;
  const isCut = useCut(strips, !isShort, isOneCut);
  const hasMore = isSeveral && (showsAll || isCut || standing.length > MAX_BANNERS);
  const shown = standing.slice(0, isShort ? MAX_BANNERS : standing.length);
  return (
    <div ref={strips} className={css.banners}>
      {shown.map((banner) => (
        <Strip
          key={banner.id}
          icon={LEVEL_ICONS[banner.level]}
          level={banner.level}
          isShort={isShort}
          end={
            <>
              <BannerActs {...banner} />
              <IconButton
                icon={X}
                label={FRAME.dismiss}
                onClick={() => connection.setState({ dismissedBanners: [...dismissed, banner.id] })}
              />
            </>
          }
        >
          <span className={css.said}>
            <WholeFlags text={banner.text} />
          </span>
          <BannerLinks {...banner} />
        </Strip>
      ))}
      {/* Not in a strip: there the focus would go with the strip. */}
      {hasMore && (
        <div className={css.more} style={{ gridRowEnd: `span ${shown.length}` }}>
          <AllBanners n={standing.length} isOpen={showsAll} onOpen={setShowsAll} />
        </div>
      )}
    </div>
  );
}

/** The buttons that end what a banner is about. */
function BannerActs({ appId, filter, help, reroute }: Banner): ReactElement {
  return (
    <>
      {help === 'discovery' && appId !== undefined && <DiscoverAgain appId={appId} />}
      {reroute !== undefined && <RerouteThem problem={reroute} />}
      {help === 'replay' && filter !== undefined && <ReplayThem filter={filter} />}
    </>
  );
}

interface Amount {
  readonly n: number;
  readonly isOpen: boolean;
}

function allBannersText({ n, isOpen }: Amount): string {
  return isOpen ? FRAME.fewerBanners : fill(n > MAX_BANNERS ? FRAME.allBanners : FRAME.wholeBanners, { n });
}

interface AllBannersProps extends Amount {
  readonly onOpen: (isOpen: boolean) => void;
}

/**
 * Shows all banners with their whole text. It stands beside them, takes no line of the screen, and stays in view where they are scrolled.
 */
function AllBanners({ n, isOpen, onOpen }: AllBannersProps): ReactElement {
  return (
    <Button
      kind="quiet"
      aria-expanded={isOpen}
      hint={isOpen ? FRAME.fewerBannersHint : fill(FRAME.allBannersHint, { n })}
      onClick={() => onOpen(!isOpen)}
    >
      {allBannersText({ n, isOpen })}
    </Button>
  );
}

/** What a banner leads to. */
type Subject = Pick<Banner, 'appId' | 'filter' | 'help'>;

/** Links of a banner to the messages and to the app that it is about. */
function BannerLinks({ appId, filter, help }: Subject): ReactElement {
  return (
    <span className={css.links}>
      {filter !== undefined && (
        <>
          {' '}
          <Link href={`/messages?f=${addressPart(filter)}`}>{FRAME.showThem}</Link>
        </>
      )}
      {appId !== undefined && (
        <>
          {filter === undefined ? ' ' : ' · '}
          <Link href={helpAt(appId, filter, help)}>{FRAME.openApps}</Link>
        </>
      )}
    </span>
  );
}

/** Where the Apps screen moves the focus to what helps: acts on messages, another discovery, or the address of the app. */
function helpAt(appId: string, filter: string | undefined, help: Subject['help']): string {
  const wanted = filter === undefined ? 'address' : 'acts';
  return `/apps?a=${addressPart(appId)}&h=${help === 'discovery' ? help : wanted}`;
}

export function HoldStrip(): ReactElement | null {
  const console = useConsole();
  const { value } = useResource(console.holds.list);
  const underWay = useSelected(console.connection, ({ runtime }) => runtime?.counts.attempting ?? 0);
  if (value === undefined || holdAllOf(console) === undefined) return null;
  return (
    <Strip
      icon={Pause}
      level="warn"
      end={<Button onClick={() => commandOf('stopHolding')?.run(console)}>{FRAME.stopHolding}</Button>}
    >
      {underWay === 0 ? FRAME.allHeld : fill(FRAME.allHeldBut, { n: count(underWay) })}
    </Strip>
  );
}
