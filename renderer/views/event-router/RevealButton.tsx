/** Shows one secret in plain text after a click, which the host logs. */
import { Eye, EyeOff } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Params } from '../../../core/contract/console.ts';
import { IconButton } from '../../components/Button.tsx';
import { INPUT } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { useConsole } from '../../state/context.ts';
import { useRouterActs } from './use-router-acts.ts';

export interface RevealButtonProps {
  /** Name of the secret. */
  readonly name: string;
  readonly ask: Params<'eventRouter.reveal'>;
  readonly isShown: boolean;
  /** Receives the value, or undefined to hide it again. */
  readonly onChange: (value: string | undefined) => void;
}

/** A button with an eye. */
export function RevealButton({ name, ask, isShown, onChange }: RevealButtonProps): ReactElement {
  const { call } = useConsole();
  const { away, run } = useRouterActs();
  return (
    <IconButton
      icon={isShown ? EyeOff : Eye}
      label={fill(isShown ? INPUT.hide : INPUT.show, { field: name })}
      off={isShown ? undefined : away}
      aria-pressed={isShown}
      onClick={() => {
        if (isShown) onChange(undefined);
        else
          run('reveal', async () => {
            onChange((await call('eventRouter.reveal', ask)).value);
            return undefined;
          });
      }}
    />
  );
}
