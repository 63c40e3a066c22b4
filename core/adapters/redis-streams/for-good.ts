/** Which answers of Redis to a publish no repeat changes. Any other one (OOM, READONLY, LOADING, NOPERM, …) may be another one later. */

const FOR_GOOD: readonly RegExp[] = [
  // The key of the topic has a value that is no stream.
  /^WRONGTYPE /,
  /^ERR The stream has exhausted the last possible ID/,
  // The entry is larger than `proto-max-bulk-len`. Mostly the server closes the connection before this can be read.
  /^ERR Protocol error: invalid bulk length/,
  /^ERR Elements are too large to be stored/,
];

/** Whether Redis gives this answer to the same entry each time, until a person changes its data. */
export function isForGoodAnswer(answer: string): boolean {
  return FOR_GOOD.some((form) => form.test(answer));
}
