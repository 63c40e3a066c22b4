/** Runs scenarios for an agent, each on an instance of its own, one after another. */
import { join, resolve } from 'node:path';
import { exceededBy, YAML_LIMITS } from '../adapters/component-files/yaml-limits.ts';
import { errorText } from '../contract/error-text.ts';
import type { Scenario } from '../contract/scenario.ts';
import { BadArgument } from '../mcp/tool.ts';
import type { ToolContext, GivenScenario } from '../mcp/tool.ts';
import { readScenario } from '../scenario/read-file.ts';
import { runFile } from '../testing/run-file.ts';
import { startProgram } from './multi-run/child.ts';
import { runEnvironment } from './run-environment.ts';
import { scenarioText } from './scenario-text.ts';
import { SETTINGS_OF_FILES } from './setting-table.ts';

export interface ScenarioRights {
  /**
   * True: scenarios may start programs and read folders, because the caller can do so anyway. False:
   * scenarios are given as text and may do neither, so that the token of a console grants no more than the
   * console does.
   */
  readonly mayRunPrograms: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function scenarioRunner({ mayRunPrograms, env }: ScenarioRights): ToolContext['runScenario'] {
  let last: Promise<unknown> = Promise.resolve();
  return async (given, signal) => {
    if (!mayRunPrograms && given.path !== undefined)
      throw new BadArgument('path cannot be given over HTTP: give the text of the scenario');
    const scenario = read(textOf(given));
    if (!mayRunPrograms) checkHarmless(scenario);
    const file = given.path ?? 'agent.scenario.yaml';
    const path = given.path === undefined ? join(process.cwd(), file) : resolve(file);
    const run = last.then(() =>
      runFile(
        { file, path, scenario },
        {
          keep: false,
          signal,
          environmentOf: (at, profile = 'sidecar') => runEnvironment(at, { profile, env }),
          startProgram,
        },
      ),
    );
    // The caller gets the error; the next run starts anyway.
    last = run.catch(() => undefined);
    return run;
  };
}

function textOf({ text, path }: GivenScenario): string {
  if (path === undefined) return text ?? '';
  try {
    return scenarioText(path, YAML_LIMITS.bytes);
  } catch (error) {
    throw new BadArgument(`path cannot be read: ${errorText(error)}`, { cause: error });
  }
}

function read(text: string): Scenario {
  const exceeded = exceededBy(text);
  if (exceeded !== undefined) throw new BadArgument(exceeded.message);
  const found = readScenario(text, { settings: SETTINGS_OF_FILES });
  if (found.ok) return found.scenario;
  const mistakes = found.mistakes.map(
    ({ line, column, message }) => `line ${line}, column ${column}: ${message}`,
  );
  throw new BadArgument(mistakes.join('\n'));
}

function checkHarmless({ app, apps = {}, resources, settings = {} }: Scenario): void {
  const starts = [app, ...Object.values(apps)].some((each) => typeof each === 'object' && 'run' in each);
  if (starts)
    throw new BadArgument(
      'app.run cannot be given over HTTP: use the mock app, or app: {url: …} of a running one',
    );
  if (resources !== undefined) throw new BadArgument('resources cannot be given over HTTP');
  // The router's settings are refused, because they name files with certificates and keys.
  if ('eventRouter' in settings) throw new BadArgument('settings.eventRouter cannot be given over HTTP');
}
