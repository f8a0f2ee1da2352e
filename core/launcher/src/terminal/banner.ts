import type { PluginReport, StartupReport } from '@gantry/contracts';
import { describeHold } from '@gantry/core-common';
import type { Hold } from '@gantry/core-common';
import { near } from '../common/near';

export interface BannerContent {
  readonly address: string;
  readonly report: StartupReport;
  readonly types: readonly string[];
  readonly home: string;
  readonly logFile: string;
  /** Lines of the servers: label and value. */
  readonly servers: readonly (readonly [label: string, value: string])[];
  /** Set while no worker may run. */
  readonly hold?: Hold | undefined;
  readonly startedInMs: number;
  /** Absolute folder that shown paths are relative to. */
  readonly folder: string;
  readonly colour: boolean;
}

/** The lines for a person when the platform is ready. */
export function renderBanner(content: BannerContent): string {
  const paint = painter(content.colour);
  const rows: readonly (readonly [string, string])[] = [
    ...holdRows(content.hold, paint),
    ['Address', content.address],
    ...pageRows(content),
    ['API docs', `${content.address}/api/docs`],
    ...pluginRows(content.report.plugins, paint),
    ['Types', content.types.length === 0 ? 'none yet' : `${content.types.length}: ${shorten(content.types)}`],
    ...schemaRows(content.report),
    ['Data', near(content.home, content.folder)],
    ...content.servers,
    ['Log', near(content.logFile, content.folder)],
    ['Stop', 'Ctrl-C'],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  const head = paint(1, `Gantry is ready after ${(content.startedInMs / 1000).toFixed(1)} s`);
  const lines = rows.map(([label, value]) => `  ${paint(90, label.padEnd(width))}  ${value}`);
  return ['', head, '', ...lines, ''].join('\n');
}

function holdRows(hold: Hold | undefined, paint: Paint): readonly (readonly [string, string])[] {
  return hold === undefined ? [] : [['On hold', paint(33, describeHold(hold))]];
}

/** The route by which a plugin serves the pages that people look for first. */
const adminPages = 'GET /admin/*';

function pageRows({ address, report }: BannerContent): readonly (readonly [string, string])[] {
  const served = report.plugins.some(
    ({ state, contributes }) => state === 'started' && contributes.routes.includes(adminPages),
  );
  return served ? [['Admin pages', `${address}/admin`]] : [];
}

type Paint = (code: number, text: string) => string;

function painter(colour: boolean): Paint {
  return (code, text) => (colour ? `\u001B[${code}m${text}\u001B[0m` : text);
}

const stateColours: Readonly<Record<PluginReport['state'], number>> = {
  started: 32,
  disabled: 90,
  stopped: 90,
  blocked: 33,
  incompatible: 31,
  failed: 31,
};

/** One line each, and for those that do not run the reason and what to do below it. */
function pluginRows(plugins: readonly PluginReport[], paint: Paint): readonly (readonly [string, string])[] {
  if (plugins.length === 0) return [['Plugins', 'none found']];
  const width = Math.max(...plugins.map(({ id, version }) => id.length + version.length + 1));
  const lines = plugins.flatMap(({ id, version, state, problems }) => [
    `${`${id} ${version}`.padEnd(width)}  ${paint(stateColours[state], state)}`,
    ...(state === 'started' ? [] : problems.flatMap(({ reason, remedy }) => [`  ${reason}`, `  ${paint(90, remedy)}`])),
  ]);
  return lines.map((line, index) => [index === 0 ? 'Plugins' : '', line] as const);
}

function schemaRows({ schemaDifferences }: StartupReport): readonly (readonly [string, string])[] {
  const count = schemaDifferences.length;
  if (count === 0) return [];
  return [
    ['Schema', `${count} ${count === 1 ? 'difference needs' : 'differences need'} a migration: gantry migrate plan`],
  ];
}

const maxTypes = 12;

function shorten(types: readonly string[]): string {
  const rest = types.length - maxTypes;
  return rest > 0 ? `${types.slice(0, maxTypes).join(', ')} and ${rest} more` : types.join(', ');
}
