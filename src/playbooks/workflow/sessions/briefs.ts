// The part of each prompt of the workflow that changes from session to session (reference 004, the variables of each dispatch). A brief
// reads the files that its dispatch names and no other; the stable part is prompts/workflow/<role>.md.
import type { Brief } from '../../../engine/playbook.ts';
import { Bug } from '../../../model/bug.ts';
import { quote } from '../../session/quote.ts';
import { commandText, joined, section } from '../../session/sections.ts';
import {
  briefInput,
  document,
  documents,
  facts,
  noted,
  pathText,
  qaFeedback,
  said,
  spec,
  textOf,
  titleOf,
  writtenIn,
  type About,
} from './brief-parts.ts';
import { changedFiles, namesIn } from './changed-files.ts';
import { conventionsFile } from '../project/conventions.ts';
import type { Role } from '../table/roles.ts';
import { sessionsOf } from '../table/sessions.ts';

type Parts = readonly (string | Promise<string> | Promise<readonly string[]>)[];
const brief =
  (parts: (about: About) => Parts): Brief =>
  async (world, given) =>
    joined((await Promise.all(parts({ ...briefInput.parse(given), world }).map(async (part) => part))).flat());

/** The spec is there and a person wants it otherwise: the phase says so too, where they said nothing more. */
const isRevision = ({ note, state }: About): boolean => note.trim() !== '' || state.phase === 'plan_done';
const task = ({ state }: About): string => said('Task', state.task);
const revision = (about: About): Parts => [
  said('What the Person Wants Changed in the Spec', about.note),
  document(about, 'Present Spec', `${about.state.docs_path}spec.md`),
];

/** Common dispatch variable set (M10). Notes of the spec phase and conventions reach these sessions, and none after them (m4). */
const proposal = (about: About): Parts => [
  task(about),
  facts(about, 'repository', 'language', 'scope'),
  noted(about, 'Conventions of the Project', conventionsFile(about.state.conventions)),
  noted(about, 'Discovery Notes of the Spec Phase', `${about.state.docs_path}qa_notes.md`),
  noted(about, 'Critic Findings of the Spec Phase', `${about.state.docs_path}critic_findings.md`),
];
const planner = (about: About): Parts =>
  isRevision(about)
    ? [task(about), facts(about, 'repository', 'language', 'scope'), ...revision(about)]
    : proposal(about);

/** The proposals of the other two, never one's own. */
function critic(about: About): Parts {
  const { persona, state } = about;
  if (persona === null) throw new Bug('a critic speaks on nobody’s behalf');
  const others = writtenIn('propose', state).filter(({ by }) => by !== persona);
  return [
    task(about),
    facts(about),
    `**You speak as:** ${titleOf(persona)}`,
    documents(
      about,
      others.map(({ by, output }) => [`Proposal of ${titleOf(by)}`, output] as const),
    ),
  ];
}

function synthesis(about: About): Parts {
  if (isRevision(about)) return [task(about), facts(about), ...revision(about)];
  const files = (stage: 'propose' | 'critique', what: string) =>
    documents(
      about,
      writtenIn(stage, about.state).map(({ by, output }) => [`${what} of ${titleOf(by)}`, output] as const),
    );
  return [task(about), facts(about), files('propose', 'Proposal'), files('critique', 'Critique')];
}

/** What is written before the code, by mode: in single nothing. */
const written = (about: About, stage: 'design' | 'review') => {
  const { mode, docs_path: docs } = about.state;
  const sent = mode === 'single' ? [] : sessionsOf(stage, mode, docs);
  return documents(
    about,
    sent.map(({ role, output }) => [TITLES[role] ?? role, output] as const),
  );
};
const TITLES: { readonly [R in Role]?: string } = {
  'lead-developer': 'Implementation Plan',
  'combined-advisor': 'Review',
  'code-quality-advisor': 'Review: Code Quality',
  'test-stability-advisor': 'Review: Tests and Stability',
};

const leadDeveloper = (about: About): Parts => [
  facts(about, 'repository', 'language', 'scope', 'max files', 'round'),
  spec(about),
  qaFeedback(about),
];
const advisor = (about: About): Parts => [
  facts(about, 'repository', 'language', 'tests'),
  spec(about),
  written(about, 'design'),
];
const generator = (about: About): Parts => [
  about.state.mode === 'single'
    ? facts(about, 'scope', 'max files', 'round')
    : facts(about, 'repository', 'language', 'scope', 'max files', 'round'),
  about.retry === null
    ? ''
    : section('## What Failed: Mend This First\n', [
        `- ${quote(about.retry.line, 300)}`,
        `- Report: ${pathText(about.retry.report)}`,
      ]),
  commands(about),
  spec(about),
  written(about, 'design'),
  written(about, 'review'),
  qaFeedback(about),
];
/** Layer 1 comes by these: whoever runs them before it does needs no retry. */
const commands = ({ state }: About): string =>
  section(
    '## Commands That the Harness Runs Afterwards\n',
    [state.build_cmd, state.test_cmd, state.lint_cmd, state.type_check_cmd].flatMap((one) =>
      one === null ? [] : [`- ${commandText(one)}`],
    ),
  );

/** Step 6: spec, bare paths, what Layer 1 said. Nothing of how the work came about, and no word on who did it. */
const evaluator = (about: About): Parts => [
  facts(about, 'scope', 'round', 'build', 'tests'),
  section('## Layer 1\n', [verifyContext(about)]),
  spec(about),
  changes(about),
];
function verifyContext({ state }: About): string {
  const report = pathText(`${state.docs_path}verify_report.md`);
  switch (state.verify.layer1_result) {
    case 'PASS':
      return `Layer 1 PASSED: build, tests, linter and type-check, as far as there are any. See ${report}.`;
    case 'FAIL':
      return `Layer 1 FAILED, and a person chose to go on all the same: see ${report}. Look closely at build and tests.`;
    case null:
      return 'Layer 1 was not executed for this session.';
  }
}

const MOST_FILES = 200;
async function changes({ world, state }: About): Promise<string> {
  const names = namesIn(await textOf(world, `${state.docs_path}changes.md`), state.docs_path);
  const files = new Set<string>();
  for (const path of names) {
    const isThere = (await world.stat(path))?.kind === 'file';
    // One that was deleted is known to the history alone.
    if (isThere || (state.has_git === true && (await world.readAt('HEAD', path)) !== null)) files.add(path);
  }
  const paths = changedFiles(names, (path) => files.has(path));
  if (paths.length === 0)
    return '## Changed Files\n\n(There is no list. Find out what changed yourself, within the scope.)';
  const more = paths.length - MOST_FILES;
  return section('## Changed Files\n', [
    ...paths.slice(0, MOST_FILES).map((path) => `- ${pathText(path)}`),
    ...(more > 0 ? [`- … ${more} more`] : []),
  ]);
}

/** Paths only: it reads for itself. */
const proposer = (about: About): Parts => {
  const { docs_path: docs } = about.state;
  return [
    facts(about, 'scope'),
    section('## Paths\n', [
      `- Spec: ${pathText(`${docs}spec.md`)}`,
      `- Changes: ${pathText(`${docs}changes.md`)}`,
      `- Verify report: ${pathText(`${docs}verify_report.md`)}`,
    ]),
    section('## Files That Fail\n', about.files.length === 0 ? ['(None is known.)'] : about.files.map(asPath)),
  ];
};
const asPath = (path: string): string => `- ${pathText(path)}`;

const verifier = (about: About): Parts => [
  facts(about),
  `**Report:** ${pathText(`${about.state.docs_path}verify_report.md`)}`,
];

const scanner = (about: About): Parts => [facts(about, 'repository', 'language', 'scope')];

export const briefs = {
  'convention-scanner': brief(scanner),
  planner: brief(planner),
  architect: brief(proposal),
  'senior-developer': brief(proposal),
  'qa-specialist': brief(proposal),
  critic: brief(critic),
  synthesis: brief(synthesis),
  'lead-developer': brief(leadDeveloper),
  'combined-advisor': brief(advisor),
  'code-quality-advisor': brief(advisor),
  'test-stability-advisor': brief(advisor),
  generator: brief(generator),
  verifier: brief(verifier),
  evaluator: brief(evaluator),
  'auto-fix-proposer': brief(proposer),
} as const satisfies { readonly [R in Role]: Brief };
