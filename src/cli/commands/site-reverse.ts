// `harness site-reverse URL`: a specification from a site that is served.
import { siteAnswer } from '../../app/operations/plan.ts';
import { openForSites, reverseSite, SITE_LIMITS, type SiteReport } from '../../app/setup/site-reverse.ts';
import { failure } from '../../model/failure.ts';
import { toJson } from '../../model/json.ts';
import { err, ok } from '../../model/result.ts';
import { stoppable, textOf, type Answer, type Caller, type CommandCall, type CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showNotices } from '../notices.ts';
import { narrator } from '../show/narrator.ts';

export const siteReverse: CommandSpec = {
  name: 'site-reverse',
  args: '[url]',
  options: [
    {
      flags: '--out <file>',
      about: 'the specification (default: docs/spec/site.md); its acceptance criteria are beside it',
    },
    { flags: '--pages <n>', about: `at most so many pages are opened (default: ${SITE_LIMITS.pages})` },
    { flags: '--depth <n>', about: `links that a page may be away from the first (default: ${SITE_LIMITS.depth})` },
    { flags: '--browser <program>', about: 'a Chromium, by path or name (default: the first on the PATH)' },
  ],
  examples: ['harness site-reverse http://127.0.0.1:3000/', 'harness site-reverse https://shop.example/ --pages 30'],
  async run(call) {
    const { caller } = call;
    const [url] = call.args;
    if (url === undefined)
      return err(
        failure('usage', { what: 'no address is given', hint: 'harness site-reverse http://127.0.0.1:3000/' }),
      );
    const target = await openForSites(caller);
    if (!target.ok) return target;
    showNotices(target.value, caller);
    const wish = {
      url,
      out: textOf(call, 'out'),
      pages: number(call, 'pages'),
      depth: number(call, 'depth'),
      browser: textOf(call, 'browser'),
    };
    const about = { wish, cwd: caller.cwd };
    const done = await stoppable(caller, (signal) => reverseSite(target.value, about, signal, narrator(caller)));
    if (!done.ok) return done;
    const { failure: why } = done.value;
    return why === null ? ok(answerTo(done.value, caller)) : err(why);
  },
};

const number = (call: CommandCall, name: string): number | null => {
  const text = textOf(call, name);
  return text === null ? null : Number(text);
};

function answerTo(report: SiteReport, caller: Caller): Answer {
  const { text, problem, outcome } = caller.catalogue;
  const { made, seen, problems, reason } = report;
  const answer = siteAnswer(report);
  if (made === null || answer === null) {
    const json = { result: 'rejected', reason, problems: toJson(problems) };
    const exit = reason === 'stopped' ? EXIT.interrupted : EXIT.verification;
    const lines = problems.map((one) => `  ${problem(one)}`);
    return { exit, json, lines: [text('site.rejected', { reason: outcome(reason) }), ...lines] };
  }
  const { statements, criteria, notSeen } = made.result;
  return {
    exit: EXIT.done,
    json: { ...answer, result: 'done' },
    lines: [
      text('site.spec', { file: made.spec, count: statements }),
      text('site.acceptance', { file: made.acceptance, count: criteria }),
      ...(notSeen === 0 ? [] : [text('site.not-seen', { count: notSeen })]),
      text('site.pages', {
        count: seen.pages.length,
        most: seen.pages.length < report.ask.pages ? '' : report.ask.pages,
        folder: seen.folder,
      }),
      text('site.next', { file: made.spec }),
    ],
  };
}
