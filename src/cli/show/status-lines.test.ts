import { expect, test } from 'vitest';
import { openFullCatalogue } from '../../app/open/language.ts';
import type { Caller } from '../command.ts';
import { statusLines } from './status-lines.ts';

const LINES = [
  { label: 'Task', value: 'Fix\u001b[2J\nthe login' },
  { label: 'Phase', value: 'Verify — running checks', code: 'verifying' },
  { label: 'Lint', value: 'none', code: 'none' },
  { label: 'Weather', value: 'sunny', code: 'sun' },
];
const speaking = async (lang: 'en' | 'de'): Promise<Caller> => ({ catalogue: await openFullCatalogue(lang) }) as Caller;

test('labels and codes are translated if there is a sentence; a value is one line', async () => {
  expect(statusLines(LINES, 'workflow', await speaking('en'))).toEqual([
    '[harness]',
    'Task     : Fix�[2J the login',
    'Phase    : Verify — running checks',
    'Lint     : none',
    'Weather  : sunny',
  ]);
  expect(statusLines(LINES, 'workflow', await speaking('de'), '[x]')).toEqual([
    '[x]',
    'Aufgabe  : Fix�[2J the login',
    'Phase    : Prüfung — läuft',
    'Lint     : keine',
    'Weather  : sunny',
  ]);
});
