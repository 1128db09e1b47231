// node:test through a reporter of our own (node-reporter.mjs). It is asked for in NODE_OPTIONS, which reaches `node --test`,
// `node file.mjs` and whatever `npm test` starts, in every version since 18.17. The JUnit of node:test is read too, for
// commands that place it themselves; before Node 22 it names no file.
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryFile } from '../../host/package-root.ts';
import { relativeTo, UNLOADED, type RawCase } from './cases.ts';
import { childOf, messageOf, msOf, parseJunit, type Found } from './junit.ts';
import { parseLines } from './node-lines.ts';
import type { Adapter, Instrumented } from './port.ts';
import { scriptBehind, type Scripts } from './scripts.ts';
import { segments, withReport, withVariable } from './shell.ts';
import type { XmlNode } from './xml.ts';

export const node: Adapter = {
  runner: 'node',
  extension: 'jsonl',
  instrument,
  parse: (text, root) => (/^\s*\{/.test(text) ? parseLines(text, root) : parseOwnJunit(text, root)),
};

const parseOwnJunit: Adapter['parse'] = (text, root) =>
  parseJunit(
    'node',
    text,
    (found) => read(found, root),
    (xml, found, whole) => [...loadDefects(found, root), ...hiddenFailures(xml, whole)],
  );

const OWN_REPORTER = /--test-reporter(?:=|\s+)("[^"]*"|'[^']*'|[^\s;&|()"']+)/g;
const TO_STDOUT = '--test-reporter-destination=stdout';

/** Each reporter has a destination, in the order of NODE_OPTIONS, then of the command. One that had none printed to stdout. */
function instrument(command: string, reportPath: string, scripts: Scripts = {}): Instrumented | null {
  const replaced = withReport(command, reportPath);
  if (replaced !== null) return { command: replaced, env: {}, from: 'file' };
  const behind = reportersBehind(scriptBehind(command, scripts));
  if (behind === null) return null;
  const path = join(dirname(reportPath), 'node-reporter.mjs');
  const needs = [{ path, from: entryFile('node-reporter') }];
  const inCommand = command.search(OWN_REPORTER) >= 0;
  const line =
    inCommand && !command.includes('--test-reporter-destination')
      ? command.replace(OWN_REPORTER, (flag) => `${flag} ${TO_STDOUT}`)
      : command;
  const shown = inCommand || behind.own > 0 ? [] : [`--test-reporter=spec ${TO_STDOUT}`];
  // The reporter writes to its own file, which no second run of the same command empties; here it prints only what hinders it.
  const ours = `--test-reporter=${reporterAt(path, reportPath)} --test-reporter-destination=stderr`;
  const options = [...shown, ours, ...Array.from({ length: behind.unplaced }, () => TO_STDOUT)].join(' ');
  return { ...withVariable(line, 'NODE_OPTIONS', options), from: 'file', needs };
}

/** An address, not a path: it carries a second path, and no character that NODE_OPTIONS or a shell would read. */
const reporterAt = (path: string, reportPath: string): string =>
  `${plain(pathToFileURL(path).href)}?to=${plain(encodeURIComponent(reportPath))}`;

const plain = (address: string): string =>
  address.replace(/[^\w:/.%-]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Reporters that a script of package.json asks for itself, and how many of them have no destination. null: nothing can be
 * added, because the script sets NODE_OPTIONS anew, or what it starts would each need something else.
 */
function reportersBehind(script: string): { readonly own: number; readonly unplaced: number } | null {
  const sets = /(?:^|[\s;&|(])NODE_OPTIONS=("[^"]*"|'[^']*'|\S*)/.exec(script);
  if (sets !== null && !/\$\{?NODE_OPTIONS\b/.test(sets[1] ?? '')) return null;
  const own = [...script.matchAll(OWN_REPORTER)].length;
  if (own === 0) return { own, unplaced: 0 };
  const runs = segments(script)?.filter((s) => /\bnode\b/.test(s.text)) ?? [];
  return runs.length === 1
    ? { own, unplaced: Math.max(0, own - script.split('--test-reporter-destination').length + 1) }
    : null;
}

function read({ node: xml, suites }: Found, root: string): RawCase | null {
  const name = xml.attributes['name'] ?? '';
  const file = relativeTo(root, xml.attributes['file'] ?? '');
  const base = { ms: msOf(xml), message: messageOf(xml) };
  if (isFileItself(xml, suites, root)) {
    // A file without tests counts as a passed test for the runner; for us nothing was executed.
    const failed = childOf(xml, 'failure') !== undefined;
    return failed ? { ...base, file: relativeTo(root, name), suite: [], name: UNLOADED, status: 'failed' } : null;
  }
  const suite = suites.map((s) => s.attributes['name'] ?? '');
  const skipped = childOf(xml, 'skipped') !== undefined; // a failing `todo` carries both, and fails nothing
  const status = skipped ? 'skipped' : childOf(xml, 'failure') !== undefined ? 'failed' : 'passed';
  return { ...base, file, suite, name, status };
}

/** The runner reports each file as a test of the file's name when it held no test or did not end well. */
function isFileItself(xml: XmlNode, suites: readonly XmlNode[], root: string): boolean {
  const name = xml.attributes['name'] ?? '';
  if (suites.length > 0) return false;
  const file = xml.attributes['file'];
  // Before Node 22 no file is named, and this title is an absolute path.
  return file === undefined ? isAbsolute(name) : relativeTo(root, name) === relativeTo(root, file);
}

const loadDefects = (found: readonly Found[], root: string): string[] =>
  found
    .filter(({ node: xml, suites }) => isFileItself(xml, suites, root) && childOf(xml, 'failure') !== undefined)
    .map(({ node: xml }) => `${relativeTo(root, xml.attributes['name'] ?? '')}: ${UNLOADED}`);

/**
 * A test that fails after its subtests passed is written as a suite, and its failure is in no case. The summary
 * at the end counts it; so do suites around a failing case, hence the allowance for these.
 */
function hiddenFailures(root: XmlNode, text: string): string[] {
  let explained = 0;
  const visit = (xml: XmlNode): boolean => {
    const own = xml.children.filter((c) => c.tag === 'testcase' && childOf(c, 'failure') !== undefined);
    const below = xml.children.filter((c) => c.tag === 'testsuite').map(visit);
    explained += own.length + (xml.tag === 'testsuite' && (own.length > 0 || below.includes(true)) ? 1 : 0);
    return own.length > 0 || below.includes(true);
  };
  visit(root);
  const summary = (word: string): number =>
    Number([...text.matchAll(new RegExp(`^\\s*<!-- ${word} (\\d+) -->$`, 'gm'))].at(-1)?.[1] ?? 0);
  const hidden = summary('fail') + summary('cancelled') - explained;
  return hidden > 0 ? [`${hidden} counted failures are in no case`] : [];
}
