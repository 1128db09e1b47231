// The part of a prompt that changes from session to session. The stable part is prompts/features/<role>.md.
import type { Backlog, Brief } from '../../engine/playbook.ts';
import type { Problem } from '../../model/verdict.ts';
import { backlog as features } from './backlog.ts';
import { gatherOrientation } from './gather.ts';
import { cleanupInput, initializerInput, orientationInput, type OrientationInput } from './inputs.ts';
import { renderOrientation, type OrientationFacts } from './orientation.ts';
import { code, fenced, plain, problemLine, shellWord } from '../session/quote.ts';
import { commandText, joined, section } from '../session/sections.ts';

/** A longer specification is cut in the prompt; the agent reads the rest from the file. */
const MAX_SPEC = 60_000;

type Commands = OrientationInput['commands'];

/** `how`: how an agent says that it is done, where that is not as the role has it. */
const codingFor =
  (backlog: Backlog, how = ''): Brief =>
  async (world, input) => {
    const given = orientationInput.parse(input);
    const facts = await gatherOrientation(world, given, backlog);
    return joined([
      renderOrientation(facts),
      how,
      section('## Mend This First', given.first.map(asLine)),
      section('## Commands', commandLines(given.commands, facts.task)),
    ]);
  };

const cleanup: Brief = (_world, input) => {
  const given = cleanupInput.parse(input);
  const large = given.largeFiles.map((f) => `- ${plain(f.path, 60)} (${f.lines} lines, limit ${given.maxFileLines})`);
  const growing = given.growingFiles.map((f) => `- ${plain(f.path, 60)} (+${f.lines} lines in ${f.sessions} sessions)`);
  const lint = given.lint;
  const count = lint?.count ?? null;
  return Promise.resolve(
    joined([
      '## Quality Issues to Address',
      section('**Large files (need splitting):**', capped(large)),
      section('**Files growing fast:**', capped(growing)),
      lint === null
        ? ''
        : `**Lint warnings:**${count === null ? '' : ` ${count} total`}\n${fenced(lint.tail.slice(-3_000))}`,
      large.length + growing.length === 0 && lint === null ? 'None were measured: look for dead code only.' : '',
      section('## What Failed Last Time', given.failed.slice(0, 10).map(asLine)),
      section('## Commands', commandLines(given.commands, null)),
    ]),
  );
};

const initializer: Brief = async (world, input) => {
  const given = initializerInput.parse(input);
  const { path } = given.spec;
  const text = given.spec.text ?? (path === null ? null : await world.read(path)) ?? '';
  const rest = text.length <= MAX_SPEC ? '' : `\nThis is the beginning; read the rest in ${code(path ?? '', 60)}.`;
  return joined([
    given.project === '' ? '' : `**Project:** ${plain(given.project, 30)}`,
    `**Verification steps per feature:** at most ${given.maxSteps}`,
    section('## Commands', commandLines(given.commands, null)),
    `## Specification${path === null ? '' : ` (${code(path, 60)})`}\n\n${fenced(text.slice(0, MAX_SPEC).toWellFormed())}${rest}`,
  ]);
};

export function briefsFor(backlog: Backlog, how?: string) {
  const coding = codingFor(backlog, how);
  return { coding, continuation: coding, cleanup, initializer } as const satisfies { readonly [name: string]: Brief };
}
export const briefs = briefsFor(features);

const asLine = (problem: Problem): string => problemLine(problem, 120);

function commandLines(commands: Commands, task: OrientationFacts['task'] | null): string[] {
  const lines: string[] = [];
  const add = (what: string, command: string | null): void => {
    if (command !== null) lines.push(`- ${what}: ${commandText(command)}`);
  };
  add('Start the environment', commands.init);
  add('If that fails, reset it and start again', commands.reset);
  for (const command of commands.sanity) add('Sanity check', command);
  if (commands.feature?.includes('{test_file}') !== true) add('Tests', task === null ? null : commands.feature);
  else if (typeof task?.testFile === 'string') {
    add(
      'Test of this feature',
      commands.feature.replaceAll('{test_file}', () => shellWord(task.testFile ?? '')),
    );
  }
  add('Whole suite', commands.full);
  return lines;
}

const capped = (lines: readonly string[]): string[] =>
  lines.length <= 30 ? [...lines] : [...lines.slice(0, 30), `- … ${lines.length - 30} more`];
