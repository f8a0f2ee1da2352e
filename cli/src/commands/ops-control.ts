import { Declined } from '../common/failure';
import { userInfo } from 'node:os';
import type { CommandContext } from '../context/command-context';
import { assertAskable, confirm } from '../terminal/confirm';
import { plain } from '../common/plain';
import { callOps } from './ops-client';

/** Why something is asked for, and by whom; Temporal keeps both. */
export interface AuditNote {
  readonly reason: string | undefined;
  /** The user of this computer unless given. */
  readonly by: string | undefined;
}

interface Controlled {
  readonly workflowId: string;
  readonly runId: string;
}

/** {@link AuditNote} for what cannot be taken back. */
export interface Confirmed extends AuditNote {
  /** Asks nothing. */
  readonly yes: boolean;
}

/** `gantry ops cancel <workflow>` */
export async function cancelWorkflow(
  context: CommandContext,
  workflowId: string,
  { yes, ...note }: Confirmed,
): Promise<number> {
  const { terminal } = context;
  assertAskable(terminal, yes, 'Canceling a workflow');
  const question = `Cancel ${plain(workflowId)}? A paid order is refunded.`;
  if (!yes && !(await confirm(terminal, question))) throw declined();
  return control(context, [workflowId, 'cancel'], bodyOf(note), () => `${workflowId} is being canceled.`);
}

/** `gantry ops terminate <workflow>` */
export async function terminateWorkflow(
  context: CommandContext,
  workflowId: string,
  { yes, ...note }: Confirmed,
): Promise<number> {
  const { terminal } = context;
  assertAskable(terminal, yes, 'Terminating a workflow');
  const question = `Terminate ${plain(workflowId)}? It ends at once: nothing is refunded and nobody is notified.`;
  if (!yes && !(await confirm(terminal, question))) throw declined();
  return control(context, [workflowId, 'terminate'], bodyOf(note), () => `${workflowId} has been terminated.`);
}

/** `gantry ops signal <workflow> <signal>` */
export async function signalWorkflow(
  context: CommandContext,
  workflowId: string,
  { signal, args, ...note }: AuditNote & { readonly signal: string; readonly args: readonly unknown[] },
): Promise<number> {
  const body = { ...bodyOf(note), signal, ...(args.length === 0 ? {} : { args }) };
  return control(context, [workflowId, 'signal'], body, () => `${workflowId} received the signal ${signal}.`);
}

/** What a request that changes something says of itself. */
export function bodyOf({ reason, by }: AuditNote): object {
  return { requestedBy: by ?? ownName(), ...(reason === undefined ? {} : { reason }) };
}

/** The person said no. */
export function declined(): Declined {
  return new Declined('Nothing was done.');
}

async function control(
  context: CommandContext,
  path: readonly string[],
  body: object,
  summary: () => string,
): Promise<number> {
  const { data } = await callOps<Controlled>(context, { path, body });
  if (context.json) context.terminal.printJson(data);
  else context.terminal.print(plain(summary()));
  return 0;
}

/** Systems without an entry for the user exist (containers). */
function ownName(): string {
  try {
    return plain(userInfo().username).slice(0, 100) || 'unknown';
  } catch {
    return 'unknown';
  }
}
