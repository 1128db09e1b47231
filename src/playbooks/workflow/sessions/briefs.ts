// The part of each prompt of the workflow that changes from session to session. A brief reads the files that its role may know and no other; the
// stable part is prompts/workflow/<role>.md.
import { defineBrief, type Brief } from '../../../engine/definitions.ts';
import { Bug } from '../../../model/bug.ts';
import { quote, commandText, joined, section } from '../../session/quote.ts';
import { resolved } from '../file/state.ts';
import { conventionsFile } from '../project/conventions.ts';
import { assignmentsOf } from '../table/assignments.ts';
import type { WorkflowRole } from '../table/roles.ts';
import {
  briefInput,
  document,
  documents,
  facts,
  optionalDocument,
  pathText,
  PERSONA_TITLES,
  qaFeedback,
  quotedText,
  spec,
  textOf,
  writtenIn,
  type About,
  type BriefInput,
} from './brief-parts.ts';
import { changedFiles, namesIn } from './changed-files.ts';

type Parts = readonly (string | Promise<string> | Promise<readonly string[]>)[];
const brief = (role: WorkflowRole, partsOf: (about: About) => Parts): Brief<BriefInput> =>
  defineBrief({
    id: `workflow.${role}`,
    input: briefInput,
    async text({ view }, input) {
      const parts = await Promise.all(
        partsOf({ ...input, view, state: resolved(input.file) }).map(async (part) => part),
      );
      return joined(parts.flat());
    },
  });

/** The user wants the existing spec changed: by a note, or, without one, by the phase. */
const isRevision = ({ note, state }: About): boolean => note.trim() !== '' || state.phase === 'plan_done';
const task = ({ state }: About): string => quotedText('Task', state.task);
const revision = (about: About): Parts => [
  quotedText('What the Person Wants Changed in the Spec', about.note),
  document(about, 'Present Spec', `${about.state.docs_path}spec.md`),
];

/** Only these sessions are given conventions and the notes of a spec phase. */
const proposal = (about: About): Parts => [
  task(about),
  facts(about, 'repository', 'language', 'scope'),
  optionalDocument(about, 'Conventions of the Project', conventionsFile(about.state.conventions)),
  optionalDocument(about, 'Discovery Notes of the Spec Phase', `${about.state.docs_path}qa_notes.md`),
  optionalDocument(about, 'Critic Findings of the Spec Phase', `${about.state.docs_path}critic_findings.md`),
];
const planner = (about: About): Parts =>
  isRevision(about)
    ? [task(about), facts(about, 'repository', 'language', 'scope'), ...revision(about)]
    : proposal(about);

/** The proposals of the other two, never one's own. */
function critic(about: About): Parts {
  const { persona, state } = about;
  if (persona === null) throw new Bug('a critic needs a persona');
  const others = writtenIn('propose', state).filter(({ by }) => by !== persona);
  return [
    task(about),
    facts(about),
    `**You speak as:** ${PERSONA_TITLES[persona]}`,
    documents(
      about,
      others.map(({ by, output }) => [`Proposal of ${PERSONA_TITLES[by]}`, output] as const),
    ),
  ];
}

function synthesis(about: About): Parts {
  if (isRevision(about)) return [task(about), facts(about), ...revision(about)];
  const files = (stage: 'propose' | 'critique', what: string) =>
    documents(
      about,
      writtenIn(stage, about.state).map(({ by, output }) => [`${what} of ${PERSONA_TITLES[by]}`, output] as const),
    );
  return [task(about), facts(about), files('propose', 'Proposal'), files('critique', 'Critique')];
}

/** The documents that precede the code; mode single has none. */
const planned = (about: About, stage: 'design' | 'review') => {
  const { mode, docs_path: docs } = about.state;
  const sent = mode === 'single' ? [] : assignmentsOf(stage, mode, docs);
  return documents(
    about,
    sent.map(({ role, output }) => [TITLES[role] ?? role, output] as const),
  );
};
const TITLES: { readonly [R in WorkflowRole]?: string } = {
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
  planned(about, 'design'),
];
const generator = (about: About): Parts => [
  about.state.mode === 'single'
    ? facts(about, 'scope', 'max files', 'round')
    : facts(about, 'repository', 'language', 'scope', 'max files', 'round'),
  about.retry === null
    ? ''
    : section('## What Failed: Fix This First\n', [
        `- ${quote(about.retry.line, 300)}`,
        `- Report: ${pathText(about.retry.report)}`,
      ]),
  commands(about),
  spec(about),
  planned(about, 'design'),
  planned(about, 'review'),
  qaFeedback(about),
];
/** The commands of Layer 1: an agent that runs them first needs no retry. */
const commands = ({ state }: About): string =>
  section(
    '## Commands That the Harness Runs Afterwards\n',
    [state.build_cmd, state.test_cmd, state.lint_cmd, state.type_check_cmd].flatMap((one) =>
      one === null ? [] : [`- ${commandText(one)}`],
    ),
  );

/** The spec, bare paths, the result of Layer 1. Nothing about how the work was done, or by whom. */
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
      return `Layer 1 FAILED, and a person chose to continue all the same: see ${report}. Look closely at build and tests.`;
    case null:
      return 'Layer 1 was not executed for this session.';
  }
}

const MAX_FILES = 200;
async function changes({ view, state }: About): Promise<string> {
  const names = namesIn(await textOf(view, `${state.docs_path}changes.md`), state.docs_path);
  const files = new Set<string>();
  for (const path of names) {
    const isThere = (await view.stat(path))?.kind === 'file';
    // A file that was deleted is found in the history alone.
    if (isThere || (state.has_git === true && (await view.readAt('HEAD', path)) !== null)) files.add(path);
  }
  const paths = changedFiles(names, (path) => files.has(path));
  if (paths.length === 0)
    return '## Changed Files\n\n(There is no list. Find out what changed yourself, within the scope.)';
  const more = paths.length - MAX_FILES;
  return section('## Changed Files\n', [
    ...paths.slice(0, MAX_FILES).map(pathLine),
    ...(more > 0 ? [`- … ${more} more`] : []),
  ]);
}
const pathLine = (path: string): string => `- ${pathText(path)}`;

/** Paths only: it reads the files itself. */
const proposer = (about: About): Parts => {
  const { docs_path: docs } = about.state;
  return [
    facts(about, 'scope'),
    section('## Paths\n', [
      `- Spec: ${pathText(`${docs}spec.md`)}`,
      `- Changes: ${pathText(`${docs}changes.md`)}`,
      `- Verify report: ${pathText(`${docs}verify_report.md`)}`,
    ]),
    section('## Files That Fail\n', about.files.length === 0 ? ['(None is known.)'] : about.files.map(pathLine)),
  ];
};

const verifier = (about: About): Parts => [
  facts(about),
  `**Report:** ${pathText(`${about.state.docs_path}verify_report.md`)}`,
];

const scanner = (about: About): Parts => [facts(about, 'repository', 'language', 'scope')];

export const briefs: { readonly [R in WorkflowRole]: Brief<BriefInput> } = {
  'convention-scanner': brief('convention-scanner', scanner),
  planner: brief('planner', planner),
  architect: brief('architect', proposal),
  'senior-developer': brief('senior-developer', proposal),
  'qa-specialist': brief('qa-specialist', proposal),
  critic: brief('critic', critic),
  synthesis: brief('synthesis', synthesis),
  'lead-developer': brief('lead-developer', leadDeveloper),
  'combined-advisor': brief('combined-advisor', advisor),
  'code-quality-advisor': brief('code-quality-advisor', advisor),
  'test-stability-advisor': brief('test-stability-advisor', advisor),
  generator: brief('generator', generator),
  verifier: brief('verifier', verifier),
  evaluator: brief('evaluator', evaluator),
  'auto-fix-proposer': brief('auto-fix-proposer', proposer),
};
