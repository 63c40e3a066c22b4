/** The tooltip of one control: what it does, why it cannot be used, its keys. */
import {
  cloneElement,
  createContext,
  useContext,
  useEffect,
  useState,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
} from 'react';
import { createHints, type Hints, type Tip, type TipOwner } from './hints.ts';

export interface HintProps extends Tip {
  readonly children: ReactElement<Control>;
}

/** The events of a control that its tooltip follows. */
interface Control {
  readonly onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerDown?: (event: PointerEvent<HTMLElement>) => void;
  readonly onFocus?: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur?: (event: FocusEvent<HTMLElement>) => void;
}

/** The tooltips of the page; outside of a console they are noted and never drawn. */
export const HintsContext = createContext<Hints>(createHints());

/**
 * Shows `text` beside the control on hover and on focus. The tooltip itself is drawn once for the whole page (`HintLayer`): a screen
 * has hundreds of controls, and each part of a tooltip that stands ready costs as much to draw as the control.
 * @param text undefined: there is nothing to show now
 */
export function Hint({ text, keys, side, children }: HintProps): ReactElement {
  const hints = useContext(HintsContext);
  const [owner] = useState<TipOwner>(() => ({}));
  const tip: Tip = { text, keys, side };
  const isEmpty = text === undefined;
  useEffect(() => {
    if (isEmpty) hints.close(owner);
    else hints.change(owner, tip);
  });
  useEffect(() => () => hints.close(owner), [hints, owner]);
  const { props } = children;
  return cloneElement(children, {
    onPointerEnter: (event) => {
      props.onPointerEnter?.(event);
      if (!isEmpty && event.pointerType !== 'touch') hints.enter(owner, event.currentTarget, tip);
    },
    onPointerLeave: (event) => {
      props.onPointerLeave?.(event);
      hints.leave();
    },
    onPointerDown: (event) => {
      props.onPointerDown?.(event);
      hints.close(owner);
    },
    onFocus: (event) => {
      props.onFocus?.(event);
      if (!isEmpty && event.currentTarget.matches(':focus-visible'))
        hints.focus(owner, event.currentTarget, tip);
    },
    onBlur: (event) => {
      props.onBlur?.(event);
      hints.close(owner);
    },
  });
}
