// `harness report`: what a run did, as text, Markdown or one HTML file.
import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { report as operation } from '../../app/operations/report.ts';
import { realIo } from '../../host/io.ts';
import { entryOf } from '../../model/entry.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { textOf, type CommandSpec } from '../command.ts';
import { outlineOf } from '../show/report/outline.ts';
import { reportHtml } from '../show/report/html.ts';
import { reportMarkdown } from '../show/report/markdown.ts';
import { reportText } from '../show/report/text.ts';

const FORMATS = ['text', 'markdown', 'html'] as const;
type Format = (typeof FORMATS)[number];
const BY_ENDING: { readonly [ending: string]: Format } = { '.md': 'markdown', '.html': 'html', '.htm': 'html' };

export const report: CommandSpec = {
  name: 'report',
  args: '[run]',
  options: [
    { flags: '--format <format>', about: 'text, markdown or html; else by the ending of FILE' },
    { flags: '--out <file>', about: 'write it to a new file' },
  ],
  examples: [
    'harness report',
    'harness report --out night.html',
    'harness report r-20260301080000-1f497d3 --format markdown',
  ],
  async run(call) {
    const { caller, args } = call;
    const out = textOf(call, 'out');
    const word = textOf(call, 'format') ?? entryOf(BY_ENDING, extname(out ?? '').toLowerCase()) ?? 'text';
    const format = FORMATS.find((one) => one === word);
    if (format === undefined)
      return err(
        failure('usage', {
          what: `--format must be ${FORMATS.join(', ')}, not '${word}'`,
          hint: 'harness report --help',
        }),
      );
    const file = out === null ? null : resolve(caller.cwd, out);
    if (file !== null && existsSync(file))
      return err(failure('file-exists', { file, option: '--out' }, { at: { file } }));
    const read = await operation.run(caller, { run: args[0] ?? 'last' });
    if (!read.ok) return read;
    const document = outlineOf(read.value.answer, caller.catalogue);
    const lines: { readonly [F in Format]: () => readonly string[] } = {
      text: () => reportText(document, (style, text) => (file === null ? caller.tint(style, text) : text)),
      markdown: () => [reportMarkdown(document).trimEnd()],
      html: () => [reportHtml(document).trimEnd()],
    };
    const made = caller.json && file === null ? [] : lines[format]();
    if (file === null) return ok({ exit: 0, json: read.value.answer, lines: made });
    realIo().replace(file, `${made.join('\n')}\n`);
    return ok({ exit: 0, json: read.value.answer, lines: [caller.catalogue.text('report.written', { file })] });
  },
};
