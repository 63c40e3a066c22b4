/**
 * Joins the operations of several groups by message and delivery: a message that is accepted, delivered and ended among them is written to
 * the tables once, in its final state, and so is each of its deliveries.
 */
import type { MessageRow } from '../../contract/message.ts';
import type { Wire } from '../../domain/codec.ts';
import { jsonOf } from './statements.ts';
import type { AcceptedOp, AttemptOp, DeliveryOp, Op, TransitionOp } from './records.ts';

/** A new message, and what changed on it afterwards. */
export interface MessageStep {
  readonly kind: 'message';
  readonly accepted: AcceptedOp;
  /** Row of the message when it was accepted. */
  readonly row: MessageRow;
  /** Patches of its row as JSON, oldest first. */
  readonly patches: readonly string[];
  readonly isPublished: boolean;
}

/** Changes of one delivery, new or known. */
export interface DeliveryStep {
  readonly kind: 'delivery';
  /** The last record of it: what it is now. */
  readonly now: DeliveryOp;
  /** The body as a person changed it last; null: unchanged. */
  readonly changed: Wire | null;
  readonly transitions: readonly TransitionOp[];
  readonly attempts: readonly AttemptOp[];
}

/** An unchanged operation. */
export interface OtherStep {
  readonly kind: 'other';
  readonly op: Exclude<Op, AcceptedOp | DeliveryOp>;
}

export type Step = MessageStep | DeliveryStep | OtherStep;

interface OpenMessage extends MessageStep {
  readonly patches: string[];
  isPublished: boolean;
}

interface OpenDelivery extends DeliveryStep {
  now: DeliveryOp;
  changed: Wire | null;
  readonly transitions: TransitionOp[];
  readonly attempts: AttemptOp[];
}

/** Steps that write these calls into the tables, each after the steps that it depends on. Throws for a row that is not JSON. */
export function joined(calls: readonly (readonly Op[])[]): readonly Step[] {
  const join = new Join();
  for (const ops of calls) for (const op of ops) join.take(op);
  return join.steps();
}

class Join {
  readonly #done: Step[] = [];
  /** Calls of batches: deliveries name them, so they go first. */
  #batches: OtherStep[] = [];
  #steps: Step[] = [];
  readonly #messages = new Map<string, OpenMessage>();
  readonly #deliveries = new Map<string, OpenDelivery>();

  take(op: Op): void {
    switch (op[0]) {
      case 'accepted':
        this.#accept(op);
        break;
      case 'changed': {
        const message = this.#messages.get(op[1]);
        if (message !== undefined && op[3] === null) message.patches.push(op[2]);
        else {
          // Later operations must find the message as this one leaves it, so nothing is joined across it.
          this.#messages.delete(op[1]);
          this.#steps.push({ kind: 'other', op });
        }
        break;
      }
      case 'published': {
        const message = this.#messages.get(op[1]);
        if (message === undefined) this.#steps.push({ kind: 'other', op });
        else message.isPublished = true;
        break;
      }
      case 'delivery':
        this.#deliver(op);
        break;
      case 'batch':
        this.#batches.push({ kind: 'other', op });
        break;
      case 'removed':
        this.#steps.push({ kind: 'other', op });
        // A removal takes calls of batches with it that no attempt has any more. What comes later brings its call again, behind the removal.
        this.#end();
        break;
      default:
        this.#steps.push({ kind: 'other', op });
    }
  }

  steps(): readonly Step[] {
    this.#end();
    return this.#done;
  }

  #accept(accepted: AcceptedOp): void {
    // The process wrote the text itself, from a row of the contract's type.
    const row = jsonOf<MessageRow>(accepted[1]);
    const step: OpenMessage = { kind: 'message', accepted, row, patches: [], isPublished: false };
    this.#messages.set(row.messageId, step);
    this.#steps.push(step);
  }

  #deliver(op: DeliveryOp): void {
    const [, id, , , , , , , changed, , , transition, attempt] = op;
    let step = this.#deliveries.get(id);
    if (step === undefined) {
      step = { kind: 'delivery', now: op, changed: null, transitions: [], attempts: [] };
      this.#deliveries.set(id, step);
      this.#steps.push(step);
    }
    step.now = op;
    step.changed = changed ?? step.changed;
    if (transition !== null) step.transitions.push(transition);
    if (attempt !== null) step.attempts.push(attempt);
  }

  /** Ends the joining: later operations start new steps. */
  #end(): void {
    this.#done.push(...this.#batches, ...this.#steps);
    this.#batches = [];
    this.#steps = [];
    this.#messages.clear();
    this.#deliveries.clear();
  }
}
