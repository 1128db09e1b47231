// The liars bench: every agent against one tool, as a table. `node bench/liars/run.ts [--tool NAME] [--only NAME,…] [--json]
// [--jobs N] [--markdown]`. Exit code 1 where anything was judged wrongly.
import { parseArgs } from 'node:util';
import { allCards } from './card.ts';
import { judgeAll, type Result } from './judge.ts';
import { closing, row, tableHead } from './table.ts';
import { TOOLS } from './tools/all.ts';
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

const tool = TOOLS.find(({ name }) => name === values.tool);
if (tool === undefined) {
  console.error(`--tool is one of ${TOOLS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
if (!(await tool.ready())) {
  console.error(`SKIPPED: ${tool.name} cannot be had here`);
  process.exit(0);
}
const wanted = values.only.split(',');
const cards = (await allCards()).filter(({ name }) => values.only === '' || wanted.includes(name));
const playable = cards.filter(({ world }) => canPlay(world));
for (const { name, world } of cards) if (!canPlay(world)) console.error(`SKIPPED: ${name} needs ${world}`);

const results: Result[] = [];
if (!values.json) console.log(tableHead(values.markdown));
for (const promise of judgeAll(playable, tool, Number(values.jobs))) {
  const result = await promise;
  results.push(result);
  if (!values.json) console.log(row(result, values.markdown));
  if (values.verbose) console.log(result.said, result.differences, result.truth);
}
if (values.json) console.log(JSON.stringify({ schema: 1, tool: tool.name, results }, null, 2));
else console.log(`\n${closing(results)}`);
process.exit(results.every(({ judgement }) => judgement === 'right') ? 0 : 1);
