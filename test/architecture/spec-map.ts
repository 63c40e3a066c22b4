/** Where each row of the interface is implemented and seen; the cases that prove it are those of the conformance suite that name it. */
import { readFileSync } from 'node:fs';
import { CONFIGURATIONS } from '../conformance/configurations.ts';

export interface SpecRow {
  readonly id: string;
  readonly says: string;
}

export interface SpecTable {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly SpecRow[];
}

/** By the longest prefix of the row's id: the file that implements it and the screen that shows it ("" = nothing to show). */
const PLACES: Readonly<Record<string, readonly [file: string, screen: string]>> = {
  publish: ['core/runtime/publishing/publisher.ts', 'Messages'],
  'publish.route': ['core/http/publish.ts', 'Publish'],
  'publish.403': ['core/runtime/publishing/publish-checks.ts', 'Messages'],
  'publish.500': ['core/runtime/publishing/acceptance.ts', 'Messages'],
  'publish.404': ['core/http/path.ts', 'Publish'],
  'publish.content-type': ['core/domain/envelope.ts', 'Message ▸ Envelope'],
  'publish.content-type.own': ['core/domain/own-event.ts', 'Message ▸ Envelope'],
  'publish.datacontenttype': ['core/domain/envelope.ts', 'Message ▸ Envelope'],
  'publish.envelope': ['core/domain/envelope.ts', 'Message ▸ Envelope'],
  'publish.metadata': ['core/http/metadata-query.ts', 'Message ▸ Envelope'],
  'publish.metadata.ttlInSeconds': ['core/domain/ttl.ts', 'Message ▸ Timeline'],
  'publish.metadata.rawPayload': ['core/domain/metadata.ts', 'Message ▸ Envelope'],
  'publish.case': ['core/domain/metadata.ts', 'Message ▸ Envelope'],
  'publish.at-least-once': ['core/runtime/lifecycle/recovery.ts', 'Messages'],
  'publish.every-consumer': ['core/adapters/memory-pubsub/broker.ts', 'Messages'],
  'bulk-publish': ['core/runtime/publishing/bulk-publisher.ts', 'Publish ▸ Bulk'],
  'bulk-publish.route': ['core/http/bulk-publish.ts', 'Publish ▸ Bulk'],
  'bulk-publish.header': ['core/http/bulk-publish.ts', 'Messages'],
  'bulk-publish.entry': ['core/domain/bulk-publish.ts', 'Publish ▸ Bulk'],
  'bulk-publish.metadata.maxBulkPubBytes': ['core/domain/bulk-publish.ts', 'Publish ▸ Bulk'],
  'bulk-publish.report': ['core/http/errors.ts', 'Publish ▸ Bulk'],
  discovery: ['core/domain/subscription.ts', 'Topics ▸ Subscriptions'],
  'discovery.route': ['core/runtime/apps/discovery.ts', 'Topics ▸ Subscriptions'],
  'discovery.rules': ['core/domain/routing.ts', 'Message ▸ Route'],
  'discovery.rules.match': ['core/domain/match.ts', 'Message ▸ Route'],
  'discovery.default': ['core/domain/routing.ts', 'Message ▸ Route'],
  'discovery.bulkSubscribe': ['core/domain/subscription-reader.ts', 'Topics ▸ Subscriptions'],
  'discovery.rawPayload': ['core/domain/subscription-reader.ts', 'Topics ▸ Subscriptions'],
  delivery: ['core/runtime/delivering/attempts.ts', 'Message ▸ Attempts'],
  'delivery.body': ['core/runtime/delivering/call.ts', 'Message ▸ Attempts'],
  'delivery.bulk': ['core/domain/bulk.ts', 'Message ▸ Attempts'],
  single: ['core/domain/verdict.ts', 'Message ▸ Attempts'],
  bulk: ['core/domain/verdict.ts', 'Message ▸ Attempts'],
  health: ['core/runtime/queries/health.ts', 'Health'],
  access: ['core/domain/access.ts', 'Messages'],
  component: ['core/domain/component.ts', 'Components'],
  'component.secrets': ['core/adapters/component-files/resolve.ts', 'Components'],
  'component.type': ['core/adapters/registry.ts', 'Components'],
  limits: ['core/domain/ttl.ts', 'Message ▸ Envelope'],
  'limits.maxBulkPubBytes': ['core/domain/bulk-publish.ts', 'Publish ▸ Bulk'],
  'limits.maxMessagesCount': ['core/domain/bulk.ts', 'Topics ▸ Subscriptions'],
  'limits.maxAwaitDurationMs': ['core/domain/bulk.ts', 'Topics ▸ Subscriptions'],
  versions: ['core/http/publish.ts', 'Publish'],
  'versions.alpha': ['core/http/bulk-publish.ts', 'Publish ▸ Bulk'],
  'versions.component': ['core/domain/component.ts', 'Components'],
  'versions.binding': ['core/adapters/registry.ts', 'Event router'],
  'limits.eventSubscriptionName': ['core/event-router/rules/field-rules.ts', 'Event router ▸ Input'],
  binding: ['core/event-router/rules/field-rules.ts', 'Event router ▸ Input'],
  'binding.accessKey': ['core/event-router/client/publisher.ts', 'Event router ▸ Output'],
  'binding.topicEndpoint': ['core/event-router/client/publisher.ts', 'Event router ▸ Output'],
  'binding.direction': ['core/event-router/rules/component-fields.ts', 'Event router'],
  'binding.type': ['core/adapters/registry.ts', 'Event router'],
  'binding.create': ['core/event-router/binding/binding.ts', 'Event router ▸ Output'],
  'binding.options': ['core/event-router/webhook/webhook.ts', 'Event router ▸ Input'],
  'binding.options.503': ['core/event-router/binding/probe.ts', 'Event router ▸ Input'],
  'binding.events': ['core/event-router/webhook/webhook.ts', 'Event router ▸ Input'],
  'binding.subscribe': ['core/event-router/binding/subscription-manager.ts', 'Event router ▸ Input'],
  'binding.authenticate': ['core/event-router/client/token-verifier.ts', 'Event router ▸ Input'],
  grpc: ['core/grpc/publish.ts', 'Messages'],
  'grpc.publish.errors': ['core/grpc/errors.ts', 'Messages'],
  'grpc.bulk-publish': ['core/grpc/bulk-publish.ts', 'Messages'],
  'grpc.limits': ['core/grpc/server.ts', 'Messages'],
  'grpc.trace': ['core/grpc/caller.ts', 'Message ▸ Envelope'],
  'grpc.metadata': ['core/grpc/metadata.ts', 'Apps'],
  'grpc.bindings': ['core/grpc/bindings.ts', 'Components'],
  'grpc.other-calls': ['core/grpc/other-calls.ts', 'Logs'],
  'grpc.streams': ['core/grpc/subscribe.ts', 'Topics ▸ Subscriptions'],
  'grpc.discovery': ['core/domain/grpc-discovery.ts', 'Topics ▸ Subscriptions'],
  'grpc.delivery': ['core/runtime/delivering/grpc-call.ts', 'Message ▸ Attempts'],
  'grpc.delivery.data': ['core/domain/topic-event.ts', 'Message ▸ Attempts'],
  'grpc.outcome': ['core/domain/verdict.ts', 'Message ▸ Attempts'],
  'grpc.bulk-delivery': ['core/runtime/delivering/grpc-call.ts', 'Message ▸ Attempts'],
  release: ['core/contract/profile.ts', 'Messages'],
  'release.repeated-metadata': ['core/http/metadata-query.ts', 'Message ▸ Envelope'],
  'release.odd-parameter': ['core/http/metadata-query.ts', 'Message ▸ Envelope'],
  'release.too-large': ['core/http/body.ts', 'Messages'],
  'release.subject': ['core/domain/envelope.ts', 'Message ▸ Envelope'],
  'release.trace': ['core/domain/trace.ts', 'Message ▸ Attempts'],
  'release.redis-settings': ['core/adapters/redis-streams/settings.ts', 'Components'],
  'release.binary-mode': ['core/domain/binary-event.ts', 'Message ▸ Route'],
  'release.delivery-trace': ['core/runtime/delivering/trace.ts', 'Message ▸ Attempts'],
  'release.baggage': ['core/http/baggage.ts', 'Messages'],
  'release.end-of-json': ['core/domain/json-body.ts', 'Messages'],
  'release.text-after-json': ['core/domain/json-body.ts', 'Messages'],
  'release.stable-bulk': ['core/http/path.ts', 'Publish ▸ Bulk'],
  'release.namespaced': ['core/runtime/components/topic-prefix.ts', 'Components'],
  'release.discovery-app-id': ['core/runtime/apps/discovery.ts', 'Topics ▸ Subscriptions'],
  'release.empty-discovery': ['core/runtime/apps/discovery.ts', 'Topics ▸ Subscriptions'],
  'release.api-group': ['core/adapters/component-files/component-reader.ts', 'Components'],
  'release.subscription-name': ['core/runtime/components/declared.ts', 'Topics ▸ Subscriptions'],
  'release.namespace': ['core/domain/subscription.ts', 'Topics ▸ Subscriptions'],
  'release.broken-rule': ['core/domain/subscription-reader.ts', 'Topics ▸ Subscriptions'],
  'release.missing-route': ['core/domain/subscription-reader.ts', 'Topics ▸ Subscriptions'],
  'release.not-found': ['core/domain/verdict.ts', 'Message ▸ Attempts'],
  'release.route-path': ['core/domain/route-path.ts', 'Message ▸ Attempts'],
  'release.memory-headers': ['core/runtime/delivering/call.ts', 'Message ▸ Attempts'],
  'release.big-answer': ['core/domain/verdict.ts', 'Message ▸ Attempts'],
  'release.matching': ['core/domain/resiliency.ts', 'Message ▸ Attempts'],
  'release.batch-window': ['core/domain/bulk.ts', 'Message ▸ Attempts'],
  'release.bulk-routes': ['core/domain/routing.ts', 'Message ▸ Route'],
  'release.not-ready': ['core/http/health.ts', 'Health'],
  'release.subscription-type': ['core/runtime/sidecar.ts', 'Topics ▸ Subscriptions'],
  'release.listing': ['core/runtime/sidecar.ts', 'Topics ▸ Subscriptions'],
  'release.metadata': ['core/runtime/sidecar.ts', 'Health'],
  'release.pages': ['core/http/cors.ts', 'Settings'],
  'release.forced-shutdown': ['core/http/shutdown.ts', 'Apps'],
  scope: ['core/router-protocol/scope.ts', 'Event router ▸ Input'],
};

/** Rows that say the same as another one, or that only a part of a case shows: proven by the cases of these rows. */
const PROVEN_BY: Readonly<Record<string, readonly string[]>> = {
  'limits.ttlInSeconds': ['publish.metadata.ttlInSeconds'],
  'limits.maxBulkPubBytes': ['bulk-publish.metadata.maxBulkPubBytes'],
  'limits.maxMessagesCount': ['discovery.bulkSubscribe', 'delivery.bulk'],
  'limits.maxAwaitDurationMs': ['discovery.bulkSubscribe', 'delivery.bulk'],
  'publish.metadata.prefix': ['publish.metadata.ttlInSeconds', 'publish.metadata.rawPayload'],
  'component.apiVersion': ['component.kind', 'component.name', 'component.metadata'],
  'versions.component': ['component.kind', 'component.name', 'component.version'],
  'versions.v1': ['publish.route', 'health.204'],
  'versions.alpha': ['bulk-publish.route', 'bulk-publish.204'],
};

export interface MappedRow extends SpecRow {
  readonly table: string;
  /** undefined: not implemented. */
  readonly file: string | undefined;
  readonly screen: string;
  readonly cases: readonly string[];
}

function isUnder(id: string, prefix: string): boolean {
  return id === prefix || id.startsWith(`${prefix}.`);
}

function placeOf(id: string): readonly [file: string, screen: string] | undefined {
  const prefixes = Object.keys(PLACES).filter((prefix) => isUnder(id, prefix));
  const longest = prefixes.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : PLACES[longest];
}

/** Rows of the interface as docs/spec-rows.json has them. */
export function specTables(): readonly SpecTable[] {
  const text = readFileSync(new URL('../../docs/spec-rows.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { tables: readonly SpecTable[] }).tables;
}

/** Case ids by the row they name. */
function casesByRow(): ReadonlyMap<string, readonly string[]> {
  const byRow = new Map<string, string[]>();
  for (const { cases } of CONFIGURATIONS) {
    for (const one of cases) {
      for (const row of one.rows) byRow.set(row, [...(byRow.get(row) ?? []), one.id]);
    }
  }
  return byRow;
}

/** Every row with its place and its proof. */
export function mappedRows(): readonly MappedRow[] {
  const byRow = casesByRow();
  return specTables().flatMap((table) =>
    table.rows.map((row): MappedRow => {
      const place = placeOf(row.id);
      const cases = [row.id, ...(PROVEN_BY[row.id] ?? [])].flatMap((id) => byRow.get(id) ?? []);
      return {
        ...row,
        table: table.title,
        file: place?.[0],
        screen: place?.[1] ?? '',
        cases: [...new Set(cases)],
      };
    }),
  );
}

const MAX_CASES = 8;

/** docs/spec-map.md as it should be. */
export function specMapText(): string {
  const lines = [
    '# Spec map',
    '',
    'Every row of the interface: where it is implemented, where a person sees it, and which cases of the conformance suite prove it',
    '(`npm run conformance -- --list` names them all). Written by `npm run spec-map`; a test compares it with code and suite.',
  ];
  let table = '';
  for (const row of mappedRows()) {
    if (row.table !== table) {
      ({ table } = row);
      lines.push(
        '',
        `## ${table}`,
        '',
        '| row | says | implemented in | seen in | proven by |',
        '|---|---|---|---|---|',
      );
    }
    const proof =
      row.cases.slice(0, MAX_CASES).join(', ') +
      (row.cases.length > MAX_CASES ? ` and ${row.cases.length - MAX_CASES} more` : '');
    const cells =
      row.file === undefined ? ['not implemented', '', ''] : [`\`${row.file}\``, row.screen, proof];
    lines.push(`| \`${row.id}\` | ${row.says.replaceAll('|', '\\|')} | ${cells.join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}
