import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { TestCall, TestError, TestPlatformMessage } from '@gantry/contracts';
import { GantryError } from '../errors';

const stopTimeout = 20_000;

/** The host process of a test platform. */
export interface HostProcess {
  /** @returns its address. @throws Error when it is not ready in time */
  ready(timeoutMs: number): Promise<string>;
  call(call: TestCall): Promise<unknown>;
  output(): string;
  stop(): Promise<void>;
}

/** Starts it; it answers calls from the time at which it is ready. */
export function startHost(entry: string, folder: string, environment: Readonly<Record<string, string>>): HostProcess {
  const child = fork(entry, [], {
    cwd: folder,
    // Flags of a test framework are not for the host.
    execArgv: [],
    env: { ...withoutSettings(process.env), ...environment },
    // Keeps dates, and values that are undefined.
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = collectOutput(child);
  const calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let count = 0;
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code, signal) => {
      const error = new Error(`The platform ended with ${signal ?? `exit code ${code}`}:\n${output()}`);
      for (const { reject: rejectCall } of calls.values()) rejectCall(error);
      calls.clear();
      reject(error);
    });
  });
  ended.catch(() => undefined);
  const address = new Promise<string>((resolveAddress, reject) => {
    child.on('message', (message: TestPlatformMessage) => {
      if (message.kind === 'ready') resolveAddress(message.address);
      else if (message.kind === 'failed') reject(new Error(`${message.error.message}\n${output()}`));
      else settle(message);
    });
  });
  const settle = (message: Extract<TestPlatformMessage, { readonly kind: 'answer' }>): void => {
    const call = calls.get(message.id);
    calls.delete(message.id);
    if ('error' in message) call?.reject(errorOf(message.error));
    else call?.resolve(message.value);
  };
  child.send({ kind: 'start', environment });
  return {
    output,
    ready: (timeoutMs) => Promise.race([address, ended, late(timeoutMs, output)]),
    call: (call) =>
      new Promise((resolveCall, reject) => {
        if (!child.connected) return reject(new Error(`The platform has ended:\n${output()}`));
        count += 1;
        calls.set(count, { resolve: resolveCall, reject });
        child.send({ kind: 'call', id: count, call });
        return undefined;
      }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
      await exit;
      clearTimeout(timer);
    },
  };
}

function late(timeoutMs: number, output: () => string): Promise<never> {
  return new Promise((_resolve, reject) => {
    const message = `The platform was not ready within ${timeoutMs / 1000} s`;
    setTimeout(() => reject(new Error(`${message}:\n${output()}`)), timeoutMs).unref();
  });
}

/** Without flags of a test framework, and settings of another platform, whose Temporal would give its tasks to the test. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSetting = (name: string): boolean => /^(NODE_OPTIONS$|DATABASE_URL$|GANTRY_|TEMPORAL_)/.test(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isSetting(name)));
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-8000);
    });
  }
  return () => text;
}

/** The same error that the plugin would get. */
function errorOf({ name, code, message, details }: TestError): Error {
  if (name !== 'GantryError' || code === undefined) return Object.assign(new Error(message), { name, code });
  return new GantryError(
    code as ConstructorParameters<typeof GantryError>[0],
    message,
    details === undefined ? {} : { details: details as [] },
  );
}
