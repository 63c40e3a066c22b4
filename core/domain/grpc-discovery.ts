/**
 * Converts the list of a gRPC app into the form of a discovery answer over HTTP, so that one reader checks
 * both.
 */
import { isObject } from './json.ts';

/**
 * The elements of a discovery answer.
 * @param reply the app's reply as JSON; members with their zero value may be absent
 */
export function discoveryElements(reply: unknown): unknown {
  const list = isObject(reply) ? (reply['subscriptions'] ?? []) : [];
  return Array.isArray(list) ? list.map((element: unknown) => elementOf(element)) : list;
}

function elementOf(element: unknown): unknown {
  if (!isObject(element)) return element;
  const { pubsub_name: pubsubname, topic, metadata, routes, dead_letter_topic, bulk_subscribe } = element;
  const given = isObject(routes) ? routes : {};
  const rules = Array.isArray(given['rules']) ? (given['rules'] as readonly unknown[]) : [];
  return {
    pubsubname: pubsubname ?? '',
    topic: topic ?? '',
    metadata: metadata ?? {},
    routes: { rules: rules.map(ruleOf), default: given['default'] ?? '' },
    deadLetterTopic: dead_letter_topic ?? '',
    ...(isObject(bulk_subscribe) && bulk_subscribe['enabled'] === true
      ? {
          bulkSubscribe: {
            enabled: true,
            maxMessagesCount: bulk_subscribe['max_messages_count'] ?? 0,
            maxAwaitDurationMs: bulk_subscribe['max_await_duration_ms'] ?? 0,
          },
        }
      : {}),
  };
}

/** Converts a rule; a blank condition always holds. */
function ruleOf(rule: unknown): unknown {
  if (!isObject(rule)) return rule;
  const { match = '', path = '' } = rule;
  return { match: typeof match === 'string' && match.trim() === '' ? '' : match, path };
}
