/** A multi-app file as it is read: values, defaults, merging, and each mistake at its place. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../core/domain/usage-error.ts';
import { readRunFile } from '../../../core/host/multi-run/find-file.ts';
import { readPlan } from '../../../core/host/multi-run/read-plan.ts';
import { appWith, firstApp, folderWith, mistakeIn, planOf } from './plan-of.ts';

const TITLE = 'Error getting apps from config file: dapr.yaml';

describe('the file', () => {
  test('R2: the error for a folder without the file names similar files', () => {
    const folder = folderWith({ 'dapr.yml': '', 'other.yaml': '' });
    expect(() => readRunFile(folder)).toThrow(
      new UsageError(
        `Error getting apps from config file: ${folder}: the folder has no file dapr.yaml; there is dapr.yml: name the file itself`,
      ),
    );
  });

  test('a missing folder or file is an error in one line', () => {
    expect(() => readRunFile('/no/such')).toThrow(/: \/no\/such: there is no such file or folder$/);
  });

  test('a path that the system does not look up is an error in one line', () => {
    const folder = folderWith({
      'apps/a/.dapr/': '',
      'apps/dapr.yaml': 'version: 1\napps: [{appDirPath: a}]\n',
    });
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('resources', join(folder, 'apps/a/.dapr/resources'));
    const title = 'Error getting apps from config file';
    expect(() => readRunFile(join(folder, 'loop'))).toThrow(
      new UsageError(
        `${title}: ${folder}/loop: ELOOP: too many symbolic links encountered, stat '${folder}/loop'`,
      ),
    );
    const file = readRunFile(join(folder, 'apps'));
    expect(() => readPlan(file, { env: {}, platform: 'linux' })).toThrow(
      new UsageError(
        `${title}: ${folder}/apps/dapr.yaml:2:8: appDirPath: ELOOP: too many symbolic links encountered, stat '${folder}/apps/a/.dapr/resources'`,
      ),
    );
  });

  test('characters that a terminal would obey are shown, and the error stays one line', () => {
    expect(mistakeIn(appWith('configFilePath: "x\\n\\e[2J\\x9b"'))).toMatch(
      /configFilePath: there is no file or folder .*x\\u000a\\u001b\[2J\\u009b$/,
    );
  });

  test('a missing folder or file with a relative path is named by its whole path too', () => {
    const title = 'Error getting apps from config file';
    const says = (given: string, what: string): UsageError =>
      new UsageError(`${title}: ${given}: ${what} (looked at ${resolve(given)})`);
    expect(() => readRunFile('docs')).toThrow(says('docs', 'the folder has no file dapr.yaml'));
    expect(() => readRunFile('no.yaml')).toThrow(says('no.yaml', 'there is no such file or folder'));
  });

  test('the error for a file that is not there names one that may be meant', () => {
    const folder = folderWith({ 'dapr.yaml': '', 'shop/': '' });
    expect(() => readRunFile(join(folder, 'dapr.yml'))).toThrow(
      new UsageError(
        `Error getting apps from config file: ${folder}/dapr.yml: there is no such file or folder; did you mean ${folder}/dapr.yaml?`,
      ),
    );
    expect(() => readRunFile(join(folder, 'shpo'))).toThrow(`; did you mean ${folder}/shop?`);
  });

  test.skipIf(process.platform === 'win32')('a file without an end is read up to the limit', () => {
    expect(() => readRunFile('/dev/zero')).toThrow('/dev/zero: the file is larger than 1 MiB');
  });

  test('R3: a file of any name is read', () => {
    const folder = folderWith({ 'x.txt': appWith('appID: z'), 'a/': '' });
    expect(readRunFile(join(folder, 'x.txt')).text).toContain('appID: z');
  });

  test.each([
    [
      'apps: []',
      `${TITLE}: required field 'version' not found in the provided run template file; expected version: 1`,
    ],
    ['version: "1"', `${TITLE}:1:10: version must be a number without quotes; it is the text "1"`],
    [
      'version: 0',
      `${TITLE}:1:10: required field 'version' not found in the provided run template file; expected version: 1`,
    ],
    ['version: 1', `${TITLE}: No apps to run`],
    ['version: 1\napps: []', `${TITLE}:2:7: No apps to run`],
    ['version: 1\napps: a', `${TITLE}:2:7: apps must be a list of apps; it is the text "a"`],
    ['- a', `${TITLE}:1:1: expected a mapping with apps; it is a list`],
    ['version: 1\napps: [', `${TITLE}:2:8: YAML: `],
    ['version: 1\napps:\n  - *no', `${TITLE}:3:5: YAML: `],
    ['version: 1\napps:\n  - <<: 5', `${TITLE}:3:9: YAML: << takes a mapping, or a list of mappings`],
    ['version: 1\napps:\n  - <<: [{}, a]', `${TITLE}:3:14: YAML: << takes a mapping, or a list of mappings`],
    ['version: 1\n? [a]\n: b', `${TITLE}:2:3: YAML: a key must be a text; it is a list`],
    [
      'version: 1\napps:\n  - command: [x]',
      `${TITLE}:3:5: required field 'appDirPath' not found in the provided app config file`,
    ],
    [
      'version: 1\napps:\n  - appDirPth: ./a',
      `${TITLE}:3:5: required field 'appDirPath' not found in the provided app config file; did you mean it with appDirPth (line 3)?`,
    ],
    [
      'verson: 1\napps: []',
      `${TITLE}: required field 'version' not found in the provided run template file; expected version: 1; did you mean it with verson (line 1)?`,
    ],
    [
      'version: 1\napp:\n  - appDirPath: .',
      `${TITLE}:2:1: No apps to run: app is not known here; did you mean apps?`,
    ],
    [
      'version: 1\napps:\n  - appDirPath: ./hoem',
      `${TITLE}:3:17: appDirPath: there is no file or folder hoem; did you mean home?`,
    ],
  ])('R5, R6, R7: %j', (text, expected) => {
    expect(mistakeIn(text)).toContain(expected);
  });

  test('unknown and repeated keys are named together with the mistakes for which a file is refused', () => {
    const text =
      'version: 1\nverison: 1\ncommon:\n  foo: 1\napps:\n  - appDirPath: .\n    appPrt: 80\n    appPrt: 81\n    appPort: "80a"\n  - appDirPth: a';
    expect(mistakeIn(text).split('\n')).toEqual([
      expect.stringContaining(
        `${TITLE}:2:1: verison is not a field of the file and has no effect; did you mean version?`,
      ),
      expect.stringMatching(/:4:3: foo is not a field of common and has no effect/),
      expect.stringMatching(/:8:5: appPrt is given twice/),
      expect.stringMatching(
        /:8:5: appPrt is not a field of an app and has no effect; did you mean appPort\?$/,
      ),
      expect.stringMatching(/:9:14: appPort must be a number/),
      expect.stringMatching(
        /:10:5: required field 'appDirPath' not found .*; did you mean it with appDirPth/,
      ),
    ]);
  });

  test('a key that was not written to its end means the longer one, which is missing', () => {
    expect(mistakeIn('version: 1\napps:\n  - appDir: .\n    command: node app.mjs')).toContain(
      "required field 'appDirPath' not found in the provided app config file; did you mean it with appDir (line 3)?",
    );
  });

  test('all mistakes of a file are named', () => {
    const text =
      'version: 1\napps:\n  - appDirPath: .\n    appPort: "80a"\n    command: node app.mjs\n  - appID: b\n  - appDirPath: ./hoem';
    const lines = mistakeIn(text).split('\n');
    expect(lines).toEqual([
      expect.stringContaining(`${TITLE}:4:14: appPort must be a number without quotes`),
      expect.stringMatching(/:5:14: command /),
      expect.stringContaining(":6:5: required field 'appDirPath' not found"),
      expect.stringContaining(':7:17: appDirPath: there is no file or folder hoem'),
    ]);
  });

  test('all mistakes of one app are named, and one that apps share is named once', () => {
    const text =
      'version: 1\ncommon: {resourcesPath: ./no}\napps:\n  - appDirPath: ./a\n    appPort: 70000\n    appProtocol: htp\n    restart: always\n    resourcesPath: ./nope\n  - appDirPath: ./b\n    appID: my.app\n';
    expect(mistakeIn(text).split('\n')).toEqual([
      expect.stringContaining(`${TITLE}:2:25: resourcesPath: there is no file or folder no`),
      expect.stringMatching(/:5:14: appPort must be a port from 0 to 65535, got 70000$/),
      expect.stringMatching(/:6:18: appProtocol must be .*, got "htp"; did you mean http\?$/),
      expect.stringMatching(/:7:14: restart must be never or on-failure, got "always"$/),
      expect.stringMatching(/:8:20: resourcesPath: there is no file or folder a\/nope/),
      expect.stringMatching(/:10:12: appID must be an app id without dots/),
    ]);
  });

  test('a field of the wrong type hides no other mistake of its app', () => {
    const text = appWith('command: node app.mjs', 'resourcesPath: ./no', 'appPort: 70000');
    expect(mistakeIn(text).split('\n')).toEqual([
      expect.stringContaining(':4:14: command must be a list'),
      expect.stringContaining(':5:20: resourcesPath: '),
      expect.stringContaining(':6:14: appPort must be a port'),
    ]);
  });

  test('mistakes in YAML are said in plain words, all of them', () => {
    expect(mistakeIn('version: 1\napps:\n\t- appDirPath: ./a\n').split('\n')[0]).toBe(
      `${TITLE}:3:1: YAML: found a tab at the beginning of the line; expected spaces.`,
    );
    expect(mistakeIn('version:1\napps:\n  - appDirPath: "a\n').split('\n')).toEqual([
      `${TITLE}:1:1: YAML: expected a space after the colon.`,
      expect.stringContaining(':3:17: YAML: the quote that begins here is not closed'),
    ]);
    expect(mistakeIn(appWith('watch: [*.js]'))).toContain(
      ':4:13: YAML: found an alias (*), but no anchor (&) of its name above it. A text that begins with * needs quotes.',
    );
  });

  test('a suggestion names no key of another app', () => {
    const text = 'version: 1\napps:\n  - {appDirPth: ./a, appDirPath: .}\n  - appID: b';
    expect(mistakeIn(text)).toMatch(
      /:4:5: required field 'appDirPath' not found in the provided app config file$/,
    );
  });

  test('R5: version 1.0 counts as 1', () => {
    expect(planOf(appWith().replace('version: 1', 'version: 1.0')).apps).toHaveLength(1);
  });

  test('R5: another version is read as 1, which a note says', () => {
    const plan = planOf(appWith().replace('version: 1', 'version: 7'));
    expect(plan.apps).toHaveLength(1);
    expect(plan.notes).toEqual([
      expect.stringMatching(/:1:10: version 7 is read as version 1, the only one that there is$/),
    ]);
  });

  test('the notes on mistyped keys with a known meaning are told apart, for the end of what is printed', () => {
    const plan = planOf(appWith('comand: [node]', 'metricsPort: 1', 'foo: 1'));
    expect(plan.notes).toHaveLength(3);
    expect(plan.slips).toEqual([
      expect.stringMatching(
        /:4:5: comand is not a field of an app and has no effect; did you mean command\?$/,
      ),
    ]);
  });

  test('R14: only the first document counts', () => {
    const plan = planOf(`${appWith('appID: one')}---\nversion: x\n`);
    expect(plan.apps.map(({ appId }) => appId)).toEqual(['one']);
    expect(plan.notes).toEqual([
      expect.stringMatching(/:6:1: only the first document of the file is read, and this is the second$/),
    ]);
    expect(planOf(`---\n${appWith()}---\n...\n`).notes).toEqual([]);
  });

  test('R15: anchors and merge keys are resolved', () => {
    const plan = planOf(
      'version: 1\nx: &x\n  command: [node, a.js]\n  env: {A: 1}\napps:\n  - <<: *x\n    appDirPath: ./a\n    env: {B: 2}\n',
    );
    expect(plan.apps[0]).toMatchObject({ command: ['node', 'a.js'], env: { B: '2' } });
  });

  test('a key that stands twice counts with its last value, and a note says so', () => {
    expect(firstApp('appID: one', 'appID: two').appId).toBe('two');
    expect(planOf(appWith('appID: one', 'env: {A: 1, A: 2}', 'appID: two')).notes).toEqual([
      expect.stringMatching(/:5:17: A is given twice: this one counts, the one at line 5 has no effect$/),
      expect.stringMatching(/:6:5: appID is given twice: this one counts, the one at line 4 has no effect$/),
    ]);
  });

  test('a key may be an alias', () => {
    const text = `x: &key appID\n${appWith('*key : z')}`;
    expect(planOf(text).apps[0]?.appId).toBe('z');
  });

  test('a key that others repeat has no note about its effect', () => {
    const text = appWith('<<: *shared', 'own: &own 1', 'appPort: *own');
    expect(planOf(`x-shared: &shared {env: {A: 1}}\n${text}`).notes).toEqual([]);
  });
});

describe('values', () => {
  test.each([
    ['command: node a.js', 'command must be a list: [node, a.js]; it is the text "node a.js"'],
    ['resourcesPaths: x,y', 'resourcesPaths must be a list: [x, y]; it is the text "x,y"'],
    ['appPort: "3000"', 'appPort must be a number without quotes; it is the text "3000"'],
    ['appPort: 70000', 'appPort must be a port from 0 to 65535, got 70000'],
    ['appSSL: "yes"', 'appSSL must be true or false; it is the text "yes"'],
    ['env: [{name: X}]', 'env must be a mapping such as NAME: value; it is a list'],
    ['env: {A: [1]}', 'env has A, which must be a text; it is a list'],
    ['env: {"A=B": 1}', 'env has "A=B", which must be a name without =; did you mean A: "B=1"?'],
    ['env: {"A=B c"}', 'env has "A=B c", which must be a name without =; did you mean A: "B c"?'],
    ['env: {"=B": 1}', 'env has "=B", which must be a name without ='],
    ['env: {"": 1}', 'env has an entry without a name: expected NAME: value'],
    ['env: {"A\\0": 1}', 'env has "A\\u0000", which must not hold a zero character'],
    ['env: {A: "\\0"}', 'env has A, which must be a text without zero characters; it is the text "\\u0000"'],
    ['appID: "\\e[1m"', 'appID must have printable characters only, got "\\u001b[1m"'],
    ['appPort: 1.5', 'appPort must be a whole number; it is the number 1.5'],
    ['appChannelAddress: "http://x"', 'appChannelAddress must be a host, got "http://x"'],
    [`configFilePath: ${'x'.repeat(300)}`, 'configFilePath: ENAMETOOLONG'],
    [`appProtocol: ${'x'.repeat(900)}`, `got "${'x'.repeat(60)}…"`],
    [`command: ${'x '.repeat(900)}`, 'x, …]; it is the text "x x '],
    ['command: [node, [a]]', 'command has an item that must be a text; it is a list'],
    [
      `command: 'node "a b.js" x=''y z'''`,
      `command must be a list: [node, "a b.js", "x=y z"]; it is the text "node \\"a b.js\\" x='y z'"`,
    ],
    ['command: [""]', 'command: exec: no command'],
    ['appID: [a]', 'appID must be a text; it is a list'],
    ['appID: my.app', 'appID must be an app id without dots, spaces, commas or slashes, got "my.app"'],
    ['appProtocol: amqp', 'appProtocol must be http, https, grpc, grpcs or h2c, got "amqp"'],
    [
      'appLogDestination: both',
      'invalid log destination type: both; appLogDestination must be console, file or fileAndConsole',
    ],
    ['maxBodySize: x', 'invalid max request body size: expected a size such as 4Mi or 1000000, got "x"'],
    [
      'containerImagePullPolicy: Sometimes',
      'containerImagePullPolicy must be Always, Never or IfNotPresent, got "Sometimes"',
    ],
    ['restart: always', 'restart must be never or on-failure, got "always"'],
    ['dependsOn: b', 'dependsOn must be a list: [id] or [{app: id, condition: started}]; it is the text "b"'],
    [
      'dependsOn: [{app: b, condition: ready}]',
      'dependsOn: condition must be healthy or started, got "ready"',
    ],
    ['resourcesPath: ./no', 'resourcesPath: there is no file or folder a/no'],
    ['configFilePath: ./no.yaml', 'configFilePath: there is no file or folder a/no.yaml'],
  ])('R8, R12, R24, R26, R34, R51, R60, R61: %s', (line, expected) => {
    expect(mistakeIn(appWith(line))).toMatch(new RegExp(`^${TITLE}:4:\\d+: `));
    expect(mistakeIn(appWith(line))).toContain(expected);
  });

  test.each([
    ['runtimePath: ./no', [], 'runtimePath'],
    ['resourcesPath: ./no', ['resourcesPath: c'], 'resourcesPath'],
    ['resourcesPaths: [./no]', ['resourcesPath: c'], 'resourcesPaths'],
    ['configFilePath: ./no', ['configFilePath: c'], 'configFilePath'],
  ])('R24: a path of common must exist, also where an app has one of its own: %s', (common, own, key) => {
    const text = appWith(...own).replace('apps:', `common: {${common}}\napps:`);
    const says = `${key}: there is no file or folder no`;
    expect(mistakeIn(text, { 'a/c/': '' })).toContain(says);
  });

  test('a file in UTF-16 is refused with the reason', () => {
    const text = appWith('command: [x]').replaceAll(/./gs, (letter) => `${letter}\0`);
    expect(mistakeIn(text)).toBe(`${TITLE}: the file is not UTF-8 text: save it as UTF-8`);
  });

  test('a file in Latin-1 is refused with the reason', () => {
    const folder = folderWith({ 'a/': '' });
    const text = appWith('command: [echo, grün]');
    writeFileSync(join(folder, 'dapr.yaml'), Buffer.from(text, 'latin1'));
    expect(() => readRunFile(folder)).toThrow('dapr.yaml: the file is not UTF-8 text: save it as UTF-8');
  });

  test('R9: numbers and words of a command stay as written', () => {
    expect(firstApp('command: [node, a.js, 3000, true, 0x10, 1.50]').command).toEqual([
      'node',
      'a.js',
      '3000',
      'true',
      '0x10',
      '1.50',
    ]);
  });

  test('R13: yes is true, R35: names of variables are kept', () => {
    const app = firstApp('enableAppHealthCheck: yes', 'env: {"a.b": 1, C: null}');
    expect(app.health).toEqual({
      enabled: true,
      path: '/healthz',
      intervalMs: 5000,
      timeoutMs: 500,
      threshold: 3,
    });
    expect(app.env).toEqual({ 'a.b': '1', C: '' });
  });

  test('a log level is read in any case', () => {
    expect(firstApp('logLevel: Debug').logLevel).toBe('debug');
  });

  test('an app has its address, ports and limits', () => {
    expect(
      firstApp(
        'appPort: 8080',
        'appSSL: true',
        'daprHTTPPort: 3510',
        'daprGRPCPort: -1',
        'maxBodySize: 1Mi',
        'appChannelAddress: "::1"',
      ),
    ).toMatchObject({
      url: 'https://[::1]:8080',
      protocolName: 'https',
      sidecarPort: 3510,
      maxBodyBytes: 1_048_576,
    });
    expect(firstApp('daprGRPCPort: -1')).not.toHaveProperty('grpcPort');
    expect(firstApp('maxBodySize: 1e6')).toMatchObject({ maxBodyBytes: 1_000_000 });
    for (const lines of [['appProtocol: grpcs'], ['appProtocol: grpc', 'appSSL: true']])
      expect(firstApp(...lines, 'appPort: 1')).toMatchObject({
        url: 'grpcs://127.0.0.1:1',
        protocolName: 'grpcs',
      });
    expect(firstApp('appProtocol: h2c', 'appPort: 1')).toMatchObject({
      url: 'h2c://127.0.0.1:1',
      protocolName: 'h2c',
    });
    expect(firstApp('appProtocol: GRPC', 'appPort: 1')).toMatchObject({
      url: 'grpc://127.0.0.1:1',
      protocolName: 'grpc',
    });
  });
});

describe('the health check of an app', () => {
  const checked = (...lines: readonly string[]) => firstApp('enableAppHealthCheck: true', ...lines).health;

  test('a number that is 0 or negative stands for its default', () => {
    const numbers = ['appHealthProbeInterval: -5', 'appHealthProbeTimeout: 0', 'appHealthThreshold: -1'];
    expect(checked(...numbers)).toMatchObject({ intervalMs: 5000, timeoutMs: 500, threshold: 3 });
  });

  test.each([
    [
      ['appHealthProbeInterval: 2147484'],
      ':5:29: appHealthProbeInterval must be at most 2147483 seconds, got 2147484',
    ],
    [['appHealthProbeTimeout: 2147483648'], 'appHealthProbeTimeout must be at most 2147483647 milliseconds'],
    [
      ['appHealthProbeInterval: 1', 'appHealthProbeTimeout: 2000'],
      ':6:28: appHealthProbeTimeout (2000 ms) must not be longer than appHealthProbeInterval (1000 ms)',
    ],
  ])('health check lines %j are refused', (lines, expected) => {
    expect(mistakeIn(appWith('enableAppHealthCheck: true', ...lines))).toContain(expected);
  });
});

describe('fields without effect', () => {
  test.each([
    [['appHealthCheckPath: /x'], 'appHealthCheckPath has no effect without enableAppHealthCheck: true'],
    [['enableAppHealthCheck: true'], 'enableAppHealthCheck has no effect without appPort'],
    [['restart: on-failure'], 'restart has no effect without command'],
    [['watch: ["*.js"]'], 'watch has no effect without command'],
    [['"a\\nb": 1'], '"a\\nb" is not a field of an app'],
    [['appId: z'], ':4:5: appId is not a field of an app and has no effect; did you mean appID?'],
    [['foo: 1'], ':4:5: foo is not a field of an app and has no effect; its fields are appID, appDirPath, '],
    [['foo: 1'], ', dependsOn, restart, watch'],
    [['componentspath: x'], 'did you mean resourcesPaths?'],
    [['daprHTTPMaxRequestSize: 1'], 'did you mean maxBodySize?'],
    [
      ['metricsPort: 9090'],
      'metricsPort has no effect here: in the reference it would serve metrics on a port',
    ],
    [['unixDomainSocket: /tmp'], 'unixDomainSocket has no effect here'],
  ])('R10, R11, R52: %j is reported once', (lines, expected) => {
    const twice = `${appWith(...lines)}  - appDirPath: ./b\n${lines.map((line) => `    ${line}\n`).join('')}`;
    const { notes } = planOf(twice);
    expect(notes).toEqual([expect.stringContaining(expected)]);
  });

  test('dependsOn without a command has no effect, and a note says so', () => {
    const { notes } = planOf('version: 1\napps:\n  - {appDirPath: a, dependsOn: [b]}\n  - appDirPath: b\n');
    expect(notes).toEqual([expect.stringMatching(/:3:32: dependsOn has no effect without command$/)]);
  });

  test('the note about an unknown key lists the fields of its block', () => {
    const { notes } = planOf('version: 1\nxyzzy: 1\ncommon: {qwerty: 1}\napps:\n  - appDirPath: a\n');
    expect(notes).toEqual([
      expect.stringMatching(
        /xyzzy is not a field of the file and has no effect; its fields are version, name, common, apps$/,
      ),
      expect.stringMatching(
        /qwerty is not a field of common and has no effect; its fields are appProtocol, (?!.*appPort)/,
      ),
    ]);
  });

  test('R16, R17: an empty value does not reset the one of common, and a note says so', () => {
    const plan = planOf(
      'version: 1\ncommon: {appMaxConcurrency: 2, enableAppHealthCheck: true}\napps:\n  - appDirPath: a\n    appMaxConcurrency: 0\n    enableAppHealthCheck: false\n',
    );
    expect(plan.apps[0]).toMatchObject({ maxConcurrency: 2, health: { enabled: true } });
    expect(plan.notes).toEqual([
      expect.stringContaining('dapr.yaml:5:24: appMaxConcurrency cannot be set back in an app'),
      expect.stringContaining('enableAppHealthCheck cannot be set back in an app'),
    ]);
  });

  test('a field of an app has no effect beside the apps', () => {
    const { notes } = planOf(`env: {A: 1}\nappPort: 1\n${appWith()}`);
    expect(notes).toEqual([
      expect.stringContaining(
        ':1:1: env is a field of an app, so it has no effect here; put it into common, or into an app',
      ),
      expect.stringContaining(
        ':2:1: appPort is a field of an app, so it has no effect here; put it into an app',
      ),
    ]);
  });

  test('a field of an app has no effect in common', () => {
    const { notes } = planOf(appWith().replace('apps:', 'common: {appPort: 1}\napps:'));
    expect(notes).toEqual([expect.stringContaining('appPort is read in an app only')]);
  });
});

describe('merging and paths', () => {
  test('R18: env is merged by name, and the app wins', () => {
    const plan = planOf(
      'version: 1\ncommon: {env: {A: 1, B: 1}}\napps:\n  - appDirPath: a\n    env: {B: 2}\n  - appDirPath: b\n',
    );
    expect(plan.apps.map(({ env }) => env)).toEqual([
      { A: '1', B: '2' },
      { A: '1', B: '1' },
    ]);
  });

  const COMMON = 'version: 1\ncommon: {resourcesPath: ./c}\napps:\n  - appDirPath: a\n';

  test.each<[string, string, string[], Record<string, string>]>([
    [
      'R20: the app goes before common',
      `${COMMON}    resourcesPaths: [./d]\n`,
      ['a/d'],
      { 'a/d/': '', 'c/': '' },
    ],
    [
      'R21: the folder beside the app goes before common',
      COMMON,
      ['a/.dapr/resources'],
      { 'a/.dapr/resources/': '', 'c/': '' },
    ],
    ['common begins at the file', COMMON, ['c'], { 'c/': '' }],
    ['R22: the home folder is last', appWith(), ['home/.dapr/components'], { 'home/.dapr/components/': '' }],
    ['R22: none is there', appWith(), [], {}],
    [
      'R23: several in their order',
      appWith('resourcesPaths: [./d]', 'resourcesPath: ./e'),
      ['a/d', 'a/e'],
      { 'a/d/': '', 'a/e/': '' },
    ],
    ['R25: the home folder by its sign', appWith('resourcesPath: ~/r'), ['home/r'], { 'home/r/': '' }],
    [
      'runtimePath says where the last is',
      appWith('runtimePath: ./r'),
      ['a/r/.dapr/components'],
      { 'a/r/.dapr/components/': '' },
    ],
  ])('resources of an app: %s', (_name, text, expected, files) => {
    const plan = planOf(text, files);
    expect(plan.apps[0]?.resources).toEqual(expected.map((path) => join(plan.base, path)));
  });

  test('the last folder is that of the flag, and the file comes before it', () => {
    const files = { 'r/.dapr/components/': '', 'a/s/.dapr/components/': '' };
    const facts = { runtimePath: join(tmpdir(), 'not-there') };
    expect(planOf(appWith(), { ...files, 'home/.dapr/components/': '' }, facts).apps[0]?.resources).toEqual(
      [],
    );
    const own = planOf(appWith('runtimePath: ./s'), files, facts);
    expect(own.apps[0]?.resources).toEqual([join(own.base, 'a/s/.dapr/components')]);
  });

  test('R26: without an id the folder names the app', () => {
    expect(firstApp().appId).toBe('a');
    expect(mistakeIn('version: 1\napps:\n  - appDirPath: my.app', { 'my.app/': '' })).toContain(
      'the name of the folder is the id, and must be an app id without dots',
    );
  });

  test('the folder of an app is absolute', () => {
    const plan = planOf(appWith());
    expect(plan.apps[0]?.folder).toBe(join(plan.base, 'a'));
    expect(basename(plan.base)).toMatch(/^multi-run-/);
  });
});

describe('several apps', () => {
  const two = (first: string, second: string): string =>
    `version: 1\napps:\n  - {appDirPath: a, ${first}}\n  - {appDirPath: b, ${second}}\n`;

  test.each([
    [two('appID: x', 'appID: x'), ':4:5: the app id "x" is given twice: the app at line 3 has it'],
    [
      two('appPort: 1', 'appPort: 1'),
      ':4:30: appPort 1 of app b is not available: it is the appPort of app a (line 3)',
    ],
    [
      two('appPort: 1', 'daprHTTPPort: 1'),
      'daprHTTPPort 1 of app b is not available: it is the appPort of app a',
    ],
    [
      two('daprGRPCPort: 1, daprHTTPPort: 1', 'appID: y'),
      'daprGRPCPort 1 of app a is not available: it is the daprHTTPPort of app a',
    ],
    [
      two('appID: x', 'dependsOn: [y]'),
      ':4:33: app b depends on "y", which is not an app of this file; the apps are x, b',
    ],
    [two('appID: checkout', 'dependsOn: [chekout]'), 'did you mean checkout?'],
    [two('dependsOn: [b]', 'dependsOn: [a]'), ':3:33: dependsOn goes in a circle: a -> b -> a'],
    [two('dependsOn: [a]', 'appID: y'), 'dependsOn goes in a circle: a -> a'],
  ])('R27, R45: %j', (text, expected) => {
    expect(mistakeIn(text)).toContain(expected);
  });

  test('of many apps that one depends on and that are not there, the first 100 are named', () => {
    const ids = Array.from({ length: 250 }, (_, i) => `none-${i}`);
    const lines = mistakeIn(two('appID: x', `dependsOn: [${ids.join(', ')}]`)).split('\n');
    expect(lines).toHaveLength(101);
    expect(lines[99]).toContain('app b depends on "none-99", which is not an app of this file');
    expect(lines[100]).toContain('150 more apps of dependsOn are not in this file either');
  });

  test('an id that is given twice is named once among the apps', () => {
    const said = mistakeIn(two('appID: shop', 'appID: shop, dependsOn: [zzzzz]'));
    expect(said).toMatch(/which is not an app of this file; the apps are shop$/);
  });

  test('R27: a port may be given twice if the apps are on different machines', () => {
    const at = (host: string): string => `appPort: 80, appChannelAddress: ${host}`;
    const text = two(at('a.test'), `${at('b.test')}, daprHTTPPort: 80`);
    expect(planOf(text).apps.map(({ url }) => url)).toEqual(['http://a.test:80', 'http://b.test:80']);
    expect(mistakeIn(two(at('a.test'), at('a.test')))).toContain(
      'appPort 80 of app b is not available: it is the appPort of app a (line 3)',
    );
    for (const here of ['localhost', 'LOCALHOST', 'app.localhost'])
      expect(mistakeIn(two(at(here), 'appPort: 80'))).toContain('appPort 80 of app b is not available');
  });

  test('each id and each port that is taken is said', () => {
    const text = ['a', 'b', 'c']
      .map((folder) => `  - {appDirPath: ${folder}, appID: x, appPort: 1}\n`)
      .join('');
    expect(mistakeIn(`version: 1\napps:\n${text}`, { 'c/': '' }).split('\n')).toEqual([
      'Error getting apps from config file: dapr.yaml:4:5: the app id "x" is given twice: the app at line 3 has it',
      'dapr.yaml:4:40: appPort 1 of app x is not available: it is the appPort of app x (line 3)',
      'dapr.yaml:5:5: the app id "x" is given twice: the app at line 3 has it',
      'dapr.yaml:5:40: appPort 1 of app x is not available: it is the appPort of app x (line 3)',
    ]);
  });

  test.each([
    ['each of several is said', 'dependsOn: [x, y]', ['"x"', '"y"'], []],
    ['beside a mistake of another field', 'logLevel: loud, dependsOn: [x]', ['logLevel', '"x"'], []],
    ['an app with a mistake is there', 'dependsOn: [a]', ['appPort'], ['which is no app']],
  ])('of the apps that one depends on: %s', (_what, second, says, saysNot) => {
    const said = mistakeIn(two(saysNot.length === 0 ? 'appID: z' : 'appPort: 70000', second));
    for (const part of says) expect(said).toContain(part);
    for (const part of saysNot) expect(said).not.toContain(part);
  });

  test('an app on which another depends may be one whose id cannot be read', () => {
    const said = mistakeIn(two('appID: [x]', 'appID: x, dependsOn: [y], appPort: 70000'));
    expect(said).toContain('appID');
    expect(said).toContain('appPort');
    expect(said).not.toContain('which is no app');
  });

  test('apps without a folder and an id are not taken for one app', () => {
    expect(mistakeIn('version: 1\napps:\n  - appPort: 1\n  - appPort: 2\n')).not.toContain('given twice');
  });

  test('an unknown app among many is named with the first of them', () => {
    const one = (_: unknown, i: number): string => `  - {appDirPath: a, appID: x${i}, dependsOn: [y]}\n`;
    expect(mistakeIn(`version: 1\napps:\n${Array.from({ length: 30 }, one).join('')}`)).toContain(
      'which is not an app of this file; the apps are x0, x1, x2, x3, x4, x5, x6, x7, x8, x9 and 20 more',
    );
  });

  test('dependsOn names apps with the condition to wait for', () => {
    const plan = planOf(two('appID: x', 'dependsOn: [x, {app: x, condition: started}]'));
    expect(plan.apps[1]?.dependsOn).toEqual([
      { appId: 'x', condition: 'healthy' },
      { appId: 'x', condition: 'started' },
    ]);
  });
});
