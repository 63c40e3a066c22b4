/** Ports that are taken where no flag sets one. */
export const STANDARD_PORTS = {
  /** HTTP port of the first sidecar. */
  sidecar: 3500,
  /** gRPC port of the first sidecar. */
  grpc: 50_001,
  mockApp: 6001,
  console: 3580,
} as const;

/** Address of a sidecar on the standard port. */
export const STANDARD_SIDECAR_URL = `http://127.0.0.1:${STANDARD_PORTS.sidecar}`;
