// The features machine over a list of another format: list and log are part of its commits, as ever; that an item is done an agent says
// by ending its turn (architecture, any backlog and any machine).
import { z } from 'zod';
import type { Backlog, Edit, Listing, Playbook, Survey } from '../../engine/playbook.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Item } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import { err, type Result } from '../../model/result.ts';
import type { World } from '../../model/world.ts';
import type { Books } from '../session/books.ts';
import type { ItemFacts } from '../session/facts.ts';
import { leftByLast, stateInput, stateOf } from '../session/last.ts';
import { procedure } from '../session/procedure.ts';
import { asJson } from '../session/surveys.ts';
import { acceptFeature, LIST_BOOKS, rejectFeature, saveFeature } from './books.ts';
import { briefsFor } from './briefs.ts';
import { sessionEdits } from './edits.ts';
import { openingTurn } from './opening.ts';
import { featuresPlaybook } from './playbook.ts';
import { work } from './work.ts';

/** In the place of what the role says of `passes`. */
const HOW = `## This List Is Kept By The Harness

The list of this project is not \`features.json\`, and you never write it: there is no \`passes\` to change. You say that the item is done by
ending your turn; the harness then runs what proves it.`;

/** No file holds a claim; no test ids name an item. */
const BOOKS: Books = { ...LIST_BOOKS, claimedIn: () => [], blame: () => Promise.resolve([]) };

/** `edits`: what people decide (`flag`) and add (`add`), in the list's own format. */
export function featuresOver(list: Backlog, edits: { readonly flag: Edit; readonly add: Edit }): Playbook {
  const { isClaimedInList: _claimed, ...native } = featuresPlaybook;
  const surveys = surveysOf(list);
  return {
    ...native,
    backlog: list,
    procedures: (config) => ({
      ...native.procedures(config),
      work: procedure((run, input: Parameters<typeof work>[1], given) => work(run, input, given, []))(config),
      accept: procedure((run, input: Parameters<typeof acceptFeature>[1], given) =>
        acceptFeature(run, input, given, BOOKS),
      )(config),
      save: procedure((run, input: Parameters<typeof saveFeature>[1], given) => saveFeature(run, input, given, BOOKS))(
        config,
      ),
      reject: procedure((run, input: Parameters<typeof rejectFeature>[1], given) =>
        rejectFeature(run, input, given, BOOKS),
      )(config),
    }),
    surveys: { ...native.surveys, ...surveys },
    briefs: briefsFor(list, HOW),
    edits: { ...native.edits, ...sessionEdits(list), ...edits },
    opening: openingTurn(surveys.item),
  };
}

const isDone = ({ status }: Item): boolean => status === 'landed' || status === 'unproved';

function surveysOf(backlog: Backlog) {
  const listIn = async (world: World, file: string): Promise<Result<Listing>> => {
    const text = await world.read(file);
    return text === null ? err(failure('backlog-missing', { file }, { at: { file } })) : backlog.read(text, file);
  };
  const nextInput = z.object({ backlog: z.string(), ...stateInput, only: z.string().nullable() });
  const next: Survey = async (world, input) => {
    const given = nextInput.parse(input);
    const none = (f: Failure): Json => asJson({ next: null, remaining: 0, session: 0, failure: f });
    const list = await listIn(world, given.backlog);
    if (!list.ok) return none(list.failure);
    const state = await stateOf(world, given);
    if (!state.ok) return none(state.failure);
    const { current_feature: current, next_prompt: prompt, last_session: last } = state.value;
    const open = list.value.items.filter((item) => !isDone(item) && item.status !== 'skipped');
    const told = (id: string | null): Json =>
      asJson({ next: id, remaining: open.length, session: last + 1, failure: null });
    const prefer = prompt === 'continuation' && current !== null ? String(current) : null;
    if (given.only === null) return told(list.value.next({ prefer }));
    const only = list.value.items.find(({ id }) => id === given.only);
    if (only === undefined) return none(failure('item-unknown', { item: given.only }));
    const taken = new Set(list.value.items.filter(({ id }) => id !== given.only).map(({ id }) => id));
    const isReady = open.includes(only) && only.blockedBy.length === 0 && list.value.next({ taken }) !== null;
    const blockers = only.blockedBy.join(', ');
    const status = isDone(only) ? 'item-landed' : only.status === 'skipped' ? 'item-skipped' : 'item-blocked';
    return isReady ? told(only.id) : none(failure('item-not-ready', { item: only.id, status, blockers }));
  };
  const itemInput = z.object({ backlog: z.string(), item: z.string(), ...stateInput });
  const item: Survey = async (world, input) => {
    const given = itemInput.parse(input);
    const list = await listIn(world, given.backlog);
    if (!list.ok) return asJson({ facts: null, failure: list.failure });
    const state = await stateOf(world, given);
    if (!state.ok) return asJson({ facts: null, failure: state.failure });
    const subject = list.value.subject(given.item);
    if (subject === null) return asJson({ facts: null, failure: failure('item-unknown', { item: given.item }) });
    const { current_feature: current, stuck_count: stuck } = state.value;
    const facts: ItemFacts = {
      id: subject.id,
      title: subject.title,
      category: '',
      testFile: subject.testFile,
      ...(subject.proof ? { proof: subject.proof } : {}),
      mayChangeTests: false,
      ...(await leftByLast(world, state.value, given)),
      oversized: [],
      attempt: current !== null && String(current) === subject.id ? stuck + 1 : 1,
    };
    return asJson({ facts, failure: null });
  };
  const tested: Survey = async (world, input) => {
    const list = await listIn(world, z.object({ backlog: z.string() }).parse(input).backlog);
    const done = list.ok ? list.value.items.filter(({ status }) => status === 'landed') : [];
    const items = done.flatMap(({ id }) => {
      const subject = list.ok ? list.value.subject(id) : null;
      return subject?.proof || subject?.testFile ? [{ id, testFile: subject.testFile, proof: subject.proof }] : [];
    });
    return asJson({ items: items.slice(-100).reverse() });
  };
  const dueInput = z.object({ backlog: z.string(), interval: z.number() });
  const cleanupDue: Survey = async (world, input) => {
    const { backlog: file, interval } = dueInput.parse(input);
    const list = await listIn(world, file);
    const landed = list.ok ? list.value.items.filter(isDone).length : 0;
    return asJson({ isDue: interval > 0 && landed > 0 && landed % interval === 0 });
  };
  const harnessFiles: Survey = async (world, input) => {
    const { backlog: file, config } = z.object({ backlog: z.string(), config: z.string().nullable() }).parse(input);
    const missing: string[] = [];
    for (const path of [config, file])
      if (path !== null && (await world.stat(path))?.kind !== 'file') missing.push(path);
    return asJson({ missing, notExecutable: [] });
  };
  /** The end of a turn is the claim. */
  const claim: Survey = () => Promise.resolve({ holds: true, problems: [], claimed: [] });
  const owners: Survey = () => Promise.resolve({ owners: [] });
  return { next, item, claim, owners, tested, 'cleanup-due': cleanupDue, 'harness-files': harnessFiles };
}
