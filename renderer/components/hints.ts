/**
 * Decides which tooltip is shown, and when. The page has one tooltip, because hundreds of controls have a
 * text and at most one is read.
 */
import type { ReactNode } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Content of the tooltip of one control. */
export interface Tip {
  readonly text: ReactNode;
  readonly keys?: readonly string[] | undefined;
  readonly side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
}

/** The control whose tooltip is shown; `isByPointer` is false for one that the keyboard reached. */
export interface ShownTip extends Tip {
  readonly anchor: Element;
  readonly isByPointer: boolean;
}

/** Handle of one control from its first rendering to its last. */
export type TipOwner = object;

export interface Hints {
  readonly store: StoreApi<{ readonly shown?: ShownTip | undefined }>;
  /**
   * Notes that the pointer is on the control: the tooltip follows after a moment, or at once if one is shown.
   * From then on it is the pointer's tooltip, even if the keyboard had opened it.
   */
  enter(owner: TipOwner, anchor: Element, tip: Tip): void;
  /**
   * Notes that the pointer left the control or the tooltip; it has a moment to move from one to the other.
   */
  leave(): void;
  /** Notes that the pointer is on the tooltip itself. */
  stay(): void;
  /** Notes that the keyboard reached the control. */
  focus(owner: TipOwner, anchor: Element, tip: Tip): void;
  /**
   * Notes that a person uses the keyboard: the pointer's tooltip could cover what is used, so it closes. None comes to a pointer that rests,
   * however the page moves under it.
   */
  keyed(): void;
  /** Notes that the pointer moved. */
  moved(): void;
  /** Sets a new text of the control. */
  change(owner: TipOwner, tip: Tip): void;
  /** Closes the tooltip, and one that is about to open; with an owner, only that control's. */
  close(owner?: TipOwner): void;
}

/** Milliseconds that the pointer rests on a control before its tooltip opens. */
const OPEN_MS = 500;
/** Milliseconds for the pointer's way across the gap between a control and its tooltip. */
const GAP_MS = 120;

/** The tooltips of a page, of which none is shown yet. */
export function createHints(): Hints {
  const store = createStore<{ readonly shown?: ShownTip | undefined }>(() => ({}));
  let owned: TipOwner | undefined;
  let coming: Tip | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPointing = true;

  const after = (milliseconds: number, act: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  };
  const close = (owner?: TipOwner): void => {
    if (owner !== undefined && owner !== owned) return;
    clearTimeout(timer);
    owned = undefined;
    coming = undefined;
    if (store.getState().shown !== undefined) store.setState({ shown: undefined });
  };
  const show = (owner: TipOwner, anchor: Element, tip: Tip, isByPointer: boolean): void => {
    clearTimeout(timer);
    owned = owner;
    coming = undefined;
    store.setState({ shown: { ...tip, anchor, isByPointer } });
  };
  return {
    store,
    enter: (owner, anchor, tip) => {
      if (!isPointing) return;
      const { shown } = store.getState();
      if (shown !== undefined) return show(owner, anchor, tip, true);
      owned = owner;
      coming = tip;
      after(OPEN_MS, () => show(owner, anchor, coming ?? tip, true));
    },
    leave: () => {
      const { shown } = store.getState();
      if (shown === undefined) close();
      else if (shown.isByPointer) after(GAP_MS, close);
    },
    stay: () => clearTimeout(timer),
    focus: (owner, anchor, tip) => {
      if (store.getState().shown?.anchor !== anchor) show(owner, anchor, tip, false);
    },
    keyed: () => {
      isPointing = false;
      if (store.getState().shown?.isByPointer !== false) close();
    },
    moved: () => {
      isPointing = true;
    },
    change: (owner, tip) => {
      if (owner !== owned) return;
      const { shown } = store.getState();
      if (shown === undefined) coming = tip;
      else if (shown.text !== tip.text || shown.keys?.join() !== tip.keys?.join())
        store.setState({ shown: { ...shown, ...tip } });
    },
    close,
  };
}
