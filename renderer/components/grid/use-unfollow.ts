/** Who scrolls up is reading, and does not follow the newest rows any more. */
import { useRef, type UIEvent } from 'react';

/**
 * The scroll handler of a grid that follows its newest rows.
 * @param rowPx height of a row: less than this from the end still counts as the end
 * @param isTurned the newest rows are at the top: who scrolls down is reading
 */
export function useUnfollow(
  rowPx: number,
  unfollow: () => void,
  isTurned = false,
): (event: UIEvent<HTMLElement>) => void {
  const lastTop = useRef(0);
  const lastHeight = useRef(0);
  return ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
    // A list that became shorter is scrolled up by the browser, not by a person.
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
