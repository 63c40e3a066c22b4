/** Makes a click count only for the line that was pressed: other rows may come under the pointer before its release. */
import { useRef, type MouseEvent } from 'react';

/** Element id of the line under the pointer; '' for a line whose row is not there. */
function lineAt({ target }: MouseEvent): string {
  return (target instanceof Element ? target.closest('[role="row"]')?.id : undefined) ?? '';
}

interface PressedLine {
  /** Notes a press; undefined: the line of the click counts. */
  readonly note: (press: MouseEvent | undefined) => void;
  /** Ends the press with its click; false: the click is on another line and does not count. */
  readonly release: (click: MouseEvent) => boolean;
}

export function usePressedLine(): PressedLine {
  const pressed = useRef<string>(undefined);
  return {
    note(press) {
      pressed.current = press && lineAt(press);
    },
    release(click) {
      const line = pressed.current;
      // The click of a program that helps a person may come without a press.
      pressed.current = undefined;
      return click.detail === 0 || line === undefined || line === lineAt(click);
    },
  };
}
