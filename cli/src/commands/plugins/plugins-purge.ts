import { Declined } from '../../common/failure';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '@gantry/core-common';
import { assertNotReferred, purgePlugin, readPluginSurvey, type PluginSurvey } from '@gantry/host';
import { interruptible } from '../../common/interruption';
import { withRemedy } from '../../common/with-remedy';
import type { CommandContext } from '../../context/command-context';
import { withDatabase } from '../../context/with-database';
import { ask } from '../../terminal/ask';
import { assertAskable } from '../../terminal/confirm';
import { counted, table } from '../../terminal/table';
import { knownPlugins } from './plugins';

export interface PurgeChoices {
  readonly yes: boolean;
  /** File for the rows; undefined for one named after the plugin and the time, in this folder. */
  readonly out: string | undefined;
  readonly isExported: boolean;
}

/** `gantry plugins purge <id>`: deletes what the database holds of a plugin that is disabled or not installed. */
export async function purge(context: CommandContext, id: string, choices: PurgeChoices): Promise<number> {
  const file = choices.isExported ? resolve(choices.out ?? fileName(id)) : undefined;
  if (file !== undefined && existsSync(file)) throw taken(file);
  await assertNotInUse(context, id);
  return interruptible('Nothing was deleted.', (signal) =>
    withDatabase(
      context,
      'gantry plugins purge',
      signal,
      async ({ databaseUrl }) => {
        const survey = await readPluginSurvey({ databaseUrl, plugin: id });
        if (survey.types.length + survey.extras.length === 0) {
          throw withRemedy(`The database has no data of a plugin ${id}.`, 'See its plugins: gantry plugins list');
        }
        if (!context.json) printSurvey(context, survey);
        assertNotReferred(survey);
        if (!(await isConfirmed(context, id, choices.yes))) {
          throw new Declined('Nothing was deleted.');
        }
        await assertNotInUse(context, id);
        const save = file === undefined ? undefined : (lines: AsyncIterable<string>) => saveLines(file, lines);
        const purged = await purgePlugin({ databaseUrl, plugin: id, actor: 'command', save, signal });
        report(context, purged, file);
        return 0;
      },
      { mustExist: true },
    ),
  );
}

/** A plugin that failed is in use: it comes back as soon as it is repaired. */
async function assertNotInUse(context: CommandContext, id: string): Promise<void> {
  const { plugins } = await knownPlugins(context);
  const plugin = plugins.find((candidate) => candidate.id === id);
  if (plugin === undefined || plugin.problems.some(({ code }) => code === 'PLUGIN_DISABLED')) return;
  throw withRemedy(
    `The plugin ${id} is in use (${plugin.state}); only a plugin that is disabled or not installed can be purged.`,
    `Disable it first: gantry plugins disable ${id}`,
  );
}

function printSurvey({ terminal }: CommandContext, survey: PluginSurvey): void {
  const rows = survey.tables.map(({ name, rows: count, images }) => [name, String(count), String(images)]);
  terminal.print(table(['TABLE', 'ROWS', 'IMAGES'], rows));
  for (const { table: other, columns, rows: count } of survey.extras) {
    terminal.print(`Columns of ${other}: ${columns.join(', ')}; ${counted(count, 'row')} with values`);
  }
  for (const { table: other, column, referencedTable, rows: count } of survey.references) {
    terminal.print(`${other}.${column} refers to ${referencedTable}: ${counted(count, 'row')}`);
  }
  if (survey.otherTables.length > 0) {
    terminal.note(`Kept, because they belong to no item type: ${survey.otherTables.join(', ')}.`);
  }
}

async function isConfirmed({ terminal }: CommandContext, id: string, yes: boolean): Promise<boolean> {
  assertAskable(terminal, yes, `Purging ${id}`);
  if (yes) return true;
  const question = `This deletes the rows above with their history, and the grants on them. Enter the id of the plugin to confirm: `;
  return (await ask(terminal, (put) => put(question))) === id;
}

function fileName(id: string): string {
  return `gantry-${id}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.jsonl`;
}

/** It may hold the only rows of an earlier purge. */
function taken(file: string, cause?: unknown): Error {
  return withRemedy(`The file ${file} exists already. Nothing was deleted.`, 'Name another file with --out.', cause);
}

/** @throws Error where it exists */
async function reserve(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? taken(file, error) : error;
  }
}

/** The file is complete and on disk before anything is deleted; until then it is empty. */
async function saveLines(file: string, lines: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`;
  await reserve(file);
  try {
    await pipeline(Readable.from(lines), createWriteStream(part, { mode: 0o600, flags: 'wx' }));
    const handle = await open(part, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await Promise.all([part, file].map((path) => rm(path, { force: true })));
    throw error;
  }
}

function report({ terminal, json }: CommandContext, survey: PluginSurvey, file: string | undefined): void {
  if (json) {
    terminal.printJson({ ...survey, file: file ?? null });
    return;
  }
  const rows = survey.tables.reduce((sum, { rows: count }) => sum + count, 0);
  const saved = file === undefined ? '' : ` Its rows are in ${file}.`;
  terminal.print(
    `Purged ${survey.plugin}: ${counted(survey.tables.length, 'table')}, ${counted(rows, 'row')}.${saved}`,
  );
}
