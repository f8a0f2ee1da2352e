import { Declined } from '../../common/failure';
import type { DeletionPlan, Failure } from '@gantry/contracts';
import { plain } from '../../common/plain';
import type { CommandContext } from '../../context/command-context';
import { callRoute } from '../../context/running-platform';
import { confirm as ask } from '../../terminal/confirm';

interface DeleteOptions {
  readonly type: string;
  readonly id: string;
  readonly confirm: string | undefined;
}

/** `gantry items delete <type> <id>`: exit code 1 where a person does not confirm what it does to other items. */
export async function deleteItem(context: CommandContext, options: DeleteOptions): Promise<number> {
  const { terminal } = context;
  const { type, id } = options;
  try {
    await sendDelete(context, options);
  } catch (error) {
    const plan = planOf(error);
    // A script has to say beforehand what it confirms.
    if (plan === undefined || context.json || !terminal.isWatched || !process.stdin.isTTY) throw error;
    terminal.print(`Deleting ${type} ${id} also does this:`);
    for (const line of linesOf(plan)) terminal.print(`  ${line}`);
    if (!(await ask(terminal, 'Delete it with these?'))) throw new Declined('Nothing was deleted.');
    await sendDelete(context, { ...options, confirm: plan.confirm });
  }
  if (context.json) terminal.printJson({ type, id });
  else terminal.print(`Deleted ${type} ${id}. Bring it back with: gantry items restore ${type} ${id}`);
  return 0;
}

async function sendDelete(context: CommandContext, { type, id, confirm }: DeleteOptions): Promise<void> {
  const query = confirm === undefined ? {} : { confirm };
  await callRoute('DELETE', '/api/cms/items/{type}/{id}', { path: { type, id }, query }, context);
}

function planOf(error: unknown): DeletionPlan | undefined {
  if (!(error instanceof Error)) return undefined;
  return (error.cause as Partial<Failure['error']> | undefined)?.deletion;
}

function linesOf({ effects }: DeletionPlan): readonly string[] {
  return effects.map(({ action, count, displayName, displayNamePlural, items }) => {
    const labels = items.map(({ label }) => plain(label)).join(', ');
    const more = count > items.length ? ', …' : '';
    return `${action} ${count} ${count === 1 ? displayName : displayNamePlural}: ${labels}${more}`;
  });
}
