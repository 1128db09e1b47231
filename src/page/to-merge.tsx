// `land: branch`: where what landed waits, and the command that merges it.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answers } from './api.ts';
import { plain } from './format.ts';

type Branch = NonNullable<Answers['status']['branch']>;

const commits = (n: number): string => `${n} ${n === 1 ? 'commit' : 'commits'}`;

export const ToMerge = ({ branch }: { readonly branch: Branch }): VNode => (
  <section aria-label="To merge">
    <h2>To merge</h2>
    <div class="card">
      <p>
        <strong>{commits(branch.commits)}</strong> on <code>{plain(branch.name)}</code>
      </p>
      {branch.behind === 0 ? null : (
        <p class="muted">Your branch has {commits(branch.behind)} of its own since: the next run begins with both.</p>
      )}
      <Command text={branch.merge} />
    </div>
  </section>
);

/** So long the button says what became of it. */
const SAID_MS = 4_000;

/** A command for a terminal, with a button that copies it; where the browser forbids that, it is selected. */
function Command({ text }: { readonly text: string }): VNode {
  const shown = useRef<HTMLElement>(null);
  const [said, say] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => say(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say('Copied');
    } catch {
      // Over plain HTTP from another device there is no clipboard.
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
      say('Selected');
    }
  };
  return (
    <div class="command">
      <code ref={shown}>{plain(text)}</code>
      <button type="button" aria-label={`Copy: ${plain(text)}`} onClick={() => void copy()}>
        Copy
      </button>
      <span class="muted small" role="status">
        {said}
      </span>
    </div>
  );
}
