// A driver to be killed: asks a hosted session for turn 1, says each event's name and the turn's end, then waits for its death.
import { text } from 'node:stream/consumers';
import { openHostedSession } from '../../src/agents/host/client.ts';
import type { DriverOrder } from './agents.ts';

const { order, prompt } = JSON.parse(await text(process.stdin)) as { order: DriverOrder; prompt: string };
const session = openHostedSession({
  ...order,
  onEvent: (_, event) => console.log(event.t),
  signal: new AbortController().signal,
});
await session.turn(1, prompt);
console.log('turn-ended');
setInterval(() => undefined, 1 << 30);
