/** Secrets from environment variables, behind ports/secrets.ts. Behaviour 10, `secretstores.local.env`. */
import type { Profile } from '../../contract/profile.ts';
import { mayReferTo } from '../../domain/component.ts';
import type { Secrets } from '../../ports/secrets.ts';

export interface EnvSecretsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stands before every name. */
  readonly prefix?: string;
  readonly profile: Profile;
}

/** The sidecar's own variables and the tokens are never given: they are as absent as what is not set. */
export function envSecrets(options: EnvSecretsOptions): Secrets {
  return {
    async get(name, key) {
      const variable = (options.prefix ?? '') + name;
      if ((key ?? name) !== name || !mayReferTo(variable, options.profile)) return undefined;
      return options.env[variable];
    },
  };
}
