/** Opens the dialog that writes files of what the list shows or what is selected. */
import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { IconButton } from '../../components/Button.tsx';
import { LIST } from '../../copy/messages.ts';
import { useConsole } from '../../state/context.ts';

/** An icon. */
export function ExportButton(): ReactElement {
  const { commands } = useConsole();
  return <IconButton icon={Download} label={LIST.export} onClick={() => commands.open({ kind: 'export' })} />;
}
