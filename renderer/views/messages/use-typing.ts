/** Whether a filter is typed: a narrow window leaves its tools away meanwhile. */
import { useEffect, useRef, useState, type FocusEvent } from 'react';

export interface Typing {
  readonly isTyping: boolean;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/**
 * True from the focus of the filter field until its end. If a press of the mouse takes the focus, the press ends first: where the tools
 * come back they move what is beside and below the field, and the click would miss it.
 */
export function useTyping(): Typing {
  const [isTyping, setTyping] = useState(false);
  const hasFocus = useRef(false);
  const isPressed = useRef(false);
  useEffect(() => {
    if (!isTyping) return;
    let timer: number | undefined;
    function press(): void {
      isPressed.current = true;
    }
    function release(): void {
      isPressed.current = false;
      // The browser sends the click after this event.
      timer = window.setTimeout(() => setTyping(hasFocus.current));
    }
    document.addEventListener('pointerdown', press, true);
    document.addEventListener('pointerup', release, true);
    document.addEventListener('pointercancel', release, true);
    return () => {
      window.clearTimeout(timer);
      isPressed.current = false;
      document.removeEventListener('pointerdown', press, true);
      document.removeEventListener('pointerup', release, true);
      document.removeEventListener('pointercancel', release, true);
    };
  }, [isTyping]);
  return {
    isTyping,
    onFocus: ({ target }) => {
      if (!isField(target)) return;
      hasFocus.current = true;
      setTyping(true);
    },
    onBlur: ({ target }) => {
      if (!isField(target)) return;
      hasFocus.current = false;
      if (!isPressed.current) setTyping(false);
    },
  };
}

function isField(target: Element): boolean {
  return target.matches("search [role='combobox']");
}
