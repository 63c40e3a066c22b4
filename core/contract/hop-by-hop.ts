/** Headers that concern one connection only (RFC 9110, "Connection"): a program that forwards a message removes them. */
export const HOP_BY_HOP: readonly string[] = [
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
