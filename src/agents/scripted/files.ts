// Steps that change files in the work folder, each reported as one tool call. Paths may lead anywhere: a script may misbehave on purpose.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ToolKind } from '@agentclientprotocol/sdk';
import { unreachable } from '../../model/bug.ts';
import type { ScriptHost } from './script-host.ts';
import type { ScriptStep } from './steps.ts';

type FileStep = Extract<ScriptStep, { step: 'write' | 'append' | 'replace' | 'delete' | 'claim' | 'unclaim' }>;
/** What a step does to one file. */
type FileEdit = {
  readonly title: string;
  readonly kind: ToolKind;
  readonly path: string;
  readonly act: () => Promise<FileTexts>;
};
/** `after` null: the file is deleted. */
type FileTexts = { readonly before: string | null; readonly after: string | null };

/** Performs a file step. A mistake of the script is thrown as an Error with its reason. */
export async function playFileStep(step: FileStep, host: ScriptHost): Promise<void> {
  const edit = editOf(step, host);
  const toolCallId = host.newCallId();
  await host.update({
    sessionUpdate: 'tool_call',
    toolCallId,
    title: edit.title,
    kind: edit.kind,
    status: 'in_progress',
    locations: [{ path: edit.path }],
    rawInput: { path: edit.path },
  });
  const finish = (status: 'completed' | 'failed', more: object): Promise<void> =>
    host.update({ sessionUpdate: 'tool_call_update', toolCallId, status, ...more });
  if ('ask' in step.with && step.with.ask) {
    const call = { id: toolCallId, kind: edit.kind, title: edit.title, path: edit.path, command: null };
    const refused = await host.permit(call);
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

function editOf(step: FileStep, host: ScriptHost): FileEdit {
  const given = step.step === 'claim' || step.step === 'unclaim' ? step.with.file : step.with.path;
  const path = resolve(host.cwd, given);
  const edit = (verb: string, change: () => FileTexts | Promise<FileTexts>, kind: ToolKind = 'edit'): FileEdit => ({
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
        const after = text ?? readFileSync(resolve(host.scenarioFolder, from ?? ''), 'utf8');
        if (via === 'client') await host.writeThroughClient(path, after);
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
      const id = String(step.with.id ?? host.context['FEATURE_ID'] ?? host.context['ITEM'] ?? '');
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

/** Sets `passes` of one feature. Throws an Error with the reason where the file or the feature is missing. */
function setPasses(file: string, id: string, passes: boolean): { before: string; after: string } {
  const before = readFileSync(file, 'utf8');
  const content: unknown = JSON.parse(before);
  const lists = typeof content === 'object' && content !== null ? Object.values(content) : [];
  const features: unknown = lists.find((value) => Array.isArray(value));
  if (!Array.isArray(features)) throw new Error('no list of features in the file');
  const feature: unknown = features.find(
    (f: unknown) => typeof f === 'object' && f !== null && 'id' in f && String(f.id) === id,
  );
  if (typeof feature !== 'object' || feature === null) throw new Error(`no feature with id ${id}`);
  Object.assign(feature, { passes });
  const indent = /^\{\r?\n([ \t]+)/.exec(before)?.[1] ?? 2;
  const after = JSON.stringify(content, null, indent) + (before.endsWith('\n') ? '\n' : '');
  writeFileSync(file, after);
  return { before, after };
}
