/** Checks all settings of an event-router component: the result is its task, or all mistakes. */
import type { EvrCode } from '../../contract/event-router/wire.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { GivenField } from '../../domain/component.ts';
import { FIELDS, FIELD_TRAITS, fieldName, fieldOf } from './field-names.ts';
import type { FieldKey } from './field-names.ts';
import { checkField, otherSubscription, sentence } from './field-rules.ts';
import type { GivenValue, Mistake, RuleFacts } from './field-rules.ts';
import { nearest } from '../../domain/filter/mistakes.ts';
import { parseScope } from '../../router-protocol/scope.ts';
import type { Scope } from '../../router-protocol/scope.ts';
import { SecretValue } from './secret-value.ts';

export interface FieldProblem {
  /** Index in the list of settings; undefined: a setting is missing. */
  readonly index: number | undefined;
  readonly field: string;
  readonly code: EvrCode;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export interface Sides {
  readonly input: boolean;
  readonly output: boolean;
  /** True if `direction` was given. The app is then not asked whether it wants the input. */
  readonly explicit: boolean;
}

export interface OutputFields {
  readonly accessKey: SecretValue;
  readonly topicEndpoint: string;
}

export interface InputFields {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly clientId: string;
  readonly clientSecret: SecretValue;
  /** Endpoint, which has a path. */
  readonly subscriberEndpoint: string;
  /** Path of the webhook, without query. */
  readonly path: string;
  readonly handshakePort: number;
  readonly scope: Scope;
  readonly subscriptionName: string;
  readonly route: string;
}

export interface ComponentFields {
  readonly sides: Sides;
  readonly input?: InputFields;
  readonly output?: OutputFields;
}

export interface FieldsRead {
  /** The checked fields; undefined: there are errors, or values that cannot be read now. */
  readonly fields?: ComponentFields;
  readonly sides: Sides;
  readonly problems: readonly FieldProblem[];
  /** Additions and changes to the settings, as sentences for the log. */
  readonly notes: readonly string[];
}

export interface FieldFacts extends RuleFacts {
  /** Name of the component. */
  readonly component: string;
}

const DEFAULT_PATH = '/api/events';
const DIRECTIONS: ReadonlySet<string> = new Set(['input', 'output']);

/** Reads and checks every field. One problem does not hide another. */
export function readEventRouterFields(given: readonly GivenField[], facts: FieldFacts): FieldsRead {
  const reading = new Reading(given, facts);
  return reading.read();
}

class Reading {
  readonly #given: readonly GivenField[];
  readonly #facts: FieldFacts;
  readonly #problems: FieldProblem[] = [];
  readonly #notes: string[] = [];
  readonly #values = new Map<FieldKey, GivenValue & { readonly index: number }>();

  constructor(given: readonly GivenField[], facts: FieldFacts) {
    this.#given = given;
    this.#facts = facts;
  }

  read(): FieldsRead {
    this.#collect();
    const sides = this.#sides();
    for (const field of FIELDS) {
      const { side, required } = FIELD_TRAITS[field];
      const isOn = side === 'both' || (side === 'input' ? sides.input : sides.output);
      if (isOn) this.#add(checkField(field, this.#values.get(field), required, this.#facts));
    }
    const scope = this.#scope();
    const subscriptionId = this.#text('subscriptionId');
    if (sides.input && scope !== undefined && subscriptionId !== '')
      this.#add(otherSubscription(scope, subscriptionId));
    if (scope?.trailingSlash === true)
      this.#notes.push('The scope ends with a slash. Sidelight leaves the slash out.');
    const subscriptionName = sides.input ? this.#subscriptionName() : '';
    const common = { sides, problems: this.#problems, notes: this.#notes };
    const isHidden = [...this.#values.values()].some(({ value }) => value === undefined);
    if (isHidden || this.#problems.some(({ severity }) => severity === 'error')) return common;
    const input = sides.input && scope !== undefined ? this.#input(scope, subscriptionName) : undefined;
    return {
      ...common,
      fields: {
        sides,
        ...withoutUndefined({ input }),
        ...(sides.output
          ? {
              output: {
                accessKey: new SecretValue(this.#text('accessKey')),
                topicEndpoint: this.#text('topicEndpoint'),
              },
            }
          : {}),
      },
    };
  }

  #collect(): void {
    const { profile } = this.#facts;
    const names = FIELDS.map((field) => fieldName(field, profile));
    for (const [index, { name, value, written = 'string' }] of this.#given.entries()) {
      const field = fieldOf(name, profile);
      if (field === undefined) {
        const meant = nearest(name, names);
        const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
        this.#report(index, name, 'EVR-CFG-90', `is not known and not read${hint}`, 'warning');
        continue;
      }
      const first = this.#values.get(field);
      if (first !== undefined) {
        this.#report(index, name, 'EVR-CFG-02', 'is given twice', 'error');
        continue;
      }
      if (written !== 'string' && !(field === 'handshakePort' && written === 'number'))
        this.#report(
          index,
          name,
          'EVR-CFG-95',
          `is a ${written} and is taken as the text "${value ?? ''}"`,
          'warning',
        );
      this.#values.set(field, { value, written, index });
    }
  }

  #sides(): Sides {
    const given = this.#values.get('direction');
    const has = (side: 'input' | 'output'): boolean =>
      [...this.#values.keys()].some((field) => field !== 'route' && FIELD_TRAITS[field].side === side);
    if (given?.value === undefined) {
      const sides = { input: has('input'), output: has('output'), explicit: false };
      if (!sides.input && !sides.output && given === undefined)
        this.#add({
          field: 'direction',
          code: 'EVR-CFG-11',
          says: 'is not given and neither the output nor the input side is configured',
          severity: 'error',
        });
      return sides;
    }
    const words = given.value.split(',').map((word) => word.trim().toLowerCase());
    if (!words.every((word) => DIRECTIONS.has(word))) {
      const says = `must be "input", "output" or "input, output"; found ${JSON.stringify(given.value)}`;
      this.#add({ field: 'direction', code: 'EVR-CFG-10', says, severity: 'error' });
      return { input: has('input'), output: has('output'), explicit: false };
    }
    const sides = { input: words.includes('input'), output: words.includes('output'), explicit: true };
    const normal = sides.input && sides.output ? 'input, output' : sides.input ? 'input' : 'output';
    if (given.value !== normal)
      this.#notes.push(`The direction ${JSON.stringify(given.value)} is read as "${normal}".`);
    return sides;
  }

  #scope(): Scope | undefined {
    const text = this.#text('scope');
    if (text === '') return undefined;
    const scope = parseScope(text, this.#facts.namespace);
    return scope.ok ? scope.value : undefined;
  }

  /** The given name, or the component's name without the characters that are not allowed. */
  #subscriptionName(): string {
    if (this.#values.has('eventSubscriptionName')) return this.#text('eventSubscriptionName');
    const { component, profile } = this.#facts;
    // The reference takes the component's name unchanged: another name would create a second subscription.
    const keep = profile.brand === 'dapr' ? /[^A-Za-z0-9-]/g : /[^A-Za-z0-9]/g;
    const name = component.replaceAll(keep, '');
    if (name.length < 3 || name.length > 64) {
      const says = 'cannot be derived from the component name; set it';
      this.#add({ field: 'eventSubscriptionName', code: 'EVR-CFG-62', says, severity: 'error' });
    } else if (name !== component) {
      this.#notes.push(
        `eventSubscriptionName is not given: ${name} is used, made from the component's name.`,
      );
    }
    return name;
  }

  #input(scope: Scope, subscriptionName: string): InputFields {
    const given = this.#text('subscriberEndpoint');
    const url = new URL(given);
    const hasPath = url.pathname !== '/';
    if (!hasPath) this.#notes.push(`subscriberEndpoint has no path: ${DEFAULT_PATH} is added.`);
    const subscriberEndpoint = hasPath ? given : `${url.origin}${DEFAULT_PATH}${url.search}`;
    const route = this.#text('route').replace(/^\/+/, '');
    return {
      tenantId: this.#text('tenantId'),
      subscriptionId: this.#text('subscriptionId'),
      clientId: this.#text('clientId'),
      clientSecret: new SecretValue(this.#text('clientSecret')),
      subscriberEndpoint,
      path: hasPath ? url.pathname : DEFAULT_PATH,
      handshakePort: Number(this.#text('handshakePort')),
      scope,
      subscriptionName,
      route: route === '' ? this.#facts.component : route,
    };
  }

  #text(field: FieldKey): string {
    return this.#values.get(field)?.value ?? '';
  }

  #add(mistake: Mistake | undefined): void {
    if (mistake === undefined) return;
    const { component, profile } = this.#facts;
    this.#problems.push({
      index: this.#values.get(mistake.field)?.index,
      field: fieldName(mistake.field, profile),
      code: mistake.code,
      message: sentence(component, mistake, profile),
      severity: mistake.severity,
    });
  }

  #report(index: number, name: string, code: EvrCode, says: string, severity: 'error' | 'warning'): void {
    const message = `component "${this.#facts.component}": metadata field "${name}" ${says} (${code})`;
    this.#problems.push({ index, field: name, code, message, severity });
  }
}
