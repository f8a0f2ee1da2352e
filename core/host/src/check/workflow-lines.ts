import type { PluginCheckLine } from '@gantry/contracts';
import type { CheckFindings } from './check-messages';
import type { CheckProblemCode } from './check-problems';

/** Whether the open workflows of a service could go on with the bundle that was checked. */
export function workflowLines({ id, workflows }: CheckFindings): readonly PluginCheckLine[] {
  if (workflows === undefined) return [];
  const { taskQueue } = workflows;
  if (workflows.kind === 'unknown') {
    return [{ part: 'workflows', outcome: 'warning', message: workflows.reason, remedy: workflows.remedy }];
  }
  const { count, isPartial, failures } = workflows;
  const failed = failures.map(({ workflowId, reason }): PluginCheckLine => ({
    part: 'workflows',
    outcome: 'problem',
    code: 'WORKFLOW_INCOMPATIBLE' satisfies CheckProblemCode,
    message: `The open workflow ${workflowId} cannot go on with this code: ${reason}`,
    remedy: `Let it finish with the code that started it, or keep the old path in ${id} with patched()`,
  }));
  if (isPartial) {
    return [
      ...failed,
      {
        part: 'workflows',
        outcome: 'warning',
        message: `Only the ${count} latest open workflows of the queue ${taskQueue} were replayed; there are more`,
        remedy: 'Check again when fewer are open, or replay stored histories in a test of the plugin',
      },
    ];
  }
  if (failed.length > 0) return failed;
  const found =
    count === 0 ? 'no workflow is open' : `${count} open workflow${count === 1 ? '' : 's'} can go on with it`;
  return [
    {
      part: 'workflows',
      outcome: 'ok',
      message: `The workflow bundle of the queue ${taskQueue} was loaded; ${found}`,
    },
  ];
}
