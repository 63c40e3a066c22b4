/** Errors of Redis to a publish that a retry cannot fix. Others (OOM, READONLY, LOADING, NOPERM) may pass. */

const FOR_GOOD: readonly RegExp[] = [
  // The key of the topic has a value that is no stream.
  /^WRONGTYPE /,
  /^ERR The stream has exhausted the last possible ID/,
  // The entry is larger than `proto-max-bulk-len`. Usually the server closes the connection before this reply can be read, so
  // largest-text.ts refuses such an entry before it is sent.
  /^ERR Protocol error: invalid bulk length/,
  /^ERR Elements are too large to be stored/,
];

/** Whether Redis refuses the same entry each time, until a person changes its data. */
export function isForGoodAnswer(answer: string): boolean {
  return FOR_GOOD.some((form) => form.test(answer));
}
