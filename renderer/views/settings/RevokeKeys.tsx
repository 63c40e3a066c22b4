/** Revokes the keys of all browsers that have this console open, including this one. */
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { Question } from '../../components/Overlay.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { ABOUT } from '../../copy/settings.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';

export function RevokeKeys(): ReactElement {
  const { call, toasts } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [asked, setAsked] = useState(false);

  function revoke(): void {
    call('system.revoke', {}).then(
      ({ pages }) => toasts.done(fill(ABOUT.revoked, { n: pages })),
      (reason: unknown) => {
        const failure = asFailure(reason);
        // A page in a browser is disconnected before the answer arrives; its notice reports that.
        if (failure.code !== 'CONNECTION_LOST') toasts.failed(failure.message);
      },
    );
  }

  return (
    <>
      <Button off={away} onClick={() => setAsked(true)}>
        {ABOUT.revoke}
      </Button>
      {asked && (
        <Question
          danger
          title={ABOUT.revokeTitle}
          text={ABOUT.revokeText}
          yes={ABOUT.revokeYes}
          onYes={revoke}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
