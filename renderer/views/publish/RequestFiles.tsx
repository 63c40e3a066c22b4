/** Saved requests as files for a repository: exports all of them, and imports such a file. */
import { FileDown, FileUp } from 'lucide-react';
import { useRef, type ReactElement } from 'react';
import type { SavedRequest } from '../../../core/contract/saved.ts';
import { Button } from '../../components/Button.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import { SAVED } from '../../copy/saved.ts';
import { count } from '../../format/quantity.ts';
import { saveFile } from '../../format/save-file.ts';
import { useAway, useConsole } from '../../state/context.ts';

/** Two buttons. */
export function RequestFiles({ requests }: { readonly requests: readonly SavedRequest[] }): ReactElement {
  const { acting, call, saved, toasts } = useConsole();
  const away = useAway(ACT_WHY.away);
  const file = useRef<HTMLInputElement>(null);

  function write(): void {
    void acting.run('requests.export', async () => {
      const { fileName, text, count: n } = await call('requests.export', {});
      saveFile(fileName, [text], 'application/json');
      return fill(SAVED.exported, { n: count(n), file: fileName });
    });
  }

  function take(chosen: File): void {
    chosen.text().then(
      (text) =>
        void acting.run('requests.import', async () => {
          const { added, replaced } = await call('requests.import', { text });
          await saved.requests.refresh();
          return fill(SAVED.imported, { added: count(added), replaced: count(replaced) });
        }),
      (reason: unknown) => toasts.failed(fill(PUBLISH.loadFailed, { message: String(reason) })),
    );
  }

  return (
    <>
      <Button
        icon={FileDown}
        off={away ?? (requests.length === 0 ? SAVED.nothing : undefined)}
        onClick={write}
      >
        {SAVED.export}
      </Button>
      <Button icon={FileUp} off={away} onClick={() => file.current?.click()}>
        {SAVED.import}
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json"
        aria-label={SAVED.import}
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          event.target.value = '';
          if (chosen !== undefined) take(chosen);
        }}
      />
    </>
  );
}
