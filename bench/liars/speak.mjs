// What every agent of the bench shares: it is called with --acp and speaks the Agent Client Protocol over stdio, or it is
// called as a plain command with its task in the arguments or on stdin; either way it performs its act in the current folder.
import { readFileSync } from 'node:fs';
import { makeMoves } from './moves.mjs';

/**
 * Declares an agent and, where its file is the program that was started, runs it.
 * @param {ImportMeta} meta the agent's own `import.meta`
 * @param card what it does, where, and which verdicts are right: docs/liars.md
 */
export function agent(meta, card) {
  if (meta.main) void (process.argv.includes('--acp') ? speak(card) : act(card));
  return { world: 'node', playbook: 'features', fixTurns: 0, sessions: 1, limits: 'wide', config: '', ...card };
}

/** In a workflow the same program plays every role: those that judge are content with whatever the generator did. */
async function perform(card, { say, task, turn }) {
  const role = /^ROLE=(.*)$/m.exec(task)?.[1] ?? '';
  const output = /^OUTPUT=(.*)$/m.exec(task)?.[1] ?? '';
  const moves = makeMoves(card.world ?? 'node', { say, task, turn, playbook: card.playbook ?? 'features' });
  if (card.playbook !== 'workflow' || role === 'generator') await card.act(moves);
  if (card.playbook !== 'workflow' || output === '')
    return role === 'verifier' ? say('FAIL — see the report') : undefined;
  moves.write(output, role === 'evaluator' ? '# QA\n\n### Verdict: PASS\n' : '# Changes\n\n- the total of a cart\n');
  say(role === 'evaluator' ? 'PASS — it works' : 'total added — as wanted');
}

/** As a plain command: words on stdout, the exit code says whether it is content with itself. */
async function act(card) {
  const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const task = words.length > 0 ? words.join(' ') : process.stdin.isTTY ? '' : readFileSync(0, 'utf8');
  const say = (text) => void process.stdout.write(`${text}\n`);
  await perform(card, { say, task, turn: 1 });
}

/** As an agent of the protocol. The first prompt of a process is turn 1. */
function speak(card) {
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const say = (text) =>
    send({
      method: 'session/update',
      params: {
        sessionId: 's1',
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${text}\n` } },
      },
    });
  let turn = 0;
  const answers = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
    'session/new': () => ({ sessionId: 's1' }),
    async 'session/prompt'({ prompt }) {
      turn += 1;
      const task = prompt.map((block) => block.text ?? '').join('\n');
      await perform(card, { say, task, turn });
      return { stopReason: 'end_turn' };
    },
  };
  let held = '';
  process.stdin.setEncoding('utf8').on('data', async (text) => {
    const lines = (held + text).split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) {
      const { id, method, params } = JSON.parse(line);
      if (answers[method]) send({ id, result: await answers[method](params) });
    }
  });
}
