/**
 * Finds the component or the router that a method of `eventRouter.*` names, and turns errors into refusals.
 */
import type { Profile } from '../../contract/profile.ts';
import type { ComponentRow } from '../../contract/subscription.ts';
import type { EventRouterBinding } from '../binding/binding.ts';
import type { InputSide } from '../binding/input-side.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { EventRouterSettings } from '../../contract/event-router/settings.ts';
import { errorText } from '../../contract/error-text.ts';
import type { ComponentSource } from '../../ports/component-source.ts';
import type { IdSource } from '../../ports/ids.ts';
import type { LocalRouter, SimulateDelivery } from '../../ports/local-router.ts';
import type { RouterConnection } from '../connection/router-connection.ts';

export interface ConsoleDependencies {
  readonly profile: Profile;
  readonly settings: () => EventRouterSettings;
  readonly access: RouterConnection;
  /** Valid bindings by name. */
  readonly bindings: ReadonlyMap<string, EventRouterBinding>;
  /** Everything that is loaded. */
  readonly components: () => readonly ComponentRow[];
  readonly log: (level: 'info' | 'warn', text: string) => void;
  readonly source: ComponentSource;
  readonly reload: () => Promise<void>;
  readonly ids: IdSource;
  readonly now: () => number;
  readonly simulate: SimulateDelivery;
}

/** Lookup of components and of the router, with refusals that say why there is none. */
export interface Lookup {
  /** A component. Throws Refusal NOT_FOUND; INVALID_PARAMS if it is not valid. */
  binding(name: string): EventRouterBinding;
  /** A component with an input side; throws as `binding` does. */
  input(name: string): { readonly binding: EventRouterBinding; readonly input: InputSide };
  /**
   * The embedded router, which is opened if it is not yet. Throws Refusal INVALID_PARAMS if the router is
   * external or off.
   */
  router(): Promise<LocalRouter>;
}

const CALL_MS = 60_000;

/** Time limit for a whole call by a person. */
export function callSignal(): AbortSignal {
  return AbortSignal.timeout(CALL_MS);
}

/** Runs a person's call, and turns its error into a refusal with the same text. */
export async function asRefusal<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const reason = errorText(error);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new Refusal('INVALID_PARAMS', { reason }, { data: { evr: code }, cause: error });
  }
}

/** Makes the lookup. */
export function lookupOver({ profile, components, bindings, access }: ConsoleDependencies): Lookup {
  const binding = (name: string): EventRouterBinding => {
    const row = components().find((one) => one.name === name && one.type === profile.binding.type);
    if (row === undefined) {
      const reason = `No component ${name} of type ${profile.binding.type} is loaded.`;
      throw new Refusal('NOT_FOUND', { reason }, { field: 'component' });
    }
    const found = bindings.get(name);
    if (found !== undefined && row.state === 'ready') return found;
    const reason = `Component ${name} is not ready: ${row.reason ?? row.state}`;
    throw new Refusal(
      'INVALID_PARAMS',
      { reason },
      { field: 'component', expected: 'a component that is valid' },
    );
  };
  return {
    binding,
    input: (name) => {
      const found = binding(name);
      if (found.input !== undefined) return { binding: found, input: found.input };
      const reason = `Component ${name} has no input side.`;
      throw new Refusal(
        'INVALID_PARAMS',
        { reason },
        { field: 'component', expected: 'a component with an input' },
      );
    },
    router: async () => {
      if (access.isEmbedded) return asRefusal(() => access.openRouter());
      const reason = 'The router is external or off: only the embedded router can do this.';
      throw new Refusal('INVALID_PARAMS', { reason }, { expected: 'eventRouter.mode embedded' });
    },
  };
}

/** Id of a component's subscription, as the embedded router lists it. */
export function recordIdOf(
  { access }: Pick<ConsoleDependencies, 'access'>,
  { fields }: EventRouterBinding,
): string {
  const input = fields?.input;
  if (input === undefined) return '';
  const wanted = `${input.scope.key}/`;
  const name = `/${input.subscriptionName.toLowerCase()}`;
  const found = access.router?.subscriptions
    .list()
    .find(
      ({ record }) => record.id.toLowerCase().startsWith(wanted) && record.id.toLowerCase().endsWith(name),
    );
  return found?.record.id ?? '';
}

/** A required parameter. Throws Refusal INVALID_PARAMS if it is absent. */
export function needed(value: string | undefined, field: string): string {
  if (value !== undefined) return value;
  throw new Refusal('INVALID_PARAMS', { reason: `${field} is missing: this act needs it.` }, { field });
}
