/** The CloudEvent that wraps the stored bytes for a raw subscription, created for each attempt. Behaviour 2.2. */
import type { Profile } from '../contract/profile.ts';
import { bytesOf } from './codec.ts';
import type { Codec, Wire } from './codec.ts';
import { BINARY_CONTENT_TYPE } from './content-type.ts';
import type { TraceMembers } from './trace.ts';

export interface RawWrapperFacts {
  /** UUID, which is new for each attempt. */
  readonly id: string;
  readonly topic: string;
  readonly pubsubname: string;
  /** Trace members that the component passed on with the bytes. */
  readonly trace?: TraceMembers;
  readonly profile: Profile;
  readonly codec: Codec;
}

/** The wrapper as a value, for the rules of a raw subscription. */
export function rawEvent(wire: Wire, facts: RawWrapperFacts): Readonly<Record<string, string>> {
  return {
    data_base64: facts.codec.toBase64(bytesOf(wire, facts.codec)),
    datacontenttype: BINARY_CONTENT_TYPE,
    id: facts.id,
    pubsubname: facts.pubsubname,
    source: facts.profile.ownEventSource,
    specversion: '1.0',
    topic: facts.topic,
    ...facts.trace,
    type: facts.profile.eventType,
  };
}

/** The wrapper as JSON for the app: exactly these members, in alphabetical order, without time and data. */
export function wrapRaw(wire: Wire, facts: RawWrapperFacts): string {
  return JSON.stringify(rawEvent(wire, facts));
}
