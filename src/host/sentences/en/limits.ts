// English: notices that an agent receives when a limit of its session is near.
import type { Phrase } from '../../../model/sentences.ts';

export const limits = {
  // {words}
  'limit.from-harness': 'A note from the harness that runs this session: {words}',
  // {percent, notes}
  'limit.context-warning':
    '{percent} % of your context window is used. Finish what you have started and start nothing large. If the rest is not enough to finish it, write into {notes} where you are, so that the next session can continue.',
  'limit.context-wrap-up':
    'your context window is nearly full ({percent} %). Stop the work now and change no more code. Write into {notes}: what is done, what is half done, what is left, and where you stopped. Do not rush to finish and do not claim the item: a clean handover is worth more. Then end your turn; the harness keeps your work and the next session continues from it.',
  // {words, tokens}
  'limit.stuck':
    '{words} (Since the last {tokens} tokens no file has changed, no test has run, and hardly any command.) If something blocks you, say what it is.',
  'limit.stuck-wrap-up':
    'there is still no progress, so this session ends here. Write into {notes} what blocks you, what you tried, and what you would try next. Then end your turn.',
  // {count, error}
  'limit.same-error':
    'the same error has occurred {count} times: {error}. This approach does not work. Read the message again and try a fundamentally different approach.',
  // {minutes, notes}
  'limit.time-warning': {
    one: '{minutes} minute of this session is left. Finish what you have started, or write into {notes} where you are.',
    other:
      '{minutes} minutes of this session are left. Finish what you have started, or write into {notes} where you are.',
  },
  'limit.budget-wrap-up':
    'the budget of this session is nearly used up. Stop the work now, write into {notes} what is done and what is left, and end your turn.',
  // {percent, window, notes}
  'limit.quota-wrap-up':
    '{percent} % of your provider’s quota for this account ({window}) is used, and it will soon accept no more requests. Stop the work now and change no more code. Write into {notes}: what is done, what is half done, what is left, and where you stopped. The work is continued later or by another agent. Then end your turn.',
  // {why}
  'limit.again':
    'your last answer was interrupted by something outside your work ({why}). What you did so far is kept. Check where you stopped, and continue.',
  // {attempt, base}: a commit and a tree; absent where nothing was undone
  'limit.reopened':
    'your last answer was cut: the program that runs this session was ended in the middle of it. The files in the work tree are again as they were before that answer began[[, and what it had changed is kept in commit {attempt}. Look at it with: git diff {base} {attempt}. Bring back what is yours with: git diff --binary {base} {attempt} -- PATHS | git apply]]. Everything else that you remember still holds. Check where you stopped, and continue.',
  // {attempt}: a ref; {files}: may be empty
  'limit.set-aside':
    'the work that an earlier session left could not be brought onto the newest commits, because both changed the same lines ({files}). You start from the newest commits. The earlier work is in {attempt}: look at it with git show, and do by hand what is still of use.',
} as const satisfies { readonly [key: string]: Phrase };
