// What is written on an issue: the item when it is created, its evidence when it landed, an explanation when a person reopened it.
import type { Catalogue } from '../../host/catalogue.ts';
import type { Subject } from '../../model/item.ts';
import { factsOf, landingsOfItem } from '../forge/landed.ts';
import { plainName } from '../forge/plain-name.ts';
import { pullBody } from '../forge/pull-body.ts';
import type { Target } from '../open/target.ts';

/** `dependsOn`: as `#12` where an item has an issue. */
export function issueBody(subject: Subject, dependsOn: readonly string[], { text }: Catalogue): string {
  const { id, title, steps, testFile, proof } = subject;
  const proved = testFile ?? proof?.command ?? null;
  return [
    text('issue.about', { item: id, title: plainName(title) }),
    steps.map((step) => `- ${plainName(step)}`).join('\n'),
    proved === null ? '' : text('issue.proof', { proof: proved.replace(/\s+/g, ' ').replaceAll('`', "'") }),
    dependsOn.length === 0 ? '' : text('issue.depends', { items: dependsOn.join(', ') }),
    text('issue.mirror'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What the item is done by: its landings on the branch with their evidence, or the decision of a person. */
export async function doneBody({ git }: Pick<Target, 'git'>, subject: Subject, catalogue: Catalogue): Promise<string> {
  const { text } = catalogue;
  const { id: item, title, override } = subject;
  const decided =
    override === null
      ? []
      : [text('issue.decided', { by: plainName(override.by), reason: plainName(override.reason) })];
  const found = await landingsOfItem(git, item);
  if (!found.ok) return [text('issue.done', { item, title: plainName(title) }), ...decided].join('\n\n');
  const landings = await factsOf(git, item, found.value);
  return [...decided, pullBody({ item, title, landings, isPicked: false }, catalogue)].join('\n\n');
}

/** For a person who reopened it. */
export const reopenedBody = (done: string, item: string, { text }: Catalogue): string =>
  [text('issue.reopened', { item }), done].join('\n\n');
