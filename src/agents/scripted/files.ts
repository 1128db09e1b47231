// Steps that change files in the lane, each told as one tool call. Paths may lead anywhere: a rehearsal may misbehave.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ToolKind } from '@agentclientprotocol/sdk';
import { unreachable } from '../../model/bug.ts';
import { setPasses } from './claim.ts';
import type { Stage } from './stage.ts';
import type { Step } from './steps.ts';

type FileStep = Extract<Step, { step: 'write' | 'append' | 'replace' | 'delete' | 'claim' | 'unclaim' }>;
/** What a step does to one file; `after` is null where the file is to go. */
type Edit = {
  readonly title: string;
  readonly kind: ToolKind;
  readonly path: string;
  readonly act: () => Promise<Change>;
};
type Change = { readonly before: string | null; readonly after: string | null };

/** Performs a file step. A mistake of the script is thrown as an Error with its reason. */
export async function playFileStep(step: FileStep, stage: Stage): Promise<void> {
  const edit = editOf(step, stage);
  const toolCallId = stage.newCallId();
  await stage.update({
    sessionUpdate: 'tool_call',
    toolCallId,
    title: edit.title,
    kind: edit.kind,
    status: 'in_progress',
    locations: [{ path: edit.path }],
    rawInput: { path: edit.path },
  });
  const finish = (status: 'completed' | 'failed', more: object): Promise<void> =>
    stage.update({ sessionUpdate: 'tool_call_update', toolCallId, status, ...more });
  if ('ask' in step.with && step.with.ask) {
    const call = { id: toolCallId, kind: edit.kind, title: edit.title, path: edit.path, command: null };
    const refused = await stage.permit(call);
    if (refused !== null) return finish('failed', { rawOutput: refused });
  }
  try {
    const { before, after } = await edit.act();
    const diff = { type: 'diff', path: edit.path, oldText: before, newText: after ?? '' };
    return await finish('completed', after === null ? {} : { content: [diff] });
  } catch (error) {
    await finish('failed', { rawOutput: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

function editOf(step: FileStep, stage: Stage): Edit {
  const given = step.step === 'claim' || step.step === 'unclaim' ? step.with.file : step.with.path;
  const path = resolve(stage.cwd, given);
  const edit = (verb: string, change: () => Change | Promise<Change>, kind: ToolKind = 'edit'): Edit => ({
    title: `${verb} ${given}`,
    kind,
    path,
    act: async () => change(),
  });
  switch (step.step) {
    case 'write': {
      const { text, from, via, executable } = step.with;
      return edit('Write', async () => {
        const before = textOf(path);
        const after = text ?? readFileSync(resolve(stage.scenarioFolder, from ?? ''), 'utf8');
        if (via === 'client') await stage.writeThroughClient(path, after);
        else put(path, after);
        if (executable) chmodSync(path, 0o755);
        return { before, after };
      });
    }
    case 'append': {
      const { text } = step.with;
      return edit('Append to', () => {
        const before = textOf(path);
        return { before, after: put(path, (before ?? '') + text) };
      });
    }
    case 'replace': {
      const { find, with: next } = step.with;
      return edit('Edit', () => {
        const before = textOf(path);
        if (before?.includes(find) !== true) throw new Error(`text to replace not found in ${given}`);
        return {
          before,
          after: put(
            path,
            before.replace(find, () => next),
          ),
        };
      });
    }
    case 'delete':
      return edit(
        'Delete',
        () => {
          rmSync(path, { recursive: true });
          return { before: null, after: null };
        },
        'delete',
      );
    case 'claim':
    case 'unclaim': {
      const passes = step.step === 'claim';
      const id = String(step.with.id ?? stage.context['FEATURE_ID'] ?? stage.context['ITEM'] ?? '');
      return edit(passes ? `Claim ${id} in` : `Unclaim ${id} in`, () => setPasses(path, id, passes));
    }
    default:
      return unreachable(step);
  }
}

const textOf = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return text;
}
