import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Users, roles and tokens of a platform that does not run, as commands have them. */
export async function withIdentity({ url, home }, work) {
  const { createStderrLogger, parseConfig } = require('@gantry/host');
  const { openIdentity } = require('@gantry/host/open-identity');
  const config = parseConfig({ DATABASE_URL: url, GANTRY_HOME: home });
  const { identity, close } = await openIdentity(config, createStderrLogger('silent'));
  try {
    return await work(identity);
  } finally {
    await close();
  }
}

/** Switches sign-in on. @returns the secret by which the administrator sets a password */
export async function createAdministrator({ users }) {
  const { id } = await users.create({
    ...{ login: 'ann@example.com', displayName: 'Ann', kind: 'person', roles: ['administrator'] },
  });
  return (await users.createLink(id)).secret;
}

/** @returns its id, and the header with a token of it */
export async function createServiceAccount({ users, apiTokens }, login, roles) {
  const { id } = await users.create({ login, displayName: login, kind: 'service', roles });
  const { token } = await apiTokens.create(id, { name: 'bench', expiresInDays: 1 });
  return { id, header: `authorization: Bearer ${token}` };
}
