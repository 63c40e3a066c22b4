/** The tool that runs a scenario. */
import { counted } from '../../contract/count-text.ts';
import { members, Optional, Text } from '../../contract/schema.ts';
import { specOf } from '../../scenario/report.ts';
import { BadArgument, tool } from '../tool.ts';

const params = members({
  text: Optional(
    Text({
      maxLength: 256 * 1024,
      description:
        'A scenario as YAML: name, mock (answer rules), steps such as {publish: {topic: orders, data: {n: 1}}} and {expect: "topic:orders", state: processed, attempts: 3}.',
    }),
  ),
  path: Optional(Text({ maxLength: 1000, description: 'A *.scenario.yaml file, in place of text.' })),
});

export const runScenario = tool({
  name: 'run_scenario',
  title: 'Run a scenario',
  does: 'Runs the steps of a scenario on a fresh instance of its own, as `sidelight test` does, and reports each step; one that fails comes with its story. The running instance is not touched.',
  params,
  hints: {},
  run: async (given, context, signal) => {
    if ((given.text === undefined) === (given.path === undefined))
      throw new BadArgument('text or path must be given, and not both');
    const { open: _open, ...result } = await context.runScenario(given, signal);
    const failed = result.steps.filter(({ status }) => status === 'failed').length;
    return {
      text: `The scenario ${result.status}: ${counted(result.steps.length, 'step')}, ${failed} failed.`,
      outside: {
        report: specOf(result).trimEnd().split('\n'),
        steps: result.steps.map(({ title, status }) => ({ title, status })),
      },
    };
  },
});
