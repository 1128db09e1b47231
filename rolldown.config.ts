// Bundles what is started often: the command line, and the wrapper process around one agent session.
import { defineConfig } from 'rolldown';

export default defineConfig({
  input: {
    cli: 'src/cli/main.ts',
    session: 'src/agents/host/main.ts',
    scripted: 'src/agents/scripted/main.ts',
    'node-reporter': 'src/verify/reports/node-reporter.mjs',
  },
  platform: 'node',
  external: [/^@anthropic-ai\//],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name]-[hash].mjs',
    minify: false,
  },
});
