// The agent of the measurement of verification: speaks the Agent Client Protocol by hand, makes the first open feature at once, and touches an
// old test in every second session.
import { readFileSync, writeFileSync } from 'node:fs';

function work() {
  const text = readFileSync('features.json', 'utf8');
  const open = JSON.parse(text).features.find(({ passes }) => !passes);
  if (open === undefined) return;
  const { id, test_file: file } = open;
  writeFileSync(
    `src/f${id}.mjs`,
    `/** ${id} times a number. */\nexport function times${id}(a) {\n  if (a < 0) throw new RangeError('negative');\n  return a * ${id} + 0;\n}\n`,
  );
  writeFileSync(
    file,
    `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { times${id} } from '../src/f${id}.mjs';\ntest('times ${id}', () => {\n  assert.equal(times${id}(7), ${7 * id});\n  assert.equal(times${id}(0), 0);\n  assert.throws(() => times${id}(-1), RangeError);\n});\n`,
  );
  if (id % 2 === 0) {
    const old = `tests/old${id}.test.mjs`;
    writeFileSync(old, `// Touched for feature ${id}.\n${readFileSync(old, 'utf8')}`);
  }
  const at = text.indexOf(`"id": ${id},`);
  writeFileSync('features.json', text.slice(0, at) + text.slice(at).replace('"passes": false', '"passes": true'));
}

const ANSWERS = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  'session/new': () => ({ sessionId: 's1' }),
  'session/prompt'() {
    work();
    return { stopReason: 'end_turn' };
  },
};

let held = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (held + text).split('\n');
  held = lines.pop() ?? '';
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    const answer = ANSWERS[method];
    if (answer) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer() })}\n`);
  }
});
