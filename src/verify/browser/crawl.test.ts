import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from './crawl.ts';

const ORIGIN = new URL('http://127.0.0.1:4000/shop/');

test.each([
  ['http://127.0.0.1:4000/cart#top', '/cart'],
  ['/cart?with=two', '/cart?with=two'],
  ['cart', '/shop/cart'],
])('%s is the page %s', (link, page) => {
  expect(pageOf(link, ORIGIN)).toBe(page);
});

test.each([
  'http://127.0.0.1:4001/',
  'https://127.0.0.1:4000/',
  'http://localhost:4000/',
  '//evil.example/',
  'http://127.0.0.1:4000//evil.example/',
  'mailto:a@b.c',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'http://user:secret@127.0.0.1:4000/',
  '/logo.PNG',
  '/terms.pdf',
  `/${'x'.repeat(1_001)}`,
  'http://[',
])('%s is no page of the site', (link) => {
  expect(pageOf(link, ORIGIN)).toBeNull();
});

const START = fc.constantFrom(
  '',
  '/',
  '//',
  'http://127.0.0.1:4000',
  'http://127.0.0.1:4000//',
  'http://127.0.0.1:4000@',
  'https://shop.example/',
);
test('whatever a page links to, what is opened is on the origin', () => {
  fc.assert(
    fc.property(START, fc.string(), (start, rest) => {
      const page = pageOf(`${start}${rest}`, ORIGIN);
      if (page !== null) expect(new URL(page, ORIGIN.href).origin).toBe(ORIGIN.origin);
    }),
  );
});
