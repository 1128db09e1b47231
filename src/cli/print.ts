// Prints answers to stdout and failures to stderr.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Failure } from '../model/failure.ts';
import type { Answer, Caller } from './command.ts';
import { exitOf } from './exit-codes.ts';

/** What an answer prints; '' if it has printed everything already. */
export function answerText(name: string, answer: Answer, caller: Caller): string {
  if (caller.json && answer.json === null) return '';
  if (caller.json) return `${JSON.stringify({ schema: `harness.${name}/1`, ...answer.json })}\n`;
  return answer.lines.length > 0 ? `${answer.lines.join('\n')}\n` : '';
}

/** Further causes are only counted, so that the fix stays on the screen. */
const CAUSES_SHOWN = 12;

/** What happened, why, what to do, where. With --json one object. */
export function printFailure(failure: Failure, caller: Caller, exit = exitOf(failure)): void {
  const said = caller.catalogue.failure(failure);
  const more = Number(failure.params['count'] ?? said.causes.length) - CAUSES_SHOWN;
  if (caller.json) {
    const error = {
      code: failure.reason,
      message: said.title,
      why: said.why,
      hint: said.fix[0] ?? '',
      mend: said.fix,
      at: failure.at ?? null,
      causes: said.causes,
      exit,
    };
    process.stderr.write(`${JSON.stringify({ schema: 'harness.error/1', error })}\n`);
    return;
  }
  const isPlaceSaid = said.at === null || said.causes.length > 0 || said.title.includes(said.at);
  const lines = [
    `${caller.paint('red', caller.catalogue.text('error.word'))} ${said.title}  [${failure.reason}, exit ${exit}]`,
    ...said.causes.slice(0, CAUSES_SHOWN).map((cause) => `  ${cause}`),
    ...(said.causes.length > CAUSES_SHOWN ? [`  ${caller.catalogue.text('ids.more', { count: more })}`] : []),
    ...(said.why === '' ? [] : said.why.split('\n').map((line) => `  ${line}`)),
    ...(isPlaceSaid ? [] : [`  ${said.at}`]),
    ...said.fix.map((step) => `  → ${step}`),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** A bug in the program: the stack trace is written to a file, and its path is printed. */
export function printBug(error: unknown, caller: Caller): void {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  let report = '';
  try {
    report = join(mkdtempSync(join(tmpdir(), 'harness-crash-')), 'report.txt');
    writeFileSync(report, `${process.version} ${process.platform}\n${process.argv.slice(2).join(' ')}\n${trace}\n`);
  } catch {
    report = '(the report could not be written)';
  }
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  if (caller.json)
    process.stderr.write(
      `${JSON.stringify({ schema: 'harness.error/1', error: { code: 'unexpected', message, hint: report, at: null, exit: 1 } })}\n`,
    );
  else
    process.stderr.write(
      `${caller.catalogue.text('bug.title', { message })}\n  ${caller.catalogue.text('bug.report', { file: report })}\n`,
    );
  if (caller.verbose) process.stderr.write(`${trace}\n`);
}
