// npm run audit: asks the registry for known vulnerabilities of the shipped packages, and says for each
// whether the product is affected.
import fs from 'node:fs';
import path from 'node:path';
import { npmText } from './launcher/npm.mjs';

// Reason by advisory id why the product is not affected, checked by a person: { "GHSA-…": { "reached": false,
// "why": "…" } }.
const explained = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'audit-explained.json'), 'utf8'));

process.exitCode = judge(ask());

function ask() {
  try {
    return read(npmText(process.execPath, ['audit', '--omit=dev', '--json', ...process.argv.slice(2)]));
  } catch (error) {
    // npm is missing or did not finish, so the result is unknown.
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

/** Exit code. 0: no advisory, or each is explained; 1: an unexplained one; 2: the registry did not answer. */
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

/** Packages of package.json through which a package is installed. */
function bringersOf(report, name, seen = new Set()) {
  for (const one of report.vulnerabilities[name]?.effects ?? []) {
    if (seen.has(one)) continue;
    seen.add(one);
    bringersOf(report, one, seen);
  }
  return [...seen];
}
