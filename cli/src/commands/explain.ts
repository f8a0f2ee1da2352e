import type { CommandContext } from '../context/command-context';
import { callPlatform, platformAddress } from '../context/running-platform';
import { UsageError } from '../common/usage-error';
import { withRemedy } from '../common/with-remedy';

export interface ExplainOptions {
  readonly login: string;
  /** The code of an item type, or a permission, which has a point. */
  readonly what: string;
  readonly action: string | undefined;
  readonly field: string | undefined;
  readonly item: string | undefined;
}

interface Explanation {
  readonly allowed: boolean;
  readonly by: readonly { readonly role: string; readonly on?: unknown; readonly where?: unknown }[];
  readonly reason: string;
}

/** `gantry explain <login> <what> [action]`: exit code 1 for what the user may not do. */
export async function explainRights(context: CommandContext, options: ExplainOptions): Promise<number> {
  const address = platformAddress(context);
  if (address === undefined) {
    throw withRemedy(
      'No platform runs on this home.',
      'Start it with: gantry up. What is allowed depends on its plugins.',
    );
  }
  const explanation = (await callPlatform(context, address, pathOf(options))) as Explanation;
  const { terminal } = context;
  if (context.json) terminal.printJson(explanation);
  else {
    terminal.print(explanation.reason);
    for (const { role, on, where } of explanation.by) {
      const grant = on === undefined ? '' : `, grant on ${JSON.stringify(on)}`;
      terminal.print(`  by the role ${role}${grant}${where === undefined ? '' : ` where ${JSON.stringify(where)}`}`);
    }
  }
  return explanation.allowed ? 0 : 1;
}

function pathOf({ login, what, action, field, item }: ExplainOptions): string {
  const query = new URLSearchParams({ user: login });
  if (what.includes('.')) query.set('permission', what);
  else {
    if (action === undefined) throw new UsageError('Name an action: read, create, update, delete, import or export.');
    query.set('type', what);
    query.set('action', action);
    if (field !== undefined) query.set('field', field);
    if (item !== undefined) query.set('item', item);
  }
  return `/api/platform/explain?${query.toString()}`;
}
