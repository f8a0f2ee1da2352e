import { readFile, writeFile } from 'node:fs/promises';
import { parseRolesFile, toRolesFile, type Identity } from '@gantry/host';
import type { CommandContext } from '../context/command-context';
import { byCommand, withIdentity } from '../context/with-identity';
import { withRemedy } from '../common/with-remedy';
import { table } from '../terminal/table';

/** `gantry roles list` */
export async function listRoles(context: CommandContext): Promise<number> {
  const roles = await run(context, 'gantry roles list', (identity) => identity.roles.list());
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
  const roles = await run(context, 'gantry roles export', (identity) => identity.roles.list());
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
  const roles = await run(context, 'gantry roles import', (identity) =>
    identity.change(byCommand, async (change) => {
      const imported = await change.roles.import(wanted);
      const detail = { roles: imported.map(({ name }) => name) };
      await change.record({ action: 'roles-imported', subject: 'roles', detail });
      return imported;
    }),
  );
  if (context.json) context.terminal.printJson(roles);
  else context.terminal.print(`Imported ${roles.map(({ name }) => name).join(', ') || 'no roles'}.`);
  return 0;
}

function run<T>(context: CommandContext, purpose: string, work: (identity: Identity) => Promise<T>): Promise<T> {
  return withIdentity(context, { purpose, afterInterruption: 'List the roles with: gantry roles list' }, work);
}
