/** Makes a click count only for the line that was pressed: other rows may come under the pointer before its release. */
import { useRef, type MouseEvent } from 'react';

/** Element id of the line under the pointer; '' for a line whose row is not there. */
function lineAt({ target }: MouseEvent): string {
  return (target instanceof Element ? target.closest('[role="row"]')?.id : undefined) ?? '';
}

interface PressedLine {
  /** Notes a press; undefined: the line of the click counts. */
  readonly note: (press: MouseEvent | undefined) => void;
  /** Whether a click is on another line than its press. */
  readonly isOther: (click: MouseEvent) => boolean;
}

export function usePressedLine(): PressedLine {
  const pressed = useRef<string>(undefined);
  return {
    note(press) {
      pressed.current = press && lineAt(press);
    },
    isOther: (click) =>
      // A click without a pointer has no press.
      click.detail > 0 && pressed.current !== undefined && pressed.current !== lineAt(click),
  };
}
