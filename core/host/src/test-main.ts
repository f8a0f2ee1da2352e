import { randomBytes } from 'node:crypto';
import type { TestCall, TestCallMessage, TestError, TestPlatformMessage, TestStartMessage } from '@gantry/contracts';
import { GantryError, type ItemCollection, type ItemStore } from '@gantry/plugin-api';
import { createLogger } from './common/logger';
import { scopeOfPrincipal, callerOf, principalOfCaller } from '@gantry/core-http';
import type { Content } from './composition/open-content';
import { parseConfig } from './config';
import { createItemStore } from '@gantry/core-content';
import { createHost } from './create-host';
import { takeProcess } from './process/host-process';
import { createApiToken } from '@gantry/core-identity/commands';

/**
 * The host process of a platform for tests of plugins (`startTestPlatform` of the plugin API): it does what the process that started
 * it asks over IPC, and ends with that process.
 */
async function main(): Promise<void> {
  const abandon = (): void => own.exit(1);
  own.on('disconnect', abandon);
  const { environment } = await receiveStart();
  Object.assign(process.env, environment);
  const config = parseConfig(process.env);
  const clock = createClock();
  let content: Content | undefined;
  const host = await createHost({
    config,
    logger: createLogger(config.logLevel),
    environment: process.env,
    now: clock.now,
    onContent: (opened) => {
      content = opened;
    },
  });
  let ending: Promise<void> | undefined;
  const end = (): void => {
    ending ??= host.stop().finally(() => own.exit(0));
  };
  own.off('disconnect', abandon);
  own.on('disconnect', end);
  own.on('SIGTERM', end);
  process.on('message', (message: TestCallMessage) => {
    if (content !== undefined) void answer(message, content, clock);
  });
  send({ kind: 'ready', address: host.address });
}

function receiveStart(): Promise<TestStartMessage> {
  return new Promise((resolve) => process.once('message', (message) => resolve(message as TestStartMessage)));
}

function send(message: TestPlatformMessage): void {
  if (process.connected) process.send?.(message);
}

async function answer({ id, call }: TestCallMessage, content: Content, clock: Clock): Promise<void> {
  try {
    send({ kind: 'answer', id, value: await run(call, content, clock) });
  } catch (error) {
    send({ kind: 'answer', id, error: describe(error) });
  }
}

async function run(call: TestCall, content: Content, clock: Clock): Promise<unknown> {
  switch (call.kind) {
    case 'items':
      return callItems(call, content);
    case 'clock':
      clock.set(call.time);
      return clock.now().getTime();
    case 'actor':
      return createActor(call, content);
  }
}

interface Clock {
  readonly now: () => Date;
  set(time: number | undefined): void;
}

function createClock(): Clock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    set: (time) => {
      ahead = time === undefined ? 0 : time - Date.now();
    },
  };
}

async function callItems(
  { type: code, method, args, token }: Extract<TestCall, { readonly kind: 'items' }>,
  content: Content,
): Promise<unknown> {
  const type = content.policies.open.types.find(code);
  if (type === undefined) throw new GantryError('TYPE_NOT_FOUND', `CMS Type not found: ${code}`);
  const store = await storeOf(content, type.descriptor.plugin, token);
  const collection = store.of(type.model) as unknown as Readonly<Record<string, unknown>>;
  const found = Object.hasOwn(collection, method) ? collection[method] : undefined;
  if (typeof found !== 'function') throw new GantryError('BAD_REQUEST', `Items have no method ${method}.`);
  return Reflect.apply(found as ItemCollection<never>['count'], collection, args as never);
}

/** Of the plugin that has the type, which may write read-only types; with a token, that of its user. */
async function storeOf(content: Content, plugin: string, token: string | undefined): Promise<ItemStore> {
  const { policies, repository, writer, identity } = content;
  const scopeOf = (caller: Parameters<typeof principalOfCaller>[0]) => {
    const principal = principalOfCaller(caller);
    return principal && scopeOfPrincipal(policies, principal, 'none');
  };
  const store = createItemStore({
    plugin,
    systemScope: 'A test',
    access: () => ({ policy: policies.open, repository, writer, scopeOf }),
  });
  if (token === undefined) return store;
  const principal = await identity.authenticator.apiToken(token);
  if (principal === undefined) {
    throw new GantryError('UNAUTHENTICATED', 'The token of the actor is not valid any more.');
  }
  return store.as(callerOf(principal));
}

const byTest = { actor: 'test', address: '' };

/** The first actor switches sign-in on, which needs an administrator. */
async function createActor(
  { login, roles }: Extract<TestCall, { readonly kind: 'actor' }>,
  { identity }: Content,
): Promise<string> {
  const token = await identity.change(byTest, async (change) => {
    if (!identity.hasAdministrator()) {
      const name = `administrator-${randomBytes(4).toString('hex')}@localhost.test`;
      await change.users.create({ login: name, kind: 'person', roles: ['administrator'] });
    }
    const user = await change.users.create({ login, kind: 'service', roles });
    return createApiToken(change, user, { name: 'test', expiresInDays: 1 });
  });
  await identity.refresh();
  return token.token;
}

function describe(error: unknown): TestError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { code, details, remedy } = error as { code?: unknown; details?: unknown; remedy?: unknown };
  return {
    name: error.name,
    message: typeof remedy === 'string' ? `${error.message}. ${remedy}` : error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(details === undefined ? {} : { details }),
  };
}

/** Taken before code of plugins runs, which may replace it. */
const own = takeProcess();

main().catch((error: unknown) => {
  send({ kind: 'failed', error: describe(error) });
  // Written before the process ends: the message is small.
  setImmediate(() => own.exit(1));
});
