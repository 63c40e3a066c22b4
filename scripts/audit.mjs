// npm run audit: asks the registry for known weaknesses of what ships, and says of each whether the product reaches it.
import fs from 'node:fs';
import path from 'node:path';
import { npmText } from './launcher/npm.mjs';

// Advisory id -> why it is no danger here, checked by a person: { "GHSA-…": { "reached": false, "why": "…" } }.
const explained = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'audit-explained.json'), 'utf8'));

process.exitCode = judge(ask());

function ask() {
  try {
    return read(npmText(process.execPath, ['audit', '--omit=dev', '--json', ...process.argv.slice(2)]));
  } catch (error) {
    // No npm, or none that ends: nothing was found out, which is not the same as a finding.
    return { message: error.message };
  }
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.trim().split('\n')[0] ?? '' };
  }
}

/** 0: none, or each explained; 1: one that nobody has explained; 2: the registry did not answer. */
function judge(report) {
  if (report.vulnerabilities === undefined) {
    console.error(`The registry did not answer the question: ${report.message || 'it said nothing'}.`);
    console.error(
      'Nothing is known now, neither good nor bad. Ask again, or ask another registry (--registry URL).',
    );
    return 2;
  }
  const findings = Object.values(report.vulnerabilities).flatMap(({ name, via, nodes }) =>
    via.filter((one) => typeof one === 'object').map((one) => ({ name, nodes, ...one, id: idOf(one) })),
  );
  for (const { id, name, severity, title, nodes, range } of findings) {
    console.log(`${severity} ${id} ${name} ${range}: ${title}`);
    console.log(
      `  comes in at ${nodes.join(', ')}; brought by ${bringersOf(report, name).join(', ') || 'package.json'}`,
    );
    const known = explained[id];
    if (known === undefined)
      console.log('  NOT EXPLAINED: see whether the product reaches it, then fix it or say why not.');
    else console.log(`  ${known.reached ? 'reached' : 'not reached'}: ${known.why}`);
  }
  const open = findings.filter(({ id }) => explained[id] === undefined);
  const gone = Object.keys(explained).filter((id) => !findings.some((finding) => finding.id === id));
  for (const id of gone) console.log(`${id} is explained and not found any more: remove the explanation.`);
  console.log(`${findings.length} known weaknesses of what ships, ${open.length} not explained.`);
  return open.length === 0 ? 0 : 1;
}

function idOf({ url = '', source }) {
  return /GHSA-[\w-]+/.exec(url)?.[0] ?? String(source);
}

/** Packages by which it comes in, up to those that package.json names. */
function bringersOf(report, name, seen = new Set()) {
  for (const one of report.vulnerabilities[name]?.effects ?? []) {
    if (seen.has(one)) continue;
    seen.add(one);
    bringersOf(report, one, seen);
  }
  return [...seen];
}
