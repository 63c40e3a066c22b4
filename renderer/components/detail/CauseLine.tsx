/** The sentence of a transition with the link to its rule. */
import type { ReactElement } from 'react';
import type { Delivery, MessageDetail, Transition } from '../../../core/contract/message.ts';
import { PARKED_ADVICE } from '../../../core/contract/cause-sentences.ts';
import { causeSentence } from '../../format/cause.ts';
import { RulePopover } from '../RulePopover.tsx';
import { visible } from '../../format/visible-text.ts';
import { useConsole, useResource } from '../../state/context.ts';

export interface CauseLineProps {
  readonly transition: Transition;
  readonly delivery: Delivery;
  readonly message: MessageDetail;
}

/** A sentence with texts of the app and of names: a hidden character in one of them must not turn the rest around. */
function shownSentence(sentence: string): string {
  return visible(sentence.replaceAll(/[\t\n\r]+/g, ' '));
}

/** The sentence of a transition, with names of holds filled in. */
function useSentence({ transition, delivery, message }: CauseLineProps): string {
  const { holds, readOnly } = useConsole();
  const { value } = useResource(holds.list);
  const sentence = causeSentence(transition, delivery, message, (id) => {
    // The holds of now say nothing about a recording.
    if (readOnly !== undefined) return undefined;
    const hold = value?.items.find(({ holdId }) => holdId === id);
    return hold?.name ?? (hold === undefined ? undefined : hold.filter || hold.holdId);
  });
  // What can be done with a delivery cannot be done in a recording.
  return shownSentence(readOnly === undefined ? sentence : sentence.replace(PARKED_ADVICE, ''));
}

/** Shows sentence and rule. */
export function CauseLine(props: CauseLineProps): ReactElement {
  const sentence = useSentence(props);
  return (
    <span>
      {sentence} <RulePopover rule={props.transition.rule} sentence={sentence} />
    </span>
  );
}
