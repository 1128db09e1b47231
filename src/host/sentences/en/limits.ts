// English: what an agent is told when a limit of its session is near, for it to act on at once.
import type { Phrase } from '../../../model/sentences.ts';

export const limits = {
  // {words}
  'limit.from-harness': 'A note from the harness you work under: {words}',
  // {percent, notes}
  'limit.context-warning':
    '{percent} % of your context window is used. Finish what you have begun and start nothing large. If it cannot be finished in what is left, write into {notes} where you are, so that the next session can go on.',
  'limit.context-wrap-up':
    'your context window is nearly full ({percent} %). Stop the work now and change no more code. Write into {notes}: what is done, what is half done, what is left, and where you stopped. Do not hurry to a finish and do not claim the item: a clean handover is worth more. Then end your turn; the harness keeps your work and the next session goes on from it.',
  // {words, tokens}
  'limit.stuck':
    '{words} (Since the last {tokens} tokens no file has changed, no test has run, and hardly a command.) If something keeps you from going on, say what it is.',
  'limit.stuck-wrap-up':
    'there is still no progress, so this session ends here. Write into {notes} what keeps you from going on, what you tried, and what you would try next. Then end your turn.',
  // {count, error}
  'limit.same-error':
    'you have met the same error {count} times: {error}. This way does not work. Read what it says once more, and try something that is different at the root.',
  // {minutes, notes}
  'limit.time-warning': {
    one: '{minutes} minute of this session is left. Bring what you have begun to an end, or write into {notes} where you are.',
    other:
      '{minutes} minutes of this session are left. Bring what you have begun to an end, or write into {notes} where you are.',
  },
  'limit.budget-wrap-up':
    'the money for this session is nearly used up. Stop the work now, write into {notes} what is done and what is left, and end your turn.',
  // {percent, window, notes}
  'limit.quota-wrap-up':
    '{percent} % of what your provider lets this account use ({window}) is used, and it will soon take no more requests. Stop the work now and change no more code. Write into {notes}: what is done, what is half done, what is left, and where you stopped. Another time or another agent goes on from it. Then end your turn.',
  // {why}
  'limit.again':
    'your last answer was cut off by something outside of your work ({why}). What you did so far is there. Look at where you stopped, and go on.',
} as const satisfies { readonly [key: string]: Phrase };
