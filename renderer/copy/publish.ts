/** Texts of the publish screens, single and bulk. */

export const CONTENT_TYPES = [
  'application/json',
  'text/plain',
  'application/xml',
  'application/octet-stream',
  'application/cloudevents+json',
] as const;
