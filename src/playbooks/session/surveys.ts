// Facts that every machine reads for a session: the folder, the state of git, the budget left, which items own which tests.
import { parse } from 'yaml';
import { z } from 'zod';
import { defineSurvey, type ReadContext } from '../../engine/definitions.ts';
import type { Listing, ListRules } from '../../engine/backlog.ts';
import { exhausted, figuresOf, measuresOf, overspentSchema, WRAP_UP_SHARE } from '../../model/budget.ts';
import { dirtyTree, failure, failureSchema } from '../../model/failure.ts';
import type { Item } from '../../model/item.ts';
import { unfit } from '../../model/own-files.ts';
import { fileOfTest } from '../../model/report.ts';
import { err, type Result } from '../../model/result.ts';
import { spentIn, spentOf } from '../../model/spent.ts';
import { programOf } from '../../model/shell-program.ts';

const nothing = z.object({});
const onlyFailure = z.object({ failure: failureSchema.nullable() });

/** The list of the run as it is in the work tree. Fails with `backlog-missing`, or as the format does. */
export const listOf = async (context: ReadContext, rules?: ListRules): Promise<Result<Listing>> =>
  listing(context, await context.view.read(context.config.paths.backlog), rules);

/** The list as it is committed, where a claim in the work tree must not count: an item waits there for an answer. */
export async function committedList(context: ReadContext, rules?: ListRules): Promise<Result<Listing>> {
  const { view, config } = context;
  const text = view.hasGit ? await view.readAt('HEAD', config.paths.backlog) : null;
  return text === null ? listOf(context, rules) : listing(context, text, rules);
}

function listing({ backlog, config }: ReadContext, text: string | null, rules?: ListRules): Result<Listing> {
  const file = config.paths.backlog;
  return text === null
    ? err(failure('backlog-missing', { file }, { at: { file } }))
    : backlog.read(text, file, { maxSteps: config.features.maxVerificationSteps, ...rules });
}
/** Done according to the list, with or without proof. */
export const isDone = ({ status }: Item): boolean => status === 'landed' || status === 'unproved';

/** The configuration file that was read, repository-relative; null where it is not in the repository. */
const ownSource = (source: string | null): string | null => (source?.startsWith('/') ? null : source);

/** Preflight 1: the folder is the top of a work tree and holds the configuration that was read. */
export const directory = defineSurvey({
  id: 'directory',
  input: nothing,
  facts: onlyFailure,
  async read({ view, config }) {
    const source = ownSource(config.source);
    const isThere = (await view.stat('.'))?.kind === 'folder';
    const hasConfig = source === null || (await view.stat(source))?.kind === 'file';
    const missing = isThere ? String(source) : '.';
    return { failure: isThere && hasConfig ? null : failure('wrong-directory', { missing }) };
  },
});

/** Preflight 3: on a branch, no merge or rebase under way, nothing uncommitted. */
export const gitState = defineSurvey({
  id: 'git-state',
  input: nothing,
  facts: onlyFailure,
  async read({ view, config: { paths } }) {
    const { branch, dirty, operation } = await view.head();
    // Where no commit of the harness carries the list and its log, they are never among the uncommitted files, and must not be stashed with them.
    const own: string[] = [];
    for (const path of dirty.length > 0 ? [paths.backlog, paths.progress] : [])
      if (!dirty.includes(path) && (await view.readAt('HEAD', path)) !== null) own.push(path);
    if (operation !== null) return { failure: failure('git-operation-open', { operation }) };
    if (branch === null) return { failure: failure('detached-head') };
    return { failure: dirty.length > 0 ? dirtyTree(dirty, own) : null };
  },
});

/** The commit that the branch is on. */
export const head = defineSurvey({
  id: 'head',
  input: nothing,
  facts: z.object({ commit: z.string().nullable() }),
  read: async ({ view }) => ({ commit: (await view.head()).commit }),
});

/** Whether the program of an item's own command is there: without it no work on the item can be verified. */
export const program = defineSurvey({
  id: 'program',
  input: z.object({ item: z.string(), command: z.string() }),
  facts: onlyFailure,
  async read({ view }, { item, command }) {
    const name = programOf(command);
    const isThere = name === null || name.includes('/') || (await view.hasProgram(name));
    return { failure: isThere ? null : failure('validation-missing', { item, command, program: name }) };
  },
});

/** Files that the machine needs: the configuration and the list; and, in a project set up for it, what its own frame has. */
export const filesFacts = z.object({
  missing: z.array(z.string()).readonly(),
  notExecutable: z.array(z.string()).readonly(),
});
/** Of the configuration, the list and these. */
export async function missingFiles({ view, config }: ReadContext, more: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const path of [ownSource(config.source), config.paths.backlog, ...more])
    if (path !== null && (await view.stat(path))?.kind !== 'file') missing.push(path);
  return missing;
}

/**
 * Whether money, tokens and minutes are left for a session, for this item, for the project. `session`: one that a budget ended, whose own use
 * counts against the budgets of a session; 0: none. What such a session left of a budget is too little for another one. Both facts are null where
 * enough is left.
 */
export const budget = defineSurvey({
  id: 'budget',
  input: z.object({ item: z.string(), session: z.number() }),
  facts: z.object({ failure: failureSchema.nullable(), over: overspentSchema.nullable() }),
  async read({ view, config }, { item, session }) {
    const kept = await view.record('costs.yaml');
    let costs = null;
    try {
      if (kept !== null) costs = spentOf(kept.text, parse);
    } catch (error) {
      return { failure: unfit(kept?.file ?? '', error), over: null };
    }
    const share = session === 0 ? 1 : WRAP_UP_SHARE;
    const over = exhausted(measuresOf(config), costs?.raised ?? [], item, spentIn(costs, item, session), share);
    return { failure: over === null ? null : failure('budget-exhausted', figuresOf(over)), over };
  },
});

/** At most this many owners are named; each costs a run of its test. */
const MOST_OWNERS = 10;

/** Which items that are done own these tests, by the file in the test's id. */
export const owners = defineSurvey({
  id: 'owners',
  input: z.object({ tests: z.array(z.string()).readonly() }),
  facts: z.object({
    owners: z
      .array(
        z.object({
          id: z.string(),
          testFile: z.string(),
          title: z.string().optional(),
          dependents: z.array(z.string()).readonly(),
        }),
      )
      .readonly(),
  }),
  async read(context, { tests }) {
    const list = await listOf(context);
    if (!list.ok) return { owners: [] };
    const files = [...new Set(tests.map((id) => plainPath(fileOfTest(id))))].filter((file) => file !== '');
    const found = list.value.items.filter(isDone).flatMap(({ id }) => {
      const { testFile = null, title } = list.value.subject(id) ?? {};
      return testFile !== null && files.some((file) => covers(testFile, file)) ? [{ id, testFile, title }] : [];
    });
    return {
      owners: found
        .slice(0, MOST_OWNERS)
        .map((one) => ({ ...one, dependents: list.value.subject(one.id)?.dependents ?? [] })),
    };
  },
});

/** At most this many items are tested one by one: each costs a run. */
const MOST_TESTED = 100;

/** Items that landed and have a test file, the newest first. */
export const testedItems = defineSurvey({
  id: 'tested-items',
  input: nothing,
  facts: z.object({
    items: z.array(z.object({ id: z.string(), testFile: z.string() })).readonly(),
  }),
  async read(context) {
    const list = await listOf(context);
    const landed = list.ok ? list.value.items.filter(({ status }) => status === 'landed') : [];
    const items = landed.flatMap(({ id }) => {
      const testFile = list.ok ? list.value.subject(id)?.testFile : null;
      return typeof testFile === 'string' ? [{ id, testFile }] : [];
    });
    return { items: items.slice(-MOST_TESTED).reverse() };
  },
});

/** A test file may be a folder of tests, one test of a file (`a.py::TestC`), or named from a folder that the command enters. */
function covers(testFile: string, file: string): boolean {
  const wanted = plainPath(testFile.replace(/::.*$/s, ''));
  if (wanted === '') return false;
  return file === wanted || file.startsWith(`${wanted}/`) || (wanted.includes('/') && file.endsWith(`/${wanted}`));
}

/** As ids write it: composed characters, forward slashes, from the top of the repository. */
const plainPath = (path: string): string =>
  path
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/$/, '');
