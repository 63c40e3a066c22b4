/** Where the reference and Sidelight are known to differ: by case, with the fact that is the reason. */
import type { CaseResult } from './suite/report.ts';

export interface Difference {
  /** Ids of cases. */
  readonly cases: readonly string[];
  /** Releases in which it is so, by their first two numbers; absent: all. */
  readonly releases?: readonly string[];
  readonly reason: string;
  /** The subscriptions of the case keep the reference from serving any other: it gets a start of its own. */
  readonly alone?: true;
  /** Both sides may give the same result: it depends on what comes first, the look of the case or the call. */
  readonly sometimes?: true;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    cases: ['65b', '65c', '65d', '65e'],
    alone: true,
    reason:
      'a rule that compares with a word without quotes is refused, and the app loses all its subscriptions',
  },
  {
    cases: ['65', '65f', '65g'],
    reason:
      'a word without quotes is the name of a variable that does not exist, and a number is never equal to a text: the rule does not hold',
  },
  {
    cases: ['18b', 'V6'],
    reason: 'without an incoming trace and an exporter its trace context is all zeros, or empty',
  },
  {
    cases: ['22d'],
    reason:
      'a CloudEvent of the publisher that is just `null` makes it drop the connection without an answer',
  },
  {
    cases: ['24c', '25b', '53b', 'V9'],
    reason: 'a path without a component or a topic is no route there: 404 of service invocation',
  },
  {
    cases: ['25c', '25d'],
    reason: 'doubled slashes are cleaned away, so the topic becomes the component; the interface wants 404',
  },
  {
    cases: ['30b'],
    releases: ['1.13'],
    reason: 'one byte over the limit is taken and its last byte is cut off',
  },
  {
    cases: ['113i'],
    reason: 'it ignores the Host of a request',
  },
  {
    cases: ['36h', '36i'],
    reason: 'a time to live under a second expires the message at once instead of being refused',
  },
  {
    cases: ['51c'],
    reason: 'numbers of a bulk publish go through floating point and lose digits',
  },
  {
    cases: ['57', 'G23'],
    reason: 'metadata of the request reach an entry only if it has metadata of its own',
  },
  {
    cases: ['59a'],
    reason: 'maxBulkPubBytes has no effect on its in-memory component',
  },
  {
    cases: ['46c', '46d'],
    reason: 'an entry without an event is published with null; the interface requires the event',
  },
  {
    cases: ['52b'],
    reason:
      'a broken own event among the entries is answered with an error instead of the failed entry report',
  },
  {
    cases: ['53', '126', 'V10'],
    reason: 'a bulk publish to an unknown component is 404; the interface says 400',
  },
  {
    cases: ['V3b'],
    releases: ['1.18'],
    reason: 'a bulk publish to an unknown component is 404; the interface says 400',
  },
  {
    cases: ['82o'],
    reason: 'of an answer that is cut off what came before the cut is read, and a whole status in it counts',
  },
  {
    cases: ['G66d'],
    reason:
      'each status of an entry that is named twice counts: DROP leads to a copy, and RETRY to one more call, without entries',
  },
  {
    cases: ['96b'],
    reason: 'retries of a policy send the wrapper of the first call',
  },
  {
    cases: [
      '98a',
      '99a',
      '100',
      '101a',
      '102a',
      '102b',
      '102c',
      '102d',
      '102e',
      '102f',
      '102g',
      '102h',
      '102i',
      '104b',
      '104c',
      '104d',
      'V62',
      'G64',
    ],
    reason:
      'its in-memory component hands over one message at a time and waits for it, so a batch has one entry, and after the attempts of the policy the entry is gone',
  },
  {
    cases: ['x11', 'V70', 'V70b'],
    reason:
      'it ignores the Origin of a publish, and lets no page read the answer unless --allowed-origins names it',
  },
  {
    cases: ['114b'],
    reason: 'any web page may shut it down',
  },
  {
    cases: ['x4'],
    reason:
      'a message that is published before the app was there is lost: its in-memory component has no subscriber yet',
  },
  {
    cases: ['x6', 'G44', 'V23'],
    reason: 'an app that comes back is not asked for its subscriptions again',
  },
  {
    cases: ['88a', 'G82'],
    reason: 'a publish in memory waits for the app, so it is not answered while the app is away',
  },
  {
    cases: ['74'],
    reason: 'a discovery answer that is no array loses the subscriptions of files too',
  },
  {
    cases: ['29', '55', 'G12', 'G24', 'G24b'],
    reason: 'failPublish is a setting of our in-memory component',
  },
  {
    cases: ['G27a', 'G27b'],
    reason:
      'calls that are not about messages are answered as of a feature that is not configured, or as a call to another app',
  },
  {
    cases: ['G48', 'G49'],
    reason: 'data of a type that it does not know arrive empty, and long numbers go through floating point',
  },
  {
    cases: ['G67'],
    reason: 'binary data of a batch arrive empty',
  },
  {
    cases: ['V28'],
    reason:
      'a subscription file with a broken rule starts no subscription of a file in 1.13, and ends the process in 1.18',
  },
  {
    cases: ['G33a', 'G33b'],
    reason: 'reflection cannot be reached: an unknown service is taken for a call to another app',
  },
  {
    cases: ['G34'],
    reason: 'it listens on every address of the machine',
  },
  {
    cases: ['G38b'],
    reason: 'an app whose list cannot be read loses the subscriptions of files too',
  },
  {
    cases: ['G74', 'G74b', 'G77', 'G78c'],
    releases: ['1.18'],
    reason:
      'what was in flight on a stream that ends, or is published while it is away, is lost in memory; the end has the code UNKNOWN',
  },
  {
    cases: ['G87'],
    releases: ['1.18'],
    reason:
      'when a stream of a topic ends, its in-memory component removes the oldest subscriber of that topic, whichever stream that is: the one that stays gets nothing more',
  },
  {
    cases: ['G81'],
    releases: ['1.18'],
    reason: 'of two events of one id on one stream the first one never ends',
  },
  {
    cases: ['G84'],
    releases: ['1.18'],
    reason: 'it waits up to 30 s for its streams when it stops, then ends them with UNKNOWN',
  },
  {
    cases: ['V31'],
    releases: ['1.13'],
    reason: 'files are read at the start only',
  },
  {
    cases: ['V31'],
    releases: ['1.18'],
    reason: 'what is published while a changed subscription is started again is lost in memory',
  },
  {
    cases: ['V32'],
    releases: ['1.18'],
    alone: true,
    reason: 'a policy that changes restarts the whole sidecar, and what is in memory is lost',
  },
  {
    cases: ['V42'],
    releases: ['1.18'],
    reason: 'its own envelope is taken for binary mode, and no route is called',
  },
  {
    cases: ['92', 'V45'],
    releases: ['1.18'],
    sometimes: true,
    reason: 'an answer of any length is read, so its RETRY counts',
  },
  {
    cases: ['V59d'],
    reason: 'a component that is not initialised is not found, whatever the cause',
  },
  {
    cases: ['V36'],
    releases: ['1.13'],
    alone: true,
    reason: 'a traceid that is no text ends the process',
  },
  {
    cases: ['V36'],
    releases: ['1.18'],
    reason: 'an event whose traceid is no text is delivered without a traceparent',
  },
  {
    cases: ['V64'],
    releases: ['1.18'],
    sometimes: true,
    reason: 'an entry that no rule takes is also posted to /',
  },
  {
    cases: ['V5', 'V7'],
    releases: ['1.13'],
    reason: 'the release has no such feature yet: subject and baggage came with 1.16 and 1.17',
  },
  {
    cases: ['V18a', 'V18b'],
    releases: ['1.13'],
    reason: 'the stable path of bulk publish came with 1.17',
  },
  {
    cases: ['G18a'],
    releases: ['1.13'],
    reason: 'BulkPublishEvent came with 1.17; before, unknown methods are UNKNOWN',
  },
  {
    cases: [
      'G32b',
      'G70',
      'G71',
      'G71b',
      'G73',
      'G74',
      'G74b',
      'G76',
      'G77',
      'G78',
      'G78b',
      'G78c',
      'G80',
      'G81',
      'G83',
      'G84',
      'G85',
      'G86',
      'G87',
    ],
    releases: ['1.13'],
    reason: 'streams came with 1.14',
  },
  {
    cases: ['G28', 'V67', 'V68', 'V68b'],
    releases: ['1.13'],
    reason:
      'where a subscription comes from, and those of files before the app is there, are listed since 1.14',
  },
  {
    cases: ['V20'],
    releases: ['1.13'],
    reason: 'a bulk publish goes to the topic without the prefix of the namespace',
  },
  {
    cases: ['V37'],
    releases: ['1.13'],
    reason: 'trace members in the metadata of a delivery are looked at since 1.15',
  },
  {
    cases: ['V39'],
    releases: ['1.13'],
    reason: 'binary mode came with 1.17',
  },
  {
    cases: ['V59a', 'V59c', 'V60'],
    releases: ['1.13'],
    reason: 'streamTTL and redisPort came with 1.16 and 1.17',
  },
  {
    cases: ['V21'],
    releases: ['1.13'],
    reason: 'the discovery request names the app since 1.16',
  },
  {
    cases: ['V22'],
    releases: ['1.13'],
    reason: 'an empty discovery answer is an error, and nothing is subscribed',
  },
  {
    cases: ['V25'],
    releases: ['1.13'],
    reason: 'a subscription of another API group is not delivered either',
  },
  {
    cases: ['V44'],
    releases: ['1.13'],
    reason: 'headers of a connection are handed on as they come',
  },
  {
    cases: ['V49', 'V51', 'V54'],
    releases: ['1.13'],
    reason: 'policies name statuses since 1.15',
  },
  {
    cases: ['V52a', 'V52b', 'V52c'],
    releases: ['1.13'],
    sometimes: true,
    reason:
      'statuses are not read before 1.15, so the policy holds, and memory hands the message over again after it',
  },
  {
    cases: ['G39'],
    releases: ['1.13'],
    sometimes: true,
    reason:
      'an app that opens its gRPC port late may be met while the connection waits for its next try: the list is not read, and nothing is delivered',
  },
  {
    cases: ['V65'],
    releases: ['1.13'],
    reason: 'an entry whose rule has an empty path vanishes as processed',
  },
  {
    cases: ['V69'],
    releases: ['1.13'],
    reason: 'policies are listed since 1.18',
  },
  {
    cases: ['V72'],
    releases: ['1.13'],
    reason: 'a shutdown can be forced since 1.17',
  },
  {
    cases: ['116b', '116c', '116d', '116e', '117b', '117c', '118i'],
    releases: ['1.13'],
    reason: 'the 1.13.6 that is compared with was built without this binding',
  },
];

/** Cases whose result may be another one through a tap, with the reason. */
const THROUGH_TAP: readonly Pick<Difference, 'cases' | 'reason'>[] = [
  {
    cases: ['92', 'V45'],
    reason: 'the sidecar calls again in both, and without a tap the case has looked before that call comes',
  },
];

/** The known reason why a case fails on a release; undefined: there is none. */
export function reasonFor(id: string, version: string): string | undefined {
  return differenceOf(id, version)?.reason;
}

function differenceOf(id: string, version: string): Difference | undefined {
  const release = version.split('.').slice(0, 2).join('.');
  return DIFFERENCES.find(
    ({ cases, releases }) => cases.includes(id) && releases?.includes(release) !== false,
  );
}

/** Whether a case gets a start of its own on the reference. */
export function isAlone(id: string): boolean {
  return DIFFERENCES.some(({ cases, alone }) => alone === true && cases.includes(id));
}

export interface Comparison {
  readonly version: string;
  readonly results: readonly CaseResult[];
  /** Results of the same cases through a tap, if that was run. */
  readonly tapped?: readonly CaseResult[];
  /** Configurations that were not compared, with the reason. */
  readonly skipped: readonly (readonly [configuration: string, reason: string])[];
}

/** The report as lines, and how many differences have no reason. */
export function compared(all: readonly Comparison[]): {
  readonly lines: readonly string[];
  readonly open: number;
} {
  const lines: string[] = [];
  let open = 0;
  for (const { version, results, tapped, skipped } of all) {
    const failed = results.filter(({ result }) => result === 'failed');
    const passed = results.filter(({ result }) => result === 'passed');
    const known = failed.flatMap((one) => {
      const reason = reasonFor(one.id, version);
      return reason === undefined ? [] : [{ one, reason }];
    });
    const unexplained = failed.filter(({ id }) => reasonFor(id, version) === undefined);
    open += unexplained.length;
    lines.push(
      '',
      `reference ${version}: ${passed.length} cases as here, ${known.length} differ as known, ${unexplained.length} differ without a reason`,
    );
    for (const { one, reason } of known) lines.push(`  ${one.id.padEnd(6)} ${one.title}: ${reason}`);
    for (const one of unexplained)
      lines.push(`  ${one.id.padEnd(6)} ${one.title}: NO REASON KNOWN. ${(one.reason ?? '').split('\n')[0]}`);
    lines.push(...asHere(passed, version));
    if (tapped !== undefined) {
      const told = throughTap(results, tapped, version);
      open += told.open;
      lines.push(...told.lines);
    }
    for (const [configuration, reason] of skipped) lines.push(`  not compared: ${configuration}: ${reason}`);
  }
  return { lines, open };
}

/** A comparison as one object, with the known reason of each case that differs. */
export interface ComparisonReport {
  readonly startedAt: string;
  /** Path of the reference. */
  readonly reference: string;
  /** Number of differences without a reason. */
  readonly open: number;
  readonly releases: readonly {
    readonly version: string;
    readonly cases: readonly ComparedCase[];
    /** Results of the same cases through a tap, if that was run. */
    readonly throughTap?: readonly CaseResult[];
    readonly notCompared: readonly { readonly configuration: string; readonly reason: string }[];
  }[];
}

/** `passed`: as here; `failed`: otherwise, with `knownAs` if the reason is known. */
export interface ComparedCase extends CaseResult {
  readonly knownAs?: string;
}

export function comparisonReport(
  startedAt: Date,
  reference: string,
  all: readonly Comparison[],
): ComparisonReport {
  return {
    startedAt: startedAt.toISOString(),
    reference,
    open: compared(all).open,
    releases: all.map(({ version, results, tapped, skipped }) => ({
      version,
      cases: results.map((one) => {
        const knownAs = one.result === 'failed' ? reasonFor(one.id, version) : undefined;
        return knownAs === undefined ? one : { ...one, knownAs };
      }),
      ...(tapped === undefined ? {} : { throughTap: tapped }),
      notCompared: skipped.map(([configuration, reason]) => ({ configuration, reason })),
    })),
  };
}

/** Cases that gave what they give here, although a difference is known. */
function asHere(passed: readonly CaseResult[], version: string): readonly string[] {
  const known = passed.filter(({ id }) => reasonFor(id, version) !== undefined);
  return [
    { isMeant: true, head: 'as here this time, which depends on what comes first' },
    { isMeant: false, head: 'as here although a difference is known' },
  ].flatMap(({ isMeant, head }) => {
    const ids = known.filter(({ id }) => (differenceOf(id, version)?.sometimes === true) === isMeant);
    return ids.length === 0 ? [] : [`  ${head}: ${ids.map(({ id }) => id).join(', ')}`];
  });
}

/** Where the table through a tap differs from the one without. */
function throughTap(
  direct: readonly CaseResult[],
  tapped: readonly CaseResult[],
  version: string,
): { readonly lines: readonly string[]; readonly open: number } {
  const differing = tapped.flatMap((one) => {
    const without = direct.find(
      ({ id, configuration }) => id === one.id && configuration === one.configuration,
    );
    return without?.result === one.result ? [] : [{ one, without: without?.result ?? 'not run' }];
  });
  const lines = differing.map(({ one, without }) => {
    const reason = THROUGH_TAP.find(({ cases }) => cases.includes(one.id))?.reason;
    const why = reason ?? `NO REASON KNOWN. ${(one.reason ?? '').split('\n')[0]}`;
    return {
      isKnown: reason !== undefined,
      text: `  ${one.id.padEnd(6)} ${one.title}: ${without} without, ${one.result} with: ${why}`,
    };
  });
  const open = lines.filter(({ isKnown }) => !isKnown).length;
  const head = `reference ${version} through a tap: ${tapped.length - lines.length} of ${direct.length} cases as without it, ${open} differ without a reason`;
  return { lines: [head, ...lines.map(({ text }) => text)], open };
}
