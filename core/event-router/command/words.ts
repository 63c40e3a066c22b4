/** The words of `sidelight router`, and the call that each makes. */
import type { Method } from '../../contract/console.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { UsageError } from '../../domain/usage-error.ts';

export interface RouterFlags {
  readonly component?: string;
  readonly delivery?: string;
  readonly topic?: string;
  readonly state?: string;
  readonly act?: string;
  readonly role?: string;
  readonly scope?: string;
  readonly 'tenant-id'?: string;
  readonly 'client-id'?: string;
  readonly 'client-secret'?: string;
  readonly ingress?: string;
  readonly 'time-scale'?: string;
  readonly 'rotate-ca'?: boolean;
  readonly renew?: boolean;
  readonly type?: string;
  readonly subject?: string;
  readonly remove?: string;
  readonly pem?: boolean;
  readonly reveal?: boolean;
}

export interface Call {
  readonly method: Method;
  readonly params: Readonly<Record<string, unknown>>;
}

type Word = (flags: RouterFlags) => Call;

/** Call of each word. The method checks the parameters. */
export const ROUTER_WORDS: Readonly<Record<string, Word>> = {
  status: ({ component }) => ({ method: 'eventRouter.status', params: withoutUndefined({ component }) }),
  subscriptions: ({ component, act }) => ({
    method: 'eventRouter.subscriptions',
    params: withoutUndefined({ component, act }),
  }),
  deliveries: ({ component, delivery, state, act }) =>
    act === undefined
      ? {
          method: 'eventRouter.deliveries',
          params: withoutUndefined({ component, deliveryId: delivery, states: state?.split(',') }),
        }
      : { method: 'eventRouter.act', params: withoutUndefined({ act, component, deliveryId: delivery }) },
  deadletters: ({ component }) => ({
    method: 'eventRouter.deliveries',
    params: withoutUndefined({ component, of: 'dead-letters' }),
  }),
  breakpoints: ({ type, subject, remove }) => ({
    method: 'eventRouter.breakpoints',
    params: withoutUndefined({
      remove,
      add:
        type === undefined && subject === undefined
          ? undefined
          : withoutUndefined({ includedEventTypes: type?.split(','), subjectBeginsWith: subject }),
    }),
  }),
  keys: ({ topic, act, reveal }) =>
    reveal === true
      ? {
          method: 'eventRouter.reveal',
          params: { topic: needed(topic, 'router keys --reveal', '--topic NAME') },
        }
      : { method: 'eventRouter.topics', params: withoutUndefined({ topic, act }) },
  cert: ({ renew, 'rotate-ca': rotate }) => ({
    method: 'eventRouter.certificate',
    params: withoutUndefined({ act: rotate === true ? 'rotate-ca' : renew === true ? 'renew-leaf' : 'show' }),
  }),
  handshake: ({ component, act }) => ({
    method: 'eventRouter.handshake',
    params: withoutUndefined({ component: needed(component, 'router handshake', '--component NAME'), act }),
  }),
  token: ({ component, act }) => ({
    method: 'eventRouter.token',
    params: withoutUndefined({ component, act }),
  }),
  faults: ({ ingress, 'time-scale': scale }) => ({
    method: 'eventRouter.faults',
    params: withoutUndefined({ ingress, timeScale: scale === undefined ? undefined : scaleOf(scale) }),
  }),
  create: ({ component }) => ({ method: 'eventRouter.create', params: withoutUndefined({ component }) }),
  grant: (flags) => directory('grant', flags),
  revoke: (flags) => directory('revoke', flags),
  'setup-identity': (flags) => directory('setup-identity', flags),
  'add-app': (flags) => directory('add-app', flags),
};

function directory(act: string, flags: RouterFlags): Call {
  const { component, role, scope } = flags;
  const clientId = flags['client-id'];
  if (clientId === undefined && component === undefined)
    throw new UsageError(`router ${act} needs --client-id ID or --component NAME`);
  const params = { act, component, clientId, role, scope };
  return {
    method: 'eventRouter.token',
    params: withoutUndefined({
      ...params,
      tenantId: flags['tenant-id'],
      clientSecret: flags['client-secret'],
    }),
  };
}

function scaleOf(text: string): number {
  const scale = Number(text);
  if (text.trim() !== '' && Number.isFinite(scale)) return scale;
  throw new UsageError(`--time-scale must be a number such as 0.01 or 10, got "${text}"`);
}

function needed(value: string | undefined, who: string, flag: string): string {
  if (value !== undefined) return value;
  throw new UsageError(`${who} needs ${flag}`);
}

/** Text of `sidelight router --help`. */
export const ROUTER_HELP = `sidelight router WORD [flags]     ask a running instance about its event router

  status [--component NAME]             show components, the steps of their input side, the embedded router
  subscriptions [--component NAME]      show event subscriptions as stored, and how they differ from what the component wants (--act put|delete)
  deliveries [--state a,b] [--delivery ID]   show the embedded router's deliveries (--act retry|hold|release|drop|dead-letter|park)
  breakpoints [--type T,U] [--subject BEGIN] [--remove ID]   hold events that match before their first attempt
  deadletters                           show files with what could not be delivered
  keys [--topic NAME [--reveal]]        show topics with masked keys, or the first key of one topic as it is (--act regenerate-key|disable|enable)
  cert [--pem] [--renew] [--rotate-ca]  show certificates, and how to make other programs trust them
  handshake --component NAME            run a handshake (--act probe|router|retry|validate|revoke)
  token [--component NAME]              show tokens, published keys, verdicts (--act refresh|rotate-key|rotate-secret)
  faults [--ingress none|503|self-signed|expired|wrong-host|pause] [--time-scale N]   break the ingress in front of the webhook; multiply the waits between attempts
  create [--component NAME]             add a working example component; with a name: send one event through it
  grant --client-id ID --scope S [--role R]     give the client a role (first step of an administrator); --component NAME replaces both flags; revoke removes the role
  setup-identity --client-id ID         let the router's application call this client (second step of an administrator)
  add-app --tenant-id ID --client-id ID [--client-secret S]   register a client with the embedded router

  --data-dir DIR   data folder of the instance (default: the running one of the default folder)
  --rpc URL        address of the instance, "rpc" of its ready line (SIDELIGHT_RPC)
  --token T        token of the instance, "token" of its ready line (SIDELIGHT_TOKEN)
  --json           print the answer as one line of JSON

Exit status: 0 done; 1 no instance runs, or it refused; 2 a bad word or flag, or several instances run.
`;
