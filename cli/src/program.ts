import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import yargs, { type Argv } from 'yargs';
import { backupCommand, restoreCommand, resumeCommand, verifyCommand } from './arguments/backup';
import { callCommand } from './arguments/call';
import { changesCommand } from './arguments/changes';
import type { GlobalArguments, Handle } from './arguments/command';
import { loginCommand, logoutCommand } from './arguments/login';
import {
  auditCommand,
  authCommand,
  explainCommand,
  rolesCommand,
  tokensCommand,
  usersCommand,
} from './arguments/identity';
import { itemsCommand } from './arguments/items';
import { opsCommand } from './arguments/ops';
import { word } from './arguments/options';
import {
  clientCommand,
  devCommand,
  doctorCommand,
  initCommand,
  migrateCommand,
  openApiCommand,
  pluginsCommand,
  typesCommand,
  upCommand,
} from './arguments/platform';
import { protectWords, restoreText, restoreWords } from './arguments/protected-words';
import { assertFlags, commandIsMissing, parserMessages, usageError } from './arguments/usage';
import { subscriptionsCommand } from './arguments/subscriptions';
import { webhooksCommand } from './arguments/webhooks';
import type { Terminal } from './terminal/terminal';
import { UsageError, withHelpOf } from './common/usage-error';
import { parsePlatformUrl } from './context/platform-url';

export interface ProgramOptions {
  readonly terminal: Terminal;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
}

/** Reads the words of a command line, runs the command and gives the exit code. */
export type Program = (words: readonly string[]) => Promise<number>;

const commands = [
  initCommand,
  upCommand,
  devCommand,
  pluginsCommand,
  typesCommand,
  itemsCommand,
  changesCommand,
  opsCommand,
  usersCommand,
  rolesCommand,
  explainCommand,
  tokensCommand,
  webhooksCommand,
  subscriptionsCommand,
  authCommand,
  auditCommand,
  loginCommand,
  logoutCommand,
  migrateCommand,
  backupCommand,
  verifyCommand,
  restoreCommand,
  resumeCommand,
  doctorCommand,
  openApiCommand,
  clientCommand,
];

/** The command line. Running it throws a UsageError for words that mean nothing. */
export async function createProgram({ terminal, environment }: ProgramOptions): Promise<Program> {
  let exitCode = 0;
  const handle: Handle = async (parsed, command, isRemote) => {
    const args = restoreWords(parsed);
    const { home, url, json, verbose, _: path } = args as GlobalArguments & { readonly _: readonly string[] };
    const settings = home === undefined ? environment : { ...environment, GANTRY_HOME: home };
    try {
      if (url !== undefined && !isRemote) throw worksOnHome(path);
      const remote = url === undefined ? {} : { url: parsePlatformUrl(url) };
      exitCode = await command({ terminal, environment: settings, json, verbose, ...remote }, args);
    } catch (error) {
      throw withHelpOf(path, error);
    }
  };
  return async (written) => {
    const words = protectWords(written);
    const call = callCommand(await offeredTo(words, terminal, environment));
    await withGlobalOptions(yargs([...words]), words, terminal)
      .command([...commands, call].map((create) => create(handle)))
      .parseAsync();
    return exitCode;
  };
}

/**
 * The commands of plugins, where the words call one: only the platform that runs knows them.
 * @throws Error with a remedy where none runs, unless the words ask for help alone
 */
async function offeredTo(
  words: readonly string[],
  terminal: Terminal,
  environment: ProgramOptions['environment'],
): Promise<Parameters<typeof callCommand>[0]> {
  if (!words.includes('call')) return [];
  const parser = yargs([...words])
    .options(globalOptions)
    .help(false)
    .version(false)
    .exitProcess(false);
  const { _: path, home, url, json, verbose, help } = parser.option('help', { type: 'boolean' }).parseSync();
  if (path[0] !== 'call') return [];
  const settings = home === undefined ? environment : { ...environment, GANTRY_HOME: home };
  const remote = url === undefined ? {} : { url: parsePlatformUrl(url) };
  const { offeredCommands } = await import('./commands/call.js');
  try {
    return await offeredCommands({ terminal, environment: settings, json, verbose, ...remote });
  } catch (error) {
    if (path.length === 1 && help === true) return [];
    throw error;
  }
}

/** Options that every command has. */
const globalOptions = {
  home: { ...word('folder of data, logs and state (GANTRY_HOME)'), global: true },
  url: { ...word('platform on another machine; see gantry login'), global: true },
  json: { type: 'boolean', default: false, describe: 'print { "data": … } for programs', global: true },
  verbose: { type: 'boolean', default: false, describe: 'show logs and stack traces', global: true },
} as const;

function worksOnHome(path: readonly string[]): UsageError {
  return new UsageError(
    `gantry ${path.join(' ')} works on the home of a platform and has no option --url.`,
    'Run it on the machine of the platform, without --url.',
  );
}

function withGlobalOptions(parser: Argv, words: readonly string[], { stderr }: Terminal): Argv {
  return parser
    .scriptName('gantry')
    .usage('$0 <command>\n\nThe Gantry platform: item types and services from plugins.')
    .locale('en')
    .updateStrings(parserMessages)
    .parserConfiguration({ 'parse-positional-numbers': false, 'boolean-negation': false })
    .options(globalOptions)
    .check((_args, options) => {
      assertFlags(words, (options as { readonly boolean?: readonly string[] }).boolean ?? []);
      return true;
    }, true)
    .demandCommand(1, commandIsMissing)
    .strict()
    .recommendCommands()
    .wrap(stderr.isTTY ? Math.min(110, stderr.columns) : 110)
    .version(ownVersion())
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error, instance) => {
      throw usageError(restoreText(message), error, words, instance);
    });
}

function ownVersion(): string {
  const text = readFileSync(join(__dirname, '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
