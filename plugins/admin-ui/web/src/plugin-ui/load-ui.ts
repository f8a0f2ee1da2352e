import type { PluginUiReport } from '@gantry/contracts';
import { uiApiVersion } from '@gantry/contracts';
import type { Host, Ui } from '@gantry/ui';
import { messageOf } from '../api/api-error';
import { failureOf, UiFailure } from './ui-failure';

/** After this time a module counts as one that never loads. */
const loadTimeoutMs = 8_000;

/** Usual imports of a plugin's module, by the names that the import map of the page has for them. */
const usualImports = ['react', 'react/jsx-runtime', '@gantry/ui'];

/**
 * Imports a plugin's built module and asks it what it brings.
 * @param attempt counts up with every retry: a browser keeps a module that failed, by its address
 * @throws UiFailure that says what is wrong with it
 */
export async function loadUi(plugin: PluginUiReport, host: Host, attempt: number): Promise<Ui> {
  const { address, problem } = plugin.ui;
  if (address === undefined) {
    throw new UiFailure(plugin, problem === undefined ? 'It is not running.' : `${problem.reason}. ${problem.remedy}.`);
  }
  const module = await importInTime(plugin, attempt === 0 ? address : `${address}?attempt=${attempt}`);
  try {
    const ui = definitionOf(plugin, module).setUp(host);
    assertDeclared(plugin, ui);
    return ui;
  } catch (error) {
    throw failureOf(plugin, error);
  }
}

async function importInTime(plugin: PluginUiReport, address: string): Promise<unknown> {
  let timer: number | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = window.setTimeout(
      () => reject(new UiFailure(plugin, `Its module did not load within ${loadTimeoutMs / 1000} seconds.`)),
      loadTimeoutMs,
    );
  });
  // A browser learns only from the module what that imports: its imports are loaded beside it instead of after it.
  for (const name of usualImports) import(/* @vite-ignore */ name).catch(() => undefined);
  try {
    return await Promise.race([import(/* @vite-ignore */ address), late]);
  } catch (error) {
    throw error instanceof UiFailure ? error : await explain(plugin, address, error);
  } finally {
    window.clearTimeout(timer);
  }
}

/** A browser does not say why a module could not be fetched; asking once more does. */
async function explain(plugin: PluginUiReport, address: string, error: unknown): Promise<UiFailure> {
  const unknown = /module specifier ["'`]([^"'`]+)["'`]/.exec(messageOf(error))?.[1];
  if (unknown !== undefined) {
    return new UiFailure(
      plugin,
      `Its module imports "${unknown}", which the pages do not provide. Bundle it with the module.`,
    );
  }
  const status = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(loadTimeoutMs) }).then(
    (answer) => answer.status,
    () => 0,
  );
  if (status === 0) return new UiFailure(plugin, 'Connection lost.', error);
  if (status === 404) {
    return new UiFailure(
      plugin,
      'Its module is no longer available: it was disabled, or another version is running.',
      error,
    );
  }
  if (status === 503) return new UiFailure(plugin, 'It is not in use; the plugins page says why.', error);
  return failureOf(plugin, error);
}

function definitionOf(plugin: PluginUiReport, module: unknown): { setUp(host: Host): Ui } {
  const definition: unknown = isObject(module) ? module['default'] : undefined;
  if (!isObject(definition) || typeof definition['setUp'] !== 'function') {
    throw new UiFailure(plugin, 'The default export of its module is not the result of defineUi.');
  }
  if (definition['gantryUi'] !== uiApiVersion) {
    throw new UiFailure(plugin, `Its module was made by version ${String(definition['gantryUi'])} of @gantry/ui.`);
  }
  return definition as { setUp(host: Host): Ui };
}

/** Menus are drawn from the manifest, so that it must name exactly what the module brings. */
function assertDeclared({ id, displayName, ui }: PluginUiReport, brought: unknown): void {
  if (!isObject(brought) || brought instanceof Promise) {
    throw new UiFailure({ id, displayName }, 'The function given to defineUi returned no object.');
  }
  const declared = [
    ...ui.pages.map(({ path }) => `page "${path}"`),
    ...ui.fields.map((key) => `field ${key}`),
    ...ui.cells.map((key) => `cell ${key}`),
    ...(ui.filters ?? []).map((key) => `filter ${key}`),
    ...ui.itemActions.map(({ type, name }) => `item action ${type}.${name}`),
  ];
  const found = [
    ...keysOf(brought['pages']).map((path) => `page "${path}"`),
    ...keysOf(brought['fields']).map((key) => `field ${key}`),
    ...keysOf(brought['cells']).map((key) => `cell ${key}`),
    ...keysOf(brought['filters']).map((key) => `filter ${key}`),
    ...Object.entries(isObject(brought['itemActions']) ? brought['itemActions'] : {}).flatMap(([type, actions]) =>
      keysOf(actions).map((name) => `item action ${type}.${name}`),
    ),
  ];
  const missing = declared.filter((name) => !found.includes(name));
  const extra = found.filter((name) => !declared.includes(name));
  if (missing.length === 0 && extra.length === 0) return;
  const parts = [
    ...(missing.length > 0 ? [`its manifest names ${missing.join(', ')}, which the module does not define`] : []),
    ...(extra.length > 0 ? [`the module defines ${extra.join(', ')}, which its manifest does not name`] : []),
  ];
  throw new UiFailure({ id, displayName }, `Manifest and module differ: ${parts.join('; ')}.`);
}

function keysOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
