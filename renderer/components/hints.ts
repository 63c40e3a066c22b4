/** Which tooltip is shown, and when: one for the whole page, because hundreds of controls have one and at most one is read. */
import type { ReactNode } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** What the tooltip of one control says. */
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

/** Stands for one control from its first drawing to its last. */
export type TipOwner = object;

export interface Hints {
  readonly store: StoreApi<{ readonly shown?: ShownTip | undefined }>;
  /**
   * The pointer came to the control: the tooltip follows after a moment, or at once where one is shown. From then on the tooltip of this
   * control is the pointer's, also one that the keyboard called.
   */
  enter(owner: TipOwner, anchor: Element, tip: Tip): void;
  /** The pointer left the control or the tooltip; on its way from one to the other it has a moment. */
  leave(): void;
  /** The pointer came to the tooltip itself. */
  stay(): void;
  /** The keyboard reached the control. */
  focus(owner: TipOwner, anchor: Element, tip: Tip): void;
  /** The control says something else from now on. */
  change(owner: TipOwner, tip: Tip): void;
  /** Ends the tooltip, and one that is about to come; with an owner, only the one of that control. */
  close(owner?: TipOwner): void;
}

/** Milliseconds that the pointer rests on a control before its tooltip comes. */
const OPEN_MS = 500;
/** Milliseconds for the way across the gap between a control and its tooltip. */
const GAP_MS = 120;

/** The tooltips of a page, of which none is shown yet. */
export function createHints(): Hints {
  const store = createStore<{ readonly shown?: ShownTip | undefined }>(() => ({}));
  let owned: TipOwner | undefined;
  let coming: Tip | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

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
