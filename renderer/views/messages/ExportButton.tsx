/** Opens the dialog that exports the list or the selection to files. */
import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { IconButton } from '../../components/Button.tsx';
import { LIST } from '../../copy/messages.ts';
import { useConsole } from '../../state/context.ts';

/** A button with an icon. */
export function ExportButton(): ReactElement {
  const { commands } = useConsole();
  return <IconButton icon={Download} label={LIST.export} onClick={() => commands.open({ kind: 'export' })} />;
}
