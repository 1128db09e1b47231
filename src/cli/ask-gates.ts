// Asks the open gates of a waiting run at the terminal. The first answer wins: an earlier one from elsewhere is reported.
import { answerGate, listGates, gateDocument } from '../app/look/questions.ts';
import { openProjectView } from '../app/open/project-view.ts';
import { ok, type Result } from '../model/result.ts';
import { canAsk, type Caller } from './command.ts';
import { showGate, showDocument } from './show/gates.ts';

/** Whether any gate was answered. Asks nothing without an interactive terminal; an empty line leaves a gate open. */
export async function askOpenGates(caller: Caller, gates: readonly string[]): Promise<Result<boolean>> {
  if (!canAsk(caller)) return ok(false);
  const view = await openProjectView(caller);
  if (!view.ok) return view;
  const open = listGates(view.value, { open: true });
  if (!open.ok) return open;
  let isAnswered = false;
  for (const record of open.value.filter(({ gate }) => gates.includes(gate.id))) {
    const document = gateDocument(view.value, record);
    const answered = await askOne(caller, record, document, async (choice, note) => {
      const replied = await answerGate(view.value, record.gate.id, { choice, note });
      return replied.ok ? null : replied.failure;
    });
    isAnswered ||= answered;
  }
  return ok(isAnswered);
}

type Shown = Parameters<typeof showGate>[0];
type Reply = (choice: string, note: string) => Promise<null | Extract<Result<never>, { ok: false }>['failure']>;

async function askOne(caller: Caller, record: Shown, document: string | null, reply: Reply): Promise<boolean> {
  const { text, failure } = caller.catalogue;
  for (const line of [...showDocument(document), ...showGate(record, caller)]) caller.say(line);
  for (;;) {
    const typed = (await caller.ask(text('attend.which', { recommended: record.gate.recommended })))?.trim() ?? '';
    if (typed === '') return false;
    const [choice = '', ...words] = typed.split(/\s+/);
    const refused = await reply(choice, words.join(' '));
    if (refused === null) return true;
    caller.say(failure(refused).title);
    if (refused.reason !== 'gate-option-unknown') return refused.reason === 'gate-already-answered';
  }
}
