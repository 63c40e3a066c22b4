/** Messages in a match rule (`google.protobuf.Int32Value{value: 1}`), which the library does not read, and what says the same without one. */

export interface MessageFound {
  /** What is wrong, and what to write instead. */
  readonly message: string;
  /** Offset of the message in the text, from 0. */
  readonly position: number;
}

/** What to write in place of each message that the reference knows; undefined: nothing says the same. */
const INSTEAD: ReadonlyMap<string, string | undefined> = new Map<string, string | undefined>([
  ...['BoolValue', 'BytesValue', 'DoubleValue', 'FloatValue', 'Int32Value', 'Int64Value', 'StringValue'].map(
    (name) => [name, 'the value alone'] as const,
  ),
  ...['UInt32Value', 'UInt64Value', 'Value'].map((name) => [name, 'the value alone'] as const),
  ['Struct', 'a map such as {"a": 1}'],
  ['ListValue', 'a list such as [1, 2]'],
  ['Duration', 'duration("90s")'],
  ['Timestamp', 'timestamp("2024-05-06T07:08:09Z")'],
  ['Empty', undefined],
]);

/** Comments and texts, and the name of a message before its bracket. */
const PARTS =
  /\/\/.*|"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n\r])*"|'(?:\\.|[^'\\\n\r])*'|(?<![\w.])(?<message>\.?google\.protobuf\.(?<name>[A-Z]\w*))\s*\{/g;

/** @returns undefined: the rule has no message that the reference knows */
export function messageComplaint(text: string): MessageFound | undefined {
  for (const { index, groups = {} } of text.matchAll(PARTS)) {
    const name = groups['name'] ?? '';
    if (!INSTEAD.has(name)) continue;
    const instead = INSTEAD.get(name);
    const write = instead === undefined ? '' : `. Write ${instead} instead`;
    return {
      message: `${groups['message']}{…} makes a message. The reference takes it, but Sidelight has no messages in rules${write}`,
      position: index,
    };
  }
  return undefined;
}
