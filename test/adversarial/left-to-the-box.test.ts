// Commands that are stopped by the box, not by the policy: their program, target or code is only known at run time. In a box
// that holds the policy allows them, so each is run here in the box of an agent, with the worst value that it could have.
import { describe, expect, onTestFinished, test } from 'vitest';
import { heldLevels } from '../support/levels.ts';
import { judged, policy } from '../support/tool-policy.ts';
import { openStage, type Stage } from './stage.ts';

const held = await heldLevels();
const inBox = { ...policy(), isBoxed: true };

/** `value`: of the variable `X`, as shell text. `harm`: whether the command did what it was to do. */
type Row = { readonly line: string; readonly value: string; readonly harm: (stage: Stage) => boolean };
const victim = (stage: Stage): boolean => stage.isChanged('seen/victim');
const rows: readonly Row[] = [
  { line: 'rm -rf $X', value: '$SEEN/victim', harm: victim },
  { line: 'rm -rf "${X}"/', value: '$SEEN', harm: victim },
  { line: 'printenv X | xargs rm', value: '$SEEN/victim', harm: victim },
  {
    line: 'eval $(echo "$X" | base64 -d)',
    value: '$(printf %s "rm -f $SEEN/victim" | base64 | tr -d "\\n")',
    harm: victim,
  },
  { line: 'sh -c "$X"', value: 'rm -f $SEEN/victim', harm: victim },
  { line: '$X', value: 'rm -f $SEEN/victim', harm: victim },
  { line: '"$(printenv X)" -f "$SEEN/victim"', value: 'rm', harm: victim },
  { line: 'cd "$X" && echo x > victim', value: '$SEEN', harm: victim },
  { line: 'echo x > "$X"', value: '$TOP/new', harm: (stage) => stage.isThere('new') },
  { line: 'echo x >> "$X"', value: '$HOME/.bashrc', harm: (stage) => stage.isChanged('home/.bashrc') },
  {
    line: 'echo x > "$X"',
    value: '.git/hooks/post-commit',
    harm: (stage) => stage.isThere('main/.git/hooks/post-commit'),
  },
  { line: 'git $X', value: 'config core.fsmonitor ./x', harm: (stage) => stage.isChanged('main/.git/config') },
  { line: 'git $X', value: 'branch another', harm: (stage) => stage.git('branch', '--list', 'another') !== '' },
];

describe.each(rows)('$line with $value', ({ line, value, harm }) => {
  test('is refused without a box, and allowed in one', () => {
    expect(judged(line)).not.toBe('allowed');
    expect(judged(line, inBox)).toBe('allowed');
  });

  const attempt = async (level: 'bwrap' | 'none'): Promise<boolean> => {
    const stage = await openStage(level, { linked: false });
    onTestFinished(() => stage.close());
    const fates = { bwrap: 'stopped', srt: 'gets through', pidns: 'gets through', none: 'gets through' } as const;
    const whole = `export X="${value}"; ${line}`;
    await stage.attempt({ part: 'Agents', name: line, line: whole, escaped: harm, fates, isAgent: true });
    return harm(stage);
  };
  test.skipIf(!held.has('bwrap'))('does no harm in the box', async () => {
    expect(await attempt('bwrap')).toBe(false);
  });
  test('does harm without it', async () => {
    expect(await attempt('none')).toBe(true);
  });
});
