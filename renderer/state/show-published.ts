/** Shows a message that a person published: it opens, or a notification leads to it. */
import { PUBLISH } from '../copy/publish.ts';
import type { Acting } from './acting.ts';
import type { Navigation } from './navigation.ts';
import type { Toasts } from './toasts.ts';
import type { UiStore } from './ui.ts';

export interface ArrivalDependencies {
  readonly acting: Pick<Acting, 'show'>;
  readonly navigation: Navigation;
  readonly toasts: Toasts;
  readonly ui: UiStore;
}

const LIST = '/messages';

/**
 * Shows the message. If the list is visible, the message opens beside it and the filter stays. A form that reports the result itself is
 * left only if the user chose that.
 * @param saidOn the screen that reports it itself
 */
export function showPublished(
  deps: ArrivalDependencies,
  messageId: string,
  text: string,
  saidOn?: string,
): void {
  const { acting, navigation, toasts, ui } = deps;
  const { jump } = ui.getState();
  const { path } = navigation.store.getState();
  if (jump !== 'never' && path === LIST) {
    toasts.done(text);
    navigation.change({ m: messageId, d: undefined, t: undefined });
  } else if (jump === 'always') {
    toasts.done(text);
    acting.show(messageId);
  } else if (path !== saidOn) {
    toasts.done(text, { title: PUBLISH.show, isLink: true, run: () => acting.show(messageId) });
  }
}
