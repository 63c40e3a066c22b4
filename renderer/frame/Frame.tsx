/** The frame around every screen: top bar, navigation, main, footer, and overlays. */
import { useEffect, useRef, type ReactElement } from 'react';
import { fetchEditor } from '../components/CodeBox.tsx';
import { fetchOpenMessage, fetchTabs } from '../components/detail/Detail.tsx';
import { fetchQuietly, whenIdle } from '../components/later.tsx';
import { Boundary } from '../components/States.tsx';
import { useKeptFocus } from '../components/kept-focus.ts';
import { ToastList } from '../components/Toasts.tsx';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { screenOf } from '../copy/names.ts';
import { ANCHORS } from '../keys/anchors.ts';
import { useKeys } from '../keys/use-keys.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import css from './Frame.module.css';
import { MainNav } from './MainNav.tsx';
import { Strips } from './Strips.tsx';
import { Overlays, Palette } from './Overlays.tsx';
import { Screens } from './Screens.tsx';
import { StatusLine } from './StatusLine.tsx';
import { TopBar } from './TopBar.tsx';
import { useFocusAtLoad } from './use-focus-at-load.ts';

/** All parts that every screen has. */
export function Frame(): ReactElement {
  const console = useConsole();
  useKeys(console);
  const path = useSelected(console.navigation.store, (place) => place.path);
  const waiting = useSelected(console.connection, ({ runtime }) =>
    runtime === undefined ? 0 : runtime.counts.parked + runtime.waiting,
  );
  const screen = screenOf(path);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(screen.id);

  useEffect(() => {
    const { title } = screen;
    document.title = fill(waiting > 0 ? FRAME.titleWaiting : FRAME.title, { n: waiting, screen: title });
  }, [waiting, screen]);

  useEffect(() => {
    // The first rows are still on their way from the host, and one of them may be opened as soon as it is there.
    fetchQuietly(fetchOpenMessage);
    whenIdle(fetchTabs, fetchEditor, Palette.fetch);
  }, []);
  useKeptFocus(main);
  useFocusAtLoad();

  useEffect(() => {
    if (shown.current === screen.id) return;
    shown.current = screen.id;
    // A screen that is drawn at once may have moved the focus to what helps there.
    if (main.current?.querySelector(':focus') === null) main.current.focus();
  }, [screen.id]);

  useEffect(() => {
    const leave = (): void => console.messages.markLooked();
    window.addEventListener('blur', leave);
    return () => window.removeEventListener('blur', leave);
  }, [console]);

  return (
    <div className={css.frame}>
      <a
        className={css.skip}
        href={`#${ANCHORS.main}`}
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {FRAME.skip}
      </a>
      <Boundary around={(said) => <div className={css.topBar}>{said}</div>}>
        <TopBar />
      </Boundary>
      <Boundary around={(said) => <div className={css.strips}>{said}</div>}>
        <Strips />
      </Boundary>
      <Boundary around={(said) => <div className={css.nav}>{said}</div>}>
        <MainNav />
      </Boundary>
      <main ref={main} id={ANCHORS.main} tabIndex={-1} aria-label={screen.title} className={css.main}>
        <Boundary key={screen.id}>
          <Screens id={screen.id} />
        </Boundary>
      </main>
      <Boundary around={(said) => <div className={css.status}>{said}</div>}>
        <StatusLine />
      </Boundary>
      <Overlays />
      <Toasts />
    </div>
  );
}

function Toasts(): ReactElement {
  const { toasts } = useConsole();
  const shown = useSelected(toasts.store, (state) => state.toasts);
  return <ToastList toasts={shown} onClose={toasts.close} />;
}
