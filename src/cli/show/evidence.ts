// The screens of `evidence`.
import {
  refOf,
  type Break,
  type Checked,
  type EvidenceVerification,
  type NewManifest,
} from '../../app/evidence/verify.ts';
import { competitionIn, reviewsIn } from '../../app/evidence/reviews.ts';
import type { RerunDifference, RerunReport } from '../../app/evidence/rerun.ts';
import type { Json } from '../../model/json.ts';
import { problemSchema } from '../../model/verdict.ts';
import type { TextKey } from '../../host/sentences/en/all.ts';
import type { Caller } from '../command.ts';
import { minute } from './gates.ts';
import { oneLine, short } from './table.ts';

type Object = { readonly [key: string]: Json };

export const rerunJson = ({ holds, differences, passing, sandbox }: RerunReport): Object => ({
  holds,
  passing,
  sandbox,
  differences: differences,
});

/** A chain, newest first. */
export function showBundles(bundles: readonly Checked[], broken: Break | null, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const lines = bundles.toReversed().flatMap(({ manifest: m, sha256 }) => {
    const head = text('evidence.item', { item: oneLine(m.item), title: short(m.title) });
    return [caller.tint('bold', head), `  ${minute(m.endedAt)}  ${text('evidence.hash', { hash: sha256 })}`];
  });
  return [...lines, ...(broken === null ? [] : brokenLines(broken, caller))];
}

export function showBundle(checked: Checked, caller: Caller): readonly string[] {
  const { manifest: m, sha256 } = checked;
  const { text } = caller.catalogue;
  const { agent, verdict, landing } = m;
  const about = { session: m.session, run: m.run, from: minute(m.startedAt), to: minute(m.endedAt) };
  const facts = [
    text('evidence.session', about),
    text('evidence.agent', {
      provider: agent.provider,
      model: agent.model ?? '',
      role: agent.role,
      turns: agent.turns,
      calls: agent.toolCalls,
    }),
    ...(m.schema === 1 ? [text('evidence.older')] : proofLines(m, caller)),
    text('evidence.tree', { tree: landing.tree, parent: landing.parent }),
    text('evidence.hash', { hash: sha256 }),
    m.previous === null
      ? text('evidence.first')
      : text('evidence.previous', { item: m.previous.item, previous: m.previous.sha256 }),
    verdict.sandbox === 'none' ? text('evidence.sandbox-none') : text('evidence.sandbox', { level: verdict.sandbox }),
    ...m.decisions.map(({ by, subject, option }) => text('evidence.decision', { by, subject, option })),
  ];
  const checks = verdict.checks.flatMap(({ command, exit, tests }) => [
    text('evidence.check', { command: oneLine(command), exit: exit ?? '-' }),
    ...(tests === null ? [] : [`  ${text('evidence.tests', { passed: tests.passed, total: tests.total })}`]),
  ]);
  return [
    caller.tint('bold', text('evidence.item', { item: oneLine(m.item), title: short(m.title) })),
    ...facts.map((line) => `  ${line}`),
    '',
    ...checks,
    ...attemptLines(checked, caller),
    ...reviewLines(checked, caller),
    ...listed('evidence.warnings', verdict.warnings, caller),
    ...listed('evidence.mismatches', m.mismatches, caller),
    '',
    text('evidence.files', { count: m.files.length + 1 }),
    ...m.leftOut.map(({ path, bytes }) => text('evidence.left-out', { path, bytes })),
    '',
    `→ ${text('evidence.look', { ref: refOf(m.item) })}`,
    `→ ${text('evidence.how', { item: oneLine(m.item) })}`,
  ];
}

function attemptLines(checked: Checked, { catalogue: { text } }: Caller): readonly string[] {
  return (competitionIn(checked)?.attempts ?? []).map(({ number, session, became, attempt, why }) =>
    text('evidence.attempt', { number, session, became, attempt: attempt ?? '', why: short(why) }),
  );
}

/** What each role answered that judged it. */
function reviewLines(checked: Checked, { catalogue: { text } }: Caller): readonly string[] {
  return reviewsIn(checked).flatMap(({ role, by, assertions }) => [
    text('evidence.review', { role: oneLine(role), session: by }),
    ...assertions.map(
      ({ id, verdict, path, quote }) =>
        `  ${text('evidence.assertion', { id: oneLine(id), verdict, path: oneLine(path), quote: short(quote) })}`,
    ),
  ]);
}

function proofLines({ claim, proof }: NewManifest, { catalogue: { text } }: Caller): readonly string[] {
  const { strength, held, notPossible } = proof;
  return [
    text(`evidence.claim.${claim}`),
    text(`evidence.proof.${strength}`, { held: held.map(oneLine).join(', ') }),
    ...(notPossible.length === 0
      ? []
      : [text('evidence.not-possible', { names: notPossible.map(oneLine).join(', ') })]),
  ];
}

function listed(title: TextKey, problems: Checked['manifest']['mismatches'], caller: Caller): readonly string[] {
  if (problems.length === 0) return [];
  const said = problems.flatMap((problem) => {
    const known = problemSchema.safeParse(problem);
    return known.success ? caller.catalogue.problem(known.data).split('\n') : [problem.code]; // of a newer version
  });
  return ['', caller.catalogue.text(title), ...said.map((line) => caller.tint('yellow', `  ${line}`))];
}

export function showVerified(
  { bundles, broken, outside, notLooked }: EvidenceVerification,
  caller: Caller,
): readonly string[] {
  const { text } = caller.catalogue;
  const held = bundles.map(({ checked: { manifest }, landing }) =>
    text(manifest.schema === 1 ? 'evidence.held-older' : 'evidence.held', {
      item: oneLine(manifest.item),
      commit: landing?.commit.slice(0, 12) ?? '?',
    }),
  );
  const missing = outside.map(({ item, commit }) =>
    caller.tint('red', text('evidence.outside', { item: oneLine(item), commit: commit?.slice(0, 12) ?? '' })),
  );
  if (broken !== null) return [...held, ...missing, ...brokenLines(broken, caller)];
  const last = bundles.at(-1)?.checked;
  return [
    ...held,
    caller.tint('green', text('evidence.holds', { count: bundles.length })),
    ...notLooked.map((what) => caller.tint('dim', text('evidence.not-looked', { what }))),
    '',
    text('evidence.limits'),
    ...(last === undefined ? [] : [text('evidence.keep', { hash: last.sha256 })]),
  ];
}

function brokenLines({ code, item, file, expected, found }: Break, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  return [
    caller.tint('red', text('evidence.broken', { item: oneLine(item) })),
    `  ${text(`evidence.break.${code}`)}`,
    ...(file === '' ? [] : [text('evidence.file', { file })]),
    ...(expected === '' ? [] : [text('evidence.expected', { expected })]),
    ...(found === '' ? [] : [text('evidence.found', { found })]),
  ];
}

export function showRerun(
  item: string,
  { holds, differences, sandbox }: RerunReport,
  caller: Caller,
): readonly string[] {
  const { text } = caller.catalogue;
  const head = text('evidence.item', { item: oneLine(item), title: '' }).trim();
  if (holds) return ['', caller.tint('green', `${head}: ${text('evidence.rerun-holds', { sandbox: sandbox ?? '' })}`)];
  return [
    '',
    caller.tint('red', `${head}: ${text('evidence.rerun-broken', { sandbox: sandbox ?? '' })}`),
    ...differences.flatMap((one) => differenceLines(one, caller)),
  ];
}

function differenceLines(one: RerunDifference, { catalogue: { text } }: Caller): readonly string[] {
  switch (one.kind) {
    case 'masked':
      return [text('evidence.rerun-masked', { check: one.check })];
    case 'exit':
      return [
        text('evidence.rerun-exit', { check: one.check, expected: one.expected ?? '-', found: one.found ?? '-' }),
      ];
    case 'tests':
      return [text('evidence.rerun-tests', { count: one.ids.length }), ...one.ids.map((id) => `    ${oneLine(id)}`)];
    case 'nothing':
      return [text('evidence.rerun-nothing')];
  }
}
