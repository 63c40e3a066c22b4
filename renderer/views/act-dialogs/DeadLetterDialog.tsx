/** Asks for a topic if a subscription has no dead-letter topic. */
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { ACT_WHY, DEAD_LETTER } from '../../copy/acts.ts';
import type { ActSubject } from '../../format/act-targets.ts';
import { useAway, useConsole } from '../../state/context.ts';

/** A dialog with one field and a button. */
export function DeadLetterDialog({ subjects }: { readonly subjects: readonly ActSubject[] }): ReactElement {
  const { commands, acting } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [topic, setTopic] = useState('');
  const isFilled = useDiffers({ topic });
  const refused = useRefused(['topic']);

  async function move(): Promise<void> {
    const isMoved = await refused.once(() => acting.deadLetterTo(topic, subjects, refused.take));
    if (isMoved) commands.close();
  }

  return (
    <Overlay
      title={DEAD_LETTER.title}
      onClose={commands.close}
      isFilled={isFilled}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <CancelButton />
          <Button
            kind="danger"
            off={away ?? (topic === '' ? DEAD_LETTER.hint : undefined)}
            pending={refused.pending}
            onClick={() => void move()}
          >
            {DEAD_LETTER.run}
          </Button>
        </>
      }
    >
      <TextField
        mono
        label={DEAD_LETTER.topic}
        hint={DEAD_LETTER.hint}
        error={refused.at('topic')}
        value={topic}
        onChange={setTopic}
      />
    </Overlay>
  );
}
