// The tamper guard: what an agent may change, what is restored, and that a crash in between loses neither.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realIo, type Io } from '../host/io.ts';
import {
  closeTamperGuard,
  isTamperGuardOpen,
  keptTexts,
  openTamperGuard,
  settleTamperGuard,
  type GuardedFile,
} from './tamper-guard.ts';

let base = '';
let root = '';
let into = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'harness-guard-')));
  root = join(base, 'repo');
  into = join(base, 'private', 'window-1');
  mkdirSync(join(root, '.harness'), { recursive: true });
  write('features.json', '[{"id":1,"passes":false}]');
  write('.harness.yaml', 'playbook: features\n');
  write('.harness/test_baseline.json', Buffer.from([0xff, 0x00, 0x0a]));
  write('claude-progress.txt', 'one\n');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (path: string, content: string | Buffer) => writeFileSync(join(root, path), content);
const read = (path: string) => readFileSync(join(root, path));
const files: GuardedFile[] = [
  { path: 'features.json', rule: 'claimed', problem: 'harness-file-edited' },
  { path: '.harness.yaml', rule: 'restored', problem: 'config-edited' },
  { path: 'harness.config.json', rule: 'restored', problem: 'config-edited' },
  { path: '.harness/test_baseline.json', rule: 'restored', problem: 'harness-file-edited' },
  { path: 'claude-progress.txt', rule: 'appendable', problem: 'harness-file-edited' },
];
const io = realIo();
const open = () => openTamperGuard(io, { root, files, into });
const close = (through: Io = io) => {
  const closed = closeTamperGuard(through, { into });
  if (!closed.ok) throw new Error(JSON.stringify(closed.failure));
  return closed.value;
};

describe('an honest session', () => {
  test('leaves nothing to report', () => {
    open();
    expect(close()).toEqual({
      problems: [],
      appended: [],
      claims: [{ path: 'features.json', before: '[{"id":1,"passes":false}]', after: '[{"id":1,"passes":false}]' }],
      kept: [],
      edits: [],
    });
  });

  test('may claim and may append, and both stay', () => {
    open();
    write('features.json', '[{"id":1,"passes":true}]');
    write('claude-progress.txt', 'one\ntwo ü\n');
    const found = close();
    expect(found.problems).toEqual([]);
    expect(found.appended).toEqual([{ path: 'claude-progress.txt', text: 'two ü\n' }]);
    expect(found.claims[0]?.after).toBe('[{"id":1,"passes":true}]');
    expect(read('features.json').toString()).toContain('true');
    expect(read('claude-progress.txt').toString()).toBe('one\ntwo ü\n');
  });

  test('may begin a progress log that was not there', () => {
    rmSync(join(root, 'claude-progress.txt'));
    open();
    write('claude-progress.txt', 'first\n');
    expect(close().appended).toEqual([{ path: 'claude-progress.txt', text: 'first\n' }]);
  });
});

describe('tampering', () => {
  const tricks: [string, () => void, string, string][] = [
    ['edits the config', () => write('.harness.yaml', 'x'), '.harness.yaml', 'edited'],
    ['adds a second config', () => write('harness.config.json', '{}'), 'harness.config.json', 'added'],
    [
      'removes the baseline',
      () => rmSync(join(root, '.harness/test_baseline.json')),
      '.harness/test_baseline.json',
      'removed',
    ],
    [
      'removes the whole folder',
      () => rmSync(join(root, '.harness'), { recursive: true }),
      '.harness/test_baseline.json',
      'removed',
    ],
    ['rewrites the log', () => write('claude-progress.txt', 'One\ntwo\n'), 'claude-progress.txt', 'edited'],
    ['shortens the log', () => write('claude-progress.txt', ''), 'claude-progress.txt', 'edited'],
    [
      'makes the config a link',
      () => {
        renameSync(join(root, '.harness.yaml'), join(root, 'mine.yaml'));
        symlinkSync('mine.yaml', join(root, '.harness.yaml'));
      },
      '.harness.yaml',
      'replaced',
    ],
    [
      'makes the config a folder',
      () => {
        rmSync(join(root, '.harness.yaml'));
        mkdirSync(join(root, '.harness.yaml/deep'), { recursive: true });
      },
      '.harness.yaml',
      'replaced',
    ],
    [
      'makes the folder a link',
      () => {
        renameSync(join(root, '.harness'), join(root, 'elsewhere'));
        symlinkSync('elsewhere', join(root, '.harness'));
      },
      '.harness/test_baseline.json',
      'replaced',
    ],
  ];

  test.each(tricks)('an agent that %s is reported and undone byte for byte', (_what, trick, file, change) => {
    const before = files.map((f) => (existsSync(join(root, f.path)) ? read(f.path) : null));
    open();
    trick();
    const found = close();
    expect(found.problems).toEqual([
      {
        code: file.includes('config') || file === '.harness.yaml' ? 'config-edited' : 'harness-file-edited',
        params: { file, change },
      },
    ]);
    expect(files.map((f) => (existsSync(join(root, f.path)) ? read(f.path) : null))).toEqual(before);
    expect(files.every((f) => !statsOf(join(root, f.path))?.isSymbolicLink())).toBe(true);
    expect(close()).toEqual(found);
  });

  test('what the agent wrote instead is kept', () => {
    open();
    write('.harness.yaml', 'theirs');
    const [kept] = close().kept;
    expect(kept?.path).toBe('.harness.yaml');
    expect(readFileSync(kept?.copy ?? '', 'utf8')).toBe('theirs');
  });

  test('the executable bit comes back with the file', () => {
    chmodSync(join(root, '.harness.yaml'), 0o755);
    open();
    rmSync(join(root, '.harness.yaml'));
    write('.harness.yaml', 'x');
    close();
    expect(statSync(join(root, '.harness.yaml')).mode & 0o777).toBe(0o755);
  });

  test('a backlog made a link to another is put back and is no claim', () => {
    open();
    rmSync(join(root, 'features.json'));
    write('other.json', '[]');
    symlinkSync('other.json', join(root, 'features.json'));
    const found = close();
    expect(found.problems.map((p) => p.code)).toEqual(['harness-file-edited']);
    expect(found.claims[0]?.after).toBeNull();
    expect(read('features.json').toString()).toBe('[{"id":1,"passes":false}]');
  });
});

describe("a person's own links", () => {
  test('stay links, and their targets are guarded', () => {
    write('shared.yaml', 'playbook: features\n');
    rmSync(join(root, '.harness.yaml'));
    symlinkSync('shared.yaml', join(root, '.harness.yaml'));
    open();
    write('shared.yaml', 'x');
    expect(close().problems).toHaveLength(1);
    expect(readlinkSync(join(root, '.harness.yaml'))).toBe('shared.yaml');
    expect(read('shared.yaml').toString()).toBe('playbook: features\n');
  });

  test('a state folder that is a link is no tampering', () => {
    renameSync(join(root, '.harness'), join(base, 'state'));
    symlinkSync(join(base, 'state'), join(root, '.harness'));
    open();
    expect(close().problems).toEqual([]);
    expect(lstatSync(join(root, '.harness')).isSymbolicLink()).toBe(true);
  });
});

test('a guard that an older version opened, with a copy of its own for each file, is closed', () => {
  open();
  const manifest = JSON.parse(readFileSync(join(into, 'window.json'), 'utf8'));
  const all = readFileSync(join(into, 'before'));
  rmSync(join(into, 'before'));
  mkdirSync(join(into, 'before'));
  for (const [n, entry] of manifest.files.entries()) {
    if (entry.copy === null) continue;
    const { from, size } = entry.part;
    writeFileSync(join(into, 'before', String(n)), all.subarray(from, from + size));
    Object.assign(entry, { copy: `before/${n}`, part: undefined });
  }
  writeFileSync(join(into, 'window.json'), JSON.stringify(manifest));
  write('.harness.yaml', 'playbook: tasks\n');
  write('.harness/test_baseline.json', 'forged');
  expect(close().problems).toHaveLength(2);
  expect(read('.harness.yaml').toString()).toBe('playbook: features\n');
  expect(read('.harness/test_baseline.json')).toEqual(Buffer.from([0xff, 0x00, 0x0a]));
});

test('a guard whose copies are gone fails, and takes no file for one that was not there', () => {
  open();
  rmSync(join(into, 'before'));
  expect(closeTamperGuard(io, { into })).toMatchObject({ failure: { reason: 'state-unreadable' } });
  expect(read('.harness.yaml').toString()).toBe('playbook: features\n');
});

describe('a crash', () => {
  test('during the session does not take the edited files for the true ones', () => {
    expect(open()).toEqual({ ok: true, value: 'opened' });
    expect(isTamperGuardOpen(into)).toBe(true);
    write('.harness.yaml', 'x');
    expect(open()).toEqual({ ok: true, value: 'was-open' });
    expect(close().problems).toHaveLength(1);
  });

  class Death extends Error {}
  /** Dies before or after the n-th durable step. */
  const dying = (n: number, when: 'before' | 'after'): Io => {
    let steps = 0;
    const step = (run: () => void) => {
      const fatal = ++steps === n;
      if (fatal && when === 'before') throw new Death();
      run();
      if (fatal) throw new Death();
    };
    return {
      ...io,
      replace: (path, text) => step(() => io.replace(path, text)),
      replaceAll: (files) => files.forEach(({ path, text }) => step(() => io.replace(path, text))),
      remove: (path) => step(() => io.remove(path)),
      append: (path, text) => step(() => io.append(path, text)),
    };
  };
  const survive = (run: (through: Io) => unknown, n: number, when: 'before' | 'after'): boolean => {
    try {
      run(dying(n, when));
      return false;
    } catch (error) {
      if (!(error instanceof Death)) throw error;
      return true;
    }
  };

  test('at any step of opening or closing changes no finding and no file', () => {
    const tamper = () => {
      write('.harness.yaml', 'x');
      write('harness.config.json', '{}');
      write('claude-progress.txt', 'one\nmore\n');
      rmSync(join(root, '.harness'), { recursive: true, force: true });
      write('features.json', '[]');
    };
    const pristine = join(base, 'pristine');
    cpSync(root, pristine, { recursive: true });
    let deaths = 0;
    for (const when of ['before', 'after'] as const)
      for (let n = 1; n <= 12; n++) {
        rmSync(root, { recursive: true });
        rmSync(into, { recursive: true, force: true });
        cpSync(pristine, root, { recursive: true });
        if (survive((through) => openTamperGuard(through, { root, files, into }), n, when)) deaths++;
        open();
        tamper();
        if (survive((through) => closeTamperGuard(through, { into }), n, when)) deaths++;
        const found = close();
        expect(found.problems.map((p) => p.params['file'])).toEqual([
          '.harness.yaml',
          'harness.config.json',
          '.harness/test_baseline.json',
        ]);
        expect(found.appended).toHaveLength(1);
        expect(found.claims[0]).toMatchObject({ after: '[]' });
        expect(read('.harness.yaml').toString()).toBe('playbook: features\n');
        expect(read('.harness/test_baseline.json')).toEqual(Buffer.from([0xff, 0x00, 0x0a]));
        expect(existsSync(join(root, 'harness.config.json'))).toBe(false);
      }
    expect(deaths).toBeGreaterThanOrEqual(20);
  });
});

describe('a guard left open by a crashed process', () => {
  const settle = (): void => expect(settleTamperGuard(io, { into })).toEqual({ ok: true, value: null });

  test('is settled: what is the harness’s own is as it was, what may be claimed or added to is left', () => {
    open();
    write('.harness.yaml', 'weak');
    write('features.json', '[]');
    write('claude-progress.txt', 'one\nmore\n');
    settle();
    expect(read('.harness.yaml').toString()).toBe('playbook: features\n');
    expect(read('features.json').toString()).toBe('[]');
    expect(isTamperGuardOpen(into)).toBe(true);
  });

  test('reports, when it is closed, what was restored before and what changed since, each once', () => {
    open();
    write('.harness.yaml', 'weak');
    settle();
    write('.harness.yaml', 'weaker');
    settle();
    write('harness.config.json', '{}');
    const found = close();
    expect(found.problems.map((p) => p.params['file'])).toEqual(['.harness.yaml', 'harness.config.json']);
    expect(read('.harness.yaml').toString()).toBe('playbook: features\n');
  });

  test('knows the configuration as it was', () => {
    open();
    write('.harness.yaml', 'weak');
    expect(keptTexts(into, 'config-edited')).toMatchObject({
      value: expect.arrayContaining([{ path: '.harness.yaml', text: 'playbook: features\n' }]),
    });
  });

  test('that is closed is not settled again: later changes are the harness’s own', () => {
    open();
    close();
    write('.harness.yaml', 'playbook: features # mine\n');
    settle();
    expect(read('.harness.yaml').toString()).toBe('playbook: features # mine\n');
    expect(isTamperGuardOpen(into)).toBe(false);
  });
});

test('a folder where a file belongs fails to open the guard', () => {
  rmSync(join(root, 'features.json'));
  mkdirSync(join(root, 'features.json'));
  const opened = open();
  expect(opened.ok ? null : opened.failure.reason).toBe('state-unreadable');
});

test('a guard that is not open cannot be closed', () => {
  const closed = closeTamperGuard(io, { into });
  expect(closed.ok ? null : closed.failure.reason).toBe('state-unreadable');
});

test('a guard opened beside an open one keeps the copies of that one, not what an agent has written since', () => {
  open();
  write('.harness.yaml', 'written by an agent\n');
  write('harness.config.json', '{}');
  const second = join(base, 'private', 'window-2');
  openTamperGuard(io, { root, files, into: second, beside: [into, join(base, 'private', 'window-9')] });
  close();
  const closed = closeTamperGuard(io, { into: second });
  expect(closed).toMatchObject({ ok: true, value: { problems: [] } });
  expect([read('.harness.yaml').toString(), existsSync(join(root, 'harness.config.json'))]).toEqual([
    'playbook: features\n',
    false,
  ]);
});

test('one that is closed says nothing of what is to be kept now', () => {
  open();
  close();
  write('.harness.yaml', 'as a person wrote it\n');
  const second = join(base, 'private', 'window-2');
  openTamperGuard(io, { root, files, into: second, beside: [into] });
  expect(closeTamperGuard(io, { into: second })).toMatchObject({ ok: true, value: { problems: [] } });
  expect(read('.harness.yaml').toString()).toBe('as a person wrote it\n');
});

test('what an agent added is durably removed before the guard is closed', () => {
  open();
  write('harness.config.json', '{}');
  const asked: unknown[] = [];
  const remove: Io['remove'] = (path, how) => {
    asked.push([path, how]);
    io.remove(path, how);
  };
  close({ ...io, remove });
  expect(asked).toContainEqual([join(root, 'harness.config.json'), 'for-good']);
});
