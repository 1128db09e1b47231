// A landed item as a pull request.
import { z } from 'zod';
import { ok } from '../../model/result.ts';
import { findItem } from '../backlog/find-item.ts';
import { proposalOf } from '../../loop/proposals.ts';
import { propose } from '../forge/propose.ts';
import { readProposed } from '../forge/read-back.ts';
import { openTarget } from '../open/target.ts';
import { operation } from './operation.ts';

const list = <S extends z.ZodType>(shape: S) => z.array(shape).readonly();
const checkState = z.enum(['pending', 'passed', 'failed']);

export const pr = operation({
  name: 'pr',
  kind: 'write',
  about: 'Opens a pull request for a landed item, or brings it up to date; repeating it makes no second one.',
  command: 'pr ITEM',
  // The checks of a local forge are commands of the project: they do not run in the server.
  words: ({ item, checks }) => ['pr', ...(checks ? ['--checks'] : []), '--', item],
  input: z.object({
    item: z.string().describe('its id, with or without #, or a unique prefix'),
    checks: z.boolean().default(false).describe('with the state of its checks; a local forge runs its `ci` first'),
  }),
  output: z.object({
    item: z.string(),
    title: z.string(),
    result: z.enum(['opened', 'updated', 'unchanged']),
    state: z
      .enum(['open', 'closed', 'merged'])
      .describe('merged, of a landing that waited for it: the next run takes it'),
    asked: z.number().describe('what reviewers asked for, and the next session of the item answers'),
    number: z.number(),
    url: z.string(),
    branch: z.string(),
    base: z.string(),
    head: z.string().describe('what the branch is at'),
    commits: list(z.object({ landing: z.string(), commit: z.string() })).describe(
      'each landing and its commit on the branch; the same where it fits there as it landed',
    ),
    checks: z
      .object({
        state: z.enum([...checkState.options, 'none']),
        checks: list(
          z.object({ name: z.string(), state: checkState, url: z.string().nullable(), summary: z.string() }),
        ),
      })
      .nullable()
      .describe('null: not asked for'),
  }),
  async run(asker, { item: word, checks: withChecks }) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const subject = await findItem(target.value, word);
    if (!subject.ok) return subject;
    const waiting = proposalOf(target.value, subject.value.id);
    const done =
      waiting === null
        ? await propose(target.value, { subject: subject.value, catalogue: asker.catalogue, withChecks })
        : await readProposed(target.value, waiting, withChecks);
    if (!done.ok) return done;
    const { pull, how, branch, baseBranch, head, commits, checks } = done.value;
    const asked = proposalOf(target.value, subject.value.id)?.findings.length ?? 0;
    const { id, title } = subject.value;
    const answer = {
      item: id,
      title,
      result: how,
      state: pull.state,
      asked,
      number: pull.number,
      url: pull.url,
      branch,
      base: baseBranch,
      head,
      commits,
      checks: checks && { state: checks.state, checks: checks.checks },
    };
    return ok({ answer, detail: null });
  },
});
