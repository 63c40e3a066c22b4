/** Bounds of an answer with rows of messages, which may have thousands of deliveries each. */

/** Deliveries after which an answer has no further row: about 10 MB of JSON. */
export const MAX_DELIVERIES = 20_000;
