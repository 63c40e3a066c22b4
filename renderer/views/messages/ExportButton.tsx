/** Leads to the screen that writes files, which takes up what the list shows or what is selected. */
import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { IconButton } from '../../components/Button.tsx';
import { LIST } from '../../copy/messages.ts';
import { useConsole } from '../../state/context.ts';

/** An icon. */
export function ExportButton(): ReactElement {
  const { navigation } = useConsole();
  return <IconButton icon={Download} label={LIST.export} onClick={() => navigation.go('/recordings')} />;
}
