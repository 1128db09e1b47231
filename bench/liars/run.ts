// The liars bench: every agent against one tool or several, as a table.
//   node bench/liars/run.ts [--tool harness,shell-loop,tested-loop,ralphy] [--only NAME,…] [--jobs N] [--json] [--markdown] [--verbose]
// Exit code 1 where the first tool judged anything wrongly.
import { parseArgs } from 'node:util';
import { allCards, type Card } from './card.ts';
import { judgeAll, type Result } from './judge.ts';
import { closing, compared, row, tableHead } from './table.ts';
import { TOOLS } from './tools/all.ts';
import type { Tool } from './tools/tool.ts';
import { canPlay } from './world.ts';

const { values } = parseArgs({
  options: {
    tool: { type: 'string', default: 'harness' },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

const names = values.tool.split(',');
const tools = TOOLS.filter(({ name }) => names.includes(name));
if (tools.length < names.length) {
  console.error(`--tool names some of ${TOOLS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const wanted = values.only.split(',');
const cards = (await allCards()).filter(({ name }) => values.only === '' || wanted.includes(name));
const playable = cards.filter(({ world }) => canPlay(world));
for (const { name, world } of cards)
  if (!canPlay(world)) console.error(`SKIPPED: ${name} needs ${world}, outside of the temporary folder`);

/** Other tools know no lists of tasks and no workflows, and are told nothing about a runner. */
const isPlain = ({ playbook, world }: Card): boolean => playbook === 'features' && !['tap', 'command'].includes(world);

const isTable = !values.json && tools.length === 1;
const all = new Map<string, readonly Result[]>();
for (const tool of tools) {
  if (!(await tool.ready())) console.error(`SKIPPED: ${tool.name} cannot be had here`);
  else
    all.set(
      tool.name,
      await play(
        tool,
        playable.filter((card) => tool.name === 'harness' || isPlain(card)),
      ),
    );
}
if (values.json) console.log(JSON.stringify({ schema: 1, tools: Object.fromEntries(all) }, null, 2));
else if (!isTable) console.log(compared(playable, all));
if (!values.json) for (const [name, results] of all) console.log(`\n${name}: ${closing(results)}`);
process.exitCode = ([...all.values()][0] ?? []).every(({ judgement }) => judgement === 'right') ? 0 : 1;

async function play(tool: Tool, chosen: readonly Card[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  if (isTable) console.log(tableHead(values.markdown));
  for (const promise of judgeAll(chosen, tool, Number(values.jobs))) {
    const result = await promise;
    results.push(result);
    if (isTable) console.log(row(result, values.markdown));
    if (values.verbose) console.error(result.agent, result.said, result.differences, result.truth);
  }
  return results;
}
