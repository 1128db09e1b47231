// Writes test/fixtures/reports from the real runners that this machine has: node scripts/record-reports.ts [RUNNER …]
// A Node of another major is recorded where it is the first in PATH.
// What names this machine (paths, host, times of day) is replaced, so that recordings are the same wherever they are made.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  isThere,
  LIVE_RUNNERS,
  produce,
  projectsOf,
  RECORDED_ROOT,
  recordingOf,
} from '../test/contract/live-runners.ts';

const modules = realpathSync(resolve(import.meta.dirname, '../node_modules'));

function neutral(text: string, root: string): string {
  return text
    .replaceAll(root, RECORDED_ROOT)
    .replaceAll(modules, '/node_modules')
    .replaceAll(join(dirname(root), 'node_modules'), '/node_modules')
    .replace(/[^\s"'(]*\/(lib\/python3)\.\d+\//g, '/$1/')
    .replace(/hostname="[^"]*"/g, 'hostname="host"')
    .replace(/timestamp="[^"]*"/g, 'timestamp="2026-01-01T00:00:00.000Z"')
    .replace(/"run":"[^"]*"/g, '"run":"1"')
    .replace(/"(startTime|endTime|startAt)":[\d.]+/g, '"$1":0')
    .replace(/"(Time|start|end)":( ?)"20[^"]*"/g, '"$1":$2"2026-01-01T00:00:00.000Z"')
    .replace(/[^\s"'(]*\/go-\d[^/]*\/src\//g, '/go/src/')
    .replace(/^thread '(.*?)' \(\d+\)/gm, "thread '$1' (1)")
    .replaceAll(dirname(root), '/base');
}

const wanted = process.argv.slice(2);

for (const runner of LIVE_RUNNERS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  if (!(await isThere(runner))) {
    console.error(`SKIPPED ${runner.name}: \`${runner.probe}\` does not work here, its recordings stay as they are`);
    continue;
  }
  for (const project of projectsOf(runner)) {
    const { text, root, exit } = await produce(runner, project);
    const path = recordingOf(runner, project);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text === null ? '' : neutral(text, root));
    console.log(`${runner.name} ${project}: exit ${exit.code}, ${text?.length ?? 'no'} characters`);
    if (text === null) console.error(exit.stdout, exit.stderr);
  }
}
