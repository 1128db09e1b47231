// Which workflows run for a pull request from `harness/0001` to `main` that changes `src/cart.mjs` and `docs/cart.md`.
import { expect, test } from 'vitest';
import { isWorkflow, runsFor } from './workflows.ts';

const CHANGE = { base: 'main', head: 'harness/0001', paths: ['src/cart.mjs', 'docs/cart.md'] };

test.each([
  ['on: pull_request', true],
  ['on: [push, pull_request]', true],
  ['on:\n  pull_request:', true],
  ['"on":\n  pull_request_target:\n    branches: [main]', true],
  ['on:\n  pull_request:\n    branches: ["releases/**", "m*"]', true],
  ['on:\n  pull_request:\n    branches: ["releases/**"]', false],
  ['on:\n  pull_request:\n    branches: ["**", "!main"]', false],
  ['on:\n  pull_request:\n    branches-ignore: [main]', false],
  ['on:\n  pull_request:\n    types: [labeled]', false],
  ['on:\n  pull_request:\n    types: [opened, synchronize]', true],
  ['on:\n  pull_request:\n    paths: ["**.mjs"]', true],
  ['on:\n  pull_request:\n    paths: ["src/*.ts"]', false],
  ['on:\n  pull_request:\n    paths: ["**/cart.md"]', true],
  ['on:\n  pull_request:\n    paths: ["docs/**", "!docs/*.md"]', false],
  ['on:\n  pull_request:\n    paths-ignore: ["docs/**"]', true],
  ['on:\n  pull_request:\n    paths-ignore: ["docs/**", "src/**"]', false],
  ['on: push', true],
  ['on:\n  push:\n    branches: [main]', false],
  ['on:\n  push:\n    branches: ["harness/*"]', true],
  ['on:\n  push:\n    tags: ["v*"]', false],
  ['on:\n  push:\n    branches-ignore: [main]\n    tags: ["v*"]', true],
  ['on:\n  schedule:\n    - cron: "0 0 * * *"', false],
  ['on: workflow_dispatch', false],
  ['on: { workflow_call: {} }', false],
  // What cannot be read is waited for.
  ['on: [', true],
  ['jobs: {}', true],
  ['', true],
])('%j: %s', (text, runs) => {
  expect(runsFor(text, CHANGE)).toBe(runs);
});

test('workflows are the files of their folder alone', () => {
  const paths = ['ci.yml', 'ci.yaml', 'deep/ci.yml', 'README.md'].map((name) => `.github/workflows/${name}`);
  expect(paths.filter(isWorkflow)).toEqual(paths.slice(0, 2));
});
