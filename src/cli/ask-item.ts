// Asks on a terminal for what `harness add` was not given. Each answer is tried as a draft of the item: a mistake is named, and asked again.
import type { AddPrompt, NewItem } from '../engine/backlog.ts';
import { draftItem } from '../app/backlog/add-item.ts';
import type { Target } from '../app/open/target.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { canAsk, type Caller } from './command.ts';

/** So many items are named in the question for dependencies. */
const MOST_NAMED = 12;

/** As given, where more than the title is given or no user can be asked. An empty answer leaves a field out. */
export async function askedFor(caller: Caller, target: Target, given: NewItem): Promise<Result<NewItem>> {
  const { text } = caller.catalogue;
  const title =
    given.title.trim() === '' && canAsk(caller) ? ((await caller.ask(text('ask-item.title'))) ?? '') : given.title;
  if (title.trim() === '') {
    const what = "missing required argument 'title'";
    return err(failure('usage', { what, hint: 'harness add "User can log in" --verify tests/test_login.py' }));
  }
  let wanted: NewItem = { ...given, title };
  if (!canAsk(caller) || !isBare(given)) return ok(wanted);
  const ids = await idsOf(target);
  for (const prompt of target.backlog.prompts ?? []) {
    if (!isMeant(prompt, wanted, ids)) continue;
    const answered = await answerTo(caller, target, { prompt, wanted, ids });
    // Without its proof it cannot be added: nothing else is asked.
    if (answered === null && prompt === 'test-file') break;
    wanted = answered ?? wanted;
  }
  return ok(wanted);
}

/** Nothing but the title. */
const isBare = ({ category, verify, timeoutSeconds, dependsOn, priority, steps }: NewItem): boolean =>
  [category, verify, timeoutSeconds, priority].every((field) => field === null) &&
  dependsOn.length + steps.length === 0;

const isMeant = (prompt: AddPrompt, { verify }: NewItem, ids: readonly string[]): boolean =>
  prompt === 'timeout' ? verify !== null : prompt !== 'depends-on' || ids.length > 0;

/** null: the answer was empty. */
async function answerTo(
  caller: Caller,
  target: Target,
  { prompt, wanted, ids }: { readonly prompt: AddPrompt; readonly wanted: NewItem; readonly ids: readonly string[] },
): Promise<NewItem | null> {
  const { text } = caller.catalogue;
  const items = ids.slice(-MOST_NAMED).join(', ');
  for (;;) {
    const answer = await caller.ask(text(`ask-item.${prompt}`, { items }));
    if (answer === null) return null;
    const field = fieldOf(prompt, answer);
    const tried = field.ok ? await draftItem(target, { ...wanted, ...field.value }) : field;
    if (tried.ok && field.ok) return { ...wanted, ...field.value };
    if (tried.ok) continue;
    const { what } = tried.failure.params;
    const causes = (tried.failure.causes ?? []).map((one) => caller.catalogue.failure(one).title);
    for (const line of [String(what ?? caller.catalogue.failure(tried.failure).title), ...causes]) caller.say(line);
  }
}

function fieldOf(prompt: AddPrompt, answer: string): Result<Partial<NewItem>> {
  switch (prompt) {
    case 'test-file':
    case 'command':
      return ok({ verify: answer });
    case 'timeout': {
      const seconds = secondsIn(answer);
      return seconds.ok ? ok({ timeoutSeconds: seconds.value }) : seconds;
    }
    case 'level':
    case 'number':
      return ok({ priority: answer });
    case 'depends-on':
      return ok({ dependsOn: idsIn(answer) });
  }
}

export function secondsIn(text: string): Result<number> {
  if (Number(text) > 0 && Number.isFinite(Number(text))) return ok(Number(text));
  const what = `--timeout must be in seconds, not "${text}"`;
  return err(failure('usage', { what, hint: 'harness add "…" --verify "npm test" --timeout 120' }));
}

/** `1, #2` */
export const idsIn = (text: string): readonly string[] =>
  text
    .split(/[\s,]+/)
    .map((word) => word.replace(/^#/, ''))
    .filter((word) => word !== '');

async function idsOf({ backlog, view, config }: Target): Promise<readonly string[]> {
  const file = config.paths.backlog;
  const read = backlog.read((await view.read(file)) ?? '', file);
  return read.ok ? read.value.items.map(({ id }) => id) : [];
}
