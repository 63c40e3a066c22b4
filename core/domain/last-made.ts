/**
 * The last object of each kind that messages make. Nothing reads them; they only stay alive. Optimised code knows the layout of objects by
 * weak references: if no object of a layout is alive when the memory of a pause is collected, the engine drops the layout and all code that
 * uses it, and the next thousands of messages take up to half as long again.
 */

/** Objects with a larger body are not kept: an idle process would hold it for good. */
export const SMALL_BODY_BYTES = 65_536;

const NONE: object = {};

export const lastMade = {
  /** A plain connection of a publisher, with its socket. */
  plainConnection: NONE,
  publishRequest: NONE,
  /** Facts with which a publish is accepted. */
  facts: NONE,
  message: NONE,
  startedAttempt: NONE,
  /** A call to an app, with the connection that carried it. */
  call: NONE,
  answer: NONE,
  /** Records of a delivery, one for each state. */
  records: [] as object[],
  /** Record of a new message. */
  accepted: NONE,
  /** Commands that one turn of the event loop wrote to Redis. */
  turnWrite: NONE,
  /** A message on its way to a broker, and one that a broker has delivered. */
  outbound: NONE,
  inbound: NONE,
};
