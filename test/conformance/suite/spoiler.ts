/** Spoils one thing on the way between suite, sidecar and app, so that a case can be seen to fail. */
import type { AppAnswer, Responding } from './app-answer.ts';
import type { Delivery } from './deliveries.ts';
import type { GrpcAnswer } from './grpc-answer.ts';
import type { Answer } from './http-client.ts';

export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Changes of the traffic; an absent member changes nothing. */
export interface Spoil {
  readonly name: string;
  /** Suite to sidecar. */
  readonly request?: (request: WireRequest) => WireRequest;
  /** Sidecar to suite. */
  readonly answer?: (answer: WireAnswer, request: WireRequest) => WireAnswer;
  /** Sidecar to app: [] = it never arrives, two = it arrives twice. */
  readonly delivered?: (delivery: Delivery) => readonly Delivery[];
  /** App to sidecar. */
  readonly answered?: (answer: AppAnswer, delivery: Delivery) => AppAnswer;
  /** A delivery the app sees after a publish although the sidecar never sent it: its path. */
  readonly invented?: (request: WireRequest) => string | undefined;
  /** The console's RPC to the suite: the result of a method. */
  readonly told?: (result: Told) => Told;
  /** Sidecar to suite over gRPC. */
  readonly replied?: (answer: GrpcAnswer) => GrpcAnswer;
  /** Another listener of the sidecar to the suite. */
  readonly beside?: (answer: Answer) => Answer;
}

type Told = Readonly<Record<string, unknown>>;

export interface Spoiler {
  delivered(delivery: Delivery): readonly Delivery[];
  answered(answer: AppAnswer, delivery: Delivery): AppAnswer;
}

/** Part of every path that no spoil may touch: what the suite itself waits by. */
export const UNTOUCHED = 'suite-fence';

/** The app's side of a spoil. */
export function appSpoiler(spoil: Spoil): Spoiler {
  const free = (delivery: Delivery): boolean => delivery.path.includes(UNTOUCHED);
  return {
    delivered: (delivery) =>
      spoil.delivered === undefined || free(delivery) ? [delivery] : spoil.delivered(delivery),
    answered: (answer, delivery) =>
      spoil.answered === undefined || free(delivery) ? answer : spoil.answered(answer, delivery),
  };
}

/** The sidecar's answers get another status. */
export function otherStatus(status: number): Spoil {
  return { name: `the sidecar answers ${status}`, answer: (answer) => ({ ...answer, status }) };
}

/** Every answer over gRPC has another code. */
export function otherCode(code: string): Spoil {
  return { name: `the sidecar ends every call with ${code}`, replied: (answer) => ({ ...answer, code }) };
}

/** The text of every answer over gRPC is replaced. */
export const otherGrpcText: Spoil = {
  name: 'the sidecar says something else over gRPC',
  replied: (answer) => ({ ...answer, text: `${answer.text} or so`, details: [], reply: {} }),
};

/** Text in the sidecar's answers is replaced. */
export function otherText(from: string | RegExp, to: string): Spoil {
  return {
    name: `the sidecar says ${JSON.stringify(to)} for ${String(from)}`,
    answer: (answer) => {
      const body = Buffer.from(answer.body.toString('utf8').replace(from, to));
      return { ...answer, headers: { ...answer.headers, 'content-length': String(body.length) }, body };
    },
  };
}

/** A header of the sidecar's answers is replaced. */
export function otherHeader(name: string, value: string): Spoil {
  return {
    name: `the sidecar answers ${name}: ${value}`,
    answer: (answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } }),
  };
}

/** Text in the console's results, as JSON, is replaced. */
export function toldOtherwise(from: string, to: string): Spoil {
  return {
    name: `the console says ${to} for ${from}`,
    told: (result) => {
      const changed: unknown = JSON.parse(JSON.stringify(result).replaceAll(from, to));
      return typeof changed === 'object' && changed !== null
        ? Object.fromEntries(Object.entries(changed))
        : {};
    },
  };
}

/** Another listener of the sidecar answers `to` where it answered `from`. */
export function otherStatusBeside(from: number, to: number): Spoil {
  return {
    name: `a listener beside answers ${to} for ${from}`,
    beside: (answer) => (answer.status === from ? { ...answer, status: to } : answer),
  };
}

/** A header in the answers of another listener of the sidecar is replaced. */
export function otherHeaderBeside(name: string, value: string): Spoil {
  return {
    name: `a listener beside answers ${name}: ${value}`,
    beside: (answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } }),
  };
}

/** The body of every delivery is changed. */
export function otherDelivery(from: string | RegExp, to: string): Spoil {
  return {
    name: `deliveries say ${JSON.stringify(to)} for ${String(from)}`,
    delivered: (delivery) => [withBody(delivery, delivery.text.replace(from, to))],
  };
}

/** A header of every delivery is changed; undefined takes it away. */
export function otherDeliveryHeader(name: string, value: string | undefined): Spoil {
  return {
    name: `deliveries have ${name}: ${value ?? 'none'}`,
    delivered: (delivery) => [{ ...delivery, headers: { ...delivery.headers, [name]: value } }],
  };
}

/** Deliveries arrive at another path. */
export const otherPath: Spoil = {
  name: 'deliveries go to another path',
  delivered: (delivery) =>
    delivery.method === 'POST' ? [{ ...delivery, path: `${delivery.path}-elsewhere` }] : [delivery],
};

/** Deliveries arrive twice. */
export const twice: Spoil = {
  name: 'deliveries arrive twice',
  delivered: (delivery) => (delivery.method === 'POST' ? [delivery, delivery] : [delivery]),
};

/** Deliveries do not arrive; the sidecar is told they did. */
export const lost: Spoil = {
  name: 'deliveries are lost',
  delivered: (delivery) => (delivery.method === 'POST' ? [] : [delivery]),
};

/** Spoil: the app's answers to deliveries are replaced by another one. */
export function appSays(answer: Responding): Spoil {
  return {
    name: `the sidecar hears ${answer.status} ${String(answer.body ?? '')}`,
    answered: (said, delivery) => (delivery.method === 'POST' ? answer : said),
  };
}

/** The app's success is heard as something to try again. */
export const heardRetry: Spoil = appSays({ status: 500 });

/** Whatever the app says is heard as success. */
export const heardSuccess: Spoil = {
  name: 'the sidecar hears 200',
  answered: (said, delivery) => (delivery.method === 'POST' ? { status: 200 } : said),
};

/** Every publish to the sidecar brings the app a delivery that the sidecar never made. */
function invented(path: (request: WireRequest) => string): Spoil {
  return {
    name: 'a delivery is invented',
    invented: (request) =>
      request.target.includes('/publish/') && !request.target.includes(UNTOUCHED) ? path(request) : undefined,
  };
}

/** A delivery of the topic of each publish, at the path the suite subscribes it with, is invented. */
export const inventedDelivery: Spoil = invented((request) => {
  const path = request.target.split('?')[0] ?? '';
  return `/${decodeURIComponent(path.split('/').at(-1) ?? '')}`;
});

/** The request to the sidecar is changed on the way. */
export function otherRequest(name: string, change: (request: WireRequest) => WireRequest): Spoil {
  return { name, request: change };
}

/** The query never reaches the sidecar. */
export const queryLost: Spoil = otherRequest('the query is lost', (request) => ({
  ...request,
  target: request.target.split('?')[0] ?? request.target,
}));

/** A copy of the delivery with another body. */
export function withBody(delivery: Delivery, text: string): Delivery {
  return {
    ...delivery,
    body: Buffer.from(text),
    text,
    json: () => {
      const value: unknown = JSON.parse(text);
      return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
    },
  };
}
