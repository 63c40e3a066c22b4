/** The desk behind `eventRouter.*`: what is known of event-router components. */
import type { EventRouterComponent } from '../contract/event-router-console.ts';
import type { Profile } from '../contract/profile.ts';
import type { ComponentRow } from '../contract/subscription.ts';
import { Refusal } from '../domain/refusal.ts';
import type { EventRouterDesk } from '../ports/event-router-desk.ts';

export interface DeskParts {
  readonly profile: Profile;
  /** Everything that is loaded. */
  readonly components: () => readonly ComponentRow[];
}

/** A desk over what the runtime has loaded. */
export function createEventRouterDesk({ profile, components }: DeskParts): EventRouterDesk {
  const rows = (name?: string): readonly ComponentRow[] =>
    components().filter(
      (row) => row.type === profile.binding.type && (name === undefined || row.name === name),
    );
  const nothing = async (): Promise<never> => {
    throw new Refusal('NOT_FOUND', {
      reason: `No component of type ${profile.binding.type} of that name is loaded.`,
    });
  };
  return {
    status: async ({ component }) => ({ mode: 'embedded', components: rows(component).map(componentOf) }),
    handshake: nothing,
    emulate: nothing,
    create: nothing,
    subscriptions: nothing,
    deliveries: nothing,
    act: nothing,
    topics: nothing,
    token: nothing,
    certificate: nothing,
    faults: nothing,
    reveal: nothing,
  };
}

function componentOf(row: ComponentRow): EventRouterComponent {
  return {
    name: row.name,
    type: row.type,
    ...(row.file === undefined ? {} : { file: row.file }),
    ...(row.line === undefined ? {} : { line: row.line }),
    state: row.state,
    ...(row.reason === undefined ? {} : { reason: row.reason }),
    direction: 'none',
    fields: [],
    problems: row.problems,
    notes: [],
  };
}
