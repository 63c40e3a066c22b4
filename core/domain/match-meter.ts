/**
 * Counts the work of evaluating a match rule, ends it when its steps are used up, and gives the library operands
 * as the reference reads them.
 */
import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import {
  FUNCTION_PRICES,
  MACROS,
  memberCost,
  OPERATOR_PRICES,
  OTHER_FUNCTION,
  OVER_MEMBERS,
  spendOnType,
  UNTYPED_PRICES,
} from './match-cost.ts';
import { asCompared, asConverted } from './match-operands.ts';
import { OutOfSteps } from './steps.ts';
import type { Steps } from './steps.ts';

/** The part of the library's nodes that is used: operator, operands, and the function that evaluates them. */
interface Node {
  readonly op: string;
  readonly args: unknown;
  evaluate(evaluator: Evaluator, node: Node, context: unknown): unknown;
}

/**
 * Object that the library passes to a macro. Every node is evaluated through `run`, or through `tryEval` if
 * an error is a value.
 */
interface Evaluator {
  readonly dynType: unknown;
  readonly mapType: unknown;
  run(node: Node, context: unknown): unknown;
  tryEval(node: Node, context: unknown): unknown;
  /** Type of a value, without that of what is in it. */
  debugType(value: unknown): unknown;
  debugTypeDeep(value: unknown): unknown;
}

interface Checker {
  getType(name: string): unknown;
}

/** An operation whose operands are still being evaluated. */
interface Operation {
  readonly operands: unknown[];
  readonly wanted: number;
  readonly charge: (operands: readonly unknown[], steps: Steps) => void;
  /** The last operand, as the library is to get it. */
  readonly last: (operands: readonly unknown[]) => unknown;
}

/** Steps for making an error that another part of the rule catches: its text and position. */
const ERROR_STEPS = 100;
/**
 * Levels of a value that its type names. The library keeps every type that it meets for good, and an event can bring any number of them in
 * each of its values.
 */
const TYPED_LEVELS = 3;
const GETTER = 'sidelightEvaluator';

export class MatchMeter {
  #steps: Steps | undefined;
  #operation: Operation | undefined;

  /**
   * Adds the meter to an environment.
   * @param environment takes no more functions afterwards; texts checked elsewhere cannot call the function added here
   */
  constructor(environment: Environment) {
    this.#watch(evaluatorOf(environment));
  }

  /** Evaluates the rule whose root is `top`. Throws the errors of `evaluate`, and OutOfSteps. */
  within<T>(steps: Steps, top: ASTNode, evaluate: () => T): T {
    this.#steps = steps;
    this.#operation = operationOf(top);
    try {
      steps.spend(1);
      return evaluate();
    } finally {
      this.#steps = undefined;
      this.#operation = undefined;
    }
  }

  /** The steps of the rule that is being evaluated. */
  get steps(): Steps {
    if (this.#steps === undefined) throw new Error('a rule is evaluated without a budget');
    return this.#steps;
  }

  #watch(evaluator: Evaluator): void {
    evaluator.run = (node, context) => {
      const { steps } = this;
      steps.spend(1);
      const around = this.#operation;
      this.#operation = operationOf(node);
      const value = asRead(node.evaluate(evaluator, node, context), steps);
      this.#operation = around;
      return around === undefined ? value : take(around, value, steps);
    };
    evaluator.tryEval = (node, context) => {
      const around = this.#operation;
      try {
        return evaluator.run(node, context);
      } catch (error) {
        if (error instanceof OutOfSteps) throw error;
        this.steps.spend(ERROR_STEPS);
        this.#operation = around;
        return error;
      }
    };
    this.#watchTypes(evaluator);
  }

  /** Makes the library find the types of values as `TYPED_LEVELS` says, and take an object for one whatever its members are named. */
  #watchTypes(evaluator: Evaluator): void {
    const [shallow, deep] = [evaluator.debugType.bind(evaluator), evaluator.debugTypeDeep.bind(evaluator)];
    let level = 0;
    evaluator.debugType = (value) => (hidesItsKind(value) ? evaluator.mapType : shallow(value));
    evaluator.debugTypeDeep = (value) => {
      if (level === TYPED_LEVELS) return evaluator.dynType;
      spendOnType(value, this.steps);
      level += 1;
      try {
        return deep(value);
      } finally {
        level -= 1;
      }
    };
  }
}

/**
 * A value as the library is to read it: it tells the kind of an object by `constructor`, which an event may have as a member, and then
 * quotes that member, however long it is.
 */
function asRead(value: unknown, steps: Steps): unknown {
  if (!hidesItsKind(value)) return value;
  steps.spend(memberCost(value, steps));
  return new Map(Object.entries(value));
}

function hidesItsKind(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'constructor');
}

/**
 * Takes an operand. After the last one it pays, right before the library runs the operation.
 * @returns the operand as the library is to get it
 */
function take({ operands, wanted, charge, last }: Operation, value: unknown, steps: Steps): unknown {
  if (operands.length === wanted) return value;
  operands.push(value);
  if (operands.length < wanted) return value;
  charge(operands, steps);
  return last(operands);
}

function operationOf({ op, args }: Pick<Node, 'op' | 'args'>): Operation | undefined {
  if (op === 'rcall' || op === 'call') return callOf(op, args);
  const price = OPERATOR_PRICES[op];
  if (price === undefined) return untypedOf(op, args);
  const last = ([left, right]: readonly unknown[]): unknown => asCompared(op, left, right);
  if (Array.isArray(args)) return { operands: [], wanted: args.length, charge: price, last };
  return { operands: [], wanted: 1, charge: price, last: lastOf };
}

/** An operation that takes its operands as they are. The members of an object that a rule makes are pairs. */
function untypedOf(op: string, args: unknown): Operation | undefined {
  const charge = UNTYPED_PRICES[op];
  if (charge === undefined || !Array.isArray(args)) return undefined;
  return { operands: [], wanted: op === 'map' ? args.length * 2 : args.length, charge, last: lastOf };
}

/**
 * Makes the operation of a call. Arguments are evaluated from the last to the first, then the receiver; a
 * macro evaluates its receiver first.
 */
function callOf(op: 'call' | 'rcall', args: unknown): Operation | undefined {
  if (!Array.isArray(args)) return undefined;
  const [name, ...rest]: readonly unknown[] = args;
  if (typeof name !== 'string') return undefined;
  if (op === 'rcall' && MACROS.has(name))
    return { operands: [], wanted: 1, charge: OVER_MEMBERS, last: lastOf };
  const given = op === 'rcall' ? rest[1] : rest[0];
  const wanted = (Array.isArray(given) ? given.length : 0) + (op === 'rcall' ? 1 : 0);
  const price = FUNCTION_PRICES[name] ?? OTHER_FUNCTION;
  const last =
    op === 'call' && wanted === 1 ? ([value]: readonly unknown[]) => asConverted(name, value) : lastOf;
  return { operands: [], wanted, charge: (operands, steps) => price(operands.toReversed(), steps), last };
}

function lastOf(operands: readonly unknown[]): unknown {
  return operands.at(-1);
}

/** Gets the library's evaluator, which it gives only to macros, by evaluating a macro once. */
function evaluatorOf(environment: Environment): Evaluator {
  let found: Evaluator | undefined;
  environment.registerFunction(`${GETTER}(ast): bool`, () => ({
    typeCheck: (checker: Checker) => checker.getType('bool'),
    evaluate: (evaluator: Evaluator) => {
      found = evaluator;
      return true;
    },
  }));
  environment.evaluate(`${GETTER}(true)`);
  if (found === undefined) throw new Error('match rules cannot be counted: the library gave no evaluator');
  return found;
}
