/** The tokens of a start: what callers send to the sidecars, and what the sidecars send to apps. */
import { PROFILES } from '../contract/profile.ts';
import { UsageError } from '../domain/usage-error.ts';
import type { ProductOptions } from './options.ts';

interface Tokens {
  /** Token that callers of the sidecars have to send; '' = none. */
  readonly apiToken: string;
  /** Token that the sidecars send to apps; '' = none. */
  readonly appApiToken: string;
  /** Tokens that single apps get instead. */
  readonly ofApps: readonly string[];
}

/** Text that every client sends, and every server reads, unchanged: characters of ASCII, no blank at either end. */
const SENDABLE = /^[!-~](?:[ -~]*[!-~])?$/;

/** Reads the tokens. Throws UsageError for one that no header carries: all callers would be locked out, or the app would get none. */
export function tokensOf({ profile, env, apps }: Pick<ProductOptions, 'profile' | 'env' | 'apps'>): Tokens {
  const names = PROFILES[profile].env;
  const apiToken = checked(names.apiToken, env[names.apiToken]);
  const appApiToken = checked(names.appApiToken, env[names.appApiToken]);
  const ofApps = apps.flatMap(({ appId, own, edge }) => [
    checked(`The API token of app ${appId}`, edge?.apiToken),
    checked(`${names.appApiToken} of app ${appId}`, own?.appApiToken),
  ]);
  return { apiToken, appApiToken, ofApps };
}

function checked(name: string, token = ''): string {
  if (token === '' || SENDABLE.test(token)) return token;
  throw new UsageError(`${name} ${whyNot(token)}`);
}

/** What is wrong with a token, which is a secret, so that no part of it is repeated. */
function whyNot(token: string): string {
  if (token.trim() === '') return 'has nothing but blanks: set a token, or unset it for none';
  if (token.trim() !== token)
    return 'begins or ends with a blank or a line end, which is lost when it is sent: remove it';
  return 'has a character that a header does not carry unchanged: use letters, digits and signs of ASCII';
}
