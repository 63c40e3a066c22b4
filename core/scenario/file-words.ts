/**
 * What Sidelight says of an app names flags of its command line. A scenario file and a test in code have members and options for them,
 * which have the same names in both.
 */

/** Flags in the order in which they are looked for, each with what stands for it. */
const WORDS: readonly (readonly [flag: RegExp, word: string])[] = [
  [
    / With --app-port of sidelight run, give --app-protocol (http|grpc)\./g,
    ' For an app that a file starts, give appProtocol: $1.',
  ],
  // Nothing stands for another protocol: such an app is given by its address.
  [/ With --app-port of sidelight run, give --app-protocol \S+\./g, ''],
  [/--profile (?=\w)/g, 'profile: '],
  [/--resources\b/g, 'resources'],
  [/--set (?=\w)/g, 'settings: '],
];

/** The text for whoever wrote a scenario or a test. */
export function inFileWords(text: string): string {
  return WORDS.reduce((told, [flag, word]) => told.replaceAll(flag, word), text);
}
