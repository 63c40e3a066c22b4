/** The name of an app in its colour. */
import type { ReactElement } from 'react';
import { appColour } from '../format/app-colour.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import css from './AppName.module.css';

/** Shows the name of an app in its colour, which is never the only sign. */
export function AppName({ appId }: { readonly appId: string }): ReactElement {
  const { connection } = useConsole();
  const colour = useSelected(connection, ({ system }) =>
    appColour(
      appId,
      (system?.apps ?? []).map((app) => app.appId),
    ),
  );
  return (
    <bdi className={css.name} title={appId} data-app={colour}>
      {appId}
    </bdi>
  );
}
