import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

export interface NetworkOptions {
  /** The plugin whose code runs; undefined for code of the platform. */
  current(): string | undefined;
  /** @param host undefined for a call that reaches no certain host */
  mayReach(plugin: string, host: string | undefined): boolean;
}

export interface NetworkGuard {
  /** What the code of a plugin wanted of the network, once each. */
  callsOf(plugin: string): readonly string[];
}

/** A loop would fill the report. */
const maxCalls = 20;

/**
 * Refuses calls of the network by code of plugins for as long as the process lives: node:net and what is built on it (node:tls, node:http,
 * fetch), node:dgram and node:dns. A guard against mistakes: code that means harm gets around it, by another process for example.
 */
export function refuseNetwork({ current, mayReach }: NetworkOptions): NetworkGuard {
  const calls = new Map<string, Set<string>>();
  const refuse: Refuse = (what, host) => {
    const plugin = current();
    if (plugin === undefined || mayReach(plugin, host)) return undefined;
    const own = calls.get(plugin) ?? new Set();
    if (own.size < maxCalls) own.add(what);
    calls.set(plugin, own);
    return Object.assign(new Error(`${what} is refused: the check of a plugin has no network`), {
      code: 'ENETUNREACH',
    });
  };
  refuseConnections(refuse);
  refuseDatagrams(refuse);
  refuseLookUps(refuse);
  // For `import { lookup } from 'node:dns'`.
  syncBuiltinESMExports();
  return { callsOf: (plugin) => [...(calls.get(plugin) ?? [])] };
}

/** @returns the error for a call that is refused */
type Refuse = (what: string, host: string | undefined) => Error | undefined;
type Call = (this: unknown, ...parameters: unknown[]) => unknown;

interface Guarded {
  /** @returns the error for a call that is refused */
  refuse(parameters: readonly unknown[]): Error | undefined;
  /** Reports it in the way of the function. */
  fail(this: void, self: unknown, error: Error, parameters: readonly unknown[]): unknown;
}

/** Puts a guard before a function of an object that is built in; another version of Node may not have it. */
function guard(target: object, name: string, { refuse, fail }: Guarded): void {
  const original: unknown = Reflect.get(target, name);
  if (typeof original !== 'function') return;
  const call: Call = function (this: unknown, ...parameters) {
    const error = refuse(parameters);
    return error === undefined ? (original as Call).apply(this, parameters) : fail(this, error, parameters);
  };
  Reflect.set(target, name, call);
}

function refuseConnections(refuse: Refuse): void {
  guard(net.Socket.prototype, 'connect', {
    refuse: (parameters) => {
      const { what, host } = connectionTarget(parameters);
      return refuse(`A connection to ${what}`, host);
    },
    fail: (socket, error) => {
      process.nextTick(() => (socket as net.Socket).destroy(error));
      return socket;
    },
  });
  guard(net.Server.prototype, 'listen', {
    refuse: () => refuse('Listening for connections', undefined),
    fail: (server, error) => {
      process.nextTick(() => (server as net.Server).emit('error', error));
      return server;
    },
  });
}

interface Target {
  readonly what: string;
  readonly host: string | undefined;
}

/** Of the parameters of `connect`: options, a path, or a port and a host; within Node they are an array already. */
function connectionTarget([first, second]: readonly unknown[]): Target {
  const [options, name] = Array.isArray(first) ? (first as readonly unknown[]) : [first, second];
  if (typeof options === 'object' && options !== null) {
    const { host, port, path } = options as Partial<Record<'host' | 'port' | 'path', unknown>>;
    if (typeof path === 'string') return { what: `the socket ${path}`, host: undefined };
    return hostTarget(host, port);
  }
  if (typeof options === 'string' && !/^\d+$/.test(options)) return { what: `the socket ${options}`, host: undefined };
  return hostTarget(name, options);
}

function hostTarget(host: unknown, port: unknown): Target {
  const name = typeof host === 'string' && host !== '' ? host : 'localhost';
  return { what: `${name}:${String(port)}`, host: name };
}

function refuseDatagrams(refuse: Refuse): void {
  for (const name of ['send', 'connect', 'bind']) {
    guard(dgram.Socket.prototype, name, {
      refuse: (parameters) =>
        isImplicitBind(name, parameters) ? undefined : refuse(`A datagram socket (${name})`, hostOf(name, parameters)),
      fail: (_socket, error) => {
        throw error;
      },
    });
  }
}

/** Node binds a socket that sends first, to any port. */
function isImplicitBind(name: string, [options]: readonly unknown[]): boolean {
  if (name !== 'bind' || typeof options !== 'object' || options === null) return false;
  const { port, exclusive } = options as Partial<Record<'port' | 'exclusive', unknown>>;
  return port === 0 && exclusive === true;
}

/** A message may be a text; the address follows the port. */
function hostOf(name: string, parameters: readonly unknown[]): string | undefined {
  if (name === 'bind') return undefined;
  const address = parameters
    .slice(name === 'send' ? 1 : 0)
    .find((one) => typeof one === 'string' && !/^\d+$/.test(one));
  return typeof address === 'string' && address !== '' ? address : 'localhost';
}

function refuseLookUps(refuse: Refuse): void {
  for (const target of [dns, dns.Resolver.prototype]) {
    for (const name of lookUpsOf(target)) guard(target, name, lookUp(refuse, name, failByCallback));
  }
  for (const target of [dns.promises, dns.promises.Resolver.prototype]) {
    for (const name of lookUpsOf(target)) guard(target, name, lookUp(refuse, name, failByPromise));
  }
}

function lookUp(refuse: Refuse, name: string, fail: Guarded['fail']): Guarded {
  return {
    refuse: ([host]) => {
      const known = typeof host === 'string' ? host : undefined;
      return refuse(`A look-up of ${known ?? 'a name'} (dns.${name})`, known);
    },
    fail,
  };
}

const failByCallback: Guarded['fail'] = (_self, error, parameters) => {
  const callback = parameters.at(-1);
  if (typeof callback !== 'function') throw error;
  process.nextTick(() => void (callback as (failure: Error) => unknown)(error));
  return undefined;
};

const failByPromise: Guarded['fail'] = (_self, error) => Promise.reject(error);

/** The methods of a resolver are those of its prototype and of the one behind it. */
function lookUpsOf(target: object): readonly string[] {
  const owners = [target, Object.getPrototypeOf(target) as object];
  const names = owners.flatMap((owner) => Object.getOwnPropertyNames(owner));
  return [...new Set(names)].filter((name) => /^(resolve|lookup|reverse)/.test(name));
}
