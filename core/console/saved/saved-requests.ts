/** Saved requests, their variables, and the publishes of the Publish screen with their results. */
import type { Params, Result } from '../../contract/console.ts';
import type { PublishParams } from '../../contract/publish.ts';
import type { PastRequest, SavedRequest, Variables } from '../../contract/saved.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { isObject } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
import { resolveTemplate } from '../../domain/template.ts';
import type { TemplateRoom, TemplateSource } from '../../domain/template.ts';
import type { RequestFiles } from '../../ports/request-files.ts';
import { KeptValue } from './kept-value.ts';
import type { KeptValueDependencies } from './kept-value.ts';
import { readFolderRequests } from './folder-requests.ts';
import { readRequests, writeRequests } from './requests-file.ts';
import { mustBeFew, mustHaveRoom } from './room.ts';

const MAX_REQUESTS = 1000;
/** Each run of a request reads all of them. */
const MAX_VARIABLES = 1000;
const MAX_VARIABLE_CHARACTERS = 4 * 1024 * 1024;
const MAX_HISTORY = 200;
/** Longest request that the history keeps. */
const HISTORY_CHARACTERS = 64 * 1024;
/** Most characters of a request with its variables filled in: a short text can name a long variable thousands of times. */
const FILLED_CHARACTERS = 16 * 1024 * 1024;

export interface SavedRequestsDependencies extends KeptValueDependencies {
  readonly nextId: () => string;
  /** Request files in the folder of the component files. */
  readonly files?: RequestFiles;
  readonly publish: (request: PublishParams) => Promise<{ messageId: string }>;
  /** Template source without `nowMs`, `counter` and `variable`. */
  readonly template: Pick<TemplateSource, 'uuid' | 'random' | 'env'>;
}

export class SavedRequests {
  readonly #deps: SavedRequestsDependencies;
  readonly #saved: KeptValue<readonly SavedRequest[]>;
  readonly #variables: KeptValue<Variables>;
  readonly #history: KeptValue<readonly PastRequest[]>;
  #counter = 0;

  constructor(deps: SavedRequestsDependencies) {
    this.#deps = deps;
    this.#saved = new KeptValue(deps, 'requests', (kept) => readList(kept, isSaved));
    this.#variables = new KeptValue(deps, 'requests.variables', readVariables);
    this.#history = new KeptValue(deps, 'requests.history', (kept) => readList(kept, isPast));
  }

  async list(): Promise<Result<'requests.list'>> {
    const folder = await readFolderRequests(this.#deps.files);
    return {
      items: together(folder.items, await this.#saved.get()),
      history: await this.#history.get(),
      variables: await this.#variables.get(),
      problems: folder.problems,
    };
  }

  /** Stores a new request, or replaces one. Throws Refusal NOT_FOUND, TOO_LARGE. */
  async save(params: Params<'requests.save'>): Promise<SavedRequest> {
    const { requestId, folder, shortcut, ...rest } = params;
    if (requestId !== undefined) await this.#own(requestId);
    const made: SavedRequest = {
      ...rest,
      requestId: requestId ?? this.#deps.nextId(),
      ...(folder === undefined || folder === '' ? {} : { folder }),
      ...withoutUndefined({ shortcut }),
      savedAt: new Date(this.#deps.clock.now()).toISOString(),
    };
    await this.#store('request', (all) => {
      // Another client may have removed it meanwhile.
      if (requestId !== undefined && !all.some((one) => one.requestId === requestId)) missing(requestId);
      return [
        ...all
          .filter((one) => one.requestId !== made.requestId)
          // A digit runs one request only, so an earlier request loses it.
          .map((one) => (shortcut !== undefined && one.shortcut === shortcut ? withoutShortcut(one) : one)),
        made,
      ];
    });
    return made;
  }

  /** Throws Refusal NOT_FOUND. */
  async remove(requestId: string): Promise<readonly SavedRequest[]> {
    await this.#own(requestId);
    return this.#saved.store((all) => all.filter((one) => one.requestId !== requestId));
  }

  /** Exports all requests, or the named ones, as the text of a file. Throws Refusal NOT_FOUND. */
  async export(requestIds: readonly string[] | undefined): Promise<Result<'requests.export'>> {
    const { items: all } = await this.list();
    const byId = new Map(all.map((one) => [one.requestId, one]));
    const chosen = requestIds?.map((requestId) => byId.get(requestId) ?? missing(requestId)) ?? all;
    const [only] = chosen;
    const name = chosen.length === 1 && only !== undefined ? only.name : 'requests';
    const fileName = `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100)}.sidelight.json`;
    return { fileName, text: writeRequests(chosen), count: chosen.length };
  }

  /** Imports a file completely or not at all. Throws Refusal INVALID_PARAMS, TOO_LARGE. */
  async import(text: string): Promise<Result<'requests.import'>> {
    const filed = readRequests(text);
    const savedAt = new Date(this.#deps.clock.now()).toISOString();
    const made = filed.map((request): SavedRequest => ({ ...request, savedAt }));
    const ids = new Set(made.map(({ requestId }) => requestId));
    const digits = new Set(made.map(({ shortcut }) => shortcut));
    let replaced = 0;
    const items = await this.#store('text', (all) => {
      const others = all.filter(({ requestId }) => !ids.has(requestId));
      replaced = all.length - others.length;
      return [
        ...others.map((one) =>
          one.shortcut !== undefined && digits.has(one.shortcut) ? withoutShortcut(one) : one,
        ),
        ...made,
      ];
    });
    return { added: made.length - replaced, replaced, items };
  }

  /**
   * @param field parameter that has what is added
   * @throws Refusal TOO_LARGE
   */
  #store(
    field: string,
    change: (all: readonly SavedRequest[]) => readonly SavedRequest[],
  ): Promise<readonly SavedRequest[]> {
    return this.#saved.store((all) => {
      const next = change(all);
      mustBeFew(all, next, { most: MAX_REQUESTS, words: 'requests' });
      mustHaveRoom(all, next, { words: 'saved requests', field });
      return next;
    });
  }

  /** Throws Refusal TOO_LARGE for variables without room; those that are kept stay. */
  setVariables(variables: Variables): Promise<Variables> {
    return this.#variables.store((before) => {
      mustBeFew(Object.keys(before), Object.keys(variables), { most: MAX_VARIABLES, words: 'variables' });
      mustHaveRoom(
        [before],
        [variables],
        { words: 'variables', field: 'variables' },
        MAX_VARIABLE_CHARACTERS,
      );
      return { ...variables };
    });
  }

  /** The request with its variables filled in. Throws Refusal INVALID_PARAMS with field and position. */
  async resolve(request: PublishParams): Promise<PublishParams> {
    return this.#fill(request, () => 1 + this.#counter);
  }

  /**
   * Publishes a saved request or the given one and notes it in the history.
   * Throws Refusal INVALID_PARAMS, NOT_FOUND, and those of a publish.
   */
  async run({
    requestId,
    request,
  }: Params<'requests.run'>): Promise<{ messageId: string; request: PublishParams }> {
    if ((requestId === undefined) === (request === undefined)) {
      const expected = 'exactly one of requestId and request';
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: `Expected ${expected}, got ${requestId === undefined ? 'none' : 'both'}` },
        { field: requestId === undefined ? 'requestId' : 'request', expected },
      );
    }
    const asked = request ?? (await this.#one(requestId ?? '')).request;
    const filled = await this.#fill(asked, () => (this.#counter += 1));
    try {
      const { messageId } = await this.#deps.publish(filled);
      await this.#note(asked, { messageId });
      return { messageId, request: filled };
    } catch (error) {
      if (error instanceof Refusal) await this.#note(asked, { code: error.code });
      throw error;
    }
  }

  /** Writes changes that are not on disk yet. */
  async flush(): Promise<void> {
    await this.#history.flush();
  }

  async #fill(request: PublishParams, counter: () => number): Promise<PublishParams> {
    const variables = await this.#variables.get();
    const source: TemplateSource = {
      ...this.#deps.template,
      nowMs: this.#deps.clock.now(),
      counter,
      variable: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    };
    let left = FILLED_CHARACTERS;
    const filled = (text: string, field: string): string => {
      const done = filledText(text, field, { source, room: { most: FILLED_CHARACTERS, left } });
      left -= done.length;
      return done;
    };
    const { data, metadata } = request;
    return {
      ...request,
      topic: filled(request.topic, 'request.topic'),
      ...(typeof data === 'string' ? { data: filled(data, 'request.data') } : {}),
      ...(metadata === undefined
        ? {}
        : {
            metadata: Object.fromEntries(
              Object.entries(metadata).map(([key, value]) => [key, filled(value, `request.metadata.${key}`)]),
            ),
          }),
    };
  }

  /** Adds a request to the history; equal requests in a row are stored once, with the last time. */
  async #note(request: PublishParams, came: { messageId: string } | { code: string }): Promise<void> {
    const text = JSON.stringify(request);
    if (text.length > HISTORY_CHARACTERS) return;
    const made: PastRequest = { at: new Date(this.#deps.clock.now()).toISOString(), request, ...came };
    await this.#history.change((all) => {
      const [last, ...older] = all;
      const isSame = last !== undefined && JSON.stringify(last.request) === text;
      return [made, ...(isSame ? older : all)].slice(0, MAX_HISTORY);
    });
  }

  /** Checks that a request is stored here. Throws Refusal NOT_FOUND, INVALID_PARAMS for one of a file. */
  async #own(requestId: string): Promise<void> {
    const { file } = await this.#one(requestId);
    if (file === undefined) return;
    const reason = `It is in ${file}: change it there, or save it as a new one.`;
    throw new Refusal('INVALID_PARAMS', { reason }, { field: 'requestId' });
  }

  async #one(requestId: string): Promise<SavedRequest> {
    const { items } = await this.list();
    return items.find((one) => one.requestId === requestId) ?? missing(requestId);
  }
}

function missing(requestId: string): never {
  throw new Refusal(
    'NOT_FOUND',
    { reason: `There is no saved request ${requestId}.` },
    { field: 'requestId' },
  );
}

function filledText(
  text: string,
  field: string,
  { source, room }: { readonly source: TemplateSource; readonly room: TemplateRoom },
): string {
  const resolved = resolveTemplate(text, source, room);
  if (resolved.ok) return resolved.text;
  const { position, length, found, message } = resolved.mistake;
  throw new Refusal(
    'INVALID_PARAMS',
    { reason: message },
    { field, expected: 'a variable that is known', data: { position, length, found } },
  );
}

function withoutShortcut({ shortcut: _shortcut, ...request }: SavedRequest): SavedRequest {
  return request;
}

function readList<T>(kept: unknown, isOne: (value: unknown) => value is T): readonly T[] {
  return Array.isArray(kept) ? kept.filter(isOne) : [];
}

function isRequest(value: unknown): value is PublishParams {
  return isObject(value) && typeof value['pubsubname'] === 'string' && typeof value['topic'] === 'string';
}

function isSaved(value: unknown): value is SavedRequest {
  return (
    isObject(value) &&
    typeof value['requestId'] === 'string' &&
    typeof value['name'] === 'string' &&
    isRequest(value['request'])
  );
}

function isPast(value: unknown): value is PastRequest {
  return isObject(value) && typeof value['at'] === 'string' && isRequest(value['request']);
}

function readVariables(kept: unknown): Variables {
  if (!isObject(kept)) return {};
  return Object.fromEntries(
    Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Joins filed and stored requests: a file's request replaces a stored one with its id, but a stored one keeps its digit. */
function together(filed: readonly SavedRequest[], kept: readonly SavedRequest[]): readonly SavedRequest[] {
  const ids = new Set(filed.map(({ requestId }) => requestId));
  const own = kept.filter(({ requestId }) => !ids.has(requestId));
  const taken = new Set(own.map(({ shortcut }) => shortcut));
  const free = filed.map((one) => {
    if (one.shortcut === undefined) return one;
    if (taken.has(one.shortcut)) return withoutShortcut(one);
    taken.add(one.shortcut);
    return one;
  });
  return [...own, ...free];
}
