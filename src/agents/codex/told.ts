// Owns what the program tells without being asked: which turn it belongs to, and what it says of it. Forgiving: what is not
// known is passed over, and never taken for the end of a turn.
import { z } from 'zod';
import type { QuotaWindow } from '../../model/quota.ts';
import type { TurnError } from './errors.ts';
import type { Piece } from './events.ts';
import { readTold, type Told } from './usage.ts';
import { resetIn, windowsIn } from './waits.ts';

export type Message =
  | { readonly says: 'turn-begun'; readonly turn: string }
  | { readonly says: 'item'; readonly turn: string; readonly isEnd: boolean; readonly item: object }
  | { readonly says: 'piece'; readonly turn: string; readonly piece: Piece }
  | { readonly says: 'usage'; readonly turn: string; readonly told: Told }
  | { readonly says: 'error'; readonly turn: string; readonly error: TurnError; readonly willRetry: boolean }
  | { readonly says: 'turn-over'; readonly turn: string; readonly status: string; readonly error: TurnError | null }
  | { readonly says: 'notice'; readonly text: string }
  | { readonly says: 'limit'; readonly resets: number | null; readonly windows: readonly QuotaWindow[] }
  | { readonly says: 'nothing' };

const NOTHING: Message = { says: 'nothing' };

const turnError = z.looseObject({
  message: z.string().catch(''),
  codexErrorInfo: z.unknown().optional(),
  additionalDetails: z.string().nullish().catch(null),
});
const item = z.looseObject({ turnId: z.string(), item: z.looseObject({}) });
const delta = z.looseObject({ turnId: z.string(), itemId: z.string(), delta: z.string() });
const usage = z.looseObject({ turnId: z.string(), tokenUsage: z.unknown() });
const trouble = z.looseObject({ turnId: z.string(), error: turnError, willRetry: z.boolean().catch(false) });
const ended = z.looseObject({
  turn: z.looseObject({ id: z.string(), status: z.string().catch(''), error: turnError.nullish() }),
});
const warning = z.looseObject({ message: z.string() });

export function readMessage(method: string, params: unknown): Message {
  switch (method) {
    case 'item/started':
    case 'item/completed': {
      const read = item.safeParse(params);
      if (!read.success) return NOTHING;
      return { says: 'item', turn: read.data.turnId, isEnd: method === 'item/completed', item: read.data.item };
    }
    case 'item/agentMessage/delta':
      return pieceOf('text', params);
    case 'item/reasoning/summaryTextDelta':
      return pieceOf('thought', params);
    case 'thread/tokenUsage/updated': {
      const read = usage.safeParse(params);
      const told = read.success ? readTold(read.data.tokenUsage) : null;
      return read.success && told !== null ? { says: 'usage', turn: read.data.turnId, told } : NOTHING;
    }
    case 'error': {
      const read = trouble.safeParse(params);
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
      return { says: 'limit', resets: resetIn(params), windows: windowsIn(params) };
    default:
      return NOTHING;
  }
}

function pieceOf(t: Piece['t'], params: unknown): Message {
  const read = delta.safeParse(params);
  if (!read.success) return NOTHING;
  const { turnId, itemId, delta: text } = read.data;
  return { says: 'piece', turn: turnId, piece: { item: itemId, t, text } };
}
