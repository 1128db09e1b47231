// After a feature was validated, its documentation is written. It is part of the same landing: the whole is proved again, and if that fails the
// feature lands without it.
import { openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { Config } from '../../model/config.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';
import type { Acceptance, HeldWork, Reproved } from '../session/item/kind.ts';
import { judge } from '../session/verdicts.ts';
import { documenter } from './briefs.ts';
import { changedSince } from '../session/strays.ts';
import { askRole } from './role-session.ts';

type R = Run<Actions>;

/** Text for people: no code, no test, no configuration. */
const IS_DOCUMENT =
  /(?:^|\/)(?:docs?|man)\/[^.][^/]*(?:\/.*)?\.(?:md|mdx|txt|rst|adoc|png|svg)$|\.(?:md|mdx|rst|adoc)$|(?:^|\/)(?:CHANGELOG|README|NOTICE)(?:\.\w+)?$/i;
const isDocument = (path: string): boolean => IS_DOCUMENT.test(path) && !path.startsWith('.');

export async function documented(
  run: R,
  closing: ClosingSession,
  { held, before }: { readonly held: HeldWork; readonly before: Checkpoint },
  config: Config,
): Promise<Acceptance<Reproved>> {
  const { facts, checkpoint, session } = closing;
  const asItIs = { is: 'accepted', verdict: held.verdict, strength: held.strength } as const;
  await askRole(
    run,
    {
      role: 'documenter',
      item: facts.id,
      title: facts.title,
      attempt: 1,
      opening: openingSay(documenter, { item: facts.id, since: checkpoint.commit }),
      read: (text) => Promise.resolve({ answer: text }),
    },
    config,
  );
  const { paths } = await readFacts(run, changedSince, { since: before.commit });
  const strays = paths.filter((path) => !isDocument(path));
  if (strays.length > 0) await run.do('strays', { kind: 'restore', checkpoint: before, paths: strays });
  if (paths.length === strays.length) return asItIs;
  const { verdict, strength, problems } = await judge(run, { facts, checkpoint, session }, config);
  const isProved =
    problems.length === 0 && strength !== null && strength.doubts.length <= (held.strength?.doubts.length ?? 0);
  if (isProved) return { is: 'accepted', verdict, strength };
  await run.do('without', { kind: 'restore', checkpoint: before, paths });
  return asItIs;
}
