// Bundles what is started often: the command line, its smallest start, and the wrapper process around one agent session. Each has files of its
// own, since every file that is loaded costs a command that only looks a hundredth of its time.
import nodeCrypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin, type RolldownOptions } from 'rolldown';
import { z } from 'zod/mini';
import { bundledLicences } from './scripts/bundled-licences.ts';

const licences = bundledLicences();

/** Tables of sentences become JSON, which V8 reads in a sixth of the time that it takes to evaluate them as source. Every start loads them. */
const sentences: Plugin = {
  name: 'sentences as JSON',
  load: {
    filter: { id: /\/sentences\/(?:(?:en|de)\/all|en|de)\.ts$/ },
    async handler(id) {
      const loaded: unknown = await import(id);
      const text = JSON.stringify(JSON.stringify(z.object({ sentences: z.unknown() }).parse(loaded).sentences));
      return { code: `export const sentences = /* @__PURE__ */ JSON.parse(${text});`, moduleType: 'js' };
    },
  },
};

/**
 * Taken as `require` gives it: an import computes all exports of a module of Node, and those of this one load the whole of Web Crypto. Only this one:
 * source-watch.ts replaces functions of others, which an import follows.
 */
const crypto: Plugin = {
  name: 'node:crypto without Web Crypto',
  resolveId: { filter: { id: /^node:crypto$/ }, order: 'pre', handler: (id) => `\0${id}` },
  load: {
    filter: { id: /^\0node:crypto$/ },
    handler: () => ({
      code: [
        "const crypto = /* @__PURE__ */ process.getBuiltinModule('node:crypto');",
        ...Object.keys(nodeCrypto).map((key) => `export const ${key} = /* @__PURE__ */ (() => crypto.${key})();`),
      ].join('\n'),
      moduleType: 'js',
    }),
  },
};

/**
 * Node reads a file of ASCII alone as it is; one other character makes it decode all of it, into twice the memory. An escape means the same in
 * strings and patterns, and `String.raw` is only used for patterns.
 */
const ascii: Plugin = {
  name: 'ASCII alone',
  renderChunk(code, { fileName }) {
    if (/\\[\u0080-\uffff]/.test(code))
      throw new Error(`${fileName}: a backslash before a character that is not ASCII`);
    const escaped = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return { code: code.replace(/[\u0080-\uffff]/g, escaped), map: null };
  },
};

type Groups = readonly { readonly name: string; readonly test: RegExp }[];

/** `groups`: modules that go into one file with all that they import; what is imported when needed stays apart. */
const program = (name: string, input: string, groups: Groups = []): RolldownOptions => ({
  input: { [name]: input },
  platform: 'node',
  external: [/^@anthropic-ai\//],
  plugins: [licences, sentences, crypto, ascii],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: `chunks/${name}-[name]-[hash].mjs`,
    minify: false,
    codeSplitting: { groups: [...groups] },
  },
});

/** The page (src/page/): one script, and the files beside it as they are. It needs no network and no build where it runs. */
const page: RolldownOptions = {
  input: { page: 'src/page/main.tsx' },
  platform: 'browser',
  tsconfig: 'src/page/tsconfig.json',
  plugins: [
    licences,
    {
      name: 'files of the page',
      generateBundle() {
        for (const fileName of ['index.html', 'page.css', 'icon.svg'])
          this.emitFile({ type: 'asset', fileName, source: readFileSync(`src/page/${fileName}`, 'utf8') });
      },
    },
  ],
  output: { dir: 'dist/page', format: 'esm', entryFileNames: '[name].js', minify: true, codeSplitting: false },
};

export default defineConfig([
  page,
  program('cli', 'src/cli/main.ts', [
    {
      name: 'reading',
      test: /\/src\/(?:cli\/(?:parse|caller|print|help|exit-codes)|cli\/commands\/(?:status|items)|app\/look\/keep-answer|host\/sentences\/en\/all)\.ts$/,
    },
  ]),
  // CommonJS: loading one module of the other kind takes longer than all that it does.
  {
    input: { glance: 'src/cli/glance.ts' },
    platform: 'node',
    plugins: [licences],
    output: { dir: 'dist', format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
  },
  program('session', 'src/agents/host/main.ts', [{ name: 'serving', test: /\/src\/agents\/host\/wrapper\.ts$/ }]),
  program('scripted', 'src/agents/scripted/main.ts'),
  program('node-reporter', 'src/verify/runners/node/node-reporter.mjs'),
]);
