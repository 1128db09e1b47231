// A file for people that says which decisions a run waits for, for machines that keep one: written at the end of such a run, and removed by the next
// run that waits for none.
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import type { RunContext } from '../../loop/run-context.ts';
import type { Failure } from '../../model/failure.ts';
import { itemTitle, type Gate } from '../../model/gate.ts';
import type { Target } from '../open/target.ts';

const TITLE = '# Waiting for a decision';

/** `failure`: that of the run, where it ended for one that a person has to decide. */
export function noteEscalations(
  target: Pick<Target, 'root' | 'io' | 'machine' | 'clock'>,
  context: Pick<RunContext, 'gates' | 'catalogue' | 'redact'>,
  failure: Failure | null,
): void {
  const { escalationFile } = target.machine;
  if (escalationFile === undefined) return;
  const file = join(target.root, escalationFile);
  const open = context.gates.list({ open: true });
  const asked = open.ok ? open.value.map(({ gate }) => gate).filter(({ gate }) => gate === 'escalation') : [];
  const decided = failure?.reason === 'items-given-up' ? [failureText(failure, context)] : [];
  const parts = [...asked.map((gate) => gateText(gate, context)), ...decided];
  if (parts.length > 0)
    target.io.replace(file, context.redact(`${TITLE}\n\n${target.clock.iso()}\n\n${parts.join('\n\n')}\n`));
  else if (isOwn(file)) target.io.remove(file);
}

/** Not one that a session of the mission wrote. */
function isOwn(file: string): boolean {
  const text = readText(file);
  return text.ok && text.value?.startsWith(TITLE) === true;
}

function gateText(gate: Gate, { catalogue }: Pick<RunContext, 'catalogue'>): string {
  const { header, question, options } = catalogue.gate(gate);
  return [
    `## ${header}${gate.item === null ? '' : `: ${[gate.item, itemTitle(gate) ?? ''].join(' ').trim()}`}`,
    '',
    question,
    '',
    ...options.map(({ id, description }) => `- \`harness answer ${gate.id} ${id}\`: ${description}`),
  ].join('\n');
}

function failureText(failure: Failure, { catalogue }: Pick<RunContext, 'catalogue'>): string {
  const { title, why, fix } = catalogue.failure(failure);
  return [`## ${title}`, ...(why === '' ? [] : ['', why]), '', ...fix.map((step) => `- ${step}`)].join('\n');
}
