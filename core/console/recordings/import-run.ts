/** One import: writes the lines of a recording into its own journal, and reports unusable lines by their number. */
import { Check } from 'typebox/value';
import type { TSchema } from 'typebox';
import type {
  RecordedRule,
  RecordedSubscription,
  Recording,
  RecordingProblem,
} from '../../contract/recording.ts';
import { counted } from '../../contract/count-text.ts';
import { shortened } from '../../contract/cut-place.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { Codec } from '../../domain/codec.ts';
import { hasMoreValues, isObject, MAX_DEPTH, nestsTooDeep, tryParse } from '../../domain/json.ts';
import { findPart } from '../../contract/json-scan.ts';
import { appIdProblem, pubsubNameProblem } from '../../domain/names.ts';
import { recordedOf, RECORDING_VERSION, wholeOf } from '../../domain/recording/lines.ts';
import type {
  AttemptLine,
  BodyLine,
  HeaderLine,
  MessageLine,
  WholeAttempt,
} from '../../domain/recording/lines.ts';
import { rowText, tooLongName } from '../../domain/name-length.ts';
import { namesProblem } from '../../domain/recording/test-cases.ts';
import type { RecordedMessage } from '../../domain/recording/recorded.ts';
import { SharedCalls } from '../../domain/recording/shared-calls.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Journal, JournalRecord } from '../../ports/journal.ts';
import { complaintOf } from '../../domain/shape-complaint.ts';
import { yieldToOthers } from '../stream/yield-to-others.ts';
import { mistakeIn } from './check-line.ts';
import { BODY_LINES, HEADER_LINE } from './recording-lines.ts';
import { recordsOf } from './records.ts';

const MAX_PROBLEMS = 100;
/** Maximum number of attempts of one message. */
const MAX_ATTEMPTS = 2000;
const MAX_SETUP = 10_000;
/** Levels of a line: those of the deepest value that the console takes, and those of the line around it. */
const MAX_LEVELS = MAX_DEPTH + 100;
const TOO_DEEP = `it is nested deeper than ${MAX_LEVELS.toLocaleString('en-US')} levels`;
/** Most values of a line, as of a request. Its payload and its bodies are texts, whatever is in them. */
const MAX_VALUES = 1_000_000;
const TOO_MANY = `more than ${MAX_VALUES.toLocaleString('en-US')} values, lists and objects`;
/** Number of messages written together. */
const AT_ONCE = 200;
/** Number of records of one message written before other work has its turn. */
const RECORDS_AT_ONCE = 500;
/** Characters that are read before other work has its turn, where each line counts some more: a piece may have millions of them. */
const EFFORT_AT_ONCE = 256 * 1024;
const LINE_EFFORT = 200;

const MI = 1024 * 1024;

/** Limits in characters, since a file may come from anywhere and its texts are in memory until they are written. */
export interface ImportLimits {
  readonly line: number;
  /** The line of a message and those of its attempts; and what is written of its deliveries, one row for each step of each. */
  readonly message: number;
  /** All subscriptions and rules, which stay in memory. */
  readonly setup: number;
  /** Messages that are being written, before the next line is read. */
  readonly writing: number;
}

const LIMITS: ImportLimits = { line: 64 * MI, message: 64 * MI, setup: 8 * MI, writing: 16 * MI };

interface Pending {
  readonly line: number;
  readonly message: MessageLine;
  readonly deliveryIds: ReadonlySet<string>;
  readonly attempts: WholeAttempt[];
  /** Characters of its lines. */
  length: number;
}

export class ImportRun {
  readonly recordingId: string;
  readonly journal: Journal;
  readonly #name: string;
  readonly #codec: Codec;
  readonly #limits: ImportLimits;
  readonly #problems: RecordingProblem[] = [];
  readonly #subscriptions: RecordedSubscription[] = [];
  readonly #rules: RecordedRule[] = [];
  /** Secrets removed afterwards may have shortened the text that the writer counted, so the limit is twice as high. */
  readonly #calls = new SharedCalls(2);
  #problemCount = 0;
  #header: HeaderLine | undefined;
  #rest = '';
  #line = 0;
  /** Characters of the present line. */
  #length = 0;
  #setupLength = 0;
  #messages = 0;
  #number = 0;
  #pending: Pending | undefined;
  #writing: { readonly line: number; readonly failure: Promise<unknown> }[] = [];
  /** Characters of the messages that are being written. */
  #writingLength = 0;
  #ended: number | undefined;
  #isReady = false;

  constructor(
    { recordingId, name }: Pick<Recording, 'recordingId' | 'name'>,
    journal: Journal,
    codec: Codec,
    limits = LIMITS,
  ) {
    this.recordingId = recordingId;
    this.#name = name;
    this.journal = journal;
    this.#codec = codec;
    this.#limits = limits;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * Reads a piece of the file. Throws Refusal INVALID_PARAMS for a file that is no recording, or one of a later version; then nothing of it
   * is kept.
   */
  async take(text: string, isLast: boolean): Promise<void> {
    let from = 0;
    let effort = 0;
    for (;;) {
      const end = text.indexOf('\n', from);
      if (end < 0) break;
      const line = this.#rest + text.slice(from, end);
      this.#rest = '';
      from = end + 1;
      await this.#take(line);
      effort += LINE_EFFORT + line.length;
      if (effort < EFFORT_AT_ONCE) continue;
      effort = 0;
      await yieldToOthers();
    }
    this.#rest += text.slice(from);
    if (this.#rest.length > this.#limits.line) throw notARecording(this.#line + 1, 'the line is too long');
    if (isLast) await this.#finish();
  }

  describe(): Recording {
    const header = this.#header;
    return {
      recordingId: this.recordingId,
      name: this.#name,
      state: this.#isReady ? 'ready' : 'reading',
      ...(header === undefined ? {} : { exportedAt: header.exportedAt, product: header.product }),
      isMasked: header?.isMasked ?? false,
      messages: this.#messages,
      lines: this.#line,
      problems: [...this.#problems],
      problemCount: this.#problemCount,
      endsEarly: this.#isReady && this.#ended === undefined,
      subscriptions: [...this.#subscriptions],
      rules: [...this.#rules],
    };
  }

  async #finish(): Promise<void> {
    if (this.#rest !== '') await this.#take(this.#rest);
    this.#rest = '';
    if (this.#header === undefined) throw notARecording(1, 'the file is empty');
    await this.#flush();
    await this.#written();
    await this.#count();
    this.#isReady = true;
  }

  async #take(text: string): Promise<void> {
    this.#line += 1;
    // Some editors write a byte order mark at the start of the file.
    const own = this.#line === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
    if (own.trim() === '') return;
    this.#length = own.length;
    const bound = nestsTooDeep(own, MAX_LEVELS)
      ? TOO_DEEP
      : hasMoreValues(own, MAX_VALUES)
        ? tooManyValues(own)
        : undefined;
    const parsed = bound === undefined ? tryParse(own) : undefined;
    if (this.#header === undefined) {
      if (parsed === undefined) throw notARecording(this.#line, bound ?? 'not valid JSON');
      this.#header = headerOf(parsed.value, this.#line);
      return;
    }
    if (parsed === undefined) return this.#problem(this.#line, bound ?? 'not valid JSON');
    const line = await this.#bodyLine(parsed.value);
    if (line !== undefined) await this.#use(line);
  }

  async #bodyLine(value: unknown): Promise<BodyLine | undefined> {
    const kind = isObject(value) ? value['kind'] : undefined;
    const schema = typeof kind === 'string' && Object.hasOwn(BODY_LINES, kind) ? schemaOf(kind) : undefined;
    if (schema === undefined) {
      const expected = Object.keys(BODY_LINES).join(', ');
      this.#problem(this.#line, `kind must be one of ${expected}, got ${JSON.stringify(kind)?.slice(0, 40)}`);
      return undefined;
    }
    const mistake = await mistakeIn(schema, value);
    if (mistake === undefined) return value as BodyLine;
    this.#problem(this.#line, mistake);
    return undefined;
  }

  async #use(line: BodyLine): Promise<void> {
    switch (line.kind) {
      case 'message':
        await this.#flush();
        if (!this.#isNamedWell(namesProblem({ message: line, deliveries: line.deliveries }))) return;
        if (!this.#isNamedWell(longTextOf(line))) return;
        this.#pending = {
          line: this.#line,
          message: line,
          deliveryIds: new Set(line.deliveries.map(({ delivery }) => delivery.deliveryId)),
          attempts: [],
          length: this.#length,
        };
        return;
      case 'attempt':
        return this.#attempt(line);
      case 'subscription':
        if (!this.#isNamedWell(setupProblem(line.subscription, line.subscription.pubsubname))) return;
        return this.#keep(this.#subscriptions, line.subscription, 'subscriptions');
      case 'rule':
        if (!this.#isNamedWell(setupProblem(line.rule))) return;
        return this.#keep(this.#rules, line.rule, 'rules');
      case 'end':
        this.#ended = line.messages;
    }
  }

  /** Keeps a subscription or a rule while there is room. */
  #keep<One>(all: One[], one: One, words: string): void {
    const { setup } = this.#limits;
    if (all.length >= MAX_SETUP)
      return this.#problem(this.#line, `a recording has at most ${MAX_SETUP} ${words}`);
    if (this.#setupLength + this.#length > setup) {
      const most = `at most ${setup} characters of subscriptions and rules`;
      return this.#problem(this.#line, `a recording has ${most}`);
    }
    this.#setupLength += this.#length;
    all.push(one);
  }

  /** Notes a complaint about a name of this line. */
  #isNamedWell(problem: string | undefined): boolean {
    if (problem !== undefined) this.#problem(this.#line, problem);
    return problem === undefined;
  }

  #attempt(line: AttemptLine): void {
    const whole = wholeOf(line, this.#calls);
    const pending = this.#pending;
    if (pending === undefined || !pending.deliveryIds.has(line.deliveryId))
      return this.#problem(this.#line, `the message before has no delivery ${line.deliveryId}`);
    if (whole === undefined)
      return this.#problem(
        this.#line,
        `its call is missing, and no earlier line has the call of ${line.attempt.attemptId}`,
      );
    if (pending.attempts.length >= MAX_ATTEMPTS)
      return this.#problem(this.#line, `a message has at most ${MAX_ATTEMPTS} attempts`);
    const { message: most } = this.#limits;
    // An attempt without a call of its own has that of another line, of which the file may have many.
    const length = pending.length + this.#length + (line.attempt.request === undefined ? lengthOf(whole) : 0);
    if (length > most)
      return this.#problem(this.#line, `a message and its attempts have at most ${most} characters`);
    pending.length = length;
    pending.attempts.push(whole);
  }

  /** Writes the pending message to the journal, because all of its lines were read. */
  async #flush(): Promise<void> {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const recorded = recordedOf(pending.message, pending.attempts, this.#codec);
    if (recorded === undefined)
      return this.#problem(pending.line, 'wire must be a string, or wireBase64 base64');
    const { message: most, writing } = this.#limits;
    const stepsLength = lengthOfSteps(recorded);
    if (stepsLength > most)
      return this.#problem(pending.line, `the deliveries of a message have at most ${most} characters`);
    // A file written by hand may have numbers twice.
    this.#number = Math.max(this.#number + 1, recorded.message.row.number);
    const row = { ...recorded.message.row, deliveries: [], number: this.#number };
    const records = recordsOf(withShortTexts({ ...recorded, message: { ...recorded.message, row } }));
    const done = records.length > RECORDS_AT_ONCE ? this.#appendMany(records) : this.journal.append(records);
    this.#writing.push({ line: pending.line, failure: failureOf(done) });
    this.#writingLength += pending.length + stepsLength;
    this.#messages += 1;
    if (records.length > RECORDS_AT_ONCE) await failureOf(done);
    if (this.#writing.length >= AT_ONCE || this.#writingLength > writing) await this.#written();
  }

  /** Writes the records of a message with very many steps; other work has its turn in between. */
  async #appendMany(records: readonly JournalRecord[]): Promise<void> {
    for (let from = 0; from < records.length; from += RECORDS_AT_ONCE) {
      await this.journal.append(records.slice(from, from + RECORDS_AT_ONCE));
      await yieldToOthers();
    }
  }

  async #written(): Promise<void> {
    const writing = this.#writing;
    this.#writing = [];
    this.#writingLength = 0;
    for (const { line, failure } of writing) {
      const reason = await failure;
      if (reason === undefined) continue;
      this.#messages -= 1;
      this.#problem(line, errorText(reason));
    }
  }

  /** Counts what can be shown: on a full disk the journal takes messages for which its tables have no room. */
  async #count(): Promise<void> {
    const { messages } = await this.journal.stats();
    const gone = this.#messages - messages;
    if (gone <= 0) return;
    this.#messages = messages;
    const text = `The disk has no room for ${counted(gone, 'message')}. Make room, and import the file again.`;
    this.#problem(this.#line, text);
  }

  #problem(line: number, message: string): void {
    this.#problemCount += 1;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ line, message });
  }
}

/**
 * Why a write failed; undefined: it did not. Never rejects: a write that fails before anybody waits for it would end the process, and the next
 * lines may take several turns.
 */
function failureOf(done: Promise<void>): Promise<unknown> {
  return done.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

/** Says that a line has too many values, and which of its members has the most, as far as the line is JSON. */
function tooManyValues(line: string): string {
  const most = { name: '', length: 0 };
  findPart(line, 0, ({ name, start, end }) => {
    const length = line[start] === '"' ? 0 : end - start;
    if (length > most.length) Object.assign(most, { name, length });
    return false;
  });
  const where = most.name === '' ? '' : `, most of them in ${shortened(most.name, 100)}`;
  return `it has ${TOO_MANY}${where}`;
}

/** Complaint about names in the row of a message and of its deliveries that are too long; undefined: none. */
function longTextOf({ row, deliveries }: MessageLine): string | undefined {
  const names = [
    ...textsIn({ ...row, flags: [] }),
    ...deliveries.flatMap(({ delivery: { route, subscription, waitsFor } }) => [
      ['a route', route.path] as const,
      ...textsIn({ subscription: { topic: subscription.topic }, waitsFor }),
    ]),
  ];
  return names.map(([name, text]) => tooLongName(name, text)).find((problem) => problem !== undefined);
}

/** All texts of a value, with the names of the members that lead to them. */
function textsIn(value: unknown, name = ''): readonly (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, name));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, name === '' ? key : `${name}.${key}`));
}

/** Cuts long sentences and answers, because they are only read; a long name is refused instead. */
function withShortTexts({ message, deliveries }: RecordedMessage): RecordedMessage {
  const { row } = message;
  const flags = row.flags?.map(rowText);
  return {
    message: { ...message, row: { ...row, ...withoutUndefined({ flags }) } },
    deliveries: deliveries.map((one) => {
      const { lastAnswer } = one.delivery;
      if (lastAnswer === undefined) return one;
      const { word, error } = lastAnswer;
      const cut = withoutUndefined({ word: word && rowText(word), error: error && rowText(error) });
      return { ...one, delivery: { ...one.delivery, lastAnswer: { ...lastAnswer, ...cut } } };
    }),
  };
}

/** Characters of the call of an attempt. */
function lengthOf({ attempt: { request, response } }: WholeAttempt): number {
  return JSON.stringify([request, response]).length;
}

/** Characters of the rows that are written of the deliveries: each step of one has all of it. */
function lengthOfSteps({ deliveries }: RecordedMessage): number {
  let length = 0;
  for (const { delivery, attempts, transitions } of deliveries) {
    const { changedWire: _bytes, ...row } = delivery;
    length += Math.max(1, attempts.length, transitions.length) * JSON.stringify(row).length;
  }
  return length;
}

function setupProblem({ appId }: { readonly appId: string }, pubsubname?: string): string | undefined {
  const app = appIdProblem(appId);
  if (app !== undefined) return `appId ${app}`;
  const pubsub = pubsubname === undefined ? undefined : pubsubNameProblem(pubsubname);
  return pubsub === undefined ? undefined : `pubsubname ${pubsub}`;
}

function schemaOf(kind: string): TSchema | undefined {
  const schemas: Readonly<Record<string, TSchema>> = BODY_LINES;
  return schemas[kind];
}

function headerOf(value: unknown, line: number): HeaderLine {
  const schema: TSchema = HEADER_LINE;
  if (!Check(schema, value))
    throw notARecording(line, complaintOf(schema, value)?.reason ?? 'it is not the first line of one');
  // The check above is the proof.
  const header = value as HeaderLine;
  if (header.version <= RECORDING_VERSION) return header;
  throw notARecording(
    line,
    `it was written by a newer version of Sidelight (${header.product}; its format is ${header.version}, this one knows ${RECORDING_VERSION})`,
  );
}

function notARecording(line: number, why: string): Refusal {
  const reason = `This is not a Sidelight recording. Line ${line}: ${why}.`;
  return new Refusal(
    'INVALID_PARAMS',
    { reason },
    { field: 'text', expected: 'lines of a Sidelight recording', data: { line } },
  );
}
