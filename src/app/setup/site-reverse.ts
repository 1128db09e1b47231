// A specification from a site that is served: looks at it, lets a session describe it, and writes both files. Nothing is committed. One that was interrupted
// is continued by the same command; any other command forgets it.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Playbook } from '../../engine/playbook.ts';
import { readText } from '../../host/files.ts';
import { Bug } from '../../model/bug.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { seenSiteSchema, type SiteReverseAsk, type SiteReverseResult } from '../../model/site.ts';
import type { Problem } from '../../model/verdict.ts';
import { OF_SITES, playbookNamed } from '../../playbooks/registry.ts';
import { checkRoles, type Watcher } from '../open/run-context.ts';
import { withRunLock } from '../open/run-lock.ts';
import { openTarget, type Target } from '../open/target.ts';
import type { Where } from '../open/project-view.ts';
import { driveAlone } from './drive-alone.ts';
import { blockerBesideItems, forgetSite, siteFile, siteJournal, SITE_RUN } from '../open/unfinished-sessions.ts';

/** Where the specification is written if the user names no file. */
const OUT = 'docs/spec/site.md';
export const SITE_LIMITS = { pages: 12, depth: 3, mostPages: 100, mostDepth: 10 } as const;

export type SiteWish = {
  readonly url: string;
  readonly out: string | null;
  readonly pages: number | null;
  readonly depth: number | null;
  readonly browser: string | null;
};
export type SiteReport = {
  readonly ask: SiteReverseAsk;
  /** Paths of both files; null: nothing was written. */
  readonly made: { readonly spec: string; readonly acceptance: string; readonly result: SiteReverseResult } | null;
  /** Pages that were looked at, addresses that were not, and where the pictures are. */
  readonly seen: { readonly pages: readonly string[]; readonly folder: string };
  readonly problems: readonly Problem[];
  readonly reason: string;
  readonly failure: Failure | null;
};

/** With the playbook that can do it, where no configuration names one. */
export const openForSites = (where: Where): Promise<Result<Target>> =>
  openTarget({ ...where, ...(OF_SITES === undefined ? {} : { playbook: OF_SITES.name }) });

/** Fails with `usage`, `file-exists`, and as a run that cannot start. */
export async function reverseSite(
  target: Target,
  { wish, cwd }: { readonly wish: SiteWish; readonly cwd: string },
  stop: AbortSignal,
  watcher: Watcher,
): Promise<Result<SiteReport>> {
  const { fromSite } = await playbookNamed(target.config.playbook.machine).load();
  if (fromSite === undefined) return err(ofAnotherPlaybook(target));
  const asked = askOf(target, wish, cwd);
  if (!asked.ok) return asked;
  const ask = asked.value;
  const [spec, acceptance] = [ask.out, fromSite.beside(ask.out)];
  const file = siteFile(target.workspaceDir);
  const begun = fromSite.fileIn(textOf(file));
  const isResumed = begun !== null && JSON.stringify(begun.ask) === JSON.stringify(ask);
  const taken = [spec, acceptance].find((path) => existsSync(join(target.root, path)));
  if (taken !== undefined && !(isResumed && begun.result !== null)) return err(failure('file-exists', { file: taken }));
  const refused = blockerBesideItems(target);
  if (refused !== null) return err(refused);
  const run = `${SITE_RUN}${randomBytes(3).toString('hex')}`;
  // The agent works beside the user's files: what it changes there is of no account.
  const beside: Target = { ...target, config: { ...target.config, isolation: 'worktree' } };
  return withRunLock<SiteReport>(
    beside,
    run,
    'harness site-reverse',
    'box',
    watcher,
    async ({ context }) => {
      const forgotten = isResumed ? ok(null) : forgetSite(target.workspaceDir, target.io);
      if (!forgotten.ok) return forgotten;
      const roles = await checkRoles(context, fromSite.roles);
      if (!roles.ok) return roles;
      const end = await driveAlone(target, context, fromSite.start(ask), {
        run,
        journal: siteJournal(target.workspaceDir),
        file,
        signal: stop,
      });
      if (end.end === 'blocked') return err(end.failure);
      const seen = await seenIn(target);
      const none = { ask, made: null, seen, problems: [], failure: null };
      if (end.end !== 'outcome') return ok({ ...none, reason: 'stopped' });
      const { result, reason, problems, failure: why } = end.outcome;
      const made = result === 'landed' ? writeBoth(target, fromSite, { spec, acceptance }) : null;
      const over = forgetSite(target.workspaceDir, target.io);
      if (!over.ok) return over;
      return ok({ ...none, made, problems, reason, failure: why });
    },
    'agents',
  );
}

function writeBoth(
  target: Target,
  fromSite: NonNullable<Playbook['fromSite']>,
  { spec, acceptance }: { readonly spec: string; readonly acceptance: string },
): SiteReport['made'] {
  const result = fromSite.fileIn(textOf(siteFile(target.workspaceDir)))?.result ?? null;
  if (result === null) throw new Bug('a site was described without a description');
  const { io, root } = target;
  io.replaceAll([
    { path: join(root, spec), text: result.spec },
    { path: join(root, acceptance), text: result.acceptance },
  ]);
  return { spec, acceptance, result };
}

function textOf(file: string): string {
  const text = readText(file);
  return text.ok ? (text.value ?? '') : '';
}

async function seenIn({ view, config }: Target): Promise<SiteReport['seen']> {
  const record = await view.record('site_seen.json');
  const read = record === null ? null : parseJsonFile(record.text, record.file, seenSiteSchema);
  return {
    pages: read?.ok === true ? read.value.pages.map(({ page }) => page) : [],
    folder: `${config.paths.stateDir}/site`,
  };
}

const usage = (what: string, hint: string): Failure => failure('usage', { what, hint });

const ofAnotherPlaybook = ({ config, playbook }: Target): Failure =>
  usage(
    `site-reverse belongs to the playbook ${OF_SITES?.name ?? ''}, and ${config.source ?? 'this project'} says ${playbook.name}`,
    `playbook: ${OF_SITES?.name ?? ''}   (in a configuration of its own: harness --config FILE site-reverse URL)`,
  );

function askOf({ root }: Pick<Target, 'root'>, wish: SiteWish, cwd: string): Result<SiteReverseAsk> {
  const hint = 'harness site-reverse http://127.0.0.1:3000/';
  const url = URL.canParse(wish.url) ? new URL(wish.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return err(usage(`${JSON.stringify(wish.url)} is no address that begins with http:// or https://`, hint));
  if (url.username !== '' || url.password !== '')
    return err(usage('the address has a name or a password in it, which would be recorded', hint));
  url.hash = '';
  const file = wish.out === null ? join(root, OUT) : resolve(cwd, wish.out);
  const out = relative(root, file).replaceAll('\\', '/');
  const isInside = out !== '' && !out.startsWith('../') && !isAbsolute(out) && !/^\.(?:git|harness)\//.test(out);
  if (!isInside || !/\.md$/i.test(out))
    return err(usage('--out must be a Markdown file in the repository', `${hint} --out ${OUT}`));
  const { pages = SITE_LIMITS.pages, depth = SITE_LIMITS.depth } = { ...defined(wish) };
  if (!isWithin(pages, 1, SITE_LIMITS.mostPages))
    return err(usage(`--pages must be a whole number from 1 to ${SITE_LIMITS.mostPages}`, `${hint} --pages 12`));
  if (!isWithin(depth, 0, SITE_LIMITS.mostDepth))
    return err(usage(`--depth must be a whole number from 0 to ${SITE_LIMITS.mostDepth}`, `${hint} --depth 3`));
  return ok({ url: url.href, out, pages, depth, browser: wish.browser });
}

const defined = ({ pages, depth }: SiteWish): { readonly pages?: number; readonly depth?: number } => ({
  ...(pages === null ? {} : { pages }),
  ...(depth === null ? {} : { depth }),
});
const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most;
