// The tasks machine over a list of another format: it keeps a ledger of its own in the state folder, and the list itself gets what is
// final, with the commit that lands it (architecture, any backlog and any machine).
import { z } from 'zod';
import type { Backlog, Edit, Playbook } from '../../engine/playbook.ts';
import type { Config } from '../../model/config.ts';
import { failure, Impossible } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { World } from '../../model/world.ts';
import { asJson } from '../session/surveys.ts';
import { procedure } from '../session/procedure.ts';
import type { Books } from '../session/books.ts';
import { patchSession } from './change.ts';
import { acceptTask, OWN_BOOKS } from './ends.ts';
import { tasksItem } from './machine.ts';
import { mirrored } from './mirror.ts';
import { opening } from './opening.ts';
import { tasksKit } from './playbook.ts';
import { readTasks } from './read.ts';
import { begins, ends } from './sessions.ts';
import { surveys } from './surveys.ts';

const ledgerIn = (stateDir: string): string => `${stateDir}/tasks/harness-tasks.json`;

/** As the machine reads it: its ledger is the list. */
const ofLedger = (config: Config): Config => ({
  ...config,
  paths: { ...config.paths, backlog: ledgerIn(config.paths.stateDir) },
});

/** `edits`: what people decide (`flag`) and add (`add`), in the list's own format. */
export function tasksOver(list: Backlog, edits: { readonly flag: Edit; readonly add: Edit }): Playbook {
  const mirror: Edit = async (world, input) => {
    const { config, list: file, count, at } = mirrorInput.parse(input) as unknown as MirrorInput;
    const ledger = ledgerIn(config.paths.stateDir);
    const text = await mirrorOf(world, file, { config, ledger, at });
    if (!text.ok) throw new Impossible(text.failure);
    return { [ledger]: patchSession(text.value, { session_count: count, last_session: at }) };
  };
  /** What the ledger has to say by now: the list may have changed meanwhile. */
  async function mirrorOf(
    world: World,
    file: string,
    how: { readonly config: Config | null; readonly ledger: string; readonly at: string },
  ): Promise<Result<string>> {
    const text = await world.read(file);
    if (text === null) return err(failure('backlog-missing', { file }, { at: { file } }));
    const read = list.read(text, file);
    if (!read.ok) return read;
    const before = await world.read(how.ledger);
    // One that nobody can read is made anew: it only knows what was tried.
    const known = before === null ? null : readTasks(before, how.ledger);
    return ok(mirrored(read.value, known?.ok === true ? known.value : null, how.config, seconds(how.at)));
  }
  return {
    ...tasksKit,
    backlog: list,
    keeps: ({ paths }) => [ledgerIn(paths.stateDir), `${ledgerIn(paths.stateDir)}.bak`, paths.progress],
    item: (input) => tasksItem({ ...input, config: ofLedger(input.config) }),
    procedures: (config) => ({
      ...tasksKit.procedures(ofLedger(config)),
      accept: procedure((run, input: Parameters<typeof acceptTask>[1], ledger: Config) =>
        acceptTask(run, input, ledger, landingIn(config.paths.backlog)),
      )(ofLedger(config)),
    }),
    surveys: {
      ...tasksKit.surveys,
      async next(world, input) {
        const given = input as { readonly stateDir: string; readonly backlog: string };
        const ledger = ledgerIn(given.stateDir);
        const text = await mirrorOf(world, given.backlog, { config: null, ledger, at: world.now });
        if (!text.ok) return asJson({ next: null, remaining: 0, session: 0, failure: text.failure });
        return surveys.next(withText(world, ledger, text.value), { ...given, backlog: ledger });
      },
    },
    edits: { ...tasksKit.edits, ...edits, mirror },
    books: {
      async begins(world, about) {
        const { config, at } = about;
        const { backlog: file } = config.paths;
        const ledger = ledgerIn(config.paths.stateDir);
        const text = await mirrorOf(world, file, { config, ledger, at });
        if (!text.ok) return { failure: text.failure, edit: null, lines: [] };
        const begun = await begins(withText(world, ledger, text.value), { ...about, config: ofLedger(config) });
        const count = (begun.edit?.input as { readonly count?: number } | undefined)?.count ?? 0;
        const input = { config, list: file, count, at: seconds(at) } as never;
        return begun.edit === null ? begun : { ...begun, edit: { name: 'mirror', input } };
      },
      ends: (world, about) => ends(world, { ...about, config: ofLedger(about.config) }),
    },
    opening: (world, about) => opening(world, { ...about, config: ofLedger(about.config) }),
  };
}

type MirrorInput = { readonly config: Config; readonly list: string; readonly count: number; readonly at: string };
const mirrorInput = z.object({ config: z.looseObject({}), list: z.string(), count: z.number(), at: z.string() });

/** As the reference writes times. */
const seconds = (at: string): string => at.replace(/\.\d+(?=Z)/, '');

const withText = (world: World, file: string, text: string): World => ({
  ...world,
  read: (path) => (path === file ? Promise.resolve(text) : world.read(path)),
});

/** The commit that lands an item says so in the list. */
const landingIn = (backlog: string): Books => ({
  ...OWN_BOOKS,
  accepting: ({ facts, endedAt }) => ({
    name: 'flag',
    input: { backlog, item: facts.id, change: { type: 'landed', at: endedAt } },
  }),
});
