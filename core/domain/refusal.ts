/** The one error class for refusals that leave a room, and the text and body of each code. */
import { ERRORS } from '../contract/errors.ts';
import type { ErrorBody, ErrorCode, ErrorDetails, ErrorRow } from '../contract/errors.ts';
import { PROFILES } from '../contract/profile.ts';
import type { ErrorChange, Profile } from '../contract/profile.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import type { Complaint } from './result.ts';

export type RefusalParams = Readonly<Record<string, string>>;

export interface RefusalMore {
  readonly field?: string;
  readonly expected?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly variant?: string;
  readonly cause?: unknown;
}

/** Variant of a refused publish that is beyond a limit itself. It has no text of its own. */
export const BEYOND_LIMIT = 'beyond-limit';

/**
 * Bad input or a refused act. `params` fill the named gaps in the code's text. Any other thrown error is a
 * bug.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly params: RefusalParams;
  readonly field?: string;
  readonly expected?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly variant?: string;

  constructor(code: ErrorCode, params: RefusalParams = {}, more: RefusalMore = {}) {
    super(
      messageOf(code, params, PROFILES.sidecar, more.variant, shownValue),
      more.cause === undefined ? {} : { cause: more.cause },
    );
    this.name = 'Refusal';
    this.code = code;
    this.params = params;
    if (more.field !== undefined) this.field = more.field;
    if (more.expected !== undefined) this.expected = more.expected;
    if (more.data !== undefined) this.data = more.data;
    if (more.variant !== undefined) this.variant = more.variant;
  }
}

/** A refusal as plain data, for those who report it. */
export type RefusalFacts = Pick<Refusal, 'code' | 'params' | 'variant'>;

export function refusalFacts({ code, params, variant }: Refusal): RefusalFacts {
  return { code, params, ...withoutUndefined({ variant }) };
}

/** Makes a Refusal of a complaint. `context` fills the gaps that the complaint does not fill itself. */
export function refusalOf(complaint: Complaint, context: RefusalParams = {}): Refusal {
  const reason = complaint.reason === undefined ? {} : { reason: complaint.reason };
  return new Refusal(
    complaint.code,
    { ...context, ...reason, ...complaint.params },
    {
      ...withoutUndefined({
        field: complaint.field,
        expected: complaint.expected,
        variant: complaint.variant,
      }),
    },
  );
}

/** Message of a code. `variant` selects a second text of the code; an unknown one is ignored. */
export function errorMessage(
  code: ErrorCode,
  params: RefusalParams,
  profile: Profile,
  variant?: string,
): string {
  return messageOf(code, params, profile, variant, asItIs);
}

/** Writes a value into a text; `before` is the character in front of it. */
type Written = (value: string, before: string | undefined) => string;

const asItIs: Written = (value) => value;

/** A value of blanks alone stands in quotes for people, because nobody would see it. Callers of the sidecar get the words of the reference. */
const shownValue: Written = (value, before) => {
  const isSeen = value === '' || value.trim() !== '' || before === "'" || before === '"';
  return isSeen ? value : JSON.stringify(value);
};

function messageOf(
  code: ErrorCode,
  params: RefusalParams,
  profile: Profile,
  variant: string | undefined,
  written: Written,
): string {
  const row: ErrorRow = ERRORS[code];
  const says = (variant === undefined ? undefined : row.variants?.[variant]?.says) ?? row.says;
  return fill(changeOf(code, profile, variant).says ?? says, params, profile, written);
}

/** The text of the profile's release, if it differs from the table. */
function changeOf(code: ErrorCode, { differences }: Profile, variant?: string): ErrorChange {
  return differences.errors[variant === undefined ? code : `${code}/${variant}`] ?? {};
}

/**
 * JSON body of a sidecar error. `params` are those of the refusal (`pubsubname`, `topic`, `appId`, `reason`);
 * `requestMetadata` is the publish's own metadata. Shapes: behaviour 1.6 (publish) and 7.1 (the short form).
 */
export function errorBody(
  code: ErrorCode,
  params: RefusalParams,
  profile: Profile,
  more: { readonly variant?: string; readonly requestMetadata?: Readonly<Record<string, string>> } = {},
): ErrorBody {
  const row: ErrorRow = ERRORS[code];
  const message = errorMessage(code, params, profile, more.variant);
  const variant = more.variant === undefined ? undefined : row.variants?.[more.variant];
  const details = variant?.details ?? row.details;
  const change = changeOf(code, profile, more.variant);
  const { errorCode = code } = change;
  if (details === undefined) return { errorCode, message };
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    domain: profile.errorDomain,
    metadata: factsOf(details, params, message, more.requestMetadata ?? {}),
    reason: profile.reasonPrefix + (change.reason ?? details.reason),
  };
  if (!details.resource) return { errorCode, message, details: [info] };
  const description =
    details.description === undefined || change.wholeDescription === true
      ? message
      : fill(details.description, params, profile);
  const resource = {
    '@type': 'type.googleapis.com/google.rpc.ResourceInfo',
    description,
    owner: '',
    resource_name: params['pubsubname'] ?? '',
    resource_type: 'pubsub',
  };
  const isInfoFirst = profile.differences.firstDetail === 'ErrorInfo';
  return { errorCode, message, details: isInfoFirst ? [info, resource] : [resource, info] };
}

function factsOf(
  details: ErrorDetails,
  params: RefusalParams,
  message: string,
  requestMetadata: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const error = params['reason'] ?? message;
  const appID = params['appId'] ?? '';
  switch (details.facts) {
    case 'request-metadata':
      return Object.fromEntries(Object.entries(requestMetadata).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    case 'app':
      return { appID };
    case 'app-error':
      return { appID, error };
    case 'topic-error':
      return { error, topic: params['topic'] ?? '' };
  }
}

function fill(says: string, params: RefusalParams, profile: Profile, written = asItIs): string {
  return says.replaceAll(
    /\{(\w+)(?:\|([^}]*))?\}/g,
    (_whole, name: string, otherwise: string | undefined, at: number) => {
      if (name === 'product') return profile.brandWord;
      return written(params[name] ?? otherwise ?? '', says[at - 1]);
    },
  );
}
