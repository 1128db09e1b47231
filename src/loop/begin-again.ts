// What is recorded of an item whose unfinished work a person took back: it begins again, and is continued no more.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { editCall, textsOf } from '../engine/definitions.ts';
import { readText } from '../host/files.ts';
import type { ItemId } from '../model/item.ts';
import type { RepositoryView } from '../model/repository-view.ts';
import { ok, type Result } from '../model/result.ts';
import { writeEdit } from './performers/write.ts';
import { readContext, type RunEvents, type RunHost, type RunRepository, type RunSettings } from './run-context.ts';
import { stateFolderOfItem } from './state-of-item.ts';

type Context = RunRepository & RunSettings & RunHost & RunEvents;

/** Where the machine keeps something of it. Repeatable. */
export async function beginAgain(context: Context, item: ItemId): Promise<Result<null>> {
  const { beginAgain: edit } = context.machine;
  if (edit === undefined) return ok(null);
  const call = editCall(edit, { item });
  const written = await writeEdit(context, call);
  if (!written.ok) return written;
  // With several lanes each item has a state file of its own.
  const shown = `${context.config.paths.stateDir}/${context.machine.ledger}`;
  const own = join(stateFolderOfItem(context.workspaceDir, item), shown);
  if (!existsSync(own)) return ok(null);
  const texts = await textsOf(call, { ...readContext(context), view: withFile(context.view, shown, own) });
  if (!texts.ok) return texts;
  const text = texts.value[shown];
  if (text !== undefined) context.io.replace(own, text);
  return ok(null);
}

/** The same view, in which one file is another. */
const withFile = (view: RepositoryView, path: string, file: string): RepositoryView =>
  Object.create(view, {
    read: {
      value(asked: string, last?: number): Promise<string | null> {
        if (asked !== path) return view.read(asked, last);
        const text = readText(file);
        return Promise.resolve(text.ok ? text.value : null);
      },
    },
  });
