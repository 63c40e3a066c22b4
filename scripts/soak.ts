// npm run soak [-- minutes]: load with a kill every 20 seconds; the report is written to docs/soak.md.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT, runTool } from './tools.ts';

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes > 0)) throw new Error(`minutes must be a number above 0, got ${process.argv[2] ?? ''}`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-soak-report-'));
const figures = path.join(folder, 'figures.md');
try {
  const { code } = await runTool('vitest', ['run', '--project', 'long', 'test/faults/soak.long.test.ts'], {
    env: { SIDELIGHT_SOAK_MINUTES: String(minutes), SIDELIGHT_SOAK_REPORT: figures },
    limitMs: (minutes + 30) * 60_000,
  });
  process.exitCode = code;
  if (code === 0) {
    const report = `# Soak

The product under load, killed with \`kill -9\` again and again and started on the same folder each time; in the end everything is delivered and counted. Written by

    npm run soak

(\`npm run soak -- 3\` for three minutes; \`SIDELIGHT_SOAK_RATE=150\` for that many publishes a second). The test is \`test/faults/soak.long.test.ts\`.

${fs.readFileSync(figures, 'utf8')}
`;
    fs.writeFileSync(path.join(ROOT, 'docs', 'soak.md'), report);
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
