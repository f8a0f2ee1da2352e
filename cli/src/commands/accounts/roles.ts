import { readFile, writeFile } from 'node:fs/promises';
import type { Role } from '@gantry/contracts';
import { importRoles as importInto, parseRolesFile, toRolesFile, type Identity } from '@gantry/host/open-identity';
import type { CommandContext } from '../../context/command-context';
import { callRoute } from '../../context/running-platform';
import { byCommand, withIdentity } from '../../context/with-identity';
import { withRemedy } from '../../common/with-remedy';
import { table } from '../../terminal/table';
import { importRolesOverHttp, isRemote, listRolesOverHttp } from './accounts-over-http';

/** `gantry roles list` */
export async function listRoles(context: CommandContext): Promise<number> {
  const roles = await readRoles(context, 'gantry roles list');
  const { terminal } = context;
  if (context.json) terminal.printJson(roles);
  else {
    const rows = roles.map(({ name, displayName, isBuiltIn, description }) => [
      name,
      displayName,
      isBuiltIn ? 'built in' : 'stored',
      description,
    ]);
    terminal.print(table(['ROLE', 'NAME', 'KIND', 'DESCRIPTION'], rows));
  }
  return 0;
}

/** `gantry roles export`: the stored roles, as a file for another platform. */
export async function exportRoles(context: CommandContext, file: string | undefined): Promise<number> {
  await assertSeesWholeRoles(context);
  const roles = await readRoles(context, 'gantry roles export');
  const text = toRolesFile(roles);
  if (file === undefined) {
    context.terminal.print(text.trimEnd());
    return 0;
  }
  await writeFile(file, text);
  context.terminal.note(`Wrote ${roles.filter(({ isBuiltIn }) => !isBuiltIn).length} roles to ${file}.`);
  return 0;
}

/** `gantry roles import <file>`: creates or replaces all roles of the file, or none. */
export async function importRoles(context: CommandContext, file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw withRemedy(`${file} cannot be read.`, 'Name a file of gantry roles export.', cause);
  });
  const wanted = parseRolesFile(text);
  const roles = isRemote(context)
    ? await importRolesOverHttp(context, wanted)
    : await run(context, 'gantry roles import', (identity) =>
        identity.change(byCommand, (change) => importInto(change, wanted)),
      );
  if (context.json) context.terminal.printJson(roles);
  else context.terminal.print(`Imported ${roles.map(({ name }) => name).join(', ') || 'no roles'}.`);
  return 0;
}

/** Of the platform that --url names, else of the home. */
async function readRoles(context: CommandContext, purpose: string): Promise<readonly Role[]> {
  return isRemote(context) ? listRolesOverHttp(context) : run(context, purpose, (identity) => identity.roles.list());
}

/** Others are shown roles without what they cannot read: a file of these would allow more elsewhere, as conditions are missing. */
async function assertSeesWholeRoles(context: CommandContext): Promise<void> {
  if (context.url === undefined) return;
  const { user } = (await callRoute('GET', '/api/platform/session', {}, context)).data;
  if (user === null || user.roles.includes('administrator')) return;
  throw withRemedy(
    'Only an administrator can export roles: other users see only some of the roles.',
    'Store the API token of an administrator with: gantry login <address>',
  );
}

function run<T>(context: CommandContext, purpose: string, work: (identity: Identity) => Promise<T>): Promise<T> {
  return withIdentity(context, { purpose, afterInterruption: 'List the roles with: gantry roles list' }, work);
}
