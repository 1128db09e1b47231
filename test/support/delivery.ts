// A delivery without its processes: each step of its procedures is answered by the facts of a story.
import type { ActionOf, Run } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';
import type { CiOutcome, FindPullOutcome } from '../../src/model/forge-action.ts';
import type { ClosingSession } from '../../src/playbooks/session/ending-hooks.ts';
import { checkpoint, facts, failing, problem, strength, turn, usage, verdict } from './outcomes.ts';
import { runOf } from './run.ts';

export const COMMIT = 'a'.repeat(40);
export const BASE = 'b'.repeat(40);

/** What happens, in order; the last of a list is repeated. */
export type DeliveryStory = {
  /** Last messages by role. */
  readonly says?: { readonly [role: string]: readonly string[] };
  readonly e2e?: readonly ('passes' | 'fails' | 'hangs')[];
  readonly ci?: readonly CiOutcome['state'][];
  /** Checks may be registered later. */
  readonly mayCome?: boolean;
  readonly answers?: readonly string[];
  /** What its pull request is, each time it is looked for. */
  readonly pulls?: readonly FindPullOutcome[];
  /** Of the work tree, when the end-to-end tests are asked for. */
  readonly tree?: string;
  readonly record?: object;
  readonly changed?: readonly string[];
  readonly pages?: object;
  /** Paths that the first fix changes. */
  readonly fixed?: readonly string[];
  /** Whether quotes are found in the files; left out: they are. */
  readonly isInFiles?: boolean;
};

const USUAL: { readonly [role: string]: readonly string[] } = {
  reviewer: ['No findings.'],
  'ui-reviewer': ['No findings.'],
  fixer: ['Fixed.'],
  preparer: ['Title: Add a cart\n\nIt holds goods.'],
  'merge-checker': ['No findings. Ready to enable auto-merge.'],
};

export type DeliveryRun = {
  readonly run: Run<Actions>;
  /** Roles that were asked, checks and forge actions, in their order. */
  readonly did: string[];
  readonly asked: ActionOf<Actions>[];
};

export function deliveryRun(story: DeliveryStory = {}): DeliveryRun {
  const did: string[] = [];
  const asked: ActionOf<Actions>[] = [];
  const counts = new Map<string, number>();
  const next = <T>(name: string, all: readonly T[], usual: T): T => {
    const n = counts.get(name) ?? 0;
    counts.set(name, n + 1);
    return all[Math.min(n, all.length - 1)] ?? usual;
  };
  const run = runOf((name, action) => {
    asked.push(action);
    switch (action.kind) {
      case 'survey':
        if (name.endsWith('scope/changed-since')) return { facts: { paths: story.fixed ?? [] } };
        return { facts: factsOf(action, story) };
      case 'session': {
        if (action.turn === 1) did.push(action.role);
        return turn({ text: next(action.role, story.says?.[action.role] ?? USUAL[action.role] ?? [], 'Done.') });
      }
      case 'check': {
        if (action.purpose !== 'e2e') return verdict();
        did.push('e2e');
        const tree = story.tree ?? 'tree-verified';
        const how = next('e2e', story.e2e ?? [], 'passes');
        if (how === 'passes') return verdict({ tree });
        return failing([problem(how === 'hangs' ? 'check-timed-out' : 'check-failed')], { tree });
      }
      case 'pages':
        did.push(`pages-${action.purpose}`);
        return story.pages ?? { problems: [], text: 'heading "Cart"', folder: '' };
      case 'ask':
        did.push(`ask:${action.subject}`);
        return { option: next('ask', story.answers ?? [], action.recommended), note: '', by: 'ada', at: name };
      case 'find-pull':
        return next('find-pull', story.pulls ?? [], { state: 'none' });
      case 'propose':
        did.push('propose');
        return { number: 1, url: 'pulls/1', isMerged: false };
      case 'ci': {
        did.push('ci');
        const state = next('ci', story.ci ?? [], 'passed');
        return { state, mayCome: story.mayCome === true, checks: [{ name: 'ci', state, summary: 'red' }] };
      }
      case 'merge-pull':
        did.push('merge');
        return { commit: 'merged', failure: null };
      default:
        return OUTCOMES[action.kind] ?? {};
    }
  });
  return { run, did, asked };
}

const OUTCOMES: { readonly [kind: string]: object } = {
  'choose-agent': { agent: 0, wall: null },
  number: { session: 9 },
  strength: strength(),
  close: { usage, tampering: [] },
  checkpoint,
  restore: { restored: [] },
  write: { written: [] },
  wait: { until: 'then' },
  tidy: { removed: 0 },
  remember: { file: '' },
  'move-file': { commit: 'moved' },
  'follow-base': { commit: BASE },
  'drop-wip': { attempt: null },
};

function factsOf({ survey, input }: ActionOf<Actions, 'survey'>, story: DeliveryStory): object {
  switch (survey) {
    case 'delivery.read-record':
      return { passes: [], accepted: [], ...story.record };
    case 'delivery.look-up': {
      const { findings } = input as { findings: readonly object[] };
      return { looked: findings.map(() => ({ isThere: story.isInFiles ?? true, isChanged: true, wasThere: true })) };
    }
    case 'changed-since':
      return { paths: (input as { since: string }).since === checkpoint.commit ? [] : (story.changed ?? []) };
    case 'delivery.edited-plans':
      return { paths: [] };
    case 'delivery.place':
      return { place: { name: '0001-cart', from: 'docs/plans/0001-cart.md', to: 'docs/plans/completed/0001-cart.md' } };
    default:
      throw new Error(`the survey ${survey} has no facts`);
  }
}

/** A plan whose agent is done. `reached`: as its work in progress says it. */
export const closingAt = (reached?: string): ClosingSession => ({
  facts: facts({
    id: '0001',
    title: 'Cart',
    partial: {
      session: 1,
      reason: 'phase',
      base: BASE,
      wip: 'wip',
      ...(reached === undefined ? {} : { reached }),
    },
  }),
  checkpoint: { ...checkpoint, head: BASE },
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T01:00:00.000Z',
  text: 'Done.',
  session: 4,
});
