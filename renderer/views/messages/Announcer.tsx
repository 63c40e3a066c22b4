/** Announces politely, at most every five seconds, what arrived while the list was not followed. */
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { fill } from '../../copy/fill.ts';
import { LIST } from '../../copy/messages.ts';
import { useConsole } from '../../state/context.ts';

const EVERY_MS = 5000;

/** An invisible live region; silent while following, and if the user switched it off. */
export function Announcer(): ReactElement {
  const console = useConsole();
  const [text, setText] = useState('');
  const said = useRef({ newer: 0, parked: 0 });
  useEffect(() => {
    const timer = setInterval(() => {
      const { newer, follow } = console.messages.store.getState();
      const parked = console.connection.getState().runtime?.counts.parked ?? 0;
      const more = newer - said.current.newer;
      const moreParked = Math.max(0, parked - said.current.parked);
      said.current = { newer, parked };
      if (follow || more <= 0 || !console.ui.getState().announce) return;
      const words = moreParked > 0 ? LIST.newAndParked : LIST.newMessages;
      setText(fill(words, { n: more, parked: moreParked }));
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [console]);
  return (
    <p role="status" className="visually-hidden">
      {text}
    </p>
  );
}
