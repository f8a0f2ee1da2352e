import 'reflect-metadata';
import { GantryError, isServiceToken, type RegisterServices, type Services } from '@gantry/plugin-api';
import { container, instanceCachingFactory, type DependencyContainer } from 'tsyringe';
import { describeError } from '@gantry/core-common';
import type { Manifest } from '../manifest/manifest';
import type { PluginExecution } from '../execution/plugin-execution';
import type { PluginRecord } from '../record/plugin-record';

/** Services that plugins provide to each other. */
export interface ProvidedServices {
  /** To be called for a plugin after those that it depends on have registered. */
  open(manifest: Manifest): PluginServiceAccess;
}

/** The functions by which one plugin provides and uses services. */
interface PluginServiceAccess {
  readonly registerServices: RegisterServices;
  readonly services: Services;
  /** Sentences about calls of `provide` that were not acceptable. */
  readonly problems: readonly string[];
  /** From here on, `provide` throws. */
  close(): void;
}

interface ProvidedServicesDependencies extends Pick<PluginExecution, 'enter'> {
  /** Undefined for a plugin that was not found. */
  readonly stateOf: (plugin: string) => PluginRecord['state'] | undefined;
}

type Manifests = Pick<Manifest, 'id' | 'dependsOn' | 'optionalDependsOn'>;

/** One plugin's container: its own services, and those that it may resolve. */
interface PluginContainer {
  readonly container: DependencyContainer;
  /** Ids of the tokens that the plugin provides. */
  readonly provided: Set<string>;
}

/**
 * Each plugin has a container, in which are its own services and a facade of each service of the plugins that it depends on.
 * No plugin gets a container.
 */
export function createProvidedServices(dependencies: ProvidedServicesDependencies): ProvidedServices {
  const root = container.createChildContainer();
  const containers = new Map<string, PluginContainer>();
  return {
    open(manifest) {
      const own: PluginContainer = { container: root.createChildContainer(), provided: new Set() };
      containers.set(manifest.id, own);
      for (const provider of dependenciesOf(manifest)) {
        const from = containers.get(provider);
        for (const id of from?.provided ?? []) {
          own.container.register(id, {
            useFactory: instanceCachingFactory(() => createFacade(id, provider, from, dependencies)),
          });
        }
      }
      const services = createServices(manifest, own, containers, dependencies);
      const collected = createCollectingProvide(manifest.id, own);
      return { ...collected, services, registerServices: Object.freeze({ ...services, provide: collected.provide }) };
    },
  };
}

function dependenciesOf({ dependsOn, optionalDependsOn }: Manifests): readonly string[] {
  return [...Object.keys(dependsOn), ...Object.keys(optionalDependsOn)];
}

function createCollectingProvide(plugin: string, { container: own, provided }: PluginContainer) {
  const problems: string[] = [];
  let isClosed = false;
  const provide: RegisterServices['provide'] = (token, service) => {
    if (isClosed) throw new Error('Services can be provided in register only');
    const wrong = problemsOf(plugin, token, service, provided);
    problems.push(...wrong);
    if (wrong.length > 0) return;
    provided.add(token.id);
    own.register(token.id, {
      useFactory: instanceCachingFactory(() => (typeof service === 'function' ? service() : service)),
    });
  };
  return { provide, problems, close: () => void (isClosed = true) };
}

/** Plugins in plain JavaScript have no compiler that checks what they give. */
function problemsOf(
  plugin: string,
  token: unknown,
  service: unknown,
  provided: ReadonlySet<string>,
): readonly string[] {
  if (!isServiceToken(token)) return ['services.provide requires a token as first argument: serviceToken(…)'];
  const { id } = token;
  return [
    ...(providerOf(id) === plugin ? [] : [`the token "${id}" must begin with the id of its plugin, as "${plugin}.…"`]),
    ...(provided.has(id) ? [`the service ${id} is provided twice`] : []),
    ...(typeof service === 'function' || isService(service)
      ? []
      : [`the service ${id} must be an object with methods, or a function that returns one`]),
  ];
}

function createServices(
  manifest: Manifests,
  own: PluginContainer,
  containers: ReadonlyMap<string, PluginContainer>,
  { stateOf }: ProvidedServicesDependencies,
): Services {
  const isUsable = (provider: string): boolean => ['active', 'started'].includes(stateOf(provider) ?? '');
  const open = (token: unknown): { readonly id: string; readonly provider: string } => {
    const id = idOf(token);
    const provider = providerOf(id);
    assertDependency(manifest, id, provider);
    return { id, provider };
  };
  return Object.freeze({
    get<T>(token: unknown): T {
      const { id, provider } = open(token);
      if (!isUsable(provider)) throw unavailable(id, provider, stateOf(provider));
      if (!own.container.isRegistered(id)) throw notProvided(id, provider, containers.get(provider)?.provided);
      return own.container.resolve<T>(id);
    },
    find<T>(token: unknown): T | undefined {
      const { id, provider } = open(token);
      return isUsable(provider) && own.container.isRegistered(id) ? own.container.resolve<T>(id) : undefined;
    },
  });
}

/**
 * A facade of the object that another plugin provides: its methods, each of which asks first whether that
 * plugin is started, and runs as code of that plugin.
 */
function createFacade(
  id: string,
  provider: string,
  from: PluginContainer | undefined,
  { enter, stateOf }: ProvidedServicesDependencies,
): object {
  const service = enter(provider, () => instanceOf(id, from));
  const methods = enter(provider, () => methodsOf(service));
  const facade = methods.map(([name, method]) => {
    const call = (...args: unknown[]): unknown => {
      const state = stateOf(provider);
      if (state !== 'started') throw unavailable(id, provider, state);
      return enter(provider, () => Reflect.apply(method, service, args));
    };
    return [name, call] as const;
  });
  return Object.freeze(Object.fromEntries(facade));
}

function instanceOf(id: string, from: PluginContainer | undefined): object {
  let service: unknown;
  try {
    service = from?.container.resolve(id);
  } catch (error) {
    throw new Error(`The service ${id} cannot be created: ${describeError(error)}`, { cause: error });
  }
  if (isService(service)) return service;
  throw new Error(`The function that creates the service ${id} must return an object with methods`);
}

type Method = (...args: unknown[]) => unknown;

/** Methods of the object and of its classes, by name. */
function methodsOf(service: object): readonly (readonly [string, Method])[] {
  const names = new Set<string>();
  for (
    let level: unknown = service;
    isObject(level) && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  }
  names.delete('constructor');
  return [...names].flatMap((name) => {
    const member: unknown = Reflect.get(service, name);
    return typeof member === 'function' ? [[name, member as Method] as const] : [];
  });
}

/** A promise is not a service: code that awaits the facade would get the value of the promise. */
function isService(value: unknown): value is object {
  return isObject(value) && !('then' in value) && methodsOf(value).length > 0;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function idOf(token: unknown): string {
  if (isServiceToken(token)) return token.id;
  throw new TypeError('A service is resolved by its token: services.get(serviceToken(…))');
}

function providerOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

function assertDependency(manifest: Manifests, id: string, provider: string): void {
  if (dependenciesOf(manifest).includes(provider)) return;
  const { id: plugin } = manifest;
  throw new Error(
    provider === plugin
      ? `The plugin ${plugin} provides the service ${id} itself, and calls it directly instead of resolving it.`
      : `The plugin ${plugin} resolves the service ${id} without a dependency on ${provider}. Add ${provider} to dependsOn or optionalDependsOn in its package.json.`,
  );
}

function unavailable(id: string, provider: string, state: PluginRecord['state'] | undefined): GantryError {
  const reason = {
    active: 'has not started yet: call the service in start or later',
    started: 'is started',
    disabled: 'is disabled',
    incompatible: 'is incompatible',
    blocked: 'is blocked',
    failed: 'has failed',
    stopped: 'is stopped',
  };
  const found = state === undefined ? 'is not installed' : reason[state];
  return new GantryError('UNAVAILABLE', `The service ${id} is unavailable: the plugin ${provider} ${found}.`);
}

function notProvided(id: string, provider: string, provided: ReadonlySet<string> = new Set()): Error {
  const others = provided.size === 0 ? 'It provides no services.' : `It provides ${[...provided].join(', ')}.`;
  return new Error(`The plugin ${provider} provides no service ${id}. ${others}`);
}
