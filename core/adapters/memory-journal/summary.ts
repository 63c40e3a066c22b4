/** A kept message in brief: its state in one word, and what groups and own columns compare. */
import { foremost } from '../../contract/attention.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import { factsFor, MAX_CHAIN, worstState } from '../../domain/facet.ts';
import type { Facet } from '../../domain/facet.ts';
import { describe } from '../../domain/inbound.ts';
import { previewOf } from '../../domain/preview.ts';
import type { MessageSummary } from '../../ports/journal.ts';
import { editedIn, shownRow } from './entry.ts';
import type { Entry } from './entry.ts';

/** @param byId finds what a replay was made of */
export function summaryOf(
  entry: Entry,
  facets: readonly Facet[],
  codec: Codec,
  byId: (messageId: string) => Entry | undefined,
): MessageSummary {
  const { row } = entry;
  const root = facets.some(({ kind }) => kind === 'replay') ? rootOf(entry, byId) : undefined;
  const state = worstState(shownRow(entry));
  const edited = (): Wire | undefined => editedIn(entry);
  return {
    number: row.number,
    atMs: Date.parse(row.at),
    state,
    values: factsFor(facets, {
      row,
      atMs: Date.parse(row.at),
      state,
      delivery: () => foremost(shownRow(entry).deliveries),
      payload: () => describe(entry.wire, row.raw, codec),
      edited: () => {
        const wire = edited();
        return wire === undefined ? undefined : describe(wire, row.raw, codec);
      },
      preview: () => previewOf(edited() ?? entry.wire, row.raw, codec),
      isEdited: () => edited() !== undefined,
      chain: root?.messageId,
    }),
    ...(root?.number === undefined ? {} : { root: root.number }),
  };
}

/** The original of a chain of replays; undefined: the message is not a replay. A removed original has no number. */
function rootOf(
  { row }: Entry,
  byId: (messageId: string) => Entry | undefined,
): { readonly messageId: string; readonly number?: number } | undefined {
  let messageId = row.replayOf;
  if (messageId === undefined) return undefined;
  for (let step = 0; step < MAX_CHAIN; step += 1) {
    const above = byId(messageId);
    if (above === undefined) return { messageId };
    if (above.row.replayOf === undefined) return { messageId, number: above.row.number };
    messageId = above.row.replayOf;
  }
  return { messageId };
}
