// Rules that a release of the reference decides: paths, bodies, verdicts, policies, and the table itself.
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { baggageMistake } from '../../core/domain/baggage.ts';
import { shutdownModeOf } from '../../core/domain/shutdown-kind.ts';
import { explainVerdict } from '../../core/domain/explain-verdict.ts';
import { errorBody } from '../../core/domain/refusal.ts';
import { readResiliency } from '../../core/domain/resiliency.ts';
import { isFinal } from '../../core/domain/retry.ts';
import { cleanedPath } from '../../core/domain/route-path.ts';
import { readJsonBody } from '../../core/domain/json-body.ts';

const older = PROFILES.dapr;
const newer = PROFILES['dapr-1.18'];

test('the profiles of the reference differ only in the table, their version and their release', () => {
  const rest = ({
    name: _n,
    differences: _d,
    runtimeVersion: _v,
    referenceRelease: _r,
    ...same
  }: typeof older) => same;
  expect(rest(newer)).toEqual(rest(older));
  const changed = Object.entries(newer.differences).filter(
    ([key, value]) =>
      JSON.stringify(value) === JSON.stringify(Reflect.get(older.differences, key)) && value !== undefined,
  );
  expect(changed).toEqual([]);
});

test.each([
  ['/a/', '/a'],
  ['/b//c', '/b/c'],
  ['/d/../e', '/e'],
  ['/../x', '/x'],
  ['/./a?q=/../b/', '/a?q=/../b/'],
  ['/', '/'],
])('the path %s is called as %s', (path, cleaned) => expect(cleanedPath(path)).toBe(cleaned));

test.each([
  ['k=v', undefined],
  ['k=v;p;q=1,x=%20', undefined],
  ['k', 'invalid baggage list-member: "k"'],
  ['=v', 'invalid key: ""'],
  ['a b=v', 'invalid key: "a b"'],
  ['a=%zz', 'invalid value: invalid URL escape "%zz"'],
  ['a=b,,c=d', 'invalid baggage list-member: ""'],
  ['a=b;x y=1', 'invalid baggage list-member property: "x y=1"'],
])('the mistake in the baggage %s is found', (header, mistake) =>
  expect(baggageMistake(header)).toBe(mistake),
);

describe('a JSON body', () => {
  test.each([
    ['', 'unexpected end of JSON input', 'EOF', 'stream too large'],
    ['[{"a":', 'unexpected end of JSON input', 'unexpected EOF', 'stream too large'],
    ['[x', 'the body is not JSON', 'the body is not JSON', 'the body is not JSON'],
    ['[] tail', 'there is text after the JSON value', [], []],
  ] as const)('the errors of both releases for the body %j', (text, before, after, beginning) => {
    const read = (rules: Parameters<typeof readJsonBody>[1]): unknown => {
      const first = readJsonBody(text, rules);
      return typeof first === 'string' ? first : first.value;
    };
    expect(read(older.differences)).toEqual(before);
    expect(read(newer.differences)).toEqual(after);
    expect(read({ ...newer.differences, isBeginning: true })).toEqual(beginning);
  });
});

test('a 404 drops with a copy only in the newer release', () => {
  const request = { kind: 'single', status: 404 } as const;
  expect(explainVerdict(request, older.differences)).toEqual({ state: 'dropped', rule: 'single.404' });
  expect(explainVerdict(request, newer.differences)).toEqual({ state: 'dropped', rule: 'single.404.drop' });
  expect(explainVerdict({ kind: 'bulk', status: 404 }, newer.differences).rule).toBe('bulk.404');
});

test('an error has the code, the reason and the order of its release', () => {
  const params = { pubsubname: 'p' };
  const types = (body: ReturnType<typeof errorBody>): unknown =>
    body.details?.map((each) => String(each['@type']).split('.').at(-1));
  const before = errorBody('ERR_TOPIC_EMPTY', params, older);
  const after = errorBody('ERR_TOPIC_EMPTY', params, newer);
  expect([before.errorCode, types(before)]).toEqual(['ERR_TOPIC_EMPTY', ['ErrorInfo', 'ResourceInfo']]);
  expect([after.errorCode, types(after)]).toEqual(['ERR_TOPIC_NAME_EMPTY', ['ResourceInfo', 'ErrorInfo']]);
  expect(after.details?.[1]).toMatchObject({ reason: 'DAPR_PUBSUB_TOPIC_NAME_EMPTY' });
});

describe('statuses of a retry policy', () => {
  const read = (codes: string): ReturnType<typeof readResiliency> => {
    const retry = { policy: 'constant', maxRetries: 2, matching: { httpStatusCodes: codes } };
    const document = {
      kind: 'Resiliency',
      metadata: { name: 'r' },
      spec: { policies: { retries: { retry } } },
    };
    return readResiliency([{ document, file: 'r.yaml' }], { appId: 'app' });
  };

  test.each([
    ['429,500-599', 503, false],
    ['429,500-599', 429, false],
    ['429,500-599', 400, true],
    ['', 400, false],
    [',', 503, true],
    ['500-599', undefined, false],
  ])('%j and %s: final is %s', (codes, status, final) => {
    const policy = read(codes).retries.get('retry');
    expect(policy === undefined ? 'no policy' : isFinal(policy, status)).toBe(final);
  });

  test.each([' 500', '500 - 599', '99', '500-', '1-2-3', '5xx'])('%j is refused and named', (codes) => {
    const { retries, problems } = read(codes);
    expect([retries.size, problems.length]).toEqual([0, 1]);
    expect(problems[0]?.message).toContain(codes.trim());
  });

  test('the names of effective documents are returned', () => expect(read('').names).toEqual(['r']));
});

test('a shutdown is forced by the word true in any letters', () => {
  expect(['TRUE', 'true', 'yes', undefined].map(shutdownModeOf)).toEqual([
    'at-once',
    'at-once',
    'in-order',
    'in-order',
  ]);
});
