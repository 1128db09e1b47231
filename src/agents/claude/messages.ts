// Translates the program's messages into agent events, one message at a time and in order. Pure.
import type { AgentEvent } from '../../model/event.ts';
import { windowName } from '../../model/quota.ts';
import { textOf } from './calls.ts';
import { classify, EMPTY_SYMPTOM, type ClaudeSymptom } from './errors.ts';
import type { ContentBlock, SdkMessage } from './sdk.ts';

/** A message that reports an error of the API instead of the model's output. */
export const isErrorMessage = (m: SdkMessage): boolean => m.type === 'assistant' && typeof m.error === 'string';

export function eventsOf(m: SdkMessage): readonly AgentEvent[] {
  if (m.type === 'assistant') return isErrorMessage(m) ? [] : blocksOf(m).flatMap(outputEvents);
  if (m.type === 'user') return blocksOf(m).flatMap((block) => resultEvents(block, m.tool_use_result));
  if (m.type === 'system') return systemEvents(m);
  if (m.type === 'rate_limit_event') return quotaEvents(m.rate_limit_info);
  return [];
}

/** The text of a message, without thoughts and tools. */
export const messageText = (m: SdkMessage): string =>
  blocksOf(m)
    .map((b) => (b.type === 'text' ? (b.text ?? '') : ''))
    .join('');

/** What an error message or a result adds to what is known about a failed turn. */
export function symptomOf(m: SdkMessage, before: ClaudeSymptom): ClaudeSymptom {
  const text = m.type === 'result' ? (m.errors ?? []).join('\n') || (m.result ?? '') : messageText(m);
  return {
    error: m.error ?? before.error,
    status: m.api_error_status ?? before.status,
    apiType: m.api_error_type ?? before.apiType,
    cause: causeOf(m.api_error) ?? before.cause,
    terminal: m.terminal_reason ?? before.terminal,
    stop: m.stop_reason ?? before.stop,
    startup: m.startup_failure_reason ?? before.startup,
    text: text === '' ? before.text : text,
    retryAfterMs: before.retryAfterMs,
  };
}

/** The wait that a message asks for, in milliseconds from `now`; null: none. */
export function retryAfterOf(m: SdkMessage, now: number): number | null {
  if (m.subtype === 'api_retry' && m.error === 'rate_limit') return m.retry_delay_ms ?? null;
  const info = m.type === 'rate_limit_event' ? m.rate_limit_info : undefined;
  if (info?.status !== 'rejected' || info.resetsAt === undefined) return null;
  return Math.max(0, info.resetsAt * 1000 - now);
}

/** The program's names for the windows of a subscription, in minutes. */
const WINDOWS: { readonly [name: string]: number } = { five_hour: 5 * 60, seven_day: 7 * 24 * 60 };

/** Only for subscriptions. A window that refuses is used up, whatever its share. */
function quotaEvents(info: SdkMessage['rate_limit_info']): readonly AgentEvent[] {
  const used = info?.status === 'rejected' ? Math.max(1, info.utilization ?? 1) : info?.utilization;
  if (used === undefined) return [];
  const type = info?.rateLimitType ?? 'limit';
  const known = Object.entries(WINDOWS).find(([name]) => type === name || type.startsWith(`${name}_`));
  const rest = known === undefined ? type : type.slice(known[0].length).replaceAll('_', ' ');
  const window = known === undefined ? rest : `${windowName(known[1])}${rest}`;
  const resetsAt = info?.resetsAt === undefined ? null : new Date(info.resetsAt * 1_000).toISOString();
  return [{ t: 'quota', window, used, resetsAt }];
}

const blocksOf = (m: SdkMessage): readonly ContentBlock[] => {
  const content = m.message?.content;
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return content ?? [];
};

function outputEvents(block: ContentBlock): readonly AgentEvent[] {
  if (block.type === 'text' && block.text) return [{ t: 'text', text: block.text }];
  if (block.type === 'thinking' && block.thinking) return [{ t: 'thought', text: block.thinking }];
  if (block.type === 'tool_use' && block.id !== undefined)
    return [{ t: 'tool-start', id: block.id, name: block.name ?? '', input: block.input ?? null }];
  return [];
}

function resultEvents(block: ContentBlock, detail: unknown): readonly AgentEvent[] {
  if (block.type !== 'tool_result' || block.tool_use_id === undefined) return [];
  const ok = block.is_error !== true;
  const end: AgentEvent = { t: 'tool-end', id: block.tool_use_id, ok, output: outputOf(block.content) };
  const path = textOf(detail, 'filePath');
  const isChange = path !== null && (textOf(detail, 'type') === 'create' || hasPatch(detail));
  if (!ok || !isChange) return [end];
  return [end, { t: 'file-change', path, change: textOf(detail, 'type') === 'create' ? 'add' : 'update' }];
}

const hasPatch = (detail: unknown): boolean =>
  typeof detail === 'object' && detail !== null && 'structuredPatch' in detail;

function outputOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => textOf(part, 'text') ?? '').join('');
}

function systemEvents(m: SdkMessage): readonly AgentEvent[] {
  switch (m.subtype) {
    case 'init':
      return [{ t: 'session', id: m.session_id ?? '', version: m.claude_code_version ?? null }];
    case 'api_retry': {
      const why = classify({ ...EMPTY_SYMPTOM, error: m.error ?? null, status: m.error_status ?? null }).reason;
      return [{ t: 'retry', why, attempt: m.attempt ?? 1, delayMs: m.retry_delay_ms ?? null }];
    }
    case 'informational':
      return typeof m.content === 'string' ? [{ t: 'notice', text: m.content }] : [];
    case 'compact_boundary':
      return [{ t: 'compacted' }];
    case 'model_refusal_fallback':
    case 'model_refusal_no_fallback':
      return [{ t: 'notice', text: m.subtype }];
    default:
      return [];
  }
}

function causeOf(apiError: unknown): string | null {
  if (typeof apiError === 'string') return apiError;
  return textOf(apiError, 'code') ?? textOf(apiError, 'type') ?? textOf(apiError, 'kind');
}
