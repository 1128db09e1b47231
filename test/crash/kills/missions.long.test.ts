// A mission with three lanes, killed: from its specification to its end, with a feature that a validator refuses at first, an assertion that an
// architect makes clear, an issue that becomes a feature, a documenter and a curator. Each plan, feature and issue happens once.
import { test } from 'vitest';
import { amountOf } from '../../support/effort.ts';
import { contractFor, missionFile } from '../../support/mission.ts';
import { openFixtureProject, type FixtureProject } from '../fixture-project.ts';
import { judgeOf } from '../mission/holds.ts';
import { feature, missionProject } from '../mission/shop.ts';
import { script, session, USED, type Step } from '../scenarios.ts';
import { dieInLanes } from './in-lanes.ts';

const CONFIG = `lanes: 3
sandbox: { level: none }
verification: { fix_turns: 0, mutation: off }
mission: { documenter: true, curate_every: 3 }
`;
/** The fourth depends on the first. */
const NAMES = ['pay', 'leave', 'look', 'ask'] as const;
const FEATURES = NAMES.map((name, n) => feature(n + 1, name, n === 3 ? { depends_on: ['F-001'] } : {}));
/** A test of each of these things, one after the other. */
const testOf = (...names: readonly string[]): string =>
  `#!/bin/sh
n=0
bad=0
echo 'TAP version 13'
for name in ${names.join(' ')}; do
  n=$((n+1))
  if test -f "$name.txt"; then echo "ok $n - $name"; else echo "not ok $n - $name"; bad=1; fi
done
echo "1..$n"
exit $bad
`;
const { 'tests/leave.sh': _leave, 'tests/pay.sh': _pay, ...project } = missionProject(CONFIG);
const FILES = {
  ...project,
  'SPEC.md': 'A shop where one can pay, leave, look and ask.\n',
  ...Object.fromEntries(NAMES.map((name) => [`tests/${name}.sh`, testOf(name)])),
};

const builds = (name: string): readonly Step[] => [
  { write: { path: `${name}.txt`, text: `${name}\n` } },
  { write: { path: 'last.txt', text: `${name}\n` } },
  USED,
  { say: `${name} is built.\nNOTE: ${name} has a file of its own` },
];
const verdict = (id: string, what: 'pass' | 'fail' | 'unclear', issues: readonly object[] = []): Step => ({
  say: JSON.stringify({
    assertions: [{ id, verdict: what, why: 'as it is', path: 'all.sh', quote: 'for test in tests/*.sh' }],
    issues,
  }),
});
const LIMIT = { title: 'No limit', why: 'It grows.', path: 'pay.txt', severity: 'high' };
const judges = (n: number, ...more: readonly object[]): object =>
  session({ role: 'validator', item: `F-00${n}` }, [verdict(`VAL-CHORE-00${n}`, 'pass', more)]);

const WORK = script(
  session({ role: 'planner' }, [
    { write: { path: '.harness/plan/features.json', text: missionFile(FEATURES, { team: 'blue' }) } },
    { write: { path: '.harness/plan/validation-contract.md', text: contractFor(FEATURES) } },
    { say: 'The plan is written.' },
  ]),
  session({ role: 'plan-reviewer' }, [{ say: 'ACCEPT' }]),
  ...NAMES.map((name, n) => session({ role: 'worker', item: `F-00${n + 1}` }, builds(name))),
  session({ role: 'worker', item: 'F-FIX-001' }, [
    { write: { path: 'limit.txt', text: 'limit\n' } },
    { write: { path: 'tests/pay.sh', text: testOf('pay', 'limit'), executable: true } },
    USED,
    { say: 'There is a limit.' },
  ]),
  session({ role: 'validator', item: 'F-002', attempt: 1 }, [verdict('VAL-CHORE-002', 'fail')]),
  judges(1, LIMIT),
  judges(2),
  judges(3),
  judges(4),
  session({ role: 'validator', item: 'F-FIX-001' }, [verdict('VAL-FIX-001', 'pass')]),
  session({ role: 'orchestrator' }, [{ say: 'CONVERTED\nFIX 1: Limit the queue' }]),
  session({ role: 'documenter' }, [{ say: 'Nothing to document.' }]),
  session({ role: 'curator' }, [
    { write: { path: '{{OUTPUT}}', text: '## Summary\nAll is well.\n## Memory\nNothing yet.\n## Promote\n' } },
    { say: 'Curated.' },
  ]),
);

const scenario = {
  name: 'a mission with three lanes',
  files: FILES,
  script: () => ({}),
  reason: 'nothing-left',
  ends: { 'F-001': 1, 'F-002': 2, 'F-003': 1, 'F-004': 1, 'F-FIX-001': 1 },
  made: [...NAMES, 'last', 'limit'].map((name) => `${name}.txt`),
};
const judge = judgeOf(scenario);

async function wrongAtTheEnd(shop: FixtureProject, kills: number): Promise<readonly string[]> {
  const faults = Array.from({ length: kills }, () => 'before' as const);
  const kept = ['refs/harness/parked', 'refs/harness/wip'];
  return [
    ...(await judge.atEnd(shop, scenario.reason, null, faults)),
    ...shop
      .git('for-each-ref', '--format=%(refname)', ...kept)
      .split('\n')
      .filter(Boolean),
    ...(shop.git('branch', '--format=%(refname:short)') === 'main' ? [] : ['a branch is left']),
    ...(/All is well/.test(shop.read('.harness/memory/summary.md') ?? '') ? [] : ['the memory was not curated']),
  ];
}

test('killed at any of its calls, a mission with three lanes is planned once, lands every feature once, and leaves nothing behind', () =>
  dieInLanes(openFixtureProject(FILES, WORK), {
    name: 'a mission in lanes',
    kills: amountOf(2, 2, 150),
    calls: { early: 500, late: 4_000 },
    wrongAfterDeath: judge.afterDeath,
    wrongAtTheEnd,
  }));
