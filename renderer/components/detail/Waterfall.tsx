/** Lanes over one time scale: the history of the message, with long waits folded and a zoom. */
import { Minus, Plus } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import { isEndedState } from '../../../core/contract/delivery.ts';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { IconButton } from '../Button.tsx';
import { useNow } from '../clock.ts';
import { TIMELINE } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { duration } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { lanesOf, overlaidLane, scaleOf, type Lane, type Scale, type Span } from '../../format/waterfall.ts';
import { ANCHORS } from '../../keys/anchors.ts';
import { useConsole, useResource } from '../../state/context.ts';
import css from './Waterfall.module.css';

const MAX_ZOOM = 32;
/** Elements that take typed text. */
const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea, .cm-editor';

export interface WaterfallProps {
  readonly message: MessageDetail;
  readonly deliveries: readonly Delivery[];
  /** Messages of the same trace that are overlaid. */
  readonly others: readonly MessageDetail[];
}

interface Group {
  readonly id: string;
  /** Title of the lanes; empty if there is only one delivery. */
  readonly title: string;
  readonly lanes: readonly Lane[];
}

function groupsOf({ message, deliveries, others }: WaterfallProps, now: number): readonly Group[] {
  const isOne = deliveries.length === 1 && others.length === 0;
  const own = deliveries.map((delivery) => ({
    id: delivery.deliveryId,
    title: isOne ? '' : `${delivery.appId} ${delivery.route.path}`.trim(),
    lanes: lanesOf(message, delivery, now),
  }));
  if (others.length === 0) return own;
  const lanes = others.map((other) => overlaidLane(other, visibleShort(other.topic), now));
  return [...own, { id: 'trace', title: TIMELINE.sameTrace, lanes }];
}

/** The zoom, with `+`, `-` and `0` anywhere in the detail except in text fields. */
function useZoom(): readonly [number, (step: 1 | -1 | 0) => void] {
  const { ui } = useConsole();
  const [zoom, setZoom] = useState(1);
  const change = (step: 1 | -1 | 0): void =>
    setZoom((now) => (step === 0 ? 1 : Math.min(MAX_ZOOM, Math.max(1, step === 1 ? now * 2 : now / 2))));
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const step = event.key === '+' ? 1 : event.key === '-' ? -1 : event.key === '0' ? 0 : undefined;
      const { target } = event;
      if (step === undefined || !(target instanceof Element) || event.ctrlKey || event.metaKey) return;
      const isHere = target.closest(`#${ANCHORS.detail}`) !== null;
      if (!isHere || target.closest(TYPED) !== null) return;
      if (!ui.getState().singleKeys) return;
      event.preventDefault();
      change(step);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [ui]);
  return [zoom, change];
}

/** The picture; the table below has the same content. */
export function Waterfall(props: WaterfallProps): ReactElement {
  const all = [...props.deliveries, ...props.others.flatMap(({ deliveries }) => deliveries)];
  const isOver = all.every(({ state }) => isEndedState(state));
  const recordedMs = useRecordedMs(all);
  const present = useNow(!isOver && recordedMs === undefined);
  const now = recordedMs ?? present;
  const [zoom, change] = useZoom();
  const groups = groupsOf(props, now);
  const lanes = groups.flatMap((group) => group.lanes);
  const scale = scaleOf(lanes);
  const kinds = new Set<string>(lanes.flatMap(({ spans }) => spans.map(({ kind }) => kind)));
  const isDrawn = ({ kind }: { readonly kind: string }): boolean => kinds.has(kind);
  return (
    <section aria-label={TIMELINE.picture} className={css.picture}>
      <div className={css.tools}>
        <span className={css.caption}>
          {fill(wholeText(isOver, recordedMs !== undefined), { t: duration(scale.totalMs) })}
          {scale.folds.length > 0 && ` ${TIMELINE.folded}`}
        </span>
        <IconButton
          icon={Minus}
          label={TIMELINE.zoomOut}
          keys={['-']}
          off={zoom === 1 ? TIMELINE.zoomedOut : undefined}
          onClick={() => change(-1)}
        />
        <span className={css.zoom}>{fill(TIMELINE.zoom, { n: zoom })}</span>
        <IconButton
          icon={Plus}
          label={TIMELINE.zoomIn}
          keys={['+']}
          off={zoom === MAX_ZOOM ? TIMELINE.zoomedIn : undefined}
          onClick={() => change(1)}
        />
      </div>
      <div
        role="region"
        aria-label={TIMELINE.lanes}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
        tabIndex={0}
        className={css.scroll}
      >
        <div className={css.inner} style={{ inlineSize: `${zoom * 100}%` }}>
          <Folds scale={scale} />
          {groups.map((group) => (
            <div key={group.id}>
              {group.title !== '' && <p className={css.group}>{group.title}</p>}
              <ul className={css.lanes}>
                {group.lanes.map((lane) => (
                  <LaneRow key={lane.id} lane={lane} scale={scale} />
                ))}
              </ul>
            </div>
          ))}
        </div>
      </div>
      <p className={css.legend} aria-hidden>
        {TIMELINE.legend.filter(isDrawn).map(({ kind, word }) => (
          <span key={kind}>
            <span className={css.swatch} data-kind={kind} /> {word}
          </span>
        ))}
      </p>
    </section>
  );
}

function wholeText(isOver: boolean, isRecorded: boolean): string {
  if (isOver) return TIMELINE.whole;
  return isRecorded ? TIMELINE.wholeRecorded : TIMELINE.wholeYet;
}

/** Time in ms since 1970 at which the open recording was exported, else its last event; undefined: the history is live. */
function useRecordedMs(deliveries: readonly Delivery[]): number | undefined {
  const { recordingId, recordings } = useConsole();
  const { value } = useResource(recordings.list);
  if (recordingId === undefined) return undefined;
  const { exportedAt } = value?.items.find((each) => each.recordingId === recordingId) ?? {};
  if (exportedAt !== undefined) return Date.parse(exportedAt);
  return Math.max(0, ...deliveries.flatMap(({ transitions }) => transitions.map(({ at }) => Date.parse(at))));
}

function percent(share: number): string {
  return `${(100 * share).toFixed(3)}%`;
}

function Folds({ scale }: { readonly scale: Scale }): ReactElement | null {
  if (scale.folds.length === 0) return null;
  return (
    <div className={css.folds}>
      {scale.folds.map(({ from, to, ms }) => (
        <span
          key={from}
          className={css.fold}
          style={{ insetInlineStart: percent(from), inlineSize: percent(to - from) }}
          title={fill(TIMELINE.fold, { t: duration(ms) })}
        >
          <span className={css.foldText}>{duration(ms)}</span>
        </span>
      ))}
    </div>
  );
}

function LaneRow({ lane, scale }: { readonly lane: Lane; readonly scale: Scale }): ReactElement {
  return (
    <li className={css.lane}>
      <span className={css.title}>
        <bdi>{lane.title}</bdi> <span className={css.note}>{lane.note}</span>
      </span>
      <span className={css.track} aria-hidden>
        {lane.spans.map((span) => (
          <Bar key={`${span.kind} ${span.from}`} span={span} scale={scale} />
        ))}
      </span>
    </li>
  );
}

function Bar({ span, scale }: { readonly span: Span; readonly scale: Scale }): ReactElement {
  const from = scale.shareAt(span.from);
  return (
    <span
      className={css.bar}
      data-kind={span.kind}
      title={span.title}
      style={{ insetInlineStart: percent(from), inlineSize: percent(scale.shareAt(span.to) - from) }}
    />
  );
}
