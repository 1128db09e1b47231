// How a repository gets into the state of each fixture. Every kill waits for a signal, never for time: a file that the agent
// writes, a file of the program, or a git process that is held.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  doubtful,
  FINISH_ITEMS,
  FINISH_TASKS,
  FINISH_WORKFLOW,
  type Files,
  half,
  type ItemNumber,
  makes,
  session,
  type Session,
  type Steps,
  taskFiles,
  taskListText,
  USED,
  work,
  workflowFiles,
  workshopFiles,
  write,
} from '../test/support/landed-project.ts';
import { task } from '../test/support/task-record.ts';

/** A temporary folder with a repository in `project` and the home of its user in `home`. */
export type Workbench = {
  readonly top: string;
  readonly root: string;
  /** Writes a file of the work tree; scripts become executable. */
  put(path: string, text: string): void;
  /** Makes the repository with one commit of these files. */
  repository(files: Files): void;
  /** Replaces what the agents do. */
  play(sessions: readonly Session[]): void;
  /** Runs the program until it exits. Throws if it exits with any other code. */
  harness(exit: number, ...args: string[]): Promise<void>;
  /** Starts the program and waits for the signal. Throws if the program exits before. */
  startUntil(signal: () => boolean, ...args: string[]): Promise<void>;
  until(signal: () => boolean): Promise<void>;
  /** Kills the program and everything that it started, all at one moment. */
  kill(): Promise<void>;
  /** Makes every later git call block whose arguments match this shell pattern. The result says whether one does. */
  holdGit(pattern: string): () => boolean;
};
export type Recipe = (bench: Workbench) => Promise<void>;

/** The agent signals that it is at work, and blocks. */
const BLOCKED: Steps = [
  { write: { path: '../signals/here', text: '' } },
  { wait_for_file: { path: '../never', seconds: 600 } },
];
const isAtWork =
  ({ top }: Workbench) =>
  (): boolean =>
    existsSync(join(top, 'signals', 'here'));

const workshop = (
  bench: Workbench,
  items: readonly ItemNumber[],
  sessions: readonly Session[],
  config: readonly string[] = [],
): void => {
  bench.repository(workshopFiles(items, config));
  bench.play(sessions);
};

export const RECIPES: { readonly [name: string]: Recipe } = {
  async 'mid-turn'(bench) {
    workshop(bench, [1], [session({ item: 1 }, [half(1), write('notes.txt', 'half a thought\n'), ...BLOCKED])]);
    await bench.startUntil(isAtWork(bench), 'run', '--until-done');
    await bench.kill();
  },

  async 'mid-landing'(bench) {
    // The evidence bundle is pending, the commit is made, and the branch does not have it yet.
    workshop(bench, [1], FINISH_ITEMS);
    const isHeld = bench.holdGit('*update-ref*"harness: feat("*');
    await bench.startUntil(isHeld, 'run', '--until-done');
    await bench.kill();
  },

  async 'landed-unrecorded'(bench) {
    // The branch has the commit; neither its evidence nor the outcome is in place.
    workshop(bench, [1], FINISH_ITEMS);
    const isHeld = bench.holdGit('*update-ref*--stdin*');
    await bench.startUntil(isHeld, 'run', '--until-done');
    await bench.kill();
  },

  async 'at-gate'(bench) {
    workshop(
      bench,
      [1, 2],
      ([1, 2] as const).map((item) => session({ item }, doubtful(item))),
    );
    await bench.harness(3, 'run', '--until-done');
    await bench.harness(0, 'answer', 'g-1', 'land', '-m', 'I looked at it');
    await bench.harness(3, 'run', '--until-done');
  },

  async 'at-gate-before'(bench) {
    workshop(
      bench,
      [1],
      [session({}, [half(1), USED, { say: 'Half of it.' }])],
      ['features: { max_stuck_sessions: 1 }'],
    );
    await bench.harness(3, 'run', '--until-done');
  },

  async wip(bench) {
    const cut = session({ item: 2 }, [half(2), USED, { fail: 'context-full' }]);
    workshop(bench, [1, 2], [session({ item: 1 }, work(1)), cut]);
    await bench.harness(6, 'run', '--until-done', '--max-sessions', '2');
    bench.play([
      session({ item: 2 }, [{ append: { path: 'src/saw', text: 'another half\n' } }, USED, { fail: 'context-full' }]),
    ]);
    await bench.harness(0, 'run');
  },

  async backoff(bench) {
    // Too long to wait with an open session: the work is kept, and the loop waits.
    const refused = { fail: { kind: 'rate-limited', retry_after_seconds: 601 } };
    workshop(bench, [1], [session({ item: 1 }, [half(1), USED, refused])]);
    await bench.startUntil(isWaiting(bench), 'run', '--until-done');
    await bench.kill();
  },

  async 'backoff-in-session'(bench) {
    const refused = { fail: { kind: 'rate-limited', retry_after_seconds: 30 } };
    workshop(bench, [1], [session({ item: 1 }, [half(1), USED, refused])]);
    await bench.startUntil(isWaiting(bench), 'run', '--until-done');
    await bench.kill();
  },

  async finished(bench) {
    const FLIP = `#!/bin/sh
# Takes the next letter of ~/flips: f fails, anything else passes.
plan=$(cat ~/flips 2>/dev/null)
printf %s "\${plan#?}" > ~/flips
[ "\${plan%"\${plan#?}"}" != f ]
`;
    const lie = session({ item: 2, attempt: 1 }, [half(2), USED, 'claim']);
    bench.repository({
      ...workshopFiles([1, 2, 3], ['verification: { fix_turns: 0 }', 'sandbox: { level: none }']),
      'flip.sh': FLIP,
      'tests/door.test': 'there is a door|grep -q door src/door\ndoor opens|sh flip.sh\n',
    });
    bench.play([lie, ...FINISH_ITEMS]);
    writeFileSync(join(bench.top, 'home', 'flips'), 'ppfpfpffp');
    await bench.harness(0, 'run', '--until-done');
    rmSync(join(bench.top, 'home', 'flips'));
  },

  async 'queued-change'(bench) {
    workshop(bench, [1, 3, 4], [session({ item: 1 }, [half(1), ...BLOCKED])]);
    await bench.startUntil(isAtWork(bench), 'run', '--until-done');
    await bench.harness(0, 'skip', '4', '--reason', 'no power');
    const loop = join(bench.root, '.git/harness/loop.json');
    await bench.until(() => readFileSync(loop, 'utf8').includes('no power'));
    await bench.kill();
    await bench.harness(0, 'skip', '3', '--reason', 'no wood');
  },

  async 'tasks-under-way'(bench) {
    bench.repository(taskFiles());
    bench.put('harness-tasks.json', taskListText([task('task-001'), task('task-002')]));
    const steps: Steps = [
      write('task-002.txt', 'half\n'),
      { say: 'CHECKPOINT step=1/2 "made half of it"\n' },
      ...BLOCKED,
    ];
    bench.play([session({ item: 'task-001' }, makes('task-001')), session({ item: 'task-002' }, steps)]);
    const isNoted = (): boolean => isAtWork(bench)() && eventsOfSessions(bench).includes('CHECKPOINT step=1');
    await bench.startUntil(isNoted, 'run');
    await bench.kill();
  },

  async 'tasks-at-gate'(bench) {
    bench.repository(taskFiles());
    bench.put(
      'harness-tasks.json',
      taskListText([task('task-001'), task('task-002', { validation: { command: null } })]),
    );
    bench.play(FINISH_TASKS);
    await bench.harness(3, 'run');
  },

  async 'tasks-over-features'(bench) {
    bench.repository(workshopFiles([1, 2], [], '{ backlog: features, machine: tasks }'));
    bench.play([session({ item: 1 }, work(1).slice(0, -1)), session({ item: 2 }, [half(2), ...BLOCKED])]);
    await bench.startUntil(isAtWork(bench), 'run');
    await bench.kill();
  },

  async 'features-over-tasks'(bench) {
    bench.repository({
      ...taskFiles([], '{ backlog: tasks, machine: features }'),
      'harness-tasks.json': taskListText([task('task-001'), task('task-002')]),
      'init.sh': '#!/bin/sh\n',
      'claude-progress.txt': '# Progress: tasks\n',
    });
    const held = session({ item: 'task-002' }, [write('task-002.txt', 'half\n'), ...BLOCKED]);
    bench.play([session({ item: 'task-001' }, makes('task-001')), held]);
    await bench.startUntil(isAtWork(bench), 'run', '--until-done');
    await bench.kill();
  },

  async 'workflow-mid-group'(bench) {
    bench.repository(workflowFiles());
    const held = (role: string): Session =>
      session({ role }, [
        { write: { path: '{{OUTPUT}}', text: 'half a proposal\n' } },
        { write: { path: `../signals/${role}`, text: '' } },
        { wait_for_file: { path: '../never', seconds: 600 } },
      ]);
    bench.play([held('architect'), held('senior-developer'), ...FINISH_WORKFLOW]);
    const areHere = (): boolean =>
      ['architect', 'senior-developer'].every((role) => existsSync(join(bench.top, 'signals', role)));
    await bench.startUntil(areHere, ...workflow('standard'));
    await bench.kill();
  },

  async 'workflow-at-spec-gate'(bench) {
    bench.repository(workflowFiles());
    bench.play(FINISH_WORKFLOW);
    await bench.harness(8, ...workflow('single'));
  },

  async 'workflow-no-git'(bench) {
    for (const [path, text] of Object.entries(workflowFiles())) bench.put(path, text);
    bench.play(FINISH_WORKFLOW);
    await bench.harness(8, ...workflow('single'));
    await bench.harness(0, 'answer', 'g-2', 'proceed');
    bench.play([session({ role: 'generator' }, [write('src/list.txt', 'half sorted\n'), ...BLOCKED])]);
    await bench.startUntil(isAtWork(bench), 'run', '--no-input');
    await bench.kill();
  },
};

/** The program has recorded until when it waits for a provider. */
const isWaiting =
  ({ root }: Workbench) =>
  (): boolean => {
    const waits = join(root, '.git/harness/waits');
    return existsSync(waits) && readdirSync(waits).some((name) => name.endsWith('.json'));
  };

const CHECK = 'grep -qx sorted src/list.txt';
const workflow = (mode: string): readonly string[] => [
  'workflow',
  'Sort the list',
  '--mode',
  mode,
  '--lint-cmd',
  CHECK,
  '--no-input',
];

/** The events that agents have reported so far. */
function eventsOfSessions({ root }: Workbench): string {
  const sessions = join(root, '.git/harness/sessions');
  const logs = readdirSync(sessions).map((name) => join(sessions, name, 'events.jsonl'));
  return logs.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')).join('');
}
