// Title and text of a pull request of a landing that no branch has yet: its evidence.
import type { Catalogue } from '../../host/catalogue.ts';
import type { LandingPlace } from '../../loop/run-context.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Git } from '../../repos/git.ts';
import { readEach } from '../../repos/objects.ts';
import { landingOf } from '../evidence/landings.ts';
import { factsOf } from './landed.ts';
import { pullBody } from './pull-body.ts';

export async function describePull(
  git: Git,
  { item, title, commit }: LandingPlace,
  catalogue: Catalogue,
): Promise<Result<{ readonly title: string; readonly body: string }>> {
  const [object] = await readEach(git, [commit]);
  const found = object === undefined || object === null ? [] : [landingOf(commit, object.bytes)];
  const landings = await factsOf(git, item, found);
  const subject = landings[0]?.facts.subject ?? '';
  return ok({
    title: subject === '' ? title : subject,
    body: pullBody({ item, title, landings, isPicked: false }, catalogue),
  });
}
