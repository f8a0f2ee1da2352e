import type { ResetOutcome } from '@gantry/contracts';
import type { CommandContext } from '../context/command-context';
import { assertAskable, confirm } from '../terminal/confirm';
import { plain } from '../common/plain';
import { callOps } from './ops-client';
import { bodyOf, declined, type Confirmed } from './ops-control';

export interface ResetArguments extends Confirmed {
  readonly workflowId: string;
  /** A name or the id of an event, as the platform takes it. */
  readonly to: string;
  readonly dryRun: boolean;
}

/** `gantry ops reset <workflow>`: shows what would be repeated and what can do harm, asks, and does exactly that. */
export async function resetWorkflow(context: CommandContext, wanted: ResetArguments): Promise<number> {
  const { terminal } = context;
  if (!wanted.dryRun) assertAskable(terminal, wanted.yes, 'Resetting a workflow');
  const path = [wanted.workflowId, 'reset'];
  const body = { ...bodyOf(wanted), to: wanted.to };
  const { data: plan } = await callOps<ResetOutcome>(context, { path, body: { ...body, dryRun: true } });
  if (wanted.dryRun && context.json) terminal.printJson(plan);
  else if (wanted.dryRun) terminal.print(`${describePlan(plan)}\nThis was a dry run: nothing was done.`);
  else terminal.note(describePlan(plan));
  if (wanted.dryRun) return 0;
  if (!wanted.yes && !(await confirm(terminal, 'Reset it?'))) throw declined();
  // The run is named, so that nothing but what was shown is gone back in.
  const confirmed = { ...body, runId: plan.resetRunId, acknowledge: plan.warnings.map(({ code }) => code) };
  const { data: outcome } = await callOps<ResetOutcome>(context, { path, body: confirmed });
  if (context.json) terminal.printJson(outcome);
  else terminal.print(`${plain(outcome.workflowId)} continues in the run ${outcome.runId ?? ''}.`);
  return 0;
}

function describePlan({ workflowId, resetRunId, eventId, repeats, warnings }: ResetOutcome): string {
  const heading = `${plain(workflowId)} is reset to event ${eventId} of the run ${resetRunId}.`;
  const steps =
    repeats.length === 0
      ? [`${heading} No step is repeated.`]
      : [
          `${heading} These steps are repeated, if the workflow reaches them again:`,
          ...repeats.map((step) => `  ${plain(step)}`),
        ];
  return [...steps, ...warnings.map(({ message }) => `Warning: ${plain(message)}`)].join('\n');
}
