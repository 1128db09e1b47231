// The browser of one action: in a box of its own over an empty folder, with one origin that it can reach, ended before the outcome with everything that
// it started.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { failure, type Failure } from '../../model/failure.ts';
import { err, type Result } from '../../model/result.ts';
import { startBrowser, type Browser } from '../../verify/browser/chromium.ts';
import type { RunContext } from '../run-context.ts';

export type BrowserAsk = {
  /** Absolute path. */
  readonly program: string;
  readonly origin: URL;
  readonly token: string;
  readonly signal: AbortSignal;
};

/** Fails with `browser-unusable`. */
export async function withBrowser<T>(
  context: RunContext,
  { program, origin, ...how }: BrowserAsk,
  use: (browser: Browser) => Promise<Result<T>>,
): Promise<Result<T>> {
  const root = join(context.proofDir, `browser-${context.lane}`);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const box = await context.openBoxAt(root, { at: root, shown: [] });
  try {
    return await context.io.effect('pages', async () => {
      const browser = await startBrowser({ program, origin, box, root, ...how });
      if ('why' in browser) return err(unusable(context, program, browser.why));
      try {
        return await use(browser);
      } finally {
        await browser.close();
      }
    });
  } finally {
    await box.close();
  }
}

export const unusable = (context: RunContext, program: string, why: string): Failure =>
  failure('browser-unusable', { program, why: context.redact(why), box: context.box.level });

/** The name of a kept picture. */
export function pictureName(n: number, page: string, viewport: string): string {
  const slug = `${page}-${viewport}`.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return `${String(n).padStart(2, '0')}-${slug.slice(-60)}.png`;
}
