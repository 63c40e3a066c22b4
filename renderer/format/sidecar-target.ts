/** The sidecar that a copied request goes to. */
import { PROFILES, type ProfileName } from '../../core/contract/profile.ts';
import { STANDARD_SIDECAR_URL } from '../../core/contract/standard-ports.ts';
import type { AppRow } from '../../core/contract/subscription.ts';

/** The header with the API token, which a copied request reads from a variable: the token itself is on no page. */
export interface TokenFrom {
  readonly header: string;
  readonly variable: string;
}

export interface SidecarTarget {
  readonly address: string;
  /** Absent: the sidecar asks for no token. */
  readonly token?: TokenFrom;
}

interface Known {
  readonly apps: readonly Pick<AppRow, 'appId' | 'sidecar' | 'asksForToken'>[];
  readonly profile: ProfileName;
}

/** Sidecar for a publish of this app; for an unknown app the first one. */
export function sidecarTarget(known: Known | undefined, appId: string | undefined): SidecarTarget {
  const apps = known?.apps ?? [];
  const app = apps.find((each) => each.appId === appId) ?? apps[0];
  const address = app === undefined || app.sidecar === '' ? STANDARD_SIDECAR_URL : app.sidecar;
  if (known === undefined || app?.asksForToken !== true) return { address };
  const { tokenHeader, env } = PROFILES[known.profile];
  return { address, token: { header: tokenHeader, variable: env.apiToken } };
}
