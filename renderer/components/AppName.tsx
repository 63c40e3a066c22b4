/** The name of an app in its colour. */
import type { ReactElement } from 'react';
import { appColour } from '../format/app-colour.ts';
import css from './AppName.module.css';

/** The colour never says anything alone: the name stands in it. */
export function AppName({ appId }: { readonly appId: string }): ReactElement {
  return (
    <bdi className={css.name} title={appId} data-app={appColour(appId)}>
      {appId}
    </bdi>
  );
}
