// A server of tools over stdio with one tool: `note` appends its text to the file that is the first argument, and answers
// with the variable A_SECRET.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'note', description: 'Keeps a note.', inputSchema }] }),
  'tools/call': ({ arguments: { text } }) => {
    appendFileSync(process.argv[2], `${text}\n`);
    return { content: [{ type: 'text', text: `noted for ${process.env.A_SECRET}` }] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) say({ id, result: answers[method]?.(params) ?? {} });
});
