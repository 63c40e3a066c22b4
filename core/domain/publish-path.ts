/** Paths of publishes, by which a publish is known that came to a port of Sidelight other than that of a sidecar. */

const PUBLISH_PATH = /^\/v1\.0\/publish\/|^\/v1\.0-alpha1\/publish\/bulk\//;

/** Whether a request target begins with the path of a publish. */
export function isPublishPath(target: string): boolean {
  return PUBLISH_PATH.test(target);
}
