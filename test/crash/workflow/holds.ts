// What holds of a workflow wherever somebody died: in the very moment after it, and when all is over.
import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { lockOwner } from '../../../src/host/lock.ts';
import { broken } from '../../../src/playbooks/workflow/invariants.ts';
import { readState } from '../../../src/playbooks/workflow/read.ts';
import { resolved, type WorkflowState } from '../../../src/playbooks/workflow/state.ts';
import { endState, gatesOf, leftoversOf, type EndState } from '../end-state.ts';
import { unreadableIn } from '../kills/left.ts';
import type { Judge } from '../quick/grid.ts';
import type { Shop } from '../shop.ts';
import { DOCS, OWN, STATE } from './desk.ts';
import { keptCode } from './kept.ts';
import type { WorkflowScenario } from './scenarios.ts';

export const judgeOf = (scenario: WorkflowScenario): Judge<EndState> => ({
  of: (shop) => endOf(shop, scenario),
  afterDeath: (shop) => [
    ...(scenario.isRogue ? [] : stateOf(shop).wrong),
    ...unreadableIn(shop, 'torn').map((path) => `cannot be read: ${path}`),
    ...(scenario.isRogue ? [] : passedUnasked(shop, scenario)),
    ...landedOf(shop),
  ],
  atEnd(shop, reason, end, faults) {
    const found = endOf(shop, scenario);
    return [
      ...(reason === scenario.reason ? [] : [`it ends with ${reason}, not ${scenario.reason}`]),
      ...Object.entries(end)
        .filter(([name, value]) => !isDeepStrictEqual(found[name], value))
        .map(([name, value]) => `${name} is ${JSON.stringify(found[name])}, not ${JSON.stringify(value)}`),
      ...stateOf(shop).wrong,
      ...phaseOf(shop, scenario),
      ...askedOf(shop, scenario),
      ...landedOf(shop, scenario),
      ...ownOf(shop),
      ...sessionsOf(shop),
      ...keptCode(shop),
      ...(scenario.phase === null ? papersOf(shop, scenario) : []),
      ...unreadableIn(shop, 'whole').map((path) => `cannot be read: ${path}`),
      // A journal that comes back belongs to a token that is never given again: it may lie there.
      ...(faults.includes('undeleted') ? [] : leftoversOf(shop).map((path) => `is left: ${path}`)),
      ...(lockOwner(shop.privateDir) === null ? [] : ['a lock is left']),
    ];
  },
});

/** What must be as without a death. `isLoose`: only what comes of it, not how. */
function endOf(shop: Shop, { isLoose }: WorkflowScenario): EndState {
  const { tree, branch, dirty, remote, evidence, commits, costs, sessions, attempts } = endState(shop);
  const whole = { tree, branch, dirty, remote };
  return isLoose ? whole : { ...whole, evidence, commits, costs, sessions, attempts };
}

/** `state` null: the file is gone, as it is when all is over. */
function stateOf(shop: Shop): { readonly state: WorkflowState | null; readonly wrong: readonly string[] } {
  const text = shop.read(STATE);
  if (text === null) return { state: null, wrong: [] };
  const read = readState(text, STATE);
  if (!read.ok || read.value.kind === 'foreign')
    return { state: null, wrong: [`${STATE} cannot be read: ${JSON.stringify(read)}`] };
  const { file } = read.value;
  return { state: resolved(file), wrong: broken(file).map((claim) => `does not hold: ${claim}`) };
}

const phaseOf = (shop: Shop, { phase }: WorkflowScenario): readonly string[] => {
  const found = stateOf(shop).state?.phase ?? null;
  return found === phase ? [] : [`it stands in ${found}, not in ${phase}`];
};

const answered = (shop: Shop): readonly (readonly [subject: string, option: string])[] => {
  const gates = gatesOf(shop);
  if (!Array.isArray(gates)) return [];
  return (gates as readonly [string, string, string, { readonly option?: string }][])
    .filter(([, , how]) => how === 'answered')
    .map(([subject, , , closed]) => [subject, closed.option ?? '']);
};

/** Each question is asked once, in its turn, and answered by a person; none stands open. */
function askedOf(shop: Shop, { asked, isLoose }: WorkflowScenario): readonly string[] {
  const all = gatesOf(shop);
  const given = answered(shop);
  const isSame = isDeepStrictEqual(given, asked);
  const isClosed = isLoose || (Array.isArray(all) && all.length === asked.length);
  return isSame && isClosed ? [] : [`people were asked ${JSON.stringify(all)}, not ${JSON.stringify(asked)}`];
}

/** No phase behind a hard gate is reached before its answer. */
function passedUnasked(shop: Shop, { asked }: WorkflowScenario): readonly string[] {
  const { state } = stateOf(shop);
  const given = answered(shop).map(([subject, option]) => `${subject} ${option}`);
  const wanted = asked.map(([subject, option]) => `${subject} ${option}`);
  const wrong = given.filter((one, at) => one !== wanted[at]).map((one) => `answered: ${one}`);
  const isGiven = (one: string): boolean => !wanted.includes(one) || given.includes(one);
  const isBuilt = ['generating', 'generate_done', 'verifying', 'verify_done'].includes(state?.phase ?? '');
  const isApplied = state?.autofix?.applied === 'applied';
  const isOver = state === null || newCommits(shop).length > 0;
  return [
    ...wrong,
    ...(isBuilt && !isGiven('workflow-spec proceed') ? ['code is written, and nobody agreed to the spec'] : []),
    ...(isApplied && !isGiven('workflow-auto-fix apply') ? ['a fix is applied, and nobody said so'] : []),
    ...(isOver && !given.some((one) => one.startsWith('workflow-commit')) ? ['it is over, and nobody said how'] : []),
  ];
}

const newCommits = (shop: Shop): readonly string[] =>
  shop
    .git('log', '--format=%H%x1f%(trailers:key=Harness-Item,valueonly)', 'main..HEAD')
    .split('\n')
    .filter((row) => /\u001f./.test(row));

/** At most one commit, ever; at the end, the one that was chosen, with what it should carry. */
function landedOf(shop: Shop, scenario?: WorkflowScenario): readonly string[] {
  const commits = newCommits(shop);
  if (commits.length > 1) return [`it is committed ${commits.length} times`];
  if (scenario === undefined) return [];
  const { lands, isProved } = scenario;
  const changed = shop.git('diff', '--name-only', 'main', 'HEAD').split('\n').filter(Boolean);
  const wanted = Object.entries(lands ?? {});
  const other = wanted
    .filter(([, text]) => text !== '')
    .filter(([path, text]) => `${shop.git('show', `HEAD:${path}`)}\n` !== text)
    .map(([path]) => `${path} is committed otherwise`);
  const isEvident = shop.git('log', '-1', '--format=%(trailers:key=Harness-Evidence,valueonly)') !== '';
  return [
    ...(commits.length === (lands === null ? 0 : 1) ? [] : [`it is committed ${commits.length} times`]),
    ...(isDeepStrictEqual([...changed].sort(), wanted.map(([path]) => path).sort())
      ? other
      : [`it lands ${changed.join(' ')}`]),
    ...(isEvident === (isProved && lands !== null) ? [] : [`its commit ${isEvident ? 'has' : 'has no'} evidence`]),
  ];
}

const ownOf = (shop: Shop): readonly string[] =>
  Object.entries(OWN)
    .filter(([path, text]) => shop.read(path) !== text)
    .map(([path]) => `a person's ${path} is ${JSON.stringify(shop.read(path))}`);

/** A number is one session, and each that was begun is told of. */
function sessionsOf(shop: Shop): readonly string[] {
  const begun = readdirSync(join(shop.privateDir, 'sessions'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name.split('-')[0] ?? '');
  return [
    ...(new Set(begun).size === begun.length ? [] : [`a number is of two sessions: ${begun.join(' ')}`]),
    ...begun
      .filter((number) => shop.read(`.harness/sessions/${number}/session.json`) === null)
      .map((number) => `session ${number} has no record`),
  ];
}

/** The workflow's own papers in the state folder are gone, and with the code alone those of the docs folder. */
function papersOf(shop: Shop, { asked }: WorkflowScenario): readonly string[] {
  const away = ['.harness/planner', '.harness/generator', '.harness/autofix_pre_apply', '.harness/conventions.md'];
  const names = new Set(readdirSync(shop.root, { recursive: true }).map(String));
  const papers = asked.at(-1)?.[1] === 'code-only' ? [DOCS.replace(/\/$/, '')] : [];
  return [...away, ...papers].filter((path) => names.has(path)).map((path) => `is left: ${path}`);
}
