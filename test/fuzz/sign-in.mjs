import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Roles that the fuzzer can have besides the built-in ones. */
const roles = [
  {
    name: 'limited',
    grants: [
      {
        on: { plugin: 'catalog', type: 'product' },
        actions: ['read', 'create', 'update', 'delete', 'import', 'export'],
        where: [{ field: 'createdBy', operator: 'EQUALS', value: '$user.id' }],
      },
      {
        on: { plugin: 'catalog', type: 'product' },
        actions: ['read'],
        readableFields: ['code', 'name'],
        where: [{ field: 'price', operator: 'LESS_THAN', value: '100' }],
      },
      { on: { plugin: 'catalog', type: 'catalog' }, actions: ['read', 'create'], readableFields: ['code'] },
      { on: { plugin: 'articles' }, actions: ['read', 'update'] },
    ],
    permissions: ['plugins.read'],
  },
];

/** Switches sign-in on. @returns the header of a service account that has the role */
export async function signInAs({ run, home }, role) {
  await run('users', 'create', 'ann@example.com', '--role', 'administrator');
  const file = join(home, 'fuzz-roles.json');
  writeFileSync(file, JSON.stringify({ formatVersion: 1, roles }));
  await run('roles', 'import', file);
  await run('users', 'create', 'fuzzer', '--service', '--role', role);
  return `Authorization: Bearer ${(await run('tokens', 'create', 'fuzzer', '--name', 'fuzz')).trim()}`;
}
