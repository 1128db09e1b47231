// A plugin of the build: writes dist/third-party.txt, the licence of every package that is part of the bundles.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

/** One for all bundles: each write has what the bundles before it had. */
export function bundledLicences(): Plugin {
  const folders = new Set<string>();
  return {
    name: 'bundled-licences',
    writeBundle({ dir = 'dist' }, bundle) {
      for (const file of Object.values(bundle))
        for (const id of file.type === 'chunk' ? file.moduleIds : []) {
          const folder = PACKAGE.exec(id.replaceAll('\\', '/'))?.[0];
          if (folder !== undefined && existsSync(join(folder, 'package.json'))) folders.add(folder);
        }
      const texts = [...folders].map(licenceOf).sort();
      writeFileSync(join(dir, 'third-party.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
    },
  };
}

function licenceOf(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|notice)/i.test(name));
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return [`${about.name} ${about.version} (${about.license ?? 'see below'})`, ...texts, ''].join('\n\n');
}
