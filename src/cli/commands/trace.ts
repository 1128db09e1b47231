// `harness trace`: from a claim to its last verdict, and whether it still counts.
import { fetchHere, openSource } from '../../app/evidence/source.ts';
import { trace as operation } from '../../app/operations/trace.ts';
import { ok, type Result } from '../../model/result.ts';
import { textOf, type CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showTrace } from '../show/trace.ts';

export const trace: CommandSpec = {
  name: 'trace',
  args: '[claim-or-item]',
  options: [
    { flags: '--check', about: 'exit 9 if a claim is void, failing or unproved' },
    { flags: '--fetch [remote]', about: 'fetch the evidence from origin first, in a fresh clone' },
  ],
  examples: ['harness trace', 'harness trace VAL-AUTH-001', 'harness trace F-003', 'harness trace --check'],
  async run(call) {
    const {
      caller,
      args: [about],
    } = call;
    const remote = call.options['fetch'] === true ? 'origin' : textOf(call, 'fetch');
    const fetched = remote === null ? ok(undefined) : await fetchFrom(caller.repo, remote);
    if (!fetched.ok) return fetched;
    const read = await operation.run(caller, about === undefined ? {} : { about });
    if (!read.ok) return read;
    const { answer } = read.value;
    const isProved = answer.rows.every(({ state }) => state === 'holds');
    const exit = call.options['check'] === true && !isProved ? EXIT.verification : EXIT.done;
    return ok({ exit, json: answer, lines: showTrace(answer, about !== undefined, caller) });
  },
};

async function fetchFrom(repo: string, remote: string): Promise<Result<void>> {
  const source = await openSource({ repo, from: null });
  if (!source.ok) return source;
  try {
    return await fetchHere(source.value, remote);
  } finally {
    source.value.close();
  }
}
