/** The keys of one command, and a button that changes them. */
import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { Keys } from '../../components/Keys.tsx';
import { fill } from '../../copy/fill.ts';
import { KEYBOARD } from '../../copy/settings.ts';
import { bindingProblem, keysOf, type BindingProblem } from '../../keys/bindings.ts';
import { stepOf } from '../../keys/chord.ts';
import type { Command } from '../../keys/command.ts';
import { COMMANDS } from '../../keys/commands.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import css from './Settings.module.css';

function wordsOf(problem: BindingProblem): string {
  return 'title' in problem ? fill(KEYBOARD[problem.kind], { title: problem.title }) : KEYBOARD[problem.kind];
}

/** Keys and "Change"; while it listens, Backspace sets none and Escape cancels. */
export function KeyField({ command }: { readonly command: Command }): ReactElement {
  const { ui } = useConsole();
  const bindings = useSelected(ui, (state) => state.keys);
  const [listens, setListens] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  const keys = keysOf(command, bindings);

  function give(binding: string): void {
    ui.setState({ keys: { ...bindings, [command.id]: binding } });
    setListens(false);
    setProblem(undefined);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!listens || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (/^(Control|Meta|Alt|Shift)$/.test(event.key)) return;
    if (event.key === 'Escape') {
      setListens(false);
      setProblem(undefined);
      return;
    }
    if (event.key === 'Backspace') {
      give('');
      return;
    }
    const binding = stepOf(event.nativeEvent);
    const found = bindingProblem(binding, command.id, COMMANDS, bindings);
    if (found === undefined) give(binding);
    else setProblem(wordsOf(found));
  }

  return (
    <span className={page.line}>
      <span className={css.keys}>{keys.length > 0 && <Keys keys={keys} exact />}</span>
      <Button
        kind="quiet"
        aria-label={fill(listens ? KEYBOARD.listensFor : KEYBOARD.changeOf, { title: command.title })}
        aria-pressed={listens}
        onClick={() => setListens(!listens)}
        onKeyDown={onKeyDown}
        onBlur={() => setListens(false)}
      >
        {listens ? KEYBOARD.listens : KEYBOARD.change}
      </Button>
      <span role="status" className={page.problem}>
        {problem}
      </span>
    </span>
  );
}
