/** Bounds that the page and the host share, without the schemas. */

/** Most deliveries that one act may name. */
export const MAX_ACT_IDS = 500;
/** Deliveries after which an answer with rows of messages, which may have thousands each, has no further row: about 10 MB of JSON. */
export const MAX_DELIVERIES = 20_000;
