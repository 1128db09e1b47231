// The agent of the measurements: speaks the Agent Client Protocol by hand and does its work at once. No imports but
// Node's own, so that its start-up is Node's. Waits BENCH_WAIT_MS first, if that is set. Writes when it was busy, and how much of a processor it has used since its start, into BENCH_BUSY, one JSON line an interval.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const busy = (what, from, to) => {
  const file = process.env.BENCH_BUSY;
  const { user, system } = process.cpuUsage();
  if (file) appendFileSync(file, `${JSON.stringify({ what, from, to, cpuMs: (user + system) / 1e3 })}\n`);
};
const now = () => performance.timeOrigin + performance.now();

/** Makes a feature, without an id the first one that does not pass: the thing, the test that asks for it, and the claim by the smallest edit. */
function work(id) {
  const text = readFileSync('features.json', 'utf8');
  const at = text.indexOf('"passes": false', id === undefined ? 0 : text.indexOf(`"id": ${id},`));
  const file = /"test_file": "([^"]+)"[^{]*$/.exec(text.slice(0, at))?.[1];
  if (at < 0 || file === undefined) return;
  const thing = `things/${file.replace(/\W/g, '-')}`;
  mkdirSync('things', { recursive: true });
  writeFileSync(thing, 'pass\n');
  writeFileSync(file, `${thing}\n`);
  writeFileSync('features.json', `${text.slice(0, at)}"passes": true ${text.slice(at + '"passes": false'.length)}`);
}

const ANSWERS = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  'session/new': () => ({ sessionId: 's1' }),
  async 'session/prompt'({ prompt = [] } = {}) {
    const waitMs = Number(process.env.BENCH_WAIT_MS ?? 0);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const text = prompt.map((block) => block.text ?? '').join('\n');
    work(/^FEATURE_ID=(\d+)$/m.exec(text)?.[1]);
    return { stopReason: 'end_turn' };
  },
};

let held = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (held + text).split('\n');
  held = lines.pop() ?? '';
  for (const line of lines) {
    const from = now();
    const { id, method, params } = JSON.parse(line);
    const answered = Promise.resolve(ANSWERS[method]?.(params));
    void answered.then((result) => {
      if (result) say({ id, result });
      busy(method, from, now());
    });
  }
});
busy('start', performance.timeOrigin, now());
