/** Texts for mistakes in XML for which the parser's own words are misleading. */
export const XML = {
  ampersand: '& must be written as &amp;',
} as const;
