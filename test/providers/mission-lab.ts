// Owns a repository for one mission whose agents are real ones, and what a model says in the place of each role. Every request is what really
// reached an agent.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { call, say, type Asked, type Step } from './fake-anthropic.ts';
import { testOf, tools, type Place } from './harness-lab.ts';
import { aboutOf } from './workflow-lab.ts';

/** What a request is of, as its prompt says. `results`: tools that have answered in the session so far. */
export type Request = {
  readonly role: string;
  readonly item: string;
  readonly workdir: string;
  readonly output: string;
  readonly attempt: number;
  readonly text: string;
  readonly results: readonly string[];
};
export function requestOf(asked: Asked): Request {
  const { role, output, text } = aboutOf(asked, asked.system);
  const of = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  const results = asked.heard.filter(({ kind }) => kind === 'tool-result').map((one) => one.text);
  return { role, output, text, results, item: of('ITEM'), workdir: of('WORKDIR'), attempt: Number(of('ATTEMPT')) };
}

export type Planned = { readonly id: string; readonly dependsOn?: readonly string[] };
export const idsUpTo = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `F-${String(n + 1).padStart(3, '0')}`);
const nameOf = (id: string): string => `part${Number(id.slice(-3))}`;
export const claimOf = (id: string): string => `VAL-PART-${id.slice(-3)}`;
export const sourceOf = (id: string): string => `src/${nameOf(id)}.mjs`;
const testFileOf = (id: string): string => `tests/${nameOf(id)}.test.mjs`;
const codeOf = (id: string): string => `export const ${nameOf(id)} = () => '${nameOf(id)}-word';\n`;

/** A mission with a plan that is committed. `more`: lines of the configuration. */
export function forOneMission({ repo }: Pick<Place, 'repo'>, planned: readonly Planned[], more = ''): void {
  for (const path of [
    'features.json',
    'tests/greet.test.mjs',
    'tests/part.test.mjs',
    'claude-progress.txt',
    'reset.sh',
  ])
    rmSync(join(repo.root, path), { force: true });
  const agent = /^ {2}default: (.*)$/m.exec(repo.read('.harness.yaml'))?.[1] ?? '';
  repo.write(
    '.harness.yaml',
    [
      'playbook: mission',
      'project: { name: words }',
      'agents:',
      `  default: ${agent}`,
      'environment: { init: ./init.sh }',
      'testing: { runner: node, feature: "node --test {test_file}", full: "node --test tests/" }',
      more,
      '',
    ].join('\n'),
  );
  repo.write('SPEC.md', '# Words\n\nEvery part says its word.\n');
  repo.write('tests/base.test.mjs', "import { test } from 'node:test';\ntest('there is a base', () => {});\n");
  const features = planned.map(({ id, dependsOn = [] }) => ({
    id,
    title: `Part ${Number(id.slice(-3))} says its word`,
    claims: [claimOf(id)],
    status: 'pending',
    attempts: 0,
    test_file: testFileOf(id),
    depends_on: dependsOn,
  }));
  repo.write('.harness/features.json', `${JSON.stringify({ mission: 'words', features }, null, 2)}\n`);
  const assertions = planned.map(({ id }) => `- ${claimOf(id)}: ${sourceOf(id)} says ${nameOf(id)}-word.\n`);
  repo.write('.harness/validation-contract.md', `# Validation contract\n\n## PART\n\n${assertions.join('')}`);
  repo.git('add', '-A');
  repo.git('add', '-f', '.harness/features.json', '.harness/validation-contract.md');
  repo.git('commit', '-q', '-m', 'a plan');
}

export const PASSED = (id: string): string =>
  JSON.stringify({
    assertions: [{ id: claimOf(id), verdict: 'pass', path: sourceOf(id), quote: codeOf(id).trim() }],
    issues: [],
  });

/** What a worker says and no other role may learn. */
export const REASON = 'REASON-OF-THE-WORKER';
/** Files that a worker writes. */
const WRITES = 2;

const isBuilt = (workdir: string, id: string): boolean =>
  [sourceOf(id), testFileOf(id)].every((path) => existsSync(join(workdir, path)));

/** What an honest model says for each role. `looks`: how often a worker looks at its test before it is done. */
export function honestModel(asked: Asked, looks = 0): Step {
  const { role, item, workdir, output, results } = requestOf(asked);
  switch (role) {
    case 'worker':
      // After a crash the conversation continues, and the files are those of before the turn.
      if (isBuilt(workdir, item) && results.length < WRITES + looks)
        return call('Bash', { command: `node --test ${testFileOf(item)}`, description: `look ${results.length}` });
      return isBuilt(workdir, item)
        ? say(`${item} is built.\nNOTE: ${nameOf(item)} has a file of its own\n${REASON}`)
        : tools(
            ['Write', { file_path: join(workdir, sourceOf(item)), content: codeOf(item) }],
            [
              'Write',
              {
                file_path: join(workdir, testFileOf(item)),
                content: testOf(nameOf(item), `${nameOf(item)}-word`),
              },
            ],
          );
    case 'validator':
      return results.length > 0 ? say(PASSED(item)) : tools(['Read', { file_path: join(workdir, sourceOf(item)) }]);
    case 'curator':
      return results.length > 0
        ? say('Written.')
        : tools([
            'Write',
            {
              file_path: join(workdir, output),
              content: '## Summary\nEvery part has a file of its own.\n\n## Memory\nParts are small.\n\n## Promote\n',
            },
          ]);
    default:
      return say(`Nothing to say as ${role}.`);
  }
}
