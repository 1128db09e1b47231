import { expect, test } from 'vitest';
import { VIEWPORTS } from '../../model/pages.ts';
import { cleaned, cleanedLine, seenText, type SeenPage } from './seen.ts';

const [desktop, phone] = VIEWPORTS;
const page = (more: Partial<SeenPage> = {}): SeenPage => ({
  page: '/',
  viewport: desktop ?? { name: '', width: 0, height: 0 },
  address: 'http://127.0.0.1:4000/',
  status: 200,
  title: 'Shop',
  text: 'Welcome',
  elements: [
    { role: 'button', name: 'Buy', isDisabled: true },
    { role: 'button', name: '', isDisabled: false },
  ],
  consoleErrors: [],
  failedRequests: [],
  dialogs: [],
  width: 1280,
  isLate: false,
  isTooLarge: false,
  ...more,
});

test('what a page says is shown with its names, its errors and its text', () => {
  const text = seenText(
    [page({ consoleErrors: ['broken', 'broken', 'other'], failedRequests: ['GET /api: status 500'], width: 1300 })],
    11_000,
  );
  expect(text).toBe(`# / at 1280 × 800 (desktop)
Address: http://127.0.0.1:4000/, status 200, title "Shop"
The content is 1300 pixels wide: wider than the window.
Console errors (3):
- broken (2 times)
- other
Failed requests (1):
- GET /api: status 500
Elements (2):
- button "Buy" (disabled)
- button without a name
Text:
Welcome`);
});

test('what is the same in a smaller window is said once; its own errors are not left out', () => {
  const small = { viewport: phone ?? { name: '', width: 0, height: 0 }, width: 390 };
  const text = seenText([page(), page({ ...small, consoleErrors: ['only here'] })], 11_000);
  expect(text.split('Welcome').length).toBe(2);
  expect(text).toContain('- only here\nElements and text: the same as at 1280.');
});

test('a page that was not opened says so', () => {
  expect(seenText([page({ address: null, isLate: true, text: '', elements: [] })], 1_000)).toContain(
    'The page could not be opened.\nIt still loaded when its time was over.',
  );
});

test('a page of any size leaves room for the others, and its errors come before its text', () => {
  const large = page({
    text: 'x'.repeat(50_000),
    consoleErrors: Array.from({ length: 200 }, (_, n) => `error ${n} ${'y'.repeat(200)}`),
    elements: Array.from({ length: 200 }, (_, n) => ({ role: 'link', name: `link ${n}`, isDisabled: false })),
  });
  const text = seenText([large, page({ page: '/last' })], 11_000);
  expect(text.length).toBeLessThanOrEqual(11_000);
  expect(text).toContain('error 0');
  expect(text).toContain('more');
  expect(text).toContain('link "link 0"');
  expect(text).toContain('# /last at 1280');
  expect(text).toContain('Welcome');
  const many = Array.from({ length: 40 }, (_, n) => page({ page: `/${n}`, text: 'z'.repeat(20_000) }));
  expect(seenText(many, 11_000).length).toBeLessThanOrEqual(11_000);
  expect(seenText(many, 11_000)).toContain('# /39 at');
});

test('characters that hide or turn what is shown are removed', () => {
  expect(cleaned('a\u0000\u001b[31mb\u202ec\u200bd\ue000\ud800\n\n\n  e\t\tf ', 100)).toBe('a[31mbcd\ne f');
  expect(cleanedLine(`one\ntwo ${'x'.repeat(1_000)}`).length).toBe(300);
  expect(cleanedLine('one\ntwo')).toBe('one two');
});
