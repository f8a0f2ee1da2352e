import {
  namedContributionsOf,
  type GenerationsReport,
  type PluginDecision,
  type PluginReport,
  type PluginSetReport,
} from '@gantry/contracts';
import { settingsOf, type CommandContext } from '../../context/command-context';
import { nearest } from '../../common/nearest';
import { platformAddress, readRoute } from '../../context/running-platform';
import type { Colours } from '../../terminal/colours';
import { table } from '../../terminal/table';
import { withRemedy } from '../../common/with-remedy';

interface KnownPlugins {
  readonly plugins: readonly PluginReport[];
  /** Where this is known from: a running platform, or the folders. */
  readonly source: 'platform' | 'folders';
  readonly notes: readonly string[];
}

/** `gantry plugins list` */
export async function listPlugins(context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { plugins, source, notes } = await knownPlugins(context);
  if (context.json) {
    terminal.printJson(plugins, { source });
    return 0;
  }
  const rows = plugins.map((plugin) => [
    plugin.id,
    plugin.version,
    stateOf(plugin, source, terminal.colours),
    contributed(plugin),
  ]);
  terminal.print(table(['ID', 'VERSION', 'STATE', 'PROVIDES'], rows));
  for (const plugin of plugins.filter(isBroken)) {
    for (const problem of plugin.problems) terminal.print(`\n${plugin.id}: ${problem.reason}\n  ${problem.remedy}`);
  }
  for (const note of [...notes, ...plugins.flatMap(({ notes: own = [] }) => own)]) terminal.note(note);
  if (source === 'folders') {
    terminal.note(
      `No platform runs on ${settingsOf(context).home}; the list shows the plugins that the next start finds.`,
    );
  }
  return 0;
}

/** `gantry plugins info <id>` */
export async function showPlugin(context: CommandContext, id: string): Promise<number> {
  const { terminal } = context;
  const { plugins, source } = await knownPlugins(context);
  const plugin = plugins.find((candidate) => candidate.id === id);
  if (plugin === undefined) throw unknownPlugin(id, plugins);
  if (context.json) terminal.printJson(plugin, { source });
  else terminal.print(describePlugin(plugin, source, terminal.colours));
  return 0;
}

/** The plugins of a running platform or of the folders. */
export async function knownPlugins(context: CommandContext): Promise<KnownPlugins> {
  if (platformAddress(context) === undefined) return knownInFolders(context);
  const { data } = await readRoute('GET', '/api/platform/plugins', {}, context);
  const notes = [...(await notesOf(context)), ...(await waitingNotes(context))];
  return { plugins: data.plugins, source: 'platform', notes };
}

/** Decisions in the home made while the platform started. */
async function waitingNotes(context: CommandContext): Promise<readonly string[]> {
  if (context.url !== undefined) return [];
  const { readWaiting } = await import('@gantry/host/inspect-plugins');
  const { decisions, areSuperseded } = await readWaiting(settingsOf(context).home);
  if (decisions.size === 0) return [];
  const changes = [...decisions].map(([id, decision]) => `${id} ${outcomeOf(decision)}`).join(', ');
  if (!areSuperseded) return [`Waits for the next start: ${changes}.`];
  return [`No longer applies, because the plugins have changed since: ${changes}. Run the command again.`];
}

function outcomeOf(decision: PluginDecision | undefined): string {
  if (decision === undefined) return 'runs from its folder';
  const version = decision.installed?.version ?? (decision.enabled ? decision.version : undefined);
  const verb = decision.installed === undefined || !decision.enabled ? '' : 'is installed and ';
  const state = decision.enabled ? 'enabled' : 'disabled';
  return `${verb === '' ? 'is ' : verb}${state}${version === undefined ? '' : `, version ${version}`}`;
}

async function knownInFolders(context: CommandContext): Promise<KnownPlugins> {
  const settings = settingsOf(context);
  const isShared = Boolean(context.environment['DATABASE_URL']) && settings.setFile === undefined;
  const isReached = !isShared || (await syncWithDatabase(context));
  const { inspectPlugins } = await import('@gantry/host/inspect-plugins');
  const { plugins, notes } = await inspectPlugins(settings);
  const late = 'The database cannot be reached; the list shows the plugins that this host knew last.';
  return { plugins, source: 'folders', notes: isReached ? notes : [...notes, late] };
}

async function syncWithDatabase(context: CommandContext): Promise<boolean> {
  const { syncForCommand } = await import('@gantry/host');
  return syncForCommand({ ...settingsOf(context), environment: context.environment, mustExist: true });
}

/** A platform that does not run the plugin set of the database, or has taken back the latest change, says why. */
async function notesOf(context: CommandContext): Promise<readonly string[]> {
  const { data } = await readRoute('GET', '/api/platform/generations', {}, context);
  return [...behindNotes(data.pluginSet), ...undoneNotes(data.changes)];
}

function undoneNotes([latest]: GenerationsReport['changes'] = []): readonly string[] {
  const isUndone = latest?.error !== undefined && latest.error.message.startsWith('The change was undone');
  return isUndone
    ? [`Latest change (${latest.action} ${latest.plugins.join(', ')}): ${latest.error.message} ${latest.error.remedy}`]
    : [];
}

function behindNotes({ generation, behind }: Partial<PluginSetReport> = {}): readonly string[] {
  if (behind === undefined) return [];
  const { message, remedy } = behind.error ?? { message: 'It is changing to it now.', remedy: '' };
  const what =
    generation === behind.generation
      ? `This host runs generation ${generation} of the plugin set without some of its packages`
      : `This host runs generation ${generation} of the plugin set, and the database has ${behind.generation}`;
  return [`${what}: ${message} ${remedy}`.trim()];
}

function unknownPlugin(id: string, plugins: readonly PluginReport[]): Error {
  const ids = plugins.map((plugin) => plugin.id);
  const meant = nearest(id, ids);
  return withRemedy(
    `There is no plugin ${id}.`,
    meant === undefined
      ? `There are: ${ids.join(', ') || 'none'}. A plugin is a folder below one that GANTRY_PLUGIN_PATH names, with a member "gantry" in its package.json.`
      : `Did you mean ${meant}?`,
  );
}

function isBroken({ state }: PluginReport): boolean {
  return state === 'incompatible' || state === 'blocked' || state === 'failed';
}

function stateOf(plugin: PluginReport, source: KnownPlugins['source'], colours: Colours): string {
  if (isBroken(plugin)) return colours.red(plugin.state);
  if (plugin.state === 'started') return colours.green(plugin.state);
  return plugin.state === 'stopped' && source === 'folders' ? 'enabled' : colours.dim(plugin.state);
}

function contributed({ contributes, systemScope }: PluginReport): string {
  const { itemTypes, taskQueues, routes } = contributes;
  const routeCount = routes.length === 0 ? [] : [`${routes.length} ${routes.length === 1 ? 'route' : 'routes'}`];
  const scope = systemScope === undefined ? [] : ['system scope'];
  const queues = taskQueues.map((queue) => `queue ${queue}`);
  const named = namedContributionsOf(contributes).flatMap(({ one, many, names }) =>
    one === 'field kind' || one === 'write hook'
      ? names
      : [`${names.length} ${(names.length === 1 ? one : many).toLowerCase()}`],
  );
  return [...itemTypes, ...queues, ...named, ...routeCount, ...scope].join(', ') || '-';
}

function installedFacts({ installed }: PluginReport): readonly (readonly [string, string])[] {
  if (installed === undefined) return [];
  const { from, integrity = '', by, at } = installed;
  return [
    ['Installed', `from ${from}, by ${by}, ${at}`],
    ['Integrity', integrity],
  ];
}

function describePlugin(plugin: PluginReport, source: KnownPlugins['source'], colours: Colours): string {
  const { contributes, dependsOn, ui } = plugin;
  const timings = Object.entries(plugin.timings).map(([phase, ms]) => `${phase} ${Math.round(ms)} ms`);
  const facts: readonly (readonly [string, string])[] = [
    ['Package', `${plugin.packageName} ${plugin.version}`],
    ['Folder', plugin.folder],
    ...installedFacts(plugin),
    ['State', stateOf(plugin, source, colours)],
    [
      'Depends on',
      Object.entries(dependsOn)
        .map(([id, range]) => `${id} ${range}`)
        .join(', '),
    ],
    ['Item types', contributes.itemTypes.join(', ')],
    ['Task queues', contributes.taskQueues.join(', ')],
    ...namedContributionsOf(contributes).map(({ many, names }) => [many, names.join(', ')] as const),
    ['Routes', contributes.routes.join(', ')],
    ['Commands', (contributes.commands ?? []).map(({ name }) => `gantry call ${plugin.id} ${name}`).join(', ')],
    ['System scope', plugin.systemScope ?? ''],
    ['Home cards', (contributes.homeCards ?? []).map(({ title }) => title).join(', ')],
    ['Pages', [...(contributes.tablePages ?? []), ...(ui?.pages ?? [])].map(({ title }) => title).join(', ')],
    ['Start', timings.join(', ')],
    ...plugin.problems.flatMap(({ phase, code, reason, remedy }) => [
      ['Problem', `${reason} (${code}, in ${phase})`] as const,
      ['Remedy', remedy] as const,
    ]),
    ...(plugin.notes ?? []).map((note) => ['Note', note] as const),
    ['Problem', ui?.problem === undefined ? '' : `${ui.problem.reason} (${ui.problem.code})`],
    ['Remedy', ui?.problem?.remedy ?? ''],
  ];
  const shown = facts.filter(([, value]) => value !== '');
  return [colours.bold(`${plugin.displayName} (${plugin.id})`), table(['', ''], shown).trimStart()].join('\n');
}
