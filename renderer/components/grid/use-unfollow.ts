/** Stops following the newest rows when a person scrolls up to read. */
import { useRef, type UIEvent } from 'react';

/**
 * The scroll handler of a grid that follows its newest rows.
 * @param rowPx height of a row: a smaller distance from the end still counts as the end
 * @param isTurned the newest rows are at the top, so scrolling down means reading
 */
export function useUnfollow(
  rowPx: number,
  unfollow: () => void,
  isTurned = false,
): (event: UIEvent<HTMLElement>) => void {
  const lastTop = useRef(0);
  const lastHeight = useRef(0);
  return ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
    // The browser, not a person, scrolls a list up that becomes shorter.
    const isShorter = scrollHeight < lastHeight.current;
    lastHeight.current = scrollHeight;
    const isUp = scrollTop < lastTop.current - 1 && !isShorter;
    const isDown = scrollTop > lastTop.current + 1;
    lastTop.current = scrollTop;
    const isAway = isTurned
      ? isDown && scrollTop > rowPx
      : isUp && scrollHeight - clientHeight - scrollTop > rowPx;
    if (isAway) unfollow();
  };
}
