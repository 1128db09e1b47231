// What a daemon goes through, as data: what the programs do that it starts, what users and others do meanwhile, and what its history says in the end.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clearPaused } from '../../../src/app/open/run-blockers.ts';
import { gatesOf } from '../../../src/app/tick/look.ts';
import { turnOn } from '../../../src/app/tick/switch.ts';
import type { Target } from '../../../src/app/open/target.ts';
import { askedAs, askedOf } from '../../../src/model/gate.ts';
import { DRIFTED } from '../../../src/playbooks/delivery/questions.ts';
import { quickIo } from '../../support/quick-io.ts';
import { deliveryProject, filesOn, inRemote, planNames, published } from '../delivery/shop.ts';
import type { FixtureProject } from '../fixture-project.ts';
import type { QuickScenario } from '../quick/scenarios.ts';
import { HOUR, live, setReachable, type Acts, type Ends, type Plays } from './daemon.ts';

export type TickScenario = QuickScenario & {
  readonly plans: readonly string[];
  /** `0001 harness`: merges in the history, with whose they were. */
  readonly merges: readonly string[];
  /** Other entries of the history, each once; of others there may be more. */
  readonly events: readonly string[];
  /** Programs that are started where no daemon dies, at most. */
  readonly starts: number;
  readonly isReady: boolean;
  /** What it shows that it waits for, with the reason. */
  readonly waits: readonly string[];
};

const nameOf = (plan: string): string => planNames(9).find((name) => name.startsWith(plan)) ?? '';
const isMerged = (shop: FixtureProject, plan: string): boolean =>
  filesOn(shop).includes(`docs/plans/completed/${nameOf(plan)}.md`);

/** As the merge of a plan, whose it may be: its file is moved on the base branch. */
function merge(shop: FixtureProject, plan: string): void {
  if (isMerged(shop, plan)) return;
  const name = nameOf(plan);
  inRemote(
    shop,
    `old=$(git rev-parse main)
export GIT_INDEX_FILE='${join(shop.top, 'merge.index')}'
git read-tree "$old"
blob=$(git rev-parse "main:docs/plans/${name}.md")
printf '0 %040d\\tdocs/plans/${name}.md\\n100644 %s\\tdocs/plans/completed/${name}.md\\n' 0 "$blob" | git update-index --index-info
git update-ref refs/heads/main "$(git commit-tree -p "$old" -m 'chore: plan ${name} is merged' "$(git write-tree)")" "$old"
rm "$GIT_INDEX_FILE"`,
  );
}
function follow(shop: FixtureProject): void {
  shop.git('fetch', '-q', 'origin', 'main');
  shop.git('merge', '-q', '--ff-only', 'FETCH_HEAD');
}

const verdict = (n: number, result: string, reason: string, more: object = {}): object => ({
  run: `r-2099010${n % 10}-120000-0001`,
  result,
  reason,
  gates: [],
  landed: [],
  cost: null,
  ...more,
});

const usual: Plays = ({ shop, child, before }) => {
  if (child.kind === 'look') {
    follow(shop);
    return verdict(before, 'done', 'looked');
  }
  const plan = child.plan ?? '';
  if (isMerged(shop, plan)) return { error: { code: 'item-landed' } };
  merge(shop, plan);
  follow(shop);
  return verdict(before, 'limit', 'max-items', { landed: [plan] });
};

/** A question about the run as a whole, or the answer to it. */
async function askedOnce(target: Target, key: string, ask: object): Promise<string | null> {
  const gates = gatesOf(target);
  const asked = await gates.ask({ gate: 'escalation', item: null, params: {}, evidence: [], ...ask } as never, {
    key,
    epoch: 1,
  });
  if (!asked.ok) throw new Error(JSON.stringify(asked.failure));
  const found = gates.find(asked.value.id);
  return found.ok && found.value?.closed === null ? asked.value.id : null;
}

/** A user answers what is asked, and then resumes. */
const answers: Acts = async ({ target, why }) => {
  if (why !== 'paused' && why !== 'question') return false;
  const gates = gatesOf(target);
  const open = gates.list({ open: true });
  const [first] = open.ok ? open.value : [];
  if (first !== undefined) await gates.answer(first.gate.id, { option: 'continue', note: '', by: 'Ada' });
  else clearPaused(target);
  return true;
};
const nothing: Acts = () => false;

type Parts = Pick<TickScenario, 'name' | 'merges'> &
  Partial<Pick<TickScenario, 'events' | 'starts' | 'isReady' | 'reason' | 'waits'>> & {
    readonly count?: number;
    readonly config?: string;
    readonly more?: { readonly [path: string]: string };
    readonly plays?: Plays;
    readonly acts?: Acts;
    readonly ends?: Ends;
    readonly before?: (shop: FixtureProject) => void;
  };
const scenario = ({
  count = 1,
  config = '',
  more = {},
  plays = usual,
  acts = nothing,
  ends = 'at-once',
  before,
  ...rest
}: Parts): TickScenario => ({
  events: [],
  starts: count,
  isReady: false,
  waits: [],
  reason: 'nothing-ready',
  ...rest,
  plans: planNames(count),
  script: () => ({}),
  files: { ...deliveryProject({ plans: count, config }), ...more },
  before(shop) {
    published(shop);
    mkdirSync(shop.privateDir, { recursive: true });
    turnOn({ workspaceDir: shop.privateDir, io: quickIo() }, '2099-01-01T11:00:00.000Z');
    before?.(shop);
  },
  live: (shop, io) => live(shop, io, { plays, acts, ends }),
});

const SPEC = {
  'docs/spec.md': '# Shop\n\nOne can pay.\n',
  'docs/spec.acceptance.md': '- [PAY-1] One can pay.\n',
  'docs/plans/0001-pay.md': '# Pay\n\n- Tags: PAY-1\n\n## Work\n\nA customer can pay.\n',
};

export const TICKS: readonly TickScenario[] = [
  scenario({ name: 'two plans, one after the other', count: 2, merges: ['0001 harness', '0002 harness'] }),
  scenario({
    name: 'two plans, whose runs end with the daemon',
    count: 2,
    ends: 'attended',
    merges: ['0001 harness', '0002 harness'],
  }),
  scenario({
    name: 'a run that dies, and its plan merged by others',
    count: 2,
    merges: ['0001 others', '0002 harness'],
    starts: 3,
    plays(about) {
      if (about.child.plan !== '0001') return usual(about);
      merge(about.shop, '0001');
      return null;
    },
  }),
  scenario({
    name: 'no agent for a while: asked again each minute, and then delivered',
    config: 'daemon: { rate_limit_backoff_ms: 60000, max_rate_limit_retries: 5 }\n',
    merges: ['0001 harness'],
    events: ['rate_limit_retry'],
    starts: 4,
    async plays(about) {
      const { child, before, target, time } = about;
      if (child.kind !== 'run' || time.passed() > HOUR / 20) return usual(about);
      const gate = await askedOnce(target, `unavailable-${before}`, askedOf('agent-unavailable'));
      return verdict(before, 'gate', 'gate', { gates: gate === null ? [] : [gate] });
    },
  }),
  scenario({
    name: 'a forge that answers with 5xx for two hours',
    merges: ['0001 harness'],
    config: 'daemon: { poll_seconds: 1200 }\n',
    waits: ['resting forge-failing'],
    // 5 seconds, doubled to a quarter of an hour.
    starts: 20,
    plays(about) {
      const isDown = about.time.passed() < 2 * HOUR;
      return isDown ? verdict(about.before, 'blocked', 'forge-failing') : usual(about);
    },
  }),
  scenario({
    name: 'a remote that cannot be reached for two hours',
    config: 'daemon: { poll_seconds: 1200 }\n',
    waits: ['unreachable forge-unreachable'],
    merges: ['0001 harness'],
    before: (shop) => setReachable(shop, false),
    acts({ shop, time }) {
      if (existsSync(join(shop.top, 'remote.git')) || time.passed() < 2 * HOUR) return false;
      setReachable(shop, true);
      return true;
    },
  }),
  scenario({
    name: 'a release that is ready, and a product that has drifted',
    config: 'release_gate: { spec_path: docs/spec.md }\nfidelity: { every_n_plans: 1, threshold: 40 }\n',
    more: SPEC,
    merges: ['0001 harness'],
    events: ['release_ready', 'fidelity_blocked'],
    isReady: true,
    starts: 2,
    async plays(about) {
      if (about.child.kind !== 'fidelity') return usual(about);
      const { shop, target, before, time } = about;
      const drift = { at: time.clock.iso(), spec: 'docs/spec.md', score: 55, threshold: 40, findings: [] };
      writeFileSync(join(shop.stateDir, 'fidelity.json'), JSON.stringify(drift));
      const gate = await askedOnce(target, `drift-${before}`, {
        ...askedAs('delivery-drifted', DRIFTED),
        item: 'fidelity',
      });
      return verdict(before, 'gate', 'gate', { gates: gate === null ? [] : [gate] });
    },
    acts: answers,
  }),
];
