// The page as it was built: three files, read once, by name. Nothing else of the disk is ever served.
import { readFileSync } from 'node:fs';
import type { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { packageRoot } from '../../host/package-root.ts';

type PageFile = { readonly type: string; readonly bytes: Buffer };

const FILES: readonly (readonly [path: string, file: string, type: string])[] = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/page.js', 'page.js', 'text/javascript; charset=utf-8'],
  ['/page.css', 'page.css', 'text/css; charset=utf-8'],
  ['/icon.svg', 'icon.svg', 'image/svg+xml'],
];

export const PAGE_PATHS: readonly string[] = FILES.map(([path]) => path);

export function readPage(folder = join(packageRoot(), 'dist', 'page')): ReadonlyMap<string, PageFile> {
  return new Map(
    FILES.flatMap(([path, file, type]) => {
      try {
        return [[path, { type, bytes: readFileSync(join(folder, file)) }]];
      } catch {
        return []; // not built: the API works without it
      }
    }),
  );
}
