/** Defines tools: parameters, calls to the instance, and result. */
import type { Method } from '../contract/console.ts';
import { METHODS } from '../contract/console.ts';
import { Unsafe } from '../contract/schema.ts';
import type { Static, TSchema, TUnsafe } from '../contract/schema.ts';
import { complaintOf, complaintSentence } from '../domain/shape-complaint.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileResult } from '../scenario/report.ts';
import type { Rpc } from '../scenario/rpc.ts';
import type { QuotedAnswer } from './foreign-text.ts';

/** A scenario in the form in which an agent gives it. */
export interface GivenScenario {
  readonly text?: string;
  readonly path?: string;
}

/** Dependencies of tools. */
export interface ToolContext {
  /** Returns the connection to the instance. Rejects with InstanceGone if there is none. */
  readonly rpc: () => Promise<Rpc>;
  readonly clock: Clock;
  /**
   * Runs a scenario on an instance of its own. Rejects with BadArgument for one that cannot be read or is not
   * allowed here.
   */
  readonly runScenario: (given: GivenScenario, signal: AbortSignal) => Promise<FileResult>;
}

/**
 * Error of an argument that cannot be used; nothing was done. The message has the member and what was
 * probably meant.
 */
export class BadArgument extends Error {
  override readonly name = 'BadArgument';
}

export interface Hints {
  /** True: the tool changes nothing. */
  readonly reads?: true;
  /** True: the tool ends or replaces something. */
  readonly destroys?: true;
  /** True: a repeated call changes nothing more. */
  readonly idempotent?: true;
}

/** A tool as the list has it. */
export interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [more: string]: unknown };
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface Tool {
  readonly described: Described;
  /** Calls the tool. Rejects with BadArgument, and with the refusals of the instance. */
  call(args: unknown, context: ToolContext, signal: AbortSignal): Promise<QuotedAnswer>;
}

interface ToolDeclaration<P> {
  readonly name: string;
  readonly title: string;
  /** Description for an agent that chooses a tool: what it answers, and what to call next. */
  readonly does: string;
  readonly params: TUnsafe<P>;
  readonly hints: Hints;
  readonly run: (params: P, context: ToolContext, signal: AbortSignal) => Promise<QuotedAnswer>;
}

export function tool<P>({ name, title, does, params, hints, run }: ToolDeclaration<P>): Tool {
  const schema: TSchema = params;
  return {
    described: {
      name,
      title,
      description: does,
      inputSchema: { ...jsonOf(schema), type: 'object' },
      annotations: {
        title,
        readOnlyHint: hints.reads === true,
        destructiveHint: hints.destroys === true,
        idempotentHint: hints.reads === true || hints.idempotent === true,
        openWorldHint: false,
      },
    },
    call: (args, context, signal) => {
      const complaint = complaintOf(schema, args);
      if (complaint !== undefined) return Promise.reject(new BadArgument(complaintSentence(complaint)));
      // The check above proves the type.
      return run(args as P, context, signal);
    },
  };
}

/** The schema for clients, without the library's own members. */
function jsonOf(schema: TSchema): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(schema)) as Readonly<Record<string, unknown>>;
}

/** Adds a description to a schema. */
export function described<T extends TSchema>(schema: T, description: string): TUnsafe<Static<T>> {
  return Unsafe<Static<T>>({ ...schema, description });
}

/** The parameters of the method behind a tool. */
export function paramsOf<M extends Method>(method: M): (typeof METHODS)[M]['params'] {
  return METHODS[method].params;
}
