/** The way from a message back to the list that it replaces. */
import { ArrowLeft } from 'lucide-react';
import type { ReactElement } from 'react';
import { PANEL } from '../../copy/detail-panel.ts';
import { useConsole } from '../../state/context.ts';
import { IconButton } from '../Button.tsx';

/** Button back to the list, where the message replaces it. */
export function BackToList(): ReactElement {
  const { navigation } = useConsole();
  return (
    <IconButton
      icon={ArrowLeft}
      label={PANEL.back}
      onClick={() => navigation.change({ m: undefined, d: undefined, t: undefined })}
    />
  );
}
