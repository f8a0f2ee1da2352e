import type { PlatformRequest } from '@gantry/client/platform';
import type { ItemAction } from '@gantry/contracts';
import { callRoute, platformAddress } from '../../context/running-platform';
import type { CommandContext } from '../../context/command-context';
import { UsageError } from '../../common/usage-error';
import { withRemedy } from '../../common/with-remedy';

export interface ExplainOptions {
  readonly login: string;
  /** The code of an item type, or a permission, which has a point. */
  readonly what: string;
  readonly action: string | undefined;
  readonly field: string | undefined;
  readonly item: string | undefined;
}

type Question = PlatformRequest<'GET', '/api/platform/explain'>['query'];

/** `gantry explain <login> <what> [action]`: exit code 1 for what the user may not do. */
export async function explainRights(context: CommandContext, options: ExplainOptions): Promise<number> {
  if (platformAddress(context) === undefined) {
    throw withRemedy(
      'No platform runs on this home.',
      'Start it with: gantry up. Rights depend on the plugins that run.',
    );
  }
  const { data: explanation } = await callRoute(
    'GET',
    '/api/platform/explain',
    { query: questionOf(options) },
    context,
  );
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

function questionOf({ login, what, action, field, item }: ExplainOptions): Question {
  const user = login;
  if (what.includes('.')) return { user, permission: what };
  if (action === undefined) throw new UsageError('Name an action: read, create, update, delete, import or export.');
  return {
    // The platform names the actions that there are.
    ...{ user, type: what, action: action as ItemAction },
    ...(field === undefined ? {} : { field }),
    ...(item === undefined ? {} : { item }),
  };
}
