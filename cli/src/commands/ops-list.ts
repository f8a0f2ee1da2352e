import type { OperationsOverview, WorkflowSummary } from '@gantry/contracts';
import type { CommandContext } from '../context/command-context';
import { duration, moment } from '../terminal/duration';
import { plain } from '../common/plain';
import { counted, table } from '../terminal/table';
import { callOps } from './ops-client';
import { stateWords } from './ops-words';

export interface ListArguments {
  readonly status: string | undefined;
  readonly type: string | undefined;
  readonly query: string | undefined;
  readonly limit: string | undefined;
  readonly after: string | undefined;
  /** All pages from there on, not one. */
  readonly all: boolean;
}

interface Found {
  readonly workflows: readonly WorkflowSummary[];
  readonly nextCursor: string | undefined;
}

/** `gantry ops list` */
export async function listWorkflows(context: CommandContext, wanted: ListArguments): Promise<number> {
  const { terminal } = context;
  const { workflows, nextCursor } = await find(context, wanted);
  if (context.json) {
    terminal.printJson(workflows, nextCursor === undefined ? undefined : { nextCursor });
    return 0;
  }
  const rows = workflows.map((workflow) => [
    plain(workflow.workflowId),
    plain(workflow.type),
    stateWords(workflow.status, terminal.colours),
    moment(workflow.startTime),
    tookOf(workflow),
  ]);
  const { data: overview } = await callOps<OperationsOverview>(context, { root: 'operations' });
  for (const problem of overview.problems) terminal.note(plain(problem));
  if (rows.length === 0) terminal.note('There is no such workflow.');
  else terminal.print(table(['WORKFLOW', 'TYPE', 'STATUS', 'STARTED', 'TOOK'], rows));
  if (nextCursor !== undefined) {
    terminal.note(`${counted(rows.length, 'workflow')} shown; there are more. Add --all, or --after ${nextCursor}`);
  }
  return 0;
}

async function find(context: CommandContext, wanted: ListArguments): Promise<Found> {
  const { all, after, status, type, query: condition } = wanted;
  const limit = wanted.limit ?? (all ? '1000' : undefined);
  const workflows: WorkflowSummary[] = [];
  let cursor = after;
  do {
    const query = { status, type, query: condition, limit, after: cursor };
    const page = await callOps<readonly WorkflowSummary[]>(context, { query });
    workflows.push(...page.data);
    const next = page.meta?.['nextCursor'];
    cursor = typeof next === 'string' ? next : undefined;
  } while (all && cursor !== undefined);
  return { workflows, nextCursor: cursor };
}

function tookOf({ startTime, closeTime }: WorkflowSummary): string {
  return closeTime === undefined ? '' : duration(Date.parse(closeTime) - Date.parse(startTime));
}
