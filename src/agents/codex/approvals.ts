// The responses to the program's requests for approval: each call goes to the tool policy, and what it cannot decide is refused. Nothing
// is allowed for more than one time.
import { z } from 'zod';
import type { Denial, SessionSpec, ToolCall, ToolPolicy } from '../port.ts';
import type { Items } from './events.ts';
import { callsOf, commandCall, toolOf } from './items.ts';

export type Approvals = {
  readonly spec: SessionSpec;
  readonly policy: ToolPolicy;
  /** What the program runs is confined by its own sandbox. */
  readonly isConfined: boolean;
  readonly items: Items;
  readonly denied: (tool: string, denial: Denial) => void;
};

const text = z.string().nullable().catch(null);
const anything = z.unknown().optional();
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const command = z.looseObject({
  itemId: z.string(),
  kind: text,
  command: text,
  cwd: text,
  reason: anything,
  additionalPermissions: anything,
  networkApprovalContext: anything,
});
const fileChange = z.looseObject({ itemId: z.string(), grantRoot: anything });
const serverCall = z.looseObject({
  serverName: z.string(),
  _meta: z.looseObject({ codex_approval_kind: z.literal('mcp_tool_call'), tool_params: z.unknown().optional() }),
});

/** The response to a request of the program; null: the request is unknown. */
export function respondTo(method: string, params: unknown, on: Approvals): unknown {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return { decision: aboutCommand(params, on) ? 'accept' : 'decline' };
    case 'item/fileChange/requestApproval':
      return { decision: aboutFiles(params, on) ? 'accept' : 'decline' };
    case 'mcpServer/elicitation/request': {
      const isAllowed = aboutServer(params, on);
      return { action: isAllowed ? 'accept' : 'decline', content: isAllowed ? {} : null, _meta: null };
    }
    case 'item/permissions/requestApproval':
      return { permissions: {}, scope: 'turn' };
    case 'item/tool/requestUserInput':
      return { answers: {} };
    default:
      return null;
  }
}

function aboutCommand(params: unknown, on: Approvals): boolean {
  const tool = 'exec_command';
  const read = command.safeParse(params);
  if (!read.success) return refuse('', tool, UNREADABLE, on);
  const { itemId, command: line, cwd, kind, ...more } = read.data;
  if ((kind ?? 'command') !== 'command' || line === null) return refuse(itemId, tool, UNREADABLE, on);
  // The program gives a reason where it asks to leave its sandbox.
  const isMore = [more.reason, more.additionalPermissions, more.networkApprovalContext].some(isGiven);
  if (isMore && on.isConfined) return refuse(itemId, tool, LEAVES, on);
  return areAllowed(itemId, tool, [commandCall(line, cwd, on.spec.cwd)], on);
}

function aboutFiles(params: unknown, on: Approvals): boolean {
  const read = fileChange.safeParse(params);
  if (!read.success) return refuse('', 'apply_patch', UNREADABLE, on);
  const { itemId, grantRoot } = read.data;
  const item = on.items.open(itemId);
  const calls = item === null ? [] : callsOf(item, on.spec.cwd);
  if (calls.length === 0) return refuse(itemId, 'apply_patch', UNREADABLE, on);
  if (isGiven(grantRoot) && on.isConfined) return refuse(itemId, 'apply_patch', LEAVES, on);
  return areAllowed(itemId, 'apply_patch', calls, on);
}

function aboutServer(params: unknown, on: Approvals): boolean {
  const read = serverCall.safeParse(params);
  if (!read.success) return false; // a request of the server itself, to the user
  const { serverName, _meta } = read.data;
  const item = on.items.serverCall(serverName, _meta.tool_params);
  if (item === null) return false;
  const tool = toolOf(item);
  const isOurs = on.spec.tools?.settings.mcpServers[serverName] !== undefined;
  const denial = { why: 'tool-not-in-mode', params: { tool, about: tool }, say: `tool-not-in-mode: ${tool}` };
  if (on.spec.mode !== 'exec' || !isOurs) return refuse(item.id, tool, denial, on);
  return areAllowed(item.id, tool, callsOf(item, on.spec.cwd), on);
}

const UNREADABLE: Denial = { why: 'command-unreadable', params: { about: '' } };
const LEAVES: Denial = { why: 'leaves-the-sandbox', params: { about: '' } };

/** All of the calls, or none. A policy that throws allows nothing. */
function areAllowed(item: string, tool: string, calls: readonly ToolCall[], on: Approvals): boolean {
  for (const call of calls)
    try {
      const verdict = on.policy(call);
      if (!verdict.allow) return refuse(item, tool, verdict, on);
    } catch (error) {
      const say = error instanceof Error ? error.message : String(error);
      return refuse(item, tool, { why: 'command-unreadable', params: { tool, about: say }, say }, on);
    }
  return true;
}

function refuse(item: string, tool: string, denial: Denial, { denied, items }: Approvals): false {
  items.refused(item, denial.say ?? denial.why);
  denied(tool, denial);
  return false;
}
