import { createSender } from './sample-requests.mjs';

/** Who works on the platform of the pictures; from the first of them on, it requires sign-in. */
const people = [
  { key: 'ann', login: 'ann@example.com', name: 'Ann Gardener', roles: ['administrator'] },
  { key: 'tomas', login: 'tomas@example.com', name: 'Tomas Okafor', roles: ['editor', 'order-desk'] },
  { key: 'sofia', login: 'sofia@example.com', name: 'Sofia Brandstetter', roles: ['garden-editor', 'editor'] },
  { key: 'shop', login: 'shop', name: 'Shop', roles: ['web-shop'], isService: true },
];

/** The first is of those who write about the garden. */
const roles = [
  {
    name: 'garden-editor',
    displayName: 'Garden editor',
    description: 'Writes articles and keeps the products of the garden catalog.',
    grants: [
      { on: { plugin: 'articles' }, actions: ['read', 'create', 'update', 'delete', 'import', 'export'] },
      { on: { plugin: 'catalog', type: 'catalog' }, actions: ['read'] },
      { on: { plugin: 'catalog', type: 'category' }, actions: ['read', 'update'] },
      { on: { plugin: 'catalog', type: 'promotion' }, actions: ['read'] },
      {
        on: { plugin: 'catalog', type: 'product' },
        actions: ['read', 'update'],
        writableFields: ['name', 'image', 'catalogVersion'],
        where: [{ field: 'catalogVersion', operator: 'EQUALS', value: 'STAGED' }],
      },
    ],
    permissions: ['media.upload'],
  },
  {
    name: 'order-desk',
    displayName: 'Order desk',
    description: 'Decides about orders and dispatches them.',
    permissions: ['order.read', 'order.control', 'consignment.change', 'ops.read', 'ops.control'],
  },
  {
    name: 'web-shop',
    displayName: 'Web shop',
    description: 'Places orders and records payments.',
    permissions: ['order.read', 'order.place', 'payment.receive'],
  },
];

/**
 * Creates the people, a service that places orders, and a role. Resolves with the secret with which the first one sets a password,
 * and with a sender of requests for each.
 */
export async function createSamplePeople({ address, run, clock }) {
  clock.at('2026-02-16T08:30:00Z');
  const [ann, ...others] = people;
  const [, secret] = /set-password#(\S+)/.exec(await createPerson(run, ann));
  const senders = { ann: await senderOf(address, run, ann) };
  await untilSignInIsRequired(address);
  for (const role of roles) await senders.ann.send('POST', '/api/platform/roles', role);
  for (const person of others) {
    await createPerson(run, person);
    senders[person.key] = await senderOf(address, run, person);
  }
  return { secret, senders };
}

function createPerson(run, { login, name, roles: names, isService = false }) {
  const options = [...names.flatMap((role) => ['--role', role]), ...(isService ? ['--service'] : [])];
  return run('users', 'create', login, '--name', name, ...options);
}

async function senderOf(address, run, { login }) {
  const printed = await run('tokens', 'create', login, '--name', 'Samples', '--manages-accounts');
  return createSender(address, printed.trim().split('\n').at(-1));
}

async function untilSignInIsRequired(address) {
  while ((await fetch(`${address}/api/platform/plugins`)).status !== 401) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
