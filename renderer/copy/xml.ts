/** What is wrong with a text that is to be XML, where the parser's own words would mislead. */
export const XML = {
  ampersand: '& must be written as &amp;',
} as const;
