// Messages between the test and the process with the desktop shell; the browser's page is the window's page.

/** From the test: the page asks for a file, says something, or was loaded again; the shell is to end as by a signal. */
export type ToShell =
  | { readonly kind: 'page'; readonly id: number; readonly url: string; readonly method: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'loaded' }
  | { readonly kind: 'end' };

/** To the test: the shell's window is there to be loaded; an answer to a page request; a text for the page. */
export type FromShell =
  | { readonly kind: 'window'; readonly url: string }
  | {
      readonly kind: 'page';
      readonly id: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'text'; readonly text: string };
