/** Counts what the evaluation of a match rule does, ends it when its steps are used up, and hands over operands as the reference reads them. */
import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import {
  FUNCTION_PRICES,
  MACROS,
  OPERATOR_PRICES,
  OTHER_FUNCTION,
  OVER_MEMBERS,
  spendOnType,
} from './match-cost.ts';
import { asCompared, asConverted } from './match-operands.ts';
import { OutOfSteps } from './steps.ts';
import type { Steps } from './steps.ts';

/** What is used of the library's nodes: operator, operands, and the function that evaluates them. */
interface Node {
  readonly op: string;
  readonly args: unknown;
  evaluate(evaluator: Evaluator, node: Node, context: unknown): unknown;
}

/** What the library hands to a macro. Every node is evaluated through `run`, and through `tryEval` where an error is a value. */
interface Evaluator {
  run(node: Node, context: unknown): unknown;
  tryEval(node: Node, context: unknown): unknown;
}

interface Checker {
  getType(name: string): unknown;
}

/** An operation whose operands are still to come. */
interface Operation {
  readonly operands: unknown[];
  readonly wanted: number;
  readonly charge: (operands: readonly unknown[], steps: Steps) => void;
  /** The last operand, as the library is to get it. */
  readonly last: (operands: readonly unknown[]) => unknown;
}

/** An error that another part of the rule makes up for costs its text and its place. */
const ERROR_STEPS = 100;
const GETTER = 'sidelightEvaluator';

export class MatchMeter {
  #steps: Steps | undefined;
  #operation: Operation | undefined;

  /** @param environment takes no more functions afterwards; texts that were checked elsewhere cannot name the one added here */
  constructor(environment: Environment) {
    this.#watch(evaluatorOf(environment));
  }

  /** Evaluates the rule whose topmost node is `top`. Throws what `evaluate` throws, and OutOfSteps. */
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
      const value = node.evaluate(evaluator, node, context);
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
  }
}

/** Pays when the last operand is there, which is right before the library does the operation. Gives the operand for it. */
function take({ operands, wanted, charge, last }: Operation, value: unknown, steps: Steps): unknown {
  if (operands.length === wanted) return value;
  operands.push(value);
  if (operands.length < wanted) return value;
  for (const operand of operands) spendOnType(operand, steps);
  charge(operands, steps);
  return last(operands);
}

function operationOf({ op, args }: Pick<Node, 'op' | 'args'>): Operation | undefined {
  if (op === 'rcall' || op === 'call') return callOf(op, args);
  const price = OPERATOR_PRICES[op];
  if (price === undefined) return undefined;
  const last = ([left, right]: readonly unknown[]): unknown => asCompared(op, left, right);
  if (Array.isArray(args)) return { operands: [], wanted: args.length, charge: price, last };
  return { operands: [], wanted: 1, charge: price, last: lastOf };
}

/** Arguments are evaluated from the last to the first, the receiver after them; a macro asks for its receiver first. */
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

/** The library gives its evaluator to macros only, so one is asked for it, once. */
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
