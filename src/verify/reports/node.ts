// node:test through its JUnit reporter. The reporter is asked for in NODE_OPTIONS, which reaches `node --test`,
// `node file.mjs` and whatever `npm test` starts, in every version since 18.17.
import { isAbsolute } from 'node:path';
import { relativeTo, UNLOADED, type RawCase } from './cases.ts';
import { childOf, messageOf, msOf, parseJunit, type Found } from './junit.ts';
import type { Adapter, Instrumented } from './port.ts';
import { quoteWord, withReport, withVariable } from './shell.ts';
import type { XmlNode } from './xml.ts';

export const node: Adapter = {
  runner: 'node',
  extension: 'xml',
  instrument,
  parse: (text, root) =>
    parseJunit(
      'node',
      text,
      (found) => read(found, root),
      (xml, found, whole) => [...loadDefects(found, root), ...hiddenFailures(xml, whole)],
    ),
};

const OWN_REPORTER = /--test-reporter(?:=|\s+)("[^"]*"|'[^']*'|[^\s;&|()]+)/g;

function instrument(command: string, reportPath: string): Instrumented {
  const replaced = withReport(command, reportPath);
  if (replaced !== null) return { command: replaced, env: {}, from: 'file' };
  const ours = `--test-reporter=junit --test-reporter-destination=${optionWord(reportPath)}`;
  const hasOwn = command.search(OWN_REPORTER) >= 0;
  // One destination per reporter once there is more than one: a reporter that had none printed to stdout.
  const line =
    hasOwn && !command.includes('--test-reporter-destination')
      ? command.replace(OWN_REPORTER, (flag) => `${flag} --test-reporter-destination=stdout`)
      : command;
  const shown = hasOwn ? '' : '--test-reporter=spec --test-reporter-destination=stdout ';
  return { ...withVariable(line, 'NODE_OPTIONS', shown + ours), from: 'file' };
}

/** NODE_OPTIONS knows double quotes and backslashes, nothing else of a shell. */
const optionWord = (word: string): string => (quoteWord(word) === word ? word : `"${word.replace(/["\\]/g, '\\$&')}"`);

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
