/**
 * What a CloudEvents library would refuse in an event. A publish never uses it: the sidecar delivers such an event, and an app that reads it
 * with a library may refuse it then.
 */
export interface EventProblem {
  /** Name of the attribute; absent: the whole event. */
  readonly field?: string;
  readonly message: string;
}

export interface EventCheck {
  /** Problems of a structured event by CloudEvents 1.0, one for each attribute; [] = valid. */
  problems(event: unknown): Promise<readonly EventProblem[]>;
}
