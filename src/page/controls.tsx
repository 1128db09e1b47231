// Steering from the page: start, pause, resume, stop. What ends a session asks once more.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Refused, write, type Answers } from './api.ts';
import { plain } from './format.ts';
import { changed } from './store.ts';

type Act = 'start' | 'pause' | 'resume' | 'stop' | 'unfreeze';
const LABELS: { readonly [A in Act]: string } = {
  start: 'Start',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  unfreeze: 'Unfreeze',
};
const TITLES: { readonly [A in Act]: string } = {
  start: 'Start a run until everything is done',
  pause: 'End the session, keep its work, start no other',
  resume: 'Let runs start again',
  stop: 'Stop after this session',
  unfreeze: 'Let runs start again',
};
const SURE = new Set<Act>(['pause', 'stop']);
/** A question that is not answered is forgotten. */
const SURE_MS = 5_000;

function actsFor(status: Answers['status']): readonly Act[] {
  const isLive = status.run?.id?.startsWith('r-') === true;
  if (isLive) return status.paused ? ['stop'] : ['pause', 'stop'];
  if (status.frozen) return ['unfreeze'];
  if (status.paused) return ['resume'];
  return status.run === null && status.next.item !== null ? ['start'] : [];
}

export function Controls({ status }: { readonly status: Answers['status'] }): VNode {
  const [sure, setSure] = useState<Act | null>(null);
  const [busy, setBusy] = useState<Act | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (sure === null) return undefined;
    const timer = setTimeout(() => setSure(null), SURE_MS);
    return () => clearTimeout(timer);
  }, [sure]);
  const act = async (what: Act): Promise<void> => {
    if (SURE.has(what) && sure !== what && status.run !== null) return setSure(what);
    setSure(null);
    setBusy(what);
    setSaid(null);
    try {
      if (what === 'start') {
        const { started, message } = await write('start', {});
        if (!started && message !== '') setSaid(message);
      } else if (what === 'stop') await write('stop', {});
      else await write(what, {});
    } catch (error) {
      setSaid(error instanceof Refused ? error.message : 'The server does not answer.');
    }
    setBusy(null);
    changed();
  };
  return (
    <div class="controls" role="group" aria-label="Steer the run">
      {said === null ? null : (
        <span class="wrong" role="alert">
          {plain(said)}
        </span>
      )}
      {actsFor(status).map((what) => (
        <button
          key={what}
          type="button"
          data-act={what}
          class={
            what === 'start' || what === 'resume' || what === 'unfreeze'
              ? 'primary'
              : sure === what
                ? 'danger primary'
                : ''
          }
          title={TITLES[what]}
          disabled={busy !== null}
          onClick={() => void act(what)}
        >
          {busy === what ? '…' : sure === what ? `${LABELS[what]}: sure?` : LABELS[what]}
        </button>
      ))}
    </div>
  );
}
