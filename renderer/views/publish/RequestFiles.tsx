/** Saved requests as files for a repository: exports all of them, and imports such a file. */
import { FileDown, FileUp } from 'lucide-react';
import { useRef, type ReactElement } from 'react';
import type { SavedRequest } from '../../../core/contract/saved.ts';
import { Button } from '../../components/Button.tsx';
import { Problem } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { clause, errorText } from '../../../core/contract/error-text.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import { SAVED } from '../../copy/saved.ts';
import { count } from '../../format/quantity.ts';
import { saveFile } from '../../format/save-file.ts';
import { useAway, useConsole } from '../../state/context.ts';

/** Two buttons. */
export function RequestFiles({ requests }: { readonly requests: readonly SavedRequest[] }): ReactElement {
  const { acting, call, saved } = useConsole();
  const refused = useRefused();
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
    void refused.run('requests.import', async () => {
      const text = await textOf(chosen);
      const { added, replaced } = await call('requests.import', { text });
      await saved.requests.refresh();
      return fill(SAVED.imported, { added: count(added), replaced: count(replaced) });
    });
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
      <Button icon={FileUp} off={away} pending={refused.pending} onClick={() => file.current?.click()}>
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
      <Problem text={refused.problem} />
    </>
  );
}

/** The text of a file. Throws with words for a person. */
async function textOf(file: File): Promise<string> {
  try {
    return await file.text();
  } catch (reason) {
    throw new Error(fill(PUBLISH.loadFailed, { message: clause(errorText(reason)) }), { cause: reason });
  }
}
