import type { Argv, ArgumentsCamelCase, CommandModule } from 'yargs';
import type { CommandContext } from '../context/command-context';
import { commandIsMissing } from './usage';

/** Options that every command has. */
export interface GlobalArguments {
  readonly home: string | undefined;
  readonly url: string | undefined;
  readonly json: boolean;
  readonly verbose: boolean;
}

/** Runs a command with what its arguments and the global ones say, and keeps the exit code that it gives. */
export type Handle = (
  args: object,
  run: (context: CommandContext, args: object) => Promise<number>,
  isRemote: boolean,
) => Promise<void>;

/** A command of the parser. */
export type Command = (handle: Handle) => CommandModule;

interface Definition<T> {
  /** Name and positional arguments: `show <type>`. */
  readonly command: string;
  readonly describe: string;
  readonly builder?: (parser: Argv) => Argv<T>;
  /** Whether it works on a platform of another machine (--url), too: over HTTP alone. */
  readonly isRemote?: boolean;
  /** Gives the exit code. */
  readonly run: (context: CommandContext, args: ArgumentsCamelCase<T>) => Promise<number>;
}

export function command<T>({ command: name, describe, builder, isRemote = false, run }: Definition<T>): Command {
  return (handle) => ({
    command: name,
    describe,
    builder: (parser) => (builder === undefined ? parser : builder(parser)),
    handler: (parsed) => handle(parsed, (context, args) => run(context, args as ArgumentsCamelCase<T>), isRemote),
  });
}

/** A word that only groups commands: `gantry plugins`. */
export function group(name: string, describe: string, commands: readonly Command[]): Command {
  return (handle) => ({
    command: `${name} <command>`,
    describe,
    builder: (parser) => parser.command(commands.map((create) => create(handle))).demandCommand(1, commandIsMissing),
    handler: () => undefined,
  });
}
