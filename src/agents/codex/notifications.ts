// The notifications of the program: which turn each belongs to, and what it reports. Unknown ones are ignored, and never taken for the end
// of a turn.
import { z } from 'zod';
import type { QuotaWindow } from '../../model/quota.ts';
import type { TurnError } from './errors.ts';
import type { TextChunk } from './events.ts';
import { readTokenReport, type TokenReport } from './usage.ts';
import { resetTimeIn, windowsIn } from './rate-limits.ts';

export type ServerNotification =
  | { readonly says: 'turn-begun'; readonly turn: string }
  | { readonly says: 'item'; readonly turn: string; readonly isEnd: boolean; readonly item: object }
  | { readonly says: 'chunk'; readonly turn: string; readonly chunk: TextChunk }
  | { readonly says: 'usage'; readonly turn: string; readonly report: TokenReport }
  | { readonly says: 'error'; readonly turn: string; readonly error: TurnError; readonly willRetry: boolean }
  | { readonly says: 'turn-over'; readonly turn: string; readonly status: string; readonly error: TurnError | null }
  | { readonly says: 'notice'; readonly text: string }
  | { readonly says: 'limit'; readonly resets: number | null; readonly windows: readonly QuotaWindow[] }
  | { readonly says: 'nothing' };

const NOTHING: ServerNotification = { says: 'nothing' };

const turnError = z.looseObject({
  message: z.string().catch(''),
  codexErrorInfo: z.unknown().optional(),
  additionalDetails: z.string().nullish().catch(null),
});
const item = z.looseObject({ turnId: z.string(), item: z.looseObject({}) });
const delta = z.looseObject({ turnId: z.string(), itemId: z.string(), delta: z.string() });
const usage = z.looseObject({ turnId: z.string(), tokenUsage: z.unknown() });
const turnTrouble = z.looseObject({ turnId: z.string(), error: turnError, willRetry: z.boolean().catch(false) });
const ended = z.looseObject({
  turn: z.looseObject({ id: z.string(), status: z.string().catch(''), error: turnError.nullish() }),
});
const warning = z.looseObject({ message: z.string() });

export function readNotification(method: string, params: unknown): ServerNotification {
  switch (method) {
    case 'item/started':
    case 'item/completed': {
      const read = item.safeParse(params);
      if (!read.success) return NOTHING;
      return { says: 'item', turn: read.data.turnId, isEnd: method === 'item/completed', item: read.data.item };
    }
    case 'item/agentMessage/delta':
      return chunkOf('text', params);
    case 'item/reasoning/summaryTextDelta':
      return chunkOf('thought', params);
    case 'thread/tokenUsage/updated': {
      const read = usage.safeParse(params);
      const report = read.success ? readTokenReport(read.data.tokenUsage) : null;
      return read.success && report !== null ? { says: 'usage', turn: read.data.turnId, report } : NOTHING;
    }
    case 'error': {
      const read = turnTrouble.safeParse(params);
      if (!read.success) return NOTHING;
      return { says: 'error', turn: read.data.turnId, error: read.data.error, willRetry: read.data.willRetry };
    }
    case 'turn/started': {
      const read = ended.safeParse(params);
      return read.success ? { says: 'turn-begun', turn: read.data.turn.id } : NOTHING;
    }
    case 'turn/completed': {
      const read = ended.safeParse(params);
      if (!read.success) return NOTHING;
      const { id, status, error } = read.data.turn;
      return { says: 'turn-over', turn: id, status, error: error ?? null };
    }
    case 'warning': {
      const read = warning.safeParse(params);
      return read.success ? { says: 'notice', text: read.data.message } : NOTHING;
    }
    case 'account/rateLimits/updated':
      return { says: 'limit', resets: resetTimeIn(params), windows: windowsIn(params) };
    default:
      return NOTHING;
  }
}

function chunkOf(t: TextChunk['t'], params: unknown): ServerNotification {
  const read = delta.safeParse(params);
  if (!read.success) return NOTHING;
  const { turnId, itemId, delta: text } = read.data;
  return { says: 'chunk', turn: turnId, chunk: { item: itemId, t, text } };
}
