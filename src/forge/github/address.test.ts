// The address of a remote says which repository on which server is meant, in every spelling that git takes.
import { expect, test } from 'vitest';
import { placeOf, readAddress, withoutPassword } from './address.ts';

test.each([
  ['git@github.com:ada/shop.git', 'github.com', 'ada', 'shop'],
  ['github.com:ada/shop', 'github.com', 'ada', 'shop'],
  ['https://github.com/ada/shop', 'github.com', 'ada', 'shop'],
  ['https://ada:secret@github.com/ada/shop.git/', 'github.com', 'ada', 'shop'],
  ['ssh://git@git.example.org:2222/ada/shop.js.git', 'git.example.org', 'ada', 'shop.js'],
])('%s', (url, host, owner, repo) => {
  expect(readAddress(url)).toEqual({ host, owner, repo });
});

test.each([
  '/srv/git/shop.git',
  '../shop.git',
  'file:///srv/ada/shop.git',
  'C:/ada/shop',
  'https://github.com/shop',
  '',
])('%s names no repository on a server', (url) => {
  expect(readAddress(url)).toBeNull();
});

const NOTHING = { remote: 'origin', url: 'git@github.com:ada/shop.git', repository: null, apiUrl: null };

test('the API is that of the host of the remote', () => {
  const apiOf = (url: string) => {
    const place = placeOf({ ...NOTHING, url });
    return place.ok ? [place.value.apiUrl, place.value.host] : [];
  };
  expect(apiOf('git@github.com:a/b')).toEqual(['https://api.github.com', 'github.com']);
  expect(apiOf('git@code.example.org:a/b')).toEqual(['https://code.example.org/api/v3', 'code.example.org']);
  expect(apiOf('https://corp.ghe.com/a/b')).toEqual(['https://api.corp.ghe.com', 'corp.ghe.com']);
});

test('with a fork as the remote, its branches are proposed to the repository that the configuration names', () => {
  expect(placeOf({ ...NOTHING, repository: 'team/shop' })).toMatchObject({
    value: { owner: 'team', repo: 'shop', headOwner: 'ada' },
  });
});

test('a token is never sent without encryption, except to this machine', () => {
  expect(placeOf({ ...NOTHING, apiUrl: 'http://code.example.org/api/v3' })).toMatchObject({
    failure: { reason: 'forge-address-unsafe' },
  });
  expect(placeOf({ ...NOTHING, apiUrl: 'http://127.0.0.1:8080' }).ok).toBe(true);
  expect(placeOf({ ...NOTHING, apiUrl: 'nonsense' })).toMatchObject({ failure: { reason: 'forge-address-unsafe' } });
});

test('a remote that is a folder is no repository on GitHub', () => {
  expect(placeOf({ ...NOTHING, url: '/srv/shop.git' })).toMatchObject({
    failure: { reason: 'forge-repository-unknown' },
  });
  expect(placeOf({ ...NOTHING, repository: 'shop' })).toMatchObject({
    failure: { reason: 'forge-repository-unknown' },
  });
});

test('a password in an address is not shown', () => {
  expect(withoutPassword('https://ada:secret@github.com/ada/shop')).toBe('https://ada@github.com/ada/shop');
  expect(withoutPassword('/srv/shop.git')).toBe('/srv/shop.git');
});
