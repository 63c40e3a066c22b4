// electron-builder.yml: every file it names is there, the fuses are blown, and what it packs is what we mean to ship.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): Buffer => fs.readFileSync(path.join(ROOT, file));

interface Config {
  readonly electronVersion: string;
  readonly asar: boolean;
  readonly directories: { readonly buildResources: string; readonly output: string };
  readonly files: readonly string[];
  readonly electronFuses: Readonly<Record<string, boolean>>;
  readonly win: { readonly icon: string };
  readonly mac: { readonly icon: string };
  readonly linux: { readonly icon: string };
}
const config: Config = parse(read('electron-builder.yml').toString('utf8'));
const manifest: { readonly main: string; readonly devDependencies: Readonly<Record<string, string>> } =
  JSON.parse(read('package.json').toString('utf8'));

/** Width and height of a PNG, from its header. */
function sizeOfPng(png: Buffer): readonly [number, number] {
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

/** Fixed part of a pattern before its first wildcard; undefined for an exclusion. */
const rootOf = (pattern: string): string | undefined =>
  pattern.startsWith('!') ? undefined : pattern.split(/\/?\*/, 1)[0];

describe('the configuration names existing files', () => {
  test.each([
    config.directories.buildResources,
    config.win.icon,
    config.mac.icon,
    config.linux.icon,
    ...config.files.flatMap((pattern) => rootOf(pattern) ?? []).filter((file) => !file.startsWith('dist/')),
  ])('%s exists', (file) => expect(fs.existsSync(path.join(ROOT, file))).toBe(true));

  test.each(['core', 'electron', 'renderer'])('has a source folder for dist/%s', (folder) => {
    expect(config.files.map(rootOf)).toContain(`dist/${folder}`);
    expect(fs.existsSync(path.join(ROOT, folder))).toBe(true);
  });

  test('has a main file with a source', () => {
    expect(manifest.main).toBe('dist/electron/main.js');
    expect(fs.existsSync(path.join(ROOT, 'electron', 'main.ts'))).toBe(true);
  });

  test('has the version of the installed Electron', () => {
    expect(config.electronVersion).toBe(manifest.devDependencies['electron']);
  });
});

describe('the configuration ships nothing by accident', () => {
  test('has one archive of named parts', () => {
    expect(config.asar).toBe(true);
    expect(config.files.filter((pattern) => rootOf(pattern) === '')).toEqual([]);
  });

  test('has an output folder that git ignores', () => {
    expect(read('.gitignore').toString('utf8').split('\n')).toContain(`${config.directories.output}/`);
  });

  test('has fuses that close every way into the process', () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      enableCookieEncryption: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });
});

describe('icons', () => {
  test('the window has one of 512', () => expect(sizeOfPng(read('build/icon.png'))).toEqual([512, 512]));

  test('Linux has one file per size, named by it', () => {
    const names = fs.readdirSync(path.join(ROOT, config.linux.icon)).sort();
    expect(names).toEqual(expect.arrayContaining(['16x16.png', '48x48.png', '256x256.png', '512x512.png']));
    for (const name of names) expect(`${sizeOfPng(read(`build/icons/${name}`)).join('x')}.png`).toBe(name);
  });

  test('Windows has a directory of them, 256 among them', () => {
    const ico = read(config.win.icon);
    const count = ico.readUInt16LE(4);
    const sizes = Array.from({ length: count }, (_, index) => {
      const at = 6 + 16 * index;
      const offset = ico.readUInt32LE(at + 12);
      const [width] = sizeOfPng(ico.subarray(offset, offset + ico.readUInt32LE(at + 8)));
      expect(ico.readUInt8(at)).toBe(width % 256);
      return width;
    });
    expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256]);
  });

  test('macOS has them up to 1024', () => {
    const icns = read(config.mac.icon);
    expect(icns.subarray(0, 4).toString('latin1')).toBe('icns');
    expect(icns.readUInt32BE(4)).toBe(icns.length);
    const widths: number[] = [];
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
      widths.push(sizeOfPng(icns.subarray(at + 8))[0]);
    }
    expect(Math.max(...widths)).toBe(1024);
    expect(widths).toHaveLength(11);
  });
});
