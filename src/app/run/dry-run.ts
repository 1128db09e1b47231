// What the next run would do: item and prompt. Changes nothing and takes no lock.
import { openFullCatalogue } from '../open/language.ts';
import { promptsFolder } from '../../host/package-root.ts';
import { composeTurn } from '../../loop/prompt.ts';
import { openRoles } from '../../memory/roles.ts';
import type { ItemId } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { askNext, contextOf, type Target } from '../open/target.ts';

export type DryRun = {
  readonly session: number;
  readonly item: ItemId | null;
  readonly title: string;
  readonly testFile: string | null;
  readonly role: string;
  readonly prompt: string;
  readonly json: { readonly [key: string]: Json };
};

export async function dryRun(target: Target, only: ItemId | null): Promise<Result<DryRun>> {
  const next = await askNext(target, only);
  if (next.failure) return err(next.failure);
  if (next.next === null) {
    const json = { would: 'nothing', session: next.session, item: null, remaining: next.remaining };
    return ok({ session: next.session, item: null, title: '', testFile: null, role: '', prompt: '', json });
  }
  const opening = await target.machine.opening(contextOf(target), {
    item: next.next,
    session: next.session,
  });
  if (!opening.ok) return opening;
  const roles = openRoles({ shipped: promptsFolder(), own: (path) => target.view.readAt('HEAD', path) });
  const context = {
    roles,
    machine: target.machine,
    backlog: target.backlog,
    config: target.config,
    view: target.view,
    root: target.root,
    memory: target.memory,
    catalogue: await openFullCatalogue('en'),
  };
  const composed = await composeTurn(context, opening.value.ask, { how: 'only-looks' });
  if (!composed.ok) return composed;
  const { role, title } = opening.value.ask;
  const { text: prompt } = composed.value;
  const { testFile } = opening.value;
  const json = {
    would: 'run',
    session: next.session,
    item: next.next,
    title,
    test_file: testFile,
    role,
    prompt,
    remaining: next.remaining,
  };
  return ok({ session: next.session, item: next.next, title, testFile, role, prompt, json });
}
